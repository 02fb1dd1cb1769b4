"""Letters of finite laws and of the Gaussian mechanism: every event of a small space, the exact delta."""

from itertools import product

import numpy as np
from scipy.special import ndtr

from oubli.checks.measure.axes import named
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Batch, Source, linear, log
from oubli.sim.laws import gaussian_delta
from oubli.sim.require import Array

OUTCOMES = 4
EVENTS = np.array(list(product((0.0, 1.0), repeat=OUTCOMES)))
SMALLEST = 1e-13


def _law(batch: Batch, name: str) -> Array:
    raw = np.stack([batch[f"{name}{k}"] for k in range(OUTCOMES)], axis=1) + 1e-9
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))


def _mixed(share: Array, ideal: Array, drawn: Array) -> Array:
    return np.asarray(share[:, None] * ideal + (1 - share)[:, None] * drawn)


def divergence(P: Array, Q: Array, factor: Array) -> Array:
    """max over events of P(E) - factor Q(E), row by row.

    >>> divergence(np.array([[0.5, 0.5]]), np.array([[0.125, 0.875]]), np.array([2.0])).tolist()
    [0.25]
    """
    return np.asarray(np.maximum(P - factor[:, None] * Q, 0).sum(axis=1))


def _at_event(laws: tuple[Array, ...], gain: Array) -> list[Array]:
    """The probabilities, under each law, of the event with the largest gain."""
    event = EVENTS[np.argmax(gain, axis=1)]
    return [np.asarray((law * event).sum(axis=1)) for law in laws]


def close_letters(batch: Batch) -> Letters:
    """Two laws, the least delta that makes them close, and the event that separates them most."""
    E, small = np.exp(batch["epsilon"]), batch["small"]
    more, less = (1 - small) * E / (1 + E), (1 - small) / (1 + E)
    P = _mixed(batch["share"], np.stack([small, more, less, 0 * small], axis=1), _law(batch, "p"))
    Q = _mixed(batch["share"], np.stack([0 * small, less, more, small], axis=1), _law(batch, "q"))
    delta = np.maximum(np.maximum(divergence(P, Q, E), divergence(Q, P, E)), SMALLEST)
    p_u, p_v = _at_event((P, Q), (P - Q) @ EVENTS.T)
    rounding = np.full(len(E), 1e-15)
    values = {
        "epsilon": batch["epsilon"],
        "delta": delta,
        "P_unlearned": p_u,
        "P_unlearned_other": p_v,
        "P_fixed": p_v,
        "tau_hop": p_u - p_v,
        "tau_idle": divergence(P, P, np.ones_like(E)),
    }
    return Letters(
        values,
        dict.fromkeys(("delta", "P_unlearned", "P_unlearned_other", "P_fixed", "tau_hop"), rounding),
    )


def reference_letters(batch: Batch) -> Letters:
    """Two laws and a reference between them, the least delta for all four directions, the worst event."""
    E, small = np.exp(batch["epsilon"]), batch["small"] / (2 + 2 * np.exp(batch["epsilon"]))
    zero, far = 0 * small, (1 + E) * small
    P = _mixed(batch["share"], np.stack([far, 1 - far, zero, zero], axis=1), _law(batch, "p"))
    Q = _mixed(batch["share"], np.stack([zero, 1 - far, far, zero], axis=1), _law(batch, "q"))
    A = _mixed(batch["share"], np.stack([small, 1 - 2 * small, small, zero], axis=1), _law(batch, "a"))
    pairs = ((P, A), (A, P), (Q, A), (A, Q))
    delta = np.maximum(np.max([divergence(X, Y, E) for X, Y in pairs], axis=0), SMALLEST)
    gain = (P - (E**2)[:, None] * Q) @ EVENTS.T
    p_u, p_v, p_a = _at_event((P, Q, A), gain)
    rounding = np.full(len(E), 1e-15)
    values = {
        "epsilon": batch["epsilon"],
        "delta": delta,
        "P_tuned": p_u,
        "P_tuned_other": p_v,
        "P_reference": p_a,
    }
    return Letters(values, dict.fromkeys(("delta", "P_tuned", "P_tuned_other", "P_reference"), rounding))


def _laws(*names: str) -> dict[str, object]:
    return {f"{name}{k}": log(1e-6, 1, ()) for name in names for k in range(OUTCOMES)}


def _space(*names: str) -> dict[str, object]:
    return {"epsilon": log(1e-3, 10, (1.0,)), "small": log(1e-9, 0.9), "share": linear(0, 1), **_laws(*names)}


def gauss_letters(batch: Batch) -> Letters:
    """(eps, delta) as they are; what the mechanism really leaks is `leaked`."""
    return Letters(dict(batch))


def leaked(eps: Array, delta: Array) -> Array:
    """The exact delta of the classical noise, from the exact law."""
    return np.asarray(gaussian_delta(eps, np.sqrt(2 * np.log(1.25 / delta)) / eps))


def small_letters(batch: Batch) -> Letters:
    """c = sqrt(2 ln(1.25/delta)) for delta in (0, 1), and eps at most 1."""
    return Letters(
        {"c_delta": np.sqrt(2 * np.log(1.25 / batch["delta"])), "epsilon_small": batch["epsilon_small"]}
    )


def real_distance_letters(batch: Batch) -> Letters:
    """Noise kappa |theta* - theta_r*| on the line, at the event x > theta_r*: theta* beyond it, or on it."""
    kappa = np.sqrt(2 * np.log(1.25 / batch["delta"])) / batch["epsilon"]
    values = {"P_hit": ndtr(1 / kappa), "P_missed": 0 * kappa, "kappa": kappa}
    return Letters({**{n: batch[n] for n in ("epsilon", "delta")}, **values})


REAL_DISTANCE = Source(
    "noise scaled by the real distance",
    {"epsilon": log(1e-2, 1, (1.0,)), "delta": log(1e-8, 0.4)},
    real_distance_letters,
    1024,
)
CLOSE = Source("pairs of finite laws", _space("p", "q"), close_letters)  # type: ignore[arg-type]
REFERENCE = Source("laws around a reference", _space("p", "q", "a"), reference_letters)  # type: ignore[arg-type]
GAUSS = Source(
    "the Gaussian mechanism", {"epsilon": log(1e-2, 50, (1.0,)), "delta": named("delta")}, gauss_letters
)
SMALL = Source(
    "the Gaussian mechanism, eps <= 1",
    {"epsilon_small": log(1e-3, 1), "delta": log(1e-12, 1 - 1e-9, (0.9, 1e-5))},
    small_letters,
)
