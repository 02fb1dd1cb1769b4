"""With chosen Gaussian draws two starts from different theta* can be made to meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from oubli.checks.audit.generators import Chosen
from oubli.checks.audit.guard import Guarded
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

CLOSE = 1e-9
# Single precision, with room for a few operations.
CLOSE_SINGLE = 1e-5
__all__ = ["CLOSE", "Chosen", "close", "keeps_declaration", "meet", "probe_scale"]
# Steps and release of a rule from theta_0 and a memory.
GoOn = Callable[[Guarded, Array, Any], Array]


def close(*outputs: Array) -> float:
    """The difference that rounding explains: that of single precision where all numbers fit into it.

    >>> close(np.array([[0.1]])), close(np.array([[np.float32(0.1)]]))
    (1e-09, 1e-05)
    """
    with np.errstate(over="ignore"):
        single = all(bool(np.all(out == out.astype(np.float32))) for out in outputs)
    return CLOSE_SINGLE if single else CLOSE


def probe_scale(rule: Guarded, theta_star: Array, setup: Setup) -> float:
    """The factor of the first Gaussian in theta_0, by a small difference; 0 where there is none.

    >>> from oubli.sim.algorithms import ProjectedNoise
    >>> setup = Setup(1.0, 1.0, 0.01, 1, 1.0, 1e-5, 0)
    >>> round(probe_scale(Guarded(ProjectedNoise()), np.zeros(1), setup) / (0.01 * setup.kappa), 6)
    1.0
    """
    # Small enough to stay in the ball, large enough for single precision.
    rows, small = theta_star[None], 2.0**-6
    ends = [rule.start(rows, setup, Chosen(z * np.ones_like(rows)))[0] for z in (-small, small)]
    return float((ends[1] - ends[0])[0, 0] / (2 * small))


def meet(
    rules: tuple[Guarded, Guarded], points: tuple[Array, Array], setup: Setup, z: Array, go_on: GoOn
) -> tuple[Array, Array] | None:
    """What becomes of two starts that meet in one theta_0, row by row; None where they cannot be made to.

    Each start goes on before the other one begins: what it left in the object is then still its own.
    """
    scale = probe_scale(rules[0], points[0], setup)
    shift = (points[0] - points[1]) / scale if scale > 0 else np.zeros_like(points[0])
    thetas: list[Array] = []
    outputs = []
    for rule, point, chosen in zip(rules, points, (z, z + shift), strict=True):
        theta, memory = rule.start(np.tile(point, (len(z), 1)), setup, Chosen(chosen))
        thetas.append(theta)
        outputs.append(go_on(rule, thetas[0], memory))
    if np.abs(thetas[0] - thetas[1]).max() > close(*thetas) * setup.R:
        return None
    return outputs[0], outputs[1]


def keeps_declaration(rule: Guarded, theta_star: Array, scale: float, setup: Setup) -> bool:
    """Whether theta_0 is exactly theta* + scale·z, projected or not, for chosen z."""
    z = np.random.default_rng(5).standard_normal((64, setup.d))
    rows = np.tile(theta_star, (64, 1))
    got, _ = rule.start(rows, setup, Chosen(z))
    wanted = rows + scale * z
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    projected = wanted * np.minimum(1.0, setup.R / np.maximum(size, 1e-300))
    return any(bool(np.abs(got - target).max() <= close(got) * setup.R) for target in (wanted, projected))
