"""A hop between two starts that T coin vectors cannot undo.

The retain data of N_y (sharp.rare) toss d independent coins: s in {±1/sqrt(d)}^d of mean y/(1 - r). Two starts y, y' at
most 2 r apart are those of one law of the coins, of mean (y + y')/(2 (1 - r)), with two forget laws: Definition 2 applies.
What is left are two changes of the means of the coins at a fixed start, each by at most rho in norm.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import UNIT, letter
from oubli.theory.paper.letters import T, delta, epsilon, r, rho
from oubli.theory.paper.sharper.likelihood import delta_coins, eps_coins, p_tail, rare_enough, wide
from oubli.theory.records.build import by, eq, fact, given, le, state, theorem
from oubli.theory.records.proof import Given, Identity, Lemma, Step
from oubli.theory.records.vectors import square, vector

# --- two starts of one law of the coins
y_here, y_there = vector("y_here"), vector("y_there")
_HALF = sp.Rational(1, 2)
_middle = (_HALF / (1 - r)) * (y_here + y_there)
c_here = letter("c_here", meaning="a coordinate of y")
c_there = letter("c_there", meaning="the same coordinate of y'")
_start = state(
    eq((1 - r) * ((c_here + c_there) / (2 * (1 - r))) + r * ((c_here - c_there) / (2 * r)), c_here)
)
_apart = given(le(square(y_here - y_there), 4 * r**2))
_forget = state(le(square((_HALF / r) * (y_here - y_there)), 1), _apart)
_change = state(le(square((1 / (1 - r)) * y_here - _middle), rho**2), _apart)

# --- three changes: the coins, the forget data, the coins
H_far = letter("H_far", UNIT, "mean, at y', of a test of the output with values in [0, 1]")
H_far_middle = letter("H_far_middle", UNIT, "the same with coins of the mean in the middle")
H_near_middle = letter("H_near_middle", UNIT, "mean of the test at y with coins of the mean in the middle")
H_near = letter("H_near", UNIT, "mean of the test at y")
p_tail_back = letter("p_tail_back", UNIT, "as p_tail, for the change of the coins at y")
growth_coins = sp.exp(epsilon) * sp.exp(eps_coins) ** 2
loss_coins = sp.exp(eps_coins) * delta + delta_coins * (1 + sp.exp(epsilon) * sp.exp(eps_coins))
_hop = state(
    le(H_far, growth_coins * H_near + loss_coins),
    wide,
    rare_enough,
    # At a fixed start the output is a function of the coins and a seed (phi_measurable): where the likelihood ratio is at
    # most e^eps1 so is that of the outputs, and the rest has probability p_tail.
    fact("data processing", le(H_far, sp.exp(eps_coins) * H_far_middle + p_tail)),
    fact("privacy", le(H_far_middle, sp.exp(epsilon) * H_near_middle + delta)),
    fact("data processing", le(H_near_middle, sp.exp(eps_coins) * H_near + p_tail_back)),
    also=(T,),
)

CLAIMS = (
    theorem(
        "sharp.hop.start",
        "inefficient",
        "coins of mean (y + y')/(2 (1 - r)) and forget data of mean (y - y')/(2 r) have the optimum R y",
        _start,
        proof=(Step("identity", _start, Identity()),),
    ),
    theorem(
        "sharp.hop.forget",
        "inefficient",
        "that forget mean is at most 1 long for |y - y'| <= 2 r",
        _forget,
        proof=by(_forget, (1 / (4 * r**2), Given(0))),
    ),
    theorem(
        "sharp.hop.change",
        "inefficient",
        "and the mean of the coins then differs by at most rho from y/(1 - r)",
        _change,
        proof=by(_change, (1 / (4 * (1 - r) ** 2), Given(0))),
    ),
    theorem(
        "sharp.hop",
        "inefficient",
        "a test of the output in [0, 1] grows from y to y' by at most the factor e^(eps + 2 eps1) and then by e^eps1 delta + "
        "delta1 (1 + e^(eps + eps1)), |y|, |y'| <= A, |y - y'| <= 2 r; eps1, delta1 as in sharp.coins.tail",
        _hop,
        proof=by(
            _hop,
            (1, Given(2)),
            (sp.exp(eps_coins), Given(3)),
            (sp.exp(epsilon) * sp.exp(eps_coins), Given(4)),
            (1, Lemma("sharp.coins.tail")),
            (sp.exp(epsilon) * sp.exp(eps_coins), Lemma("sharp.coins.tail", {p_tail: p_tail_back})),
        ),
        depends=(
            "sharp.hop.start",
            "sharp.hop.forget",
            "sharp.hop.change",
            "phi_measurable",
            "sharp.cube.member",
        ),
    ),
)
