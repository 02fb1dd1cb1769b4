"""The constants of the paper's proofs, repaired: each function is one bound of the ledger, as integers.

Units L = mu = 1: R = 1/2, e0 = 1/8, x = e/e0.
"""

from __future__ import annotations

import numpy as np

from theory.regimes.bound import Bound
from theory.regimes.noise import Scale, gaussian
from theory.regimes.query import Notion, Query
from theory.regimes.safe import Floats, ceil_down, ceil_up, down, up

ZERO = "output 0: e >= e0"
THIRD = 1 / 3


def start_is_enough(q: Query, steps: Floats) -> Floats:
    """The steps, or 0 where e >= e0 (e0.zero)."""
    return np.where(q.x >= 1, 0.0, steps)


def scratch_upper(q: Query) -> list[Bound]:
    """(T+1) e >= 16 e0 suffices."""
    steps = np.maximum(ceil_up(16 / q.x) - 1, 0.0)
    return [Bound(start_is_enough(q, steps), "projected SGD with step 2/(mu (t+2))", ("scratch.upper", "e0.zero"))]


def scratch_lower(q: Query) -> list[Bound]:
    """T >= 1 for e < e0, and T >= (3/50) e0/e."""
    one = np.where(q.x < 1, 1.0, 0.0)
    return [
        Bound(one, "some gradient is needed below e0", ("scratch.positive",)),
        Bound(start_is_enough(q, ceil_down(0.06 / q.x)), "two points, same start", ("scratch.theta",)),
    ]


def chord_sensitivity(q: Query) -> tuple[Floats, tuple[str, ...]]:
    """How far two optima lie apart, in units r L/mu, by the chord argument; 1 for the reference theta_r*."""
    if q.notion is Notion.REFERENCE:
        return np.ones_like(q.r), ("opt_dist.sharp", "def.to_reference.repaired")
    return up(2 / (1 + q.r)), ("sensitivity",)


def retraining(q: Query, scratch: list[Bound]) -> list[Bound]:
    """Retraining ignores the forget data, so it unlearns: T^U <= T^S."""
    return [Bound(b.steps, "retrain from scratch", (*b.claims, "sharp.retraining")) for b in scratch]


def unlearn_upper(q: Query) -> list[Bound]:
    """Noise alone, noise then constant steps, retraining."""
    scale, (s, why) = gaussian(q), chord_sensitivity(q)
    claims = (*why, *scale.claims)
    found = [
        Bound(start_is_enough(q, steps_if(q.x, noise_only(q, scale, s))), "noise only", ("trivial.repaired", *claims)),
        Bound(constant_steps(q, scale, s), "noise, then constant steps", ("efficient.steps", *claims)),
        *retraining(q, scratch_upper(q)),
    ]
    if q.notion is Notion.UNLEARNING and (q.d == 1).any():
        found.append(_on_the_line(q, scale))
    return found


def noise_only(q: Query, scale: Scale, s: Floats) -> Floats:
    """The least e/e0 that projected noise alone is shown to reach, rounded up."""
    return up(4 * q.r**2 / ((1 - q.r) * (1 + q.r)) + 8 * q.r * s * np.sqrt(scale.square))


def steps_if(x: Floats, threshold: Floats) -> Floats:
    """0 where the target is at least the threshold, else no bound."""
    return np.where(x >= threshold, 0.0, np.inf)


def _on_the_line(q: Query, scale: Scale) -> Bound:
    threshold = np.where(q.d == 1, up(4 * q.r**2 + 8 * q.r * np.sqrt(scale.square)), np.inf)
    claims = ("trivial.repaired.line", "sensitivity.line", *scale.claims)
    return Bound(steps_if(q.x, threshold), "noise only", claims)


def constant_steps(q: Query, scale: Scale, s: Floats) -> Floats:
    """64 r^2 (1 + s^2 E|z|^2) (e0/e)^2 steps, rounded up, and at least one."""
    return np.maximum(ceil_up(64 * q.r**2 * (1 + s**2 * scale.square) / q.x**2), 1.0)


def hops(q: Query, gamma: Floats) -> Floats:
    """ceil(((1-r) gamma - r)_+/(2r)), rounded up; inf for r = 0."""
    with np.errstate(divide="ignore"):
        return np.maximum(np.ceil(up(np.maximum(gamma / q.rho - down(np.ones_like(gamma)), 0.0) / 2)), 0.0)


def unlearn_lower(q: Query) -> list[Bound]:
    """Two points at gamma = sqrt(3 e/e0), the choice of the proof, and its closed form."""
    eps, delta = q.lower_budget
    gamma = np.sqrt(3 * q.x)
    with np.errstate(over="ignore", invalid="ignore"):
        K = hops(q, up(gamma))
        spent = np.where(K > 0, up(2 * K * (np.expm1(eps) + delta)), 0.0)
        left = np.maximum(down(np.full_like(gamma, 2 / 3)) - spent, 0.0)
    steps = ceil_down((2 * left / (np.pi * gamma)) ** 2)
    close = Bound(
        np.where(up(q.x) <= THIRD, steps, 0.0),
        "two points, gamma = sqrt(3 e/e0)",
        ("inefficient.step1.repaired", *_notion_claim(q)),
    )
    return [close, _closed_form(q, eps, delta)]


def _closed_form(q: Query, eps: Floats, delta: Floats) -> Bound:
    kappa = np.sqrt(2 * np.log(1.25 / delta)) / eps
    constant = 1 / (32 * 27 * np.log(1.25e8))
    reach = down(constant * q.rho**2 * (1 + kappa**2))
    inside = (up(q.x) <= np.minimum(THIRD, reach)) & (delta >= 1e-8) & (delta <= eps)
    steps = np.where(inside, ceil_down(1 / (27 * np.pi**2 * q.x)), 0.0)
    return Bound(steps, "two points, closed form", ("inefficient.repaired", *_notion_claim(q)))


def _notion_claim(q: Query) -> tuple[str, ...]:
    return () if q.notion is Notion.UNLEARNING else ("def.from_reference",)
