"""The user's own data: rows of a .npz file, and the problem that a loss on them makes."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from oubli.checks.audit.guard import MOST
from oubli.checks.audit.own_given import OwnData
from oubli.checks.audit.own_loss import OwnLoss, RowLoss, row_loss
from oubli.checks.audit.settings import Settings
from oubli.errors import InputError
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.optimum import Optimum, smooth
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array, require

# Numbers in one array when every model meets every row.
NUMBERS = 2_000_000


@dataclass(frozen=True, eq=False)
class Row:
    """The loss of one row of the data, as a loss of theta."""

    loss: RowLoss
    x: Array
    y: Array
    d: int

    def value(self, theta: Array) -> Array:
        return self.loss.value(theta, np.tile(self.x, (len(theta), 1)), np.full(len(theta), self.y))

    def gradient(self, theta: Array) -> Array:
        return self.loss.gradient(theta, np.tile(self.x, (len(theta), 1)), np.full(len(theta), self.y))


class Rows(Mixture):
    """The law of a row drawn with these weights, evaluated for all rows at once."""

    def __init__(self, loss: RowLoss, x: Array, y: Array, weights: Array) -> None:
        d = loss.dimension(x.shape[1])
        super().__init__([Row(loss, *row, d) for row in zip(x, y, strict=True)], weights)
        object.__setattr__(self, "_data", (loss, x, y))

    @property
    def data(self) -> tuple[RowLoss, Array, Array]:
        """The loss, and the rows."""
        found: tuple[RowLoss, Array, Array] = self.__dict__["_data"]
        return found

    def value(self, theta: Array) -> Array:
        loss, x, y = self.data
        return self._over_rows(theta, lambda a, b, c: loss.value(a, b, c)[:, None], x, y)[:, 0]

    def gradient(self, theta: Array) -> Array:
        loss, x, y = self.data
        return self._over_rows(theta, loss.gradient, x, y)

    def _over_rows(self, theta: Array, function: Any, x: Array, y: Array) -> Array:
        """The weighted mean of function(theta, x, y) over the rows, for each theta."""
        n, parts = len(x), []
        block = max(1, NUMBERS // (n * max(theta.shape[1], x.shape[1])))
        for first in range(0, len(theta), block):
            some = theta[first : first + block]
            values = function(np.repeat(some, n, axis=0), np.tile(x, (len(some), 1)), np.tile(y, len(some)))
            parts.append(np.einsum("j,ijk->ik", self.weights, values.reshape(len(some), n, -1)))
        return np.concatenate(parts) if parts else np.zeros((0, theta.shape[1]))

    def sampled_gradient(self, theta: Array, indices: NDArray[np.integer[Any]]) -> Array:
        loss, x, y = self.data
        batch, rows = indices.shape[1], indices.ravel()
        found = loss.gradient(np.repeat(theta, batch, axis=0), x[rows], y[rows])
        return np.asarray(found.reshape(len(theta), batch, -1).mean(axis=1))

    def minimise(self, L: float, mu: float) -> Optimum:
        return smooth(self, L, mu)

    def beside(self, other: Rows, share: float) -> Rows:
        """(1 − share)·self + share·other."""
        loss, x, y = self.data
        weights = np.concatenate([(1 - share) * self.weights, share * other.weights])
        return Rows(loss, np.concatenate([x, other.data[1]]), np.concatenate([y, other.data[2]]), weights)


@dataclass(frozen=True, eq=False)
class OwnProblem(Problem):
    """A problem on the user's data; its losses need not lie in the class."""

    def __post_init__(self) -> None:
        """Nothing is required: `class_test` says what lies outside."""

    def _mixed(self, forget: Mixture) -> Mixture:
        assert isinstance(self.retain, Rows)
        assert isinstance(forget, Rows)
        return self.retain.beside(forget, self.r_f)


