"""The walker of the closed-form algorithms on a sign family; it sees the same draws as the stepping one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments import jit
from oubli.sim.experiments.synthetic.compiled import CompiledWalker
from oubli.sim.experiments.synthetic.constant import ConstantIterate, ConstantPath
from oubli.sim.experiments.synthetic.paths import Bends, DecreasingIterate, DecreasingPath, Path, PrintedPath
from oubli.sim.experiments.synthetic.steps import IterateStepper, Stepper
from oubli.sim.experiments.synthetic.turns import turns
from oubli.sim.experiments.walk import LAST, Indices, Pending, Seen, Walker, columns_of
from oubli.sim.problems.mixture import SignFamily
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.sim.runs.algorithm import UpdateRule, start
from oubli.sim.runs.recipe import Recipe, stays_inside
from oubli.sim.runs.schedules import Constant, Decreasing, DecreasingPrinted

# Beyond this step the powers (1 − a)^(−512) overflow; such steps only occur at small T, and are stepped.
LONGEST = 0.5

# From the start's own miss, what it brings besides, and which setup a chain has.
Make = Callable[[Array, Bends, NDArray[np.intp]], Path]


@dataclass(frozen=True, eq=False)
class Units:
    """Signs centred, and scaled so that the squared distance along the slope is an excess."""

    family: SignFamily

    @property
    def scale(self) -> float:
        return float(np.linalg.norm(self.family.slope) / np.sqrt(2 * self.family.mu))

    @property
    def values(self) -> Array:
        """The signs that the indices stand for."""
        return np.asarray((self.family.g - self.family.mean) * self.scale)

    def signs(self, drawn: Indices) -> Array:
        g = self.values
        if len(g) != 2:
            return np.asarray(g[drawn])
        # Two outcomes are an affine map of the index, several times faster than a look-up.
        found = np.multiply(drawn, g[1] - g[0], dtype=np.float64)
        found += g[0]
        return np.asarray(found)

    def parted(self, theta_0: Array) -> tuple[Array, Bends]:
        """The start's own miss, and what it brings besides."""
        family, bent = self.family, np.flatnonzero(self.family.kink)
        length = float(np.linalg.norm(family.slope))
        along = theta_0 @ (family.slope / length)
        straight = theta_0[:, family.kink == 0]
        across = family.mu / 2 * (np.einsum("ij,ij->i", straight, straight) - along**2)
        sizes = np.abs(theta_0[:, bent].T)
        bends = Bends(np.maximum(across, 0.0), sizes, family.kink[bent], family.mu)
        return (along * family.mu / length - family.mean) * self.scale, bends


@dataclass(eq=False)
class SignWalker:
    """Chains of one path; what the kinks add is deterministic, and often decides alone."""

    units: Units
    path: Path
    begin: Array

    def start(self) -> Array:
        return self.begin

    def advance(self, drawn: Indices, pending: Pending) -> Seen:
        self.path.move(len(drawn))
        floor = self.path.floor()
        # While the kinks alone exceed the pending level, nothing can pass.
        asleep = floor > pending.largest
        rows = np.flatnonzero(~asleep)
        if asleep.any():
            self.path.skip(self.units.signs(drawn[:, asleep, 0]), np.flatnonzero(asleep))
        if asleep.all():
            return Seen(rows, np.empty((1, 0)))
        square = self.path.advance(self.units.signs(columns_of(drawn[:, :, 0], rows)), rows)
        np.square(square, out=square)
        near = np.flatnonzero(square.min(axis=0) <= (pending.largest - floor)[rows])
        rows, square = rows[near], columns_of(square, near)
        return Seen(rows, self.path.excess(square, rows, pending.of(rows)) if len(rows) else square)

    def keep(self, rows: NDArray[np.intp]) -> Walker:
        return SignWalker(self.units, self.path.keep(rows), self.begin[rows])


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
    group, units = np.repeat(np.arange(len(setups)), repetitions), Units(family)
    path, begin = make(*units.parted(theta_0), group), problem.excess_risk(theta_0)
    if jit.AVAILABLE and type(path) is ConstantPath:
        return CompiledWalker(units.values, path, begin)
    return SignWalker(units, path, begin)


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
        return lambda miss, bends, group: kind(bends, miss, np.zeros_like(miss))
    if all(isinstance(schedule, DecreasingPrinted) for schedule in schedules):
        if iterate:
            return lambda miss, bends, group: DecreasingIterate(bends, miss, np.zeros_like(miss))
        short = family.mean * Units(family).scale
        return lambda miss, bends, group: PrintedPath(bends, miss, np.zeros_like(miss), short=short)
    lengths = np.array([float(s.a) if isinstance(s, Constant) else np.nan for s in schedules])
    if not bool(np.all((lengths > 0) & (lengths <= LONGEST))):
        return None
    constant, last = (ConstantIterate if iterate else ConstantPath), min(LAST, setups[0].T)
    return lambda miss, bends, group: constant(
        lengths, group, bends.across, turns(bends, lengths[group]), miss, np.zeros_like(miss), last
    )
