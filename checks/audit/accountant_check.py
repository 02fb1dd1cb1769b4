"""A declared noise schedule: first held against the code of the steps, then judged by the accountant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from oubli.checks.audit.accountant import Certificate, certify
from oubli.checks.audit.accountant_steps import (
    ClippedStep,
    Contraction,
    GradientStep,
    NoisyStep,
    SmoothStep,
    as_steps,
)
from oubli.checks.audit.coupling import CLOSE, Chosen
from oubli.checks.audit.declared import SLACK, noise_p_value, proved_distance
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import FaultError, Guarded
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.retraining import retrain_distance
from oubli.checks.audit.schedule_exact import shortfall
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.errors import InputError
from oubli.sim.losses.families import cone, curved
from oubli.sim.losses.members import random_member
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array

DRAWS, PAIRS, MEMBERS = 4000, 400, 24
# Gaussians so long that a projection must show.
FAR = 1e4
# Steps that are looked at: the ends and some between.
LOOKED = 6
CHECK = "privacy schedule"
# Steps whose map is known, so that the code can be held against it.
KNOWN = GradientStep | SmoothStep | ClippedStep
# Without these nothing but the start is known to differ between the two runs.
NEEDED = ("structure retain only", "structure deterministic")


@dataclass(frozen=True, eq=False)
class Declared:
    """A rule with its schedule, as run on one problem."""

    rule: Guarded
    setup: Setup
    steps: tuple[NoisyStep, ...]

    def image(self, t: int, theta: Array, grad: Array, z: Array) -> Array:
        """The step from these points with chosen Gaussians; FaultError where the rule asks for others."""
        rng = Chosen(z)
        moved, memory = self.rule.step(t, theta, grad, None, self.setup, rng)
        if memory is not None:
            raise FaultError("step", "schedule", "keeps a memory")
        return moved

    @property
    def looked(self) -> list[int]:
        """The steps that are tested."""
        return sorted({int(t) for t in np.linspace(0, len(self.steps) - 1, LOOKED)})


def schedule_findings(
    subject: Subject, settings: Settings, follows: Mapping[str, Judgement]
) -> list[Finding]:  # fmt: skip
    """Nothing without `noise_schedule(setup)`; else the test of it and the accountant's verdict.

    `follows` holds the verdicts on the structure: the steps must not depend on the forget data.
    """
    pair = line_pair(0.0, settings.rf, settings.dim)
    rule = subject.on(pair.problem)
    if not rule.has("noise_schedule"):
        return []
    setup = settings.setup()
    try:
        steps = as_steps(rule._call("noise_schedule", setup), setup.L, setup.mu)
    except InputError as why:
        raise rule._wrong("noise_schedule", "declaration", str(why)) from None
    if len(steps) != setup.T:
        message = f"needs {setup.T} entries, one a step, got {len(steps)}"
        raise rule._wrong("noise_schedule", "declaration", message)
    if settings.against == "retrain" and rule.has("retrain"):
        says = "it is compared with its own retrain, whose law is not declared"
        return [Finding(CHECK, Judgement.UNDECIDED, "noise in the steps", {}, 1.0, pair.name, says)]
    if rule.has("noise_scale"):
        says = "noise_scale is declared too, and judged: give one of the two"
        return [Finding(CHECK, Judgement.UNDECIDED, "noise in the steps", {}, 1.0, pair.name, says)]
    if rule.start(pair.optima[0][None], setup, stream(settings.seed, 73))[1] is not None:
        says = "the start keeps a memory: the accountant is for steps without one"
        return [Finding(CHECK, Judgement.UNDECIDED, "noise in the steps", {}, 1.0, pair.name, says)]
    tested = _tested(Declared(rule, setup, steps), settings)
    if tested.verdict is not Judgement.CONSISTENT:
        return [tested]
    closed = all(follows.get(name) is Judgement.CONSISTENT for name in NEEDED)
    closed = closed and _starts_leave_nothing(subject, settings)
    return [tested, _judged(Declared(rule, setup, steps), settings, closed)]


def _starts_leave_nothing(subject: Subject, settings: Settings) -> bool:
    """Whether steps and release from one theta are the same after either start, bit by bit."""
    pair, setup = line_pair(0.0, settings.rf, settings.dim), settings.setup()
    z = np.random.default_rng(17).standard_normal((8, setup.d))
    seen = []
    for problem in pair.sides:
        rule, theta = subject.on(problem), 0.1 * setup.R * z
        rule.start(np.tile(problem.full_optimum.point, (8, 1)), setup, Chosen(z))
        for t in range(setup.T):
            theta, _ = rule.step(t, theta, problem.retain.gradient(theta), None, setup, Chosen(z))
        seen.append(rule.release(theta, None, setup, Chosen(z)))
    return bool(np.array_equal(seen[0], seen[1]))


def _tested(declared: Declared, settings: Settings) -> Finding:
    """The declaration: reach of the steps on pairs of points, and the noise, exactly and by draws."""
    text = f"{len(declared.steps)} steps: Gaussian noise and reach as noise_schedule says"
    level = settings.level("declaration")

    def made(verdict: Judgement, says: str, **measured: Any) -> Finding:
        return Finding(
            "declaration schedule", verdict, text, measured, 1 - level, "members of the class", says
        )

    if not declared.steps:
        return made(Judgement.UNDECIDED, "T = 0: there is no step to judge")
    try:
        for wrong in _wrong_steps(declared, settings):
            return made(Judgement.VIOLATED, wrong)
        p_value = min(
            1.0, len(declared.looked) * min(_p_value(declared, t, settings) for t in declared.looked)
        )
    except FaultError as fault:
        if fault.kind != "schedule":
            raise
        return made(Judgement.UNDECIDED, f"the step {fault.message}: the accountant is for steps without one")
    if p_value < level:
        return made(Judgement.VIOLATED, f"the draws contradict the declared noise (p = {p_value:.2g})")
    return made(Judgement.CONSISTENT, "", p_value=p_value)


def _wrong_steps(declared: Declared, settings: Settings) -> Iterator[str]:
    """What the code of a step does otherwise than declared, on chosen points and Gaussians: exact."""
    d, R = declared.setup.d, declared.setup.R
    for t in declared.looked:
        rng = stream(settings.seed, 71, t)
        for x, y, g, h in _points(declared.steps[t], d, R, rng):
            most = _reach(declared.steps[t], np.linalg.norm(x - y, axis=1))
            # None, some, and so much that every projection shows.
            for size in (0.0, 1.0, FAR):
                z = size * rng.standard_normal(x.shape)
                wrong = _wrong_step(declared, t, (x, y, g, h), z, most)
                if wrong:
                    yield f"step {t} {wrong}"
                    return


def _wrong_step(
    declared: Declared, t: int, at: tuple[Array, Array, Array, Array], z: Array, most: Array
) -> str:
    """How one step misses its declaration, or these distances, with these Gaussians; empty if it does not."""
    (x, y, g, h), step, R = at, declared.steps[t], declared.setup.R
    ends = declared.image(t, x, g, z), declared.image(t, y, h, z)
    if isinstance(step, KNOWN):
        if not _same(ends[0], _mapped(step, x, g) + step.sigma * z, R):
            return f"is not {_words(step)} + {step.sigma:g}·z, projected or not"
    else:
        still = declared.image(t, x, g, np.zeros_like(z))
        # On the sphere the map may have been projected: what it was before is not known there.
        inner = np.linalg.norm(still, axis=1) < R * (1 - 1e-6)
        if not _same(ends[0][inner], (still + step.sigma * z)[inner], R):
            return f"does not add {step.sigma:g}·z to its map, projected or not"
    apart = np.linalg.norm(ends[0] - ends[1], axis=1)
    # Differences of large numbers lose digits.
    spare = CLOSE * (R + step.sigma * float(np.abs(z).max()))
    worst = int(np.argmax(apart - most))
    if apart[worst] > most[worst] * (1 + CLOSE) + spare:
        return f"moves two points {apart[worst]:.6g} apart, declared was {most[worst]:.6g}"
    return ""


def _mapped(step: GradientStep | SmoothStep | ClippedStep, theta: Array, grad: Array) -> Array:
    """The step without its noise."""
    if not isinstance(step, ClippedStep):
        return np.asarray(theta - step.length * grad)
    size = np.maximum(np.linalg.norm(grad, axis=1, keepdims=True), 1e-300)
    clipped = grad * np.minimum(1.0, step.clip / size)
    return np.asarray(theta - step.length * (clipped + step.decay * theta))


def _words(step: GradientStep | SmoothStep | ClippedStep) -> str:
    if not isinstance(step, ClippedStep):
        return f"theta − {step.length:g}·grad"
    return f"theta − {step.length:g}·(clip(grad, {step.clip:g}) + {step.decay:g}·theta)"


def _reach(step: NoisyStep, distances: Array) -> Array:
    return np.array([float(step.reach(Fraction(float(value)))) for value in distances])


def _same(moved: Array, wanted: Array, R: float) -> bool:
    """Whether the rows are these points, or all of them their projections on the ball."""
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    projected = wanted * np.minimum(1.0, R / np.maximum(size, 1e-300))
    room = CLOSE * np.maximum(R, size)
    return any(bool(np.all(np.abs(moved - target) <= room)) for target in (wanted, projected))


def _projects(declared: Declared) -> bool:
    """Whether every step that was looked at ends in the ball, however far the noise goes."""
    d, R = declared.setup.d, declared.setup.R
    z = FAR * np.random.default_rng(23).standard_normal((64, d))
    zero = np.zeros_like(z)
    ends = [declared.image(t, zero, zero, z) for t in declared.looked if declared.steps[t].sigma > 0]
    return all(bool(np.all(np.linalg.norm(end, axis=1) <= R * (1 + CLOSE))) for end in ends)


def _points(
    step: NoisyStep, d: int, R: float, rng: np.random.Generator
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Pairs of points of the ball, near and far, with the gradients of one member of the class at both.

    Half of the members have a tip, with the two points on either side of it: there a subgradient step of a
    loss that is not smooth expands.
    """
    number = PAIRS // MEMBERS
    for member in range(MEMBERS):
        x, y = (_in_ball(rng, number, d, R) for _ in range(2))
        near = 10.0 ** rng.uniform(-6, 0, (number, 1))
        if isinstance(step, SmoothStep):
            # On the ball of the class mu/2·|theta|² + extra/2·|theta|² is L-Lipschitz for extra <= mu.
            loss = curved(np.zeros(d), 1.0, min(max(step.smoothness - 1.0, 0.0), 1.0) * (member % 2))
            y = x + near * (y - x)
        elif member % 2:
            loss, y = random_member(rng, d, 1.0, 1.0), x + near * (y - x)
        else:
            centre, across = 0.5 * x[0], 0.25 * near * (y - x)
            loss, x, y = cone(centre, 0.5, 1.0), centre + across, centre - across
        yield x, y, np.asarray(loss.gradient(x)), np.asarray(loss.gradient(y))


