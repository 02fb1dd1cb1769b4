"""The user's code runs in a process of its own, watched: it can raise, crash, loop or fill the memory."""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from oubli.checks.audit.guard import TOO_MUCH, FaultError, Shared, Watch

# The work yields its results one by one, so that those before a failure are kept.
Work = Callable[[Watch], Iterator[Any]]
# Seconds between two looks at the watch.
POLL = 0.05


@dataclass(frozen=True)
class Limits:
    """Seconds for one call and for the whole, and gigabytes beyond what this process has mapped already."""

    call_seconds: float
    total_seconds: float
    memory_gb: float


@dataclass(frozen=True)
class Outcome:
    """What arrived, and why the work ended early if it did."""

    results: tuple[Any, ...]
    fault: FaultError | None = None
    out_of_time: bool = False


def watched(work: Work, limits: Limits) -> Outcome:
    """Run the work elsewhere; kill it when one call or the whole takes too long, refuse it too much memory.

    >>> watched(lambda watch: iter([1, 2]), Limits(5.0, 10.0, 1.0)).results
    (1, 2)
    """
    context = multiprocessing.get_context("fork")
    name, since = context.Array("c", 32, lock=False), context.Value("d", 0.0, lock=False)
    ours, theirs = context.Pipe(duplex=False)
    served = (work, theirs, Shared(name, since), limits.memory_gb)
    process = context.Process(target=_serve, args=served, daemon=True)
    with warnings.catch_warnings():
        # Newer Pythons warn about forks beside threads; the child starts none and takes no lock of theirs.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    theirs.close()
    try:
        return _collect(ours, name, since, limits.call_seconds, time.monotonic() + limits.total_seconds)
    finally:
        process.kill()
        process.join()
        ours.close()


def _collect(ours: Connection, name: Any, since: Any, call_seconds: float, end: float) -> Outcome:
    results: list[Any] = []
    while True:
        if ours.poll(POLL):
            try:
                kind, value = ours.recv()
            except EOFError:
                method = name.value.decode() or "the class"
                return Outcome(tuple(results), FaultError(method, "crash", "ended the process"))
            if kind == "end":
                return Outcome(tuple(results))
            if kind == "fault":
                return Outcome(tuple(results), FaultError(*value))
            if kind == "error":
                raise RuntimeError(f"the audit itself failed: {value}")
            results.append(value)
        elif since.value and time.monotonic() - since.value > call_seconds:
            method = name.value.decode()
            return Outcome(
                tuple(results), FaultError(method, "time", f"does not return within {call_seconds:g} s")
            )
        elif time.monotonic() > end:
            return Outcome(tuple(results), out_of_time=True)


def _limit_memory(gigabytes: float) -> None:
    """Let this process map so much more and no further; without a /proc there is no limit."""
    try:
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = mapped + int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def _serve(work: Work, theirs: Connection, watch: Shared, memory_gb: float) -> None:
    """In the child: results down the pipe, everything that the user's code prints to stderr."""
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    _limit_memory(memory_gb)
    try:
        for result in work(watch):
            theirs.send(("result", result))
        theirs.send(("end", None))
    except FaultError as fault:
        theirs.send(("fault", (fault.method, fault.kind, fault.message)))
    except MemoryError:
        # What earlier calls kept leaves nothing for the audit: the last method entered answers for it.
        theirs.send(("fault", (watch.name.value.decode() or "the class", "allocation", TOO_MUCH)))
    except Exception as why:
        import traceback

        traceback.print_exc()
        theirs.send(("error", f"{type(why).__name__}: {why}"))
    finally:
        theirs.close()
        sys.stderr.flush()
        # No exit handlers of the parent run here: they belong to the parent.
        os._exit(0)
