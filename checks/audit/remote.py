"""The audit's side of the rule's process: it asks, waits as long as it likes, and believes only numbers."""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import socket
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from oubli.checks.audit.generators import Chosen
from oubli.checks.audit.guard import FaultError, Guarded, frozen, usable
from oubli.checks.audit.progress import Meter
from oubli.checks.audit.server import nursery
from oubli.checks.audit.subject import Subject
from oubli.checks.audit.wire import ClosedError, receive, send
from oubli.checks.runs.pool import ending_on_signals
from oubli.checks.runs.rule_file import printable
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

# Bytes of what the rule prints: so many are shown, and more than the second number ends the audit.
SHOWN, MOST_PRINTED = 1 << 16, 1 << 24


class OutOfTimeError(Exception):
    """The whole audit has taken longer than it may."""


@dataclass(frozen=True)
class Limits:
    """Seconds for one call and for the whole, and gigabytes beyond what this process has mapped already."""

    call_seconds: float
    total_seconds: float
    memory_gb: float


class Kept:
    """What a rule keeps between calls: it stays in its process, and is dropped there with this name."""

    def __init__(self, key: int) -> None:
        self.key = key


class RemoteRule(Guarded):
    """A rule in another process, with the face of one that is here."""

    def __init__(self, line: socket.socket, process: Process, problem: Problem | None) -> None:
        self.line, self.process = line, process
        weakref.finalize(self, line.close)
        self.generators: weakref.WeakKeyDictionary[Chosen, int] = weakref.WeakKeyDictionary()
        self.dropped: list[int] = []
        self.seq = 0
        self.places: dict[str, str] = self._ask("__init__", None, problem)[0]["places"]

    def has(self, method: str) -> bool:
        return method in self.places

    def start(self, theta_star: Array, setup: Setup, rng: Any) -> tuple[Array, Any]:
        if not self.has("start"):
            return frozen(theta_star), None
        return self._move("start", 0, None, setup, rng, theta_star)

    def step(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: Any
    ) -> tuple[Array, Any]:
        return self._move("step", t, memory, setup, rng, theta, grad)

    def release(self, theta: Array, memory: Any, setup: Setup, rng: Any) -> Array:
        return theta if not self.has("release") else self._move("release", 0, memory, setup, rng, theta)[0]

    def _call(self, method: str, *arguments: Any) -> Any:
        return self._ask(method, None, arguments)[0].get("value")

    def numbers(self, method: str, shape: tuple[int, ...], *arguments: Any) -> Array:
        size = int(np.prod(shape))
        numbers = self._ask(method, ("numbers", shape), arguments, most=8 * size)[1]
        self.process.meter.did(size)
        found = np.frombuffer(numbers)
        if found.size != size or not usable(found):
            raise self._wrong(method, "protocol", "its process sent other numbers than were asked for")
        return found.reshape(shape)

    def _wrong(self, method: str, kind: str, message: str) -> FaultError:
        return FaultError(method, kind, message, self.places.get(method, ""))

    def _move(
        self, method: str, t: int, memory: Kept | None, setup: Setup, rng: Chosen, *arrays: Array
    ) -> tuple[Array, Kept | None]:
        key, new = self.generators.get(rng), None
        if key is None:
            key, new = self.seq + 1, pickle.dumps(rng)
            self.generators[rng] = key
            weakref.finalize(rng, self.dropped.append, key)
        like = np.asarray(arrays[0], dtype=np.float64)
        place = (t, like.shape, None if memory is None else memory.key, key, new)
        floats = [np.asarray(array, dtype=np.float64) for array in arrays]
        answer, numbers = self._ask(method, place, setup, *floats)
        if len(numbers) != 8 * like.size:
            raise self._wrong(method, "protocol", "its process sent other numbers than were asked for")
        rng.calls = int(answer.get("calls", 0))
        self.process.meter.did(like.size)
        return self._checked(method, np.frombuffer(numbers).reshape(like.shape), like), self._kept(answer)

    def _kept(self, answer: dict[str, Any]) -> Kept | None:
        if not answer.get("memory"):
            return None
        kept = Kept(-self.seq)
        weakref.finalize(kept, self.dropped.append, kept.key)
        return kept

    def _ask(
        self, method: str, place: Any, more: Any, *arrays: Array, most: int = 0
    ) -> tuple[dict[str, Any], bytearray]:
        self.seq += 1
        dropped, self.dropped[:] = list(self.dropped), []
        seconds, most = self.process.seconds(), max(most, 8 * sum(array.size for array in arrays))
        try:
            head = pickle.dumps((self.seq, method, place, dropped, more))
            send(self.line, head, *arrays, timeout=seconds)
            why, numbers = receive(self.line, most, seconds)
            answer = json.loads(why)
        except ClosedError:
            raise self._wrong_of(method, "crash", "ended its process") from None
        except TimeoutError:
            self.process.seconds()
            limit = self.process.limits.call_seconds
            raise self._wrong_of(method, "time", f"does not return within {limit:g} s") from None
        except (ValueError, RecursionError):
            answer, numbers = {}, bytearray()
        if not isinstance(answer, dict) or answer.get("seq") != self.seq:
            raise self._wrong_of(method, "protocol", "its process answered out of turn")
        if "fault" in answer:
            raise FaultError(*(str(word) for word in answer["fault"][:4]))
        return answer, numbers

    def _wrong_of(self, method: str, kind: str, message: str) -> FaultError:
        if self.process.printed > MOST_PRINTED:
            kind, message = "printing", f"prints more than {MOST_PRINTED >> 20} MB"
        return FaultError(method, kind, message, getattr(self, "places", {}).get(method, ""))


