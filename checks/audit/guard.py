"""A user's rule behind a guard: read-only inputs, checked outputs, and the name of the method at fault."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


class Fault(Exception):
    """A method of the user's class did what it must not; `kind` is one word for the check that it fails."""

    def __init__(self, method: str, kind: str, message: str) -> None:
        super().__init__(f"{method}: {message}")
        self.method, self.kind, self.message = method, kind, message


TOO_MUCH = "asks for more memory than the limit allows"


class Watch(Protocol):
    """Told which method runs, so that another process can name the one that never returned."""

    def enter(self, method: str) -> None: ...
    def leave(self) -> None: ...


class Unwatched:
    """No other process is looking."""

    def enter(self, method: str) -> None: ...
    def leave(self) -> None: ...


class Shared:
    """The running method and its start, in memory that another process can read."""

    def __init__(self, name: Any, since: Any) -> None:
        self.name, self.since = name, since

    def enter(self, method: str) -> None:
        self.name.value, self.since.value = method.encode()[:31], time.monotonic()

    def leave(self) -> None:
        self.since.value = 0.0


def frozen(value: Array) -> Array:
    """A read-only view of a private copy: it cannot be made writable again."""
    copy = np.array(value, dtype=np.float64)
    copy.setflags(write=False)
    return copy.view()


class Guarded:
    """The rule, one call at a time; every failure is a Fault that names the method."""

    def __init__(self, rule: object, watch: Watch | None = None) -> None:
        self.rule = rule
        self.watch: Watch = watch or Unwatched()
        if not callable(getattr(rule, "step", None)):
            raise Fault("step", "protocol", "missing; needed: step(t, theta, grad, memory, setup, rng)")

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
        if not self.has(method):
            return None
        value = self._call(method, setup)
        if not isinstance(value, (int, float, np.number)) or not np.isfinite(value) or value < 0:
            raise Fault(method, "declaration", f"must return a finite number >= 0, got {value!r:.60}")
        return float(value)

    def has(self, method: str) -> bool:
        """Whether the class has this method."""
        return callable(getattr(self.rule, method, None))

    def _call(self, method: str, *arguments: Any) -> Any:
        return guarded_call(self.watch, method, getattr(self.rule, method), *arguments)

    def _pair(self, method: str, value: Any, like: Array) -> tuple[Array, Any]:
        if not isinstance(value, tuple) or len(value) != 2:
            raise Fault(method, "shape", f"must return (theta, memory), got {type(value).__name__}")
        return self._checked(method, value[0], like), value[1]

    def _checked(self, method: str, value: Any, like: Array) -> Array:
        try:
            array = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise Fault(method, "shape", f"theta must be an array, got {type(value).__name__}") from None
        if array.shape != like.shape:
            raise Fault(method, "shape", f"theta must have shape {like.shape}, got {array.shape}")
        if not np.isfinite(array).all():
            raise Fault(method, "finite", "theta must be finite, got NaN or infinity")
        return array


def guarded_call(watch: Watch, method: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The value of the call; a Fault naming the method when it raises."""
    watch.enter(method)
    try:
        with np.errstate(all="ignore"):
            return function(*arguments)
    except Fault:
        # A method that this one called is at fault, and named.
        raise
    except MemoryError:
        raise Fault(method, "allocation", TOO_MUCH) from None
    except Exception as why:
        text = f"{type(why).__name__}: {why}".splitlines()[0][:160]
        wrote = isinstance(why, ValueError) and "read-only" in str(why)
        kind, message = ("inputs", "writes to its inputs") if wrote else ("raises", f"raises {text}")
        raise Fault(method, kind, message) from None
    except SystemExit:
        raise Fault(method, "raises", "raises SystemExit") from None
    finally:
        watch.leave()
