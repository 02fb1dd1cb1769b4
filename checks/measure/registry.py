"""Which source measures which claim; what no source names is drawn from the claim's own hypotheses."""

from __future__ import annotations

from oubli.checks.measure import (
    algorithms,
    binomial,
    efficient,
    every_budget,
    lecam,
    losses,
    privacy,
    problems,
    steps,
    trivial,
    two_starts,
    unprojected,
    walk,
)
from oubli.checks.measure.check import Outcome, outcome, source_for
from oubli.checks.measure.records import ledger as ledger
from oubli.checks.measure.sharper import kink
from oubli.checks.measure.sharper.registry import BY_SOURCE as SHARPER
from oubli.checks.measure.source import Source
from oubli.theory.records.claim import Claim, Kind

Sources = tuple[Source, ...]

_everywhere: Sources = (problems.PROBLEMS, problems.WILD)
BY_SOURCE: dict[Sources, tuple[str, ...]] = {
    (losses.BALL,): (
        "setup.gradient_at_zero",
        "setup.step_stays.mirror",
        "setup.step_stays.half",
        "setup.step_stays",
    ),
    (losses.SEGMENT,): (
        "setup.gradient_at_zero.line",
        "setup.gradient_at_zero.line_below",
        "setup.step_stays.line",
    ),
    (losses.LIFTED,): ("setup.lift",),
    (losses.FAMILY,): ("setup.hard_family", "setup.synthetic", "setup.synthetic.constant"),
    (algorithms.WEIGHTS,): ("nft.average", "nft.average.repaired", "sgd.average", "sgd.average.repaired"),
    (algorithms.WARM,): ("nft.warm_start",),
    (algorithms.KEPT,): ("nft.warm_start.repaired",),
    (algorithms.NOISE,): ("nft.noise",),
    (algorithms.RATE, algorithms.EVERY): ("sgd.rate.repaired", "scratch.upper"),
    (algorithms.CONSTANT,): ("sgd.constant_step.repaired",),
    (algorithms.SAME,): ("phi_measurable",),
    (privacy.CLOSE,): (
        "tv_dp",
        "tv_dp.first",
        "tv_dp.sharp",
        "tv_bound.price",
        "tv_bound.idle",
        "def.to_reference.repaired",
        "def.to_reference.chain",
    ),
    (privacy.REFERENCE,): ("def.from_reference", "def.from_reference.chain"),
    (privacy.GAUSS,): ("gauss.kappa",),
    (privacy.REAL_DISTANCE,): ("gauss.sensitivity", "experiment.sensitivity"),
    (privacy.SMALL,): ("gauss.kappa.small",),
    _everywhere: (
        "e0",
        "e0.zero",
        "e0.sign",
        "e0.sign.repaired",
        "e0.mirror",
        "e0.convexity",
        "opt_dist",
        "opt_dist.sharp",
        "opt_dist.convexity",
        "trivial.step1",
        "opt_loss",
        "opt_loss.sharper",
        "opt_loss.release",
        "opt_loss.step1",
        "opt_loss.step1.repaired",
        "opt_loss.step2",
        "opt_loss.step3",
        "opt_loss.step4",
        "efficient.radius",
    ),
    (unprojected.UNPROJECTED,): ("sgd.rate.start",),
    (kink.TWO_PIECES, kink.EIGHT_PIECES): ("gauss.sensitivity.scale",),
    (problems.LARGE,): ("gauss.sensitivity.large",),
    (problems.SMOOTHED,): (
        "setup.stationary",
        "opt_dist.gradient",
        "opt_dist.step",
        "opt_dist.step.repaired",
        "sensitivity",
    ),
    (problems.LINE,): (
        "opt_loss.line",
        "opt_loss.line.slope",
        "opt_loss.line.slope_above",
        "sensitivity.line",
        "gauss.sensitivity.line",
    ),
    (trivial.FLOOR,): ("trivial.floor", "trivial.floor.private"),
    (trivial.NOISE, trivial.NOISE_RUN): ("trivial.repaired",),
    (trivial.NOISE_LINE,): ("trivial.repaired.line",),
    (efficient.EXPECTATION,): ("efficient.expectation", "efficient.put_in"),
    (efficient.STEPS,): ("efficient.steps",),
    (efficient.PRINTED,): ("efficient",),
    (efficient.TIME,): ("efficient.explicit", "efficient.rounding"),
    (efficient.LEVEL,): ("efficient.corollary.repaired",),
    (every_budget.GAUSSIAN,): ("efficient.time.gaussian", "efficient.exact", "efficient.every"),
    (every_budget.GAUSSIAN_RISK,): (
        "efficient.steps.gaussian",
        "efficient.none.gaussian",
    ),
    (every_budget.SMALL,): ("efficient.budget",),
    (every_budget.RADIAL,): (
        "efficient.time.radial",
        "efficient.ratio",
        "efficient.quarter",
        "efficient.dimension",
    ),
    (every_budget.RADIAL_RISK,): ("efficient.steps.radial", "efficient.none.radial"),
    (binomial.OPEN,): ("binomial_tv",),
    (binomial.CLOSED,): ("binomial_tv.arcsin",),
    (binomial.LINKS,): ("tv_bound.equal",),
    (binomial.MOMENTS,): ("binomial_tv.deviation",),
    (lecam.FINITE, lecam.CLIPPED): ("two_point.repaired",),
    (lecam.SHARED,): ("two_point.jensen",),
    (lecam.PRIVATE, lecam.CLIPPED): ("tv_bound.repaired", "tv_bound.sharper", "inefficient.step1.repaired"),
    (problems.LOTTERIES,): ("inefficient.lottery",),
    (lecam.PRIVATE,): ("tv_bound", "inefficient.tv", "inefficient.step2.repaired"),
    (lecam.LOWER,): ("scratch.lower",),
    (lecam.BEST,): ("scratch.theta",),
    (lecam.TIMES,): ("inefficient.repaired", "inefficient.liminf"),
    (two_starts.STARTS,): ("two_point.start", "two_point.start.off", "two_point.start.alike"),
    (two_starts.AT_ZERO,): ("two_point.start.optimal",),
    (walk.PASSED,): ("def.time.walk",),
    (walk.ORDER,): ("def.time.order",),
    (steps.MIDDLE,): ("two_point.middle",),
    (steps.CONVEX,): ("setup.hard_family.convex", "setup.hard_family.minimiser"),
    (steps.RELEASED,): ("scratch.positive",),
    (steps.ATTAINED,): ("tv_dp.attained",),
    (steps.BETWEEN,): ("def.from_reference.attained",),
    (steps.TRIANGLE,): ("tv_bound.triangle",),
    (steps.TELESCOPE,): ("tv_bound.telescope", "tv_bound.telescope.back"),
    (steps.PRICES,): ("tv_bound.prices",),
    **SHARPER,
}
MEASURED: dict[str, Sources] = {key: sources for sources, keys in BY_SOURCE.items() for key in keys}

