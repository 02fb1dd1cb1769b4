"""Which bounds are sharp, and why the others are not brought to their bound: nothing is hidden.

A claim is sharp if an exact instance of the ledger attains it, or if it is named here because something comes
as near to its bound as one likes. A claim that only says a sign has no bound to compare with.
"""

from __future__ import annotations

from functools import cache

from oubli.checks.measure.registry import GROUPS, ledger, standing
from oubli.checks.report.verdicts import attained as exact_instance

NEAR_ENOUGH = 0.999

# Sharp without an exact instance on record: the search comes as near as one likes.
NAMED = (
    "tv_dp.sharp",
    "binomial_tv",
    "def.from_reference",
    "trivial.floor",
    "two_point.repaired",
    "sharp.scratch.risk",
    "sharp.scratch.lower",
    "sharp.noise.gaussian",
    "sharp.noise.radial",
    "sharp.noise.staircase",
    "sharp.noise.radial.exact",
    "sharp.noise_lemma",
    "sharp.lower.segment",
    "sharp.lower.hop",
    "sharp.lower",
    "sharp.cube.spread",
    "sharp.cube.segments",
    "sharp.two_point.hop",
    "sharp.two_point",
    "sharp.kink",
)

_UPPER = "an upper bound from a general proof; no problem that was drawn comes closer"
_LOWER = "a lower bound; what is measured are named algorithms, which need not be the best possible"
_NOISE = "it charges L for every unit of noise, but the risk is quadratic near the optimum"
_SLOPE = "no member that was drawn is as steep, even with walls; how much of the bound is needed is open"
_LINEAR = "a lower bound; what is measured are linear rules, which need not be the best possible"
_MECHANISM = "a lower bound; what is measured is one private mechanism, which need not be the best possible"
_PRIOR = "a lower bound; the learners measured are best against a prior, not against the worst problem"
_UNSEEN = "what is measured looks at no gradient, so it pays for the kinks that T gradients would not show"
_NUMBERS = (
    "one",
    "two",
    "three",
    "four",
    "six",
    "seven",
    "eight",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
)
# Bounds without an erratum that nothing brings to 0.999: why. What is not named here must get there.
LOOSE: dict[str, str] = {
    "opt_loss": "opt_loss.sharper, which is attained, is half of it for small r",
    "phi_measurable": "what is measured shares the signs, where both sides are 0",
    "gauss.kappa.small": "classical noise is more than the exact law asks for",
    "gauss.kappa.private": "classical noise is more than the exact law asks for",
    "gauss.kappa.range": "4/9 is a round number below the infimum 2 ln(5/4) = 0.4463",
    "gauss.sensitivity.large": "it allows r/(1-r) L/mu; nothing that was drawn moves by more than r L/mu, "
    "which is 1 - r of that, at most 2/3",
    "phase.slopes.inefficient": "1/2 is its limit at large kappa; kappa is drawn up to 11",
    "sgd.rate.repaired": _UPPER,
    "sgd.constant_step.repaired": _UPPER,
    "scratch.upper": _UPPER,
    "trivial.repaired": _NOISE,
    "trivial.repaired.line": _NOISE,
    "efficient.explicit": _UPPER,
    "efficient.rounding": _UPPER,
    "efficient.corollary.repaired": "noise alone reaches e wherever it was drawn: T^U = 0",
    "scratch.lower": _LOWER,
    "scratch.theta": _LOWER,
    "experiment.grid.repaired": "32/25 is a round number above the ratio of neighbours, 1.2788",
    "phase.threshold.every": "1/(100 c) is a round number; at this r and kappa a tenth of it would do",
    "inefficient.exact.repaired": "it is a hypothesis that is met, with room: 1/8000000 is a round number",
    "inefficient.repaired": _LOWER,
    "inefficient.liminf": _LOWER,
    "sharp.noise_lemma.sphere": _SLOPE,
    "sharp.noise_lemma.plane": _SLOPE,
    "sharp.noise_lemma.straight": _SLOPE,
    "sharp.noise_lemma.short": _SLOPE,
    "sharp.noise_lemma.long": _SLOPE,
    "sharp.scratch.rate": _UPPER,
    "efficient.kappa.exact": "1.25 is a round number, 1/2 would do, and the tail behind is left out",
    "efficient.steps.gaussian": _UPPER,
    "efficient.steps.radial": _UPPER,
    "efficient.time.gaussian": _UPPER,
    "efficient.time.radial": _UPPER,
    "efficient.ratio": _UPPER,
    "efficient.exact": _UPPER,
    "efficient.every": _UPPER,
    "efficient.budget": _UPPER,
    "efficient.dimension": _UPPER,
    "sharp.release": _UPPER,
    "sharp.release.best": _UPPER,
    "sharp.trivial": _UPPER,
    "sharp.trivial.near": _UPPER,
    "sharp.sgd.rate": _UPPER,
    "sharp.efficient": _UPPER,
    "sharp.efficient.near": _UPPER,
    "sharp.efficient.between": _UPPER,
    **{f"sharp.scratch.{number}": _PRIOR for number in _NUMBERS},
    "sharp.scratch.upper": _UPPER,
    "sharp.linear.rate": _UPPER,
    "sharp.scratch.linear": _UPPER,
    "sharp.exact.trivial": _NOISE,
    "sharp.exact.steps": _UPPER,
    "sharp.sensitivity.slope": _SLOPE,
    "sharp.sensitivity.half_chord": _SLOPE,
    "sharp.sensitivity.line": _SLOPE,
    "sharp.sensitivity.edge": _SLOPE,
    "sharp.sensitivity.sphere": _SLOPE,
    "sharp.sensitivity.dual": _SLOPE,
    "sharp.sensitivity.width": _SLOPE,
    "sharp.sensitivity.inward": _SLOPE,
    "sharp.sensitivity.middle": _SLOPE,
    "sharp.sensitivity.middle.outer": _SLOPE,
    "sharp.sensitivity.middle.inner": _SLOPE,
    "sharp.ball": _UNSEEN,
    "sharp.ball.between": _MECHANISM,
    "sharp.ball.charged": _UNSEEN,
    "sharp.ball.far": "noise is longer than the hop at times; then the positive part bends inside the cap",
    "sharp.ball.hop": "it pays for two changes of the coins; what is measured makes one",
    "sharp.ball.hop.start": _MECHANISM,
    "sharp.ball.miss": _MECHANISM,
    "sharp.ball.miss.start": _MECHANISM,
    "sharp.ball.most": "a drawn miss is seldom a whole diameter along the direction of the test",
    "sharp.ball.pair": _MECHANISM,
    "sharp.ball.start": _MECHANISM,
    "sharp.coins.divergence": "the divergence of near coins is half of the chi-square bound",
    "sharp.coins.tail": "an exponential moment bounds a tail; a few coins have a thinner one",
    "sharp.hop": "it pays for two changes of the coins; what is measured makes one",
    "sharp.sphere": _UNSEEN,
    "sharp.sphere.across": _MECHANISM,
    "sharp.sphere.across.start": _MECHANISM,
    "sharp.sphere.charged": _UNSEEN,
    "sharp.sphere.cost": "the kink is replaced by its slope at one angle, and squares are left out",
    "sharp.sphere.hops": "it pays for two changes of the coins; what is measured makes one",
    "sharp.sphere.start": _MECHANISM,
    "sharp.lower.capped": _LINEAR,
    "sharp.cube": _LINEAR,
    "sharp.cube.gain": _LINEAR,
    "two_point.start.off": "it claims half of the square that is there, enough for the witness of two_point",
}


