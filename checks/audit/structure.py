"""Structure: what an update rule depends on, seen by running it twice and comparing.

Only what somebody stated can be VIOLATED here: that noise is random, and a declared `release_weight`. That a
rule uses the forget data, the retain data beyond its gradients, or a memory, puts it outside the model of
the paper, whose bounds then say nothing about it; it may be private all the same, and gets a remark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from oubli.checks.audit.coupling import Chosen, close, meet
from oubli.checks.audit.draws import chain, sampled
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import FaultError, Guarded
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.plan import long_runs
from oubli.checks.audit.rows import rows
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.losses.families import Regularised, curved, hard
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array

# An honest coin that rarely falls gives four runs of 64 chains that agree without being all alike with
# probability below 1e-7, whatever its bias.
CHAINS, FEW_CHAINS, SEEDS = 64, 8, 4
OUTSIDE = "outside the model of the paper: "
# (g, weight) of forget losses hard(g): the mean, then the second and the third moment of g differ.
FORGET = (((0.0, 1.0),), ((0.7, 1.0),), ((1.0, 0.5), (-1.0, 0.5)), ((1.0, 0.2), (-0.25, 0.8)))


def problem_with(settings: Settings, retain: float, forget: list[float]) -> Problem:
    """Hard losses: a retain law of mean `retain` and equally likely forget losses."""
    return _signs(settings.rf, settings.dim, retain, tuple((g, 1 / len(forget)) for g in forget))


@lru_cache(maxsize=64)
def _signs(r: float, d: int, retain: float, forget: tuple[tuple[float, float], ...]) -> Problem:
    losses, weights = [hard(g, d, 1.0, 1.0) for g, _ in forget], [weight for _, weight in forget]
    return _with_forget(r, d, retain, tuple(losses), tuple(weights))


def _with_forget(
    r: float, d: int, retain: float, losses: tuple[Regularised, ...], weights: tuple[float, ...]
) -> Problem:
    signs = Mixture((hard(1.0, d, 1.0, 1.0), hard(-1.0, d, 1.0, 1.0)), [(1 + retain) / 2, (1 - retain) / 2])
    return Problem(signs, Mixture(losses, weights), r, 1.0, 1.0, Mixture((hard(1.0, d, 1.0, 1.0),), [1.0]))


def structure(subject: Subject, settings: Settings) -> Iterator[Finding]:
    """One finding per question, as it is answered; a FaultError ends it."""
    checks: list[Callable[[Subject, Settings], Finding]] = [
        methods, deterministic, fresh_noise, rows, retain_only, public_scale, memory, weights, stays,
    ]  # fmt: skip
    for check in checks:
        yield check(subject, settings)


def fault_finding(fault: FaultError) -> Finding:
    """A method that raises, writes, loops or returns nonsense: nothing is said of its claims."""
    where = f"{fault.place}: " if fault.place else ""
    return Finding(
        f"structure {fault.kind}",
        Judgement.ERROR,
        "every method keeps the protocol",
        {"method": fault.method, "message": fault.message, "place": fault.place},
        1.0,
        f"method {fault.method}",
        f"{where}{fault.method}: {fault.message}",
    )


def chains_of(settings: Settings, least: int = 0) -> int:
    """How many chains the comparisons run: no fixed number, which a rule could wait for."""
    fewest = max(least, FEW_CHAINS if long_runs(settings.dim, settings.steps) else CHAINS)
    return fewest + int(stream(settings.seed, 40).integers(fewest))


def _run(
    rule: Guarded, problem: Problem, settings: Settings, seed: int, star: Array | None = None, least: int = 0
) -> Array:
    """Outputs of a few chains; samples and the rule's own draws come from the seed alone."""
    setup, chains = settings.setup(), chains_of(settings, least)
    theta_star = problem.full_optimum.point if star is None else star
    gradients = sampled(problem.retain, chains, (settings.seed, 41, seed, 1))
    tiled = np.tile(theta_star, (chains, 1))
    return chain(rule, tiled, gradients, setup, stream(settings.seed, 41, seed, 2)).outputs


def _made(
    check: str, good: bool, claimed: str, gap: float, says: str, instance: str, remark: bool = True
) -> Finding:
    wrong = Judgement.UNDECIDED if remark else Judgement.VIOLATED
    verdict = Judgement.CONSISTENT if good else wrong
    says = "" if good else (OUTSIDE + says if remark else says)
    return Finding(
        f"structure {check}", verdict, claimed, {"difference": gap}, 1.0, instance, says,
        remark=remark and not good,
    )  # fmt: skip


def methods(subject: Subject, settings: Settings) -> Finding:
    """Every method runs, keeps shapes, is finite and leaves its inputs alone."""
    for retain in (0.5, -1.0):
        problem = problem_with(settings, retain, [0.0])
        _run(subject.on(problem), problem, settings, 0)
    return _made("methods", True, "every method keeps the protocol", 0.0, "", "two problems")


