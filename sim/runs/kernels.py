"""Averaged SGD on a sign family without stepping: the output is a weighted sum of the drawn signs.

The generic path and this one draw the same samples from the same streams, and agree to rounding.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.sim.problems.draws import CHUNK, Sampler
from oubli.sim.problems.mixture import Mixture, SignFamily
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import UpdateRule
from oubli.sim.runs.recipe import Recipe, stays_inside

# Draws that are weighed together: a chunk of few chains costs more in calls than in sums.
AT_ONCE = 1 << 19


@dataclass(frozen=True, eq=False)
class Kernel:
    """The recipe of one algorithm on one sign family, valid because every iterate stays in the ball."""

    recipe: Recipe
    family: SignFamily
    sampler: Sampler
    batch: int

    def outputs(self, theta_0: Array, times: tuple[int, ...], rng: np.random.Generator) -> Array:
        """The outputs at the times, of shape (times, chains, d), for chains that start at theta_0."""
        T = np.array(times)
        signs = self._weighted_signs(T, len(theta_0), rng)
        start = self.recipe.schedule.start_weight(T)
        linear = start[:, None, None] * theta_0 + signs[:, :, None] * (self.family.slope / self.family.mu)
        bent = np.flatnonzero(self.family.kink)
        for j, steps in enumerate(times):
            q = self.family.kink[bent] / self.family.mu
            linear[j][:, bent] = self.recipe.schedule.kinked(theta_0[:, bent], q, np.array(steps))
        return np.asarray(linear)

    def _weighted_signs(self, T: NDArray[Any], chains: int, rng: np.random.Generator) -> Array:
        """Σ_t sign_weights_t·g_t for every time and chain, drawn chunk by chunk and summed many at a time."""
        total, shape, steps = np.zeros((len(T), chains)), (CHUNK, chains, self.batch), int(T.max(initial=0))
        together = CHUNK * max(1, AT_ONCE // math.prod(shape))
        for first in range(0, steps, together):
            starts = range(first, min(first + together, steps), CHUNK)
            drawn = np.concatenate([self.sampler.draw(rng, shape) for _ in starts])
            weights = self.recipe.schedule.sign_weights(T[:, None], first + np.arange(len(drawn)))
            total += self._weigh(weights, drawn)
        return total

    def _weigh(self, weights: Array, drawn: NDArray[Any]) -> Array:
        g = self.family.g
        if self.batch == 1 and len(g) == 2:
            # g is affine in the index, and the map can be applied after the sum.
            counted = weights @ drawn[:, :, 0].astype(np.float64)
            return np.asarray((g[1] - g[0]) * counted + g[0] * weights.sum(axis=1, keepdims=True))
        return np.asarray(weights @ g[drawn].mean(axis=2))


def kernel_for(rule: UpdateRule, retain: Mixture, setup: Setup) -> Kernel | None:
    """The kernel of this pair, or None where the generic path must step.

    >>> from oubli.sim.algorithms import NoisyProjectedSGD, ScratchSGD
    >>> from oubli.sim.problems.problem import hard_problem
    >>> problem = hard_problem(0.5, 0.1, 2, 1.0, 1.0)
    >>> setup = problem.setup(1.0, 1e-5, 10)
    >>> [kernel_for(rule, problem.retain, setup) is None for rule in (ScratchSGD(), NoisyProjectedSGD())]
    [False, True]
    """
    make, family = getattr(rule, "recipe", None), retain.signs()
    if make is None or family is None or np.any(family.slope * family.kink):
        return None
    recipe: Recipe = make(setup, np.array(setup.T))
    if not bool(stays_inside(recipe, family.reach, setup.R, np.array(setup.T))):
        return None
    return Kernel(recipe, family, retain.sampler, setup.batch)
