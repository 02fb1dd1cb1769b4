"""No proof is about nothing: the hypotheses of every proved claim, and of every step, can be met together.

A point is searched in floats (least squares over the violations, letters mapped into their domains); this can
only show that hypotheses are consistent, which is all it is for. Inner products must be those of vectors.
"""

import random
from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.special import ndtr

from oubli.theory.kernel.encoding import outline
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import Quantity
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.claim import Instance
from oubli.theory.search.engines.combination import slack
from oubli.theory.search.engines.witness import encoded as encoded_instance
from oubli.theory.search.models import holds_at

Array = NDArray[np.float64]
LEDGER = ledger()
STATEMENTS = {
    f"{key}:{name}": statement
    for key, claim in LEDGER.claims.items()
    if claim.proof and claim.statement
    for name, statement in [("claim", claim.statement), *((s.name, s.statement) for s in claim.proof[:-1])]
    if statement.given
}
FUNCTIONS = {"Phi": ndtr, "phi1": lambda x: (np.exp(x) - 1) / x, "phi2": lambda x: (np.exp(x) - 1 - x) / x**2}
# What counts as far off where a hypothesis has no value.
FAR = 1e3
CLOSE = 1e-9


# A point of the inefficient regime: r = 1/2, eps = delta = 1/100, gamma = 1/2.
KNOWN = {
    "L": 2, "mu": 1, "r": 0.5, "epsilon": 0.01, "delta": 0.01, "gamma": 0.5, "y_ratio": 0.5, "K": 0,
    "e": 1 / 24, "M": 1 / 24, "T": 1, "T_U_whole": 1, "T_S": 1, "c_1": 0.5, "c_2": 0.5, "y_excess": 0.0,
}  # fmt: skip


def into(q: Quantity) -> Callable[[Array], Array]:
    """A map from the line onto a domain, its ends included."""
    low = None if q.domain.lower is None else float(q.domain.lower)
    high = None if q.domain.upper is None else float(q.domain.upper)
    if low is not None and high is not None:
        return lambda z: low + (high - low) * np.sin(z) ** 2
    if low is not None:
        return lambda z: low + z * z
    if high is not None:
        return lambda z: high - z * z
    return lambda z: z


def gram_penalty(names: list[str], points: Array) -> Array:
    """Zero where the inner products are those of vectors; one row, or none if there are none."""
    at = {tuple(n[1:-1].split(",")): i for i, n in enumerate(names) if n.startswith("<")}
    basis = sorted({a for pair in at for a in pair})
    if not basis:
        return np.empty((0, points.shape[1]))
    matrix = np.zeros((points.shape[1], len(basis), len(basis)))
    for i, a in enumerate(basis):
        for j, b in enumerate(basis):
            known = at.get((min(a, b), max(a, b)))
            matrix[:, i, j] = points[known] if known is not None else FAR * (a == b)
    return np.minimum(np.linalg.eigvalsh(np.nan_to_num(matrix, nan=FAR))[:, :1].T, 0.0)


def violation(statement: Statement) -> Callable[[Array], Array]:
    """By how much each hypothesis fails (a row) at some points (columns), relative to its sides."""
    names = [q.symbol.name for q in statement.quantities]
    relations = [f.relation for f in statement.given]
    terms = [(slack(r), r.lhs, r.rhs) for r in relations]
    sides = sp.lambdify([q.symbol for q in statement.quantities], terms, modules=[FUNCTIONS, "numpy"])
    equations = np.array([[isinstance(r, sp.Eq)] for r in relations])

    def of(points: Array) -> Array:
        with np.errstate(all="ignore"):
            rows = [gap / (1 + np.abs(a) + np.abs(b)) + 0 * points[0] for gap, a, b in sides(*points)]
        found = np.where(equations, rows, np.minimum(rows, 0.0))
        return np.vstack([np.nan_to_num(found, nan=FAR), gram_penalty(names, points)])

    return of


def feasible(statement: Statement, tries: int = 60) -> bool:
    """Whether some point meets all hypotheses."""
    quantities, violated = statement.quantities, violation(statement)
    names = [q.symbol.name for q in quantities]
    if set(names) <= set(KNOWN):
        known = np.array([[float(KNOWN[n])] for n in names])
        if np.abs(violated(known)).max() <= CLOSE:
            return True
    free = [i for i, q in enumerate(quantities) if not q.domain.integer]
    maps = [into(quantities[i]) for i in free]
    # Any seed will do; from this one the two largest statements are met at once.
    rng = random.Random(7)
    for _ in range(tries):
        whole = np.array(
            [
                [float(q.domain.lower or 0) + rng.randint(0, 5) if q.domain.integer else 0.0]
                for q in quantities
            ]
        )

        def at(z: Array, whole: Array = whole) -> Array:
            """The violations at some choices of the other letters, one column for each."""
            points = np.repeat(whole, z.shape[1], axis=1)
            points[free] = [to(row) for to, row in zip(maps, z, strict=True)]
            return violated(points)

        start = np.array([rng.uniform(-2, 2) for _ in free])
        if np.abs(nearest(at, start)).max() <= CLOSE:
            return True
    return False


def nearest(at: Callable[[Array], Array], start: Array) -> Array:
    """The violations where least squares ends."""
    if not len(start) or np.abs(at(start[:, None])).max() <= CLOSE:
        return at(start[:, None])

    def slopes(z: Array) -> Array:
        """Differences in all directions at once."""
        h = 2.0**-26 * np.where(z >= 0, 1, -1) * np.maximum(1, np.abs(z))
        return (at(z[:, None] + np.diag(h)) - at(z[:, None])) / h

    run = least_squares(
        lambda z: at(z[:, None])[:, 0], start, slopes, max_nfev=400, ftol=1e-15, xtol=1e-15, gtol=1e-15
    )
    return np.asarray(run.fun)


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
    from oubli.theory.records.build import ge, given, le, state

    x = letter("x_vacuous", meaning="a number")
    assert not feasible(state(ge(x, 0), given(ge(x, 1)), given(le(x, 0))), tries=5)
