"""The pieces that the averaged algorithms share: a projected step and a running weighted sum."""

import numpy as np

from oubli.sim.geometry import project
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


def decreasing_step(t: int, theta: Array, grad: Array, setup: Setup) -> Array:
    """theta − 2/(mu(t+2))·grad, the step of l.1277 (l.417 with its t shifted by one)."""
    return np.asarray(theta - 2 / (setup.mu * (t + 2)) * grad)


def repaired_average(weighted_sum: Array, setup: Setup) -> Array:
    """2/((T+1)(T+2))·Σ_{t<=T}(t+1)theta_t: weights that sum to one."""
    return np.asarray(2 / ((setup.T + 1) * (setup.T + 2)) * weighted_sum)


def noisy_start(theta_star: Array, sigma: float, R: float, rng: np.random.Generator) -> Array:
    """theta* plus sigma times a standard Gaussian, projected on the ball."""
    return project(theta_star + sigma * rng.standard_normal(theta_star.shape), R)


def claim_of_kappa(setup: Setup) -> tuple[float, float] | None:
    """(eps, delta) where kappa times the sensitivity is proved to be private: eps <= 1; none beyond.

    >>> claim_of_kappa(Setup(L=1.0, mu=1.0, r_f=0.1, d=1, eps=2.0, delta=1e-5, T=0)) is None
    True
    """
    return (setup.eps, setup.delta) if setup.eps <= 1 else None
