"""Whole runs compared: for rules that train themselves, claims about retraining, batches and the user's data.

Two laws of released models are drawn and handed to the audit of samples: with D_f and with D_f' in its place
(`pair`), or with D_f and retrained without it (`retrain`). A first look chooses the problem; what is counted
is drawn afresh. A claim about retraining is also held, with a fifth of the level, against what it implies for
pairs of forget sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from oubli.checks.audit.accountant_check import schedule_findings
from oubli.checks.audit.compared_exact import retrain_exact
from oubli.checks.audit.compared_problems import Place, places
from oubli.checks.audit.declared import declared
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.other_times import OTHER, other_finding, other_times, runs_there
from oubli.checks.audit.own_class import class_test
from oubli.checks.audit.own_data import OwnProblem
from oubli.checks.audit.retraining import implied_pair_budget
from oubli.checks.audit.rows import rows, rows_on
from oubli.checks.audit.samples import audit_samples
from oubli.checks.audit.samples_search import fitted_apart, linear_directions
from oubli.checks.audit.search import distance
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.structure import deterministic, structure
from oubli.checks.audit.subject import Subject
from oubli.checks.audit.whole_runs import ALL, reference, released
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.theory.regimes import QueryError, classify

# Of the level that is left, for the pairs of forget sets that a claim about retraining implies.
PAIRS_SHARE = 0.2
# Rows of one side: the audit holds both sides in memory.
NUMBERS = 40_000_000
FIRST, FRESH, PAIRED = 81, 82, 83
POST_PROCESSING = ("structure memory", "structure retain only", "structure deterministic")


def compares(subject: Subject, settings: Settings) -> bool:
    """Whether a rule is audited by whole runs."""
    asked = settings.against == "retrain" or settings.batch != 1 or settings.data is not None
    return asked or subject.trains


@dataclass(frozen=True, eq=False)
class Comparison:
    """A subject at its settings: draws of either law of a problem."""

    subject: Subject
    settings: Settings

    def setup(self, place: Place) -> Setup:
        """What the rule is given on this problem."""
        s = self.settings
        return place.problem.setup(s.eps, s.delta, s.steps, max(1, s.batch))

    def sides(self, place: Place, chains: int, key: tuple[int, ...], against: str) -> tuple[Array, Array]:
        """Released models with D_f, and with D_f' or retrained."""
        given, batch, seed = self.setup(place), self.settings.batch, self.settings.seed
        P = released(self.subject, place.problem, given, batch, chains, (seed, *key, 0))
        if against == "retrain":
            return P, reference(self.subject, place, given, batch, chains, (seed, *key, 1))
        return P, released(self.subject, place.swapped, given, batch, chains, (seed, *key, 1))


