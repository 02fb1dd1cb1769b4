"""Softmax regression on scikit-learn's digits: the paper's real-data problem (l.753, l.1399).

Mean cross-entropy plus 1/2·‖theta‖² (an L2 penalty of weight 1), features scaled to [0, 1] and a constant one
for the bias. Models of many chains are one array of shape (features, classes, chains), so that a minibatch is
one matrix product for all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from oubli.errors import optional
from oubli.sim.problems.optimum import Optimum
from oubli.sim.require import Array, require

MU = 1.0
PIXELS, CLASSES = 64, 10
FEATURES = PIXELS + 1
SIZE = FEATURES * CLASSES
# A feature vector lies in [0, 1]^65, whatever the data are: its length is a public constant.
LONGEST_FEATURE = math.sqrt(FEATURES)
# Newton stops below this gradient norm; rounding of one gradient is far smaller.
STATIONARY, ROUNDING = 1e-12, 1e-13


@dataclass(frozen=True, eq=False)
class Softmax:
    """Labelled rows and the regularised mean cross-entropy on them."""

    features: Array
    labels: NDArray[np.intp]

    @cached_property
    def _at(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return np.arange(len(self.labels)), self.labels

    def value(self, theta: Array) -> Array:
        """The loss of every chain of theta, shape (features, classes, chains).

        >>> data = Softmax(np.ones((2, FEATURES)), np.array([0, 1]))
        >>> data.value(np.zeros((FEATURES, CLASSES, 1))).round(6).tolist()
        [2.302585]
        """
        logits = _logits(self.features, theta)
        top = logits.max(axis=1, keepdims=True)
        spread = np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0]
        right = logits[self._at]
        return np.asarray((spread - right).mean(axis=0) + MU / 2 * np.einsum("ijk,ijk->k", theta, theta))

    def gradient(self, theta: Array, rows: NDArray[np.intp]) -> Array:
        """The gradient of every chain on the minibatch `rows`."""
        X = self.features[rows]
        P = probabilities(_logits(X, theta))
        P[np.arange(len(rows)), self.labels[rows]] -= 1.0
        pulled = X.T @ P.reshape(len(rows), -1)
        return np.asarray(pulled.reshape(theta.shape) / len(rows) + MU * theta)

    def hessian(self, theta: Array) -> Array:
        """The second derivative at one model of shape (features, classes, 1), as a SIZE × SIZE matrix."""
        P = probabilities(_logits(self.features, theta))[:, :, 0]
        X, blocks = self.features, np.empty((FEATURES, CLASSES, FEATURES, CLASSES))
        for c in range(CLASSES):
            for other in range(c + 1):
                weight = P[:, c] * ((c == other) - P[:, other]) / len(X)
                blocks[:, c, :, other] = blocks[:, other, :, c] = X.T @ (weight[:, None] * X)
        return np.asarray(blocks.reshape(SIZE, SIZE) + MU * np.eye(SIZE))

    def minimise(self) -> Optimum:
        """The minimiser by Newton's method; strong convexity turns the last gradient into an error bound.

        >>> Softmax(np.ones((2, FEATURES)), np.array([0, 1])).minimise().gap < 1e-20
        True
        """
        theta, everything = np.zeros((FEATURES, CLASSES, 1)), np.arange(len(self.labels))
        for _ in range(100):
            gradient = self.gradient(theta, everything)
            norm = float(np.linalg.norm(gradient))
            if norm < STATIONARY:
                break
            # The penalty keeps the Hessian away from zero: plain steps settle, and the gradient judges them.
            step = np.linalg.solve(self.hessian(theta), gradient.reshape(SIZE))
            theta = theta - step.reshape(theta.shape)
        norm += ROUNDING
        point = theta[:, :, 0].reshape(SIZE)
        return Optimum(point, float(self.value(theta)[0]), norm**2 / (2 * MU), norm / MU, "newton")


@dataclass(frozen=True, eq=False)
class Digits:
    """A random split of the digits: retain and forget rows, and both optima."""

    retain: Softmax
    everything: Softmax
    r_f: float

    @cached_property
    def retain_optimum(self) -> Optimum:
        return self.retain.minimise()

    @cached_property
    def full_optimum(self) -> Optimum:
        return self.everything.minimise()

    @property
    def distance(self) -> float:
        """‖theta* − theta_r*‖, the paper's scale; it depends on the data, so it certifies nothing."""
        return float(np.linalg.norm(self.full_optimum.point - self.retain_optimum.point))

    @property
    def L(self) -> float:
        """The class constant: cross-entropy is sqrt(2)·‖x‖-Lipschitz, and L/2 = sqrt(2)·LONGEST_FEATURE."""
        return 2 * math.sqrt(2) * LONGEST_FEATURE

    @property
    def sensitivity(self) -> float:
        """A proved bound of the distance of theta*(D_f) and theta*(D_f'), for any forget data in [0, 1]^64.

        The penalties cancel in ∇L_f − ∇L_f', which leaves two gradients of norm <= L/2: r_f L/mu.
        """
        return self.r_f * self.L / MU


@lru_cache(maxsize=2)
def load(r_f: float, seed: int) -> Digits:
    """The digits with ⌊r_f n⌋ random rows to forget.

    >>> len(load(0.01, 0).retain.labels), len(load(0.01, 0).everything.labels)
    (1780, 1797)
    """
    with optional("digits", "`oubli phase digits`"):
        datasets = import_module("sklearn.datasets")
    pixels, labels = datasets.load_digits(return_X_y=True)
    n = len(labels)
    forget = math.floor(r_f * n)
    require(0 < forget < n, "r_f must leave something to forget and to retain", r_f)
    features = np.hstack([pixels / 16.0, np.ones((n, 1))])
    order = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,))).permutation(n)
    keep = np.sort(order[forget:])
    whole = Softmax(features, labels.astype(np.intp))
    return Digits(Softmax(features[keep], whole.labels[keep]), whole, forget / n)


def probabilities(logits: Array) -> Array:
    """Softmax over the classes, in place."""
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits


def _logits(X: Array, theta: Array) -> Array:
    return np.asarray((X @ theta.reshape(FEATURES, -1)).reshape(len(X), *theta.shape[1:]))
