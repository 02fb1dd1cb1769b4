"""False statements that a careless checker would accept, each through another door; all are refused.

What is granted is what another certificate shows.
"""

from typing import Any

import pytest

from oubli.theory.kernel import checker
from oubli.theory.kernel.checker import accept_certificate
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.written import (
    BELOW,
    FALSE,
    IMAGINARY,
    MEASURED,
    NONNEGATIVE,
    ONE,
    QUARTIC,
    REAL,
    accepted,
    cite,
    combined,
    expectation,
    granted,
    hypothesis,
    instanced,
    less,
    lined,
    one,
    refused,
    st,
    step,
)

HOLES: dict[str, list[dict[str, Any]]] = {
    "a measured letter set to a number": [
        granted("a", st("m >= 0", m=MEASURED)),
        combined("b", st(FALSE), cite("a", m=-1)),
    ],
    "the square of an imaginary number": [combined("a", st(FALSE), {"times": 1, "square": IMAGINARY})],
    "an imaginary coefficient": [
        combined("a", st([">=", ["*", -1, "<u,u>"]], **{"<u,u>": REAL}),
            {"times": 1, "norm": {"u": IMAGINARY}}),
    ],
    "a lemma at an imaginary number": [
        combined("sq", st("x**2 >= 0", x=REAL), {"times": 1, "square": "x"}),
        combined("b", st(FALSE), cite("sq", x=IMAGINARY)),
    ],
    "two model functions taken for one": [
        step("a", st(["=", less(["tv", "P", "Q"], ["tv", "P", "P"])]), rule="identity"),
    ],
    "a domain nobody can read": [
        combined("a", st("x >= 0", x=["-1.5", False, None, False, False, False]), one("x")),
    ],
    "a number for a name": [combined("a", st(FALSE, **{"-1": NONNEGATIVE}), one(-1))],
    "a letter taken at two values of its parameter": [
        granted("rise", st("q - m >= 0", m=MEASURED, q=REAL)),
        granted("is", st("m - q == 0", m=MEASURED, q=REAL)),
        combined("b", st("-q >= 0", m=MEASURED, q=REAL), cite("rise", q=0), cite("is")),
    ],
    "a box that is smaller than the domain": [
        step("a", st("2 - x > 0", x=[0, False, 3, False, False, False]), rule="subdivision",
            box={"x": [0, 1]}, tree="positive", bits=64),
    ],
    "an undefined hypothesis of a lemma": [
        combined("a", st("x >= 0", "(x**(1/2))**2 >= 0", x=REAL), one("x")),
        combined("b", st("-1 - y**2 >= 0", y=REAL), cite("a", x=BELOW)),
        combined("c", st(FALSE), cite("b", y=0)),
    ],
    "a hypothesis that divides by 0": [
        combined("a", st("x**4 + x**2 > 0", "1 + (x**-1)**2 > 0", x=REAL), one(QUARTIC)),
        combined("b", st("x**4 + x**2 > 0", x=REAL), cite("a")),
        combined("c", st("0 > 0"), cite("b", x=0)),
    ],
    "a norm that can be chosen": [
        combined("a", st([">=", "<u,u>"], **{"<u,u>": REAL}), {"times": 1, "norm": {"u": 1}}),
        combined("b", st(FALSE), cite("a", **{"<u,u>": -1})),
    ],
    "a precision of one bit": [step("a", st("1 > 0"), rule="subdivision", box={}, tree="positive", bits=1)],
    "a step that says that something exists": [combined("a", {**st("1 >= 0"), "exists": True}, ONE)],
    "a division by nothing": [step("a", st("0*0**-1 - 1 == 0"), rule="identity")],
    "an own name for a lemma": [
        combined("a", st("1 >= 0"), ONE),
        combined("a", st(FALSE), cite("a", -1)),
    ],
    "a norm renamed to an inner product": [
        combined("a", st([">=", "<u,u>"], **{"<u,u>": MEASURED}), {"times": 1, "norm": {"u": 1}}),
        combined("b", st([">=", "<u,v>"], **{"<u,v>": MEASURED}), cite("a", **{"<u,u>": "<u,v>"})),
    ],
    "two letters taken for one": [
        granted("a", st("m - 1 - k >= 0", m=MEASURED, k=MEASURED)),
        combined("b", st(FALSE, k=MEASURED), cite("a", m="k")),
    ],
    "a hypothesis about what is measured, forgotten": [
        combined("a", st("m - 1 >= 0", "m - 1 >= 0", m=MEASURED), hypothesis(0)),
        combined("b", st("m - 1 >= 0", m=MEASURED), cite("a")),
    ],
    "a hypothesis about nothing, forgotten": [
        combined("a", st(FALSE, "-1 >= 0"), hypothesis(0)),
        combined("b", st(FALSE), cite("a")),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_refused(name: str) -> None:
    assert refused(accepted, HOLES[name])


def test_a_hypothesis_of_a_lemma_has_to_be_met() -> None:
    """Whatever it speaks of."""
    for says, letters in ((FALSE, {}), (["=", "m"], {"m": MEASURED})):
        lemma = {**st(says, **letters), "given": [[*says, "because"]]}
        cited = combined("b", st(says, **letters), cite("a"))
        assert refused(accepted, [cited], {"a": lemma})


def test_inner_products_of_no_vectors_are_refused() -> None:
    says = [">=", ["+", 4, ["*", -1, ["+", "<a,a>", ["*", -2, "<a,b>"], "<b,b>"]]]]
    statement = st(says, **dict.fromkeys(("<a,a>", "<a,b>", "<b,b>"), MEASURED))
    bogus = {"<a,a>": 1, "<a,b>": -100, "<b,b>": 1}
    assert "vectors" in refused(instanced, statement, {"values": bogus})
    near = {"values": bogus, "model": {"vectors": {"a": [1], "b": ["-1/2"]}}}
    assert refused(instanced, statement, near)
    instanced(statement, {"values": {}, "model": {"vectors": {"a": [2, 0], "b": [-2, 0]}}})


def test_a_lemma_at_another_parameter_than_the_witness_is_refused() -> None:
    says = [">=", less("m", "q")]
    about = st(says, m=MEASURED, q=REAL)
    witness = {"values": {"q": 0}, "terms": [cite("about", q=2), ONE]}
    true = st("q + 1 - m >= 0", m=MEASURED, q=REAL)
    assert "misses by" in refused(instanced, true, witness, {"about": about})


def test_a_domain_without_an_integer_is_empty() -> None:
    """The domain is among what an instance shows: a letter between 0 and 1 is left open or is no integer."""
    between = st(FALSE, n=[0, True, 1, True, True, False])
    assert refused(instanced, between, {"values": {}})
    assert "no integer" in refused(instanced, between, {"values": {"n": "1/2"}})


def test_an_inner_product_has_one_name() -> None:
    """Its value is computed from vectors, whatever is written and in whichever order."""
    statement = st([">=", less(5, "<b,a>")], **dict.fromkeys(("<b,a>", "<a,a>", "<b,b>"), MEASURED))
    values = {"<b,a>": 100, "<a,a>": 1, "<b,b>": 1}
    assert "vectors" in refused(instanced, statement, {"values": values})
    assert refused(instanced, statement, {"values": values, "model": {"vectors": {"a": [1], "b": [1]}}})


def test_a_model_has_the_constants_of_its_witness() -> None:
    steep = st("L - s >= 0", "L > 0", L=REAL, s=MEASURED)
    model = {"L": 100, "mu": 50, "members": {"A": [[-1, 1, 25, 50, 0]]}}
    witness = {"values": {"L": 1, "mu": "1/2", "s": ["right", "A", 1]}, "model": model}
    assert "not in the class" in refused(instanced, steep, witness)


def test_one_instance_shows_no_statement_about_all() -> None:
    for statement in (st("x >= 0", x=REAL), {**st("x >= 0", x=REAL), "exists": False}):
        assert refused(instanced, statement, {"values": {"x": 1}}, kind="exact")
        instanced(statement, {"values": {"x": -1}})
    some = {**st("x >= 0", x=REAL), "exists": True}
    instanced(some, {"values": {"x": 1}}, kind="exact")
    assert refused(instanced, some, {"values": {"x": 1}})
    assert refused(instanced, some, {"values": {"x": -1}})
    cited = combined("a", st(FALSE), cite("some", x=-1))
    assert "exists" in refused(accepted, [cited], {"some": some})


def test_what_a_proof_takes_its_letters_for_is_disclosed() -> None:
    """A letter held constant under a mean cannot be checked here: it is told."""
    both = granted("a0", st("y*z >= 0", y=MEASURED, z=MEASURED))
    pointwise = combined("a", st("y*z >= 0", y=MEASURED, z=MEASURED), cite("a0"))
    takes = accepted([both, pointwise, expectation("c", st("m*z >= 0", m=MEASURED, z=MEASURED), "a", y="m")])
    assert ["z", "chance"] in takes["constant"]
    assert takes["means"] == {"m": ["y", "everything", 1]}


TALL = [{"by": "leaf", "assume": [">=", ["^", ["+", "a", "b", i + 1], 30]]} for i in range(38)]
LONG: dict[str, list[dict[str, Any]]] = {
    "products of many hypotheses": [*TALL, {"by": "combine", "terms": [[1, *range(38)]], "says": FALSE}],
    "a long series": [{"by": "positive", "of": ["phi1", 20_000], "box": {}, "bits": 2000}],
}


@pytest.mark.parametrize("name", LONG)
def test_what_takes_too_long_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "BUDGET", checker.BUDGET // 10)
    with pytest.raises(RejectedError, match="too long"):
        lined(FALSE, *LONG[name])


def test_an_imaginary_value_is_no_witness() -> None:
    assert refused(instanced, st("x**2 + 1 > 0", x=REAL), {"values": {"x": IMAGINARY}})


@pytest.mark.parametrize("bomb", [["^", 10**1000, 64], ["+", 1, ["^", 3, -64]], ["exp", 20_000]])
def test_towers_of_powers_are_refused_at_once(bomb: Any) -> None:
    for _ in range(12):
        bomb = ["^", bomb, 64]
    for line in ({"by": "combine", "terms": [[1]], "says": [">", bomb]},
                 {"by": "positive", "of": bomb, "box": {}, "bits": 64}):  # fmt: skip
        with pytest.raises(RejectedError):
            lined([">", bomb], line)
    witness = {"values": {"x": bomb}, "shown": [0]}
    with pytest.raises(RejectedError):
        lined([">=", "x"], {"by": "combine", "terms": [[1]]}, letters={"x": [False, False]}, kind="witness",
              witness=witness)  # fmt: skip


def test_a_witness_must_value_every_letter_of_the_hypotheses() -> None:
    statement = st("x >= 0", "x + y >= 0", x=MEASURED, y=MEASURED)
    assert refused(instanced, statement, {"values": {"x": -1}})
    instanced(statement, {"values": {"x": -1, "y": 1}})


@pytest.mark.parametrize(
    "junk", [None, 3, [], {}, {"lines": 1}, {"statement": {}, "lines": [{}]}, {"lines": [[]]}]
)
def test_junk_is_refused_not_crashed_on(junk: Any) -> None:
    for kind in ("proof", "witness", "exact"):
        with pytest.raises(RejectedError):
            accept_certificate({"kind": kind, **junk} if isinstance(junk, dict) else junk, {}, {})
