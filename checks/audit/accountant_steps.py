"""One step of a noisy iteration for the accountant: its noise, and how far apart it can move two points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from oubli.errors import InputError

# Distances are rounded up to multiples of this.
GRAIN = 2**160


class NoisyStep(Protocol):
    """theta -> projection(phi(theta) + sigma·N(0, I)), with one phi for both runs that are compared."""

    @property
    def sigma(self) -> float: ...
    @property
    def linear(self) -> tuple[float, float]:
        """(c, s) with |phi(x) − phi(y)| <= c·|x − y| + s."""
        ...

    def reach(self, distance: Fraction) -> Fraction:
        """An upper bound on |phi(x) − phi(y)| for |x − y| <= distance."""
        ...


@dataclass(frozen=True)
class Contraction:
    """|phi(x) − phi(y)| <= contraction·|x − y| + displacement, as declared."""

    sigma: float
    contraction: float = 1.0
    displacement: float = 0.0

    @property
    def linear(self) -> tuple[float, float]:
        return self.contraction, self.displacement

    def reach(self, distance: Fraction) -> Fraction:
        return up(Fraction(self.contraction) * distance + Fraction(self.displacement))


@dataclass(frozen=True)
class GradientStep:
    """theta − length·g with g a subgradient of a loss of F_sc(mu, L): proved for the class, no smoothness.

    |x − y − length·(g − h)|² = |x − y|² − 2·length·<x − y, g − h> + length²·|g − h|², strong convexity bounds
    the inner product by mu|x − y|² from below, and |g − h| <= 2L.

    >>> round(float(GradientStep(1.0, 0.5, 1.0, 1.0).reach(Fraction(3))), 12)  # (1 − 2·length·mu) = 0
    1.0
    """

    sigma: float
    length: float
    L: float
    mu: float

    @property
    def linear(self) -> tuple[float, float]:
        return math.sqrt(max(0.0, 1 - 2 * self.length * self.mu)), 2 * self.length * self.L

    def reach(self, distance: Fraction) -> Fraction:
        length = Fraction(self.length)
        kept = max(Fraction(0), 1 - 2 * length * Fraction(self.mu))
        together = kept * distance**2 + 4 * length**2 * Fraction(self.L) ** 2
        return min(root_up(together), up(distance + 2 * length * Fraction(self.L)))


@dataclass(frozen=True)
class SmoothStep:
    """theta − length·grad of a loss that is mu-strongly convex and, by assumption, smoothness-smooth.

    The eigenvalues of the averaged Hessian lie in [mu, smoothness], so that the map contracts by the larger
    of |1 − length·mu| and |1 − length·smoothness|.

    >>> SmoothStep(1.0, 0.5, 1.0, 1.0).linear
    (0.5, 0.0)
    """

    sigma: float
    length: float
    smoothness: float
    mu: float

    @property
    def linear(self) -> tuple[float, float]:
        return max(abs(1 - self.length * self.mu), abs(1 - self.length * self.smoothness)), 0.0

    def reach(self, distance: Fraction) -> Fraction:
        length = Fraction(self.length)
        return up(distance * max(abs(1 - length * Fraction(b)) for b in (self.mu, self.smoothness)))


@dataclass(frozen=True)
class ClippedStep:
    """theta − length·(clip(g, C) + decay·theta), whatever the loss is: clipped gradients have norm at most C.

    >>> ClippedStep(1.0, 0.5, 0.1, 1.0).linear
    (0.5, 0.1)
    """

    sigma: float
    length: float
    clip: float
    decay: float

    @property
    def linear(self) -> tuple[float, float]:
        return abs(1 - self.length * self.decay), 2 * self.length * self.clip

    def reach(self, distance: Fraction) -> Fraction:
        length = Fraction(self.length)
        kept = abs(1 - length * Fraction(self.decay))
        return up(kept * distance + 2 * length * Fraction(self.clip))


def up(value: Fraction) -> Fraction:
    """The next multiple of 1/GRAIN.

    >>> up(Fraction(1, 3)) > Fraction(1, 3)
    True
    """
    return Fraction(-(-value.numerator * GRAIN // value.denominator), GRAIN)


def root_up(value: Fraction) -> Fraction:
    """At least the square root, by integers.

    >>> root_up(Fraction(4)), root_up(Fraction(2)) ** 2 > 2
    (Fraction(2, 1), True)
    """
    whole = -(-value.numerator * GRAIN**2 // value.denominator)
    root = math.isqrt(whole)
    return Fraction(root if root * root == whole else root + 1, GRAIN)


FORMS: dict[frozenset[str], str] = {
    frozenset({"length"}): "theta − length·grad on the class",
    frozenset({"length", "smoothness"}): "the same for losses that are also smooth",
    frozenset({"length", "clip", "decay"}): "theta − length·(clip(grad, clip) + decay·theta)",
    frozenset({"contraction", "displacement"}): "a map with these constants",
}


def as_steps(declared: Any, L: float, mu: float) -> tuple[NoisyStep, ...]:
    """The steps that a user's `noise_schedule(setup)` returned: one mapping per step.

    Args:
        declared: mappings {"sigma", "length"}, for theta − length·grad on the class; {"sigma", "length",
            "smoothness"}, for the same on smooth losses only; {"sigma", "length", "clip", "decay"}, for
            theta − length·(clip(grad, clip) + decay·theta); or {"sigma", "contraction", "displacement"}, for
            maps whose constants the author vouches for.
        L: Lipschitz constant of the class.
        mu: strong convexity of the class.

    >>> as_steps([{"sigma": 1.0, "length": 0.1}], 1.0, 1.0)
    (GradientStep(sigma=1.0, length=0.1, L=1.0, mu=1.0),)
    >>> as_steps([{"sigma": -1.0, "length": 0.1}], 1.0, 1.0)
    Traceback (most recent call last):
    oubli.errors.InputError: noise_schedule, step 0: sigma must be a finite number >= 0, got -1.0
    """
    if isinstance(declared, (str, bytes, Mapping)) or not isinstance(declared, Iterable):
        raise InputError(f"noise_schedule must return a list of mappings, got {type(declared).__name__}")
    return tuple(_step(number, entry, L, mu) for number, entry in enumerate(declared))


def _step(number: int, entry: Any, L: float, mu: float) -> NoisyStep:
    where = f"noise_schedule, step {number}"
    if not isinstance(entry, Mapping) or frozenset(entry) - {"sigma"} not in FORMS or "sigma" not in entry:
        forms = " or ".join("sigma, " + ", ".join(sorted(form)) for form in FORMS)
        raise InputError(f"{where}: must be a mapping with {forms}, got {entry!r:.60}")
    for name, value in entry.items():
        if not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
            raise InputError(f"{where}: {name} must be a finite number >= 0, got {value!r:.40}")
    numbers = {name: float(value) for name, value in entry.items()}
    if "clip" in numbers:
        return ClippedStep(**numbers)
    if "smoothness" in numbers:
        return SmoothStep(**numbers, mu=mu)
    return GradientStep(**numbers, L=L, mu=mu) if "length" in numbers else Contraction(**numbers)
