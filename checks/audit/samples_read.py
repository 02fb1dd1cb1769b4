"""Samples computed elsewhere: read, and refused in one line where they cannot be used."""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oubli.checks.audit.guard import MOST
from oubli.sim.require import Array, require

LEAST = 100
# How a file of numpy.save begins.
MAGIC = b"\x93NUMPY"


def read_samples(path: Path) -> Array:
    """The samples in a .npy file: one row each, shape (n, d).

    Args:
        path: a file written by `numpy.save`, of shape (n,) or (n, d).

    Returns:
        The rows as doubles.

    >>> read_samples(Path("missing.npy"))
    Traceback (most recent call last):
    ValueError: samples must be a .npy file, got missing.npy (no such file)
    """
    if not path.is_file():
        raise ValueError(f"samples must be a .npy file, got {path} (no such file)")
    try:
        with path.open("rb") as file:
            ours = file.read(len(MAGIC)) == MAGIC
            file.seek(0)
            found = np.load(file, allow_pickle=False)
    except (ValueError, OSError, EOFError, BadZipFile) as why:
        objects = ours and "allow_pickle" in str(why)
        text = "object arrays are not read" if objects else "not written by numpy.save"
        raise ValueError(f"samples must be a .npy file of numbers, got {path} ({text})") from None
    if not isinstance(found, np.ndarray):
        raise ValueError(f"samples must be one array in a .npy file, got {path} (an archive of arrays)")
    return as_rows(found, str(path))


def as_rows(samples: ArrayLike, name: str) -> Array:
    """The samples as a finite array of shape (n, d), n >= 100.

    Args:
        samples: scores of shape (n,), or outputs of shape (n, d).
        name: what the line of a refusal calls them.

    >>> as_rows(np.zeros(200), "P").shape
    (200, 1)
    >>> as_rows([1.0, float("nan")], "P")
    Traceback (most recent call last):
    ValueError: P must have at least 100 samples, got 2
    """
    try:
        array: NDArray[np.generic] = np.asarray(samples)
    except ValueError:
        raise ValueError(f"{name} must be an array of shape (n,) or (n, d), got ragged rows") from None
    require(array.dtype.kind in "biuf", f"{name} must hold real numbers", str(array.dtype))
    require(array.ndim in (1, 2), f"{name} must have shape (n,) or (n, d)", array.shape)
    require(len(array) >= LEAST, f"{name} must have at least {LEAST} samples", len(array))
    require(array.size > 0, f"{name} must have at least one column", array.shape)
    rows = array.reshape(len(array), -1).astype(np.float64)
    bad = int(np.count_nonzero(~np.isfinite(rows)))
    require(bad == 0, f"{name} must be finite", f"{bad} entries that are NaN or infinite")
    most = float(np.abs(rows).max())
    require(most <= MOST, f"{name} must lie within ±{MOST:g}, where squares are finite", most)
    return rows
