"""Expected risks without sampling, for every T at once.

On a sign family the output of averaged SGD is start_weight·theta_0 + Σ_t sign_weights_t·q·g_t, with both
sums closed form (sim/schedules.py); the kinked half follows a deterministic closed-form path from each start,
piecewise linear in |theta_0|, integrated over the law of the Gaussian start (projected or not).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from oubli.sim.problems.mixture import SignFamily
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts, require
from oubli.sim.runs.folded import Folded, HalfNormal, ProjectedSide
from oubli.sim.runs.recipe import Recipe, never_projects
from oubli.sim.runs.start_law import StartLaw


class HasRecipe(Protocol):
    """An averaged algorithm that states what it does to a sign family."""

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe: ...


@dataclass(frozen=True, eq=False)
class Expected:
    """Per time: mean and variance of each output coordinate, and the expected excess risk.

    Entries are nan where no closed form exists: projected steps longer than 1/mu, or pulled out of the ball.
    """

    times: Counts
    mean: Array
    variance: Array
    excess: Array


def expected(rule: HasRecipe, problem: Problem, setup: Setup, times: Counts) -> Expected:
    """Exact moments and expected excess risk of the output after T steps, for each T in times.

    >>> from oubli.sim.algorithms import ScratchSGD
    >>> from oubli.sim.problems.problem import hard_problem
    >>> problem = hard_problem(gamma=0.0, r_f=0.1, d=1, L=1.0, mu=1.0)
    >>> setup = problem.setup(1.0, 1e-5, 0)
    >>> expected(ScratchSGD(), problem, setup, np.array([0, 1])).excess.round(6).tolist()
    [0.0, 0.055556]
    """
    times = np.asarray(times)
    require(times.ndim == 1 and bool(np.all(times >= 0)), "times must be a list of T >= 0", times)
    family, shift = _family(problem), _shift(problem)
    recipe = rule.recipe(setup, times)
    law = StartLaw(
        recipe.centre * shift, recipe.sigma, problem.d, setup.R if recipe.projected else float("inf")
    )
    linear = _linear(recipe, family, law, setup, times)
    bent = _bent(rule, setup, family, law, times)
    valid = never_projects(recipe, family.reach, setup.R, times)
    return _assembled(family, linear, bent, times, valid)


@dataclass(frozen=True, eq=False)
class Linear:
    """Mean and variance along the slope, and variance of each coordinate that the loss only shrinks."""

    mean: Array
    variance: Array
    idle: Array


@dataclass(frozen=True, eq=False)
class Bent:
    """Second moment and mean size of each kinked coordinate, of shape (times, kinks)."""

    square: Array
    size: Array


def _linear(recipe: Recipe, family: SignFamily, law: StartLaw, setup: Setup, times: Counts) -> Linear:
    first = law.moments()
    start = recipe.schedule.start_weight(times)
    q = float(np.linalg.norm(family.slope)) / family.mu
    mean = start * first.mean + recipe.schedule.sign_sum(times) * q * family.mean
    noise = recipe.schedule.sign_square_sum(times) * q**2 * family.variance / setup.batch
    return Linear(mean, start**2 * first.variance + noise, start**2 * first.across)


def _bent(rule: HasRecipe, setup: Setup, family: SignFamily, law: StartLaw, times: Counts) -> Bent:
    kinks = family.kink[np.flatnonzero(family.kink)] / family.mu
    square, size = np.zeros((len(times), len(kinks))), np.zeros((len(times), len(kinks)))
    if len(kinks) and law.sigma > 0:
        folded = _folded(law)
        for q in np.unique(kinks):
            moments = np.array([_path_moments(rule, setup, folded, float(q), int(T)) for T in times])
            square[:, kinks == q], size[:, kinks == q] = moments[:, :1], moments[:, 1:]
    return Bent(square, size)


def _folded(law: StartLaw) -> Folded:
    if np.isinf(law.radius):
        return HalfNormal(law.sigma)
    return ProjectedSide(law.sigma, abs(law.shift), law.d, law.radius)


def _path_moments(rule: HasRecipe, setup: Setup, folded: Folded, q: float, T: int) -> tuple[float, float]:
    """E[x²] and E|x| at the end of a kinked path, which is linear in |x0| between its breaks."""
    schedule = rule.recipe(setup, np.array(T)).schedule
    breaks = schedule.breaks(q, T, folded.most)
    ends = np.concatenate([[0.0], breaks[breaks < folded.most], [folded.most]])
    third = np.diff(ends) / 3
    near = schedule.kinked(ends[:-1] + third, q, np.array(T))
    slope = (schedule.kinked(ends[1:] - third, q, np.array(T)) - near) / third
    level = near - slope * (ends[:-1] + third)
    root = np.clip(-level / np.where(slope == 0, 1.0, slope), ends[:-1], ends[1:])
    cuts = np.sort(np.concatenate([ends, root]))
    level, slope = np.repeat(level, 2), np.repeat(slope, 2)
    mass, first, second = np.diff(folded.partial(cuts), axis=1)
    square = level**2 * mass + 2 * level * slope * first + slope**2 * second
    return float(square.sum()), float(np.abs(level * mass + slope * first).sum())


def _assembled(family: SignFamily, linear: Linear, bent: Bent, times: Counts, valid: Array) -> Expected:
    direction = family.slope / np.linalg.norm(family.slope)
    kinked = np.flatnonzero(family.kink)
    mean = linear.mean[:, None] * direction
    variance = linear.variance[:, None] * direction**2 + linear.idle[:, None] * (1 - direction**2)
    variance[:, kinked] = bent.square
    target = family.mean * float(np.linalg.norm(family.slope)) / family.mu
    idle = len(family.slope) - 1 - len(kinked)
    squares = linear.variance + (linear.mean - target) ** 2 + idle * linear.idle + bent.square.sum(axis=1)
    excess = family.mu / 2 * squares + bent.size @ family.kink[kinked]
    blank = np.where(valid, 0.0, np.nan)
    return Expected(times, mean + blank[:, None], variance + blank[:, None], excess + blank)


def _family(problem: Problem) -> SignFamily:
    family = problem.retain.signs()
    if family is None or np.any(family.slope * family.kink) or not np.any(family.slope):
        raise ValueError(f"closed forms need a sign family on the retain side, got {problem.retain!r}")
    return family


def _shift(problem: Problem) -> float:
    """theta*'s length along the slope, which must be all of it."""
    family = _family(problem)
    direction = family.slope / np.linalg.norm(family.slope)
    star = problem.full_optimum.point
    shift = float(star @ direction)
    require(
        bool(np.linalg.norm(star - shift * direction) <= 1e-12 * problem.L / problem.mu),
        "closed forms need theta* along the slope",
        star.tolist(),
    )
    return shift
