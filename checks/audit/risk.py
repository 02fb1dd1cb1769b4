"""Risk and time on the lower bound's problems, against the certified brackets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from checks.audit.draws import chain, sampled, stream
from checks.audit.finding import Finding, Judgement
from checks.audit.settings import Settings
from checks.audit.subject import Subject
from sim.algorithms import ScratchSGD
from sim.expected import expected
from sim.losses import hard
from sim.mixture import Mixture
from sim.problem import Problem, hard_problem
from sim.require import Array
from sim.times import exact_time, risk_intervals
from theory.regimes import classify

MEANS = (-1.0, -0.6, -0.3, -0.1, 0.0, 0.1, 0.3, 0.6, 1.0)
CHAINS, HORIZON, MOST_TIMES = 2000, 4000, 12
# Excess risk on the ball is at most 2·R·L = L²/mu.
LARGEST = 1.0
# A contradiction is called below this share of the bound only, because the grid of means is finite.
MARGIN = 0.8
TARGETS = np.geomspace(1e-4, 0.95, 60)


@dataclass(frozen=True, eq=False)
class Curve:
    """The worst expected excess risk over the problems tried, from below and from above, at each time."""

    times: tuple[int, ...]
    low: Array
    high: Array
    outside: int


@lru_cache(maxsize=16)
def problems(rf: float, d: int) -> tuple[Problem, ...]:
    """Retain signs of each mean, with a forget law on either side and one that hides the mean."""
    found: list[Problem] = []
    for mean in MEANS:
        base = hard_problem(mean, rf, d, 1.0, 1.0)
        forgets = [-1.0, 1.0]
        found += [base]
        found += [
            Problem(base.retain, Mixture((hard(g, d, 1.0, 1.0),), [1.0]), rf, 1.0, 1.0) for g in forgets
        ]
    return tuple(found)


def _times(T: int) -> tuple[int, ...]:
    return tuple(sorted({round(t) for t in np.linspace(0, T, min(T + 1, MOST_TIMES))}))


def measure(subject: Subject, settings: Settings) -> Curve:
    """Simultaneous intervals for the worst expected excess risk, in units L²/mu."""
    times, tried = _times(settings.steps), problems(settings.rf, settings.dim)
    chains = min(CHAINS, settings.runs)
    level = settings.level("risk") / len(tried)
    low, high, outside = np.zeros(len(times)), np.zeros(len(times)), 0
    for number, problem in enumerate(tried):
        rows = np.tile(problem.full_optimum.point, (chains, 1))
        gradients = sampled(problem.retain, chains, stream(settings.seed, 31, number, 0))
        rng = stream(settings.seed, 31, number, 1)
        drawn = chain(subject.on(problem), rows, gradients, settings.setup(), rng, times)
        outside += drawn.outside + int((np.linalg.norm(drawn.outputs, axis=2) > 0.5 * (1 + 1e-9)).sum())
        if outside:
            return Curve(times, low, high, outside)
        excess = np.stack([problem.excess_risk(output) for output in drawn.outputs])
        ends = risk_intervals(np.maximum(excess, 0.0), LARGEST, level)
        low = np.maximum(low, [end.low for end in ends])
        high = np.maximum(high, [end.high for end in ends])
    return Curve(times, low, high, outside)


@lru_cache(maxsize=64)
def scratch_time(rf: float, d: int, target: float) -> float:
    """The exact T^S of retraining on the problems tried, within the horizon.

    >>> scratch_time(0.01, 1, 0.5)
    1.0
    """
    tried = [hard_problem(mean, rf, d, 1.0, 1.0) for mean in MEANS]
    setup = tried[0].setup(1.0, 0.5, 0)

    def worst(T: Array) -> Array:
        return np.asarray(np.max([expected(ScratchSGD(), p, setup, T).excess for p in tried], axis=0))

    return exact_time(worst, target * setup.e0, HORIZON)


def risk(subject: Subject, settings: Settings) -> list[Finding]:
    """The findings `risk contradiction`, `risk claim` (with a declared risk_bound) and `time`."""
    curve = measure(subject, settings)
    where = f"{3 * len(MEANS)} problems of the lower bound's family"
    confidence = 1 - settings.level("risk")
    if curve.outside:
        says = f"{curve.outside} iterates or outputs left the ball, where nothing is assumed of the losses"
        return [Finding("risk", Judgement.UNDECIDED, "risk within the brackets", {}, confidence, where, says)]
    return [_contradiction(curve, settings, where), *_claim(subject, curve, settings, where),
            _time(curve, settings, where)]  # fmt: skip


@lru_cache(maxsize=64)
def _bounds(rf: float, eps: float, delta: float, d: int) -> tuple[Array, Array]:
    """Steps that unlearning needs and that suffice, per target; d = 1 serves every d from below."""
    # A smaller delta asks for more: for delta = 0 the bounds from below stay true.
    known = max(delta, 1e-300)
    least = classify(dim=1, rf=rf, eps=eps, delta=known, target=TARGETS).unlearn[0].steps
    most = classify(dim=d, rf=rf, eps=eps, delta=known, target=TARGETS).unlearn[1].steps
    return np.asarray(least), np.asarray(most)


def _contradiction(curve: Curve, settings: Settings, where: str) -> Finding:
    e0 = settings.setup().e0
    least, most = _bounds(settings.rf, settings.eps, settings.delta, settings.dim)
    # At time t every private algorithm has worst risk above each target that needs more than t steps.
    floor = np.array([np.max(TARGETS[least > t], initial=0.0) for t in curve.times])
    below = curve.high < MARGIN * floor * e0
    gap = np.where(floor > 0, curve.high / np.where(floor > 0, floor * e0, 1.0), np.inf)
    first = int(np.argmin(gap))
    measured = {"T": curve.times[first], "risk_at_most": float(curve.high[first] / e0),
                "bound": float(floor[first]), "unit": "e0"}  # fmt: skip
    says = ""
    if below.any():
        says = (
            f"after {curve.times[first]} steps the worst risk is at most {measured['risk_at_most']:.4g} e0, "
            f"below the certified {measured['bound']:.4g} e0 of every private algorithm: "
            "it is not private as claimed, or it sees more than theta* and one retain gradient a step"
        )
    plot = {"kind": "risk", "times": list(curve.times), "low": (curve.low / e0).tolist(),
            "high": (curve.high / e0).tolist(), "targets": TARGETS.tolist(), "least": least.tolist(),
            "most": most.tolist()}  # fmt: skip
    verdict = Judgement.VIOLATED if below.any() else Judgement.CONSISTENT
    return Finding("risk contradiction", verdict, "not below the certified lower bound", measured,
                   1 - settings.level("risk"), where, says, plot)  # fmt: skip


def _claim(subject: Subject, curve: Curve, settings: Settings, where: str) -> list[Finding]:
    """A declared risk_bound(setup) for T steps, against the measured risk at T."""
    claim = subject.on(problems(settings.rf, settings.dim)[0]).declared("risk_bound", settings.setup())
    if claim is None:
        return []
    bad = bool(curve.low[-1] > claim)
    measured = {
        "risk_at_least": float(curve.low[-1]),
        "risk_at_most": float(curve.high[-1]),
        "claimed": claim,
    }
    says = f"the worst risk after {curve.times[-1]} steps is at least {curve.low[-1]:.4g}" if bad else ""
    verdict = Judgement.VIOLATED if bad else Judgement.CONSISTENT
    return [Finding("risk claim", verdict, f"expected excess risk <= {claim:.4g}", measured,
                    1 - settings.level("risk"), where, says)]  # fmt: skip


def _first(times: tuple[int, ...], values: Array, e: float) -> int | None:
    below = np.flatnonzero(values <= e)
    return times[int(below[0])] if len(below) else None


def _time(curve: Curve, settings: Settings, where: str) -> Finding:
    e = settings.target * settings.setup().e0
    early, late = _first(curve.times, curve.low, e), _first(curve.times, curve.high, e)
    scratch = scratch_time(settings.rf, settings.dim, settings.target)
    measured = {
        "target": settings.target, "T_unlearn_at_least": early, "T_unlearn_at_most": late,
        "T_scratch": scratch if np.isfinite(scratch) else None,
        "ratio_at_most": late / scratch if late is not None and 0 < scratch < np.inf else None,
    }  # fmt: skip
    says = f"{settings.target:g} e0 is reached between T = {early} and {late}; retraining takes {scratch:g}"
    if late is None:
        says = f"the risk {settings.target:g} e0 is not certainly reached within {settings.steps} steps"
    verdict = Judgement.UNDECIDED if late is None else Judgement.CONSISTENT
    return Finding("time", verdict, "none", measured, 1 - settings.level("risk"), where, says)
