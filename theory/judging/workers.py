"""Work on several processors: children of this process that know all it knows, one question at a time each.

A child that is lost costs nothing but time: what it was asked is answered here. A child ends when its pipe
does, so that none outlives the run.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from typing import Any

Question = tuple[Any, ...]
Work = Callable[..., Any]
# With fewer questions than this, children cost more than they save.
FEWEST = 16


def processors() -> int:
    """How many processors this process may use, where it can have children that know what it knows."""
    if sys.platform != "linux" or current_process().daemon:
        return 1
    return len(os.sched_getaffinity(0))


@contextmanager
def children(count: int, work: Work) -> Iterator[list[Connection]]:
    """So many children that answer questions with `work`; they end with the block."""
    context, ends, found = get_context("fork"), list[Connection](), list[Any]()
    gc.freeze()  # what is there already is not moved by the children's collections
    try:
        for _ in range(count):
            mine, theirs = context.Pipe()
            child = context.Process(target=_serve, args=(theirs, mine, work), daemon=True)
            child.start()
            theirs.close()
            ends.append(mine)
            found.append(child)
        yield ends
    finally:
        gc.unfreeze()
        for end in ends:
            end.close()
        for child in found:
            child.join(0.5)
            child.terminate()


def _serve(mine: Connection, other: Connection, work: Work) -> None:
    other.close()
    while True:
        try:
            question = mine.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            os._exit(0)
        try:
            mine.send((True, work(*question)))
        except (KeyboardInterrupt, ConnectionError):  # nobody waits for the answer any more
            os._exit(0)
        except Exception as why:
            mine.send((False, why))


def answers(
    work: Work, jobs: int, ready: Callable[[int], list[Question]], hear: Callable[[Question, Any], None]
) -> None:
    """Ask until nothing is ready and nothing is being worked on.

    Args:
        work: Answers a question, here or in a child.
        jobs: How many children; with one, everything is done here.
        ready: At most so many questions that can be asked now, each handed out once.
        hear: Called with each question and its answer, in any order.

    >>> found, asked = [], [(1,), (2,), (3,)]
    >>> answers(lambda x: x * x, 1, lambda n: [asked.pop() for _ in asked[:n]], lambda q, a: found.append(a))
    >>> sorted(found)
    [1, 4, 9]
    """
    if jobs == 1:
        while questions := ready(1):
            hear(questions[0], work(*questions[0]))
        return
    with children(jobs, work) as ends:
        idle, busy = list(ends), dict[Connection, Question]()
        while True:
            for end, question in zip(list(idle), ready(len(idle)), strict=False):
                idle.remove(end)
                busy[end] = question
                _ask(end, question)
            if not busy:
                while not idle and (questions := ready(1)):  # all children are lost
                    hear(questions[0], work(*questions[0]))
                return
            for found in wait(list(busy)):
                assert isinstance(found, Connection)
                _heard(found, busy.pop(found), idle, work, hear)


def _ask(end: Connection, question: Question) -> None:
    with suppress(OSError):  # the child is lost: waiting for it ends at once
        end.send(question)


def _heard(end: Connection, question: Question, idle: list[Connection], work: Work, hear: Any) -> None:
    try:
        well, answer = end.recv()
        idle.append(end)
    except (EOFError, OSError):
        well, answer = True, work(*question)
    if not well:
        raise answer
    hear(question, answer)
