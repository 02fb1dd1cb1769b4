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

from oubli.theory.regimes.classification import Classification, Constants, classify_rows
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
    """Per target: trivial up to one kappa, efficient up to another, inefficient from a third on.

    A boundary outside the window stands at its edge.
    """

    x: Floats
    trivial: Floats
    efficient: Floats
    inefficient: Floats


def boundaries(plane: Plane, x: Floats, window: tuple[float, float] = KAPPAS) -> Boundaries:
    """The three boundaries at some targets within a window of kappa, to a relative accuracy of 1e-8.

    >>> found = boundaries(Plane(0.01, 2, 1e-5), np.array([0.1]))
    >>> bool(found.trivial[0] <= found.efficient[0] <= found.inefficient[0])
    True
    """
    trivial = _last(plane, x, window, lambda words: words == "trivial")
    efficient = _last(plane, x, window, lambda words: (words == "trivial") | (words == "efficient"))
    inefficient = _last(plane, x, window, lambda words: words != "inefficient")
    return Boundaries(x, trivial, efficient, inefficient)


def _last(
    plane: Plane,
    x: Floats,
    window: tuple[float, float],
    holds: Callable[[NDArray[np.str_]], NDArray[np.bool_]],
) -> Floats:
    """The largest kappa of the window up to which something holds; its lower edge if it never does."""
    low, high = (np.full(x.shape, np.log(edge)) for edge in window)
    everywhere = holds(plane.at(x, np.exp(high)).certified)
    nowhere = ~holds(plane.at(x, np.exp(low)).certified)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        good = holds(plane.at(x, np.exp(middle)).certified)
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    return np.where(everywhere, window[1], np.where(nowhere, window[0], np.exp(low)))


@dataclass(frozen=True)
class Shares:
    """The shares of the window that are certified into each regime."""

    trivial: float
    efficient: float
    inefficient: float

    @property
    def certified(self) -> float:
        """The share that is certified into some regime."""
        return self.trivial + self.efficient + self.inefficient


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
    inefficient = np.log(KAPPAS[1] / found.inefficient) / width
    return Shares(float(trivial.mean()), float(efficient.mean()), float(inefficient.mean()))
