"""The lower ends of a bracket, decided again in balls: at T - 1 gradients some claim leaves too much risk.

Nothing here shares code with the calculator but its grids: exact rationals go in, and a comparison of balls
is true only if it is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from sim.laws import binomial_tv_ball
from theory.ball import exact
from theory.regimes import chain, cube, kink, two_point
from theory.regimes.row import Row

Ball = Any


def lower_holds(row: Row, claims: tuple[str, ...], steps: int) -> bool:
    """Whether the claims certainly refuse `steps` - 1 gradients; nothing has to be shown for 0."""
    if steps == 0:
        return True
    return any(REFUSES[key](row, steps - 1) for key in claims if key in REFUSES)


def _positive(row: Row, T: int) -> bool:
    return T == 0 and row.x < 1


def _theta(row: Row, T: int) -> bool:
    return row.x < 1 and T * row.x < Fraction(3, 50)


def _coin_flips(row: Row, T: int) -> bool:
    return bool((1 + exact(T).sqrt()) ** 2 * exact(row.x) < 1)


def _printed(row: Row, T: int) -> bool:
    gamma = exact(3 * row.x).sqrt()
    if 3 * row.x > 1:
        return False
    # K = ceil((gamma/rho - 1)_+/2): the least integer that is certainly enough.
    K = max(0, ceil((float(gamma) / float(row.rho) * (1 + 1e-9) - 1) / 2))
    spent = 2 * K * (row.e_eps - 1 + row.delta_ball) if K else exact(0)
    return bool(gamma**2 * (1 - exact(1).pi() * gamma * exact(T).sqrt() / 2 - spent) > exact(row.x))


def _closed(row: Row, T: int) -> bool:
    if row.eps is None:
        return False
    pi = exact(1).pi()
    log = exact(Fraction(5, 4) / row.delta).log()
    c3 = 1 / (32 * exact(Fraction(125_000_000)).log())
    inside = exact(row.x) <= c3 / 27 * exact(row.rho**2) * (1 + 2 * log / exact(row.eps) ** 2)
    asked = 3 * row.x <= 1 and Fraction(1, 10**8) <= row.delta <= row.eps
    return bool(asked and inside and T * exact(row.x) * 27 * pi**2 < 1)


def _hops(width: Fraction, rho: Fraction) -> int:
    return ceil(width / rho) - 1


def _chain(row: Row, T: int) -> bool:
    y, t, root = exact(row.x).sqrt(), row.tanh, exact(T).sqrt()

    def refuses(width: Fraction) -> bool:
        g, K = exact(width), _hops(width, row.rho)
        prices = (t * y + (1 - t) * g * row.delta_ball, y)
        return any(bool(g > y * (1 + root * g.asin()) + K * price) for price in prices)

    return _some(refuses, _near(row, chain.HALF_WIDTHS))


def _cube(row: Row, T: int) -> bool:
    y, t = exact(row.x).sqrt(), row.tanh

    def refuses(pair: tuple[int, Fraction]) -> bool:
        coins, mean = pair
        a, g = exact(mean) / exact(coins).sqrt(), exact(mean)
        error = row.e_eps * exact(row.x) + (coins - 1) * row.delta_ball * 4 * a**2
        level = (error / (coins - 1 + row.e_eps)).sqrt()
        climb = level * (exact(T) * g * g.atanh()).sqrt()
        hop = t * level + (1 - t) * a * row.delta_ball
        return bool(a > y + climb + a / exact(row.rho) * hop)

    coins = [j for j in cube.COINS if j <= row.d]
    return _some(refuses, product(coins, (Fraction(float(m)) for m in cube.MEANS)))


def _two_point(row: Row, T: int) -> bool:
    t, x = row.tanh, exact(row.x)
    price = t + (1 - t) * row.delta_ball

    def refuses(width: Fraction) -> bool:
        K = _hops(width, row.rho)
        if T > 1 and K > 0:
            return False
        spent = exact(width) * T if T <= 1 else _variation(T, width)
        return bool(exact(width) ** 2 * (1 - spent - K * price) > x)

    widest = two_point.FEW if row.x >= Fraction(two_point.FEW_COINS) else two_point.MANY
    own = Fraction(min(float(row.rho) * (1 - 2.0**-40), widest * float(row.x) ** 0.5, 1.0))
    return _some(refuses, [min(own, row.rho), *_near(row, two_point.HALF_WIDTHS)])


def _kink(row: Row, T: int) -> bool:
    def refuses(pair: tuple[Fraction, Fraction]) -> bool:
        m, Q = pair
        p = Q / (1 + Q)
        # The width need not be the calculator's, only allowed: at most r (1 + m), and m' at least -1.
        near = Fraction(float(3 * row.x / p) ** 0.5)
        G = min(row.r * (1 + m), near, m / (1 + Q))
        arcs = exact(m).asin() - exact(m - (1 + Q) * G).asin()
        return bool(exact(p * G**2) * (1 - exact(T).sqrt() / 2 * arcs) > exact(row.x))

    pairs = zip(kink.MEANS, kink.SLOPES, strict=True)
    return _some(refuses, ((Fraction(float(m)), Fraction(float(Q))) for m, Q in pairs))


def _variation(T: int, width: Fraction) -> Ball:
    return exact(binomial_tv_ball(T, (1 - width) / 2, (1 + width) / 2, 15)[1])


def _near(row: Row, widths: np.ndarray[Any, np.dtype[np.float64]]) -> list[Fraction]:
    """The widths that can refuse anything: beyond sqrt(x)."""
    return [Fraction(float(g)) for g in widths if float(g) ** 2 > row.x]


def _some(refuses: Callable[[Any], bool], candidates: Iterable[Any]) -> bool:
    return any(refuses(candidate) for candidate in candidates)


REFUSES: dict[str, Callable[[Row, int], bool]] = {
    "scratch.positive": _positive,
    "scratch.theta": _theta,
    "sharp.scratch.lower": _coin_flips,
    "inefficient.step1.repaired": _printed,
    "inefficient.repaired": _closed,
    "sharp.lower": _chain,
    "sharp.cube": _cube,
    "sharp.two_point": _two_point,
    "sharp.kink": _kink,
}
