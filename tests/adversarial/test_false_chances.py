"""False statements by a third hostile reader: chance, existence and slopes where they do not belong.

Those under "accepted once" were theorems until the condition that now rejects them was found to be missing.
"""

from __future__ import annotations

from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.test_false_consequences import R2, ZERO, apart, schema, sealed, square
from tests.adversarial.test_false_explicit import OWN_LETTERS
from tests.adversarial.written import combine, leaf, less

LETTERS = {**OWN_LETTERS, "W": ["learner"], "z": ["point"]}
HALF_L = ["*", "1/2", "L"]
BACK = ["v*", -1, "x"]
TOSS = ["response", "1/2", 1, "x", BACK]


def kink(z: Any) -> Any:
    """mu/2 |y|^2 + L/2 |y + z|: its minimiser is -z."""
    return ["l+", ["quad"], ["l*", HALF_L, ["cone", ["v*", -1, z]]]]


def gap(z: Any) -> Any:
    """What the release of z risks on the kink at -z: L |z|."""
    return less(["val", kink(z), z], ["val", kink(z), ["opt", kink(z)]])


def held(z: Any, first: int) -> list[Any]:
    """Lines from the one of that number on: the minimiser o of the kink at y = -z is y."""
    y, o = ["v*", -1, z], ["opt", kink(z)]
    lines = [schema("kinked", y, ZERO, HALF_L, h, met=[0, 6, 5, 8, 4]) for h in (apart(o, y), y, o)]
    return [*lines, leaf(equal=["root", square(apart(o, y)), 0], met=[first])]


# A fair toss between x and -x, on the kink at the point that was not released.
TURNED_AGAINST = [
    combine(says=[">=", 0]), combine(["1/2"], says=[">=", "1/2"]), combine([1]), leaf(assume=[">", "L"]),
    leaf(assume=[">", "mu"]), leaf(assume=[">=", less(R2, square("x"))]),
    combine(["1/2", 3], says=[">=", HALF_L]), combine([1, 4, 4], says=[">", ["^", "mu", 2]]),
    combine([1, 7, 5], says=[">=", less(["^", HALF_L, 2], ["*", ["^", "mu", 2], square("x")])],
            using=[[">", "mu"]]),
    schema("worst", ["rule", TOSS], "r", 0, ["problem", kink(TOSS), "f"], met=[0, 1, 5, 6]),
    schema("mean response", "1/2", 1, "x", BACK, "z", gap("z"), met=[2, 1]), *held("x", 11), *held(BACK, 15),
    combine([1, 9], [1, 10], *[[["*", "-1/4", "mu"], i] for i in (12, 13, 16, 17)],
            *[[["*", "-1/4", "L"], i] for i in (14, 18)],
            says=[">=", less(["worst", ["rule", TOSS], 0], ["*", HALF_L, ["^", ["*", 4, square("x")],
                                                                           "1/2"]])]),
]  # fmt: skip

# What is false, what is given, lines, why they are rejected.
ACCEPTED_ONCE: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "the worst risk of a fair toss between x and -x is L |x|: its problem knows how the toss falls": (
        TURNED_AGAINST[-1]["says"],
        [[">", "L"], [">", "mu"], [">=", "r"], [">=", less(1, "r")], [">=", less(R2, square("x"))]],
        TURNED_AGAINST, "a random problem"),
    "the least worst risk is finite where no rule unlearns: a name stands for one": (
        [">=", less(["worst", "U", "T"], ["least", "unlearner", "r", "epsilon", "delta", "T"])],
        [[">=", "T"]], [schema("least", "unlearner", "U", "r", "T", "epsilon", "delta")], "assumes more"),
    "a time is at most T where no rule unlearns": (
        [">=", less("T", ["time", "unlearner", "r", "epsilon", "delta", "s"])],
        [[">=", "T"], [">=", less("s", ["worst", "U", "T"])]],
        [schema("time", "unlearner", "U", "r", "T", "s", "epsilon", "delta")], "assumes more"),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED_ONCE)
def test_a_false_statement_is_rejected(name: str) -> None:
    says, given, lines, why = ACCEPTED_ONCE[name]
    with pytest.raises(RejectedError, match=why):
        accept_certificate(sealed("proof", says, given, LETTERS, lines), {}, {})


def at_time(t: int) -> Any:
    """Values at which a measured letter is meant."""
    return {**NOTHING, "letters": {"N": [False, True]}, "at": {"N": {"k_": t}}}


def test_a_measured_letter_at_one_index_is_not_that_at_another() -> None:
    """N >= 1 at k_ = 0, so at k_ = 7: the sum of N is no multiple of N, which may change with the index."""
    said = {"letters": {"N": [False, True]}, "given": [], "says": [">=", less("N", 1)]}
    takes = {**at_time(7), "letters": {"N": [False, True], "k_": [True, False]}}
    first, last = (less(["@", "N", {"k_": t}], "N") for t in (0, 7))
    lines = [
        combine(says=[">=", 0]),
        combine([7], says=[">=", 7]),
        *(schema("sum step", of, t, met=[i]) for i, t in enumerate((-1, 6)) for of in ("N", 1)),
        combine([-1, 2], ["N", 3], says=["=", first]),
        combine([-1, 4], ["N", 5], says=["=", last]),
        {"by": "instance", "of": "before", "with": {}},
        combine([1, 8], [-1, 6], [1, 7], says=[">=", less(["@", "N", {"k_": 7}], 1)]),
    ]
    made = sealed("proof", said["says"], [], said["letters"], lines, own=takes["letters"])
    made |= {"takes": takes, "hash": digest({"statement": said, "takes": takes})}
    made["lemmas"] = {"before": digest(said)}
    with pytest.raises(RejectedError, match="total of a measured letter"):
        accept_certificate(made, {"before": said}, {"before": at_time(0)})
