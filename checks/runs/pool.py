"""Pieces on this process, on worker processes, or on a Dask cluster: the same numbers from each.

Every piece runs with one BLAS thread, since the order of a threaded sum is not fixed. Workers end with the
run, however it ends.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from oubli.errors import InputError, optional

# A worker may die this many times before the run gives up; finished pieces are kept in any case.
DEATHS = 5
# Seconds between two looks of a worker at whether its run is still there.
LOOK = 0.25
ENDING = (signal.SIGTERM, signal.SIGHUP)


class Piece(Protocol):
    """An independent part of a computation; its key is the name of a file."""

    @property
    def key(self) -> str: ...
    @property
    def cost(self) -> float: ...
    def run(self) -> Any: ...


class PieceError(Exception):
    """A piece failed; carries one line of text, since not every exception can travel."""


def one_thread() -> AbstractContextManager[Any]:
    """What is computed inside comes out as it does in a worker: sums are not threaded."""
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(limits=1)
    return limits


def compute(piece: Piece, parent: int) -> tuple[str, Any]:
    """One piece with one BLAS thread: its key and result."""
    if os.getppid() == parent:
        _end_with(parent)
    with one_thread():
        return piece.key, piece.run()


@cache
def _end_with(parent: int) -> None:
    """In a worker: leave interruptions to the run, and end as soon as it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def results(
    pieces: Sequence[Piece],
    jobs: int,
    cluster: str | None = None,
    claim: Callable[[str], bool] = lambda _key: True,
) -> Iterator[tuple[str, Any]]:
    """Key and result of every piece, in any order; a worker that dies only costs what it was doing.

    Args:
        pieces: What is to be computed.
        jobs: Worker processes on this machine; with one, everything runs in this process.
        cluster: The address of a Dask scheduler, in the place of workers here.
        claim: Asked of each piece just before it is begun; one that another run has is left out.

    Raises:
        InputError: A piece failed, there is no cluster, or workers die again and again.
    """
    try:
        with ending_on_signals():
            if cluster is not None:
                with _client(cluster) as workers:
                    yield from _with_joblib(pieces, "dask", workers, claim)
            elif jobs == 1 or len(pieces) <= 1:
                yield from (compute(piece, parent=-1) for piece in pieces if claim(piece.key))
            else:
                yield from _with_joblib(pieces, "loky", lambda: min(jobs, len(pieces)), claim)
    except PieceError as why:
        raise InputError(str(why)) from None


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """A termination unwinds the run, and its workers with it, in the place of leaving them behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _leave) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


@contextmanager
def _client(address: str) -> Iterator[Callable[[], int]]:
    """A connection to the cluster, and how many threads it has now; InputError when there is none."""
    with optional("cluster", "--cluster"):
        Client: Any = import_module("dask.distributed").Client
    for name in ("distributed.comm", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=5, set_as_default=True)
        client.wait_for_workers(1, timeout=30)
    except (OSError, ValueError, TimeoutError) as why:
        raise InputError(f"--cluster {address}: no cluster with a worker answers there ({why})") from None
    with client:
        yield lambda: max(1, sum(client.nthreads().values()))


def _with_joblib(
    pieces: Sequence[Piece], backend: str, workers: Callable[[], int], claim: Callable[[str], bool]
) -> Iterator[tuple[str, Any]]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool

    missing, deaths = {piece.key: piece for piece in pieces}, 0
    # From its first moment a worker watches: one that is still starting must not outlive a killed run.
    begin = {"initializer": _end_with, "initargs": (os.getpid(),)} if backend == "loky" else {}
    while missing:
        # Taken one by one as workers become free: what is not begun is left to other runs.
        mine = (piece for piece in list(missing.values()) if claim(piece.key))
        calls = (delayed(compute)(piece, os.getpid()) for piece in mine)
        try:
            with parallel_config(backend=backend, n_jobs=workers(), **begin):
                # One piece a message: a batch would be lost together.
                run = Parallel(return_as="generator_unordered", batch_size=1)
            for key, value in run(calls):
                missing.pop(key, None)
                yield key, value
            return
        except (BrokenProcessPool, *_dask_deaths()) as why:
            deaths += 1
            if deaths > DEATHS:
                raise InputError(f"workers died {deaths} times ({why}); run again to go on") from None


def _dask_deaths() -> tuple[type[Exception], ...]:
    """The errors by which a cluster reports lost workers."""
    try:
        killed: type[Exception] = import_module("distributed.scheduler").KilledWorker
    except ImportError:
        return ()
    return (killed,)
