"""Retraining, lower bound: the signs of the hard family are coin flips, and their mean has to be estimated.

Under the prior (1+m)/2 ~ Beta(sqrt(T)/2, sqrt(T)/2) the posterior mean of m is S/(T + sqrt(T)), S the sum of
the T signs, and its risk 1/(1 + sqrt(T))^2 does not depend on m. No estimator has a smaller mean risk.
"""

from __future__ import annotations

import sympy as sp

from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.lecam import worst
from theory.proof import Combination, Expectation, Given, Identity, Lemma, One, Step
from theory.symbols import NATURAL, NONNEGATIVE, UNIT, T, e, e0, letter, parameter

root = sp.sqrt(T)
plus = parameter("k_p", NATURAL, "number of signs +1 among the T signs")
m = parameter("m_b", meaning="the mean of the signs, |m_b| <= 1")
half = root / 2
# d/dm of ln[(1+m)^(k+a) (1-m)^(T-k+a)] times (1-m^2), a = sqrt(T)/2: vanishing mean of posterior minus m.
_posterior = state(
    eq(
        (plus + half) * (1 - m) - (T - plus + half) * (1 + m),
        (T + root) * ((2 * plus - T) / (T + root) - m),
    ),
    given(ge(T, 1)),
)
m2 = letter("m_sq", UNIT, "m^2, m the mean of the signs")
mean_m2 = letter("E_m2", UNIT, "mean of m^2 under the prior")
_weight = T / (T + root)
_conditional = T * (1 - m2) / (T + root) ** 2 + m2 * (1 - _weight) ** 2
_constant = state(eq(_conditional, 1 / (1 + root) ** 2), given(ge(T, 1)))

# The worst risk is at least the risk of each problem, so at least their mean under any prior.
risk = letter("M_one", meaning="expected excess risk on one of the problems considered")
mean_risk = letter(
    "M_mean", meaning="mean of the expected excess risk over the problems considered, under a prior"
)
_each = state(ge(worst - risk, 0), fact("definition", ge(worst, risk)))
_average = state(ge(worst - mean_risk, 0))

bayes = letter("r_p", NONNEGATIVE, "E(S/(T + sqrt(T)) - m)^2 under the prior")
any_rule = letter("r_o", NONNEGATIVE, "E(m' - m)^2 under the prior, m' = <output, e_1>/R")
between = letter("r_b", NONNEGATIVE, "E(m' - S/(T + sqrt(T)))^2")
_risk = state(
    ge(worst, e0 / (1 + root) ** 2),
    given(ge(T, 1)),
    # The excess risk of an output on l^g with mean m is at least mu/2 R^2 (m' - m)^2 = e0 (m' - m)^2.
    fact("definition", ge(mean_risk, e0 * any_rule)),
    # S/(T + sqrt(T)) is the mean of m given the signs (sharp.scratch.posterior): the cross term vanishes.
    fact("moments", eq(any_rule, bayes + between)),
    # Var S = T (1 - m^2) and E S = T m, averaged over the prior.
    fact("moments", eq(bayes, _conditional.subs(m2, mean_m2))),
)
_time = state(le(e0, e * (1 + root) ** 2), given(le(worst, e)), given(ge(T, 1)))

CLAIMS = (
    repair(
        "sharp.worst_mean",
        1286,
        "the worst risk is at least the mean risk under any prior over the problems",
        _average,
        proof=(
            Step("each", _each, Combination(((1, Given(0)),))),
            Step("mean", _average, Expectation("each", {risk: mean_risk})),
        ),
    ),
    repair(
        "sharp.scratch.posterior",
        1286,
        "the logarithmic derivative of the posterior density, times 1 - m^2, is (T + sqrt(T)) (S/(T + sqrt(T)) - m)",
        _posterior,
        proof=(Step("identity", _posterior, Identity()),),
        note="The density (1+m)^(k+a-1) (1-m)^(T-k+a-1) times 1 - m^2 vanishes at both ends, so the integral of its "
        "derivative is 0: S/(T + sqrt(T)), S = 2k - T, is the posterior mean of m.",
    ),
    repair(
        "sharp.scratch.constant",
        1286,
        "the posterior mean has the same risk 1/(1 + sqrt(T))^2 for every m",
        _constant,
        proof=(Step("identity", _constant, Identity()),),
    ),
    repair(
        "sharp.scratch.risk",
        1286,
        "after T >= 1 gradients from the start 0 the worst risk is at least e0/(1 + sqrt(T))^2, in every dimension",
        _risk,
        proof=by(
            _risk,
            (1, Lemma("sharp.worst_mean")),
            (1, Given(1)),
            (e0, Given(2)),
            (e0, Given(3)),
            (e0 * between, One()),
        ),
        leans=("sharp.scratch.posterior", "phi_measurable", "setup.hard_family"),
    ),
    repair(
        "sharp.scratch.lower",
        1286,
        "T^S >= (sqrt(e0/e) - 1)^2: e0 <= e (1 + sqrt(T))^2 for every T >= 1 that reaches e",
        _time,
        proof=by(
            _time,
            ((1 + root) ** 2, Given(0)),
            ((1 + root) ** 2, Lemma("sharp.scratch.risk")),
        ),
        leans=("scratch.positive",),
        note="T = 0 does not reach e < e0 (scratch.positive). The printed way gives 0.06 e0/e.",
    ),
)
