"""A declared start theta* + scale·N(0, I), projected: first tested, then judged exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, roots_legendre
from scipy.stats import chi2, kstest, ncx2

from oubli.checks.audit.coupling import Chosen, keeps_declaration
from oubli.checks.audit.draws import chain, rows_at_most, sampled, stream
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.guard import FaultError
from oubli.checks.audit.pairs import Pair, candidates, line_pair
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.laws import gaussian_attains, gaussian_delta
from oubli.sim.require import Array
from oubli.theory.regimes.noise import DUAL

# Rounding of the declared scale is the user's right: both exact decisions allow this relative error.
SLACK = Fraction(1, 10**9)
DRAWS, NODES = 20_000, 400
# In d >= 2 an integrand with a kink is summed at the nodes: that error is far below this share of delta.
QUADRATURE = 1e-3


def proved_distance(rf: float, d: int) -> float:
    """An upper bound on the distance of the two optima, proved for the class with L = mu = 1.

    >>> proved_distance(0.1, 1)
    0.1
    """
    return rf if d == 1 else min(2 * rf / (1 + rf), DUAL * rf)


def declared(subject: Subject, settings: Settings, closed: bool) -> list[Finding]:
    """Nothing without a declaration; else the finding on it and the exact verdict on privacy.

    `closed` says that what follows the start was found to be post-processing of it.
    """
    pair = line_pair(0.0, settings.rf, settings.dim)
    scale = subject.on(pair.problem).declared("noise_scale", settings.setup())
    if scale is None:
        return []
    tested = declaration(subject, settings, scale)
    if tested.verdict is Judgement.VIOLATED:
        return [tested]
    return [tested, exact(subject, settings, scale, closed)]


def declaration(subject: Subject, settings: Settings, scale: float) -> Finding:
    """Draws of theta_0 against the declared law, exactly where the Gaussian can be chosen, and by tests."""
    pair = line_pair(0.0, settings.rf, settings.dim)
    rule, setup, star = subject.on(pair.problem), settings.setup(), pair.optima[0]
    try:
        chosen = all(keeps_declaration(rule, point, scale, setup) for point in pair.optima)
    except FaultError:
        chosen = False
    draws = rows_at_most(DRAWS, settings.dim)
    theta, _ = rule.start(np.tile(star, (draws, 1)), setup, stream(settings.seed, 21))
    p_value = _p_value(theta - star, star, scale, setup.R)
    bad = p_value < settings.level("declaration")
    measured = {"scale": scale, "p_value": p_value, "same_with_chosen_gaussians": chosen}
    verdict = Judgement.VIOLATED if bad else Judgement.CONSISTENT
    says = f"the draws of theta_0 contradict noise_scale = {scale:.6g} (p = {p_value:.2g})" if bad else ""
    return Finding("declaration", verdict, f"theta_0 = theta* + {scale:.6g}·N(0, I), projected", measured,
                   1 - settings.level("declaration"), pair.name, says)  # fmt: skip


def _p_value(moved: Array, star: Array, scale: float, R: float) -> float:
    """Against the declared law, of the coordinates that no projection can have touched."""
    if scale == 0:
        return 1.0 if not np.any(moved) else 0.0
    room = (R - float(np.linalg.norm(star))) / scale
    d = moved.shape[1]
    if chi2.sf(room**2, d) * len(moved) < 1e-6:
        z = moved.ravel() / scale
        tail = float(chi2.cdf(float(z @ z), z.size))
        return min(1.0, 2 * min(2 * min(tail, 1 - tail), float(kstest(z, "norm").pvalue)))
    # Lengths below the room are untouched: their number is binomial, and so is the number below half of it.
    lengths = np.linalg.norm(moved, axis=1) / scale
    from scipy.stats import binomtest

    values = [
        binomtest(int((lengths < cut).sum()), len(lengths), float(chi2.cdf(cut**2, d))).pvalue
        for cut in (room / 2, 0.999 * room)
    ]
    return float(min(1.0, 2 * min(values)))


def exact(subject: Subject, settings: Settings, scale: float, closed: bool) -> Finding:
    """Private for every pair, or not private on one pair, or in between; no sampling enters."""
    eps, delta, most = settings.eps, settings.delta, proved_distance(settings.rf, settings.dim)
    text = f"({eps:g}, {delta:g}) from noise {scale:.6g}"
    if scale > 0 and _attains(eps, scale, most, delta):
        says = "the start is exactly private: every two optima lie within the proved distance; "
        says += "the rest is post-processing" if closed else "what follows is more than post-processing of it"
        measured = {
            "scale": scale,
            "proved_distance": most,
            "delta": float(gaussian_delta(eps, scale / most)),
        }
        verdict = Judgement.CONSISTENT if closed else Judgement.UNDECIDED
        return Finding("privacy exact", verdict, text, measured, 1.0, "every pair of the class", says)
    worst = max((_overshoot(pair, eps, scale) for pair in _placed(settings)), key=lambda found: found.delta)
    measured = {
        "scale": scale,
        "optima_apart": worst.pair.distance,
        "delta": worst.delta,
        "proved_distance": most,
    }
    instance = worst.pair.name
    if worst.delta <= delta * (1 + (float(SLACK) if settings.dim == 1 else QUADRATURE)):
        says = "the noise is proved to suffice for no pair that was tried to break it, nor for all"
        return Finding("privacy exact", Judgement.UNDECIDED, text, measured, 1.0, instance, says)
    if not reaches_release(subject, settings, worst):
        says = f"the start has delta = {worst.delta:.4g}, but the release is not a clear function of it"
        return Finding("privacy exact", Judgement.UNDECIDED, text, measured, 1.0, instance, says)
    says = f"delta at eps = {eps:g} is {worst.delta:.6g} > {delta:g}, by the exact law of the projected start"
    return Finding("privacy exact", Judgement.VIOLATED, text, measured, 1.0, instance, says)


def _attains(eps: float, scale: float, distance: float, delta: float) -> bool:
    sigma = Fraction(scale) / Fraction(distance) * (1 + SLACK)
    return gaussian_attains(Fraction(eps), sigma, Fraction(delta))


def _placed(settings: Settings) -> list[Pair]:
    """The pairs without sampling noise, where the release is a function of theta_0."""
    return [p for p in candidates(settings.rf, settings.dim) if len(p.problem.retain.losses) == 1]


@dataclass(frozen=True, eq=False)
class Overshoot:
    """A pair, the direction from the second optimum to the first, a threshold along it, and delta there."""

    pair: Pair
    direction: Array
    threshold: float
    delta: float


def _overshoot(pair: Pair, eps: float, scale: float) -> Overshoot:
    """The largest delta over half-spaces between the two optima, after projection on the ball."""
    first, second = pair.optima
    half = pair.distance / 2
    if half == 0:
        return Overshoot(pair, np.eye(len(first))[0], 0.0, 0.0)
    direction = (first - second) / np.linalg.norm(first - second)
    along = float((first + second) @ direction) / 2
    if scale == 0:
        return Overshoot(pair, direction, along, 1.0)
    across = float(np.linalg.norm(first - first @ direction * direction))
    nodes, masses = _across(across, scale, len(first))
    values = []
    for sign in (1.0, -1.0):
        best = minimize_scalar(
            lambda t, s=sign: -projected_delta(eps, scale, half, s * along, t, nodes, masses),
            bounds=(-0.4999, 0.4999), method="bounded", options={"xatol": 1e-10},
        )  # fmt: skip
        near = min(max(sign * along + scale**2 * eps / (2 * half), -0.4999), 0.4999)
        tried = [
            (projected_delta(eps, scale, half, sign * along, t, nodes, masses), t) for t in (best.x, near)
        ]
        values.append((*max(tried), sign))
    delta, threshold, sign = max(values)
    return Overshoot(pair, sign * direction, float(threshold), float(delta))


def _across(centre: float, scale: float, d: int) -> tuple[Array, Array]:
    """Nodes and masses for the length of the d − 1 coordinates across: noncentral chi around the centre."""
    if d == 1:
        return np.zeros(1), np.ones(1)
    low, high = max(0.0, centre - 9 * scale), centre + (9 + math.sqrt(d)) * scale
    x, w = roots_legendre(NODES)
    s = low + (high - low) * (x + 1) / 2
    density = ncx2.pdf((s / scale) ** 2, d - 1, (centre / scale) ** 2) * 2 * s / scale**2
    return s, w * (high - low) / 2 * np.nan_to_num(density)


def projected_delta(
    eps: float, scale: float, half: float, along: float, t: float, nodes: Array, masses: Array
) -> float:
    """P(E) − e^eps·Q(E) for E: the projected point lies beyond t along the direction; R = 1/2.

    With s the length across, the projected point lies beyond t exactly if the point itself lies beyond
    t·max(1, s/sqrt(R² − t²)).

    >>> round(projected_delta(1.0, 0.01, 0.005, 0.0, 0.01, np.zeros(1), np.ones(1)), 8)
    0.12693674
    """
    beyond = t * np.maximum(1.0, nodes / math.sqrt(0.25 - t * t))
    first = ndtr(-(beyond - along - half) / scale)
    second = ndtr(-(beyond - along + half) / scale)
    return float(masses @ (first - math.exp(eps) * second))


def reaches_release(subject: Subject, settings: Settings, found: Overshoot) -> bool:
    """Whether the release strictly increases with theta_0 on a grid along the direction, without noise."""
    problem, setup = found.pair.problem, settings.setup()
    rule = subject.on(problem)
    scale = rule.declared("noise_scale", setup) or 0.0
    star = found.pair.optima[0]
    steps = np.linspace(-1, 1, 65)[:, None] * found.direction
    if scale == 0:
        rows, z = star + 0.1 * setup.R * settings.rf * steps, np.zeros((65, settings.dim))
    else:
        rows, z = (
            np.tile(star, (65, 1)),
            steps * 0.5 + (found.threshold - star @ found.direction) / scale * found.direction,
        )
    rng = Chosen(z)
    try:
        gradients = sampled(problem.retain, 65, stream(3, 1))
        made = chain(rule, rows, gradients, setup, rng).outputs
    except FaultError:
        return False
    return bool(rng.calls <= 1 and np.all(np.diff(made @ found.direction) > 0))
