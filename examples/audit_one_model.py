"""A rule written for one model at a time: the adapter runs the audit's chains one after the other.

Run with `oubli audit examples/audit_one_model.py --eps 1 --delta 1e-5 --runs 500 --steps 3`.
"""

from functools import lru_cache

import numpy as np

from oubli.checks.audit.adapters.looped import LoopedTraining
from oubli.sim.laws import gaussian_sigma


@lru_cache
def noise(eps, delta):
    return gaussian_sigma(eps, delta)


class OneAtATime(LoopedTraining):
    """Trains to the optimum, takes T gradient steps, and adds noise for two points of the ball."""

    def learn_one(self, problem, setup, rng):
        return problem.full_optimum.point, {"noise": noise(setup.eps, setup.delta)}

    def step_one(self, t, theta, grad, memory, setup, rng):
        moved = theta - 0.1 / setup.mu * grad
        return moved * min(1.0, setup.R / max(np.linalg.norm(moved), 1e-300)), memory

    def release_one(self, theta, memory, setup, rng):
        return theta + memory["noise"] * 2 * setup.R * rng.standard_normal(theta.shape)
