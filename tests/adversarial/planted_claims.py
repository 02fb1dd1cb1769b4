"""Planted errors in the records: constants, signs, r for rho, exponents, a ceiling, factors, domains."""

import sympy as sp

from oubli.checks.measure.registry import ledger
from tests.adversarial.planted import (
    L,
    Planted,
    T,
    changed,
    claim_loosened,
    claim_planted,
    flipped,
    given_changed,
    mu,
    put,
    r,
    tighter,
)

FIVE = sp.Rational(95, 100)
CONSTANTS = (
    "setup.gradient_at_zero",
    "setup.lift",
    "setup.hard_family",
    "setup.synthetic.constant",
    "setup.step_stays.half",
    "setup.step_stays.line",
    "tv_dp.sharp",
    "tv_dp.first",
    "def.from_reference",
    "e0.step.repaired",
    "binomial_tv",
    "binomial_tv.arcsin",
    "tv_bound.arcsine",
    "trivial.floor",
    "two_point.repaired",
    "scratch.lower.best",
    "inefficient.c3",
    "efficient.balanced",
    "efficient.time",
    "efficient.expectation",
    "phase.disjoint",
    "discussion.samples",
)
# Bounds that are upper or lower ones and attained: 5 % of room is noticed too.
LOOSENED = (
    "binomial_tv",
    "def.from_reference",
    "e0",
    "e0.step.repaired",
    "opt_dist.sharp",
    "opt_loss.line",
    "sensitivity.line",
    "setup.gradient_at_zero",
    "setup.hard_family",
    "setup.synthetic.constant",
    "trivial.floor",
    "tv_bound.arcsine",
    "tv_dp.sharp",
    "two_point.repaired",
)


def symbol(name: str) -> sp.Symbol:
    """A letter by name."""
    return sp.Symbol(name, real=True)


CLAIMS: list[Planted] = [
    *(
        claim_planted(f"{key}: constant 5 % toward falsehood", key, lambda k=key: changed(k, tighter(FIVE)))
        for key in CONSTANTS
    ),
    *(claim_loosened(key, FIVE) for key in LOOSENED),
    claim_planted(
        "nft.average.repaired: weights sum to 1.05",
        "nft.average.repaired",
        lambda: changed("nft.average.repaired", tighter(1 / FIVE)),
    ),
    claim_planted(
        "setup.gradient_at_zero.line: sign of L/2",
        "setup.gradient_at_zero.line",
        lambda: changed("setup.gradient_at_zero.line", put(L / 2, -L / 2)),
    ),
    claim_planted(
        "trivial.step4: sign of the bound", "trivial.step4", lambda: changed("trivial.step4", flipped)
    ),
    claim_planted("e0.value: sign of a side", "e0.value", lambda: changed("e0.value", flipped)),
    claim_planted(
        "tv_bound.edge.repaired: r for 1 - r",
        "tv_bound.edge.repaired",
        lambda: changed("tv_bound.edge.repaired", put(1 - r, 1)),
    ),
    claim_planted(
        "efficient.equality.repaired: r for rho",
        "efficient.equality.repaired",
        lambda: changed(
            "efficient.equality.repaired", lambda s: s.func(s.lhs, s.rhs * (1 - r) ** 2, evaluate=False)
        ),
    ),
    claim_planted(
        "trivial.floor: exponent of r", "trivial.floor", lambda: changed("trivial.floor", put(r**2, r))
    ),
    claim_planted(
        "binomial_tv: exponent of T",
        "binomial_tv",
        lambda: changed("binomial_tv", put(sp.sqrt(T), T ** sp.Rational(1, 4))),
    ),
    claim_planted(
        "setup.hard_family: exponent of L",
        "setup.hard_family",
        lambda: changed("setup.hard_family", lambda s: s.func(s.lhs, L, evaluate=False)),
    ),
    claim_planted(
        "tv_bound.repaired: the ceiling dropped",
        "tv_bound.repaired",
        lambda: changed(
            "tv_bound.repaired", put(symbol("K"), sp.Max((1 - r) * symbol("gamma") - r, 0) / (2 * r))
        ),
    ),
    claim_planted(
        "e0.step.repaired: the factor 8 doubled",
        "e0.step.repaired",
        lambda: changed("e0.step.repaired", tighter(sp.Rational(1, 2))),
    ),
    claim_planted(
        "trivial.repaired.line: the factor 8 of the noise dropped",
        "trivial.repaired.line",
        lambda: given_changed("trivial.repaired.line", 0, lambda r: r.func(r.lhs, r.rhs / 8, evaluate=False)),
    ),
    claim_planted(
        "efficient.equality.repaired: the factor 64 dropped",
        "efficient.equality.repaired",
        lambda: changed("efficient.equality.repaired", tighter(sp.Rational(1, 64))),
    ),
    claim_planted(
        "gauss.kappa: the domain eps <= 1 dropped", "gauss.kappa", lambda: ledger().claims["gauss.kappa"]
    ),
    claim_planted(
        "setup.synthetic: the domain d <= 4 dropped",
        "setup.synthetic",
        lambda: ledger().claims["setup.synthetic"],
    ),
    claim_planted(
        "discussion.samples: n for sqrt(n)",
        "discussion.samples",
        lambda: given_changed(
            "discussion.samples", 0, lambda r: r.func(r.lhs, r.rhs * sp.sqrt(symbol("n_all")), evaluate=False)
        ),
    ),
    claim_planted(
        "setup.gradient_at_zero: mu mixed into L",
        "setup.gradient_at_zero",
        lambda: changed("setup.gradient_at_zero", put(L, L * mu / (mu + 1))),
    ),
]
