"""Balls: the only importer of flint in theory. Enclosures of expressions, and decided signs.

A comparison of balls is true only when certain, so "unknown" is its own answer here: `sign` gives
1, -1, or 0 for unknown, raising the precision up to a cap before it gives up.

>>> sign(["+", ["pi"], -3])
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq

Box = Mapping[str, tuple[Fraction, Fraction]]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at this many bits inside the block."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def exact(value: Fraction | str | int) -> arb:
    """The ball of an exact number at the working precision."""
    q = _read(value) if isinstance(value, str) else value
    return arb(fmpq(q.numerator, q.denominator))


@lru_cache(maxsize=10_000)
def _read(text: str) -> Fraction:
    """The number that a text writes; the same few stand in formulas again and again."""
    return Fraction(text)


def hull(lower: Fraction, upper: Fraction) -> arb:
    """A ball that holds an interval."""
    return exact(lower) if lower == upper else exact(lower).union(exact(upper))


def enclose(node: Any, box: Box) -> arb:
    """A ball that contains the expression at every point of the box (nan if it may be undefined)."""
    if isinstance(node, int):
        return arb(node)
    if isinstance(node, str):
        return hull(*box[node]) if node in box else exact(node)
    head, args = node[0], node[1:]
    if head == "pi":
        return arb.pi()
    if head == "^":
        return _power(enclose(args[0], box), Fraction(args[1]))
    parts = [enclose(a, box) for a in args]
    if head == "+":
        return sum(parts[1:], parts[0])
    if head == "*":
        out = parts[0]
        for p in parts[1:]:
            out = out * p
        return out
    return _FUNCTIONS[head](parts[0])


def _power(base: arb, exponent: Fraction) -> arb:
    # By multiplication: the library's own power of a ball around zero is nan. Roots by sqrt.
    if exponent.denominator == 2:
        base, exponent = base.sqrt(), exponent * 2
    out = arb(1)
    for _ in range(abs(int(exponent))):
        out = out * base
    return out if exponent >= 0 else 1 / out


def _increasing(f: Callable[[arb], arb]) -> Callable[[arb], arb]:
    # All functions of the grammar increase: their values at the ends enclose best.
    return lambda x: f(x.lower()).union(f(x.upper()))


_FUNCTIONS = {
    "exp": _increasing(lambda x: x.exp()),
    "log": _increasing(lambda x: x.log()),
    "atan": _increasing(lambda x: x.atan()),
    "asin": _increasing(lambda x: x.asin()),
    "Phi": _increasing(lambda x: (-x / arb(2).sqrt()).erfc() / 2),
    "phi1": _increasing(lambda x: x.hypgeom_1f1(1, 2)),
    "phi2": _increasing(lambda x: x.hypgeom_1f1(1, 3) / 2),
}


def sign(node: Any, box: Box | None = None, cap: int = 1024) -> int:
    """1 or -1 if the expression has that sign on the whole box, 0 if no precision up to the cap tells."""
    bits = 64
    while bits <= cap:
        with precision(bits):
            value = enclose(node, box or {})
            if value.is_finite():
                if value > 0:
                    return 1
                if value < 0:
                    return -1
        bits *= 4
    return 0