def _gap(first: Array, second: Array) -> float:
    return float(np.abs(first - second).max())


def deterministic(subject: Subject, settings: Settings) -> Finding:
    """The same seed gives the same output, on the same object and on a new one."""
    problem = problem_with(settings, 0.5, [0.0])
    rule = subject.on(problem)
    outs = [_run(r, problem, settings, 3) for r in (rule, rule, subject.on(problem))]
    gap = max(_gap(outs[0], outs[1]), _gap(outs[0], outs[2]))
    says = "two runs with one seed differ: it draws from elsewhere, or keeps state between runs"
    return _made("deterministic", gap == 0, "deterministic given its seed", gap, says, "one seed, three runs")


def fresh_noise(subject: Subject, settings: Settings) -> Finding:
    """Noise differs between seeds: what one run adds, no other run subtracts.

    The same numbers in every run are no noise: two outputs that differ with theta* then betray it. Only
    if one object draws others when it runs again has it a generator of its own, of which each new object
    begins with a copy: no such runs are independent.
    """
    sides = line_pair(0.0, settings.rf, settings.dim).sides
    outs = [_run(subject.on(sides[0]), sides[0], settings, seed, least=CHAINS) for seed in range(SEEDS)]
    across = max(_gap(outs[0], out) for out in outs)
    between = max(float(np.ptp(out, axis=0).max()) for out in outs)
    claimed, instance = "noise not reused", "four seeds, one retain loss"
    # The retain law is one loss and all chains start alike, so all that can differ is the rule's own noise.
    if across > 0 or between == 0:
        return _made("noise", True, claimed, across, "", instance)
    rule = subject.on(sides[0])
    if _gap(*(_run(rule, sides[0], settings, seed, least=CHAINS) for seed in (0, 1))) > 0:
        says = "it draws from a generator of its own, which every new object begins anew: draw from rng"
        says = rule.at_fault(says)
        return Finding("structure noise", Judgement.ERROR, claimed, {"difference": 0.0}, 1.0, instance, says)
    apart = _gap(outs[0], _run(subject.on(sides[1]), sides[1], settings, 0, least=CHAINS))
    says = "runs with different seeds add the same noise, chain by chain: it is not random"
    return _made("noise", False, claimed, 0.0, says, instance, remark=apart == 0)


def _forget_laws(settings: Settings) -> list[Problem]:
    """One retain law, and forget laws that differ in mean, higher moments, curvature and number of losses."""
    r, d = settings.rf, settings.dim
    found = [_signs(r, d, 0.5, law) for law in FORGET]
    # A steeper bowl, as steep as the class allows, with the minimum and the gradient at zero of the first.
    return [*found, _with_forget(r, d, 0.5, (curved(np.zeros(d), 1.0, 0.9),), (1.0,))]


def retain_only(subject: Subject, settings: Settings) -> Finding:
    """The output does not change with the forget data while theta* and the gradients stay."""
    laws = _forget_laws(settings)
    star = laws[0].full_optimum.point
    outs = [_run(subject.on(p), p, settings, 3, star) for p in laws]
    gap = max(_gap(outs[0], out) for out in outs)
    says = "the output changes with the forget data although theta* and the gradients do not"
    instance = "forget laws of different mean, second and third moment, and curvature"
    return _made("retain only", gap <= close(*outs), "uses only retain gradients", gap, says, instance)


def public_scale(subject: Subject, settings: Settings) -> Finding:
    """Whether theta_0 and the release use the retain data beyond their gradients, in location or in scale.

    Retain means 0 and g, one theta*, one seed and gradients that are zero: what still moves was read from
    the data. A shift that is the same for every chain is the location; what varies with the noise, the scale.
    """
    r = settings.rf
    g = min(1.0, r / (1 - r)) / 2
    one, two = problem_with(settings, 0.0, [0.0]), problem_with(settings, g, [0.0])
    outs = [_still(subject.on(p), settings) for p in (one, two)]
    moved = outs[1] - outs[0]
    location, spread = float(np.abs(moved.mean(0)).max()), float(np.ptp(moved, axis=0).max())
    scales = [max(float(out.std(axis=0).max()), 1e-300) for out in outs]
    limit = close(*outs)
    gap, kind = max(location, spread), "scale" if spread > 1e3 * limit * scales[0] + limit else "location"
    says = f"with theta*, seed and gradients fixed, its {kind} changes with the retain data"
    if kind == "scale":
        says += f", by a factor of {scales[1] / scales[0]:.4g}"
    claimed = "sees the retain data through their gradients"
    return _made("public scale", gap <= limit, claimed, gap, says, f"retain mean 0 or {g:g}")


def _still(rule: Guarded, settings: Settings) -> Array:
    """Outputs from theta* = 0 with gradients that are zero."""
    chains = chains_of(settings)
    zeros = np.zeros((chains, settings.dim))
    return chain(rule, zeros, lambda t, theta: zeros, settings.setup(), stream(settings.seed, 42)).outputs


