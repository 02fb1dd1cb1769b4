"""The least private Gaussian scale, remembered: rules ask for it at every start."""

from functools import lru_cache

from oubli.sim.laws import gaussian_sigma


@lru_cache(maxsize=256)
def least_sigma(eps: float, delta: float) -> float:
    """The least sigma that is (eps, delta)-private at unit sensitivity, rounded up.

    >>> round(least_sigma(1.0, 1e-5), 9)
    3.730631635
    """
    return float(gaussian_sigma(eps, delta))
