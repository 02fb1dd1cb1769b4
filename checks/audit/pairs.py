"""The problems on which privacy is attacked: pairs (D_f, D_f') whose optima lie far apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim.losses import Regularised, hard, max_affine, quadratic
from sim.members import random_member
from sim.mixture import Mixture
from sim.problem import Problem
from sim.require import Array

# A loss of the plane, scaled to L = mu = 1: near (1/2, 0) its first slope is steeper across than 1/2, the
# most that a smooth quadratic has, and the second piece takes over before it would leave the class.
SLOPES = np.array([[0.0865, 0.5627], [-0.1697, 0.4703]])


@dataclass(frozen=True, eq=False)
class Pair:
    """A problem with both forget laws, and its name."""

    name: str
    problem: Problem

    @property
    def optima(self) -> tuple[Array, Array]:
        """theta*(D_f) and theta*(D_f')."""
        return self.problem.full_optimum.point, self.problem.alternative_optimum.point

    @property
    def distance(self) -> float:
        """How far apart they are, less the error of both."""
        first, second = self.optima
        error = self.problem.full_optimum.distance + self.problem.alternative_optimum.distance
        return max(0.0, float(np.linalg.norm(first - second)) - error)


@lru_cache(maxsize=64)
def line_pair(g: float, rf: float, d: int) -> Pair:
    """Retain hard(g), forget hard(−1) or hard(1): the distance r_f L/mu is attained, without sampling noise.

    >>> round(line_pair(0.0, 0.1, 1).distance, 9)
    0.1
    """
    retain = Mixture((hard(g, d, 1.0, 1.0),), [1.0])
    low, high = (Mixture((hard(sign, d, 1.0, 1.0),), [1.0]) for sign in (-1.0, 1.0))
    return Pair(f"retain hard({g:g}), forget hard(-1) or hard(+1)", Problem(retain, low, rf, 1.0, 1.0, high))


@lru_cache(maxsize=64)
def noisy_pair(gamma: float, rf: float, d: int) -> Pair:
    """Retain signs of mean gamma, as in the lower bound; forget hard(−1) or hard(1)."""
    signs = (hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0))
    retain = Mixture(signs, [(1 + gamma) / 2, (1 - gamma) / 2])
    low, high = Mixture((signs[1],), [1.0]), Mixture((signs[0],), [1.0])
    return Pair(f"retain signs of mean {gamma:g}, forget -1 or +1", Problem(retain, low, rf, 1.0, 1.0, high))


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
    if d < 2:
        return None
    low, high = 0.0, 1.2
    for _ in range(40):
        scale = (low + high) / 2
        tie = (1 - rf) * np.array([0.5, 0.0]) - rf * scale * SLOPES[0]
        fits = _steep(tie, scale, 1.0, d).lipschitz(0.5).high <= 1.0
        low, high = (scale, high) if fits else (low, scale)
    tie = (1 - rf) * np.array([0.5, 0.0]) - rf * low * SLOPES[0]
    sides = [Mixture((_steep(tie, low, mirror, d),), [1.0]) for mirror in (1.0, -1.0)]
    retain = Mixture((quadratic(0.5 * np.eye(d)[0], 1.0),), [1.0])
    pair = Pair(
        "retain quadratic at R e_1, forget steep across", Problem(retain, sides[0], rf, 1.0, 1.0, sides[1])
    )
    return pair if pair.distance > rf else None


def random_pair(rf: float, d: int, rng: np.random.Generator) -> Pair:
    """Random members of the class on both sides."""
    retain, low, high = (Mixture((random_member(rng, d, 1.0, 1.0),), [1.0]) for _ in range(3))
    return Pair("random members", Problem(retain, low, rf, 1.0, 1.0, high))


@lru_cache(maxsize=64)
def candidates(rf: float, d: int, seed: int) -> tuple[Pair, ...]:
    """The extremal pairs and the best of some random ones."""
    rng = np.random.default_rng([seed, 11])
    found = [line_pair(g, rf, d) for g in (0.0, -1.0, 1.0)] + [noisy_pair(0.5, rf, d)]
    wide = wide_pair(rf, d)
    drawn = max((random_pair(rf, d, rng) for _ in range(8)), key=lambda pair: pair.distance)
    return (*found, *([wide] if wide else []), drawn)
