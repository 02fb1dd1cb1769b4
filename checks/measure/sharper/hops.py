"""Letters of one hop: two finite laws of an output on a segment, and what privacy lets its mean do."""

import numpy as np

from oubli.checks.measure.privacy import SMALLEST, divergence
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Axis, Batch, Source, each, linear, log
from oubli.sim.require import Array

OUTCOMES = 4


def _law(batch: Batch, name: str, ideal: list[Array]) -> Array:
    """An ideal law mixed with a drawn one."""
    raw = np.stack([batch[f"{name}{k}"] for k in range(OUTCOMES)], axis=1) + 1e-9
    share = batch["share"][:, None]
    return np.asarray(share * np.stack(ideal, axis=1) + (1 - share) * raw / raw.sum(axis=1, keepdims=True))


def hop_letters(batch: Batch) -> Letters:
    """Outputs at gamma_max, m + y, m - y and gamma_min; laws before and after a hop, moments by summing."""
    low, high = np.minimum(batch["first"], batch["second"]), np.maximum(batch["first"], batch["second"])
    m = low + batch["middle"] * (high - low)
    y = batch["near"] * np.minimum(high - m, m - low)
    E, small = np.exp(batch["epsilon"]), batch["small"]
    more, less, none = (1 - small) * E / (1 + E), (1 - small) / (1 + E), 0 * small
    P = _law(batch, "p", [small * batch["middle"], more, less, small * (1 - batch["middle"])])
    Q = _law(batch, "q", [none, less + small * batch["middle"], more + small * (1 - batch["middle"]), none])
    up = np.stack([high - m, y, 0 * y, 0 * y], axis=1)
    down = np.stack([0 * y, 0 * y, y, m - low], axis=1)
    parts = {
        "Y_side_P": (P * up).sum(axis=1),
        "Y_side_Q": (Q * up).sum(axis=1),
        "Y_near": (P * (up + down)).sum(axis=1),
        "W_cut": (P * (up + down) ** 2).sum(axis=1),
    }
    squares = [(law * (up + down) ** 2).sum(axis=1) for law in (P, Q)]
    values = {
        "epsilon": batch["epsilon"],
        "delta": np.maximum(np.maximum(divergence(P, Q, E), divergence(Q, P, E)), SMALLEST),
        "gamma_min": low,
        "gamma_max": high,
        "m_hop": m,
        "y_worst": np.sqrt(np.maximum(*squares)),
        "O_hop": ((P - Q) * (up - down)).sum(axis=1),
        **parts,
    }
    exact = ("epsilon", "gamma_min", "gamma_max", "m_hop")
    return Letters(values, {n: np.full_like(m, 4e-15) for n in values if n not in exact})


_laws: dict[str, Axis] = {f"{n}{k}": log(1e-6, 1) for n in ("p", "q") for k in range(OUTCOMES)}
HOP = Source(
    "two laws of an output",
    {
        "epsilon": log(1e-3, 10, (1.0,)),
        **each(linear(-1, 1, (0.0,)), "first second"),
        **each(linear(0, 1, (0.5,)), "middle near"),
        "small": log(1e-9, 0.9, (0.0,)),
        "share": linear(0, 1),
        **_laws,
    },
    hop_letters,
)
