"""The printed boundaries of the diagram, kappa against e/e0, in closed form; and where kappa is private."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oubli.sim.laws import eps_frontier
from oubli.theory.regimes.as_printed import EFFICIENT, INEFFICIENT, LEVEL
from oubli.theory.regimes.safe import Floats


@dataclass(frozen=True)
class PrintedCurves:
    """kappa on each printed boundary, nan where the boundary does not pass over the target."""

    trivial: Floats
    efficient: Floats
    inefficient: Floats


def printed_curves(rf: float, dim: int, delta: float, x: Floats) -> PrintedCurves:
    """The boundaries of the three theorems with the constants of their proofs.

    >>> found = printed_curves(0.5, 1, 1e-5, np.array([2.0]))
    >>> found.trivial.tolist()
    [1.0]
    """
    rho = rf / (1 - rf)
    with np.errstate(invalid="ignore"):
        trivial = (x / rho - rho) / np.sqrt(dim)
        efficient = np.sqrt((x * LEVEL / (EFFICIENT * rho**2) - 1) / dim)
        inefficient = np.sqrt(x / (INEFFICIENT * rho**2) - 1)
    if delta < 1e-8:  # the theorem asks for delta >= 1e-8
        inefficient = np.full_like(x, np.nan)
    return PrintedCurves(np.where(trivial > 0, trivial, np.nan), efficient, inefficient)


def least_private_kappa(delta: float) -> float:
    """The kappa of the frontier eps*(delta): below it the classical noise is not private.

    >>> round(least_private_kappa(1e-5), 4)
    0.5754
    """
    return float(np.sqrt(2 * np.log(1.25 / delta)) / float(eps_frontier(str(delta), 12)[0]))
