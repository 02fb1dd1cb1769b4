"""An unlearning problem: retain and forget distributions, their optima and risks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from oubli.sim.losses.families import hard, synthetic
from oubli.sim.losses.membership import membership
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.optimum import Optimum
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, require


@dataclass(frozen=True, eq=False)
class Problem:
    """D = r_f·forget + (1 − r_f)·retain over losses of F_sc(mu, L), with an alternative forget law D_f'.

    >>> problem = hard_problem(gamma=0.5, r_f=0.1, d=1, L=1.0, mu=1.0)
    >>> problem.retain_optimum.point.tolist()
    [0.25]
    """

    retain: Mixture = field(
        metadata={"meaning": "D_r: losses with weights; value(theta), gradient(theta) of the mean"}
    )
    forget: Mixture = field(metadata={"meaning": "the forget law D_f, of the same kind"})
    r_f: float = field(metadata={"meaning": "fraction of the data to forget"})
    L: float = field(metadata={"meaning": "Lipschitz constant of every loss on the ball"})
    mu: float = field(metadata={"meaning": "strong convexity of every loss"})
    alternative: Mixture | None = field(
        default=None, metadata={"meaning": "the other forget law D_f' of the pair, if there is one"}
    )

    def __post_init__(self) -> None:
        require(0 <= self.r_f < 1, "r_f must lie in [0, 1)", self.r_f)
        require(self.L > 0, "L must be positive", self.L)
        require(self.mu > 0, "mu must be positive", self.mu)
        sides = [side for side in (self.retain, self.forget, self.alternative) if side is not None]
        dimensions = {side.d for side in sides}
        require(len(dimensions) == 1, "all distributions must share one dimension", sorted(dimensions))
        for loss in (loss for side in sides for loss in side.losses):
            miss = membership(loss, self.L, self.mu)
            require(not miss.outside, f"every loss must lie in F_sc(mu={self.mu}, L={self.L})", miss)

    @property
    def d(self) -> int:
        """Dimension of theta."""
        return self.retain.d

    @cached_property
    def full_optimum(self) -> Optimum:
        """theta*: the minimiser on D, the model that unlearning starts from."""
        return self._mixed(self.forget).minimise(self.L, self.mu)

    @cached_property
    def retain_optimum(self) -> Optimum:
        """theta_r*: the minimiser on D_r."""
        return self.retain.minimise(self.L, self.mu)

    @cached_property
    def alternative_optimum(self) -> Optimum:
        """theta*(D_f'): the minimiser when the alternative had been in the data."""
        return self.swapped().full_optimum

    def swapped(self) -> Problem:
        """The same problem with D_f' in the place of D_f."""
        if self.alternative is None:
            raise ValueError("the problem has no alternative forget distribution, got alternative=None")
        return replace(self, forget=self.alternative, alternative=self.forget)

    def excess_risk(self, theta: Array) -> Array:
        """L_r(theta) − L_r(theta_r*) at each row; the true excess is larger by at most retain_optimum.gap.

        >>> problem = hard_problem(gamma=0.0, r_f=0.1, d=1, L=1.0, mu=1.0)
        >>> problem.excess_risk(np.array([[0.5]])).tolist()
        [0.125]
        """
        return self.retain.value(theta) - self.retain_optimum.value

    def setup(self, eps: float, delta: float, T: int, batch: int = 1) -> Setup:
        """What an update rule is given when it runs on this problem."""
        return Setup(self.L, self.mu, self.r_f, self.d, eps, delta, T, batch)

    def _mixed(self, forget: Mixture) -> Mixture:
        weights = np.concatenate([(1 - self.r_f) * self.retain.weights, self.r_f * forget.weights])
        return Mixture(self.retain.losses + forget.losses, weights)


def hard_problem(gamma: float, r_f: float, d: int, L: float, mu: float) -> Problem:
    """The lower bound's problem (l.1166): retain signs of mean gamma, forget hides it, D_f' shows it.

    >>> hard_problem(gamma=0.5, r_f=0.5, d=2, L=1.0, mu=1.0).full_optimum.point.tolist()
    [0.0, 0.0]
    """
    require(-1 <= gamma <= 1, "gamma must lie in [-1, 1]", gamma)
    require(0 <= r_f < 1, "r_f must lie in [0, 1)", r_f)
    retain = Mixture((hard(1.0, d, L, mu), hard(-1.0, d, L, mu)), [(1 + gamma) / 2, (1 - gamma) / 2])
    hiding = 1.0 if r_f == 0 else min(1.0, (1 - r_f) * abs(gamma) / r_f)
    sign = float(np.sign(gamma))
    forget = Mixture((hard(-sign * hiding, d, L, mu),), [1.0])
    alternative = Mixture((hard(sign if sign else 1.0, d, L, mu),), [1.0])
    return Problem(retain, forget, r_f, L, mu, alternative)


def synthetic_problem(gamma: float, r_f: float, d: int, L: float, mu: float) -> Problem:
    """The synthetic experiment's problem (l.735): retain signs of mean gamma, forget signs all −1.

    The class constant is the loss's true Lipschitz constant where that exceeds L (d > 4).

    >>> synthetic_problem(gamma=0.5, r_f=0.1, d=16, L=1.0, mu=1.0).L
    2.0
    """
    require(-1 <= gamma <= 1, "gamma must lie in [-1, 1]", gamma)
    plus, minus = synthetic(1.0, d, L, mu), synthetic(-1.0, d, L, mu)
    retain = Mixture((plus, minus), [(1 + gamma) / 2, (1 - gamma) / 2])
    # On the ball of the larger constant M the loss is M/2 + L·sqrt(d)/4-Lipschitz: M = L·sqrt(d)/2 closes it.
    M = L * max(1.0, d**0.5 / 2)
    return Problem(retain, Mixture((minus,), [1.0]), r_f, M, mu, Mixture((plus,), [1.0]))


def quadratic_pair(r_f: float, d: int, L: float, mu: float) -> Problem:
    """Retain and forget quadratics centred at ±R e_1: their optima attain the distance r_f L/mu.

    >>> pair = quadratic_pair(r_f=0.25, d=1, L=1.0, mu=1.0)
    >>> float(pair.retain_optimum.point[0] - pair.full_optimum.point[0])
    0.25
    """
    plus, minus = Mixture((hard(1.0, d, L, mu),), [1.0]), Mixture((hard(-1.0, d, L, mu),), [1.0])
    return Problem(plus, minus, r_f, L, mu, plus)
