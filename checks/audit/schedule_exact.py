"""What a declared schedule does not reach: a lower bound on its delta on one problem, with no sampling.

On a quadratic retain loss of the class the gradient is theta − c, so that each step of a known form is
theta -> c + a_t (theta − c) + sigma_t Z, projected or not. Before any projection acts theta_T is therefore
Gaussian, with the mean and the variance of a linear recursion. A run in which no iterate leaves the ball is
the same with and without projections, so every event has the same probability under both laws but for beta,
the chance that an iterate leaves it: delta >= delta(Gaussian) − beta − e^eps beta'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi

from oubli.checks.audit.accountant_steps import ClippedStep, GradientStep, NoisyStep, SmoothStep
from oubli.checks.audit.declared import rounded_up
from oubli.checks.audit.settings import Settings
from oubli.sim.laws import gaussian_delta

R = 0.5
# Noise in units of the distance for which the law of the Gaussian mechanism is evaluated.
LEAST, MOST = 1e-6, 1e12
CENTRES = np.linspace(0.0, 0.5, 26)


@dataclass(frozen=True)
class Instance:
    """Retain quadratic at `centre`, two starts on the first axis, and a bound from below on their delta."""

    name: str
    centre: float
    starts: tuple[float, float]
    delta: float = 0.0


def instances(settings: Settings) -> list[Instance]:
    """The furthest optima of two forget laws, or of one and of retraining, for L = mu = 1.

    >>> [i.starts for i in instances(Settings(eps=1.0, delta=1e-5, rf=0.1))]
    [(0.05, -0.05)]
    """
    r = settings.rf
    if settings.against == "pair":
        return [Instance("retain quadratic at 0, forget quadratics at -1/2 or +1/2", 0.0, (r / 2, -r / 2))]
    return [
        Instance(f"retain quadratic at {c:g}, forget quadratic at -1/2, or retrained", float(c),
                 ((1 - r) * float(c) - r / 2, float(c)))
        for c in CENTRES
    ]  # fmt: skip


def factors(steps: Sequence[NoisyStep]) -> list[float] | None:
    """The factor a_t of every step; None where a step is not known to be linear on these losses.

    >>> factors([GradientStep(0.1, 0.25, 1.0, 1.0), ClippedStep(0.1, 0.25, 1.0, 1.0)])
    [0.75, 0.5]
    >>> factors([ClippedStep(0.1, 0.25, 0.5, 1.0)]) is None  # it may clip
    True
    """
    found = []
    for step in steps:
        if isinstance(step, GradientStep) or (isinstance(step, SmoothStep) and step.smoothness >= 1):
            found.append(1 - step.length)
        elif isinstance(step, ClippedStep) and step.clip >= 1:
            # Gradients are at most L = 1 on the ball. The decay pulls to 0, as a loss with its centre there.
            found.append(1 - step.length * (1 + step.decay))
        else:
            return None
    return found


def shortfall(steps: Sequence[NoisyStep], settings: Settings) -> Instance | None:
    """The instance with the largest lower bound on delta; None where the law of the steps is not known."""
    a = factors(steps)
    if a is None:
        return None
    tried = instances(settings)
    if any(isinstance(step, ClippedStep) for step in steps):
        tried = [instance for instance in tried if instance.centre == 0]
    sigma = [rounded_up(step.sigma) for step in steps]
    made = [
        Instance(i.name, i.centre, i.starts, delta_lower(i, a, sigma, settings.eps, settings.dim))
        for i in tried
    ]
    return max(made, key=lambda instance: instance.delta)


def delta_lower(
    instance: Instance, a: Sequence[float], sigma: Sequence[float], eps: float, d: int
) -> float:  # fmt: skip
    """At most the delta of the two laws of theta_T at eps, steps projected or not.

    >>> one = Instance("", 0.0, (0.005, -0.005))
    >>> round(delta_lower(one, [1.0], [0.01], 1.0, 1), 8)  # the Gaussian mechanism of noise 1
    0.12693674
    """
    means, variance, left = np.array(instance.starts) - instance.centre, 0.0, np.zeros(2)
    for factor, noise in zip(a, sigma, strict=True):
        means, variance = factor * means, factor**2 * variance + noise**2
        left += [_leaves(R - abs(instance.centre + m), math.sqrt(variance), d) for m in means]
    apart, scale = float(abs(means[0] - means[1])), math.sqrt(variance)
    grown = math.exp(min(eps, 700.0))
    return max(0.0, _gaussian(eps, scale, apart) - float(min(left @ [1, grown], left @ [grown, 1])))


def _leaves(room: float, scale: float, d: int) -> float:
    """At least the chance that a Gaussian point moves further than the room that its mean has."""
    if room < 0:
        return 1.0
    return float(chi.sf(room / scale, d)) if scale > 0 else 0.0


def _gaussian(eps: float, scale: float, apart: float) -> float:
    if apart == 0 or scale > MOST * apart:
        return 0.0
    return float(gaussian_delta(eps, max(scale / apart, LEAST))) if scale > 0 else 1.0
