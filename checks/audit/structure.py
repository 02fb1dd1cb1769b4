"""Structure: what an update rule of the class may depend on, seen by running it twice and comparing."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from oubli.checks.audit.coupling import CLOSE, Chosen, meet
from oubli.checks.audit.draws import chain, sampled, stream
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.guard import FaultError, Guarded
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.losses.families import hard
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array

CHAINS = 64
# An honest coin that rarely falls gives four runs of 64 chains that agree without being all alike with
# probability below 1e-7, whatever its bias.
NOISE_SEEDS = (3, 4, 5, 6)


def problem_with(settings: Settings, retain: float, forget: list[float]) -> Problem:
    """Hard losses: a retain law of mean `retain` and equally likely forget losses."""
    return _signs(settings.rf, settings.dim, retain, tuple(forget))


@lru_cache(maxsize=64)
def _signs(r: float, d: int, retain: float, forget: tuple[float, ...]) -> Problem:
    signs = Mixture((hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0)), [(1 + retain) / 2, (1 - retain) / 2])
    side = Mixture([hard(g, d, 1.0, 1.0) for g in forget], [1 / len(forget)] * len(forget))
    return Problem(signs, side, r, 1.0, 1.0, Mixture((hard(1.0, d, 1.0, 1.0),), [1.0]))


def structure(subject: Subject, settings: Settings) -> list[Finding]:
    """One finding per rule of the class; a fault ends the list with a VIOLATED one."""
    checks: list[Callable[[Subject, Settings], Finding]] = [
        methods, deterministic, fresh_noise, retain_only, public_scale, memory, weights, stays,
    ]  # fmt: skip
    found = []
    for check in checks:
        try:
            found.append(check(subject, settings))
        except FaultError as fault:
            return [*found, fault_finding(fault)]
    return found


def fault_finding(fault: FaultError) -> Finding:
    """A method that raises, writes, loops or returns nonsense."""
    return Finding(
        f"structure {fault.kind}",
        Judgement.VIOLATED,
        "every method keeps the protocol",
        {"method": fault.method, "message": fault.message},
        1.0,
        f"method {fault.method}",
        f"{fault.method}: {fault.message}",
    )


def _run(
    rule: Guarded, problem: Problem, settings: Settings, seed: int, T: int, star: Array | None = None
) -> Array:
    """Outputs of a few chains; samples and the rule's own draws come from the seed alone."""
    setup = settings.setup(T)
    theta_star = problem.full_optimum.point if star is None else star
    gradients = sampled(problem.retain, CHAINS, stream(seed, 1))
    rows = np.tile(theta_star, (CHAINS, 1))
    return np.asarray(chain(rule, rows, gradients, setup, stream(seed, 2), [T]).outputs[0])


def _made(check: str, good: bool, claimed: str, gap: float, says: str, instance: str) -> Finding:
    verdict = Judgement.CONSISTENT if good else Judgement.VIOLATED
    return Finding(
        f"structure {check}", verdict, claimed, {"difference": gap}, 1.0, instance, "" if good else says
    )


def methods(subject: Subject, settings: Settings) -> Finding:
    """Every method runs, keeps shapes, is finite and leaves its inputs alone."""
    for retain in (0.5, -1.0):
        problem = problem_with(settings, retain, [0.0])
        for T in (0, settings.steps):
            _run(subject.on(problem), problem, settings, settings.seed, T)
    return _made("methods", True, "every method keeps the protocol", 0.0, "", "two problems, T = 0 and T")


def _gap(first: Array, second: Array) -> float:
    return float(np.abs(first - second).max())


def deterministic(subject: Subject, settings: Settings) -> Finding:
    """The same seed gives the same output, on the same object and on a new one."""
    problem = problem_with(settings, 0.5, [0.0])
    rule = subject.on(problem)
    outs = [_run(r, problem, settings, 3, settings.steps) for r in (rule, rule, subject.on(problem))]
    gap = max(_gap(outs[0], outs[1]), _gap(outs[0], outs[2]))
    says = "two runs with one seed differ: it draws from elsewhere, or keeps state between runs"
    return _made("deterministic", gap == 0, "deterministic given its seed", gap, says, "one seed, three runs")


def fresh_noise(subject: Subject, settings: Settings) -> Finding:
    """Noise differs between seeds and between chains: what one run adds, no other run subtracts."""
    problem = line_pair(0.0, settings.rf, settings.dim).problem
    scale = subject.on(problem).declared("noise_scale", settings.setup())
    reused, gap, says = False, 0.0, ""
    # Long runs may forget the start, short ones have no noise of the steps yet.
    for T in (0, settings.steps):
        runs = [_run(subject.on(problem), problem, settings, seed, T) for seed in NOISE_SEEDS]
        across = max(_gap(runs[0], run) for run in runs)
        between = max(float(np.ptp(run, axis=0).max()) for run in runs)
        # The retain law is one loss, so all that can differ is the algorithm's own noise.
        silent = across == 0 and (between > 0 or (T == 0 and bool(scale)))
        if silent or (across > 0 and between == 0):
            reused, gap = True, min(across, between)
            says = "runs with different seeds add the same noise" if silent else "all chains share one noise"
    return _made("noise", not reused, "noise not reused", gap, says, "four seeds, one retain loss")


