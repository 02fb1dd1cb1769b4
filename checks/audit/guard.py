"""A user's rule behind a guard: read-only inputs, checked outputs, and the line of the file at fault."""

from __future__ import annotations

import inspect
import threading
import traceback
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import numpy as np

from oubli.checks.runs import rule_file
from oubli.checks.runs.rule_file import in_a_line, printable
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

OPTIONAL = (
    "start", "release", "noise_scale", "noise_schedule", "release_weight", "risk_bound", "least_steps",
    "learn", "retrain", "assumes_smooth", "loss_value", "loss_gradient", "loss_dimension",
)  # fmt: skip
# Code whose lines are nobody's fault: the audit, the loader of files, threads.
FOLDERS = Path(__file__).parent, Path(futures.__file__).parent
OURS = tuple(map(str, (*FOLDERS, rule_file.__file__, threading.__file__)))


class FaultError(Exception):
    """A method of the user's class did not run as it must; `place` is file:line, where that is known."""

    def __init__(self, method: str, kind: str, message: str, place: str = "") -> None:
        super().__init__(f"{method}: {message}")
        self.method, self.kind, self.message, self.place = method, kind, printable(message), place


def missing(rule: object, needed: str) -> FaultError:
    """The fault of a class that lacks a method, at the line where the class begins.

    >>> class Rule: ...
    >>> print(missing(Rule(), "step(t, theta)"))
    step: missing; needed: step(t, theta)
    """
    message = f"missing; needed: {needed}"
    return FaultError(needed.partition("(")[0], "protocol", message, class_place(type(rule)))


def class_place(kind: type) -> str:
    """Where a class begins, as file:line; empty if nobody knows."""
    try:
        return f"{inspect.getfile(kind)}:{inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return ""


TOO_MUCH = "asks for more memory than the limit allows"
# Squares of larger numbers, and sums of them, are not finite.
MOST = 1e140
TOO_FAR = f"got NaN, infinity or more than {MOST:g}"


def frozen(value: Array) -> Array:
    """A read-only view of a private copy: it cannot be made writable again."""
    copy = np.array(value, dtype=np.float64)
    copy.setflags(write=False)
    return copy.view()


class Guarded:
    """The rule, one call at a time; every failure is a FaultError that names the method and the line."""

    def __init__(self, rule: object) -> None:
        self.rule = rule
        if not callable(getattr(rule, "step", None)):
            raise missing(rule, "step(t, theta, grad, memory, setup, rng)")
        for name in OPTIONAL:
            value = getattr(rule, name, None)
            if value is not None and not callable(value):
                message = f"must be a method, got {value!r:.60}"
                raise FaultError(name, "protocol", message, class_place(type(rule)))

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        """theta_0 and the memory; theta* and None for a rule without a start."""
        if not self.has("start"):
            return frozen(theta_star), None
        given = frozen(theta_star)
        return self._pair("start", self._call("start", given, setup, rng), given)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Any]:
        """One step."""
        given = frozen(theta)
        return self._pair("step", self._call("step", t, given, frozen(grad), memory, setup, rng), given)

    def release(self, theta: Array, memory: Any, setup: Setup, rng: np.random.Generator) -> Array:
        """The output; theta_T for a rule without a release."""
        if not self.has("release"):
            return theta
        given = frozen(theta)
        return self._checked("release", self._call("release", given, memory, setup, rng), given)

    def declared(self, method: str, setup: Setup) -> float | None:
        """The number that a declaration such as noise_scale gives, or None without one."""
        return self._number(method, self._call(method, setup)) if self.has(method) else None

    def numbers(self, method: str, shape: tuple[int, ...], *arguments: Any) -> Array:
        """What a method of the rule returns, as finite numbers of this shape."""
        found = self._floats(method, self._call(method, *arguments), "must return an array of numbers")
        if found.shape != shape:
            why = f"must return numbers of shape {shape}, got shape {found.shape}"
            raise self._wrong(method, "shape", why)
        if not usable(found):
            raise self._wrong(method, "finite", f"must return finite numbers, {TOO_FAR}")
        return found

    def has(self, method: str) -> bool:
        """Whether the class has this method."""
        return callable(getattr(self.rule, method, None))

    def at_fault(self, says: str) -> str:
        """The words after the line where its start is written, or its step if it has none."""
        place = self._wrong("start" if self.has("start") else "step", "", "").place
        return f"{place}: {says}" if place else says

    def _call(self, method: str, *arguments: Any) -> Any:
        return guarded_call(method, getattr(self.rule, method), *arguments)

    def _number(self, method: str, value: Any) -> float:
        if not isinstance(value, (int, float, np.number)) or not np.isfinite(value) or value < 0:
            raise self._wrong(method, "declaration", f"must return a finite number >= 0, got {value!r:.60}")
        return float(value)

    def _pair(self, method: str, value: Any, like: Array) -> tuple[Array, Any]:
        if not isinstance(value, tuple) or len(value) != 2:
            raise self._wrong(method, "shape", f"must return (theta, memory), got {type(value).__name__}")
        return self._checked(method, value[0], like), value[1]

    def _checked(self, method: str, value: Any, like: Array) -> Array:
        array = self._floats(method, value, "theta must be an array of real numbers")
        if array.shape != like.shape:
            raise self._wrong(method, "shape", f"theta must have shape {like.shape}, got {array.shape}")
        if not usable(array):
            raise self._wrong(method, "finite", f"theta must be finite, {TOO_FAR}")
        return array

    def _floats(self, method: str, value: Any, wanted: str) -> Array:
        try:
            return floats(value)
        except (TypeError, ValueError, OverflowError):
            got = str(getattr(value, "dtype", type(value).__name__))
        except Exception as why:
            # Whatever converts itself may raise whatever it likes: a tensor that requires its gradient does.
            got = f"{type(value).__name__}, which {raised(why)}"
        raise self._wrong(method, "shape", f"{wanted}, got {got}")

    def _wrong(self, method: str, kind: str, message: str) -> FaultError:
        return FaultError(method, kind, message, defined_at(getattr(self.rule, method)))


