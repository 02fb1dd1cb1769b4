"""The constants of the paper's proofs, repaired: each function is one bound of the ledger, as integers.

The repairs of noise alone and of constant steps speak of the classical kappa for eps <= 1; the records used
here have the same constants with the noise left open, so that the exact noise can be put in at every eps.
Units L = mu = 1: R = 1/2, e0 = 1/8, x = e/e0.
"""

from __future__ import annotations

import numpy as np

from oubli.theory.regimes import registry
from oubli.theory.regimes.basis import Basis
from oubli.theory.regimes.bound import Bound, Choice, Option, smallest
from oubli.theory.regimes.noise import chord, gaussian
from oubli.theory.regimes.query import Notion, Query
from oubli.theory.regimes.safe import Floats, ceil_down, ceil_quotient, ceil_up, down, up

TAKES, NEEDS = registry.retraining_takes(), registry.retraining_needs()


def start_is_enough(q: Query, steps: Floats) -> Floats:
    """The steps, or 0 where e >= e0: the output 0 is good enough."""
    return np.where(q.x >= 1, 0.0, steps)


def scratch_upper(q: Query) -> list[Bound]:
    """(T+1) e >= 16 e0 suffices."""
    steps = np.maximum(ceil_quotient(TAKES, q.x) - 1, 0.0)
    how = "SGD with steps 2/(mu (t+2))"
    return [Bound(start_is_enough(q, steps), how, registry.PRINTED_SGD)]


def scratch_lower(q: Query) -> list[Bound]:
    """T >= 1 for e < e0, and T >= (3/50) e0/e."""
    one = np.where(q.x < 1, 1.0, 0.0)
    return [
        Bound(one, "some gradient is needed below e0", registry.POSITIVE),
        Bound(
            start_is_enough(q, ceil_down(NEEDS / q.x)), "two points, same start", registry.TWO_POINTS_SCRATCH
        ),
    ]


def retraining(scratch: list[Bound]) -> list[Bound]:
    """Retraining ignores the forget data, so it unlearns: T^U <= T^S."""
    return [Bound(b.steps, f"retrain: {b.how}", b.basis.also(registry.RETRAINING)) for b in scratch]


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
    # Retraining first: of two equal bounds the one that needs no noise, and from e0 on the start 0 itself.
    return [
        *retraining(scratch),
        Bound(alone, "noise only", registry.NOISE_ALONE, choices),
        Bound(
            constant_steps(q, square, apart.values),
            "noise, then constant steps",
            registry.CONSTANT_STEPS,
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
    line = smallest([Option(np.ones_like(q.r), "line", registry.LINE)])
    choices = (smallest([square]), line)
    return Bound(steps_if(q.x, threshold), "noise only", registry.NOISE_ALONE_LINE, choices)


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
    return [
        Bound(np.zeros_like(q.x), "nothing is forced", registry.NOTHING_FORCED),
        Bound(steps, "two points, gamma = sqrt(3 e/e0)", of_notion(q, registry.PRINTED_STEP)),
        Bound(_closed_form(q, eps, delta), "two points, closed form", of_notion(q, registry.PRINTED_CLOSED)),
    ]


def printed_width(x: float) -> list[tuple[float, ...]]:
    """The half width that the proof chooses."""
    return [(float(np.sqrt(3 * x)),)]


def _closed_form(q: Query, eps: Floats, delta: Floats) -> Floats:
    kappa = np.sqrt(2 * np.log(1.25 / delta)) / eps
    least, reach, least_delta = registry.closed_form()
    near = q.x <= down(q.rho**2 * (1 + kappa**2) * reach)
    inside = near & (up(3 * q.x) <= 1) & (delta >= up(np.full_like(delta, least_delta))) & (delta <= eps)
    return np.where(inside, ceil_down(least / q.x), 0.0)


def of_notion(q: Query, basis: Basis) -> Basis:
    """A lower bound for Definition 2, with what turns Reference Unlearning into that."""
    return basis if q.notion is Notion.UNLEARNING else basis.also(registry.FROM_REFERENCE)
