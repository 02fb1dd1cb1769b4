"""The sum of 1/(1 + k t) that the rate of sharp.sgd leaves: at most an integral, because 1/p is convex.

On each unit interval the integral of 1/(1 + k s) around s = t + 1 is at least the value in the middle:
ln(b + w) - ln b - w/(b + w/2) vanishes at w = 0 and rises with w.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.paper.algorithms import t
from theory.paper.build import ge, given, le, repair, state
from theory.paper.sharp_sgd import H, k
from theory.proof import Combination, Given, Induction, Lemma, Monotone, One, Step
from theory.symbols import NONNEGATIVE, Domain, T, letter, parameter

b = parameter("b_k", Domain(Fraction(1)), "where the interval starts: 1 + k (t + 1/2)")
w = parameter("w_k", NONNEGATIVE, "its length")
_excess = sp.log(b + w) - sp.log(b) - w / (b + w / 2)
_rises = state(ge(sp.diff(_excess, w), 0))
_middle = state(ge(_excess.subs(w, k) - _excess.subs(w, 0), 0))

H_s = letter("H_s", NONNEGATIVE, "sum of 1/(1 + k s) over s = 0 … t")


def _room(last: sp.Expr, total: sp.Expr) -> sp.Expr:
    """How far k times the sum up to `last` stays below its bound."""
    return k + sp.log(1 + k * (last + sp.Rational(1, 2))) - sp.log(1 + k / 2) - k * total


_next = {H_s: H_s + 1 / (1 + k * (t + 1))}
_base = state(ge(_room(sp.Integer(0), sp.Integer(1)), 0))
_one = state(ge(_room(t + 1, _next[H_s]), 0), given(ge(_room(t, H_s), 0)))
_held = state(ge(_room(T, H_s), 0))
_harmonic = state(le(k * H, k + sp.log(1 + k * (T + sp.Rational(1, 2))) - sp.log(1 + k / 2)))

CLAIMS = (
    repair(
        "sharp.sgd.middle",
        1277,
        "w/(b + w/2) <= ln(b + w) - ln b: the value of 1/p in the middle of an interval, times its length",
        _middle,
        proof=(
            Step(
                "slope",
                _rises,
                Combination(((w**2 / (4 * (b + w) * (b + w / 2) ** 2), One()),)),
            ),
            Step("middle", _middle, Monotone("slope", w, _excess, sp.Integer(0), k)),
        ),
    ),
    repair(
        "sharp.sgd.harmonic",
        1277,
        "k H <= k + ln((1 + k (T + 1/2))/(1 + k/2)), H the sum of 1/(1 + k t) over t = 0 … T",
        _harmonic,
        proof=(
            Step("at 0", _base, Combination(())),
            Step(
                "from t to t+1",
                _one,
                Combination(
                    ((1, Given(0)), (1, Lemma("sharp.sgd.middle", {b: 1 + k * (t + sp.Rational(1, 2))})))
                ),
            ),
            Step("at T", _held, Induction(t, _room(t, H_s), "at 0", "from t to t+1", {H_s: 1}, _next, T)),
            Step("sum", _harmonic, Combination(((1, Lemma("at T", {H_s: H})),))),
        ),
        note="What the calculator puts in for H; it divides by k > 0.",
    ),
)