def usable(numbers: Array) -> bool:
    """Whether all are finite, and so are their squares.

    >>> usable(np.ones(2)), usable(np.array([np.nan])), usable(np.array([-1e200]))
    (True, False, False)
    """
    return bool(np.all(np.abs(numbers) <= MOST))


def floats(value: Any) -> Array:
    """An array of real numbers; TypeError or ValueError for text and for complex numbers.

    >>> floats([[1, True]]).tolist()
    [[1.0, 1.0]]
    >>> floats([1j])
    Traceback (most recent call last):
    TypeError: no real numbers: complex128
    """
    found = np.asarray(value)
    if found.dtype.kind not in "biufO":
        raise TypeError(f"no real numbers: {found.dtype}")
    return np.array(found, dtype=np.float64)


def plainly(function: Callable[..., Any], *arguments: Any) -> Any:
    """The call itself, with the warnings of NumPy left to the checks of its outcome."""
    with np.errstate(all="ignore"):
        return function(*arguments)


def guarded_call(
    method: str, function: Callable[..., Any], *arguments: Any, via: Callable[..., Any] = plainly
) -> Any:
    """The value of the call; a FaultError naming method, file and line when it raises."""
    try:
        return via(function, *arguments)
    except FaultError:
        raise
    except MemoryError:
        raise FaultError(method, "allocation", TOO_MUCH, defined_at(function)) from None
    except (Exception, SystemExit) as why:
        wrote = isinstance(why, ValueError) and "read-only" in str(why)
        kind, message = ("inputs", "writes to its inputs") if wrote else ("raises", raised(why))
        raise FaultError(method, kind, message, raised_at(why) or defined_at(function)) from None


def raised(why: BaseException) -> str:
    """What was raised, in words.

    >>> raised(AssertionError())
    'raises AssertionError'
    """
    return f"raises {in_a_line(why).removesuffix(': ')}"


def raised_at(why: BaseException) -> str:
    """The last line of the user's own file that the exception came through; empty if there is none."""
    return own_line(traceback.extract_tb(why.__traceback__))


def calling_line() -> str:
    """The line of the user's code that is at work now, called from code of the audit."""
    frames = traceback.extract_stack()[:-2]
    last = max((n for n, frame in enumerate(frames) if frame.filename.startswith(OURS)), default=-1)
    return own_line(frames[last + 1 :])


def own_line(frames: list[traceback.FrameSummary]) -> str:
    """The last line of the first file that is neither the audit's nor a thread's; empty if there is none."""
    others = [frame for frame in frames if not frame.filename.startswith(OURS)]
    own = [frame for frame in others if frame.filename == others[0].filename]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def defined_at(thing: Any) -> str:
    """Where a function or the constructor of a class is written, as file:line; empty if nobody knows.

    >>> Path(defined_at(Guarded.has).rpartition(":")[0]).name
    'guard.py'
    """
    code = getattr(getattr(thing, "__func__", thing), "__code__", None)
    if code is None and isinstance(thing, type):
        codes = (getattr(getattr(thing, name, None), "__code__", None) for name in ("__init__", "step"))
        code = next((found for found in codes if found is not None), None)
    if code and Path(code.co_filename).suffix:
        return f"{code.co_filename}:{code.co_firstlineno}"
    return class_place(thing) if isinstance(thing, type) else ""
