"""Identity: the two sides are the same expression.

The search looks at random exact points first: a point where the sides differ is a witness against
the equation, and no simplification is tried. What survives is left to the checker's normal form.
"""

from __future__ import annotations

import random
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import Quantity
from oubli.theory.records.proof import Identity
from oubli.theory.records.verdict import NotDecidedError, Reason

POINTS = 5


def random_point(quantities: tuple[Quantity, ...], rng: random.Random) -> dict[sp.Symbol, sp.Rational]:
    """Exact values inside the domains (hypotheses are not looked at)."""
    return {q.symbol: _inside(q, rng) for q in quantities}


def _inside(q: Quantity, rng: random.Random) -> sp.Rational:
    lower = -3 if q.domain.lower is None else sp.Rational(q.domain.lower)
    upper = lower + 7 if q.domain.upper is None else sp.Rational(q.domain.upper)
    if q.domain.integer:
        return sp.Integer(rng.randint(int(lower) + 1, int(upper)))
    return lower + (upper - lower) * sp.Rational(rng.randint(1, 98), 99)


def differs(statement: Statement) -> dict[sp.Symbol, sp.Rational] | None:
    """A random exact point where the two sides differ, or None."""
    rng, gap = random.Random(0), statement.says.lhs - statement.says.rhs
    for _ in range(POINTS):
        point = random_point(statement.quantities, rng)
        value = gap.subs(point)
        if value.is_comparable and abs(sp.N(value, 30)) > sp.Rational(1, 10**15):
            return point
    return None


def certify(statement: Statement, _rule: Identity) -> dict[str, Any]:
    """A certificate candidate for an identity."""
    if statement.given == () and (point := differs(statement)) is not None:
        raise NotDecidedError(Reason.UNSUPPORTED, f"the two sides differ at {point}")
    return {"rule": "identity"}
