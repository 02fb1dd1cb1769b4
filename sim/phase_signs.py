"""The walker of the closed-form algorithms on a sign family; it sees the same draws as the stepping one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.algorithm import UpdateRule, start
from sim.mixture import SignFamily
from sim.phase_paths import (
    ConstantIterate,
    ConstantPath,
    DecreasingIterate,
    DecreasingPath,
    Path,
    PrintedPath,
)
from sim.phase_steps import IterateStepper, Stepper
from sim.phase_walk import Indices, Seen, Walker
from sim.problem import Problem
from sim.recipe import Recipe, stays_inside
from sim.require import Array
from sim.schedules import Constant, Decreasing, DecreasingPrinted
from sim.setup import Setup

# Beyond this step the powers (1 − a)^(−512) overflow; such steps only occur at small T, and are stepped.
LONGEST = 0.5

Make = Callable[[Array, NDArray[np.intp]], Path]


@dataclass(eq=False)
class SignWalker:
    """Chains of one path from theta_0; the excess is a square in S − E g, plus what the kinks add."""

    family: SignFamily
    theta_0: Array
    path: Path
    begin: Array

    def __post_init__(self) -> None:
        slope = self.family.slope / self.family.mu
        straight = self.theta_0[:, self.family.kink == 0]
        self.length = float(slope @ slope)
        self.across = self.theta_0 @ slope
        self.square = np.einsum("ij,ij->i", straight, straight)
        self.bent = np.flatnonzero(self.family.kink)

    def start(self) -> Array:
        return self.begin

    def advance(self, drawn: Indices, pending: Array) -> Seen:
        self.path.move(len(drawn))
        g = self._signs(drawn)
        # What the kinks add is deterministic: while it alone exceeds the pending level, nothing can pass.
        floor = self._floor()
        asleep = floor > pending
        rows = np.flatnonzero(~asleep)
        if asleep.all():
            self.path.skip(g, np.arange(len(asleep)))
            return Seen(rows, np.empty((1, 0)))
        if asleep.any():
            self.path.skip(g[:, asleep], np.flatnonzero(asleep))
            g = g[:, ~asleep]
        return self._seen(g, rows, pending - floor)

    def _signs(self, drawn: Indices) -> Array:
        first, step = self.family.g[0], np.diff(self.family.g)
        if len(step) != 1:
            return np.asarray(self.family.g[drawn[:, :, 0]])
        # Two outcomes are an affine map of the index, several times faster than a look-up.
        g = drawn[:, :, 0].astype(np.float64)
        g *= step[0]
        g += first
        return g

    def _seen(self, g: Array, rows: NDArray[np.intp], room: Array) -> Seen:
        """The chains whose excess off the kinks comes within the room that the kinks leave at best."""
        w, S = self.path.advance(g, rows)
        miss = S - self.family.mean
        excess = miss * self.length
        excess += (2 * w) * self.across[rows]
        excess *= miss
        excess += w**2 * self.square[rows]
        excess *= self.family.mu / 2
        near = np.flatnonzero(excess.min(axis=0) <= room[rows])
        if len(near) < len(rows):
            rows, excess = rows[near], excess[:, near]
        if len(rows) and len(self.bent):
            excess += self._kinks(rows)
        return Seen(rows, excess)

    def _floor(self) -> Array:
        mu, total = self.family.mu, np.zeros(len(self.theta_0))
        for i in self.bent:
            kink = float(self.family.kink[i])
            size = self.path.floor(np.abs(self.theta_0[:, i]), kink / mu)
            total += size * (mu / 2 * size + kink)
        return total

    def _kinks(self, rows: NDArray[np.intp]) -> Array:
        mu, total = self.family.mu, np.zeros(1)
        for i in self.bent:
            kink = float(self.family.kink[i])
            size = self.path.kinked(np.abs(self.theta_0[rows, i]), kink / mu, rows)
            total = total + size * (mu / 2 * size + kink)
        return total

    def keep(self, rows: NDArray[np.intp]) -> Walker:
        return SignWalker(self.family, self.theta_0[rows], self.path.keep(rows), self.begin[rows])


def walker_for(
    rule: UpdateRule,
    problem: Problem,
    setups: Sequence[Setup],
    repetitions: int,
    rng: np.random.Generator,
    iterate: bool,
) -> Walker:
    """Chains of one rule, `repetitions` for each setup: in closed form where that holds, else stepped."""
    family, make = problem.retain.signs(), _path_of(rule, problem, setups, iterate)
    if make is None or family is None:
        stepper = IterateStepper if iterate else Stepper
        return stepper(rule, problem, setups, repetitions, rng)
    star = np.tile(problem.full_optimum.point, (repetitions, 1))
    theta_0 = np.concatenate([start(rule, star, setup, rng)[0] for setup in setups])
    group = np.repeat(np.arange(len(setups)), repetitions)
    return SignWalker(family, theta_0, make(np.zeros(len(theta_0)), group), problem.excess_risk(theta_0))


def _path_of(rule: UpdateRule, problem: Problem, setups: Sequence[Setup], iterate: bool) -> Make | None:
    """How to make the path that all setups share, or None when some chain needs stepping."""
    family, recipe = problem.retain.signs(), getattr(rule, "recipe", None)
    if recipe is None or family is None or np.any(family.slope * family.kink):
        return None
    recipes: list[Recipe] = [recipe(setup, np.array(setup.T)) for setup in setups]
    R, T = setups[0].R, np.array(setups[0].T)
    if not all(bool(stays_inside(r, family.reach, R, T)) for r in recipes):
        return None
    schedules = [r.schedule for r in recipes]
    if all(isinstance(schedule, Decreasing) for schedule in schedules):
        kind = DecreasingIterate if iterate else DecreasingPath
        return lambda zero, group: kind(zero, zero.copy())
    if all(isinstance(schedule, DecreasingPrinted) for schedule in schedules):
        printed = DecreasingIterate if iterate else PrintedPath
        return lambda zero, group: printed(zero, zero.copy())
    lengths = np.array([float(s.a) if isinstance(s, Constant) else np.nan for s in schedules])
    if not bool(np.all((lengths > 0) & (lengths <= LONGEST))):
        return None
    constant = ConstantIterate if iterate else ConstantPath
    return lambda zero, group: constant(lengths, group, zero, zero.copy())
