"""The sum of 1/(1 + k t) that the rate of sharp.sgd leaves: at most an integral, because 1/p is convex.

On each unit interval the integral of 1/(1 + k s) around s = t + 1 is at least the value in the middle:
ln(b + w) - ln b - w/(b + w/2) vanishes at w = 0 and rises with w.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, Domain, parameter
from oubli.theory.paper.descent import k_, t
from oubli.theory.paper.letters import T
from oubli.theory.paper.sharper.sgd import H_T, k_sgd
from oubli.theory.records.build import ge, given, le, state, theorem
from oubli.theory.records.objects import numeric, term, total
from oubli.theory.records.proof import Combination, Given, Induction, Lemma, Monotone, One, Schema, Step

b_interval = parameter("b_interval", Domain(Fraction(1)), "where the interval starts: 1 + k (t + 1/2)")
w_interval = parameter("w_interval", NONNEGATIVE, "its length")
_excess = sp.log(b_interval + w_interval) - sp.log(b_interval) - w_interval / (b_interval + w_interval / 2)
_rises = state(ge(sp.diff(_excess, w_interval), 0))
_middle = state(ge(_excess.subs(w_interval, k_sgd) - _excess.subs(w_interval, 0), 0))

p_k = 1 + k_sgd * k_
H_zero, H_here, H_there = (
    term(f"H_{place}", total(1 / p_k, k), "sum of 1/(1 + k s) over s <= t")
    for place, k in (("zero", 0), ("here", t), ("there", t + 1))
)
_of = numeric(1 / p_k)


def _room(last: sp.Expr, total: sp.Expr) -> sp.Expr:
    """How far k times the sum up to `last` stays below its bound."""
    return k_sgd + sp.log(1 + k_sgd * (last + sp.Rational(1, 2))) - sp.log(1 + k_sgd / 2) - k_sgd * total


_base = state(ge(_room(sp.Integer(0), H_zero), 0))
_one = state(ge(_room(t + 1, H_there), 0), given(ge(_room(t, H_here), 0)))
_harmonic = state(
    le(k_sgd * H_T, k_sgd + sp.log(1 + k_sgd * (T + sp.Rational(1, 2))) - sp.log(1 + k_sgd / 2))
)

CLAIMS = (
    theorem(
        "sharp.sgd.middle",
        "sgd.rate",
        "w/(b + w/2) <= ln(b + w) - ln b: the value of 1/p in the middle of an interval, times its length",
        _middle,
        proof=(
            Step(
                "slope",
                _rises,
                Combination(
                    (
                        (
                            w_interval**2
                            / (4 * (b_interval + w_interval) * (b_interval + w_interval / 2) ** 2),
                            One(),
                        ),
                    )
                ),
            ),
            Step("middle", _middle, Monotone("slope", w_interval, _excess, sp.Integer(0), k_sgd)),
        ),
    ),
    theorem(
        "sharp.sgd.harmonic",
        "sgd.rate",
        "k H <= k + ln((1 + k (T + 1/2))/(1 + k/2)), H the sum of 1/(1 + k t) over t = 0 … T",
        _harmonic,
        proof=(
            Step(
                "at 0",
                _base,
                Combination(
                    (
                        (-k_sgd, Schema("empty sum", (_of,))),
                        (-k_sgd, Schema("sum step", (_of, numeric(-1)))),
                    )
                ),
            ),
            Step(
                "from t to t+1",
                _one,
                Combination(
                    (
                        (1, Given(0)),
                        (-k_sgd, Schema("sum step", (_of, numeric(t)))),
                        (1, Lemma("sharp.sgd.middle", {b_interval: 1 + k_sgd * (t + sp.Rational(1, 2))})),
                    )
                ),
            ),
            Step("all", _harmonic, Induction(t, _room(t, H_here), "at 0", "from t to t+1", {}, {}, T)),
        ),
        note="What the calculator puts in for H; it divides by k > 0.",
    ),
)