def compared(subject: Subject, settings: Settings, least: int | None = None) -> Iterator[Finding]:
    """Every finding, as it is made; `least` is the T from which on the rule claims its budget."""
    found = Comparison(subject, settings)
    chosen = places(subject, settings)
    level = settings.alpha - settings.level("steps")
    for finding in _before(subject, settings, chosen):
        yield finding
        level -= finding.level
        if finding.verdict is Judgement.ERROR:
            return
    runs = min(settings.runs, NUMBERS // chosen[0].problem.d)
    look = max(200, runs // 40)
    place = _furthest(found, chosen, look, settings.against)
    retrain = settings.against == "retrain"
    implied = PAIRS_SHARE * level if retrain else 0.0
    sides = found.sides(place, runs, (FRESH,), settings.against)
    private = list(_privacy(sides, settings, level - implied, place))
    yield from private
    if not any(f.verdict is Judgement.VIOLATED for f in private):
        yield from _other_steps(found, place, least)
    if retrain:
        yield _implied(found, _furthest(found, chosen, look, "pair"), runs, implied)
    yield _risk(settings, place, sides[0], found.setup(place))


def _before(subject: Subject, settings: Settings, chosen: tuple[Place, ...]) -> Iterator[Finding]:
    """Structure and proofs, where there are any for this kind of audit."""
    problem = chosen[0].problem
    if isinstance(problem, OwnProblem):
        test = class_test(problem)
        claimed = f"all losses lie in F_sc(mu = {problem.mu:.3g}, L = {problem.L:.3g})"
        verdict = Judgement.CONSISTENT if test.inside else Judgement.UNDECIDED
        outside = (
            "" if test.inside else "; not certified: bounds on risk and T, proved distances, exact verdicts"
        )
        yield Finding("data class", verdict, claimed, {}, 1.0, chosen[0].name, test.says + outside)
        yield rows_on(problem, chosen[0].name, subject, settings)
        return
    if subject.trains:
        shapes = [deterministic(subject, settings), rows(subject, settings)]
        # The accountant itself compares the steps for two forget laws.
        follows = {"structure retain only": Judgement.CONSISTENT}
    else:
        shapes, follows = list(structure(subject, settings)), {}
    yield from shapes
    follows |= {f.check: f.verdict for f in shapes}
    closed = all(follows.get(name) is Judgement.CONSISTENT for name in POST_PROCESSING)
    if settings.against == "retrain":
        yield from retrain_exact(subject, settings, closed)
    elif not subject.trains:
        yield from declared(subject, settings, closed)
    yield from schedule_findings(subject, settings, follows)


def _furthest(found: Comparison, chosen: tuple[Place, ...], chains: int, against: str) -> Place:
    """The problem on which the two laws seem furthest apart."""
    if len(chosen) == 1:
        return chosen[0]

    def apart(number: int) -> float:
        fit, (P, Q) = fitted_apart(*found.sides(chosen[number], chains, (FIRST, number), against))
        return max(distance(P @ u, Q @ u) for u in linear_directions(*fit))

    return chosen[max(range(len(chosen)), key=apart)]


def _privacy(sides: tuple[Array, Array], settings: Settings, level: float, place: Place) -> Iterator[Finding]:
    made = audit_samples(*sides, settings.eps, settings.delta, level, settings.seed, settings.assume_gaussian)
    other = {"retrain": "retrained without D_f", "pair": "D_f' in the place of D_f"}[settings.against]
    for finding in made.findings:
        yield replace(finding, instance=f"{place.name}; {other}")


def _other_steps(found: Comparison, place: Place, least: int | None) -> Iterator[Finding]:
    """The claim at other times than `steps`, on the same problem."""
    settings = found.settings
    times, runs = other_times(settings, least), min(runs_there(settings), NUMBERS // place.problem.d)
    level = settings.level("steps") / len(times)
    for T in times:
        there = replace(found, settings=replace(settings, steps=T))
        sides = there.sides(place, runs, (OTHER, T), settings.against)
        made = audit_samples(*sides, settings.eps, settings.delta, level, settings.seed).findings
        bounds = {f.check: float(f.measured["lower_bound"]) for f in made if "lower_bound" in f.measured}
        delta = max(bounds["privacy delta"], bounds["privacy curve"])
        yield other_finding(T, settings, least, level, (bounds["privacy eps"], delta), runs, place.name)


def _implied(found: Comparison, place: Place, runs: int, level: float) -> Finding:
    """Pairs of forget sets at the budget that closeness to retraining implies."""
    settings = found.settings
    eps, delta = implied_pair_budget(settings.eps, settings.delta)
    text = f"implied for every two forget sets: eps <= {eps:g} at delta = {delta:.4g}"
    if delta > 0.9 or eps > 1e4:
        return Finding(
            "privacy pairs", Judgement.UNDECIDED, text, {}, 1.0, place.name, "too large to be seen"
        )
    sides = found.sides(place, runs, (PAIRED,), "pair")
    made = audit_samples(*sides, eps, delta, level, settings.seed).findings
    worst = next((f for f in made if f.verdict is Judgement.VIOLATED), made[0])
    # Any of them may be VIOLATED by chance: together they spend the level.
    return replace(worst, check="privacy pairs", claimed=text, instance=place.name, confidence=1 - level)


def _risk(settings: Settings, place: Place, outputs: Array, setup: Setup) -> Finding:
    """The excess risk that was measured, and the certified numbers of gradients for it."""
    excess = place.problem.excess_risk(outputs[:20_000]) / setup.e0
    mean, error = float(excess.mean()), float(excess.std() / math.sqrt(len(excess)))
    full = settings.batch == ALL
    steps = f"{setup.T} full gradients" if full else f"{setup.T * setup.batch} gradients"
    text = f"mean excess risk after {steps}"
    measured = {"risk": mean, "standard_error": error}
    says = f"{mean:.3g} e0 ± {2 * error:.1g} on this problem; a worst case is not measured here"
    certified = not isinstance(place.problem, OwnProblem) or class_test(place.problem).inside
    if certified and 0 < mean < 0.99:
        says += _brackets(settings, setup, max(mean, 1e-6))
    return Finding("risk measured", Judgement.UNDECIDED, text, measured, 1.0, place.name, says, remark=True)


def _brackets(settings: Settings, setup: Setup, target: float) -> str:
    try:
        found = classify(rf=setup.r_f, eps=setup.eps, delta=setup.delta, dim=setup.d, target=target)
    except QueryError:
        return ""
    ends = [[float(best.steps[0]) for best in side] for side in (found.unlearn, found.scratch)]
    words = [f"{low:.0f} to {high:.0f}" for low, high in ends]
    return (
        f"; certified for the worst case at this risk: unlearning {words[0]} gradients, retraining {words[1]}"
    )