def _in_ball(rng: np.random.Generator, n: int, d: int, R: float) -> Array:
    rows = rng.standard_normal((n, d))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(R * rows * rng.random((n, 1)) ** (1 / d))


def _p_value(declared: Declared, t: int, settings: Settings) -> float:
    """Of the noise of one step from the origin."""
    step, setup = declared.steps[t], declared.setup
    rows = np.zeros((DRAWS, setup.d))
    centre = declared.image(t, rows[:1], rows[:1], rows[:1])
    moved, _ = declared.rule.step(t, rows, rows, None, setup, stream(settings.seed, 72, t))
    return noise_p_value(moved - centre, centre[0], step.sigma, setup.R)


def _judged(declared: Declared, settings: Settings, closed: bool) -> Finding:
    """The accountant's verdict: CONSISTENT only where it proves the claim."""
    eps, delta, steps = settings.eps, settings.delta, declared.steps
    unmoved, start = _start(declared.rule, settings)
    close = "-close to retraining" if settings.against == "retrain" else ""
    text = f"({eps:g}, {delta:g}){close} from noise in the steps"
    projects = _projects(declared)
    measured: dict[str, Any] = {"start_distance": start, "projects": projects}

    def made(verdict: Judgement, says: str, instance: str = "every pair of the class") -> Finding:
        return Finding(CHECK, verdict, text, measured, 1.0, instance, says)

    worst = shortfall(steps, settings) if unmoved and closed and _releases(declared) else None
    if worst is not None and worst.delta > delta * (1 + float(SLACK)):
        says = f"delta at eps = {eps:g} is at least {worst.delta:.6g} > {delta:g}, by the law of the steps"
        return made(Judgement.VIOLATED, says, worst.name)
    if math.isinf(start):
        return made(
            Judgement.UNDECIDED, "the start leaves the ball: the distance of two starts is not bounded"
        )
    if not projects and any(isinstance(step, GradientStep) for step in steps):
        return made(
            Judgement.UNDECIDED, "gradients are bounded in the ball alone, and the steps do not project on it"
        )
    found = certify(steps, start, 2 * declared.setup.R if projects else math.inf)
    if found is None:
        return made(Judgement.UNDECIDED, "no noise makes the two runs meet: the accountant proves nothing")
    measured |= {"mu_gdp": found.mu, "delta": found.delta(eps), "steps_used": _used(found)}
    if not found.attains(eps, delta):
        return made(Judgement.UNDECIDED, f"proved is only delta = {measured['delta']:.4g} at this eps")
    if not closed:
        return made(
            Judgement.UNDECIDED, "theta_T is private, but the release is not seen to depend on it alone"
        )
    return made(Judgement.CONSISTENT, f"{found.mu:.4g}-GDP by the accountant, from {_reason(steps)}")