@cache
def sign_only(key: str) -> bool:
    """Whether a claim compares one quantity with 0: there is nothing to attain.

    >>> sign_only("setup.stationary"), sign_only("opt_loss")
    (True, False)
    """
    statement = ledger().claims[key].statement
    assert statement is not None
    says = statement.says
    return 0 in (says.lhs, says.rhs) and says.rel_op != "==" and not _two_terms(says.lhs - says.rhs)


def _two_terms(gap: object) -> bool:
    terms = gap.as_ordered_terms()  # type: ignore[attr-defined]
    signs = {term.could_extract_minus_sign() for term in terms}
    return len(signs) == 2


@cache
def sharp_keys() -> tuple[str, ...]:
    """The claims that must reach 0.999 of their bound: those attained exactly, and those named here.

    >>> {"opt_dist.sharp", "tv_dp.sharp", "trivial.floor"} <= set(sharp_keys())
    True
    """
    keys = [key for group in GROUPS for key in standing(group)]
    return tuple(
        key
        for key in keys
        if not sign_only(key) and (key in NAMED or exact_instance(ledger().claims[key]) is not None)
    )


def remark(key: str, ratio: float) -> str:
    """How close to its bound a claim was brought, in a word for the table.

    >>> remark("opt_dist.sharp", 1.0), remark("setup.stationary", 0.0), remark("opt_loss", 0.5)
    ('sharp', 'says a sign', 'not sharp')
    """
    if sign_only(key):
        return "says a sign"
    if key in sharp_keys():
        return "sharp" if ratio >= NEAR_ENOUGH else "SHARP, NOT REACHED"
    return "reached" if ratio >= NEAR_ENOUGH else "not sharp"
