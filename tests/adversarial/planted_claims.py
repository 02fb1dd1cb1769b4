"""Planted errors in the records: constants, signs, r for rho, exponents, a ceiling, factors, domains."""

import sympy as sp

from oubli.checks.measure.registry import ledger
from oubli.theory.paper.letters import L, T, mu, r
from tests.adversarial.planted import (
    FIVE,
    Planted,
    becomes,
    claim_planted,
    claims_planted,
    constants_planted,
    given_changed,
    put,
    symbol,
    tighter,
    times,
)

CONSTANTS = """
    setup.gradient_at_zero setup.lift setup.hard_family setup.synthetic.constant setup.step_stays.half
    setup.step_stays.line tv_dp.sharp tv_dp.first def.from_reference e0.step.repaired binomial_tv
    binomial_tv.arcsin tv_bound.arcsine trivial.floor two_point.repaired scratch.lower.best inefficient.c3
    efficient.balanced efficient.time efficient.expectation phase.disjoint discussion.samples
"""
# Bounds that are upper or lower ones and attained: 5 % of room is noticed too.
LOOSENED = """
    binomial_tv def.from_reference e0 e0.step.repaired opt_dist.sharp opt_loss.line sensitivity.line
    setup.gradient_at_zero setup.hard_family setup.synthetic.constant trivial.floor tv_bound.arcsine
    tv_dp.sharp two_point.repaired
"""
HOPS = sp.Max((1 - r) * symbol("gamma") - r, 0) / (2 * r)
CLAIMS: list[Planted] = [
    *constants_planted(CONSTANTS, LOOSENED),
    *claims_planted(
        {
            "nft.average.repaired: weights sum to 1.05": tighter(1 / FIVE),
            "setup.gradient_at_zero.line: sign of L/2": put(L / 2, -L / 2),
            "trivial.step4: sign of the bound": times(-1),
            "e0.value: sign of a side": times(-1),
            "tv_bound.edge.repaired: r for 1 - r": put(1 - r, 1),
            "efficient.equality.repaired: r for rho": times((1 - r) ** 2),
            "trivial.floor: exponent of r": put(r**2, r),
            "binomial_tv: exponent of T": put(sp.sqrt(T), T ** sp.Rational(1, 4)),
            "setup.hard_family: exponent of L": becomes(L),
            "tv_bound.repaired: the ceiling dropped": put(symbol("K"), HOPS),
            "e0.step.repaired: the factor 8 doubled": tighter(sp.Rational(1, 2)),
            "efficient.equality.repaired: the factor 64 dropped": tighter(sp.Rational(1, 64)),
            "setup.gradient_at_zero: mu mixed into L": put(L, L * mu / (mu + 1)),
        }
    ),
    claim_planted(
        "the factor 8 of the noise dropped",
        "trivial.repaired.line",
        lambda: given_changed("trivial.repaired.line", 0, times(sp.Rational(1, 8))),
    ),
    claim_planted(
        "n for sqrt(n)",
        "discussion.samples",
        lambda: given_changed("discussion.samples", 0, times(sp.sqrt(symbol("n_all")))),
    ),
    claim_planted("the domain eps <= 1 dropped", "gauss.kappa", lambda: ledger().claims["gauss.kappa"]),
    claim_planted("the domain d <= 4 dropped", "setup.synthetic", lambda: ledger().claims["setup.synthetic"]),
]
