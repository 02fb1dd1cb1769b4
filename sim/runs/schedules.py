"""The schedules of the paper, with every sum telescoped.

H_T is the T-th harmonic number. With steps 2/(mu(t+2)) the recursion telescopes, (t+1)(t+2)x_{t+1} =
t(t+1)x_t + 2(t+1)q s_t; the average of weights 2(t+1)/((T+1)(T+2)), t = 0 … T, then has sign weights
4(t+1)(H_T − H_t)/((T+1)(T+2)).
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bernoulli, comb, digamma

from oubli.sim.require import Array, Counts

# Pieces of a kinked path that are integrated one by one.
MOST_BREAKS = 10_000


def harmonic(T: Counts) -> Array:
    """H_T = 1 + 1/2 + … + 1/T.

    >>> harmonic(np.array([0, 1, 4])).round(12).tolist()
    [0.0, 1.0, 2.083333333333]
    """
    T = np.asarray(T, dtype=float)
    return np.asarray(np.where(T > 0, digamma(T + 1) + np.euler_gamma, 0.0))


def geometric(a: Array, n: Counts) -> Array:
    """1 + b + … + b^(n−1) for b = 1 − a, 0 <= a <= 1, without cancellation for small a.

    >>> geometric(np.array([0.0, 0.5, 1.0]), np.array([3, 3, 3])).tolist()
    [3.0, 1.75, 1.0]
    """
    a, n = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(n, dtype=float))
    inner = (a > 0) & (a < 1)
    safe = np.where(inner, a, 0.5)
    total = -np.expm1(n * np.log1p(-safe)) / safe
    return np.asarray(np.where(inner, total, np.where(a == 0, n, np.minimum(n, 1.0))))


@dataclass(frozen=True)
class Idle:
    """No steps: the output is theta_0.

    >>> Idle().start_weight(np.array([0, 5])).tolist()
    [1.0, 1.0]
    """

    def start_weight(self, T: Counts) -> Array:
        return np.ones(np.shape(T))

    def sign_sum(self, T: Counts) -> Array:
        return np.zeros(np.shape(T))

    def sign_square_sum(self, T: Counts) -> Array:
        return np.zeros(np.shape(T))

    def sign_weights(self, T: Counts, t: Counts) -> Array:
        return np.zeros(np.broadcast_shapes(np.shape(T), np.shape(t)))

    def kinked(self, x0: Array, q: float | Array, T: Counts) -> Array:
        return x0

    def breaks(self, q: float, T: int, most: float) -> Array:
        return np.empty(0)

    def longest(self, T: Counts) -> Array:
        return np.zeros(np.shape(T))


@dataclass(frozen=True)
class Decreasing:
    """Steps 2/(mu(t+2)), output Σ_{t<=T} 2(t+1)/((T+1)(T+2)) theta_t: the repaired average, weights sum to 1.

    >>> schedule = Decreasing()
    >>> float(schedule.start_weight(np.array(1)) + schedule.sign_weights(np.array(1), np.arange(1)).sum())
    1.0
    """

    def start_weight(self, T: Counts) -> Array:
        T = np.asarray(T, dtype=float)
        return np.asarray(2 / ((T + 1) * (T + 2)))

    def sign_sum(self, T: Counts) -> Array:
        return np.asarray(1 - self.start_weight(T))

    def sign_square_sum(self, T: Counts) -> Array:
        # S_T = Σ (t+1)²(H_T − H_t)² has the increments 2T²/9 + 17T/18 + 7/6 − 1/(6(T+1)).
        T = np.asarray(T, dtype=float)
        S = T * (T - 1) * (2 * T - 1) / 27 + 17 * T * (T - 1) / 36 + 7 * T / 6 - harmonic(T) / 6
        return np.asarray(16 * S / ((T + 1) * (T + 2)) ** 2)

    def sign_weights(self, T: Counts, t: Counts) -> Array:
        late = np.maximum(harmonic(T) - harmonic(t), 0.0)
        return np.asarray(2 * (np.asarray(t) + 1) * late * self.start_weight(T))

    def kinked(self, x0: Array, q: float | Array, T: Counts) -> Array:
        # The first step has length 1/mu and forgets |x0|; then x_t = sign(x0)·q·(−1)^t/(2⌊t/2⌋ + 1).
        odd = harmonic(T) - harmonic(np.asarray(T) // 2) / 2
        settled = np.where(np.asarray(T) > 0, q * (np.asarray(T) % 2 + odd), 0.0)
        return np.asarray(self.start_weight(T) * (x0 - np.sign(x0) * settled))

    def breaks(self, q: float, T: int, most: float) -> Array:
        return np.empty(0)

    def longest(self, T: Counts) -> Array:
        return np.ones(np.shape(T))


@dataclass(frozen=True)
class DecreasingPrinted:
    """The same iterates, averaged as printed (l.421): one iterate short, weights sum to T/(T+2).

    >>> schedule = DecreasingPrinted()
    >>> float(schedule.start_weight(np.array(2)) + schedule.sign_weights(np.array(2), np.arange(2)).sum())
    0.5
    """

    def start_weight(self, T: Counts) -> Array:
        return self._shrink(T) * Decreasing().start_weight(self._shorter(T))

    def sign_sum(self, T: Counts) -> Array:
        return self._shrink(T) * Decreasing().sign_sum(self._shorter(T))

    def sign_square_sum(self, T: Counts) -> Array:
        return np.asarray(self._shrink(T) ** 2 * Decreasing().sign_square_sum(self._shorter(T)))

    def sign_weights(self, T: Counts, t: Counts) -> Array:
        return self._shrink(T) * Decreasing().sign_weights(self._shorter(T), t)

    def kinked(self, x0: Array, q: float | Array, T: Counts) -> Array:
        return self._shrink(T) * Decreasing().kinked(x0, q, self._shorter(T))

    def breaks(self, q: float, T: int, most: float) -> Array:
        return np.empty(0)

    def longest(self, T: Counts) -> Array:
        return np.ones(np.shape(T))

    def _shrink(self, T: Counts) -> Array:
        T = np.asarray(T, dtype=float)
        return np.asarray(np.where(T > 0, T / (T + 2), 1.0))

    def _shorter(self, T: Counts) -> Array:
        return np.asarray(np.maximum(np.asarray(T) - 1, 0))


@dataclass(frozen=True, eq=False)
class Constant:
    """Steps a/mu, 0 <= a <= 1 broadcast with T; output (1/T)Σ_{t<T} theta_t, theta_0 at T = 0.

    >>> schedule = Constant(np.array(0.5))
    >>> schedule.sign_weights(np.array(3), np.arange(3)).round(6).tolist()
    [0.25, 0.166667, 0.0]
    """

    a: Array

    def start_weight(self, T: Counts) -> Array:
        steps = np.maximum(T, 1)
        return np.asarray(geometric(self.a, steps) / steps)

    def sign_sum(self, T: Counts) -> Array:
        return np.asarray(1 - self.start_weight(T))

    def sign_square_sum(self, T: Counts) -> Array:
        """(1/T²)·Σ_{k<T}(1 − b^k)²: closed form, or its Taylor series in k·ln(1/b) where that cancels."""
        steps = np.maximum(np.asarray(T, dtype=float), 1)
        total = steps - 2 * geometric(self.a, steps) + geometric(self.a * (2 - self.a), steps)
        short = self.a * steps < 0.05
        rate = -np.log1p(-np.where(short, self.a, 0.0))
        total = np.where(short, _series(rate, steps), total)
        return np.asarray(np.where(steps <= 1, 0.0, total / steps**2))

    def sign_weights(self, T: Counts, t: Counts) -> Array:
        later = np.maximum(np.asarray(T) - 1 - np.asarray(t), 0)
        return np.asarray(self.a * geometric(self.a, later) / np.maximum(T, 1))

    def kinked(self, x0: Array, q: float | Array, T: Counts) -> Array:
        """Down the slope until the first change of sign at step n, then alternating with closed-form size."""
        a, x, steps = self.a, np.abs(x0), np.maximum(T, 1)
        moving = np.asarray(a > 0)
        rate = -np.log1p(-np.where(moving & (a < 1), a, 0.5))
        height = np.log1p(x / q)
        # A crossing after the last step needs no time of its own, which may be too large for a float.
        crosses = height < rate * steps
        n = np.where(crosses, np.floor(np.where(crosses, height, 0.0) / rate) + 1, steps + 1)
        n = np.where(a < 1, n, 1.0)
        before = np.minimum(n, steps)
        after = np.maximum(steps - n, 0)
        rest = q - (x + q) * np.where(a < 1, np.exp(-rate * n), 0.0) - a * q / (2 - a)
        total = (x + q) * geometric(a, before) - q * before
        total = total - a * q / (2 - a) * (after % 2) - rest * geometric(a, after)
        return np.asarray(np.sign(x0) * np.where(moving, total / steps, x))

    def breaks(self, q: float, T: int, most: float) -> Array:
        """The starts whose path meets zero at some step before T; thinned beyond MOST_BREAKS of them.

        A dropped break leaves a jump of relative size a², with a < 1/MOST_BREAKS.
        """
        a = float(self.a)
        if not 0 < a < 1:
            return np.empty(0)
        count = int(min(math.log1p(most / q) / -math.log1p(-a), max(T - 1, 0)))
        n = np.arange(1, count + 1, count // MOST_BREAKS + 1)
        return np.asarray(q * np.expm1(-n * math.log1p(-a)))

    def longest(self, T: Counts) -> Array:
        # One step never enters the average of theta_0 alone.
        return np.asarray(np.where(np.asarray(T) <= 1, 0.0, self.a))


def _series(rate: Array, T: Array) -> Array:
    """Σ_{k<T}(1 − e^{−k·rate})² = Σ_n (−1)^n (2^n − 2)/n!·rate^n·Σ_k k^n, for T·rate well below 1."""
    numbers = bernoulli(12)
    total = np.zeros(np.broadcast_shapes(np.shape(rate), np.shape(T)))
    for n in range(2, 12):
        powers = sum(comb(n + 1, j) * numbers[j] * T ** (n + 1 - j) for j in range(n + 1)) / (n + 1)
        total += (-1) ** n * (2**n - 2) / math.factorial(n) * rate**n * powers
    return total
