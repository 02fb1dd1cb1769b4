"""A declared start theta* + scale·N(0, I), projected: first tested, then judged exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, roots_legendre
from scipy.stats import binomtest, chi2, kstest, ncx2

from oubli.checks.audit.accountant import LEAST_SIGMA, MOST_SIGMA
from oubli.checks.audit.coupling import Chosen, close, keeps_declaration
from oubli.checks.audit.draws import chain, rows_at_most, sampled
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import FaultError
from oubli.checks.audit.pairs import Pair, claimed_pairs, line_pair
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.laws import gaussian_attains, gaussian_delta
from oubli.sim.require import Array
from oubli.theory.regimes.noise import WIDTH

# Rounding of the declared scale is the user's right: both exact decisions allow this relative error, and that
# of a few operations in single precision where the scale is a number of single precision.
SLACK, SLACK_SINGLE = Fraction(1, 10**9), Fraction(1, 2**22)
DRAWS, NODES, GRID = 20_000, 400, 65
# In d >= 2 an integrand with a kink is summed at the nodes: that error is far below this share of delta.
QUADRATURE = 1e-3


def proved_distance(rf: float, d: int) -> float:
    """An upper bound on the distance of the two optima, proved for the class with L = mu = 1.

    >>> proved_distance(0.1, 1)
    0.1
    """
    return rf if d == 1 else min(2 * rf / (1 + rf), WIDTH * rf)


def rounded_up(scale: float) -> float:
    """The largest scale that may have been rounded to this one.

    >>> rounded_up(0.1) / 0.1 - 1 < 1.1e-9, rounded_up(float(np.float32(0.1))) > 0.1
    (True, True)
    """
    with np.errstate(over="ignore"):
        single = scale == float(np.float32(scale))
    return float(Fraction(scale) * (1 + (SLACK_SINGLE if single else SLACK)))


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
    return [tested, exact(subject, settings, scale, closed, pair_claim(subject, settings))]


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
    p_value = noise_p_value(theta - star, star, scale, setup.R)
    bad = p_value < settings.level("declaration")
    measured = {"scale": scale, "p_value": p_value, "same_with_chosen_gaussians": chosen}
    verdict = Judgement.VIOLATED if bad else Judgement.CONSISTENT
    says = f"the draws of theta_0 contradict noise_scale = {scale:.6g} (p = {p_value:.2g})" if bad else ""
    return Finding("declaration", verdict, f"theta_0 = theta* + {scale:.6g}·N(0, I), projected", measured,
                   1 - settings.level("declaration"), pair.name, says)  # fmt: skip


def noise_p_value(moved: Array, star: Array, scale: float, R: float) -> float:
    """Of draws of scale·N(0, I) around a point of the ball, by those that no projection can have touched.

    >>> [noise_p_value(np.full((9, 1), x), np.zeros(1), 0.0, 0.5) for x in (0.0, 1.0)]
    [1.0, 0.0]
    """
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
    values = [
        binomtest(int((lengths < cut).sum()), len(lengths), float(chi2.cdf(cut**2, d))).pvalue
        for cut in (room / 2, 0.999 * room)
    ]
    return float(min(1.0, 2 * min(values)))


@dataclass(frozen=True, eq=False)
class Claim:
    """Two starts that must look alike: how far their points lie apart at most, and pairs of them."""

    text: str
    farthest: float
    pairs: tuple[Pair, ...]


def pair_claim(subject: Subject, settings: Settings) -> Claim:
    """Every two forget laws."""
    return Claim("", proved_distance(settings.rf, settings.dim), tuple(placed(subject, settings)))


def exact(subject: Subject, settings: Settings, scale: float, closed: bool, claim: Claim) -> Finding:
    """Private for every pair, or not private on one pair, or in between; no sampling enters."""
    eps, delta, most = settings.eps, settings.delta, claim.farthest
    text = f"({eps:g}, {delta:g}){claim.text} from noise {scale:.6g}"

    def made(verdict: Judgement, instance: str, says: str, **measured: float) -> Finding:
        numbers = {"scale": scale, "proved_distance": most, **measured}
        return Finding("privacy exact", verdict, text, numbers, 1.0, instance, says)

    noise = rounded_up(scale)
    if scale > 0 and _attains(eps, noise, most, delta):
        says = "the start is exactly private: every two optima lie within the proved distance; "
        says += "the rest is post-processing" if closed else "what follows is more than post-processing of it"
        verdict = Judgement.CONSISTENT if closed else Judgement.UNDECIDED
        reached = float(gaussian_delta(eps, min(scale / most, float(MOST_SIGMA))))
        return made(verdict, "every pair of the class", says, delta=reached)
    worst = max((_overshoot(pair, eps, noise) for pair in claim.pairs), key=lambda found: found.delta)
    verdict, says = Judgement.UNDECIDED, ""
    if worst.delta <= delta * (1 + (float(SLACK) if settings.dim == 1 else QUADRATURE)):
        says = "the noise is proved to suffice for no pair that was tried to break it, nor for all"
    elif not reaches_release(subject, settings, worst):
        says = f"the start has delta = {worst.delta:.4g}, but the release is not a clear function of it"
    else:
        verdict = Judgement.VIOLATED
        says = f"delta at eps = {eps:g} is {worst.delta:.6g} > {delta:g}, "
        says += "by the exact law of the projected start"
    return made(verdict, worst.pair.name, says, optima_apart=worst.pair.distance, delta=worst.delta)


def _attains(eps: float, scale: float, distance: float, delta: float) -> bool:
    sigma = Fraction(scale) / Fraction(distance)
    # With less noise than the law is evaluated for, delta is almost one at every eps that can be asked for.
    return sigma >= LEAST_SIGMA and gaussian_attains(Fraction(eps), min(sigma, MOST_SIGMA), Fraction(delta))


def placed(subject: Subject, settings: Settings) -> list[Pair]:
    """The pairs without sampling noise, where the release is a function of theta_0."""
    return [p for p in claimed_pairs(subject, settings) if len(p.problem.retain.losses) == 1]


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
    """Whether both sides release one strictly monotone function of theta_0: it hides nothing of it.

    Points theta_0 are reached from either optimum by chosen Gaussians. Without noise there are no such
    points: then the two releases are points, and must differ.
    """
    setup = settings.setup()
    scale = subject.on(found.pair.problem).declared("noise_scale", setup) or 0.0
    points = _points(found, scale, setup.R)
    made = []
    try:
        for number, (problem, star) in enumerate(zip(found.pair.sides, found.pair.optima, strict=True)):
            z = (points - star) / scale if scale > 0 else points
            # Each side has draws of its own: what they change is no function of theta_0.
            rng = Chosen(z, number)
            gradients = sampled(problem.retain, len(z), (3, 1))
            made.append(chain(subject.on(problem), np.tile(star, (len(z), 1)), gradients, setup, rng).outputs)
            if rng.calls > (scale > 0):
                return False
    except FaultError:
        return False
    if scale == 0:
        return all(np.all(np.ptp(side, axis=0) == 0) for side in made) and bool(np.any(made[0] != made[1]))
    same = np.abs(made[0] - made[1]).max() <= close(*made) * setup.R
    return bool(same and _monotone(points, made[0]))


def _points(found: Overshoot, scale: float, R: float) -> Array:
    """Points of the ball near the threshold, on the line through it, and in d >= 2 around it."""
    star, direction = found.pair.optima[0], found.direction
    foot = star + (found.threshold - star @ direction) * direction
    near, line = np.linspace(-0.5, 0.5, GRID)[:, None] * scale, np.linspace(-2, 2, GRID)[:, None] * R
    around = scale * np.random.default_rng(7).standard_normal((GRID * (len(star) > 1), len(star)))
    points = foot + np.concatenate([near * direction, line * direction, around])
    return np.asarray(points[np.linalg.norm(points, axis=1) < R])


def _monotone(points: Array, images: Array) -> bool:
    """Whether (f(x) − f(y))·(x − y) > 0 for every two of the points.

    >>> x = np.array([[0.0], [1.0], [2.0]])
    >>> _monotone(x, 3 * x), _monotone(x, x * (2 - x))
    (True, False)
    """
    for x, image in zip(points, images, strict=True):
        rise = np.sum((images - image) * (points - x), axis=1)
        if np.any(rise[np.any(points != x, axis=1)] <= 0):
            return False
    return True
