"""Algorithms run exactly: every sequence of samples of a finite mixture, with its probability."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from oubli.sim.geometry import project
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import UpdateRule, release, start


@dataclass(frozen=True, eq=False)
class Enumerated:
    """Iterates of shape (T + 1, sequences, d), the released output, and the probability of each sequence."""

    iterates: Array
    output: Array
    weights: Array

    def mean(self, values: Array) -> float:
        """The expectation of one number per sequence."""
        return float(values @ self.weights)


def enumerated(rule: UpdateRule, problem: Problem, setup: Setup, seed: int = 0) -> Enumerated:
    """The rule on every sequence of T samples; for rules whose start and release use no randomness.

    >>> from oubli.sim.algorithms import ScratchSGD
    >>> from oubli.sim.problems.problem import hard_problem
    >>> problem = hard_problem(gamma=0.0, r_f=0.1, d=1, L=1.0, mu=1.0)
    >>> runs = enumerated(ScratchSGD(), problem, problem.setup(1.0, 1e-5, 1))
    >>> round(runs.mean(problem.excess_risk(runs.output)), 6)
    0.055556
    """
    losses, p = problem.retain.losses, problem.retain.weights
    sequences = list(product(range(len(losses)), repeat=setup.T))
    draws = np.array(sequences, dtype=int).reshape(len(sequences), setup.T)
    rng = np.random.default_rng(seed)
    theta, memory = start(rule, np.tile(problem.full_optimum.point, (len(draws), 1)), setup, rng)
    path = [theta]
    for t in range(setup.T):
        gradients = np.stack([loss.gradient(theta) for loss in losses])
        grad = gradients[draws[:, t], np.arange(len(draws))]
        theta, memory = rule.step(t, theta, grad, memory, setup, rng)
        path.append(theta)
    weights = np.prod(p[draws], axis=1) if setup.T else np.ones(1)
    return Enumerated(np.stack(path), release(rule, theta, memory, setup, rng), weights)


@dataclass(frozen=True, eq=False)
class ConstantSteps:
    """Projected SGD with one step size from a given point, averaged over theta_0 … theta_{T-1} (l.1102)."""

    size: float
    at: Array

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = project(np.tile(self.at, (len(theta_star), 1)), setup.R)
        return theta, np.zeros_like(theta)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        return project(theta - self.size * grad, setup.R), memory + theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return memory / setup.T if setup.T else theta


def driven(rule: UpdateRule, signs: Array, theta_star: Array, setup: Setup, seed: int) -> Array:
    """The output on the hard family when the signs are these, whatever data they came from."""
    rng = np.random.default_rng(seed)
    theta, memory = start(rule, theta_star[None], setup, rng)
    for t, g in enumerate(signs):
        grad = setup.mu * theta
        grad[:, 0] -= setup.L / 2 * g
        theta, memory = rule.step(t, theta, grad, memory, setup, rng)
    return np.asarray(release(rule, theta, memory, replace(setup, T=len(signs)), rng)[0])
