"""In the process of the user's code: it imports the rule once, and a fresh copy of it serves each rule made.

Every call comes through the one loop below and runs on a thread of its own, so that neither the call stack
nor an earlier call shows a rule which check is asking. Whatever the rule does to this process, the audit only
takes numbers from it.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from oubli.checks.audit.guard import (
    OPTIONAL,
    TOO_MUCH,
    FaultError,
    Guarded,
    calling_line,
    defined_at,
    guarded_call,
    raised,
    raised_at,
)
from oubli.checks.audit.own_loss import bind
from oubli.checks.audit.subject import Subject
from oubli.checks.audit.training import with_training
from oubli.checks.audit.wire import ClosedError, receive, send
from oubli.sim.require import Array

STARTS = ("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system", "subprocess.Popen")
# Libraries that are imported may ask a program about the machine; none of them copies the process.
COPIES = ("os.fork", "os.forkpty")
NOTHING = np.zeros(0)


class Watch:
    """Hears what starts another process, and where that stands."""

    def __init__(self, events: tuple[str, ...]) -> None:
        self.events, self.pid = events, os.getpid()
        self.started = self.place = ""
        sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: Any) -> None:
        """Keep the first of them."""
        if event in self.events and not self.started:
            self.started, self.place = event, calling_line()

    def check(self, method: str) -> None:
        """FaultError if there was one; a copy of the process ends here."""
        if os.getpid() != self.pid:
            os._exit(0)
        if self.started:
            raise FaultError(method, "process", f"starts another process ({self.started})", self.place)


def nursery(control: socket.socket, load: Callable[[], Subject]) -> None:
    """Import, then fork a server for every line that arrives; ends when the audit hangs up."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        watch = Watch(COPIES)
        subject = load()
        watch.check("import")
    except FaultError as fault:
        send(control, _fault(0, fault))
        return
    except BaseException as why:
        send(control, _fault(0, FaultError("import", "raises", raised(why), raised_at(why))))
        return
    names = ("name", "doc", "knows_problem", "trains")
    about = {name: getattr(subject, name) for name in names}
    send(control, json.dumps({"about": about}).encode())
    while True:
        word, lines, _, _ = socket.recv_fds(control, 1, 1)
        if not word:
            return
        if os.fork() == 0:
            control.close()
            with socket.socket(fileno=lines[0]) as line:
                Server(line, subject).run()
            os._exit(0)
        os.close(lines[0])


def _fault(seq: int, fault: FaultError) -> bytes:
    why = [fault.method, fault.kind, fault.message, fault.place]
    return json.dumps({"seq": seq, "fault": why}).encode()


class Apart(Guarded):
    """Calls on a thread of their own: the stack that a rule can look at shows nothing of the audit."""

    def __init__(self, rule: object, pool: ThreadPoolExecutor) -> None:
        self.pool = pool
        super().__init__(rule)

    def _call(self, method: str, *arguments: Any) -> Any:
        return guarded_call(method, getattr(self.rule, method), *arguments, via=on_thread(self.pool))


def on_thread(pool: ThreadPoolExecutor) -> Callable[..., Any]:
    """Calls by way of this pool."""
    return lambda function, *arguments: pool.submit(function, *arguments).result()


class Server:
    """One rule, what it keeps between calls, and the generators that it was handed."""

    def __init__(self, line: socket.socket, subject: Subject) -> None:
        self.line, self.subject = line, subject
        self.kept: dict[int, Any] = {}

    def run(self) -> None:
        """Answer until the audit hangs up."""
        seq, method, watch = 0, "__init__", Watch(STARTS)
        # Every copy of the process would draw the same numbers from the generators that all code shares.
        np.random.seed()
        random.seed()
        try:
            while True:
                head, numbers = receive(self.line, sys.maxsize)
                seq, method, *rest = pickle.loads(head)
                answer, array = self._answer(seq, method, numbers, *rest)
                watch.check(method)
                send(self.line, json.dumps(answer, default=_plain).encode(), array)
        except FaultError as fault:
            send(self.line, _fault(seq, fault))
        except MemoryError:
            # What earlier calls kept leaves nothing for this one: the method that was called answers for it.
            self.kept.clear()
            send(self.line, _fault(seq, FaultError(method, "allocation", TOO_MUCH)))
        except ClosedError:
            return
        except BaseException as why:
            send(self.line, _fault(seq, FaultError(method, "raises", raised(why), raised_at(why))))

    def _answer(
        self, seq: int, method: str, numbers: bytearray, place: Any, dropped: list[int], more: Any
    ) -> tuple[dict[str, Any], Array]:
        for key in dropped:
            self.kept.pop(key, None)
        if method == "__init__":
            return {"seq": seq, **self._make(more)}, NOTHING
        if place is None:
            return {"seq": seq, "value": self.rule._call(method, *more)}, NOTHING
        if place[0] == "numbers":
            return {"seq": seq}, self.rule.numbers(method, place[1], *more)
        return self._moved(seq, method, np.frombuffer(numbers), place, more)

    def _make(self, problem: Any) -> dict[str, Any]:
        pool = ThreadPoolExecutor(1, initializer=np.seterr, initargs=("ignore",))
        made = guarded_call("__init__", self.subject.make, problem, via=on_thread(pool))
        self.rule = Apart(with_training(made, problem), pool)
        # A loss that the rule asks for is evaluated on the thread that asks.
        bind(Guarded(self.rule.rule))
        names = [name for name in ("step", *OPTIONAL) if self.rule.has(name)]
        # The start of a rule that trains itself is its learn.
        methods = {name: getattr(made, name, getattr(made, "learn", None)) for name in names}
        return {"places": {name: defined_at(method) for name, method in methods.items()}}

    def _moved(
        self, seq: int, method: str, numbers: Array, place: tuple[Any, ...], more: Any
    ) -> tuple[dict[str, Any], Array]:
        t, shape, memory, key, generator = place
        if generator is not None:
            self.kept[key] = pickle.loads(generator)
        rng, kept = self.kept[key], None if memory is None else self.kept[memory]
        theta = numbers[: shape[0] * shape[1]].reshape(shape)
        if method == "start":
            moved, left = self.rule.start(theta, more, rng)
        elif method == "step":
            moved, left = self.rule.step(t, theta, numbers[theta.size :].reshape(shape), kept, more, rng)
        else:
            moved, left = self.rule.release(theta, kept, more, rng), None
        if left is not None:
            self.kept[-seq] = left
        return {"seq": seq, "memory": left is not None, "calls": rng.calls}, moved


def _plain(value: Any) -> Any:
    """What a declaration returned, for JSON: numbers of NumPy, mappings, other iterables, else its text."""
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "items"):
        return dict(value.items())
    return list(value) if hasattr(value, "__iter__") else repr(value)[:60]