def own_problem(given: OwnData, own: OwnLoss | None) -> OwnProblem:
    """The problem that the file describes.

    Args:
        given: the file and the loss; arrays `x` (n, columns), `y` (n,), `forget` (n,) of booleans, and if
            wanted `x_alternative`, `y_alternative`, what D_f' holds in the place of the forget rows.
        own: the rule's own loss, for `loss = "own"`.
    """
    arrays = read_data(Path(given.path))
    x, y, forget = arrays["x"], arrays["y"], arrays["forget"]
    loss = row_loss(given.loss, given.mu, own)
    sides = [(x[~forget], y[~forget]), (x[forget], y[forget])]
    if "x_alternative" in arrays:
        sides.append((arrays["x_alternative"], arrays["y_alternative"]))
    laws = [Rows(loss, a, b, np.full(len(a), 1 / len(a))) for a, b in sides]
    L = given.lipschitz or loss.lipschitz(
        np.concatenate([a for a, _ in sides]), np.concatenate([b for _, b in sides])
    )
    return OwnProblem(
        laws[0], laws[1], len(sides[1][0]) / len(x), L, given.mu, laws[2] if len(laws) > 2 else laws[0]
    )


def prepared(settings: Settings) -> Settings:
    """The same with the fraction to forget and the columns of the user's data, if there are any.

    Raises:
        InputError: the file is of no use, in one line.
    """
    given = settings.data
    if given is None:
        return settings
    try:
        arrays = read_data(Path(given.path))
        if given.loss != "own":
            row_loss(given.loss, given.mu, None).lipschitz(arrays["x"], arrays["y"])
    except ValueError as why:
        raise InputError(str(why)) from None
    return replace(settings, rf=float(arrays["forget"].mean()), dim=int(arrays["x"].shape[1]))


def read_data(path: Path) -> Mapping[str, Any]:
    """The arrays of a .npz file, checked.

    >>> read_data(Path("missing.npz"))
    Traceback (most recent call last):
    ValueError: --data must be a .npz file, got missing.npz (no such file)
    """
    if not path.is_file():
        raise ValueError(f"--data must be a .npz file, got {path} (no such file)")
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError, AttributeError, TypeError, BadZipFile, zlib.error):
        raise ValueError(
            f"--data must be a .npz file of numbers, got {path} (not written by numpy.savez)"
        ) from None
    missing = [name for name in ("x", "y", "forget") if name not in arrays]
    require(not missing, f"{path} must hold the arrays x, y and forget", f"none named {', '.join(missing)}")
    return _checked(path, arrays)


def _checked(path: Path, arrays: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for end in ("", "_alternative"):
        if f"x{end}" not in arrays:
            continue
        x, y = (np.asarray(arrays.get(f"{name}{end}", ())) for name in "xy")
        require(x.ndim == 2 and x.size > 0, f"{path}: x{end} must have shape (n, columns)", x.shape)
        require(y.shape == x.shape[:1], f"{path}: y{end} must have one entry per row, {len(x)}", y.shape)
        numbers = x.dtype.kind in "biuf" and y.dtype.kind in "biuf"
        require(numbers, f"{path}: x{end} and y{end} must hold numbers", (str(x.dtype), str(y.dtype)))
        found[f"x{end}"], found[f"y{end}"] = x.astype(np.float64), y.astype(np.float64)
        good = np.isfinite(found[f"x{end}"]).all() and np.isfinite(found[f"y{end}"]).all()
        require(bool(good), f"{path}: x{end} and y{end} must be finite", "NaN or infinity")
        most = max(float(np.abs(found[f"{name}{end}"]).max()) for name in "xy")
        require(most <= MOST, f"{path}: x{end} and y{end} must lie within ±{MOST:g}", most)
    forget = np.asarray(arrays["forget"])
    fits = forget.shape == arrays["y"].shape and forget.dtype == np.bool_
    require(
        fits, f"{path}: forget must be {len(found['x'])} booleans", f"{forget.dtype} of shape {forget.shape}"
    )
    require(
        0 < forget.sum() < len(forget), f"{path}: forget must mark some rows and not all", int(forget.sum())
    )
    if "x_alternative" in found:
        alike = found["x_alternative"].shape[1] == found["x"].shape[1]
        require(alike, f"{path}: x_alternative must have the columns of x", found["x_alternative"].shape)
    return {**found, "forget": forget}
