"""One way to refuse an input: say what is accepted and show what was given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# Step counts: integers or whole floats.
Counts = NDArray[Any]


def require(condition: bool, rule: str, value: object) -> None:
    """Raise ValueError naming the rule and the value unless the condition holds.

    >>> require(-1 >= 0, "T must be an integer >= 0", -1)
    Traceback (most recent call last):
    ValueError: T must be an integer >= 0, got -1
    """
    if not condition:
        raise ValueError(f"{rule}, got {value!r}")


def is_count(value: object, least: int) -> bool:
    """Whether the value is an integer (not a float that looks like one) and at least `least`.

    >>> is_count(3, 1), is_count(3.0, 1)
    (True, False)
    """
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= least


def require_batch(name: str, array: Array, like: Array) -> None:
    """Raise ValueError unless the array has the shape of `like` and only finite entries.

    >>> require_batch("grad", np.zeros((2, 3)), np.zeros((2, 2)))
    Traceback (most recent call last):
    ValueError: grad must have shape (2, 2), got (2, 3)
    """
    require(np.shape(array) == like.shape, f"{name} must have shape {like.shape}", np.shape(array))
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        where = f"at chain {row}, coordinate {column}"
        raise ValueError(f"{name} must be finite, got {array[row, column]} {where}")


def constant(array: object) -> Array:
    """A read-only float copy, so that a frozen record cannot change through its arrays.

    >>> constant([1, 2]).flags.writeable
    False
    """
    copy = np.array(array, dtype=np.float64)
    copy.setflags(write=False)
    return copy
