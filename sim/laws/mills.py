"""The Mills ratio m(x) = (1 − Φ(x))/φ(x) of the normal law, and what remains of it after cancellation."""

import numpy as np
from scipy.special import erfcx

from oubli.sim.laws.doubled import Floats

_FAR = 3.0  # from here the continued fraction is both quick and free of cancellation
_TERMS = 46


def mills(x: Floats) -> Floats:
    """m(x), relatively accurate for x ≥ −1 (below, x² ulps are lost, and at −38 it overflows to inf).

    >>> round(float(mills(np.array(0.0))), 15)
    1.2533141373155
    """
    ratio: Floats = np.sqrt(np.pi / 2) * erfcx(x / np.sqrt(2))
    return ratio


def mills_slope(x: Floats) -> Floats:
    """−m'(x) = 1 − x·m(x) > 0, relatively accurate for every x ≥ −1.

    >>> float(mills_slope(np.array(0.0)))
    1.0
    """
    far = x > _FAR
    r = mills_remainder(np.where(far, x, _FAR))
    return np.where(far, r / (x + r), 1 - x * mills(np.where(far, 0.0, x)))


def mills_remainder(x: Floats) -> Floats:
    """r(x) = 1/m(x) − x, relatively accurate for x ≥ 3: the continued fraction 1/(x + 2/(x + 3/(x + …))).

    >>> round(float(mills_remainder(np.array(3.0))), 12)
    0.28309865493
    """
    tail = (np.sqrt(x * x + 4 * _TERMS) - x) / 2
    for k in range(_TERMS, 1, -1):
        tail = k / (x + tail)
    return 1 / (x + tail)