def _reason(steps: tuple[NoisyStep, ...]) -> str:
    """Why two points move no further apart than the accountant says."""
    if any(isinstance(step, Contraction) for step in steps):
        return "the declared reach (the author's: tested, not proved)"
    if any(isinstance(step, SmoothStep) for step in steps):
        return "the reach proved for members of the class that are as smooth as declared"
    if any(isinstance(step, ClippedStep) for step in steps):
        return "the reach proved for clipped gradients and for the class"
    return "the reach proved for the class"


def _used(found: Certificate) -> int:
    return sum(shift > 0 for shift in found.shifts)


def _releases(declared: Declared) -> bool:
    """Whether theta_T itself is released, bit by bit, at points of the ball."""
    points = _in_ball(np.random.default_rng(31), 64, declared.setup.d, declared.setup.R)
    rng = Chosen(np.ones_like(points))
    return np.array_equal(declared.rule.release(points, None, declared.setup, rng), points)


def _start(rule: Guarded, settings: Settings) -> tuple[bool, float]:
    """Whether the start is theta* itself, and the distance of two: of the optima, or the diameter.

    Infinite where a start leaves the ball, for points of its sphere and long Gaussians.
    """
    pair, setup = line_pair(0.0, settings.rf, settings.dim), settings.setup()
    z = np.random.default_rng(29).standard_normal((64, setup.d))
    sphere = setup.R * z / np.linalg.norm(z, axis=1, keepdims=True)
    points = np.concatenate([*(point[None] for point in pair.optima), sphere])
    unmoved = True
    for size in (0.0, FAR):
        theta, memory = rule.start(points, setup, Chosen(size * np.resize(z, points.shape)))
        if np.any(np.linalg.norm(theta, axis=1) > setup.R * (1 + CLOSE)):
            return False, math.inf
        unmoved = unmoved and memory is None and np.array_equal(theta, points)
    retrain = settings.against == "retrain"
    optima = retrain_distance(settings.rf) if retrain else proved_distance(settings.rf, settings.dim)
    return unmoved, optima if unmoved else 2 * setup.R
