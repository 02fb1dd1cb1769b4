"""`oubli audit --suite published`: what each published algorithm claims, what is proved, what is measured.

A claim of closeness to retraining is judged against retraining, and by pairs of forget sets only at the
budget (2 eps, (1 + e^eps) delta) that it implies; a claim about every two forget sets is judged by pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from oubli.checks.audit.compared_problems import Place
from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.pairs import line_pair, logistic_problem
from oubli.checks.audit.published import ALGORITHMS, PublishedAlgorithm
from oubli.checks.audit.retraining import implied_pair_budget
from oubli.checks.audit.samples import audit_samples
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import subject_of
from oubli.checks.audit.whole_runs import reference, released
from oubli.sim.laws import gaussian_delta
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array
from oubli.theory.regimes import classify

# A relative error of floating point in the proved GDP parameter, taken against the rule.
ROUNDING = 1e-9
LEAST_RISK = 1e-6


@dataclass(frozen=True)
class Row:
    """One algorithm: its paper, its claim, and what was found."""

    name: str
    citation: str
    claim: str
    assumptions: tuple[str, ...]
    against: str | None
    verdict: str
    certified: bool | None
    proved_delta: float | None
    lower_bound: float
    pair_lower_bound: float | None
    risk: float
    steps: int
    unlearn_steps: tuple[int, int] | None
    retrain_steps: tuple[int, int] | None

    def as_json(self) -> dict[str, Any]:
        """The fields, with null for what is not there."""
        return {
            k: (None if isinstance(v, float) and not math.isfinite(v) else v) for k, v in asdict(self).items()
        }


def smooth_problems(rf: float, d: int) -> tuple[Problem, ...]:
    """Two problems that meet every assumption: quadratics with the extreme distance, and logistic losses."""
    return line_pair(0.0, rf, d).problem, logistic_problem(rf, d)


def published(
    settings: Settings, on_algorithm: Callable[[str], None] = lambda name: None,
    algorithms: tuple[type[PublishedAlgorithm], ...] = ALGORITHMS,
) -> Iterator[Row]:  # fmt: skip
    """A row per algorithm, at this budget, fraction, dimension and T; `on_algorithm` hears the name of each.

    Args:
        settings: the budget; `runs` is the number of draws a side, alpha the level of the whole table.
        on_algorithm: called before each algorithm.
        algorithms: those to run.
    """
    problems = smooth_problems(settings.rf, settings.dim)
    # Two problems and two definitions for each algorithm share alpha.
    shared = settings.shared(len(algorithms) * len(problems) * 2)
    for number, algorithm in enumerate(algorithms):
        on_algorithm(algorithm.record.name)
        yield _row(algorithm, shared, problems, number)


def _row(
    algorithm: type[PublishedAlgorithm], settings: Settings, problems: tuple[Problem, ...], number: int
) -> Row:
    record, setup, subject = algorithm.record, settings.setup(), subject_of(algorithm)
    own, pair, risks = [], [], []
    for k, problem in enumerate(problems):
        key = (settings.seed, 900 + number, k)
        P = released(subject, problem, setup, record.batch, settings.runs, (*key, 0))
        risks.append(float(problem.excess_risk(P).mean()) / setup.e0)
        if record.against == "retrain":
            Q = reference(subject, Place(record.name, problem), setup, record.batch, settings.runs, (*key, 1))
            own.append(_bound(P, Q, settings.eps, settings.delta, settings))
        other = released(subject, problem.swapped(), setup, record.batch, settings.runs, (*key, 2))
        budget = _pair_budget(record.against, settings)
        pair.append(_bound(P, other, *budget, settings) if budget[1] <= 0.9 else 0.0)
    lower = max(own or pair)
    proved = _proved_delta(algorithm(problems[0]).gdp(setup), settings.eps)
    certified = None if proved is None else proved <= settings.delta
    broken = lower > settings.eps or max(pair) > _pair_budget(record.against, settings)[0]
    unlearn, scratch = _brackets(settings, max(risks))
    return Row(
        record.name, record.citation, record.claim, record.assumptions, record.against,
        _word(record.against, certified, broken), certified, proved, lower,
        max(pair) if record.against == "retrain" else None, max(risks), settings.steps, unlearn, scratch,
    )  # fmt: skip


def _pair_budget(against: str | None, settings: Settings) -> tuple[float, float]:
    if against == "retrain":
        return implied_pair_budget(settings.eps, settings.delta)
    return settings.eps, settings.delta


def _bound(P: Array, Q: Array, eps: float, delta: float, settings: Settings) -> float:
    """A lower bound on eps at delta, at the level of one comparison."""
    found = audit_samples(P, Q, eps, delta, alpha=settings.alpha, seed=settings.seed)
    return float(found.findings[0].measured["lower_bound"])


def _proved_delta(gdp: float | None, eps: float) -> float | None:
    if gdp is None:
        return None
    sigma = 1 / (gdp * (1 + ROUNDING)) if gdp > 0 else math.inf
    return float(gaussian_delta(eps, min(sigma, 1e12))) if sigma >= 1e-6 else 1.0


def _word(against: str | None, certified: bool | None, broken: bool) -> str:
    if against is None:
        return "no claim"
    if broken:
        return str(Judgement.VIOLATED)
    return str(Judgement.CONSISTENT if certified else Judgement.UNDECIDED)


def _brackets(settings: Settings, risk: float) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Certified numbers of gradients for this risk, unlearning and retraining; None if not known."""
    target = max(risk, LEAST_RISK)
    if target >= 0.99:
        return None, None
    found = classify(rf=settings.rf, eps=settings.eps, delta=settings.delta, dim=settings.dim, target=target)
    pairs = []
    for bracket in (found.unlearn, found.scratch):
        ends = [float(best.steps[0]) for best in bracket]
        pairs.append((int(ends[0]), int(ends[1])) if all(map(math.isfinite, ends)) else None)
    return pairs[0], pairs[1]
