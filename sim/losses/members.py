"""Random members of F_sc(mu, L) for the checks, and extremal ones for the worst cases."""

from collections.abc import Callable

import numpy as np

from oubli.sim.losses.families import (
    Regularised,
    absolute,
    cone,
    curved,
    hard,
    huber,
    kink,
    logistic,
    max_affine,
    quadratic,
    synthetic,
)
from oubli.sim.require import Array

Maker = Callable[[np.random.Generator, int, float, float], Regularised]


def _direction(rng: np.random.Generator, d: int) -> Array:
    vector = rng.standard_normal(d)
    return np.asarray(vector / np.linalg.norm(vector))


def _in_ball(rng: np.random.Generator, d: int, R: float) -> Array:
    return np.asarray(R * float(rng.random()) ** (1 / d) * _direction(rng, d))


def _hard(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    return hard(float(rng.uniform(-1, 1)), d, L, mu)


def _quadratic(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    return quadratic(_in_ball(rng, d, L / (2 * mu)), mu)


def _curved(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    centre = _in_ball(rng, d, L / (2 * mu))
    # (mu + extra)·R + extra·‖centre‖ <= L is the Lipschitz bound.
    most = (L / 2) / (L / (2 * mu) + float(np.linalg.norm(centre)))
    return curved(centre, mu, most * float(rng.random()))


def _cone(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    return cone(_in_ball(rng, d, L / (2 * mu)), L / 2 * float(rng.random()), mu)


def _huber(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    R = L / (2 * mu)
    return huber(_in_ball(rng, d, R), L / 2 * float(rng.random()), R * float(rng.uniform(0.01, 1)), mu)


def _absolute(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    weights = np.abs(_direction(rng, d)) * (L / 2) * float(rng.random())
    return absolute(_in_ball(rng, d, L / (2 * mu)), weights, mu)


def _kink(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    left, right = np.sort(rng.uniform(-L / 2, L / 2, 2))
    R = L / (2 * mu)
    return kink(float(rng.uniform(-R, R)), float(left), float(right), d, mu)


def _logistic(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    return logistic(L / 2 * float(rng.random()) * _direction(rng, d), int(rng.choice([-1, 1])), mu)


def _pieces(rng: np.random.Generator, d: int, L: float, mu: float) -> tuple[Array, Array]:
    count = int(rng.integers(2, 6))
    slopes = np.array([_in_ball(rng, d, L / 2) for _ in range(count)])
    return slopes, rng.uniform(-1, 1, count) * L**2 / (4 * mu)


def _max_affine(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    slopes, offsets = _pieces(rng, d, L, mu)
    return max_affine(slopes, offsets, mu)


def _wide(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    """A tilted plane with walls across the tilt, each as steep as the certified Lipschitz bound allows.

    A wall is active on a small cap only, where the bound leaves room: in d >= 2 its slope can exceed L/2.
    """
    R = L / (2 * mu)
    tilt = _direction(rng, d)
    slopes, offsets = (L / 2 * float(rng.uniform(0.6, 1)) * tilt)[None], np.zeros(1)
    for _ in range(int(rng.integers(1, 4))):
        normal = _direction(rng, d)
        across = normal - (normal @ tilt) * tilt if d > 1 else normal
        across /= np.linalg.norm(across)
        height = R * float(rng.uniform(0.3, 0.95))
        slopes, offsets = _steepest_wall(slopes, offsets, across, height, L, mu)
    return max_affine(slopes, offsets, mu)


def _steepest_wall(
    slopes: Array, offsets: Array, across: Array, height: float, L: float, mu: float
) -> tuple[Array, Array]:
    """Add the steepest piece that fits and leaves the first one at <across, theta> = height."""
    low, high = 0.0, L
    for _ in range(40):
        rise = (low + high) / 2
        tried = np.vstack([slopes, slopes[0] + rise * across]), np.append(offsets, -rise * height)
        fits = max_affine(*tried, mu).lipschitz(L / (2 * mu)).high <= L
        low, high = (rise, high) if fits else (low, rise)
    return np.vstack([slopes, slopes[0] + low * across]), np.append(offsets, -low * height)


MAKERS: dict[str, Maker] = {
    "hard": _hard,
    "quadratic": _quadratic,
    "curved": _curved,
    "cone": _cone,
    "huber": _huber,
    "absolute": _absolute,
    "kink": _kink,
    "logistic": _logistic,
    "max_affine": _max_affine,
    "wide": _wide,
}


def random_member(rng: np.random.Generator, d: int, L: float, mu: float) -> Regularised:
    """A loss of F_sc(mu, L), of a random kind with random parameters.

    >>> random_member(np.random.default_rng(0), 2, 1.0, 1.0).d
    2
    """
    return MAKERS[str(rng.choice(list(MAKERS)))](rng, d, L, mu)


def extremal_members(d: int, L: float, mu: float) -> dict[str, Regularised]:
    """The members that attain the Lipschitz bound and the worst cases of the paper's inequalities.

    >>> sorted(extremal_members(1, 1.0, 1.0))
    ['cone', 'hard+', 'hard-', 'kink at half radius', 'quadratic+', 'quadratic-']
    """
    R = L / (2 * mu)
    axis = np.eye(d)[0]
    members = {
        "hard+": hard(1.0, d, L, mu),
        "hard-": hard(-1.0, d, L, mu),
        "quadratic+": quadratic(R * axis, mu),
        "quadratic-": quadratic(-R * axis, mu),
        "cone": cone(np.zeros(d), L / 2, mu),
        "kink at half radius": kink(R / 2, -L / 4, L / 2, d, mu),
    }
    if d in (2, 4):
        members["synthetic+"] = synthetic(1.0, d, L, mu)
        members["synthetic-"] = synthetic(-1.0, d, L, mu)
    return members
