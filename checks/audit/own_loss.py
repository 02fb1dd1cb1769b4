"""Losses on the rows of a user's data: row i of theta meets row i of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from scipy.special import expit

from oubli.checks.audit.guard import Fault
from oubli.sim.require import Array, require

Function = Callable[[Array, Array, Array], Array]


class RowLoss(Protocol):
    """Value and gradient at theta (k, d) on data x (k, columns), y (k,), row by row; what the class asks."""

    needs: ClassVar[str]

    def value(self, theta: Array, x: Array, y: Array) -> Array: ...
    def gradient(self, theta: Array, x: Array, y: Array) -> Array: ...
    def dimension(self, columns: int) -> int: ...
    def lipschitz(self, x: Array, y: Array) -> float:
        """The least L with which all rows lie in the class; where there is none, one whose ball holds all
        minimisers."""
        ...

    def constants(self, x: Array, y: Array, R: float) -> Array:
        """A Lipschitz constant of each row's loss on B(0, R)."""
        ...


def _norms(x: Array) -> Array:
    return np.asarray(np.linalg.norm(x, axis=1))


@dataclass(frozen=True)
class Logistic:
    """mu/2·|theta|² + ln(1 + exp(−y<x, theta>)), y in {−1, 1}.

    >>> Logistic(1.0).gradient(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1)).tolist()
    [[-0.5]]
    """

    needs: ClassVar[str] = "a logistic loss needs L >= 2 max |x|"
    mu: float

    def value(self, theta: Array, x: Array, y: Array) -> Array:
        margin = y * np.einsum("ij,ij->i", x, theta)
        return np.asarray(self.mu / 2 * _norms(theta) ** 2 + np.logaddexp(0.0, -margin))

    def gradient(self, theta: Array, x: Array, y: Array) -> Array:
        slope = -y * expit(-y * np.einsum("ij,ij->i", x, theta))
        return np.asarray(self.mu * theta + slope[:, None] * x)

    def dimension(self, columns: int) -> int:
        return columns

    def lipschitz(self, x: Array, y: Array) -> float:
        require(
            bool(np.isin(y, (-1.0, 1.0)).all()), "y must be -1 or 1 for a logistic loss", sorted(set(y))[:3]
        )
        return 2 * float(_norms(x).max()) or 1.0

    def constants(self, x: Array, y: Array, R: float) -> Array:
        return self.mu * R + _norms(x)


@dataclass(frozen=True)
class Ridge:
    """mu/2·|theta|² + (<x, theta> − y)²/2.

    >>> Ridge(2.0).lipschitz(np.array([[1.0]]), np.array([1.0]))  # R = 1, the class asks for mu > |x|²
    4.0
    """

    needs: ClassVar[str] = "a ridge loss needs mu > max |x|²"
    mu: float

    def value(self, theta: Array, x: Array, y: Array) -> Array:
        miss = np.einsum("ij,ij->i", x, theta) - y
        return np.asarray(self.mu / 2 * _norms(theta) ** 2 + miss**2 / 2)

    def gradient(self, theta: Array, x: Array, y: Array) -> Array:
        miss = np.einsum("ij,ij->i", x, theta) - y
        return np.asarray(self.mu * theta + miss[:, None] * x)

    def dimension(self, columns: int) -> int:
        return columns

    def lipschitz(self, x: Array, y: Array) -> float:
        size, pull = _norms(x), _norms(x) * np.abs(y)
        if self.mu > float(size.max()) ** 2:
            return 2 * self.mu * float(np.max(pull / (self.mu - size**2))) or 1.0
        return 2 * float(pull.max()) or 1.0

    def constants(self, x: Array, y: Array, R: float) -> Array:
        return self.mu * R + _norms(x) * (_norms(x) * R + np.abs(y))


@dataclass(frozen=True, eq=False)
class OwnLoss:
    """The rule's `loss_value` and `loss_gradient`, with the shapes of what they return checked."""

    needs: ClassVar[str] = ""
    values: Function
    gradients: Function
    dimensions: Callable[[int], int]

    def value(self, theta: Array, x: Array, y: Array) -> Array:
        return _shaped("loss_value", self.values(theta, x, y), (len(theta),))

    def gradient(self, theta: Array, x: Array, y: Array) -> Array:
        return _shaped("loss_gradient", self.gradients(theta, x, y), theta.shape)

    def dimension(self, columns: int) -> int:
        return self.dimensions(columns)

    def lipschitz(self, x: Array, y: Array) -> float:
        zero = np.zeros((len(x), self.dimension(x.shape[1])))
        return 2 * float(_norms(self.gradient(zero, x, y)).max()) or 1.0

    def constants(self, x: Array, y: Array, R: float) -> Array:
        return np.full(len(x), np.inf)


def _shaped(method: str, value: Array, shape: tuple[int, ...]) -> Array:
    found = np.asarray(value, dtype=np.float64)
    if found.shape != shape or not np.isfinite(found).all():
        raise Fault(method, "shape", f"must return finite numbers of shape {shape}, got {found.shape}")
    return found


def row_loss(name: str, mu: float, own: OwnLoss | None) -> RowLoss:
    """The loss of this name.

    >>> row_loss("ridge", 2.0, None)
    Ridge(mu=2.0)
    """
    if name == "own":
        if own is None:
            raise ValueError("loss = own: the rule must have loss_value and loss_gradient, got neither")
        return own
    return Logistic(mu) if name == "logistic" else Ridge(mu)
