"""Witnesses: members of the class, what is observed on them and on finite laws, and what refutes."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, accept_certificate, digest, member, observe
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from tests.adversarial.written import combine, less, lined

R, M = [False, False], [False, True]
# On [-1, 1], where L = 2 and mu = 1: x^2/2 up to 1/2, then 3x^2/4 - x/4 + 1/16, once differentiable.
SMOOTH = [["-1", "1/2", "1/2", "0", "0"], ["1/2", "1", "3/4", "-1/4", "1/16"]]
# x^2/2 with a kink at 1/2, where the slope rises from 1/2 to 1.
KINKED = [["-1", "1/2", "1/2", "0", "0"], ["1/2", "1", "1/2", "1/2", "-1/4"]]
MEMBERS: dict[str, tuple[list[Any], int, int]] = {
    "smooth": (SMOOTH, 2, 1),
    "kinked": (KINKED, 2, 1),
    "as steep as L at both ends": ([["-1", "1", "1", "0", "5"]], 2, 1),
    "in a smaller ball, where mu = 2": ([["-1/2", "1/2", "1", "0", "0"]], 2, 2),
    "as flat as mu": ([["-1", "1", "1/2", "1", "0"]], 2, 1),
}
NO_MEMBERS: dict[str, tuple[list[Any], int, int, str]] = {
    "steeper than L on the right": ([["-1", "1", "1", "1/8", "0"]], 2, 1, "class"),
    "steeper than L on the left": ([["-1", "1", "1", "-1/8", "0"]], 2, 1, "class"),
    "flatter than mu": ([["-1", "1", "2/5", "0", "0"]], 2, 1, "class"),
    "flatter than mu on one piece": ([["-1", "1/2", "1/2", "0", "0"], ["1/2", "1", "1/4", "1/2", "-3/16"]],
        2, 1, "class"),
    "a kink the wrong way": ([["-1", "0", "1/2", "1/2", "0"], ["0", "1", "1/2", "-1/2", "0"]], 2, 1, "class"),
    "a ball that begins late": ([["-1/2", "1", "1/2", "0", "0"]], 2, 1, "class"),
    "a ball that ends early": ([["-1", "1/2", "1/2", "0", "0"]], 2, 1, "class"),
    "the ball of mu = 1, where mu = 2": ([["-1", "1", "1", "0", "0"]], 2, 2, "class"),
    "a piece of no length": ([*SMOOTH, ["1", "1", "3/4", "-1/4", "1/16"]], 2, 1, "class"),
    "a piece that runs back": ([["-1", "1", "1/2", "0", "0"], ["1", "1/2", "1/2", "1/2", "-1/2"], ["1/2",
        "1", "1/2", "1/2", "-1/2"]], 2, 1, "class"),
    "a jump": ([SMOOTH[0], ["1/2", "1", "3/4", "-1/4", "1/8"]], 2, 1, "continuous"),
    "a jump by the constant alone": ([["-1", "1/2", "1/2", "0", "1"], SMOOTH[1]], 2, 1, "continuous"),
    "a gap": ([["-1", "1/2", "1/2", "0", "0"], ["3/4", "1", "1/2", "0", "0"]], 2, 1, "continuous"),
    "no ball at all": ([["0", "0", "1/2", "0", "0"]], 0, 1, "class"),
}  # fmt: skip


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member(name: str) -> None:
    pieces, L, mu = MEMBERS[name]
    assert member(pieces, Q(L), Q(mu)) == [[Q(v) for v in piece] for piece in pieces]


@pytest.mark.parametrize("name", NO_MEMBERS)
def test_no_member(name: str) -> None:
    pieces, L, mu, why = NO_MEMBERS[name]
    with pytest.raises(RejectedError, match=why):
        member(pieces, Q(L), Q(mu))


LAWS = {"P": {"0": "1/2", "1": "1/2"}, "Q": {"0": "1/4", "2": "3/4"}, "Z": {"0": "1", "1": "0"}}
MODEL = {"members": {"A": SMOOTH, "B": KINKED}, "laws": LAWS}
OBSERVED = {
    "a value on the second piece": (["value", "A", "3/4"], "19/64"),
    "a value where pieces meet": (["value", "A", "1/2"], "1/8"),
    "a value on the first piece": (["value", "A", "-1"], "1/2"),
    "a value beside a kink": (["value", "B", "3/4"], "13/32"),
    "the slope left of a kink": (["left", "B", "1/2"], "1/2"),
    "the slope right of a kink": (["right", "B", "1/2"], "1"),
    "the slope at the left end": (["right", "B", "-1"], "-1"),
    "the slope at the right end": (["left", "A", "1"], "5/4"),
    "total variation": (["tv", "P", "Q"], "3/4"),
    "total variation the other way round": (["tv", "Q", "P"], "3/4"),
    "a mass": (["mass", "Q", "2"], "3/4"),
    "no mass": (["mass", "P", "2"], "0"),
    "a hockey stick": (["hockey", "Q", "P", "3/2"], "3/4"),
    "a hockey stick of double height": (["hockey", "P", "Q", "2"], "1/2"),
    "a law with an atom of mass 0": (["tv", "Z", "P"], "1/2"),
    "inside an expression": (["+", ["value", "A", "1/2"], 1], ["+", "1/8", 1]),
}


@pytest.mark.parametrize("name", OBSERVED)
def test_what_is_observed(name: str) -> None:
    node, found = OBSERVED[name]
    assert observe(node, MODEL, {"L": 2, "mu": 1}) == found


NOWHERE = [
    ["left", "A", "-1"],
    ["right", "A", "1"],
    ["value", "A", "-2"],
    ["value", "A", "2"],
    ["left", "A", "-3/2"],
]


@pytest.mark.parametrize("node", NOWHERE)
def test_outside_the_ball_nothing_is_observed(node: Any) -> None:
    with pytest.raises(StopIteration):
        observe(node, MODEL, {"L": 2, "mu": 1})


@pytest.mark.parametrize("law", [{"0": "1/2", "1": "1/3"}, {"0": "3/2", "1": "-1/2"}, {"0": "2", "1": "-1"}])
def test_no_law(law: dict[str, str]) -> None:
    with pytest.raises(RejectedError, match="not a law"):
        observe(["tv", "P", "bad"], {"laws": {**LAWS, "bad": law}}, {})


def witness(says: list[Any], value: Any, shown: list[Any], **more: Any) -> None:
    """Take an instance x = value for a witness against a statement."""
    values = {"values": {"x": value}, "shown": list(range(len(shown)))}
    lined(says, *shown, letters={"x": R}, kind=more.pop("kind", "witness"), witness=values, **more)


ZERO, ONE = combine(says=[">=", 0]), {"by": "positive", "of": 1, "box": {}, "bits": 16}
EQUAL = combine(says=["=", 0])
TRUE_WITNESSES: dict[str, tuple[list[Any], int, list[Any], dict[str, Any]]] = {
    "x > 0 fails at 0": ([">", "x"], 0, [ZERO], {}),
    "x >= 0 fails at -1": ([">=", "x"], -1, [ONE], {}),
    "x = 0 fails at 1": (["=", "x"], 1, [ONE], {}),
    "x = 0 fails at -1": (["=", "x"], -1, [ONE], {}),
    "there is an x > 0": ([">", "x"], 1, [ONE], {"kind": "exact", "exists": True}),
    "there is an x = 0": (["=", "x"], 0, [EQUAL], {"kind": "exact", "exists": True}),
    "x > 1 fails at 1 where x > 0": ([">", less("x", 1)], 1, [ONE, ZERO], {"given": [[">", "x", "given"]]}),
}
FALSE_WITNESSES: dict[str, tuple[list[Any], int, list[Any], dict[str, Any]]] = {
    "x >= 0 fails at 0": ([">=", "x"], 0, [ZERO], {}),
    "x > 0 fails at 1": ([">", "x"], 1, [ONE], {}),
    "x = 0 fails at 0": (["=", "x"], 0, [ZERO], {}),
    "x = 0 fails at 0, as an equation": (["=", "x"], 0, [EQUAL], {}),
    "x >= 0 fails at -1 where x >= 0": ([">=", "x"], -1, [ZERO, ONE], {"given": [[">=", "x", "given"]]}),
    "there is an x > 0, namely 0": ([">", "x"], 0, [ZERO], {"kind": "exact", "exists": True}),
    "x > 0 fails at 1: only what is given is shown": ([">", "x"], 1, [ONE], {"given": [[">=", "x",
        "given"]]}),
    "x >= 0 fails at -1, shown where 1 >= 0 is assumed": (
        [">=", "x"], -1, [{"by": "leaf", "assume": [">", 1]}], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE_WITNESSES)
def test_a_witness(name: str) -> None:
    says, value, shown, more = TRUE_WITNESSES[name]
    witness(says, value, shown, **more)


@pytest.mark.parametrize("name", FALSE_WITNESSES)
def test_no_witness(name: str) -> None:
    says, value, shown, more = FALSE_WITNESSES[name]
    with pytest.raises(RejectedError, match=r"not shown|malformed: ValueError: zip"):
        witness(says, value, shown, **more)


def test_inner_products_come_from_vectors() -> None:
    WORK[:] = [BUDGET, float("inf")]
    letters = {"<u,u>": M, "<u,v>": M}
    lines = [{"by": "positive", "of": 3, "box": {}, "bits": 16}]
    vectors = {"vectors": {"u": [1, 2], "v": ["-1", "-1"]}}
    shown = {"values": {}, "model": vectors, "shown": [0]}
    lined([">=", "<u,v>"], *lines, letters=letters, kind="witness", witness=shown)
    with pytest.raises(RejectedError, match="not shown"):
        lined([">=", less("<u,u>", 4)], *lines, letters=letters, kind="witness", witness=shown)


def test_an_integer_is_an_integer() -> None:
    half = {"values": {"n": "1/2"}, "shown": [0]}
    with pytest.raises(RejectedError, match="no integer"):
        lined([">=", less(0, "n")], ONE, letters={"n": [True, False]}, kind="witness", witness=half)


OBJECTS = {"L": R, "mu": R, "d": [True, False], "f": ["loss"]}
LIPSCHITZ = [">=", less(["^", "L", 2], ["in", ["grad", "f", ["zero"]], ["grad", "f", ["zero"]]])]


def model(
    says: list[Any], tilt: Any, shown: list[Any], d: Any = 1, values: Any = None, defined: Any = None,
        letters: Any = None,
    kind: str = "witness", **more: Any,
) -> None:  # fmt: skip
    """Take L = 2, mu = 1 and f = |x|^2/2 + tilt <e, x> for a model against a statement."""
    f = ["l+", ["quad"], ["l*", tilt, ["lin", ["e", 1]]]]
    own = {"L": ["is", 2], "mu": ["is", 1], "d": ["is", d], "f": ["is", f], **(defined or {})}
    values_ = {name: kind[1] for name, kind in own.items() if kind[0] == "is"} | (values or {})
    # L/2 >= 0 comes first: the tilt alone is left of the room.
    shown = [exactly(">", 1), *shown]
    witness = {"values": values_, "shown": list(range(len(shown)))}
    lined(says, *shown, letters=OBJECTS | (letters or {}), taken=own, kind=kind, witness=witness, **more)


def exactly(rel: str, value: Any, met: Any = None) -> dict[str, Any]:
    """A line that shows a relation of a number."""
    return (
        {"by": "positive", "of": value, "box": {}, "bits": 64} if rel == ">" else combine(says=[rel, value])
    )


STEEP = ["in", ["grad", "f", ["zero"]], ["grad", "f", ["zero"]]]
SLACK = exactly(">=", 0)


SIZE = ["is", ["in", ["grad", "f", ["zero"]], ["grad", "f", ["zero"]]]]
HALF, MORE = exactly(">", "1/2"), [">=", less("1/2", STEEP)]
# |grad f(0)|^2 = 1 there, and L/2 - |tilt| = 0: the loss is just in the class.
MODELS: dict[str, tuple[list[Any], list[Any], dict[str, Any]]] = {
    "1/2 >= |grad f(0)|^2 fails": (MORE, [SLACK, HALF], {}),
    "1 > |grad f(0)|^2 fails with equality": ([">", less(1, STEEP)], [SLACK, SLACK], {}),
    "|grad f(0)|^2 = 1/2 fails from above": (["=", less(STEEP, "1/2")], [SLACK, HALF], {}),
    "|grad f(0)|^2 = 3/2 fails from below": (["=", less(STEEP, "3/2")], [SLACK, HALF], {}),
    "there is an f with |grad f(0)| > 0": ([">", STEEP], [SLACK, exactly(">", 1)], {"kind": "exact",
        "exists": True}),
    "there is an f with |grad f(0)| >= 1": ([">=", less(STEEP, 1)], [SLACK, SLACK], {"kind": "exact",
        "exists": True}),
    "where something is given": (MORE, [SLACK, exactly(">", 1), HALF], {"given": [[">=", less("L", 1),
        "given"]]}),
    "with an abbreviation of the statement": (
        [">=", less("1/2", "S")], [SLACK, HALF], {"letters": {"S": SIZE}, "defined": {"S": SIZE}}),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_a_model(name: str) -> None:
    says, shown, more = MODELS[name]
    model(says, 1, shown, **more)


def test_an_abbreviation_of_a_statement_may_have_the_index_of_its_sum() -> None:
    """The sum of V over k_ = 0, 1 is no more than 0, where V is k_: it is 1."""
    total = ["sum", "V", 1]
    lines = [
        combine(says=[">=", 0]), {"by": "leaf", "schema": ["empty sum", "V"]},
        {"by": "leaf", "schema": ["sum step", "V", -1], "met": [0]}, combine([1], says=[">=", 1]),
        {"by": "leaf", "schema": ["sum step", "V", 0], "met": [3]},
        combine([1, 1], [1, 2], [1, 4], [1], says=[">", total]),
    ]  # fmt: skip
    own = {"V": ["is", "k_"]}
    lined([">=", ["*", -1, total]], *lines, letters=own, taken={**own, "k_": [True, False]}, kind="witness",
          witness={"values": {}, "shown": [5]})  # fmt: skip


NO_MODELS: dict[str, tuple[list[Any], Any, list[Any], dict[str, Any], str]] = {
    "the bound holds there with equality": ([">=", less(1, STEEP)], 1, [SLACK, SLACK], {}, "not shown"),
    "a strict bound holds there": ([">", less(2, STEEP)], 1, [SLACK, exactly(">", 1)], {}, "not shown"),
    "the equation holds there": (["=", less(1, STEEP)], 1, [SLACK, SLACK], {}, "not shown"),
    "something else is shown": (MORE, 1, [SLACK, exactly(">", "1/3")], {}, "not shown"),
    "it is shown under a hypothesis": (MORE, 1, [SLACK, {"by": "leaf", "assume": [">", "1/2"]}], {},
        "not shown"),
    "the loss is too steep": ([">=", less(1, STEEP)], 2, [SLACK, exactly(">", 3)], {}, "not shown"),
    "nobody looked whether the loss is in the class": (MORE, 1, [HALF], {}, "not shown|malformed"),
    "only the class is looked at": (MORE, 1, [SLACK], {}, "malformed: ValueError: zip"),
    "a letter has no value": (MORE, 1, [SLACK, HALF], {"defined": {"d": [True, False]}}, "not defined"),
    "a letter is measured": (MORE, 1, [SLACK, HALF], {"letters": {"m": M}, "defined": {"m": ["is", 1]}},
        "not defined"),
    "an abbreviation means something else": (
        [">=", less("1/2", "S")], 1, [SLACK, HALF], {"letters": {"S": SIZE}, "defined": {"S": ["is", 1]}},
            "not defined"),
    "the dimension is 1/2": (MORE, 1, [SLACK, HALF], {"d": "1/2"}, "no integer"),
    "the reader is shown other values": (MORE, 1, [SLACK, HALF], {"values": {"L": 3}}, "other values"),
    "something is taken for granted": (
        MORE, 1, [SLACK, HALF], {"facts": [[">", "L", "exponential", []]]}, "for granted"),
    "a slope is taken for granted": (
        MORE, 1, [SLACK, HALF], {"slopes": {"L": ["mu", 1]}}, "a model takes nothing"),
    "a lemma is about a measured letter": (
        MORE, 1, [SLACK, HALF], {"lemmas": {"le": {"letters": {"m": M}, "given": [], "says": [">=", 1]}},
            "defined": {"m": M}}, "another letter"),
    "a lemma about integers is used at 1/2": (
        MORE, 1, [SLACK, HALF], {"lemmas": {"le": {"letters": {"m": [True, False]}, "given": [],
            "says": [">=", 1]}}, "defined": {"m": ["is", "1/2"]}}, "no integer"),
    "a lemma says that something exists": (
        MORE, 1, [SLACK, HALF], {"lemmas": {"le": {"letters": {}, "given": [], "says": [">=", 1],
            "exists": True}}}, "stale, or it exists"),
    "a lemma has a hypothesis that fails there": (
        MORE, 1, [SLACK, {"by": "instance", "of": "le", "with": {}}], {"lemmas": {"le": {"letters": {"L": R},
            "given": [[">", less("L", 3), "meaning"]], "says": [">", less("L", "3/2")]}}}, "not shown"),
    "a lemma means something else by a letter": (
        MORE, 1, [SLACK, HALF], {"lemmas": {"le": {"letters": {"L": ["is", 7]}, "given": [],
            "says": [">=", 1]}}}, "another letter"),
    "what is given fails there": (
        MORE, 1, [SLACK, SLACK, HALF], {"given": [[">=", less("L", 3), "given"]]}, "not shown"),
    "one that exists is refuted by another": (MORE, 1, [SLACK, HALF], {"exists": True},
        "two kinds|another kind"),
    "one that exists fails": (MORE, 1, [SLACK, HALF], {"kind": "exact", "exists": True}, "not shown"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_MODELS)
def test_no_model(name: str) -> None:
    says, tilt, shown, more, why = NO_MODELS[name]
    with pytest.raises(RejectedError, match=why):
        model(says, tilt, shown, **more)


LEMMA = {"letters": {"x": R}, "given": [], "says": [">=", ["^", "x", 2]]}


def sealed(**changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A good certificate that cites a lemma, with parts of it changed after it was sealed."""
    statement = {"letters": {"x": R}, "given": [], "says": [">=", ["^", "x", 2]]}
    takes = {**NOTHING, "letters": {"x": R}}
    good = {
        "kind": "proof", "statement": statement, "takes": takes, "lemmas": {"le": digest(LEMMA)},
        "hash": digest({"statement": statement, "takes": takes}),
        "lines": [{"by": "combine", "terms": [[1, "le"]]}],
    }  # fmt: skip
    return {**good, **changes}, {"le": LEMMA}


def test_a_certificate_is_good_for_one_statement_and_these_lemmas() -> None:
    accept_certificate(*sealed(), {})
    with pytest.raises(RejectedError, match="stale: it has changed"):
        accept_certificate(
            *sealed(statement={"letters": {"x": R}, "given": [], "says": [">=", ["*", "x", "x"]]}), {}
        )
    with pytest.raises(RejectedError, match="stale: it has changed"):
        accept_certificate(*sealed(takes={**NOTHING, "letters": {"x": R, "y": R}}), {})
    certificate, _ = sealed()
    with pytest.raises(RejectedError, match="stale, or it exists"):
        accept_certificate(certificate, {"le": {**LEMMA, "says": [">=", ["*", "x", "x"]]}}, {})
    with pytest.raises(RejectedError, match="another kind"):
        accept_certificate(*sealed(kind="trust"), {})


def test_every_certificate_has_its_own_budget() -> None:
    for _ in range(3):
        WORK[:] = [0, 0.0]
        accept_certificate(*sealed(), {})
        assert 0 < WORK[0] < BUDGET
        assert WORK[1] > 0
