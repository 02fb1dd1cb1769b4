"""How many steps retraining with growing weights needs: the best a and c on a grid.

With n = T + 1, s = c + 1/2 - 2 lambda (1 + c/a)^2 and x the target in units e0, T steps suffice once n (n/2
+ a + s - 1) x >= i + 2 lambda^2 (1 + c/a)^2 + n (8 V + lambda^2/s) + 8 V c (2 + c/a) Y, where Y, the sum of
1/(t + a) over t < n, is at most 1/a + ln((n + a - 1/2)/(a + 1/2)). Two rounds: Y at what is printed, then
at what that gives; each n is the root of a quadratic and suffices. The grid does not depend on the row.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes.chain import by_blocks
from oubli.theory.regimes.safe import Floats, down, single, up
from oubli.theory.regimes.sgd import LAMBDA, TRIES, V

_c, _m = (g.ravel() for g in np.meshgrid(np.geomspace(5.0, 3000.0, 22), [1.0, 1.3, 1.6, 2.0, 3.0]))
_a = _c * _m
_ratio = (1 + _c / _a) ** 2
_s = _c + 0.5 - 2 * LAMBDA * _ratio
_good = (_s > 0.1) & (_a**2 >= 2.001 * LAMBDA * (_a + _c))
SHIFTS, STARTS = _c[_good], _a[_good]
_LEFT, _RATIO = down(_s[_good]), up(_ratio[_good])
_ROOM = down(STARTS + _LEFT - 1)
_BEGIN = np.maximum((STARTS - 1) ** 2 / 2 - 2 * LAMBDA * (STARTS - 1 + SHIFTS), 0.0)
_FIXED = up(_BEGIN + 2 * LAMBDA**2 * _RATIO)
_EACH = up(8 * V + LAMBDA**2 / _LEFT)
_MORE = up(8 * V * SHIFTS * (2 + SHIFTS / STARTS))


def linear_steps(x: Floats) -> Floats:
    """An integer T that suffices to retrain to the target x > 0, in units e0.

    >>> float(linear_steps(np.array([1e-4]))[0]) < 4.4e4
    True
    """
    return by_blocks(_block, x)


def _block(x: Floats) -> Floats:
    n = 16 / x
    for _ in range(2):
        n = _root(x, _cost(n))
    whole = np.ceil(up(n))
    return np.asarray(np.where(_spare(x, whole) >= 0, whole - 1, np.inf).min(axis=1))


def _spare(x: Floats, n: Floats) -> Floats:
    """How much more than needed n points give."""
    return np.asarray(down(n * (n / 2 + _ROOM) * x) - up(_cost(n) + n * _EACH))


def proposed(x: float, T: float) -> list[tuple[float, ...]]:
    """The pairs (a, c) with which T steps seem to suffice with most to spare."""
    spare = _spare(single(x), np.full_like(STARTS, T + 1))
    return [(float(STARTS[i]), float(SHIFTS[i])) for i in np.argsort(-spare)[:TRIES]]


def pairs(x: Floats, T: Floats) -> tuple[Floats, Floats]:
    """The pair (a, c) of each row with which T steps suffice with most to spare."""
    best = by_blocks(_most_spare, x, T).astype(int)
    return STARTS[best], SHIFTS[best]


def _most_spare(x: Floats, T: Floats) -> Floats:
    return np.asarray(_spare(x, T + 1).argmax(axis=1), dtype=np.float64)


def _cost(n: Floats) -> Floats:
    """What does not grow like n: the start, the end and the sum Y."""
    return up(_FIXED + _MORE * (1 / STARTS + np.log((n + STARTS - 0.5) / (STARTS + 0.5))))


def _root(x: Floats, cost: Floats) -> Floats:
    """The positive root n of n (n/2 + room) x = cost + n each."""
    half = _EACH / x - _ROOM
    return np.asarray(half + np.sqrt(half**2 + 2 * cost / x))
