"""Rational bounds with few digits: at 16 bits every end that is not rounded outwards shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from oubli.theory.kernel.bounds import Bounds
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError


def bounds(bits: int = 16) -> Bounds:
    """Bounds with a budget of their own."""
    WORK[:] = [BUDGET, float("inf")]
    return Bounds(bits)


def ball(x: Q) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def encloses(found: tuple[Q, Q], truth: arb) -> bool:
    """Whether rational ends enclose what a ball of 300 bits encloses."""
    return bool(ball(found[0]) <= truth) and bool(ball(found[1]) >= truth)


def wide(found: tuple[Q, Q], truth: arb, bits: int) -> bool:
    """Whether the ends are further apart than a few units in the last place."""
    return bool(ball(found[1] - found[0]) > abs(truth) * arb(2) ** (6 - bits))


SLOW = Q(65535, 65538)
SERIES: dict[str, tuple[Q, Callable[[int], Q], Q]] = {
    "halves": (Q(1), lambda k: Q(1, 2), Q(2)),
    "thirds": (Q(1), lambda k: Q(1, 3), Q(3, 2)),
    "a large first term": (Q(10**6), lambda k: Q(1, 3), Q(3 * 10**6, 2)),
    "a tiny first term": (Q(1, 2**50), lambda k: Q(1, 2), Q(1, 2**49)),
    "terms that soon vanish": (Q(1), lambda k: Q(1, 2**40), 1 / (1 - Q(1, 2**40))),
    "a digit lost in the second term": (
        Q(1), lambda k: Q(1, 1021) if k == 0 else Q(1, 2**40), 1 + Q(1, 1021) / (1 - Q(1, 2**40))),
    "a digit lost in the second of large terms": (
        Q(10**6), lambda k: Q(1, 1021) if k == 0 else Q(1, 2**40), 10**6 * (1 + Q(1, 1021) / (1 - Q(1,
            2**40)))),
    "terms that fall slowly at first": (
        Q(1), lambda k: Q(9, 10) if k < 300 else Q(1, 4), 10 * (1 - Q(9, 10) ** 300) + Q(9, 10) ** 300 * Q(4,
            3)),
    "terms that rise at first": (
        Q(1), lambda k: Q(2) if k < 10 else Q(1, 3), Q(2**10 - 1) + 2**10 * Q(3, 2)),
    "digits lost in thirty terms": (
        Q(1), lambda k: SLOW if k < 30 else Q(1, 2**40),
        (1 - SLOW**30) / (1 - SLOW) + SLOW**30 / (1 - Q(1, 2**40))),
    "nothing": (Q(0), lambda k: Q(1, 2), Q(0)),
}  # fmt: skip


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("bits", [16, 64])
def test_a_series_is_enclosed(name: str, bits: int) -> None:
    term, ratio, truth = SERIES[name]
    low, high = bounds(bits).series(term, ratio)
    assert low <= truth <= high
    assert high - low <= truth * Q(1, 2 ** (bits - 4)) + Q(1, 4**bits)


NO_SERIES: dict[str, tuple[Q, Callable[[int], Q]]] = {
    "a negative term": (Q(-1), lambda k: Q(1, 3)),
    "a negative ratio": (Q(1), lambda k: Q(-1) if k == 0 else Q(1, 3)),
    "a ratio that stays above a half": (Q(1), lambda k: Q(3, 4)),
    "a ratio of 1": (Q(1), lambda k: Q(1)),
}


@pytest.mark.parametrize("name", NO_SERIES)
def test_a_series_that_does_not_settle(name: str) -> None:
    with pytest.raises(RejectedError, match="does not settle"):
        bounds().series(*NO_SERIES[name])


FUNCTIONS: dict[str, tuple[Callable[[arb], arb], Q, Q]] = {
    "exp": (lambda x: x.exp(), Q(-12), Q(12)),
    "log": (lambda x: x.log(), Q(1, 1000), Q(3000)),
    "atan": (lambda x: x.atan(), Q(-30), Q(30)),
    "asin": (lambda x: x.asin(), Q(-1), Q(1)),
    "Phi": (lambda x: (1 + (x / arb(2).sqrt()).erf()) / 2, Q(-5), Q(5)),
    "phi1": (lambda x: x.expm1() / x, Q(1, 100), Q(9)),
    "phi2": (lambda x: (x.expm1() - x) / x**2, Q(1, 100), Q(9)),
}
ENDS = {
    "exp": [0, 1, -1],
    "log": [1, 2, "1/2", 4, "1/4"],
    "atan": [0, 1, -1, 2],
    "asin": [0, 1, -1],
    "Phi": [0],
    "phi1": [0],
    "phi2": [0],
}
AT_ENDS: dict[tuple[str, Any], Callable[[], arb]] = {
    ("Phi", 0): lambda: arb(1) / 2, ("phi1", 0): lambda: arb(1), ("phi2", 0): lambda: arb(1) / 2, ("exp",
        0): lambda: arb(1),
    ("log", 1): lambda: arb(0), ("atan", 0): lambda: arb(0), ("asin", 0): lambda: arb(0),
}  # fmt: skip


@pytest.mark.parametrize("head", FUNCTIONS)
def test_a_function_is_enclosed_with_few_digits(head: str) -> None:
    function, low, high = FUNCTIONS[head]
    rng = random.Random(head)
    points = [low + (high - low) * Q(rng.randrange(10**6 + 1), 10**6) for _ in range(150)]
    with ctx.workprec(300):
        for x in [p for p in points if p] + [Q(e) for e in ENDS[head]]:
            known = AT_ENDS.get((head, x))
            truth = known() if known else function(ball(x))
            found = bounds().at(head, x)
            assert encloses(found, truth), x
            # Beside a zero of the function the width is measured against 1.
            assert not wide(found, abs(truth) + 1, 16), x


@pytest.mark.parametrize("x", [0, -1])
def test_a_logarithm_of_what_is_not_positive(x: int) -> None:
    with pytest.raises(RejectedError, match="logarithm"):
        bounds().at("log", Q(x))


@pytest.mark.parametrize("head", ["phi1", "phi2"])
def test_the_series_of_phi_are_those_of_positive_numbers(head: str) -> None:
    with pytest.raises(RejectedError, match="does not settle"):
        bounds().at(head, Q(-1))


def grid(*ends: str) -> list[tuple[Q, Q]]:
    return [(Q(a), Q(b)) for i, a in enumerate(ends) for b in ends[i:]]


POWERS = [Q(2), Q(3), Q(-1), Q(-2), Q(1, 2), Q(-1, 2), Q(3, 2), Q(1), Q(0)]


@pytest.mark.parametrize("k", POWERS)
def test_a_power_of_an_interval_is_enclosed(k: Q) -> None:
    ends = ("-7/3", "-1/3", "0", "1/7", "4/3", "9")
    for low, high in grid(*ends):
        even_root = k.denominator == 2
        if (even_root and low < 0) or (k < 0 and low <= 0 <= high):
            with pytest.raises(RejectedError, match=r"root of a negative|around 0"):
                bounds().power(low, high, k)
            continue
        found = bounds().power(low, high, k)
        inside = [low, high, (low + high) / 2, *([Q(0)] if low <= 0 <= high else [])]
        with ctx.workprec(300):
            values = [ball(x) ** ball(k) if even_root else ball(x ** int(k)) for x in inside]
            assert all(encloses(found, value) for value in values), (low, high)
            least, most = min(float(v.mid()) for v in values), max(float(v.mid()) for v in values)
        room = max(abs(Q(least)), abs(Q(most))) / 1000 + Q(1, 10**6)
        assert Q(least) - room <= found[0]
        assert found[1] <= Q(most) + room


def test_the_upper_end_of_a_root_is_rounded_up() -> None:
    above = Q(2**80 + 1, 2**80)
    low, high = bounds().power(above, above, Q(1, 2))
    assert low**2 <= above <= high**2
    # Just below a square, and so small that its digits are few.
    for x in (Q(2**80 - 1, 2**80), Q(1, 2**61)):
        low, high = bounds().power(x, x, Q(1, 2))
        assert low**2 <= x <= high**2
    low, high = bounds().power(Q(1, 4), Q(1, 4), Q(1, 2))
    assert low <= Q(1, 2) <= high


TREES: dict[str, tuple[Any, dict[str, tuple[Q, Q]], Q, Q]] = {
    "a sum": (["+", "x", "y"], {"x": (Q(1), Q(2)), "y": (Q(-3), Q(5))}, Q(-2), Q(7)),
    "a difference": (["+", "x", ["*", -1, "x"]], {"x": (Q(1), Q(2))}, Q(-1), Q(1)),
    "a product of signs": (["*", "x", "y"], {"x": (Q(-2), Q(3)), "y": (Q(-5), Q(7))}, Q(-15), Q(21)),
    "another": (["*", "x", "y"], {"x": (Q(-2), Q(3)), "y": (Q(-9), Q(1))}, Q(-27), Q(18)),
    "a third": (["*", "x", "y"], {"x": (Q(-5), Q(1)), "y": (Q(-1), Q(7))}, Q(-35), Q(7)),
    "a product of three": (["*", 2, "x", "x"], {"x": (Q(-1), Q(1))}, Q(-2), Q(2)),
    "a sum of one": (["+", "x"], {"x": (Q(1), Q(2))}, Q(1), Q(2)),
    "a square": (["^", "x", 2], {"x": (Q(-1), Q(2))}, Q(0), Q(4)),
}


@pytest.mark.parametrize("name", TREES)
def test_an_expression_over_a_box(name: str) -> None:
    node, box, low, high = TREES[name]
    found = bounds(32).of(node, box)
    assert found[0] <= low <= high <= found[1]
    assert low - found[0] <= Q(1, 10**6)
    assert found[1] - high <= Q(1, 10**6)


def test_pi_and_functions_of_an_interval() -> None:
    with ctx.workprec(300):
        assert encloses(bounds().of(["pi"], {}), arb.pi())
        low, high = bounds().of(["exp", "x"], {"x": (Q(-1), Q(2))})
        assert bool(ball(low) <= arb(-1).exp())
        assert bool(ball(high) >= arb(2).exp())
        assert bool(ball(low) >= arb(-1).exp() * 0.999)
    with pytest.raises(RejectedError, match="unknown function"):
        bounds().of(["sinh", 1], {})


def test_outward_is_outward() -> None:
    rng = random.Random(5)
    for _ in range(300):
        low = Q(rng.randrange(-(10**9), 10**9), rng.randrange(1, 10**6))
        high = low + Q(rng.randrange(0, 10**9), rng.randrange(1, 10**6))
        found = bounds().outward(low, high)
        assert found[0] <= low <= high <= found[1]
        size = max(abs(low), abs(high))
        assert max(low - found[0], found[1] - high) <= size * Q(1, 2**14)
        assert max(map(abs, found)).denominator <= 2**40