def retain_only(subject: Subject, settings: Settings) -> Finding:
    """The output does not change with the forget data while theta* and the gradients stay."""
    one, two, three = (problem_with(settings, 0.5, forget) for forget in ([0.0], [0.5, -0.5], [1.0, -1.0]))
    star = one.full_optimum.point
    outs = [_run(subject.on(p), p, settings, 3, settings.steps, star) for p in (one, two, three)]
    gap = max(_gap(outs[0], outs[1]), _gap(outs[0], outs[2]))
    says = "the output changes with the forget data although theta* and the gradients do not"
    instance = "forget hard(0), or hard(1/2) with hard(-1/2), or hard(1) with hard(-1)"
    return _made("retain only", gap <= CLOSE, "uses only retain gradients", gap, says, instance)


def public_scale(subject: Subject, settings: Settings) -> Finding:
    """With T = 0 the output depends on the data through theta* alone: no scale taken from the retain data."""
    r = settings.rf
    # Retain mean g and forget mean −g(1−r)/r: theta* is zero for both, theta_r* is not the same.
    g = min(1.0, r / (1 - r)) / 2
    one, two = problem_with(settings, 0.0, [0.0]), problem_with(settings, g, [-g * (1 - r) / r])
    star = one.full_optimum.point
    outs = [_run(subject.on(p), p, settings, 3, 0, star) for p in (one, two)]
    gap = _gap(outs[0], outs[1])
    says = (
        "with theta* and the seed fixed, the start changes with the retain data: its scale is data-dependent"
    )
    return _made(
        "public scale", gap <= CLOSE, "the scale is not data-dependent", gap, says, f"retain mean 0 or {g:g}"
    )


def memory(subject: Subject, settings: Settings) -> Finding:
    """Two starts that meet in one theta_0 go on alike: neither memory nor object carries theta* further."""
    pair, setup = line_pair(0.0, settings.rf, settings.dim), settings.setup()
    z = np.random.default_rng(7).standard_normal((CHAINS, settings.dim))
    rules = subject.on(pair.sides[0]), subject.on(pair.sides[1])

    def go_on(rule: Guarded, theta: Array, kept: object) -> Array:
        gradients, rng = sampled(pair.problem.retain, CHAINS, stream(3, 1)), stream(3, 5)
        for t in range(settings.steps):
            theta, kept = rule.step(t, theta, gradients(t, theta), kept, setup, rng)
        return rule.release(theta, kept, setup, rng)

    try:
        met = meet(rules, pair.optima, setup, z, go_on)
    except FaultError:
        # Chosen draws are no ordinary ones: a division by a zero Gaussian is not the rule's fault.
        met = None
    claimed = "memory does not carry theta* to the release"
    if met is None:
        says = "its theta_0 shows theta* without a Gaussian of its own, so two starts cannot be made to meet"
        return Finding("structure memory", Judgement.UNDECIDED, claimed, {}, 1.0, pair.name, says)
    gap = _gap(*met)
    says = "from one theta_0 the outputs differ with theta*: it hides in the memory or in the object"
    return _made("memory", gap <= 100 * CLOSE * setup.R, claimed, gap, says, pair.name)


def weights(subject: Subject, settings: Settings) -> Finding:
    """Without gradients and noise a rule that averages returns the point where it stayed."""
    problem = line_pair(0.0, settings.rf, settings.dim).problem
    rule, setup = subject.on(problem), settings.setup()
    point = np.full((1, settings.dim), 0.25 * setup.R)
    sums = rule.declared("release_weight", setup)
    wanted = 1.0 if sums is None else sums
    claimed = f"averaging weights sum to {wanted:g}"
    try:
        stayed, output = _without_gradients(rule, point, settings)
    except FaultError:
        stayed, output = False, point
    if not stayed:
        says = "without gradients it does not stay where it starts: no average to look at"
        return Finding("structure weights", Judgement.UNDECIDED, claimed, {}, 1.0, "zero gradients", says)
    share = float(output[0, 0] / point[0, 0])
    says = f"they sum to {share:.4g}; a release that shrinks on purpose declares release_weight(setup)"
    return _made(
        "weights", abs(share - wanted) <= 1e-6, claimed, abs(share - wanted), says, "zero gradients, no noise"
    )


def _without_gradients(rule: Guarded, point: Array, settings: Settings) -> tuple[bool, Array]:
    """Whether a run without gradients and noise stays where it starts, and what it releases."""
    setup, rng = settings.setup(), Chosen(np.zeros_like(point))
    theta, kept = rule.start(point, setup, rng)
    stayed = settings.steps > 0 and _gap(theta, point) <= CLOSE
    for t in range(settings.steps):
        theta, kept = rule.step(t, theta, np.zeros_like(point), kept, setup, rng)
        stayed = stayed and _gap(theta, point) <= CLOSE
    return stayed, rule.release(theta, kept, setup, rng)


def stays(subject: Subject, settings: Settings) -> Finding:
    """Iterates stay in the ball, where the losses are Lipschitz; leaving it is reported, not condemned."""
    left = 0
    for retain in (0.5, 1.0):
        problem = problem_with(settings, retain, [1.0])
        rows = np.tile(problem.full_optimum.point, (CHAINS, 1))
        gradients = sampled(problem.retain, CHAINS, stream(3, 1))
        drawn = chain(subject.on(problem), rows, gradients, settings.setup(), stream(3, 2), [settings.steps])
        left += drawn.outside
    verdict = Judgement.UNDECIDED if left else Judgement.CONSISTENT
    says = f"{left} of {2 * CHAINS} chains left the ball; the risk findings are undecided" if left else ""
    measured = {"chains_outside": left}
    return Finding(
        "structure ball", verdict, "iterates stay in B(0, R)", measured, 1.0, "retain means 1/2 and 1", says
    )
