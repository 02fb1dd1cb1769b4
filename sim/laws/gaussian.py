"""The Gaussian mechanism with unit sensitivity in floats: δ(ε,σ), σ(ε,δ) and ε(σ,δ), each rounded up.

What the direction of rounding rests on: δ is evaluated to a few ulps and then raised by a margin about ten
times the largest error met against enclosures, and every σ and ε is returned only after this raised δ passed.
It is tested, not proved (the error of the platform's exp and erfcx is nobody's theorem); where proof matters,
use the `_ball` twins.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oubli.sim.laws.decreasing import solve_decreasing
from oubli.sim.laws.doubled import FloatOrArray, Floats
from oubli.sim.laws.gaussian_ball import epsilon_root, gaussian_attains
from oubli.sim.laws.gaussian_domain import DELTA, EPSILON, SIGMA
from oubli.sim.laws.gaussian_start import epsilon_start, sigma_start
from oubli.sim.laws.gaussian_tail import gaussian_tail

# δ is raised by this much: about ten times the largest error of its evaluation met against enclosures.
_MARGIN = 2.0**-45
_SUBNORMAL = 1e-322  # some ulps where doubles lose their digits
_LOOSEST = 1e-13
_ULP = 2.0**-52
_ROUNDS = 30
_BLOCK = 2048

Safe = Callable[[Floats, NDArray[np.intp]], NDArray[np.bool_]]


def gaussian_delta(eps: ArrayLike, sigma: ArrayLike) -> FloatOrArray:
    """The least δ of Gaussian noise σ at ε, rounded up.

    Args:
        eps: ε, from 1e-6 to 1e4; an array broadcasts.
        sigma: The standard deviation σ at unit sensitivity, from 1e-6 to 1e12; an array broadcasts.

    Returns:
        A δ that suffices: exact δ ≤ result ≤ exact δ·(1 + 1e-13) + 1e-321.

    >>> round(gaussian_delta(1.0, 1.0), 8)
    0.12693674
    """
    return _mapped(_delta_up, EPSILON.floats(eps), SIGMA.floats(sigma))


def gaussian_sigma(eps: ArrayLike, delta: ArrayLike) -> FloatOrArray:
    """The least Gaussian noise for (ε,δ) at unit sensitivity, rounded up.

    Args:
        eps: ε, from 1e-6 to 1e4; an array broadcasts.
        delta: δ, from 1e-300 to 0.9; an array broadcasts.

    Returns:
        A standard deviation that suffices: exact δ(ε, result) ≤ δ, and result ≤ least·(1 + 1e-13).

    >>> round(gaussian_sigma(1.0, 1e-5), 12)
    3.730631634816
    """
    return _mapped(_sigma_up, EPSILON.floats(eps), DELTA.floats(delta))


def gaussian_epsilon(sigma: ArrayLike, delta: ArrayLike) -> FloatOrArray:
    """The least ε for Gaussian noise σ and δ, rounded up.

    "Least" is over [1e-6, 1e4]: 1e-6 where that is attained already, ValueError where even 1e4 is not.

    Args:
        sigma: The standard deviation σ at unit sensitivity, from 1e-6 to 1e12; an array broadcasts.
        delta: δ, from 1e-300 to 0.9; an array broadcasts.

    Returns:
        An ε that is attained: exact δ(result, σ) ≤ δ, and result ≤ least·(1 + 1e-13).

    >>> round(gaussian_epsilon(3.730631634816, 1e-5), 12)
    1.0
    """
    return _mapped(_epsilon_up, SIGMA.floats(sigma), DELTA.floats(delta))


def _mapped(compute: Callable[[Floats, Floats], Floats], first: Floats, second: Floats) -> FloatOrArray:
    """`compute` over broadcast arrays, block by block so that temporaries stay in the cache."""
    first, second = np.broadcast_arrays(first, second)
    shape = first.shape
    first, second = first.ravel(), second.ravel()
    result = np.empty(len(first))
    with np.errstate(under="ignore"):
        for begin in range(0, len(first), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            result[part] = compute(first[part], second[part])
    return result.reshape(shape) if shape else float(result[0])


def _delta_up(eps: Floats, sigma: Floats) -> Floats:
    raised = gaussian_tail(eps, sigma).delta * (1 + _MARGIN) + _SUBNORMAL
    return np.minimum(raised, 1.0)


def _sigma_up(eps: Floats, delta: Floats) -> Floats:
    goal = np.log(delta)

    def value(sigma: Floats, rows: NDArray[np.intp]) -> tuple[Floats, Floats]:
        tail = gaussian_tail(eps[rows], sigma)
        return tail.log_delta - goal[rows], tail.slope_sigma

    sigma = solve_decreasing(value, sigma_start(eps, delta), SIGMA.least, SIGMA.most)
    slack = _slack(gaussian_tail(eps, sigma).slope_sigma)
    return _raised(sigma, slack, lambda s, rows: _delta_up(eps[rows], s) <= delta[rows])


def _epsilon_up(sigma: Floats, delta: Floats) -> Floats:
    result = np.full_like(sigma, EPSILON.least)
    open_rows = np.flatnonzero(_delta_up(result, sigma) > delta)
    sigma, delta = sigma[open_rows], delta[open_rows]
    beyond = _delta_up(np.full_like(sigma, EPSILON.most), sigma) > delta
    if beyond.any():
        given = f"sigma = {sigma[beyond][0]:g}, delta = {delta[beyond][0]:g}"
        raise ValueError(f"{given}: the least eps must lie in [{EPSILON.least:g}, {EPSILON.most:g}]")
    result[open_rows] = _epsilon_inside(sigma, delta)
    return result


def _epsilon_inside(sigma: Floats, delta: Floats) -> Floats:
    goal = np.log(delta)

    def value(eps: Floats, rows: NDArray[np.intp]) -> tuple[Floats, Floats]:
        tail = gaussian_tail(eps, sigma[rows])
        return tail.log_delta - goal[rows], tail.slope_eps

    eps = solve_decreasing(value, epsilon_start(sigma, delta), EPSILON.least, EPSILON.most)
    slack = _slack(gaussian_tail(eps, sigma).slope_eps)
    flat = slack > _LOOSEST / 2
    steep = np.flatnonzero(~flat)
    eps[steep] = _raised(
        eps[steep], slack[steep], lambda e, rows: _delta_up(e, sigma[steep][rows]) <= delta[steep][rows]
    )
    for row in np.flatnonzero(flat):
        # Here δ hardly depends on ε: only more digits than a double has can tell ε.
        eps[row] = _ball_epsilon_up(float(sigma[row]), float(delta[row]))
    return np.minimum(eps, EPSILON.most)


def _slack(slope: Floats) -> Floats:
    """How far the unknown moves when δ moves by its margin, plus the unknown's own rounding."""
    return (_MARGIN + 8 * _ULP) / np.abs(slope) + 2 * _ULP


def _raised(x: Floats, slack: Floats, safe: Safe) -> Floats:
    """x raised by its slack, and further until `safe`; RuntimeError if that does not come soon."""
    x = x * (1 + slack)
    rows = np.arange(len(x))
    for doubling in range(_ROUNDS):
        rows = rows[~safe(x[rows], rows)]
        if not len(rows):
            return x
        x[rows] *= 1 + _ULP * 2.0**doubling
    raise RuntimeError("no safe rounding was found: please report the arguments")


def _ball_epsilon_up(sigma: float, delta: float) -> float:
    if gaussian_attains(EPSILON.least, sigma, delta):
        return EPSILON.least
    upper = epsilon_root(sigma, delta, 16)[1]
    nearest = float(upper)
    return nearest if nearest >= upper else float(np.nextafter(nearest, np.inf))
