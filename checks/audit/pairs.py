"""The problems on which privacy is attacked: pairs (D_f, D_f') whose optima lie far apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.losses.families import Regularised, hard, logistic, max_affine, quadratic
from oubli.sim.losses.members import random_member
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array

# A loss of the plane, scaled to L = mu = 1: near (1/2, 0) its first slope is steeper across than 1/2, the
# most that a smooth quadratic has, and the second piece takes over before it would leave the class.
SLOPES = np.array([[0.0865, 0.5627], [-0.1697, 0.4703]])

# Random pairs, and the dimension beyond which their optima take too long to find.
RANDOM, RANDOM_DIM = 12, 20
# The same for the pair that is steep across.
WIDE_DIM = 1000


@dataclass(frozen=True)
class Spot:
    """Retain quadratic at R·centre, forget quadratics at ∓R·reach·direction: a family to search."""

    centre: tuple[float, ...]
    direction: tuple[float, ...]
    reach: float


@dataclass(frozen=True, eq=False)
class Pair:
    """A problem with both forget laws, its name, and its place in the searched family if it has one."""

    name: str
    problem: Problem
    spot: Spot | None = None

    @cached_property
    def sides(self) -> tuple[Problem, Problem]:
        """The problem with D_f, and with D_f' in its place."""
        return self.problem, self.problem.swapped()

    @property
    def optima(self) -> tuple[Array, Array]:
        """theta*(D_f) and theta*(D_f')."""
        first, second = self.sides
        return first.full_optimum.point, second.full_optimum.point

    @property
    def distance(self) -> float:
        """How far apart they are, less the error of both."""
        first, second = self.optima
        error = sum(side.full_optimum.distance for side in self.sides)
        return max(0.0, float(np.linalg.norm(first - second)) - error)


def unit(d: int, k: int) -> Array:
    """The k-th unit vector.

    >>> unit(3, -1).tolist()
    [0.0, 0.0, 1.0]
    """
    axis = np.zeros(d)
    axis[k] = 1.0
    return axis


@lru_cache(maxsize=64)
def line_pair(g: float, rf: float, d: int) -> Pair:
    """Retain hard(g), forget hard(−1) or hard(1): the distance r_f L/mu is attained, without sampling noise.

    >>> round(line_pair(0.0, 0.1, 1).distance, 9)
    0.1
    """
    retain = Mixture((hard(g, d, 1.0, 1.0),), [1.0])
    low, high = (Mixture((hard(sign, d, 1.0, 1.0),), [1.0]) for sign in (-1.0, 1.0))
    axis = tuple(float(v) for v in unit(d, 0))
    problem = Problem(retain, low, rf, 1.0, 1.0, high)
    spot = Spot(tuple(g * v for v in axis), axis, 1.0)
    return Pair(f"retain hard({g:g}), forget hard(-1) or hard(+1)", problem, spot)


@lru_cache(maxsize=64)
def noisy_pair(gamma: float, rf: float, d: int) -> Pair:
    """Retain signs of mean gamma, as in the lower bound; forget hard(−1) or hard(1)."""
    signs = (hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0))
    retain = Mixture(signs, [(1 + gamma) / 2, (1 - gamma) / 2])
    low, high = Mixture((signs[1],), [1.0]), Mixture((signs[0],), [1.0])
    return Pair(f"retain signs of mean {gamma:g}, forget -1 or +1", Problem(retain, low, rf, 1.0, 1.0, high))


@lru_cache(maxsize=64)
def scale_pair(rf: float, d: int) -> Pair:
    """Retain hard(0), forget hard(0) or hard(1): a scale taken from |theta* − theta_r*| is 0 on one side."""
    zero, one = (Mixture((hard(g, d, 1.0, 1.0),), [1.0]) for g in (0.0, 1.0))
    return Pair("retain hard(0), forget hard(0) or hard(+1)", Problem(zero, zero, rf, 1.0, 1.0, one))


def _steep(tie: Array, scale: float, mirror: float, d: int) -> Regularised:
    slopes = np.zeros((2, d))
    slopes[:, :2] = scale * SLOPES * [1.0, mirror]
    point = np.zeros(d)
    point[:2] = tie * [1.0, mirror]
    # The first piece is a hair above the second at the tie, so that the optimum lies inside its region.
    return max_affine(slopes, -slopes @ point - np.array([0.0, 1e-6]), 1.0)


@lru_cache(maxsize=64)
def wide_pair(rf: float, d: int) -> Pair | None:
    """In d >= 2, optima further apart than r_f L/mu where this construction gives that; else None.

    >>> wide_pair(0.01, 2).distance > 1.1 * 0.01
    True
    >>> wide_pair(0.01, 1) is None
    True
    """
    if not 2 <= d <= WIDE_DIM:
        return None
    low, high = 0.0, 1.2
    for _ in range(40):
        scale = (low + high) / 2
        tie = (1 - rf) * np.array([0.5, 0.0]) - rf * scale * SLOPES[0]
        fits = _steep(tie, scale, 1.0, d).lipschitz(0.5).high <= 1.0
        low, high = (scale, high) if fits else (low, scale)
    tie = (1 - rf) * np.array([0.5, 0.0]) - rf * low * SLOPES[0]
    sides = [Mixture((_steep(tie, low, mirror, d),), [1.0]) for mirror in (1.0, -1.0)]
    retain = Mixture((quadratic(0.5 * unit(d, 0), 1.0),), [1.0])
    pair = Pair(
        "retain quadratic at R e_1, forget steep across", Problem(retain, sides[0], rf, 1.0, 1.0, sides[1])
    )
    return pair if pair.distance > rf else None


