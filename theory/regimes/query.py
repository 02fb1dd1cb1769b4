"""What is asked: forget fraction, dimension, privacy budget and target, one row per question."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from oubli.errors import InputError
from oubli.sim.laws import gaussian_sigma
from oubli.theory.regimes.safe import Floats, up
from oubli.words import member


class QueryError(InputError):
    """A question without an answer: one line says what was given and what is accepted."""


class Notion(StrEnum):
    """Which definition of unlearning the budget belongs to."""

    UNLEARNING = "unlearning"
    REFERENCE = "reference"


class Noise(StrEnum):
    """Which noise scale the upper bounds use."""

    EXACT = "exact"
    CLASSICAL = "classical"


@dataclass(frozen=True)
class Query:
    """Rows of parameters of equal length; `x` is e/e0, and eps = inf asks for no privacy (kappa = 0)."""

    r: Floats
    d: Floats
    eps: Floats
    delta: Floats
    x: Floats
    notion: Notion = Notion.UNLEARNING
    noise: Noise = Noise.EXACT

    def __post_init__(self) -> None:
        for message in faults(self.r, self.d, self.eps, self.delta, self.x).values():
            raise QueryError(message)

    @property
    def rho(self) -> Floats:
        """r/(1-r)."""
        return np.asarray(self.r / (1 - self.r))

    @property
    def kappa(self) -> Floats:
        """The paper's kappa, sqrt(2 ln(1.25/delta))/eps; 0 for eps = inf."""
        return np.asarray(np.sqrt(2 * np.log(1.25 / self.delta)) / self.eps)

    @cached_property
    def gaussian_scale(self) -> Floats:
        """The least Gaussian scale for (eps, delta) at unit sensitivity, rounded up; 0 for eps = inf."""
        finite = np.isfinite(self.eps)
        scale = np.zeros_like(self.eps)
        scale[finite] = gaussian_sigma(self.eps[finite], self.delta[finite])
        return scale

    @property
    def lower_budget(self) -> tuple[Floats, Floats]:
        """The budget (eps, delta) of Definition 2 that the notion implies, rounded up.

        Reference Unlearning implies (2 eps, (1 + e^eps) delta)-Unlearning.
        """
        if self.notion is Notion.UNLEARNING:
            return self.eps, self.delta
        with np.errstate(over="ignore"):
            return up(2 * self.eps), np.minimum(1.0, up((1 + np.exp(self.eps)) * self.delta))


def query(
    *,
    rf: ArrayLike,
    eps: ArrayLike,
    delta: ArrayLike,
    dim: ArrayLike,
    target: ArrayLike,
    notion: Notion | str = Notion.UNLEARNING,
    noise: Noise | str = Noise.EXACT,
) -> Query:
    """The rows that broadcasting the arguments gives.

    Args:
        rf: Fraction of the data to forget, at least 0 and below 1.
        eps: The privacy budget ε, from 1e-6 to 1e4, or inf for no privacy.
        delta: The privacy budget δ, from 1e-300 to 0.9.
        dim: Dimension of the parameters.
        target: Target excess risk in units e0 = L²/(8μ), from 1e-12 to 1e100.
        notion: "unlearning" (Definition 2) or "reference" (Reference Unlearning).
        noise: "exact", or "classical" for the classical κ where it is private.

    Returns:
        The questions, one row each; QueryError for impossible values.

    >>> query(rf=0.01, eps=1, delta=1e-5, dim=2, target=[0.1, 0.2]).x.tolist()
    [0.1, 0.2]
    """
    try:
        arrays = [np.asarray(a, dtype=np.float64) for a in (rf, dim, eps, delta, target)]
        r, d, e, p, x = (np.atleast_1d(a).ravel() for a in np.broadcast_arrays(*arrays))
    except (TypeError, ValueError) as error:
        raise QueryError(f"the parameters are no table of numbers: {error}") from None
    return Query(r, d, e, p, x, member(Notion, notion, "notion"), member(Noise, noise, "noise"))


def faults(r: Floats, d: Floats, eps: Floats, delta: Floats, x: Floats) -> dict[int, str]:
    """What is wrong with some rows: one line for each row that cannot be asked.

    >>> two = np.array([0.5, 0.5])
    >>> faults(np.array([0.1, 1.0]), 4 * two, two, two, two)
    {1: 'rf = 1: rf must be at least 0 and below 1'}
    """
    whole = (d >= 1) & (d == np.floor(d)) & (d <= 1e15)
    private = (eps >= 1e-6) & (eps <= 1e4) | np.isposinf(eps)
    checks = (
        ("rf", r, (r >= 0) & (r < 1), "at least 0 and below 1"),
        ("dim", d, whole, "an integer from 1 to 1e15"),
        ("eps", eps, private, "in [1e-06, 10000], or inf for no privacy"),
        ("delta", delta, (delta >= 1e-300) & (delta <= 0.9), "in [1e-300, 0.9]"),
        ("target", x, (x >= 1e-12) & (x <= 1e100), "in [1e-12, 1e100]"),
    )
    found: dict[int, str] = {}
    for name, values, good, accepted in checks:
        for row in np.flatnonzero(~good):
            found.setdefault(int(row), f"{name} = {values[row]:g}: {name} must be {accepted}")
    return found
