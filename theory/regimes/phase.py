"""The phase diagram over (e/e0, kappa): boundaries by bisection in kappa, and the share of certified area.

At a fixed target the noise, hence every upper bound on T^U, grows with kappa, and every lower bound does
too, while T^S does not depend on kappa. So the trivial and the efficient region reach up to a kappa each,
the inefficient one begins at a kappa, and bisection finds all three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes.classification import STRICT, Classification, Constants, classify_rows
from oubli.theory.regimes.query import query
from oubli.theory.regimes.safe import Floats

TARGETS = (1e-4, 1.0)
KAPPAS = (1e-2, 1e2)
_HALVINGS = 30


@dataclass(frozen=True)
class Plane:
    """The parameters that a diagram keeps fixed, and the constants its certificates use."""

    rf: float
    dim: int
    delta: float
    constants: Constants = Constants.SHARP

    def at(self, x: Floats, kappa: Floats) -> Classification:
        """The classification of some points of the plane."""
        eps = np.sqrt(2 * np.log(1.25 / self.delta)) / kappa
        rows = query(rf=self.rf, eps=eps, delta=self.delta, dim=self.dim, target=x)
        return classify_rows(rows, self.constants)


@dataclass(frozen=True)
class Boundaries:
    """Per target: trivial up to one kappa, efficient up to another, inefficient from a third on, strictly
    inefficient (T^U >= T^S/100) from a fourth.

    A boundary outside the window stands at its edge.
    """

    x: Floats
    trivial: Floats
    efficient: Floats
    inefficient: Floats
    strict: Floats


def boundaries(plane: Plane, x: Floats, window: tuple[float, float] = KAPPAS) -> Boundaries:
    """The boundaries at some targets within a window of kappa, to a relative accuracy of 1e-8.

    >>> found = boundaries(Plane(0.01, 2, 1e-5), np.array([0.1]))
    >>> bool(found.trivial[0] <= found.efficient[0] <= found.inefficient[0])
    True
    """
    trivial = _last(plane, x, window, lambda at: at.certified == "trivial")
    efficient = _last(plane, x, window, lambda at: np.isin(at.certified, ("trivial", "efficient")))
    inefficient = _last(plane, x, window, lambda at: at.certified != "inefficient")
    strict = _last(plane, x, window, lambda at: at.certified_at(STRICT) != "inefficient")
    return Boundaries(x, trivial, efficient, inefficient, strict)


def _last(
    plane: Plane,
    x: Floats,
    window: tuple[float, float],
    holds: Callable[[Classification], NDArray[np.bool_]],
) -> Floats:
    """The largest kappa of the window up to which something holds; its lower edge if it never does."""
    low, high = (np.full(x.shape, np.log(edge)) for edge in window)
    everywhere = holds(plane.at(x, np.exp(high)))
    nowhere = ~holds(plane.at(x, np.exp(low)))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        good = holds(plane.at(x, np.exp(middle)))
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    return np.where(everywhere, window[1], np.where(nowhere, window[0], np.exp(low)))


@dataclass(frozen=True)
class Shares:
    """The shares of the window that are certified into each regime."""

    trivial: float
    efficient: float
    inefficient: float
    strict: float

    @property
    def certified(self) -> float:
        """The share that is certified into some regime."""
        return self.trivial + self.efficient + self.inefficient

    @property
    def certified_strictly(self) -> float:
        """The same where only T^U >= T^S/100 counts as inefficient."""
        return self.trivial + self.efficient + self.strict


def shares(plane: Plane, columns: int = 400) -> Shares:
    """The certified shares of the log-uniform window, by the midpoint rule over targets.

    >>> found = shares(Plane(0.01, 2, 1e-5, Constants.PRINTED_REPAIRED), columns=50)
    >>> 0.15 < found.certified < 0.30
    True
    """
    low, high = np.log(TARGETS)
    x = np.exp(low + (high - low) * (np.arange(columns) + 0.5) / columns)
    return shares_of(boundaries(plane, x))


def shares_of(found: Boundaries) -> Shares:
    """The shares that some boundaries at log-uniform targets give."""
    width = np.log(KAPPAS[1] / KAPPAS[0])
    trivial = np.log(found.trivial / KAPPAS[0]) / width
    efficient = np.log(found.efficient / found.trivial) / width
    inefficient, strict = (np.log(KAPPAS[1] / at) / width for at in (found.inefficient, found.strict))
    return Shares(*(float(part.mean()) for part in (trivial, efficient, inefficient, strict)))


@dataclass(frozen=True)
class Map:
    """log10(upper/lower) of the bracket of T^U/T^S on a grid of the window: one row for each kappa."""

    x: Floats
    kappa: Floats
    decades: Floats

    def known_within(self, factor: float) -> float:
        """The share of the grid where the ratio is known up to a factor, or is 0."""
        return float((self.decades <= np.log10(factor)).mean())


def ratio_map(plane: Plane, columns: int = 80, rows: int = 80) -> Map:
    """How far the brackets of the ratio are open across the window, at midpoints.

    >>> found = ratio_map(Plane(0.01, 2, 1e-5), 8, 8)
    >>> found.decades.shape, found.known_within(10) <= found.known_within(1000)
    ((8, 8), True)
    """
    x, kappa = (
        np.exp(np.log(low) + np.log(high / low) * (np.arange(n) + 0.5) / n)
        for (low, high), n in ((TARGETS, columns), (KAPPAS, rows))
    )
    grid = np.meshgrid(x, kappa)
    found = plane.at(*(axis.ravel() for axis in grid))
    return Map(x, kappa, found.open_decades.reshape(rows, columns))
