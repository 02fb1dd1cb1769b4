"""Loops that numba compiles where the extra `fast` is installed; whoever has one has the same in NumPy."""

from __future__ import annotations

from collections.abc import Callable

try:
    from numba import njit
except ImportError:
    njit = None

AVAILABLE = njit is not None


def compiled(function: Callable[..., None]) -> Callable[..., None]:
    """The function, compiled once and kept beside its file; as it is, and slow, without numba."""
    made: Callable[..., None] = function if njit is None else njit(cache=True)(function)
    return made
