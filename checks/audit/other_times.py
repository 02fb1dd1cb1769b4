"""Another T than the one that was asked for: which, and what is said of it."""

from __future__ import annotations

from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.generators import stream
from oubli.checks.audit.settings import Settings

# The key of its draws.
OTHER = 50
# The look at another T takes this part of the runs.
SHARE_OF_RUNS = 10


def other_times(settings: Settings, least: int | None) -> list[int]:
    """A T beyond `steps`, drawn at random, and the least T of a rule that declares one.

    >>> other_times(Settings(eps=1.0, delta=1e-5), 3)[1:]
    [3]
    """
    rng, low = stream(settings.seed, OTHER), settings.steps + 1
    first = int(rng.integers(low, 2 * low))
    return [first, least] if least is not None and least < settings.steps else [first]


def other_finding(
    T: int, settings: Settings, least: int | None, level: float, bounds: tuple[float, float],
    runs: int, where: str,
) -> Finding:  # fmt: skip
    """What lower bounds on eps and delta at another T say.

    Without `least_steps` nothing is claimed there, and a rule that fails leaves the audit UNDECIDED: what was
    seen at T = steps holds for that T alone.
    """
    eps, delta = bounds
    bad = eps > settings.eps or delta > settings.delta
    measured = {"T": T, "eps_lower_bound": eps, "delta_lower_bound": delta, "draws_a_side": runs}
    claimed = f"as private at T = {T}" + ("" if least is None else ", as least_steps says")
    says = f"at T = {T} eps is at least {eps:.4g} and delta at least {delta:.4g}"
    if bad and least is None:
        says += f": what was seen at T = {settings.steps} holds for that T alone"
    wrong = Judgement.UNDECIDED if least is None else Judgement.VIOLATED
    return Finding(
        "privacy other steps", wrong if bad else Judgement.CONSISTENT, claimed, measured, 1 - level,
        where, says if bad else "", blocks=True,
    )  # fmt: skip


def runs_there(settings: Settings) -> int:
    """Draws a side for the look at another T.

    >>> runs_there(Settings(eps=1.0, delta=1e-5, runs=20_000)), runs_there(Settings(1.0, 1e-5, runs=300))
    (2000, 300)
    """
    return max(min(500, settings.runs), settings.runs // SHARE_OF_RUNS)
