"""The constants behind the boundaries of the diagram, and between which numbers each is known to lie."""

from __future__ import annotations

from dataclasses import dataclass

from oubli.theory.regimes import registry


@dataclass(frozen=True)
class Known:
    """A constant, what some problem attains, what is proved for all, and the claims that say so."""

    name: str
    low: float
    high: float
    claims: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.name}: {self.low:.6g} to {self.high:.6g} ({', '.join(self.claims)})"


def known_constants(r: float, d: int) -> tuple[Known, ...]:
    """The best values of the four constants, at a forget fraction.

    Args:
        r: The forget fraction, above 0 and below 1.
        d: The dimension.

    Returns:
        Sensitivity, noise, retraining and the price of theta*, each enclosed.

    >>> [found.low <= found.high for found in known_constants(0.01, 2)]
    [True, True, True, True]
    """
    V = registry.noise_constant()
    (far, pair), (most, bound) = registry.attained(r, d), registry.distance(r, d)
    drift = "V, |gradient|^2 over L^2 up to a drift towards the centre"
    return (
        Known("distance of two optima over r L/mu", far, most, (pair, bound)),
        Known(drift, 0.25, V, registry.NOISE_KNOWN),
        Known("T^S e/e0 for small e", 1.0, round(16 * V, 12), registry.RETRAINING_KNOWN),
        Known("excess risk of theta* over r^2 e0", 4.0, 4 / (1 - r**2), registry.OLD_OPTIMUM_KNOWN),
    )