def memory(subject: Subject, settings: Settings) -> Finding:
    """Two starts that meet in one theta_0 go on alike: neither memory nor object carries theta* further."""
    pair, setup = line_pair(0.0, settings.rf, settings.dim), settings.setup()
    chains = chains_of(settings)
    z = stream(settings.seed, 43).standard_normal((chains, settings.dim))
    rules = subject.on(pair.sides[0]), subject.on(pair.sides[1])

    def go_on(rule: Guarded, theta: Array, kept: object) -> Array:
        gradients, rng = sampled(pair.problem.retain, chains, (3, 1)), stream(settings.seed, 44)
        for t in range(settings.steps):
            theta, kept = rule.step(t, theta, gradients(t, theta), kept, setup, rng)
        return rule.release(theta, kept, setup, rng)

    try:
        met = meet(rules, pair.optima, setup, z, go_on)
    except FaultError as fault:
        if fault.kind in ("crash", "time", "process", "protocol"):
            raise
        # Chosen draws are no ordinary ones: a division by a zero Gaussian is not the rule's fault.
        met = None
    claimed = "memory does not carry theta* to the release"
    if met is None:
        says = "its theta_0 shows theta* without a Gaussian of its own, so two starts cannot be made to meet"
        return Finding("structure memory", Judgement.UNDECIDED, claimed, {}, 1.0, pair.name, says)
    gap = _gap(*met)
    says = "from one theta_0 the outputs differ with theta*: it is kept in the memory or in the object"
    return _made("memory", gap <= 100 * close(*met) * setup.R, claimed, gap, says, pair.name)


def weights(subject: Subject, settings: Settings) -> Finding:
    """Without gradients and noise a rule that averages returns the point where it stayed.

    Only a declared `release_weight` is a claim; a release that shrinks, rounds or moves is post-processing.
    """
    problem = line_pair(0.0, settings.rf, settings.dim).problem
    rule, setup = subject.on(problem), settings.setup()
    point = np.full((1, settings.dim), 0.25 * setup.R / settings.dim**0.5)
    sums = rule.declared("release_weight", setup)
    wanted = 1.0 if sums is None else sums
    claimed, instance = f"averaging weights sum to {wanted:g}", "zero gradients, no noise"
    try:
        stayed, output = _without_gradients(rule, point, settings)
    except FaultError as fault:
        if fault.kind in ("crash", "time", "process", "protocol"):
            raise
        stayed, output = False, point
    if not stayed:
        says = "without gradients it does not stay where it starts: no average to look at"
        return Finding(
            "structure weights", Judgement.UNDECIDED, claimed, {}, 1.0, instance, says, remark=True
        )
    share = float(output[0, 0] / point[0, 0])
    good = abs(share - wanted) <= max(1e-6, 10 * close(output))
    if sums is not None:
        says = f"they sum to {share:.4g}, not to the declared release_weight"
        return _made("weights", good, claimed, abs(share - wanted), says, instance, remark=False)
    says = f"a release returns {share:.4g} of a point where it stayed: no average of its iterates"
    return _made("weights", good, claimed, abs(share - wanted), says, instance)


def _without_gradients(rule: Guarded, point: Array, settings: Settings) -> tuple[bool, Array]:
    """Whether a run without gradients and noise stays where it starts, and what it releases."""
    setup, rng = settings.setup(), Chosen(np.zeros_like(point))
    theta, kept = rule.start(point, setup, rng)
    stayed = settings.steps > 0 and _gap(theta, point) <= close(theta)
    for t in range(settings.steps):
        theta, kept = rule.step(t, theta, np.zeros_like(point), kept, setup, rng)
        stayed = stayed and _gap(theta, point) <= close(theta)
    return stayed, rule.release(theta, kept, setup, rng)


def stays(subject: Subject, settings: Settings) -> Finding:
    """Iterates stay in the ball, where the losses are Lipschitz; leaving it is reported, not condemned."""
    left, chains = 0, chains_of(settings)
    for retain in (0.5, 1.0):
        problem = problem_with(settings, retain, [1.0])
        tiled = np.tile(problem.full_optimum.point, (chains, 1))
        gradients = sampled(problem.retain, chains, (settings.seed, 45, 1))
        drawn = chain(subject.on(problem), tiled, gradients, settings.setup(), stream(settings.seed, 45, 2))
        left += drawn.outside
    verdict = Judgement.UNDECIDED if left else Judgement.CONSISTENT
    says = f"{OUTSIDE}{left} of {2 * chains} chains left the ball; the risk findings are undecided"
    return Finding(
        "structure ball", verdict, "iterates stay in B(0, R)", {"chains_outside": left}, 1.0,
        "retain means 1/2 and 1", says if left else "", remark=bool(left),
    )  # fmt: skip
