"""Losses on the rows of a user's data: row i of theta meets row i of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from scipy.special import expit

from oubli.checks.audit.guard import FaultError, Guarded
from oubli.sim.require import Array, is_count, require


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
        signs = bool(np.isin(y, (-1.0, 1.0)).all())
        require(signs, "y must be -1 or 1 for a logistic loss", np.unique(y)[:3].tolist())
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


# The rule whose loss this is: in the audit's process the far end of a line, in its own process the rule.
_RULE: list[Guarded] = []


def bind(rule: Guarded) -> None:
    """Let every OwnLoss of this process be that of this rule."""
    _RULE[:] = [rule]


@dataclass(frozen=True)
class OwnLoss:
    """The bound rule's `loss_value` and `loss_gradient`; it carries nothing, and so fits through a line."""

    needs: ClassVar[str] = ""
    d: int | None = None

    def value(self, theta: Array, x: Array, y: Array) -> Array:
        return _RULE[0].numbers("loss_value", (len(theta),), theta, x, y)

    def gradient(self, theta: Array, x: Array, y: Array) -> Array:
        return _RULE[0].numbers("loss_gradient", theta.shape, theta, x, y)

    def dimension(self, columns: int) -> int:
        return columns if self.d is None else self.d

    def lipschitz(self, x: Array, y: Array) -> float:
        zero = np.zeros((len(x), self.dimension(x.shape[1])))
        return 2 * float(_norms(self.gradient(zero, x, y)).max()) or 1.0

    def constants(self, x: Array, y: Array, R: float) -> Array:
        return np.full(len(x), np.inf)


def own_loss(rule: Guarded, columns: int) -> OwnLoss:
    """The loss of a rule, bound; a FaultError where it has none."""
    if not (rule.has("loss_value") and rule.has("loss_gradient")):
        message = "missing; --loss own needs it and loss_value(theta, x, y)"
        raise FaultError("loss_gradient", "protocol", message, rule._wrong("step", "", "").place)
    bind(rule)
    if not rule.has("loss_dimension"):
        return OwnLoss()
    d = rule._call("loss_dimension", columns)
    if not is_count(d, 1):
        raise rule._wrong("loss_dimension", "declaration", f"must return an integer >= 1, got {d!r:.40}")
    return OwnLoss(int(d))


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