# Claims whose letters nobody measures here, and why.
UNMEASURED: dict[str, str] = {
    "efficient.rest": "what is open of efficient: no algorithm here settles it, and T^U is not known",
    "inefficient.exact": "it compares the number 0 with 1e-8, below what a measurement resolves",
    "sgd.rate": "no witness is on record: what it says of iterates outside the ball nobody can measure",
    "sensitivity.attained": "a supremum is at least what any pair attains; sensitivity.line measures pairs",
    "tv_bound.chain": "an induction over hops whose laws it leaves open; tv_bound.repaired measures its end",
    "e0.time": "the output 0, which e0.zero measures, as a time",
    "tv_bound.processing.repaired": "one link of a chain; sharp.two_point.chain measures whole chains",
    "tv_bound.sum_kept": "one link of a chain; sharp.two_point.chain measures whole chains",
}

GROUPS = {
    "setup": ("setup",),
    "algorithms": ("nft", "sgd", "phi_measurable"),
    "privacy": ("def", "tv_dp", "gauss", "experiment.sensitivity", "sensitivity"),
    "retraining": ("e0", "scratch"),
    "optima": ("opt_dist", "opt_loss"),
    "trivial": ("trivial",),
    "efficient": ("efficient",),
    "inefficient": ("inefficient", "two_point", "tv_bound"),
    "binomial": ("binomial_tv",),
    "diagram": ("phase", "discussion", "experiment.time", "experiment.grid"),
    "sharp": ("sharp",),
}


def belongs(key: str, group: str) -> bool:
    """Whether a claim is checked by that group's module."""
    return any(key == head or key.startswith(f"{head}.") for head in GROUPS[group])


def claims_of(group: str) -> list[Claim]:
    """The claims of a group that say something."""
    return [c for c in ledger().claims.values() if c.statement is not None and belongs(c.key, group)]


def standing(group: str) -> list[str]:
    """The claims without an erratum that must not be violated.

    >>> "opt_dist.sharp" in standing("optima")
    True
    """
    return [c.key for c in claims_of(group) if c.repaired_by is None and c.key not in UNMEASURED]


def fallen(group: str) -> list[str]:
    """The claims with an erratum, which something must violate.

    >>> fallen("optima")
    ['opt_dist.step', 'opt_loss.step1']
    """
    return [c.key for c in claims_of(group) if c.repaired_by is not None and c.key not in UNMEASURED]


def sources_of(claim: Claim) -> list[Source]:
    """The sources that measure a claim: named ones, or its own hypotheses."""
    bases: tuple[Source | None, ...] = MEASURED.get(claim.key, (None,))
    return [source_for(claim, base) for base in bases]


def outcomes(claim: Claim, scale: int = 1) -> list[Outcome]:
    """The claim on each of its sources."""
    return [outcome(claim, source, scale) for source in sources_of(claim)]


def printed(claim: Claim) -> bool:
    """Whether the paper itself says it."""
    return claim.kind in (Kind.STATEMENT, Kind.STEP)
