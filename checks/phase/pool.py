"""Pieces on this process, on worker processes, or on a Dask cluster: the same numbers from each.

Every piece runs with one BLAS thread, since the order of a threaded sum is not fixed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from checks.commands.errors import BadInput
from checks.phase.blocks import Columns
from checks.phase.rule_file import RuleFile, make_rule

# A worker may die this many times before the run gives up; finished pieces are kept in any case.
DEATHS = 5


class Piece(Protocol):
    """An independent part of an experiment."""

    @property
    def key(self) -> str: ...
    def cost(self, protocol: Any) -> float: ...
    def run(self, protocol: Any, own: Mapping[str, Any]) -> Any: ...


@dataclass(frozen=True)
class Work:
    """Pieces, and what they all share."""

    protocol: Any
    own: tuple[RuleFile, ...]
    pieces: Sequence[Piece]


class RuleFailed(Exception):
    """A piece failed; carries one line of text, since not every exception can travel."""


def compute(protocol: Any, own: tuple[RuleFile, ...], piece: Piece) -> tuple[str, Columns]:
    """One piece with one BLAS thread: its key and columns."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        try:
            return piece.key, piece.run(protocol, {file.label: make_rule(file) for file in own})
        except Exception as why:
            raise RuleFailed(f"{piece.key}: {type(why).__name__}: {why}") from None


def results(work: Work, jobs: int, cluster: str | None) -> Iterator[tuple[str, Columns]]:
    """Key and columns of every piece, in any order; a worker that dies only costs what it was doing."""
    try:
        if cluster is not None:
            yield from _on_cluster(work, cluster)
        elif jobs == 1:
            yield from (compute(work.protocol, work.own, piece) for piece in work.pieces)
        else:
            yield from _with_joblib(work, "loky", lambda: jobs)
    except RuleFailed as why:
        raise BadInput(str(why)) from None


def _on_cluster(work: Work, address: str) -> Iterator[tuple[str, Columns]]:
    with _client(address) as workers:
        yield from _with_joblib(work, "dask", workers)


@contextmanager
def _client(address: str) -> Iterator[Callable[[], int]]:
    """A connection to the cluster, and how many threads it has now; BadInput when there is none."""
    try:
        Client: Any = import_module("dask.distributed").Client
    except ImportError:
        raise BadInput("--cluster needs dask: install the extra `cluster`") from None
    for name in ("distributed.comm", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=5, set_as_default=True)
        client.wait_for_workers(1, timeout=30)
    except (OSError, ValueError, TimeoutError) as why:
        raise BadInput(f"--cluster {address}: no cluster with a worker answers there ({why})") from None
    with client:
        yield lambda: max(1, sum(client.nthreads().values()))


def _with_joblib(work: Work, backend: str, workers: Callable[[], int]) -> Iterator[tuple[str, Columns]]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool

    missing, deaths = {piece.key: piece for piece in work.pieces}, 0
    while missing:
        calls = [delayed(compute)(work.protocol, work.own, piece) for piece in missing.values()]
        try:
            with parallel_config(backend=backend, n_jobs=workers()):
                # One piece a message: a batch would be lost together.
                run = Parallel(return_as="generator_unordered", batch_size=1)
            for key, columns in run(calls):
                missing.pop(key, None)
                yield key, columns
        except (BrokenProcessPool, *_dask_deaths()) as why:
            deaths += 1
            if deaths > DEATHS:
                raise BadInput(f"workers died {deaths} times ({why}); run again to go on from here") from None


def _dask_deaths() -> tuple[type[Exception], ...]:
    """The errors by which a cluster reports lost workers."""
    try:
        killed: type[Exception] = import_module("distributed.scheduler").KilledWorker
    except ImportError:
        return ()
    return (killed,)