class Process:
    """The process of the user's code, from its import to its end."""

    def __init__(self, limits: Limits, meter: Meter) -> None:
        self.limits, self.meter = limits, meter
        self.end = time.monotonic() + limits.total_seconds
        self.printed = 0
        self.lock = threading.Lock()

    def seconds(self) -> float:
        """How long the next call may take; OutOfTimeError if there is no time left for it."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return min(left, self.limits.call_seconds)

    def make(self, problem: Problem, knows_problem: bool) -> RemoteRule:
        """A rule in a fresh copy of the process."""
        ours, theirs = socket.socketpair()
        with self.lock, theirs, suppress(OSError):
            socket.send_fds(self.control, [b"+"], [theirs.fileno()])
        return RemoteRule(ours, self, problem if knows_problem else None)

    def begin(self, load: Callable[[], Subject]) -> Subject:
        """Start it, and hear what it has; a FaultError of the method `import` where that fails."""
        self.control, theirs = socket.socketpair()
        shown, prints = os.pipe()
        with warnings.catch_warnings():
            # Newer Pythons warn about forks beside threads; the child takes no lock of theirs.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            _live(theirs, prints, load, self.limits.memory_gb)
        theirs.close()
        os.close(prints)
        self.reader = threading.Thread(target=self._show, args=(shown,), daemon=True)
        self.reader.start()
        return self._heard()

    def _heard(self) -> Subject:
        try:
            answer = json.loads(receive(self.control, 0, self.seconds())[0])
        except ClosedError:
            raise FaultError("import", "crash", "ended its process") from None
        except TimeoutError:
            raise FaultError(
                "import", "time", f"does not return within {self.limits.call_seconds:g} s"
            ) from None
        if "fault" in answer:
            raise FaultError(*(str(word) for word in answer["fault"][:4]))
        name, doc, knows, trains = (
            answer["about"][word] for word in ("name", "doc", "knows_problem", "trains")
        )
        sees, lines = bool(knows or trains), [printable(line) for line in str(doc).splitlines()]
        return Subject(
            printable(str(name)), lambda p: self.make(p, sees), bool(knows), "\n".join(lines),
            isolated=True, trains=bool(trains),
        )  # fmt: skip

    def _show(self, source: int) -> None:
        """What the rule prints goes to stderr, and not without end."""
        with os.fdopen(source, "rb", buffering=0) as pipe:
            while text := pipe.read(1 << 16):
                if self.printed < SHOWN:
                    sys.stderr.write(text[: SHOWN - self.printed].decode(errors="replace"))
                self.printed += len(text)
                if self.printed > MOST_PRINTED:
                    self.kill()

    def kill(self) -> None:
        """End it and everything that it started in its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill, reap, and let the reader come to its end."""
        self.kill()
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.control.close()
        self.reader.join(timeout=1.0)


@contextmanager
def isolated(load: Callable[[], Subject], limits: Limits, meter: Meter) -> Iterator[Subject]:
    """The subject that `load` finds, in a process of its own that ends with the block."""
    process = Process(limits, meter)
    with ending_on_signals():
        try:
            yield process.begin(load)
        finally:
            process.close()


def _live(control: socket.socket, prints: int, load: Callable[[], Subject], memory_gb: float) -> None:
    """The child: nothing of the audit's files stays open but the line to it."""
    try:
        os.setsid()
        os.dup2(prints, 1)
        os.dup2(prints, 2)
        kept = control.fileno()
        os.closerange(3, kept)
        os.closerange(kept + 1, 1024)
        sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1, errors="replace", closefd=False)
        _limit_memory(memory_gb)
        nursery(control, load)
    except BaseException as why:
        print(f"{type(why).__name__}: {why}")
    finally:
        # Rules that are still at work end with it, even where nobody was left to end them.
        with suppress(ProcessLookupError):
            os.killpg(os.getpid(), signal.SIGKILL)
        # No exit handlers of the audit run here: they belong to it.
        os._exit(0)


def _limit_memory(gigabytes: float) -> None:
    """Let this process map so much more and no further; without a /proc there is no limit."""
    try:
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = mapped + int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))
