"""A violating instance made small: each number in turn becomes the simplest one that still violates."""

from fractions import Fraction

import numpy as np

from oubli.checks.measure.relation import NotMeasuredError, judged
from oubli.checks.measure.source import Instance, Source
from oubli.theory.kernel.statement import Statement

SIMPLE = (0.0, 1.0, 2.0, 0.5, -1.0, 0.25, 3.0, 0.1, 10.0)
ROUNDS = 3


def shrunk(instance: Instance, source: Source, statement: Statement) -> dict[str, float]:
    """The smallest instance that a greedy search finds, still violating the statement.

    >>> import sympy as sp
    >>> from oubli.checks.measure.relation import Letters
    >>> from oubli.checks.measure.source import linear
    >>> from oubli.theory.paper.letters import r
    >>> line = Source("doc", {"r": linear(0, 1)}, lambda b: Letters({"r": b["r"]}))
    >>> shrunk({"r": 0.7312}, line, Statement((), sp.Le(r, sp.Rational(3, 10))))
    {'r': 1.0}
    """
    best = {name: float(instance[name]) for name in source.space}
    for _ in range(ROUNDS):
        before = dict(best)
        for name in best:
            for value in candidates(best[name]):
                tried = {**best, name: value}
                if allowed(source, name, value) and violates(tried, source, statement):
                    best = tried
                    break
        if best == before:
            break
    return best


def candidates(value: float) -> list[float]:
    """Simpler numbers, simplest first: small ones, then short fractions near the value."""
    near = [float(Fraction(value).limit_denominator(n)) for n in (1, 2, 4, 10, 100, 1000)]
    options = [*SIMPLE, *near]
    here = _length(value)
    return [x for x in dict.fromkeys(options) if x != value and _length(x) < here]


def _length(value: float) -> tuple[int, float]:
    short = Fraction(value).limit_denominator(10**6)
    exact = float(short) == value
    return (SIMPLE.index(value) if value in SIMPLE else 99 + len(str(short)) + 99 * (not exact), abs(value))


def allowed(source: Source, name: str, value: float) -> bool:
    """Whether a value lies in the range of its axis."""
    axis = source.space[name]
    if value in axis.corners:
        return True
    place = axis.locate(np.array([value]))
    with np.errstate(all="ignore"):
        return bool(0 <= place[0] <= 1 and np.isclose(axis.place(place)[0], value, rtol=1e-9, atol=0))


def violates(instance: Instance, source: Source, statement: Statement) -> bool:
    """Whether the conclusion, or a measured hypothesis, fails at one instance."""
    try:
        letters = source.letters(instance)
        if not letters.kept().all():
            return False
        found = judged(statement, letters)
    except (NotMeasuredError, ValueError, ArithmeticError):
        return False
    return bool(found.says.fails[0]) or bool(found.unmet)