@lru_cache(maxsize=256)
def spot_pair(spot: Spot, rf: float) -> Pair:
    """The pair at one place of the family; its optima lie r_f·reach·L/mu apart.

    >>> round(spot_pair(Spot((0.5, 0.0), (0.6, 0.8), 0.5), 0.1).distance, 9)
    0.05
    """
    centre, direction = np.array(spot.centre), np.array(spot.direction)
    retain = Mixture((quadratic(0.5 * centre, 1.0),), [1.0])
    low, high = (Mixture((quadratic(0.5 * s * spot.reach * direction, 1.0),), [1.0]) for s in (-1.0, 1.0))
    words = [", ".join(f"{v:.3g}" for v in values) for values in (0.5 * centre, 0.5 * spot.reach * direction)]
    name = f"retain quadratic at ({words[0]}), forget quadratics at -+({words[1]})"
    return Pair(name, Problem(retain, low, rf, 1.0, 1.0, high), spot)


def neighbour(spot: Spot, rng: np.random.Generator) -> Spot:
    """A spot near this one: its centre moved, its direction turned, or its reach shortened.

    >>> found = neighbour(Spot((1.0, 0.0), (1.0, 0.0), 1.0), np.random.default_rng(0))
    >>> bool(np.linalg.norm(found.centre) <= 1), round(float(np.linalg.norm(found.direction)), 9)
    (True, 1.0)
    """
    d = len(spot.centre)
    centre = np.array(spot.centre) + 0.5 * rng.standard_normal(d) / d**0.5
    centre /= max(1.0, float(np.linalg.norm(centre)) * (1 + 1e-12))
    direction = np.array(spot.direction) + (0.4 * rng.standard_normal(d) / d**0.5 if d > 1 else 0.0)
    direction /= float(np.linalg.norm(direction)) * (1 + 1e-12)
    reach = spot.reach if rng.random() < 0.75 else spot.reach * float(rng.uniform(0.5, 1.0))
    return Spot(tuple(map(float, centre)), tuple(map(float, direction)), reach)


def spots(d: int) -> tuple[Spot, ...]:
    """Other directions, radii and scales than those of the line pairs: a rule may differ in each."""
    first, last, zero, middle = unit(d, 0), unit(d, -1), np.zeros(d), np.ones(d) / d**0.5
    chosen = [(0.5 * first, first, 1.0), (zero, first, 0.5), (0.9 * last, last, 0.25)]
    if d > 1:
        across = (first - unit(d, 1)) / 2**0.5
        chosen += [(zero, last, 1.0), (last, last, 1.0), (zero, middle, 1.0), (0.5 * across, middle, 1.0)]
    return tuple(Spot(tuple(map(float, c)), tuple(map(float, u)), reach) for c, u, reach in chosen)


def random_pair(rf: float, d: int, rng: np.random.Generator) -> Pair:
    """Random members of the class on both sides."""
    retain, low, high = (Mixture((random_member(rng, d, 1.0, 1.0),), [1.0]) for _ in range(3))
    return Pair("random members", Problem(retain, low, rf, 1.0, 1.0, high))


@lru_cache(maxsize=16)
def candidates(rf: float, d: int) -> tuple[Pair, ...]:
    """The extremal pairs of the class, spots of the searched family, and the widest of some random pairs."""
    rng = np.random.default_rng(11)
    found = [line_pair(g, rf, d) for g in (0.0, -1.0, 1.0)] + [noisy_pair(0.5, rf, d), scale_pair(rf, d)]
    wide = wide_pair(rf, d)
    number = RANDOM if d <= RANDOM_DIM else 0
    drawn = sorted((random_pair(rf, d, rng) for _ in range(number)), key=lambda pair: -pair.distance)[:2]
    return (*found, *([wide] if wide else []), *(spot_pair(spot, rf) for spot in spots(d)), *drawn)


@lru_cache(maxsize=16)
def smooth_candidates(rf: float, d: int) -> tuple[Pair, ...]:
    """Pairs of smooth losses alone: quadratics whose optima lie as far apart as any, and logistic losses."""
    found = [line_pair(g, rf, d) for g in (0.0, -1.0, 1.0)] + [noisy_pair(0.5, rf, d)]
    found += [spot_pair(spot, rf) for spot in spots(d)]
    return (*found, Pair("logistic losses", logistic_problem(rf, d)), scale_pair(rf, d))


@lru_cache(maxsize=16)
def logistic_problem(rf: float, d: int) -> Problem:
    """Logistic losses of either label, forgotten for the one or for the other: smooth, not quadratic."""
    axis = 0.5 * unit(d, 0)
    plus, minus = logistic(axis, 1, 1.0), logistic(axis, -1, 1.0)
    sides = [Mixture((loss,), [1.0]) for loss in (minus, plus)]
    return Problem(Mixture((plus, minus), [0.7, 0.3]), sides[0], rf, 1.0, 1.0, sides[1])


def claimed_pairs(subject: Subject, settings: Settings) -> tuple[Pair, ...]:
    """The pairs that a rule claims its budget for: smooth ones alone if it declares `assumes_smooth`."""
    rf, d = settings.rf, settings.dim
    rule = subject.on(line_pair(0.0, rf, d).problem)
    smooth = rule.declared("assumes_smooth", settings.setup())
    return smooth_candidates(rf, d) if smooth else candidates(rf, d)
