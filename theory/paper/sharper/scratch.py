"""Retraining, lower bound: the signs of the hard family are coin flips, and their mean has to be estimated.

Under the prior (1+m)/2 ~ Beta(sqrt(T)/2, sqrt(T)/2) the posterior mean of m is S/(T + sqrt(T)), S the sum of
the T signs, and its risk 1/(1 + sqrt(T))^2 does not depend on m. No estimator has a smaller mean risk.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, UNIT, letter, parameter
from oubli.theory.paper.letters import M_scratch, T, e, e0
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Identity, Lemma, One, Step

root = sp.sqrt(T)
k_plus = parameter("k_plus", NATURAL, "number of signs +1 among the T signs")
m_signs = parameter("m_signs", meaning="the mean of the signs, |m_signs| <= 1")
half = root / 2
# d/dm of ln[(1+m)^(k+a) (1-m)^(T-k+a)] times (1-m^2), a = sqrt(T)/2: vanishing mean of posterior minus m.
_posterior = state(
    eq(
        (k_plus + half) * (1 - m_signs) - (T - k_plus + half) * (1 + m_signs),
        (T + root) * ((2 * k_plus - T) / (T + root) - m_signs),
    ),
    given(ge(T, 1)),
)
m_square = letter("m_square", UNIT, "m^2, m the mean of the signs")
E_m_square = letter("E_m_square", UNIT, "mean of m^2 under the prior")
_weight = T / (T + root)
_conditional = T * (1 - m_square) / (T + root) ** 2 + m_square * (1 - _weight) ** 2
_constant = state(eq(_conditional, 1 / (1 + root) ** 2), given(ge(T, 1)))

# The worst risk is at least the risk of each problem, so at least their mean under any prior.
M_prior = letter("M_prior", meaning="worst expected excess risk over the problems considered")
M_one = letter("M_one", meaning="expected excess risk on one of the problems considered")
M_mean = letter(
    "M_mean", meaning="mean of the expected excess risk over the problems considered, under a prior"
)
_each = state(ge(M_prior - M_one, 0), fact("definition", ge(M_prior, M_one)))
_average = state(ge(M_prior - M_mean, 0))

r_bayes = letter("r_bayes", NONNEGATIVE, "E(S/(T + sqrt(T)) - m)^2 under the prior")
r_output = letter("r_output", NONNEGATIVE, "E(m' - m)^2 under the prior, m' = <output, e_1>/R")
r_between = letter("r_between", NONNEGATIVE, "E(m' - S/(T + sqrt(T)))^2")
_risk = state(
    ge(M_scratch, e0 / (1 + root) ** 2),
    given(ge(T, 1)),
    # The excess risk of an output on l^g with mean m is at least mu/2 R^2 (m' - m)^2 = e0 (m' - m)^2.
    # The worst risk is at least its mean under the prior.
    fact("definition", ge(M_scratch, e0 * r_output)),
    # S/(T + sqrt(T)) is the mean of m given the signs (sharp.scratch.posterior): the cross term vanishes.
    fact("moments", eq(r_output, r_bayes + r_between)),
    # Var S = T (1 - m^2) and E S = T m, averaged over the prior.
    fact("moments", eq(r_bayes, _conditional.subs(m_square, E_m_square))),
)
_time = state(le(e0, e * (1 + root) ** 2), given(le(M_scratch, e)), given(ge(T, 1)))

CLAIMS = (
    theorem(
        "sharp.worst_mean",
        "scratch.lower",
        "the worst risk is at least the mean risk under any prior over the problems",
        _average,
        proof=(
            Step("each", _each, Combination(((1, Given(0)),))),
            Step("mean", _average, Expectation("each", {M_one: M_mean})),
        ),
    ),
    theorem(
        "sharp.scratch.posterior",
        "scratch.lower",
        "the logarithmic derivative of the posterior density, times 1 - m^2, is (T + sqrt(T)) (S/(T + sqrt(T)) - m)",
        _posterior,
        proof=(Step("identity", _posterior, Identity()),),
        note="The density (1+m)^(k+a-1) (1-m)^(T-k+a-1) times 1 - m^2 vanishes at both ends, so the integral of its "
        "derivative is 0: S/(T + sqrt(T)), S = 2k - T, is the posterior mean of m.",
    ),
    theorem(
        "sharp.scratch.constant",
        "scratch.lower",
        "the posterior mean has the same risk 1/(1 + sqrt(T))^2 for every m",
        _constant,
        proof=(Step("identity", _constant, Identity()),),
    ),
    theorem(
        "sharp.scratch.risk",
        "scratch.lower",
        "after T >= 1 gradients from the start 0 the worst risk is at least e0/(1 + sqrt(T))^2, in every dimension",
        _risk,
        proof=by(
            _risk,
            (1, Given(1)),
            (e0, Given(2)),
            (e0, Given(3)),
            (e0 * r_between, One()),
        ),
        depends=("sharp.scratch.posterior", "phi_measurable", "setup.hard_family"),
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
