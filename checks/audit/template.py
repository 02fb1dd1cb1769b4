"""The file that `oubli audit --template` prints: a rule that passes, and what it is given, field by field."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property

from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup

RULE = '''"""An unlearning algorithm for `oubli audit`. Only `step` is needed; the rest is optional."""

from oubli.sim.geometry import project
from oubli.sim.laws import gaussian_sigma


class MyRule:
    """Noise at the exact Gaussian scale, then projected SGD; the last iterate is released."""

    def noise_scale(self, setup):
        """Optional: declares that `start` is theta* + scale·N(0, I), projected. The verdict is then exact."""
        return gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star, setup, rng):
        """Optional: theta_0 and a memory of any kind. Rows are independent runs; draw from rng only."""
        noise = self.noise_scale(setup) * rng.standard_normal(theta_star.shape)
        return project(theta_star + noise, setup.R), None

    def step(self, t, theta, grad, memory, setup, rng):
        """One step with one retain gradient per row; t runs over 0 ... T-1."""
        return project(theta - 2 / (setup.mu * (t + 2)) * grad, setup.R), memory

    # Optional as well:
    #   release(self, theta, memory, setup, rng)   the output, if it is not theta_T
    #   release_weight(self, setup)                the sum of the weights, if a release shrinks on purpose
    #   least_steps(self, setup)                   the T from which on all of this is claimed; without it, the
    #                                              claim is about T = --steps alone
    #   risk_bound(self, setup)                    the expected excess risk promised after T steps
    #   learn(self, problem, setup, rng)           your own training, in the place of start: (theta, state),
    #                                              theta of shape (setup.chains, setup.d); state is the memory
    #   retrain(self, problem, setup, rng)         rows of your reference, for --against retrain
    #   noise_schedule(self, setup)                noise in every step, for the accountant: one dict a step,
    #       {"sigma", "length"}                    project(theta - length*grad + sigma*N(0, I)) on the class
    #       {"sigma", "length", "smoothness"}      the same, claimed for losses that are so smooth
    #       {"sigma", "length", "clip", "decay"}   theta - length*(clip(grad, clip) + decay*theta) + noise
    #       {"sigma", "contraction", "displacement"}
    #                                              f(theta) + sigma*N(0, I), projected or not, where
    #                                              |f(x) - f(y)| <= contraction*|x - y| + displacement
    #   assumes_smooth(self, setup)                True: the claim is about smooth losses, no others are tried
    #   loss_value(self, theta, x, y), loss_gradient(self, theta, x, y), loss_dimension(self, columns)
    #                                              your own loss, row by row, for --data FILE.npz --loss own
    # A class whose constructor takes one argument is given the problem (retain and forget data).
'''
WIDTH = 29


def described(record: type, name: str) -> Iterator[str]:
    """Every field, property and method of a record with its meaning, in its order.

    >>> next(described(Setup, "setup"))
    'setup.L                       Lipschitz constant of every loss on the ball B(0, R)'
    """
    for each in fields(record):
        yield f"{name}.{each.name}".ljust(WIDTH) + f" {each.metadata['meaning']}"
    for method, value in vars(record).items():
        if method.startswith("_") or not (
            inspect.isfunction(value) or isinstance(value, (property, cached_property))
        ):
            continue
        shown = f"{name}.{method}" + ("(...)" if inspect.isfunction(value) else "")
        yield shown.ljust(WIDTH) + f" {(inspect.getdoc(value) or '').splitlines()[0].rstrip('.')}"


def template() -> str:
    """The rule, and after it what `setup` and `problem` hold."""
    setup = [f"# {line}" for line in described(Setup, "setup")]
    problem = [f"# {line}" for line in described(Problem, "problem")]
    heads = (
        "# `setup` holds the public constants of the run:",
        "# `problem`, given to `learn`, `retrain` and a constructor with one argument, holds the data:",
    )
    return "\n".join([RULE, heads[0], *setup, "#", heads[1], *problem, ""])


TEMPLATE = template()
