"""Random exact points against proved claims: a fault of the checker would show here.

Only claims whose hypotheses are inequalities are tried, since a random point never meets an equation,
and only those over plain numbers that are proved in one step and depend on no other claim: random numbers are
no inner products, and a lemma or a join speaks of letters by their meaning, which a random number has not.
Floats propose, the checker decides: what it accepts as a witness against a proof is a DisagreementError.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import sympy as sp

from oubli.theory.judging.judge import NOTHING_PROVED, InstanceError, at_instance
from oubli.theory.judging.ledger import Entry
from oubli.theory.records.claim import Claim, Instance
from oubli.theory.records.verdict import DisagreementError, Status
from oubli.theory.search.elaborate.instances import HoldsError
from oubli.theory.search.engines.combination import slack
from oubli.theory.search.engines.identity import random_point

Point = dict[sp.Symbol, sp.Rational]


def breaking_point(claim: Claim, points: int, rng: random.Random) -> Point | None:
    """A random point inside the hypotheses at which the conclusion fails, accepted by the checker."""
    statement = claim.statement
    assert statement is not None
    symbols = [q.symbol for q in statement.quantities]
    relations = [slack(f.relation) for f in statement.given] + [slack(statement.says)]
    quick = sp.lambdify(symbols, relations, modules=["math", {"Phi": _phi, "phi1": _phi1, "phi2": _phi2}])
    for _ in range(points):
        point = random_point(statement.quantities, rng)
        try:
            *given, says = quick(*(float(point[s]) for s in symbols))
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        if all(g >= 0 for g in given) and says < 0 and accepted(claim, point):
            return point
    return None


def accepted(claim: Claim, point: Point) -> bool:
    """Whether the checker takes a point for a witness against a claim that depends on no other."""
    try:
        at_instance(claim, Instance("a random point", point), "witness", {}, NOTHING_PROVED)
    except (HoldsError, InstanceError):
        return False
    return True


def probe(entries: Iterable[Entry], points: int, seed: int) -> int:
    """Try the proved claims at random points; the number tried. Raises DisagreementError."""
    rng, tried = random.Random(seed), 0
    for entry in entries:
        statement = entry.claim.statement
        if entry.verdict.status is not Status.PROVED or statement is None:
            continue
        if entry.uses or len(entry.claim.proof) > 1:
            continue
        relations = [statement.says, *(f.relation for f in statement.given)]
        vectors = any(q.symbol.name.startswith("<") for q in statement.quantities)
        if vectors or any(isinstance(relation, sp.Eq) for relation in relations):
            continue
        tried += 1
        point = breaking_point(entry.claim, points, rng)
        if point is not None:
            raise DisagreementError(f"{entry.claim.key} is proved, but fails at {point}")
    return tried


def _phi(x: float) -> float:
    from math import erfc, sqrt

    return erfc(-x / sqrt(2)) / 2


def _phi1(x: float) -> float:
    from math import expm1

    return expm1(x) / x if x else 1.0


def _phi2(x: float) -> float:
    from math import expm1

    return (expm1(x) - x) / x**2 if abs(x) > 1e-4 else 0.5 + x / 6
