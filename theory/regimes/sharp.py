"""Our sharpest constants: every bound of our own theorems beside those of the repaired proofs.

Units L = mu = 1: R = 1/2, e0 = 1/8, x = e/e0; V is the constant of the noise lemma.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from oubli.theory.regimes import bayes_kink, hops, printed_repaired, registry
from oubli.theory.regimes.ball_of_starts import ball_steps
from oubli.theory.regimes.bayes_kink import bayes_steps
from oubli.theory.regimes.bound import Bound, Choice
from oubli.theory.regimes.chain import chain_steps
from oubli.theory.regimes.cube import cube_steps
from oubli.theory.regimes.kink import kink_steps
from oubli.theory.regimes.linear import linear_steps
from oubli.theory.regimes.noise import noise, sensitivity
from oubli.theory.regimes.printed_repaired import of_notion, start_is_enough, steps_if
from oubli.theory.regimes.query import Notion, Query
from oubli.theory.regimes.safe import Floats, ceil_down, down, single, up
from oubli.theory.regimes.sgd import V, fewest_steps
from oubli.theory.regimes.sphere import sphere_steps
from oubli.theory.regimes.two_point import two_point_steps

FEW_LEAVE = [float(down(single(left))) for left in registry.few_leave()]
LEAST_SHARE = 1e-12  # a share is above 0
WARM = "noise, shrink, then SGD with steps c/(mu (1 + kt))"


def scratch_lower(q: Query) -> list[Bound]:
    """T >= (sqrt(e0/e) - 1)^2, what a prior forces for T <= 14, and what the printed proof gives."""
    root = np.maximum(down(1 / np.sqrt(q.x)) - 1, 0.0)
    steps = start_is_enough(q, ceil_down(root**2))
    few = (start_is_enough(q, np.where(q.x < left, T + 1.0, 0.0)) for T, left in enumerate(FEW_LEAVE, 1))
    return [
        *printed_repaired.scratch_lower(q),
        Bound(steps, "mean of coin flips", registry.COIN_FLIPS),
        *(Bound(T, "few gradients", basis) for T, basis in zip(few, registry.FEW, strict=True)),
    ]


def scratch_upper(q: Query) -> list[Bound]:
    """SGD from 0 with equal or with growing weights by the noise lemma, and what the printed proof gives."""
    # Below, growing weights are better.
    near = np.where(q.x > 0.03, down(q.x), 0.0)
    equal = start_is_enough(q, fewest_steps(near, np.full_like(q.x, 0.25)))
    growing = start_is_enough(q, linear_steps(down(q.x)))
    return [
        *printed_repaired.scratch_upper(q),
        Bound(equal, "SGD with steps c/(mu (1 + kt))", registry.EQUAL_WEIGHTS),
        Bound(growing, "SGD with growing weights", registry.GROWING_WEIGHTS),
    ]


def offset(r: Floats) -> Floats:
    """4 r^2/(1 - r^2): what theta* costs, in units e0, rounded up."""
    return up(4 * r**2 / ((1 - r) * (1 + r)))


def mechanism(q: Query) -> tuple[Choice, Choice]:
    """The noise (its mean square at unit sensitivity) and the sensitivity it covers."""
    return noise(q), sensitivity(q)


def share(x: Floats, r: Floats, D: Floats) -> Floats:
    """Which share of the price of theta* to pay, at most 1, where the noise has mean square D.

    At this share what counts for the saved distance, (1 - r^2)(1 - share)/(4 share) of what is left, is D.
    More would leave less of the target, less would count for more than the noise.

    >>> float(share(np.array([0.01]), np.array([0.01]), np.array([0.0]))[0])
    1.0
    """
    near, far = (1 - r) * (1 + r) * x, 4 * r**2
    half = (near + far + 4 * D) / 2
    return np.maximum(near / (half + np.sqrt(np.maximum(half**2 - near * far, 0.0))), LEAST_SHARE)


def between(x: Floats, r: Floats, D: Floats, part: Floats) -> tuple[Floats, Floats]:
    """What a share leaves of the target, and the mean square distance that counts."""
    left = np.maximum(down(x) - up(part * offset(r)), 0.0)
    return left, np.maximum(D, up(left * (1 - r) * (1 + r) * (1 - part) / (4 * part)))


def comparators(q: Query, square: Choice, s: Choice) -> tuple[tuple[Floats, Floats], ...]:
    """What is left of the target, and the mean square distance: to theta*, theta_r*, a point between."""
    spread = up(q.r**2 * s.values**2 * square.values)
    left = np.maximum(down(q.x) - offset(q.r), 0.0)
    part = share(q.x, q.r, spread)
    return (left, spread), (down(q.x), up(spread + q.r**2)), between(q.x, q.r, spread, part)


def unlearn_upper(q: Query, scratch: list[Bound]) -> list[Bound]:
    """Shrunk release, fine-tuning, retraining, and the printed algorithms."""
    if q.notion is Notion.REFERENCE:
        return printed_repaired.unlearn_upper(q, scratch)
    choices = mechanism(q)
    (_, spread), (whole, far), (left, near) = comparators(q, *choices)
    old, new = up(offset(q.r) + 8 * np.sqrt(V * spread)), up(8 * np.sqrt(V * far))
    found = [
        Bound(steps_if(q.x, old), "noise, then shrink", registry.SHRUNK_OLD, choices),
        Bound(steps_if(q.x, new), "noise, then shrink", registry.SHRUNK_NEW, choices),
        Bound(fewest_steps(left, near), WARM, registry.TUNED_BETWEEN, choices),
        Bound(fewest_steps(whole, far), WARM, registry.TUNED_NEW, choices),
    ]
    return [*printed_repaired.unlearn_upper(q, scratch), *found]


def unlearn_lower(q: Query) -> list[Bound]:
    """The chain of means, the chains in a cube, two points with exact laws, a kink, and the printed ones."""
    eps, delta = q.lower_budget
    steps = start_is_enough(q, chain_steps(q.x, q.rho, eps, delta))
    cube = start_is_enough(q, cube_steps(q.x, q.rho, eps, delta, q.d))
    two = start_is_enough(q, two_point_steps(q.x, q.rho, eps, delta))
    kink = start_is_enough(q, kink_steps(q.x, q.r))
    # A search that cannot force more is left out.
    others = np.maximum.reduce([steps, cube, two, kink])
    few, fewer = others <= hops.MOST, others <= bayes_kink.MOST
    sphere = start_is_enough(q, _where(few, sphere_steps, q.x, q.r, eps, delta, q.d))
    ball = start_is_enough(q, _where(few, ball_steps, q.x, q.r, eps, delta, q.d))
    bayes = start_is_enough(q, _where(fewer, bayes_steps, q.x, q.r))
    return [
        *printed_repaired.unlearn_lower(q),
        Bound(steps, "means along a chain", of_notion(q, registry.CHAIN)),
        Bound(cube, "chains in a cube", of_notion(q, registry.CUBE)),
        Bound(two, "two points, exact laws", of_notion(q, registry.TWO_POINT)),
        Bound(kink, "a kink at theta*", registry.KINK),
        Bound(bayes, "a kink at theta*, exact laws", registry.BAYES),
        Bound(ball, "rare kinks in a ball", of_notion(q, registry.BALL)),
        Bound(sphere, "rare kinks on a sphere", of_notion(q, registry.SPHERE)),
    ]


def _where(rows: NDArray[np.bool_], steps: Callable[..., Floats], *columns: Floats) -> Floats:
    """What a bound gives for some rows; 0 for the others."""
    found, at = np.zeros(rows.shape), np.flatnonzero(rows)
    found[at] = steps(*(column[at] for column in columns))
    return found
