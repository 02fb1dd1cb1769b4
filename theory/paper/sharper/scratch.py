"""Retraining, lower bound: the signs of the hard family are coin flips, and their mean has to be estimated.

The score bounds how fast the mean of an output can follow the mean m of the signs, and what follows more slowly
is biased. With c = 1/(1 + sqrt(T)), a risk below c^2 e0 at every m would make (1 - m^2)^(sqrt(T)/2) h fall in m,
where h is the mean output, over R, less (1 - c) m; but h is at least 0 near 1 and at most 0 near -1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import UNIT, Domain, parameter
from oubli.theory.paper.binomial import INSIDE
from oubli.theory.paper.letters import A_any, A_scratch, L, M_any, M_scratch, R, T, e, e0, mu, r
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import by, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    excess,
    hard_problem,
    inner,
    mean,
    mean_slope,
    minus,
    numeric,
    opt,
    out,
    point,
    problem,
    retain,
    scaled,
    term,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Mean,
    Monotone,
    One,
    Schema,
    Square,
    SquaredNorm,
    Step,
)

root = sp.sqrt(T)
# The worst risk is at least the risk of each problem, so at least their mean under a prior.
p_prior = parameter("p_prior", UNIT, "weight of the one problem under a prior on two")
_one, _other = problem("D_one"), problem("D_other")
M_one, M_other = (
    term(name, mean(excess(retain(D), out(A_any, D, T))), "expected excess risk on one problem")
    for name, D in (("M_one", _one), ("M_other", _other))
)
_average = state(ge(M_any, p_prior * M_one + (1 - p_prior) * M_other), also=(L, mu, r))

# --- a rule from scratch on the hard problem of mean m: x_1 is what it releases along e_1, over R
m_open = parameter("m_open", INSIDE, "mean of the signs of the retain data")
q_end = parameter("q_end", Domain(Fraction(0), Fraction(1), False, True), "where the means end, from -q to q")
LEAST = 1 / (1 + root)  # sqrt of the bound over e0


def _hard(m: sp.Expr) -> Object:
    return hard_problem(m, 0)


def _released(m: sp.Expr) -> Object:
    return out(A_scratch, _hard(m), T)


def _along(m: sp.Expr) -> Object:
    return scaled(1 / R, inner(_released(m), e_1))


along_open, along_high, along_low = (
    term(name, mean(_along(m)), "E x_1")
    for name, m in (("along_open", m_open), ("along_high", q_end), ("along_low", -q_end))
)
along_slope = term("along_slope", mean_slope(_along(m_open)), "its derivative in the mean of the signs")
x_along = term("x_along", _along(m_open), "x_1")
_square = Object(["^", _along(m_open).node, 2])
x_along_square = term("x_along_square", _square, "x_1^2")
along_square = term("along_square", mean(_square), "E x_1^2")
# On m^2 < 1 the risk is at least E(x_1 - m)^2 e0; for the mean O of x_1 this is variance and bias.
_risk_at = state(ge(M_scratch, e0 * (along_square - 2 * m_open * along_open + m_open**2)))
_best, _f = (R * m_open) * e_1, retain(_hard(m_open))
along_zero = term("along_zero", mean(_along(sp.Integer(0))), "E x_1")
_inside = {1: ((L**2 / 4 * (1 - m_open) * (1 + m_open), One()),)}
_away = _released(m_open) - Object(["v*", inner(_released(m_open), e_1).node, e_1.node])
_varies = state(ge(along_square, along_open**2))
x_point = point("x_point")
_centred = minus(scaled(1 / R, inner(x_point, e_1)), Object(mean(_along(m_open)).node))
_score = state(ge(T * (along_square - along_open**2), (1 - m_open**2) * along_slope**2))

# h = O - (1 - c) m for c = 1/(1 + sqrt(T)), and the fall of (1 - m^2)^(sqrt(T)/2) h.
_off, _off_slope = along_open - root * LEAST * m_open, along_slope - root * LEAST
_fall = root / (2 * LEAST) * (M_scratch / e0 - LEAST**2) - (1 - m_open**2) * _off_slope + root * m_open * _off
_bound = state(ge(_fall, 0), given(ge(T, 1)))
_below = given(ge(LEAST**2 * e0, M_scratch))


def _factor(m: sp.Expr) -> sp.Expr:
    return sp.exp(root / 2 * (sp.log(1 - m) + sp.log(1 + m)))


_falling = -_factor(m_open) * _off
_falls = state(
    ge(_factor(m_open) / (1 - m_open**2) * (root * m_open * _off - (1 - m_open**2) * _off_slope), 0),
    given(ge(T, 1)),
    _below,
)
_high, _low = along_high - root * LEAST * q_end, along_low + root * LEAST * q_end
_fallen = state(ge(_factor(q_end) * (_low - _high), 0), given(ge(T, 1)), _below)
_at_q = state(ge(M_scratch, e0 * LEAST**2 * q_end**2), given(ge(T, 1)), _below)
_risk = state(ge(M_scratch, e0 * LEAST**2), given(ge(T, 1)))
_share = M_scratch / (e0 * LEAST**2)
_small, _large = (
    state(ge(M_scratch, e0 * LEAST**2), given(ge(T, 1)), given(h))
    for h in (gt(1 - _share, 0), ge(_share - 1, 0))
)
_risk_proof = (
    Step(
        "risk",
        _risk_at,
        Combination(
            (
                (1, Schema("worst", (A_scratch, numeric(r), numeric(T), _hard(m_open)))),
                (mu / 2, Mean(SquaredNorm(_away))),
                (-mu / 2, Schema("tilted", ((L * m_open / 2) * e_1, opt(_f) - _best), _inside)),
            )
        ),
    ),
    Step(
        "deviation",
        state(ge(x_along_square - 2 * along_open * x_along + along_open**2, 0)),
        Combination(((1, Square(x_along - along_open)),)),
    ),
    Step("variance", _varies, Combination(((1, Mean(Lemma("deviation"))),))),
    Step(
        "not negative",
        state(ge(M_scratch, 0), also=(L, mu, along_zero)),
        Combination(
            (
                (1, Lemma("risk", {m_open: sp.Integer(0)})),
                (e0, Lemma("variance", {m_open: sp.Integer(0)})),
                (e0, Square(along_zero)),
            )
        ),
    ),
    Step(
        "score",
        _score,
        Combination(
            ((1, Schema("score of a mean", (A_scratch, _hard(m_open), numeric(T), x_point, _centred))),)
        ),
    ),
    Step(
        "bound",
        _bound,
        Combination(
            (
                (root / (2 * LEAST * e0), Lemma("risk")),
                (root / (2 * LEAST * T), Lemma("score")),
                (root / (2 * LEAST), Square(_off)),
                (root / (2 * LEAST * T) * (1 - m_open) * (1 + m_open), Square(_off_slope)),
            )
        ),
    ),
    Step(
        "falls",
        _falls,
        Combination(
            (
                (_factor(m_open) / (1 - m_open**2), Lemma("bound")),
                (_factor(m_open) / (1 - m_open**2) * root / (2 * LEAST * e0), Given(1)),
            )
        ),
    ),
    Step("fallen", _fallen, Monotone("falls", m_open, _falling, -q_end, q_end)),
    Step(
        "at q",
        _at_q,
        Combination(
            (
                (sp.Rational(1, 2), Lemma("risk", {m_open: q_end})),
                (sp.Rational(1, 2), Lemma("risk", {m_open: -q_end})),
                (e0 / 2, Lemma("variance", {m_open: q_end})),
                (e0 / 2, Lemma("variance", {m_open: -q_end})),
                (e0 / 2, Square(_high)),
                (e0 / 2, Square(_low)),
                (e0 * LEAST * q_end / _factor(q_end), Lemma("fallen")),
            )
        ),
    ),
    Step(
        "small",
        _small,
        Combination(
            (
                (
                    4 / (1 - _share),
                    Lemma(
                        "at q",
                        {q_end: (1 + _share) / 2},
                        {
                            1: ((e0 * LEAST**2, Given(1)),),
                            q_end: (
                                (1 / (2 * e0 * LEAST**2), Lemma("not negative")),
                                (sp.Rational(1, 2), One()),
                            ),
                        },
                    ),
                ),
            )
        ),
    ),
    Step("large", _large, Combination(((e0 * LEAST**2, Given(1)),))),
    Step("all", _risk, Cases(1 - _share, "small", "large")),
)
_time = state(le(e0, e * (1 + root) ** 2), given(le(M_scratch, e)), given(ge(T, 1)))

CLAIMS = (
    theorem(
        "sharp.worst_mean",
        "scratch.lower",
        "the worst risk is at least the mean risk under any prior on two problems",
        _average,
        proof=by(
            _average,
            (p_prior, Schema("worst", (A_any, numeric(r), numeric(T), _one))),
            (1 - p_prior, Schema("worst", (A_any, numeric(r), numeric(T), _other))),
        ),
    ),
    theorem(
        "sharp.scratch.risk",
        "scratch.lower",
        "after T >= 1 gradients from the start 0 the worst risk is at least e0/(1 + sqrt(T))^2, in every dimension",
        _risk,
        proof=_risk_proof,
        note="The score bounds how fast E x_1 can follow m; what remains is the bias of a rule that follows more slowly.",
    ),
    theorem(
        "sharp.scratch.lower",
        "scratch.lower",
        "T^S >= (sqrt(e0/e) - 1)^2: e0 <= e (1 + sqrt(T))^2 for every T >= 1 that reaches e",
        _time,
        proof=by(
            _time,
            ((1 + root) ** 2, Given(0)),
            ((1 + root) ** 2, Lemma("sharp.scratch.risk")),
        ),
        depends=("scratch.positive",),
        note="T = 0 does not reach e < e0 (scratch.positive). The printed way gives 0.06 e0/e.",
    ),
)
