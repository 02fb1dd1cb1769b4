"""Planted errors in our sharper records and what measures them: constants, signs, dropped factors."""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.checks.measure.sharper import trees as sharp_trees
from oubli.checks.measure.sharper.kink import starts_agree
from oubli.sim.laws import binomial_tv_gamma
from oubli.sim.losses.families import kink
from tests.adversarial.planted import (
    L,
    Planted,
    T,
    changed,
    claim_loosened,
    claim_planted,
    delta,
    given_changed,
    mu,
    planted,
    put,
    quick,
    tighter,
)

FIVE = sp.Rational(95, 100)
# Claims that something attains: 5 % toward falsehood is seen.
CONSTANTS = (
    "sharp.noise_lemma",
    "sharp.scratch.risk",
    "sharp.scratch.lower",
    "sharp.noise.gaussian",
    "sharp.noise.radial",
    "sharp.noise.radial.moment",
    "sharp.sgd.harmonic",
    "sharp.linear.weights",
    "sharp.lower.hop",
    "sharp.lower.segment",
    "sharp.cube.spread",
    "sharp.cube.info",
    "sharp.cube.segments",
    "sharp.two_point.hop",
    "sharp.two_point.few",
    "sharp.two_point.arcsine",
    "sharp.two_point.one",
    "sharp.noise.staircase",
    "sharp.noise.radial.exact",
    "efficient.quarter",
)
LOOSENED = (
    "sharp.scratch.risk",
    "sharp.lower.hop",
    "sharp.cube.spread",
    "sharp.two_point.hop",
    "sharp.lower",
)
V, LEAN = sp.Rational(169, 640), sp.Rational(13, 5)
_walked, _kink = sharp_trees.walked, kink


def symbol(name: str) -> sp.Symbol:
    """A letter by name."""
    return sp.Symbol(name, real=True)


def _changed(name: str, key: str, old: Any, new: Any) -> Planted:
    return claim_planted(f"{key}: {name}", key, lambda: changed(key, put(old, new)))


def _asked_less(name: str, key: str, index: int, factor: sp.Expr) -> Planted:
    """The target e may be smaller by a factor than the record allows."""
    return claim_planted(
        f"{key}: {name}",
        key,
        lambda: given_changed(key, index, lambda r: r.func(r.lhs, r.rhs * factor, evaluate=False)),
    )


SHARP: list[Planted] = [
    *(
        claim_planted(f"{key}: constant 5 % toward falsehood", key, lambda k=key: changed(k, tighter(FIVE)))
        for key in CONSTANTS
    ),
    *(claim_loosened(key, FIVE) for key in LOOSENED),
    _changed("V 5 % smaller", "sharp.noise_lemma.mean", V, V * FIVE),
    _changed("factor 13/5 of the lean is 18/5", "sharp.noise_lemma", LEAN * mu, (LEAN + 1) * mu),
    _changed("sign of the lean", "sharp.noise_lemma", LEAN * mu, -LEAN * mu),
    _changed("V 5 % smaller", "sharp.sgd.step", V, V * FIVE),
    _changed("V 5 % smaller", "sharp.linear.step", V, V * FIVE),
    _changed("factor sqrt(V) dropped to a half", "sharp.release.best", L, L / 2),
    _changed("exponent of 1 + sqrt(T)", "sharp.scratch.risk", (1 + sp.sqrt(T)) ** 2, 1 + sp.sqrt(T)),
    _changed("the delta term dropped", "sharp.two_point.hop", delta, 0),
    _changed("the delta term dropped", "sharp.lower.hop", delta, 0),
    _changed("sign of the coins", "sharp.two_point", symbol("B_chain"), -symbol("B_chain")),
    _changed("no hop is paid for", "sharp.two_point", symbol("K_chain"), 0),
    _changed("no hop is paid for", "sharp.lower.chain", symbol("K_chain"), 0),
    _changed("the coins are free", "sharp.kink", symbol("tau"), 0),
    _changed("the level l is free", "sharp.cube.hop", symbol("z_level"), 0),
    _asked_less("e may be 30 % smaller", "sharp.trivial", 2, sp.Rational(7, 10)),
    _asked_less("e may be 25 % smaller", "sharp.exact.trivial.line", 0, sp.Rational(3, 4)),
    planted(
        "steps up the gradient in every path",
        "simulator",
        "stands[sharp.sgd.rate]",
        "oubli.checks.measure.sharper.trees.walked",
        lambda optima, start, sizes, weights, R: _walked(optima, start, [-s for s in sizes], weights, R),
        quick("sharp.sgd.rate"),
    ),
    planted(
        "binomial distances 10 % too small",
        "law",
        "stands[sharp.two_point.chain]",
        "oubli.checks.measure.sharper.chains.binomial_tv_gamma",
        lambda *at: 0.9 * binomial_tv_gamma(*at),
        quick("sharp.two_point.chain"),
    ),
    planted(
        "the kink beside theta*",
        "simulator",
        "test_both_problems_of_the_kink_start_at_the_same_point",
        "oubli.checks.measure.sharper.kink.kink",
        lambda star, left, right, d, m: _kink(star - 0.1, left, right, d, m),
        starts_agree,
    ),
]
