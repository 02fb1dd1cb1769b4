"""Objects put in the place of others where that is not allowed: rejected, each with its reason."""

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError

LETTERS = {
    "L": [False, False], "mu": [False, False], "s": [False, False], "d": [True, False], "k_": [True, False],
    "T": [True, False], "h": ["point"], "x": ["point"], "f": ["loss"], "D": ["problem"], "X": ["random"],
}  # fmt: skip
NOISE = ["noise", "gauss", "s", 1]
RUN = ["sgd", "D", ["zero"], ["^", ["+", "k_", 1], -1]]
ITERATE = ["iter", RUN, "T"]
DRAWN = ["draw", RUN, "T"]


def reached(*lines: Any) -> Proof:
    """The proof after some lines."""
    WORK[:] = [BUDGET, float("inf")]
    proof = Proof({**NOTHING, "letters": LETTERS})
    for i, line in enumerate(lines):
        proof.accept(line, i)
    return proof


def identity(node: Any) -> dict[str, Any]:
    """The line node = 0, by algebra alone."""
    return {"by": "combine", "terms": [], "says": ["=", node]}


def setting(**values: Any) -> dict[str, Any]:
    """The line that puts objects in place of names in line 0."""
    return {"by": "instance", "of": 0, "with": values}


CENTRED = {"by": "leaf", "schema": ["centred", NOISE, "h"]}
FIXED = identity(["+", ["E", ["val", "f", "x"]], ["*", -1, ["val", "f", "x"]]])
TOWER = {"by": "leaf", "schema": ["tower", RUN, "T", "h"]}
EQUAL_TERMS = identity(["+", ["sum", ["in", "h", "h"], "T"], ["*", -1, ["in", "h", "h"], ["sum", 1, "T"]]])
HOLES = {
    "E<z, h> = 0 for the noise z itself": (CENTRED, setting(h=NOISE), "set at random"),
    "E f(x) = f(x) at a random point": (FIXED, setting(x=ITERATE), "set at random"),
    "E f(x) = f(x) for a loss that is drawn": (FIXED, setting(f=DRAWN), "set at random"),
    "the tower along a later iterate": (
        TOWER, setting(h=["iter", RUN, ["+", "T", 1]]), "set at random"),
    "a problem whose loss is drawn, in a mean": (
        TOWER, setting(D=["problem", ["draw", ["sgd", "D", "x", 1], "T"], "f"]), "set at random"),
    "a sum of equal terms, the terms then moved": (
        EQUAL_TERMS, setting(h=["iter", RUN, "k_"]), "index is bound"),
    "noise whose scale is random": (
        CENTRED, identity(["E", ["in", ["noise", "gauss", ["in", ITERATE, "h"], 1], "h"]]), "scale"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLES)
def test_it_is_rejected(name: str) -> None:
    *lines, why = HOLES[name]
    with pytest.raises(RejectedError, match=why):
        reached(*lines)


def test_what_holds_for_each_outcome_may_be_set_at_random() -> None:
    whole = {"by": "leaf", "schema": ["Cauchy-Schwarz", "h", "x"]}
    assert reached(whole, setting(h=NOISE, x=ITERATE)).reached[1].rel == ">="


def test_a_fixed_object_may_stand_in_a_mean() -> None:
    assert reached(CENTRED, setting(h=["opt", "f"])).reached[1].rel == "="


def test_a_random_name_may_become_anything_random() -> None:
    flat = identity(["+", ["E", ["in", "X", "X"]], ["*", -1, ["E", ["in", "X", "X"]]]])
    assert reached(flat, setting(X=NOISE)).reached[1].rel == "="
