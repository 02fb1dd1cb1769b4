"""The constants of the paper's proofs, repaired: each function is one bound of the ledger, as integers.

trivial.repaired and efficient.steps speak of the classical kappa for eps <= 1; their twins sharp.exact.* have
the same constants with the noise left open, so that the exact noise can be put in at every eps.
Units L = mu = 1: R = 1/2, e0 = 1/8, x = e/e0.
"""

from __future__ import annotations

import numpy as np

from theory.regimes.bound import Bound, Choice, Option, smallest
from theory.regimes.noise import chord, gaussian
from theory.regimes.query import Notion, Query
from theory.regimes.safe import Floats, ceil_down, ceil_quotient, ceil_up, down, up


def start_is_enough(q: Query, steps: Floats) -> Floats:
    """The steps, or 0 where e >= e0 (e0.zero)."""
    return np.where(q.x >= 1, 0.0, steps)


def scratch_upper(q: Query) -> list[Bound]:
    """(T+1) e >= 16 e0 suffices."""
    steps = np.maximum(ceil_quotient(16, q.x) - 1, 0.0)
    how = "SGD with steps 2/(mu (t+2))"
    return [Bound(start_is_enough(q, steps), how, ("scratch.upper", "e0.zero"))]


def scratch_lower(q: Query) -> list[Bound]:
    """T >= 1 for e < e0, and T >= (3/50) e0/e."""
    one = np.where(q.x < 1, 1.0, 0.0)
    return [
        Bound(one, "some gradient is needed below e0", ("scratch.positive",)),
        Bound(start_is_enough(q, ceil_down(0.06 / q.x)), "two points, same start", ("scratch.theta",)),
    ]


def retraining(scratch: list[Bound]) -> list[Bound]:
    """Retraining ignores the forget data, so it unlearns: T^U <= T^S."""
    return [Bound(b.steps, f"retrain: {b.how}", (*b.claims, "sharp.retraining")) for b in scratch]


def mechanism(q: Query) -> tuple[Choice, Choice]:
    """The noise (its mean square at unit sensitivity) and the sensitivity it covers."""
    return smallest([gaussian(q)]), smallest([chord(q)])


def unlearn_upper(q: Query, scratch: list[Bound]) -> list[Bound]:
    """Noise alone, noise then constant steps, retraining; retraining alone for Reference Unlearning.

    A reference is a learning algorithm started at 0 with the same T (Definition 1): noise around theta* has
    none that is proved close to it, retraining is its own.
    """
    if q.notion is Notion.REFERENCE:
        return retraining(scratch)
    square, apart = gaussian(q), chord(q)
    choices = mechanism(q)
    alone = steps_if(q.x, lipschitz_threshold(q, square, apart.values))
    # Retraining first: of two equal ways the one that needs no noise, and from e0 on the start 0 itself.
    return [
        *retraining(scratch),
        Bound(alone, "noise only", ("sharp.exact.trivial",), choices),
        Bound(
            constant_steps(q, square, apart.values),
            "noise, then constant steps",
            ("sharp.exact.steps",),
            choices,
        ),
        _on_the_line(q, square),
    ]


def lipschitz_threshold(q: Query, square: Option, s: Floats) -> Floats:
    """The least e/e0 that projected noise alone is shown to reach, rounded up."""
    return up(4 * q.r**2 / ((1 - q.r) * (1 + q.r)) + 8 * q.r * s * np.sqrt(square.values))


def steps_if(x: Floats, threshold: Floats) -> Floats:
    """0 where the target is at least the threshold, else no bound."""
    return np.where(x >= threshold, 0.0, np.inf)


def _on_the_line(q: Query, square: Option) -> Bound:
    threshold = np.where(q.d == 1, up(4 * q.r**2 + 8 * q.r * np.sqrt(square.values)), np.inf)
    line = smallest([Option(np.ones_like(q.r), "line", ("sensitivity.line",))])
    choices = (smallest([square]), line)
    return Bound(steps_if(q.x, threshold), "noise only", ("sharp.exact.trivial.line",), choices)


def constant_steps(q: Query, square: Option, s: Floats) -> Floats:
    """64 r^2 (1 + s^2 E|z|^2) (e0/e)^2 steps, rounded up, and at least one."""
    return np.maximum(ceil_up(64 * q.r**2 * (1 + s**2 * square.values) / q.x**2), 1.0)


def hops(q: Query, gamma: Floats) -> Floats:
    """ceil(((1-r) gamma - r)_+/(2r)), rounded up; inf for r = 0."""
    with np.errstate(divide="ignore"):
        return np.ceil(np.maximum(up(gamma / q.rho) - 1, 0.0) / 2)


def unlearn_lower(q: Query) -> list[Bound]:
    """Two points at gamma = sqrt(3 e/e0), the choice of the proof, and its closed form."""
    eps, delta = q.lower_budget
    gamma = np.sqrt(3 * q.x)
    with np.errstate(over="ignore", invalid="ignore"):
        K = hops(q, up(gamma))
        spent = np.where(K > 0, up(2 * K * (np.expm1(eps) + delta)), 0.0)
        left = np.maximum(down(np.full_like(gamma, 2 / 3)) - spent, 0.0)
    steps = np.where(up(3 * q.x) <= 1, ceil_down((2 * left / (np.pi * gamma)) ** 2), 0.0)
    claims = ("inefficient.step1.repaired", *budget_claims(q))
    return [
        Bound(np.zeros_like(q.x), "nothing is forced", ()),
        Bound(steps, "two points, gamma = sqrt(3 e/e0)", claims),
        Bound(
            _closed_form(q, eps, delta),
            "two points, closed form",
            ("inefficient.repaired", *budget_claims(q)),
        ),
    ]


def _closed_form(q: Query, eps: Floats, delta: Floats) -> Floats:
    kappa = np.sqrt(2 * np.log(1.25 / delta)) / eps
    reach = down(q.rho**2 * (1 + kappa**2) / (32 * 27 * np.log(1.25e8)))
    inside = (q.x <= reach) & (up(3 * q.x) <= 1) & (delta >= up(np.full_like(delta, 1e-8))) & (delta <= eps)
    return np.where(inside, ceil_down(1 / (27 * np.pi**2 * q.x)), 0.0)


def budget_claims(q: Query) -> tuple[str, ...]:
    """What turns Reference Unlearning into Definition 2, for the lower bounds."""
    return () if q.notion is Notion.UNLEARNING else ("def.from_reference",)
