"""T_e by definition on the synthetic family: min{T : E[excess after T steps on the T-th problem] <= e}.

T = 0 counts when the start is good enough on every problem of the family. The expected risk is exact where
sim/expected.py has it; it is measured with an interval for every algorithm, beside the exact one or alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from scipy.stats import chi2

from oubli.sim.experiments.synthetic.tail import largest_excess, tail_of
from oubli.sim.geometry import norms
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, Counts
from oubli.sim.runs.algorithm import UpdateRule
from oubli.sim.runs.expected import HasRecipe, expected
from oubli.sim.runs.intervals import Interval, empirical_bernstein
from oubli.sim.runs.recipe import Recipe
from oubli.sim.runs.run import run

# Below this probability of leaving the ball the projection of the start is left out of the closed forms.
NEVER = 1e-18


@dataclass(frozen=True)
class Free:
    """A rule whose start stays in the ball but for probability NEVER: its closed form without projection."""

    rule: UpdateRule

    def recipe(self, setup: Setup, horizon: Counts) -> Recipe:
        return replace(cast(HasRecipe, self.rule).recipe(setup, horizon), projected=False)


def exact_risks(rule: UpdateRule, problem: Problem, setup: Setup, times: Counts) -> Array:
    """The expected excess at the times, nan where no closed form is known.

    >>> from oubli.sim.algorithms import ScratchSGD
    >>> from oubli.sim.experiments.synthetic.protocol import Synthetic
    >>> problem = Synthetic().problem(4)
    >>> exact_risks(ScratchSGD(), problem, problem.setup(1.0, 1e-5, 4), np.array([0])).round(6).tolist()
    [2.441406]
    """
    make = getattr(rule, "recipe", None)
    if make is None:
        return np.full(len(times), np.nan)
    recipe: Recipe = make(setup, times)
    stated: HasRecipe = Free(rule) if _free(recipe, problem, setup) else cast(HasRecipe, rule)
    return expected(stated, problem, setup, times).excess


def _free(recipe: Recipe, problem: Problem, setup: Setup) -> bool:
    """Whether the start is almost never projected, and the steps are convex combinations in the ball."""
    if not recipe.projected or recipe.sigma == 0:
        return False
    family = problem.retain.signs()
    if family is None or bool(np.any(recipe.schedule.longest(np.array(setup.T)) > 1)):
        return False
    room = setup.R - abs(recipe.centre) * float(np.linalg.norm(problem.full_optimum.point))
    return room > 0 and float(chi2.sf((room / recipe.sigma) ** 2, setup.d)) < NEVER


@dataclass(frozen=True)
class Measured:
    """Mean excess of independent runs, and an interval for its expectation."""

    mean: float
    interval: Interval


def measured_risk(
    rule: UpdateRule, problem: Problem, setup: Setup, chains: int, seed: int, alpha: float
) -> Measured:
    """The expected excess after setup.T steps, from `chains` runs, at level 1 − alpha.

    The interval is [0, inf) for a rule without a recipe of which an output left the ball.
    """
    done = run(rule, problem, setup, chains, seed, times=[setup.T])
    excess = np.maximum(problem.excess_risk(done.outputs[0]), 0.0)
    make = getattr(rule, "recipe", None)
    if make is not None:
        tail = tail_of(make(setup, np.array(setup.T)), problem, setup)
        return Measured(float(excess.mean()), tail.interval(excess, alpha))
    if norms(done.outputs[0]).max() > setup.R * (1 + 1e-9):
        return Measured(float(excess.mean()), Interval(0.0, math.inf))
    most = largest_excess(problem, setup.R)
    low, high = empirical_bernstein(excess, 0.0, most, alpha)
    return Measured(float(excess.mean()), Interval(max(low, 0.0), high))


def defined_time(horizons: Counts, risks: Array, start: float, e: float) -> float:
    """min{T : risk <= e} over T = 0 (the start) and the horizons; inf if none, nan if an unknown comes first.

    >>> defined_time(np.array([1, 10]), np.array([3.0, 0.5]), 9.0, 1.0)
    10.0
    """
    times, values = np.append(0, horizons), np.append(start, risks)
    stop = np.flatnonzero((values <= e) | np.isnan(values))
    if not len(stop):
        return math.inf
    return math.nan if np.isnan(values[stop[0]]) else float(times[stop[0]])
