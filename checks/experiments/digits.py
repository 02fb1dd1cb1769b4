"""The pieces of the digits experiment put together: long tables, and a diagram for each reading of T_e."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.checks.experiments.diagram import Diagram, Floats
from oubli.checks.runs.blocks import Columns
from oubli.sim.experiments.digits.chains import DigitsProtocol, Repetition
from oubli.sim.experiments.digits.own import OwnRule
from oubli.sim.experiments.synthetic.protocol import summed

BUILT_IN, SCRATCH = "noise and fine-tune", "scratch"


def pieces(protocol: DigitsProtocol, own: tuple[str, ...]) -> list[Repetition | OwnRule]:
    """Every piece: the repetitions, and each kappa of the user's rule.

    >>> len(pieces(DigitsProtocol(points=3, repetitions=2), ("own",)))
    5
    """
    mine = [OwnRule(label, i) for label in own for i in range(protocol.points)]
    return [*(Repetition(number) for number in range(protocol.repetitions)), *mine]


def columns(protocol: DigitsProtocol, own: tuple[str, ...], done: Mapping[str, Columns]) -> dict[str, Any]:
    """`passage.*` over (algorithm, kappa, e) and `risk.*`, the mean excess, over (algorithm, kappa, t)."""
    runs = [done[f"repetition-{number}"] for number in range(protocol.repetitions)]
    when = np.stack([run["when"] for run in runs], axis=1)
    t, mean = mean_excess(runs)
    parts = [
        _part(protocol, SCRATCH, (1.0,), when[:1], t, mean[:, :1]),
        _part(protocol, BUILT_IN, protocol.kappas, when[1:], t, mean[:, 1:]),
    ]
    for label in own:
        mine = [done[f"{label}-k{i}"] for i in range(protocol.points)]
        for kappa, piece in zip(protocol.kappas, mine, strict=True):
            own_mean = piece["mean"][:, None]
            parts.append(_part(protocol, label, (kappa,), piece["when"][None], piece["times"], own_mean))
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def mean_excess(runs: list[Columns]) -> tuple[NDArray[Any], Floats]:
    """Times that every run was looked at, and the mean excess of retraining and of each kappa there.

    >>> early = np.array([[4.0], [3.0]])
    >>> run = {"times": np.array([0, 1, 2]), "scratch": np.array([2.0, 1.0, 0.5]), "early": early}
    >>> mean_excess([run, run])[1].tolist()
    [[2.0, 4.0], [1.0, 3.0], [0.5, 0.5]]
    """
    shortest = min(len(run["times"]) for run in runs)
    total = np.zeros((shortest, 1 + runs[0]["early"].shape[1]))
    for run in runs:
        total[:, 0] += run["scratch"][:shortest]
        apart = run["early"][:shortest]
        total[: len(apart), 1:] += apart
        # After meeting, every chain is the retraining one.
        total[len(apart) :, 1:] += run["scratch"][len(apart) : shortest, None]
    return runs[0]["times"][:shortest], total / len(runs)


def _part(
    protocol: DigitsProtocol,
    name: str,
    kappas: tuple[float, ...],
    when: NDArray[Any],
    t: NDArray[Any],
    mean: Floats,
) -> dict[str, NDArray[Any]]:
    """The rows of one algorithm; `when` has shape (kappas, repetitions, levels)."""
    found = summed(when.reshape(-1, when.shape[2]), len(kappas))
    kappa, e = np.meshgrid(kappas, protocol.levels, indexing="ij")
    at, time = np.meshgrid(kappas, t, indexing="ij")
    return {
        "passage.algorithm": np.full(e.size, name, dtype="<U64"),
        "passage.kappa": kappa.ravel(),
        "passage.e": e.ravel(),
        "passage.passed": found.passed.ravel(),
        "passage.total": found.total.ravel(),
        "passage.squares": found.squares.ravel(),
        "risk.algorithm": np.full(at.size, name, dtype="<U64"),
        "risk.kappa": at.ravel(),
        "risk.t": time.ravel(),
        "risk.mean": mean.T.ravel(),
    }


def diagrams(protocol: DigitsProtocol, own: tuple[str, ...], table: Mapping[str, Any]) -> list[Diagram]:
    """First passage and definition, for the built-in and the user's algorithm."""
    kappas, e = np.array(protocol.kappas), np.array(protocol.levels)
    names = (SCRATCH, BUILT_IN, *own)
    passed = {name: mean_passage(table, name, len(e)) for name in names}
    defined = {name: defined_times(table, name, e) for name in names}
    return [
        Diagram(name, reading, kappas, e, times[name], times[SCRATCH][0])
        for name in names[1:]
        for reading, times in (("first passage", passed), ("definition", defined))
    ]


def mean_passage(table: Mapping[str, Any], name: str, levels: int) -> Floats:
    """The mean time of the runs that passed; nan where none did."""
    mine = table["passage.algorithm"] == name
    passed, total = (table[f"passage.{key}"][mine].reshape(-1, levels) for key in ("passed", "total"))
    return np.where(passed > 0, total / np.maximum(passed, 1), np.nan)


def defined_times(table: Mapping[str, Any], name: str, levels: Floats) -> Floats:
    """min{t : mean excess <= e} over the times that were looked at; inf if there is none."""
    mine = table["risk.algorithm"] == name
    kappas, t, mean = (table[f"risk.{key}"][mine] for key in ("kappa", "t", "mean"))
    rows = []
    for kappa in dict.fromkeys(kappas.tolist()):
        least = np.minimum.accumulate(mean[kappas == kappa])
        first = np.searchsorted(-least, -levels, side="left")
        rows.append(np.append(t[kappas == kappa].astype(float), np.inf)[first])
    return np.array(rows)
