"""The arcsine distance of two binomial laws, √T/2·|arcsin γ' − arcsin γ| with γ = 2p − 1, enclosed."""

from oubli.sim.laws.ball import Enclosure, as_ball, refine
from oubli.sim.laws.exact import Exact, exact_integer, exact_probability


def arcsine_distance_ball(T: Exact, p: Exact, q: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose √T/2·|arcsin(2q−1) − arcsin(2p−1)|, relative width at most 10^-digits.

    >>> lower, upper = arcsine_distance_ball(100, "0.5", "0.55")
    >>> round(float(lower), 12), round(float(upper), 12)
    (0.500837105808, 0.500837105808)
    """
    steps = exact_integer(T, "T")
    low, high = sorted((exact_probability(p, "p"), exact_probability(q, "q")))
    if low == high or steps == 0:
        return low - low, low - low
    g, g2 = 2 * low - 1, 2 * high - 1
    return refine(lambda: as_ball(steps).sqrt() / 2 * (as_ball(g2).asin() - as_ball(g).asin()), digits)
