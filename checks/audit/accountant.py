"""A certified accountant for noisy projected iterations: two runs that differ in their start alone.

Claim. Let X_0 = x and Y_0 = y with |x − y| <= D_0, and X_{t+1} = P(phi_t(X_t) + sigma_t Z_t) for independent
standard Gaussians Z_t, P a projection on a convex set and |phi_t(u) − phi_t(v)| <= reach_t(|u − v|), reach_t
increasing; Y by the same maps. For numbers a_t >= 0 with D_{t+1} = max(0, reach_t(D_t) − a_t) and D_T = 0,
the laws of X_T and Y_T are mu-GDP with mu² = Σ (a_t/sigma_t)² over the t with D_t > 0: every (eps, delta)
with delta >= delta(eps) of the Gaussian mechanism of noise 1/mu holds in both directions.

Proof. Run V from y with the noise of X and pulled towards it: V_{t+1} = P(phi_t(V_t) + v_t + sigma_t Z_t),
where v_t is phi_t(X_t) − phi_t(V_t) cut to length a_t. A projection does not expand, so |X_t − V_t| <= D_t by
induction (points that have met stay together: they see the same map, and v_t = 0), and V_T = X_T. Now v_t is
a function of Z_0 … Z_{t−1}, hence of Z'_0 … Z'_{t−1} with Z'_t = Z_t + v_t/sigma_t, and V is Y driven by Z'
in the place of Z. So (X_T, Y_T) are one function of Z' and of Z, and Z' is a sequence of Gaussians whose
means, of norm at most a_t/sigma_t, are chosen with knowledge of the past: the adaptive composition of
Gaussian mechanisms, which is sqrt(Σ (a_t/sigma_t)²)-GDP (Dong, Roth and Su 2022, corollary 3.3). Random maps
(mini-batches) that have one law for both runs are conditioned on: the bound holds for each value of them, so
for the mixture. ∎

The release may use X_T alone. Which a_t are best is searched in floating point; that they satisfy the claim
is then checked in rationals, rounded against the rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from oubli.checks.audit.accountant_steps import NoisyStep, root_up, up
from oubli.sim.laws import gaussian_attains, gaussian_delta
from oubli.sim.require import Array

# Raises the shifts that floating point found, so that the exact check does not fail by rounding.
SPARE = 1 + 1e-9
# Ends of windows that are tried.
ENDS = 400
# The law of the Gaussian mechanism is evaluated for noise in this range.
LEAST_SIGMA, MOST_SIGMA = Fraction(1, 10**6), Fraction(10**12)


@dataclass(frozen=True)
class Certificate:
    """Shifts a_t that make two runs meet, and mu² of the composition, an upper bound."""

    shifts: tuple[float, ...]
    mu_squared: Fraction

    @property
    def mu(self) -> float:
        """The GDP parameter, rounded to nearest."""
        return math.sqrt(float(self.mu_squared))

    def attains(self, eps: float, delta: float) -> bool:
        """Whether (eps, delta) is proved: decided by balls for a rational noise not above 1/mu."""
        if self.mu_squared == 0:
            return True
        sigma = 1 / root_up(self.mu_squared)
        if sigma < LEAST_SIGMA:
            return False
        return gaussian_attains(Fraction(eps), min(sigma, MOST_SIGMA), Fraction(delta))

    def delta(self, eps: float) -> float:
        """The delta that is proved at eps, rounded up."""
        if self.mu_squared == 0:
            return 0.0
        sigma = float(1 / root_up(self.mu_squared)) * (1 - 1e-15)
        return float(gaussian_delta(eps, min(sigma, 1e12))) if sigma >= 1e-6 else 1.0


def certify(steps: Sequence[NoisyStep], start: float, diameter: float) -> Certificate | None:
    """The best certificate that was found, checked; None where the runs cannot be made to meet.

    Args:
        steps: the noisy steps, in order.
        start: a proved bound on the distance of the two starts.
        diameter: of the set that every step projects on; infinite without a projection.

    >>> from oubli.checks.audit.accountant_steps import Contraction
    >>> round(certify([Contraction(2.0)], 1.0, math.inf).mu, 6)  # one step: the Gaussian mechanism
    0.5
    >>> round(certify([Contraction(1.0)] * 4, 1.0, math.inf).mu, 6)  # four: their noises add up
    0.5
    """
    found = [check(steps, shifts, start, diameter) for shifts in _candidates(steps, start, diameter)]
    return min((c for c in found if c is not None), key=lambda c: c.mu_squared, default=None)


def check(
    steps: Sequence[NoisyStep], shifts: Sequence[float] | Array, start: float, diameter: float
) -> Certificate | None:
    """The certificate of these shifts, in rationals; None if the runs do not meet, or meet without noise.

    >>> from oubli.checks.audit.accountant_steps import Contraction
    >>> check([Contraction(1.0)], [0.5], 1.0, math.inf) is None  # half of the distance is left
    True
    """
    distance, mu_squared, used = Fraction(start), Fraction(0), []
    for step, shift in zip(steps, shifts, strict=True):
        reach = step.reach(distance) if distance > 0 else Fraction(0)
        pulled = min(Fraction(shift), reach)
        if pulled > 0 and step.sigma == 0:
            return None
        if pulled > 0:
            mu_squared = up(mu_squared + (pulled / Fraction(step.sigma)) ** 2)
        left = reach - pulled
        distance = left if math.isinf(diameter) else min(left, Fraction(diameter))
        used.append(float(pulled))
    return Certificate(tuple(used), mu_squared) if distance == 0 else None


def _candidates(steps: Sequence[NoisyStep], start: float, diameter: float) -> list[Array]:
    """Shifts for the best window of steps, and for the best single step."""
    if not steps:
        return [np.zeros(0)]
    sigma = np.array([step.sigma for step in steps])
    c, s = np.array([step.linear for step in steps]).T
    free = _unshifted(steps, start, diameter)
    ends = np.unique(np.linspace(1, len(steps), min(ENDS, len(steps))).astype(int))
    best = min(
        (_window(sigma, c, s, np.minimum(free, diameter), int(end)) for end in ends),
        key=lambda found: found[0],
    )
    with np.errstate(divide="ignore"):
        single = int(np.argmin(free[1:] / sigma))
    alone = np.zeros(len(steps))
    alone[single] = free[single + 1] * SPARE
    return [alone] if math.isinf(best[0]) else [best[1], alone]


def _unshifted(steps: Sequence[NoisyStep], start: float, diameter: float) -> Array:
    """D_0, and the distance just before the noise of each step if nothing pulls."""
    found, distance = [start], start
    for step in steps:
        reach = float(step.reach(Fraction(distance)))
        found.append(reach)
        distance = min(reach, diameter)
    return np.array(found)


def _window(sigma: Array, c: Array, s: Array, free: Array, end: int) -> tuple[float, Array]:
    """The least mu² over windows of steps that end here, and its shifts, by the inequality of Cauchy.

    With w_t the product of the contractions after t, a window from m needs Σ w_t a_t = W, and the least
    Σ (a_t/sigma_t)² is W²/Σ w_t² sigma_t², at a_t proportional to w_t sigma_t².
    """
    after = np.append(np.cumprod(c[1:end][::-1])[::-1], 1.0)
    V = np.cumsum((after**2 * sigma[:end] ** 2)[::-1])[::-1]
    moved = np.cumsum((after * s[:end])[::-1])[::-1]
    # The distance at the start of a window: of the starts, or what the step before left without a pull.
    W = after * c[:end] * free[:end] + moved
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(V > 0, W**2 / V, np.inf)
    m = int(np.argmin(values))
    shifts = np.zeros(len(sigma))
    if np.isfinite(values[m]):
        shifts[m:end] = SPARE * W[m] / V[m] * after[m:] * sigma[m:end] ** 2
    return float(values[m]), shifts
