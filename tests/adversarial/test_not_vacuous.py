"""No proof is about nothing: the hypotheses of every proved claim, and of every step, can be met together.

A point is searched in floats (least squares over the violations, letters mapped into their domains); this can
only show that hypotheses are consistent, which is all it is for. Inner products must be those of vectors.
"""

import random
from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import least_squares

from oubli.theory.kernel.encoding import outline
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import Quantity
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.claim import Instance
from oubli.theory.search.engines.combination import slack
from oubli.theory.search.engines.witness import encoded as encoded_instance
from oubli.theory.search.models import holds_at

LEDGER = ledger()
STATEMENTS = {
    f"{key}:{name}": statement
    for key, claim in LEDGER.claims.items()
    if claim.proof and claim.statement
    for name, statement in [("claim", claim.statement), *((s.name, s.statement) for s in claim.proof[:-1])]
    if statement.given
}
MODULES = ["math", {"phi1": lambda x: (np.exp(x) - 1) / x, "phi2": lambda x: (np.exp(x) - 1 - x) / x**2}]


def normal(x: float) -> float:
    from math import erfc, sqrt

    return erfc(-x / sqrt(2)) / 2


# A point of the inefficient regime: r = 1/2, eps = delta = 1/100, gamma = 1/2.
KNOWN = {
    "L": 2, "mu": 1, "r": 0.5, "epsilon": 0.01, "delta": 0.01, "gamma": 0.5, "y_ratio": 0.5, "K": 0,
    "e": 1 / 24, "M": 1 / 24, "T": 1, "T_U_whole": 1, "T_S": 1, "c_1": 0.5, "c_2": 0.5, "y_excess": 0.0,
}  # fmt: skip


def into(q: Quantity) -> Callable[[float], float]:
    """A map from the line onto a domain, its ends included."""
    low = None if q.domain.lower is None else float(q.domain.lower)
    high = None if q.domain.upper is None else float(q.domain.upper)
    if low is not None and high is not None:
        return lambda z: low + (high - low) * float(np.sin(z)) ** 2
    if low is not None:
        return lambda z: low + z * z
    if high is not None:
        return lambda z: high - z * z
    return lambda z: z


def gram_penalty(names: list[str], values: list[float]) -> list[float]:
    """Zero if the inner products are those of vectors."""
    found = {tuple(n[1:-1].split(",")): v for n, v in zip(names, values, strict=True) if n.startswith("<")}
    basis = sorted({a for pair in found for a in pair})
    if not basis:
        return []
    matrix = [[found.get((min(a, b), max(a, b)), 1e3 if a == b else 0.0) for b in basis] for a in basis]
    return [min(float(np.linalg.eigvalsh(np.array(matrix))[0]), 0.0)]


def feasible(statement: Statement, tries: int = 60) -> bool:
    """Whether some point meets all hypotheses."""
    quantities = statement.quantities
    symbols = [q.symbol for q in quantities]
    names = [s.name for s in symbols]
    relations = [f.relation for f in statement.given]
    sides = sp.lambdify(
        symbols, [(slack(r), r.lhs, r.rhs) for r in relations], modules=[{"Phi": normal}, *MODULES]
    )

    def numeric(*values: float) -> list[float]:
        return [gap / (1 + abs(a) + abs(b)) for gap, a, b in sides(*values)]

    equations = [isinstance(r, sp.Eq) for r in relations]
    free = [i for i, q in enumerate(quantities) if not q.domain.integer]
    maps = [into(q) for q in quantities]
    # Any seed will do; from this one the two largest statements are met at once.
    rng = random.Random(7)
    if set(names) <= set(KNOWN):
        found = numeric(*(KNOWN[n] for n in names))
        if all(abs(v) <= 1e-9 if eq else v >= -1e-12 for v, eq in zip(found, equations, strict=True)):
            return True

    for _ in range(tries):
        whole = {
            i: float(q.domain.lower or 0) + rng.randint(0, 5)
            for i, q in enumerate(quantities)
            if q.domain.integer
        }

        def violations(z: np.ndarray, whole: dict[int, float] = whole) -> list[float]:
            point = dict(whole) | {i: maps[i](float(z[n])) for n, i in enumerate(free)}
            values = [point[i] for i in range(len(quantities))]
            try:
                found = [v if eq else min(v, 0.0) for v, eq in zip(numeric(*values), equations, strict=True)]
            except (ValueError, OverflowError, ZeroDivisionError):
                return [1e3] * (len(relations) + (1 if any(n.startswith("<") for n in names) else 0))
            return found + gram_penalty(names, values)

        start = np.array([rng.uniform(-2, 2) for _ in free]) if free else np.zeros(1)
        residual = violations(start)
        if max(map(abs, residual)) > 1e-9 and free:
            residual = list(
                least_squares(violations, start, max_nfev=400, ftol=1e-15, xtol=1e-15, gtol=1e-15).fun
            )
        if max(map(abs, residual)) <= 1e-9:
            return True
    return False


def meets(statement: Statement, instance: Instance) -> bool:
    """Whether an exact instance of the record meets the hypotheses."""
    return holds_at(outline(statement), encoded_instance(instance)) == set()


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_hypotheses_can_be_met(name: str) -> None:
    key = name.split(":")[0]
    if name.endswith(":claim") and any(
        meets(STATEMENTS[name], instance) for instance in LEDGER.claims[key].instances
    ):
        return
    assert feasible(STATEMENTS[name]), "no point meets all hypotheses"


def test_contradictory_hypotheses_are_noticed() -> None:
    from oubli.theory.kernel.symbols import letter
    from oubli.theory.records.build import fact, ge, le, state

    x = letter("x_vacuous", meaning="a number")
    assert not feasible(state(ge(x, 0), fact("Lipschitz", ge(x, 1)), fact("Lipschitz", le(x, 0))), tries=5)
