"""Whether the losses of a user's data lie in the class F_sc(mu, L), on which the bounds are proved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oubli.checks.audit.own_data import OwnProblem, Rows
from oubli.checks.audit.own_loss import OwnLoss
from oubli.sim.losses.membership import Membership, membership

# Rows on which the membership of a user's own loss is sampled.
SAMPLED = 200


@dataclass(frozen=True)
class ClassTest:
    """Whether all losses lie in the class: certified so, certified not, or not known (None)."""

    inside: bool | None
    says: str


def class_test(problem: OwnProblem) -> ClassTest:
    """The membership of every row's loss, by formulas; sampled for a loss of the user's own."""
    sides = {id(law): law for law in (problem.retain, problem.forget, problem.alternative)}
    laws = [law for law in sides.values() if isinstance(law, Rows)]
    loss, L, mu = laws[0].data[0], problem.L, problem.mu
    if isinstance(loss, OwnLoss):
        return _sampled(laws, L, mu)
    constants = np.concatenate([loss.constants(*law.data[1:], L / (2 * mu)) for law in laws])
    bad = int(np.count_nonzero(constants > L * (1 + 1e-10)))
    if bad == 0:
        return ClassTest(True, "every row's loss is mu-strongly convex and L-Lipschitz there, by its formula")
    worst = f"Lipschitz constants up to {constants.max():.3g} on the ball where L = {L:.3g} is asked"
    return ClassTest(False, f"{bad} of {len(constants)} rows are outside, {worst}; {loss.needs}")


def _sampled(laws: list[Rows], L: float, mu: float) -> ClassTest:
    rows = [row for law in laws for row in law.losses]
    chosen = [rows[i] for i in np.unique(np.linspace(0, len(rows) - 1, SAMPLED).astype(int))]
    found = [membership(row, L, mu, samples=32) for row in chosen]
    bad = [each for each in found if each.outside]
    if not bad:
        return ClassTest(None, f"none of {len(chosen)} rows was seen outside, and samples prove no more")
    worst = max(bad, key=lambda each: _miss(each))
    lipschitz, convex = L + worst.lipschitz_excess.low, mu - worst.convexity_deficit.low
    says = (
        f"{len(bad)} of {len(chosen)} rows are outside: one has Lipschitz constant {lipschitz:.3g} where "
        f"L = {L:.3g} is asked, and strong convexity {convex:.3g} where mu = {mu:.3g} is"
    )
    return ClassTest(False, says)


def _miss(found: Membership) -> float:
    return max(found.lipschitz_excess.low / found.L, found.convexity_deficit.low / found.mu)
