"""One Newton step: certified removal with a perturbed loss, and Newton with noise at the end."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from oubli.checks.audit.published.common import THIRD_DERIVATIVE, Record, hessian, mixed
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

NEWTON_STEPS = 6


def newton(law: Mixture, theta: Array, weight: float, tilt: Array) -> Array:
    """One Newton step for weight·law + <tilt, theta>, row by row."""
    gradient = weight * law.gradient(theta) + tilt
    return np.asarray(theta - np.linalg.solve(weight * hessian(law, theta), gradient[..., None])[..., 0])


def minimiser(law: Mixture, weight: float, tilt: Array) -> Array:
    """Minimisers of weight·law + <tilt, theta>, row by row: the losses are nearly quadratic."""
    theta = np.zeros_like(tilt)
    for _ in range(NEWTON_STEPS):
        theta = newton(law, theta, weight, tilt)
    return theta


class CertifiedRemoval:
    """Training minimises F(theta) + <b, theta>, b ~ N(0, sigma² I); removal is one Newton step.

    The gradient of the rest that the Newton step leaves has norm at most e' = M r_f² L²/(2(1 − r_f) mu²)
    with M the Lipschitz constant of the Hessian: the step has length at most r_f L/((1 − r_f) mu), and
    Taylor's remainder is M/2 times its square, times 1 − r_f. Moving b by that residual turns one law into
    the other: a Gaussian mechanism of sensitivity e'. The paper sets sigma = c e'/eps with c = sqrt(2
    ln(1.5/delta)).
    """

    record: ClassVar[Record] = Record(
        "certified removal (Newton)",
        "C. Guo, T. Goldstein, A. Hannun, L. van der Maaten, Certified Data Removal from Machine Learning "
        "Models, ICML 2020",
        "(eps, delta)-close to retraining with sigma = sqrt(2 ln(1.5/delta)) e'/eps",
        ("strongly convex", "Lipschitz Hessian", "full gradients and Hessians", "perturbed training loss"),
        "retrain",
    )
    constant: ClassVar[float] = 1.5

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def assumes_smooth(self, setup: Setup) -> bool:
        """The claim is about smooth losses."""
        return True

    def residual(self, setup: Setup) -> float:
        """The bound e' on the gradient that the Newton step leaves."""
        return THIRD_DERIVATIVE * setup.r_f**2 * setup.L**2 / (2 * (1 - setup.r_f) * setup.mu**2)

    def multiplier(self, setup: Setup) -> float:
        """Noise per unit of sensitivity."""
        return math.sqrt(2 * math.log(self.constant / setup.delta)) / setup.eps

    def gdp(self, setup: Setup) -> float | None:
        return 1 / self.multiplier(setup)

    def tilts(self, setup: Setup, rng: np.random.Generator) -> Array:
        """The perturbations b of the loss."""
        return np.asarray(
            self.multiplier(setup) * self.residual(setup) * rng.standard_normal((setup.chains, setup.d))
        )

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        tilt = self.tilts(setup, rng)
        return minimiser(mixed(problem), 1.0, tilt), tilt

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        return theta, memory

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return newton(self.problem.retain, theta, 1 - setup.r_f, memory)

    def retrain(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> Array:
        """The reference law: training on the retain data with the same perturbation."""
        return minimiser(problem.retain, 1 - setup.r_f, self.tilts(setup, rng))


class NewtonWithNoise(CertifiedRemoval):
    """A Newton step from theta*, then noise sqrt(2 ln(1.25/delta))/eps times its error bound.

    The Newton step from theta*, at most r_f L/mu away from theta_r*, ends within M/(2 mu)·(r_f L/mu)² of it.
    """

    record: ClassVar[Record] = Record(
        "Newton step with noise",
        "A. Sekhari, J. Acharya, G. Kamath, A. T. Suresh, Remember What You Want to Forget: Algorithms for "
        "Machine Unlearning, NeurIPS 2021",
        "(eps, delta)-close to retraining with sigma = sqrt(2 ln(1.25/delta)) distance/eps",
        ("strongly convex", "Lipschitz Hessian", "full gradients and Hessians"),
        "retrain",
    )
    constant: ClassVar[float] = 1.25

    def distance(self, setup: Setup) -> float:
        """The error bound of the Newton step."""
        return THIRD_DERIVATIVE / (2 * setup.mu) * (setup.r_f * setup.L / setup.mu) ** 2

    def learn(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        return np.tile(problem.full_optimum.point, (setup.chains, 1)), None

    def release(self, theta: Array, memory: Any, setup: Setup, rng: np.random.Generator) -> Array:
        return self.noisy(newton(self.problem.retain, theta, 1.0, np.zeros_like(theta)), setup, rng)

    def retrain(self, problem: Problem, setup: Setup, rng: np.random.Generator) -> Array:
        return self.noisy(np.tile(problem.retain_optimum.point, (setup.chains, 1)), setup, rng)

    def noisy(self, theta: Array, setup: Setup, rng: np.random.Generator) -> Array:
        """The point with the noise of the release."""
        sigma = self.multiplier(setup) * self.distance(setup)
        return np.asarray(theta + sigma * rng.standard_normal(theta.shape))
