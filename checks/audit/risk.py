"""Risk and time on the lower bound's problems, against the certified brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from oubli.checks.audit.chain_bound import MOST_PLACES, Chain, best_chain
from oubli.checks.audit.ends import lower_ends, upper_ends
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.places import Place, measure, problem_at
from oubli.checks.audit.plan import long_runs, planned_chains
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.algorithms import ScratchSGD
from oubli.sim.problems.problem import hard_problem
from oubli.sim.require import Array
from oubli.sim.runs.expected import expected
from oubli.sim.runs.times import exact_time
from oubli.theory.regimes import classify

MEANS = (-1.0, -0.6, -0.3, -0.1, 0.0, 0.1, 0.3, 0.6, 1.0)
HORIZON, MOST_TIMES, FEW_TIMES = 4000, 12, 4
TARGETS = np.geomspace(1e-4, 0.95, 60)
WORST, CHAIN = 31, 32
WHERE = f"{3 * len(MEANS)} problems of the lower bound's family"


@dataclass(frozen=True, eq=False)
class Curve:
    """The worst expected excess risk over the problems tried, from below and from above, in units e0."""

    times: tuple[int, ...]
    low: Array
    high: Array
    outside: int


def worst_places(rf: float) -> tuple[Place, ...]:
    """Retain signs of each mean, with a forget law on either side and one that hides the mean."""
    found = []
    for mean in MEANS:
        hiding = -float(np.sign(mean)) * min(1.0, (1 - rf) * abs(mean) / rf)
        found += [Place(mean, forget) for forget in (hiding, -1.0, 1.0)]
    return tuple(found)


def _times(T: int, d: int) -> tuple[int, ...]:
    """Times of the curve, fewer of them where runs are long; the last is T."""
    number = FEW_TIMES if long_runs(d, T) else MOST_TIMES
    return tuple(sorted({round(t) for t in np.linspace(0, T, min(T + 1, number))}))


def curve_of(subject: Subject, settings: Settings) -> Curve:
    """Simultaneous intervals for the worst expected excess risk; each T is a run of its own."""
    times, places = _times(settings.steps, settings.dim), worst_places(settings.rf)
    chains = planned_chains(settings.dim, sum(times) + len(times), len(places), settings.runs)
    largest = np.array([place.largest for place in places])
    level = settings.level("risk") / (2 * len(places) * len(times))
    low, high = [], []
    for T in times:
        found = measure(subject, settings, places, T, chains, (WORST, T))
        if found.outside:
            return Curve(times, np.zeros(0), np.zeros(0), found.outside)
        low.append(float(lower_ends(found.excess, largest, level).max()))
        high.append(float(upper_ends(found.excess, largest, level).max()))
    return Curve(times, np.array(low), np.array(high), 0)


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


def risk(subject: Subject, settings: Settings, least: int | None = None) -> list[Finding]:
    """The findings `risk contradiction`, `risk claim` (with a declared risk_bound) and `time`.

    Privacy is claimed at T = steps, or from `least` steps on where the rule says so: only there can a small
    risk contradict it.
    """
    curve = curve_of(subject, settings)
    if curve.outside:
        says = f"{curve.outside} iterates or outputs left the ball, where nothing is assumed of the losses"
        confidence = 1 - settings.level("risk")
        text = "risk within the brackets"
        return [Finding("risk", Judgement.UNDECIDED, text, {}, confidence, WHERE, says, spends=False)]
    claimed = [t for t in curve.times if t >= (settings.steps if least is None else least)]
    return [_contradiction(subject, curve, settings, claimed), *_claim(subject, curve, settings),
            _time(curve, settings)]  # fmt: skip


@lru_cache(maxsize=64)
def _bounds(rf: float, eps: float, delta: float, d: int) -> tuple[Array, Array]:
    """Steps that unlearning needs and that suffice, per target; d = 1 serves every d from below."""
    # A smaller delta asks for more: for delta = 0 the bounds from below stay true.
    known = max(delta, 1e-300)
    least = classify(dim=1, rf=rf, eps=eps, delta=known, target=TARGETS).unlearn[0].steps
    most = classify(dim=d, rf=rf, eps=eps, delta=known, target=TARGETS).unlearn[1].steps
    return np.asarray(least), np.asarray(most)


@dataclass(frozen=True, eq=False)
class ChainTest:
    """Risks from above on a chain of problems, and what they allow: below `needed` it is a contradiction."""

    T: int
    chain: Chain
    floor: float
    highest: float
    allowed: float

    @property
    def needed(self) -> float:
        """The distance of the two ends of the chain."""
        return 2 * self.chain.width


def contradictions(subject: Subject, settings: Settings, times: Sequence[int]) -> list[ChainTest]:
    """One test for each T at which so many runs could contradict the bound, all at one level."""
    chains = planned_chains(settings.dim, sum(times) + len(times), MOST_PLACES, settings.runs)
    made = [(T, *best_chain(settings.rf, T, settings.eps, settings.delta)) for T in times]
    # Even samples that are all zero leave an end of about ln(1/level)/chains: no chain below it can speak.
    chosen = [(T, chain, floor) for T, chain, floor in made if floor > 4 / chains]
    found = []
    for T, chain, floor in chosen:
        places = chain.places()
        level = settings.level("contradiction") / (len(places) * len(chosen))
        excess = measure(subject, settings, places, T, chains, (CHAIN, T)).excess
        y = np.sqrt(upper_ends(excess, np.array([place.largest for place in places]), level))
        allowed = chain.sum(y, T, settings.eps, settings.delta)
        found.append(ChainTest(T, chain, floor, float(y.max() ** 2), allowed))
    return found


def _contradiction(
    subject: Subject, curve: Curve, settings: Settings, claimed: Sequence[int]
) -> Finding:  # fmt: skip
    least, most = _bounds(settings.rf, settings.eps, settings.delta, settings.dim)
    # At time t every private algorithm has worst risk above each target that needs more than t steps.
    floor = np.array([np.max(TARGETS[least > t], initial=0.0) * (t in claimed) for t in curve.times])
    plot = {"kind": "risk", "times": list(curve.times), "low": curve.low.tolist(),
            "high": curve.high.tolist(), "targets": TARGETS.tolist(), "least": least.tolist(),
            "most": most.tolist()}  # fmt: skip
    tests = contradictions(subject, settings, claimed)
    worst = min(tests, key=lambda test: test.allowed / test.needed, default=None)
    if worst is not None and worst.allowed < worst.needed:
        verdict, measured, says = _below(worst, subject.knows_problem)
    else:
        verdict, measured, says = _above(curve, floor)
    where = WHERE if worst is None else f"a chain of {len(worst.chain.places())} problems, means up to " \
        f"{worst.chain.width:.3g}, T = {worst.T}"  # fmt: skip
    return Finding("risk contradiction", verdict, "not below the certified lower bound", measured,
                   1 - settings.level("contradiction"), where, says, plot)  # fmt: skip


Judged = tuple[Judgement, dict[str, object], str]


def _below(worst: ChainTest, knows_problem: bool) -> Judged:
    """Which hypothesis must be false; a rule that takes the problem does not claim the one on gradients."""
    measured: dict[str, object] = {
        "T": worst.T, "risk_at_most": worst.highest, "bound": worst.floor, "unit": "e0",
    }  # fmt: skip
    seen = (
        f"after {worst.T} steps no problem of the chain has risk above {worst.highest:.4g} e0, but every "
        f"private algorithm has {worst.floor:.4g} e0 on one of them: "
    )
    if knows_problem:
        says = "it takes the problem itself, so the bound's hypothesis of one retain gradient a step is false"
        return Judgement.UNDECIDED, measured, seen + says
    says = "it is not private as claimed, or it sees more than theta* and one retain gradient a step"
    return Judgement.VIOLATED, measured, seen + says


def _above(curve: Curve, floor: Array) -> Judged:
    gap = np.where(floor > 0, curve.low / np.where(floor > 0, floor, 1.0), np.inf)
    at = int(np.argmin(gap))
    measured: dict[str, object] = {
        "T": curve.times[at], "risk_at_least": float(curve.low[at]),
        "risk_at_most": float(curve.high[at]), "bound": float(floor[at]), "unit": "e0",
    }  # fmt: skip
    if gap[at] >= 1:
        return Judgement.CONSISTENT, measured, ""
    says = (
        f"after {curve.times[at]} steps the worst risk is between {curve.low[at]:.3g} and "
        f"{curve.high[at]:.3g} e0; the certified bound {floor[at]:.3g} e0 is not contradicted"
    )
    return Judgement.CONSISTENT, measured, says


def _claim(subject: Subject, curve: Curve, settings: Settings) -> list[Finding]:
    """A declared risk_bound(setup) for T steps, against the measured risk at T."""
    setup = settings.setup()
    rule = subject.on(problem_at(worst_places(settings.rf)[0], settings.rf, settings.dim))
    claim = rule.declared("risk_bound", setup)
    if claim is None:
        return []
    low, high = float(curve.low[-1] * setup.e0), float(curve.high[-1] * setup.e0)
    measured = {"risk_at_least": low, "risk_at_most": high, "claimed": claim}
    says = f"the worst risk after {curve.times[-1]} steps is at least {low:.4g}" if low > claim else ""
    verdict = Judgement.VIOLATED if low > claim else Judgement.CONSISTENT
    return [Finding("risk claim", verdict, f"expected excess risk <= {claim:.4g}", measured,
                    1 - settings.level("risk"), WHERE, says)]  # fmt: skip


def _first(times: tuple[int, ...], values: Array, e: float) -> int | None:
    below = np.flatnonzero(values <= e)
    return times[int(below[0])] if len(below) else None


def _time(curve: Curve, settings: Settings) -> Finding:
    early, late = (_first(curve.times, ends, settings.target) for ends in (curve.low, curve.high))
    scratch = scratch_time(settings.rf, settings.dim, settings.target)
    measured = {
        "target": settings.target, "T_unlearn_at_least": early, "T_unlearn_at_most": late,
        "T_scratch": scratch if np.isfinite(scratch) else None,
        "ratio_at_most": late / scratch if late is not None and 0 < scratch < np.inf else None,
    }  # fmt: skip
    when = f"at T = {late}" if early == late else f"between T = {early} and {late}"
    says = f"reached {when} in the problems tried; retraining by SGD takes T = {scratch:g} there"
    if late is None:
        says = f"not certainly reached within {settings.steps} steps; retraining by SGD takes T = {scratch:g}"
    verdict = Judgement.UNDECIDED if late is None else Judgement.CONSISTENT
    claimed = f"none; the target is {settings.target:g} e0"
    # It uses the intervals of `risk claim`, and cannot be VIOLATED.
    return Finding("time", verdict, claimed, measured, 1 - settings.level("risk"), WHERE, says, spends=False)
