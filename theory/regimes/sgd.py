"""How many steps SGD with steps c/(mu (1 + kt)) needs: the best weight c on a grid, Newton from above.

With p_t = 1 + k t, k = c (1 - lambda c), H = sum of 1/p_t over t = 0 … T and x the target in units e0, T
steps suffice once g(T) = T + 1 - A - B H >= 0, A = 4 (1 - lambda c)^2 D/(c x), B = lambda c + 4 V c/x. H is
at most 1 + ln((1 + k(T + 1/2))/(1 + k/2))/k (1/p is convex), so g is convex, and Newton's steps from its
right side never pass the root: wherever they stop, T suffices. The grid does not depend on the row, so the
answer is monotone in the target and in D.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes import registry
from oubli.theory.regimes.safe import Floats, single, up

V, LAMBDA = registry.noise_constant(), registry.noise_slope()
WEIGHTS = np.geomspace(1e-7, 0.6, 80)
_GROWTH = WEIGHTS * (1 - LAMBDA * WEIGHTS)
_ROUNDS = 4
_BLOCK = 256
_FAR = 1e15
_SHORT = np.array([float(f"{c:.6g}") for c in WEIGHTS])
TRIES = 3  # how many proposals are decided before an end is given up


def harmonic(T: Floats, k: Floats) -> Floats:
    """An upper bound on the sum of 1/(1 + k t), t = 0 … T.

    >>> float(harmonic(np.float64(1000), np.float64(0.1))) >= sum(1 / (1 + 0.1 * t) for t in range(1001))
    True
    """
    return up(1 + np.log1p(T * (k / (1 + k / 2))) / k)


def fewest_steps(x: Floats, D: Floats) -> Floats:
    """An integer T that suffices for the target x (units e0) from mean square distance D, or inf.

    >>> float(fewest_steps(np.array([0.01]), np.array([1e-4]))[0])
    15.0
    """
    steps = np.full(x.shape, np.inf)
    live = np.flatnonzero((x > 0) & np.isfinite(D))
    for begin in range(0, len(live), _BLOCK):
        rows = live[begin : begin + _BLOCK]
        steps[rows] = _block(x[rows, None], D[rows, None])
    return steps


def weight(x: float, D: float, T: float) -> float:
    """A weight c with which T steps suffice for the target x from the distance D, in six digits if these do.

    >>> weight(0.01, 1e-4, 15.0)
    0.0052356
    """
    found = float(weights(*(np.array([value]) for value in (x, D, T)))[0])
    if np.isnan(found):
        raise ValueError(f"T = {T:g}: no weight reaches x = {x:g} from D = {D:g}")
    return found


def weights(x: Floats, D: Floats, T: Floats) -> Floats:
    """The weight c of each row, as `weight` gives it; nan where none suffices."""
    found = np.full(x.shape, np.nan)
    for begin in range(0, len(x), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        found[rows] = _first_good(*(column[rows, None] for column in (x, D, T)))
    return found


def _first_good(x: Floats, D: Floats, T: Floats) -> Floats:
    found = np.full(len(x), np.nan)
    for c in (WEIGHTS, _SHORT):  # the short ones last: they win where they do
        good = _spare(c, x, D, T) >= 0
        found = np.where(good.any(axis=1), c[good.argmax(axis=1)], found)
    return found


def proposed(x: float, D: float, T: float) -> list[tuple[float, ...]]:
    """The weights with which T steps seem to suffice with most to spare."""
    spare = _spare(WEIGHTS, *(single(value) for value in (x, D, T)))
    return [(float(WEIGHTS[i]),) for i in np.argsort(-spare)[:TRIES]]


def _spare(c: Floats, x: Floats, D: Floats, T: Floats) -> Floats:
    """How many steps more than enough T is for each weight; -inf where it is not enough."""
    A, B = _sides(c, x, D)
    k = c * (1 - LAMBDA * c)
    return np.where(_holds(T, A, B, k), T + 1 - up(A + B * harmonic(T, k)), -np.inf)


def _sides(c: Floats, x: Floats, D: Floats) -> tuple[Floats, Floats]:
    return up(4 * (1 - LAMBDA * c) ** 2 / c * (D / x)), up(LAMBDA * c + 4 * V * c / x)


def _block(x: Floats, D: Floats) -> Floats:
    k = _GROWTH
    A, B = _sides(WEIGHTS, x, D)
    T = A + B * harmonic(np.full_like(k, _FAR), k)
    for _ in range(_ROUNDS):
        slope = np.maximum(1 - B / (1 + k * (T + 0.5)), 1e-3)
        T = np.clip(T - (T + 1 - A - B * harmonic(T, k)) / slope, 0.0, T)
    whole = np.ceil(T)
    enough = [np.where(_holds(n, A, B, k), n, np.inf) for n in (whole, whole + 1)]
    return np.asarray(np.minimum(*enough).min(axis=1))


def _holds(T: Floats, A: Floats, B: Floats, k: Floats) -> np.typing.NDArray[np.bool_]:
    return np.asarray((T < _FAR / 2) & (up(A + B * harmonic(T, k)) <= T + 1))
