"""Bounds from two lists of scalar scores: the part of the audit that knows nothing of unlearning."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import nctdtr

from oubli.checks.audit.counts import delta_lower, epsilon_lower, poisson_size
from oubli.checks.audit.events import choose, delta_worth, epsilon_worth
from oubli.sim.laws import gaussian_epsilon
from oubli.sim.require import Array, require

# Share of the scores that choose the event; they are never counted.
LOOK = 0.1
# Its eps lies inside the domain of the exact Gaussian law for every delta of that domain.
LEAST_SIGMA = 1e-2


def _split(scores: Array, size: float, rng: np.random.Generator) -> tuple[Array, Array | None]:
    """The scores that look, and a Poisson number of the others, or None where there are too few."""
    look = int(LOOK * len(scores))
    wanted = int(rng.poisson(size))
    return scores[:look], scores[look : look + wanted] if look + wanted <= len(scores) else None


def _sizes(first: Array, second: Array) -> float:
    least = min(len(first), len(second))
    require(least >= 100, "at least 100 scores a side are needed", least)
    return poisson_size(least - int(LOOK * least))


def epsilon_from_scores(first: Array, second: Array, delta: float, level: float, seed: int) -> float:
    """At most the true eps of the two laws at delta with probability 1 − level; independent draws assumed.

    >>> rng = np.random.default_rng(1)
    >>> bool(epsilon_from_scores(rng.normal(1, 1, 10**4), rng.normal(0, 1, 10**4), 1e-5, 0.05, 0) > 2)
    True
    """
    rng, size = np.random.default_rng(seed), _sizes(first, second)
    (look_1, test_1), (look_2, test_2) = _split(first, size, rng), _split(second, size, rng)
    if test_1 is None or test_2 is None:
        return 0.0
    sign = 1.0 if look_1.mean() >= look_2.mean() else -1.0
    (event,) = choose(sign * look_1, sign * look_2, size, epsilon_worth(size, delta, level))
    return max(0.0, epsilon_lower(event.count(sign * test_1, sign * test_2, size), delta, level))


def delta_from_scores(first: Array, second: Array, eps: float, level: float, seed: int) -> float:
    """At most the true delta of the two laws at eps with probability 1 − level; independent draws assumed.

    >>> delta_from_scores(np.ones(1000), np.zeros(1000), 1.0, 0.05, 0) > 0.8
    True
    """
    rng, size = np.random.default_rng(seed), _sizes(first, second)
    (look_1, test_1), (look_2, test_2) = _split(first, size, rng), _split(second, size, rng)
    if test_1 is None or test_2 is None:
        return 0.0
    sign = 1.0 if look_1.mean() >= look_2.mean() else -1.0
    (event,) = choose(sign * look_1, sign * look_2, size, delta_worth(size, eps))
    return delta_lower(event.count(sign * test_1, sign * test_2, size), eps, level)


def separation_lower(first: Array, second: Array, level: float) -> float:
    """At most |mean difference|/deviation with probability 1 − level, if both are Gaussian of one variance.

    The two-sample t statistic is noncentral t; both signs are paid for, because the larger one is taken.
    """
    n, m = len(first), len(second)
    freedom = n + m - 2
    pooled = (first.var() * n + second.var() * m) / freedom
    gap = abs(float(first.mean() - second.mean()))
    if pooled <= 1e-24 * max(1.0, gap) ** 2:
        return math.inf if gap > 0 else 0.0
    scale = math.sqrt(n * m / (n + m))
    t = gap / math.sqrt(pooled) * scale
    return max(0.0, _noncentrality(t, freedom, level / 2) / scale)


def _noncentrality(t: float, freedom: int, level: float) -> float:
    """The noncentrality at which a statistic of at least t has probability level; 0 if there is none."""
    if freedom > 500:
        # Johnson and Welch: t is normal with mean nc and variance 1 + t²/(2·freedom), error O(1/freedom).
        from scipy.special import ndtri

        return max(
            0.0, t * (1 - 1 / (4 * freedom)) + float(ndtri(level)) * math.sqrt(1 + t * t / (2 * freedom))
        )
    if 1 - nctdtr(freedom, 0.0, t) >= level:
        return 0.0
    return float(brentq(lambda nc: 1 - nctdtr(freedom, nc, t) - level, 0.0, t + 10))


def gaussian_epsilon_from_scores(first: Array, second: Array, delta: float, level: float) -> float:
    """At most the true eps at delta with probability 1 − level, if both laws are Gaussian of one variance.

    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(1, 1, 10**4), rng.normal(0, 1, 10**4)
    >>> 4.1 < gaussian_epsilon_from_scores(x, y, 1e-5, 0.05) < 4.6
    True
    """
    apart = separation_lower(first, second, level)
    if apart == math.inf:
        return math.inf
    # Less noise than the law's domain has means a larger eps: its end is still a bound from below.
    return float(gaussian_epsilon(max(1 / apart, LEAST_SIGMA), delta)) if apart > 1e-6 else 0.0
