"""Words that mean nothing are rejected in one line that says what is accepted; none is silently another."""

import pytest

from oubli.errors import InputError
from oubli.theory.paper.ledger import ledger
from oubli.theory.regimes import Constants, Noise, Notion, classify

POINT = {"rf": 0.001, "eps": 1.0, "delta": 1e-5, "dim": 10, "target": 0.002}


@pytest.mark.parametrize("word", ["notion", "noise", "constants"])
def test_an_unknown_word_is_an_error_that_names_the_known_ones(word):
    with pytest.raises(InputError, match=rf"{word} = 'Reference ': accepted are '") as caught:
        classify(**POINT, **{word: "Reference "})
    assert "\n" not in str(caught.value)


def test_a_word_means_what_its_member_means():
    for kind, name in ((Notion, "notion"), (Noise, "noise"), (Constants, "constants")):
        for meant in kind:
            by_word, by_member = (classify(**POINT, **{name: given}) for given in (str(meant.value), meant))
            assert by_word.certified == by_member.certified
            assert by_word.sigma == by_member.sigma
            assert by_word.query.notion is by_member.query.notion


def test_the_other_notion_is_not_certified_silently():
    assert classify(**POINT, notion="reference").query.notion is Notion.REFERENCE
    assert classify(**POINT, noise="classical").sigma > classify(**POINT, noise="exact").sigma


def test_one_key_may_be_given_bare():
    assert ledger().verify("gauss.sensitivity").keys() == ledger().verify(["gauss.sensitivity"]).keys()


def test_an_unknown_key_is_an_error_that_names_near_ones():
    with pytest.raises(InputError, match=r"^trivail: no such claim; did you mean .*trivial"):
        ledger().verify("trivail")
    with pytest.raises(InputError, match=r"^3: no such claim; `oubli claims` lists them$"):
        ledger().verify([3])
