"""A rule written for one model at a time: the adapter runs the audit's chains one after the other.

Run with `oubli audit examples/audit_one_model.py --eps 1 --delta 1e-5 --runs 500 --steps 3`.
"""

import numpy as np

from oubli.checks.audit.adapters.looped import LoopedTraining
from oubli.sim.laws import gaussian_sigma


class OneAtATime(LoopedTraining):
    """Trains to the optimum, takes T gradient steps, and adds noise for two points of the ball."""

    def learn_one(self, problem, setup, rng):
        return problem.full_optimum.point, {"trained": True}

    def step_one(self, t, theta, grad, memory, setup, rng):
        moved = theta - 0.1 / setup.mu * grad
        return moved * min(1.0, setup.R / max(np.linalg.norm(moved), 1e-300)), memory

    def release_one(self, theta, memory, setup, rng):
        noise = gaussian_sigma(setup.eps, setup.delta) * 2 * setup.R
        return theta + noise * rng.standard_normal(theta.shape)
