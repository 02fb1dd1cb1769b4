"""Planted errors in our sharper records and what measures them: constants, signs, dropped factors."""

import sympy as sp

from oubli.checks.measure.sharper import trees as sharp_trees
from oubli.checks.measure.sharper.kink import starts_agree
from oubli.sim.laws import binomial_tv_gamma
from oubli.sim.losses.families import kink
from oubli.theory.paper.letters import L, T, delta, mu
from tests.adversarial.planted import (
    FIVE,
    Planted,
    claim_planted,
    claims_planted,
    constants_planted,
    given_changed,
    planted_in,
    put,
    quick,
    symbol,
    times,
)

# Claims that something attains: 5 % toward falsehood is seen.
CONSTANTS = """
    sharp.noise_lemma sharp.scratch.risk sharp.scratch.lower sharp.noise.gaussian sharp.noise.radial
    sharp.noise.radial.moment sharp.sgd.harmonic sharp.linear.weights sharp.lower.hop sharp.lower.segment
    sharp.cube.spread sharp.cube.info sharp.cube.segments sharp.two_point.hop sharp.two_point.few
    sharp.between
    sharp.two_point.arcsine sharp.two_point.one sharp.noise.staircase sharp.noise.radial.exact
    efficient.quarter
"""
LOOSENED = "sharp.scratch.risk sharp.lower.hop sharp.cube.spread sharp.two_point.hop sharp.lower"
V, LEAN = sp.Rational(9, 35), sp.Rational(12, 5)
_walked, _kink = sharp_trees.walked, kink

SHARP: list[Planted] = [
    *constants_planted(CONSTANTS, LOOSENED),
    *claims_planted(
        {
            "sharp.noise_lemma.mean: V 5 % smaller": put(V, V * FIVE),
            "sharp.noise_lemma: factor 12/5 of the lean is 17/5": put(LEAN * mu, (LEAN + 1) * mu),
            "sharp.noise_lemma: sign of the lean": put(LEAN * mu, -LEAN * mu),
            "sharp.sgd.step: V 5 % smaller": put(V, V * FIVE),
            "sharp.linear.step: V 5 % smaller": put(V, V * FIVE),
            "sharp.release.best: factor sqrt(V) dropped to a half": put(L, L / 2),
            "sharp.scratch.risk: exponent of 1 + sqrt(T)": put((1 + sp.sqrt(T)) ** 2, 1 + sp.sqrt(T)),
            "sharp.two_point.hop: the delta term dropped": put(delta, 0),
            "sharp.lower.hop: the delta term dropped": put(delta, 0),
            "sharp.two_point: sign of the coins": put(symbol("B_chain"), -symbol("B_chain")),
            "sharp.two_point: no hop is paid for": put(symbol("K_chain"), 0),
            "sharp.lower.chain: no hop is paid for": put(symbol("K_chain"), 0),
            "sharp.kink: the coins are free": put(symbol("tau"), 0),
            "sharp.kink.bayes: the gain counts half": put(symbol("S_bayes"), symbol("S_bayes") / 2),
            "sharp.sphere.across: a cap too likely": put(symbol("P_cone"), 4 * symbol("P_cone")),
            "sharp.sphere.across.start: a longer hop": put(symbol("t_turn"), 2 * symbol("t_turn")),
            "sharp.ball.miss.start: a cap too likely": put(symbol("P_cone"), 4 * symbol("P_cone")),
            "sharp.ball.hop.start: a factor ten times too small": put(symbol("E_hop"), symbol("E_hop") / 10),
            "sharp.ball.start: too long a miss": put(symbol("zeta_ball"), 10 * symbol("zeta_ball")),
            "sharp.coins.tail: too thin a tail": put(symbol("delta_coins"), symbol("delta_coins") / 50),
            "sharp.cube.hop: the level l is free": put(symbol("z_level"), 0),
            "sharp.cube.private: the delta term dropped": put(delta, 0),
            "sharp.cube.flow: hops are free": put(symbol("O_falls"), 0),
            "sharp.cube.gain: the ends are met exactly": put(symbol("y_worst"), 0),
        }
    ),
    claim_planted(
        "e may be 30 % smaller",
        "sharp.trivial",
        lambda: given_changed("sharp.trivial", 0, times(sp.Rational(7, 10))),
    ),
    claim_planted(
        "e may be 25 % smaller",
        "sharp.exact.trivial.line",
        lambda: given_changed("sharp.exact.trivial.line", 0, times(sp.Rational(3, 4))),
    ),
]
SHARP += planted_in("simulator", {
    "steps up the gradient in every path": (
        "stands[sharp.sgd.rate]", "checks.measure.sharper.trees.walked",
        lambda optima, start, sizes, weights, R: _walked(optima, start, [-s for s in sizes], weights, R),
        quick("sharp.sgd.rate")),
    "the kink beside theta*": (
        "test_both_problems_of_the_kink_start_at_the_same_point", "checks.measure.sharper.kink.kink",
        lambda star, left, right, d, m: _kink(star - 0.1, left, right, d, m), starts_agree),
})  # fmt: skip
SHARP += planted_in("law", {
    "binomial distances 10 % too small": (
        "stands[sharp.two_point.chain]", "checks.measure.sharper.chains.binomial_tv_gamma",
        lambda *at: 0.9 * binomial_tv_gamma(*at), quick("sharp.two_point.chain")),
})  # fmt: skip
