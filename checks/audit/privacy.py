"""Distribution-free privacy: what the search chose is counted on fresh draws, once for each bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from oubli.checks.audit.counts import Counts, delta_lower, epsilon_lower
from oubli.checks.audit.events import delta_worth, epsilon_worth
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.other_times import OTHER, other_finding, other_times, runs_there
from oubli.checks.audit.pairs import Pair
from oubli.checks.audit.search import Attack, draw_sides, look
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.require import Array

TEST = 2
BINS = 40


@dataclass(frozen=True, eq=False)
class Tested:
    """Fresh scores under both laws, first the one that lies higher."""

    first: Array
    second: Array
    counts: Counts


def count_fresh(subject: Subject, settings: Settings, attack: Attack, key: int = TEST) -> Tested:
    """Count the chosen event on a Poisson number of fresh draws a side."""
    numbers = [int(n) for n in stream(settings.seed, key, attack.index, 9).poisson(settings.runs, 2)]
    sides = draw_sides(subject, attack.pair, settings, numbers, (key, attack.index), attack.score.of)
    first, second = reversed(sides) if attack.swapped else sides
    return Tested(first, second, attack.event.count(first, second, settings.runs))


def privacy(subject: Subject, settings: Settings) -> tuple[list[Finding], tuple[Attack, Attack], Tested]:
    """The findings `privacy eps` and `privacy delta`, and the attacks behind them."""
    level_eps, level_delta = settings.level("eps"), settings.level("delta")
    worths = [
        epsilon_worth(settings.runs, settings.delta, level_eps),
        delta_worth(settings.runs, settings.eps),
    ]
    for_eps, for_delta = look(subject, settings, worths)
    tested, other = _both(subject, settings, for_eps, for_delta)
    eps = max(0.0, epsilon_lower(tested.counts, settings.delta, level_eps))
    delta = delta_lower(other.counts, settings.eps, level_delta)
    found = [
        _finding("privacy eps", eps, settings.eps, f"eps <= {settings.eps:g} at delta = {settings.delta:g}",
                 1 - level_eps, for_eps, tested),
        _finding("privacy delta", delta, settings.delta,
                 f"delta <= {settings.delta:g} at eps = {settings.eps:g}", 1 - level_delta, for_delta, other),
    ]  # fmt: skip
    return found, (for_eps, for_delta), tested


def _both(subject: Subject, settings: Settings, for_eps: Attack, for_delta: Attack) -> tuple[Tested, Tested]:
    """Counts for both attacks, on one set of draws where they differ in the event alone."""
    tested = count_fresh(subject, settings, for_eps)
    same = for_delta.index == for_eps.index and for_delta.score is for_eps.score
    if not (same and for_delta.swapped == for_eps.swapped):
        return tested, count_fresh(subject, settings, for_delta)
    counts = for_delta.event.count(tested.first, tested.second, settings.runs)
    return tested, Tested(tested.first, tested.second, counts)


def other_steps(
    subject: Subject, settings: Settings, pairs: list[Pair], least: int | None
) -> Iterator[Finding]:  # fmt: skip
    """The claim at other times than `steps`."""
    times = other_times(settings, least)
    for number, T in enumerate(times):
        yield _at(
            T, subject, settings, pairs, least, settings.level("steps") / len(times), OTHER + 3 * number
        )


def _at(
    T: int, subject: Subject, settings: Settings, pairs: list[Pair], least: int | None, level: float, key: int
) -> Finding:
    """The claim at this T."""
    runs = runs_there(settings)
    there = replace(settings, steps=T, runs=runs)
    worths = [epsilon_worth(runs, settings.delta, level / 2), delta_worth(runs, settings.eps)]
    attacks = look(subject, there, worths, pairs, key)
    tested = [count_fresh(subject, there, attack, key + 1 + k) for k, attack in enumerate(attacks)]
    eps = max(0.0, epsilon_lower(tested[0].counts, settings.delta, level / 2))
    delta = delta_lower(tested[1].counts, settings.eps, level / 2)
    return other_finding(T, settings, least, level, (eps, delta), runs, attacks[0].pair.name)


def _finding(
    check: str, bound: float, claim: float, text: str, confidence: float, attack: Attack, tested: Tested
) -> Finding:
    violated = bound > claim
    counts = tested.counts
    measured = {
        "lower_bound": bound,
        "hits": counts.x,
        "false_hits": counts.y,
        "draws_a_side": counts.size,
        "directions": counts.directions,
        "optima_apart": attack.pair.distance,
    }
    says = (
        f"at confidence {confidence:.4g} it is at least {bound:.4g}"
        if violated
        else f"nothing speaks against it; at confidence {confidence:.4g} it is at least {bound:.4g}"
    )
    verdict = Judgement.VIOLATED if violated else Judgement.CONSISTENT
    return Finding(
        check, verdict, text, measured, confidence, attack.pair.name, says, histogram(attack, tested)
    )


def histogram(attack: Attack, tested: Tested) -> dict[str, object]:
    """Both score distributions and the thresholds, as numbers for a picture."""
    scores = np.concatenate([tested.first, tested.second])
    if len(scores) == 0:
        return {}
    margin = 1e-6 * (1 + float(np.abs(scores).max()))
    edges = np.linspace(float(scores.min()) - margin, float(scores.max()) + margin, BINS + 1)
    first, second = (np.histogram(side, edges)[0].tolist() for side in (tested.first, tested.second))
    sides = {"below": attack.event.lower, "above": attack.event.upper}
    ends = {side: float(value) for side, value in sides.items() if np.isfinite(value)}
    laws = ["with D_f", "with D_f'"]
    return {
        "kind": "scores", "edges": edges.tolist(), "first": first, "second": second,
        "thresholds": list(ends.values()), "sides": list(ends), "names": laws[:: -1 if attack.swapped else 1],
    }  # fmt: skip
