"""What a run would take, before it starts: pieces, processor hours, bytes."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from oubli.checks.experiments.pieces import ExperimentPiece
from oubli.checks.experiments.store import BLOCKS, MANIFEST
from oubli.checks.experiments.workers import Workers
from oubli.checks.runs.pool import PieceError
from oubli.checks.runs.store import PIECE
from oubli.errors import InputError

# Processor seconds for which pieces are tried, and where among the pieces, by cost.
TRIED, PLACES = 2.0, (0.05, 0.25, 0.45, 0.6, 0.75)


@dataclass(frozen=True)
class Plan:
    """The size of a run; hours are of one processor, estimated from a few pieces tried now."""

    folder: str
    finished: bool
    pieces: int
    missing: int
    hours: float
    bytes_needed: int
    shard: str

    def __str__(self) -> str:
        if self.finished:
            return f"{self.folder}: finished; the same call without --dry-run shows it again"
        return (
            f"{self.folder}: {self.missing} of {self.pieces} pieces are missing (shard {self.shard}), about "
            f"{self.hours:.3g} processor hours ({self.hours * 60:.2g} min), {self.bytes_needed / 1e6:.3g} MB"
        )


def plan(pieces: Sequence[ExperimentPiece], bytes_needed: int, folder: Path, how: Workers) -> Plan:
    """What is missing in the folder and what it costs; nothing is written."""
    there = {path.name.removesuffix(PIECE) for path in (folder / BLOCKS).glob(f"*{PIECE}")}
    mine = how.share(pieces)
    missing = [piece for piece in mine if piece.key not in there]
    finished = _has_manifest(folder)
    hours = 0.0 if finished or not missing else seconds(missing) / 3600
    return Plan(str(folder), finished, len(mine), len(missing), hours, bytes_needed, how.shard)


def _has_manifest(folder: Path) -> bool:
    try:
        return isinstance(json.loads((folder / MANIFEST).read_text(encoding="utf-8")), dict)
    except (OSError, ValueError):
        return False


def seconds(pieces: Sequence[ExperimentPiece]) -> float:
    """Processor seconds of all pieces: so much for each and so much per unit of cost, fitted to a few."""
    ordered, taken, spent = sorted(pieces, key=lambda piece: piece.cost), list[tuple[float, float]](), 0.0
    for place in PLACES:
        piece, begun = ordered[int(place * (len(ordered) - 1))], time.process_time()
        try:
            piece.run()
        except PieceError as why:
            raise InputError(str(why)) from None
        taken.append((piece.cost, time.process_time() - begun))
        spent += taken[-1][1]
        if spent > TRIED:
            break
    each, unit = fitted(taken)
    return each * len(pieces) + unit * sum(piece.cost for piece in pieces)


def fitted(taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """(seconds for each piece, seconds per unit of cost), neither negative.

    >>> each, unit = fitted([(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)])
    >>> round(each, 9), round(unit, 9)
    (1.0, 2.0)
    """
    cost, time_taken = np.array(taken).T
    design = np.stack([np.ones_like(cost), cost], axis=1)
    each, unit = np.linalg.lstsq(design, time_taken, rcond=None)[0]
    if min(each, unit) < 0:
        return 0.0, float(time_taken.sum() / max(cost.sum(), 1e-12))
    return float(each), float(unit)
