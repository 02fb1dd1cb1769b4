"""Losses with affine pieces: what the kernel takes for a member is one, and what is none it does not take."""

from fractions import Fraction as Q
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.members import member
from oubli.theory.kernel.poly import BUDGET, EMPTY, WORK, RejectedError
from oubli.theory.kernel.schemas import instance
from oubli.theory.paper.sharper.wide import EIGHT, TWO

Pieces = list[tuple[Q, Q, Q, Q]]


def numbers(mu: int = 1, L: int = 1) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    letters = {"L": ["is", L], "mu": ["is", mu], "x": ["point"], "h": ["point"], "d": [True, False]}
    return Proof({**NOTHING, "letters": letters})


def slope(a: Q, b: Q) -> Any:
    return ["v+", ["v*", str(a), ["e", 1]], ["v*", str(b), ["e", 2]]]


def top(pieces: Pieces) -> Any:
    return ["max", *(x for a, b, c, k in pieces for x in (slope(a, b), str(c), str(k)))]


def accepted(pieces: Pieces, *more: Any, mu: int = 1) -> bool:
    """Whether all that has to hold for mu/2 |x|^2 + max(…) + … to be a member holds, at L = 1."""
    proof = numbers(mu)
    conditions = member(proof, ["l+", ["quad"], top(pieces), *more])
    return all(proof.read(node).get(EMPTY, Q(0)) >= 0 for _, node in conditions)


def steepest(pieces: Pieces) -> float:
    """The largest |x + slope| on the ball of radius 1/2, by many points of the circle and of the ball."""
    angles = np.linspace(0, 2 * np.pi, 4001)
    x = np.concatenate(
        [s * np.stack([np.cos(angles), np.sin(angles)], axis=1) for s in (0.5, 0.49, 0.4, 0.2)]
    )
    table = np.array([[float(v) for v in piece[:3]] for piece in pieces])
    values = x @ table[:, :2].T + table[:, 2]
    return float(np.linalg.norm(x + table[values.argmax(axis=1), :2], axis=1).max())


def exact(pieces: Any) -> Pieces:
    return [tuple(Q(x) for x in piece) for piece in pieces]


@pytest.mark.parametrize("pieces", [TWO, EIGHT])
def test_the_losses_of_the_ledger_are_members(pieces: Any) -> None:
    assert accepted(exact(pieces))
    assert 0.9 < steepest(exact(pieces)) <= 1 + 1e-12


STEEPER = {
    "a last slope that is longer": lambda a, b, c, k: (a, b * Q(103, 100), c, k),
    "one that is active on a larger cap": lambda a, b, c, k: (a, b, c + Q(1, 50), k),
    "one that is active everywhere": lambda a, b, c, k: (a, b, c + 1, k),
    "no multiplier": lambda a, b, c, k: (a, b, c, Q(0)),
    "a negative multiplier": lambda a, b, c, k: (a, b, c, -k),
}


@pytest.mark.parametrize("name", STEEPER)
def test_a_neighbour_that_is_not_shown_to_be_one(name: str) -> None:
    first, last = exact(TWO)
    assert not accepted([first, STEEPER[name](*last)])


def test_the_first_piece_and_the_rest_of_the_loss_count_everywhere() -> None:
    first, last = exact(TWO)
    assert not accepted([(first[0], first[1] + Q(1, 100), *first[2:]), last])
    assert accepted([first, last], ["l*", 0, ["cone", ["zero"]]])
    assert not accepted([first, last], ["l*", "1/20", ["cone", ["zero"]]])
    assert not accepted([first, last], ["lin", slope(Q(-1, 20), Q(1, 20))])


def test_whatever_is_accepted_is_a_member() -> None:
    rng, found = np.random.default_rng(5), 0
    for _ in range(1500):
        n = int(rng.integers(2, 4))
        slopes = np.array([0.45, 0.0]) + 0.12 * np.cumsum(rng.normal(size=(n, 2)), axis=0)
        offsets = -np.cumsum(rng.uniform(0, 0.12, n))
        pieces = [
            (Q(round(a, 3)), Q(round(b, 3)), Q(round(c, 3)), Q(round(k, 2)))
            for (a, b), c, k in zip(
                slopes.tolist(), offsets.tolist(), rng.uniform(0, 6, n).tolist(), strict=True
            )
        ]
        if accepted(pieces):
            found += max(float(a) ** 2 + float(b) ** 2 for a, b, *_ in pieces) > 0.25
            assert steepest(pieces) <= 1 + 1e-9
    assert found > 20  # some of them are wider than losses whose slopes are all at most L/2


def test_where_mu_is_negative_a_multiplier_is_too() -> None:
    """The cap would lie on the other side: the condition is on mu times the multiplier."""
    conditions = member(numbers(-1), ["l+", ["quad"], top(exact(TWO))])
    assert any(numbers(-1).read(node).get(EMPTY, Q(0)) < 0 for _, node in conditions)


OTHER = {
    "a multiple of a maximum": ["l+", ["quad"], ["l*", 2, top(exact(TWO))]],
    "two of them": ["l+", ["quad"], top(exact(TWO)), top(exact(TWO))],
    "none of the quadratic": ["l+", top(exact(TWO))],
    "a maximum of nothing": ["l+", ["quad"], ["max"]],
    "a piece without a multiplier": ["l+", ["quad"], ["max", "x", 0]],
}


@pytest.mark.parametrize("name", OTHER)
def test_other_forms_are_not_members(name: str) -> None:
    with pytest.raises((RejectedError, ValueError)):
        member(numbers(), OTHER[name])


def test_multipliers_change_no_loss() -> None:
    one, other = (numbers().read(["val", ["max", "x", 0, 0, "h", 1, k], "x"]) for k in (2, 5))
    assert one == other
    assert one != numbers().read(["val", ["max", "x", 0, 0, "h", 2, 2], "x"])


@pytest.mark.parametrize("i", [-1, 2, "0"])
def test_a_piece_that_is_not_there(i: Any) -> None:
    with pytest.raises(RejectedError, match="no such function"):
        instance(numbers(), "largest", ["max", "x", 0, 0, "h", 1, 2], i, "x")


def test_the_ledger_has_pieces_in_order() -> None:
    for first, last in pairwise(exact(EIGHT)):
        assert first[0] ** 2 + first[1] ** 2 < last[0] ** 2 + last[1] ** 2
