"""The binomial lemma (l.1373): total variation between two binomial laws, by an integrated slope."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.paper.build import by, case, eq, fact, ge, given, le, repair, state, statement, step
from theory.proof import Combination, Given, Identity, Integrate, Lemma, Step
from theory.symbols import NONNEGATIVE, Domain, T, letter, parameter

HALF = Fraction(1, 2)
SYMMETRIC = Domain(Fraction(-1), Fraction(1))
INSIDE = Domain(Fraction(-1), Fraction(1), True, True)

g_lo = parameter("gamma_1", INSIDE, "the smaller parameter gamma")
g_hi = parameter("gamma_2", INSIDE, "the larger parameter gamma'")
c_lo = parameter("gamma_3", SYMMETRIC, "the smaller parameter gamma, end points included")
c_hi = parameter("gamma_4", SYMMETRIC, "the larger parameter gamma', end points included")
u = parameter("u", INSIDE, "a parameter between them")
tau = letter("tau", meaning="total variation: the supremum over events of the rise of the probability")
slope = letter("p_u", meaning="derivative in u of the probability of an event under Bin(T, (1+u)/2)")
part = letter("y_A", meaning="E[(X - T x) 1_A], x = (1+u)/2, X ~ Bin(T, x)")
absolute = letter("y_abs", NONNEGATIVE, "E|X - T x|")
spread = letter("s_X", NONNEGATIVE, "sqrt(Var X)")
j = parameter("j", Domain(Fraction(0), integer=True), "an outcome")
xx = parameter("x_p", Domain(Fraction(0), Fraction(1), True, True), "success probability x = (1+u)/2")
root = sp.sqrt(1 - u**2)

# d/dx of x^j (1-x)^(T-j), divided by it, is (j - T x)/(x(1-x)): the score.
_score = state(eq(j / xx - (T - j) / (1 - xx), (j - T * xx) / (xx * (1 - xx))))
_half = state(
    le(part, spread / 2),
    # A mean-zero variable: E[Y 1_A] <= E Y_+ = E|Y|/2 for every event A.
    fact("moments", le(part, absolute / 2)),
    fact("Jensen", le(absolute, spread)),
)
_slope_facts = (
    # Chain rule dx/du = 1/2 and the score: p_u = E[(X - T x) 1_A]/(x(1-x)) / 2, x(1-x) = (1-u^2)/4.
    fact("definition", eq(slope, 2 * part / (1 - u**2))),
    fact("moments", eq(spread, sp.sqrt(T) * root / 2)),
    *_half.given,
)
_bound_atan = sp.sqrt(T) / 2 * sp.atan(u / root)
_bound_asin = sp.sqrt(T) / 2 * sp.asin(u)
_pointwise_atan = state(ge(sp.diff(_bound_atan, u) - slope, 0), *_slope_facts)
_pointwise_asin = state(ge(sp.sqrt(T) / (2 * root) - slope, 0), *_slope_facts)
_printed = state(
    le(
        tau,
        sp.sqrt(T) / 2 * sp.atan(g_hi / sp.sqrt(1 - g_hi**2))
        - sp.sqrt(T) / 2 * sp.atan(g_lo / sp.sqrt(1 - g_lo**2)),
    ),
    given(le(g_lo, g_hi)),
)
_closed = state(
    le(tau, sp.sqrt(T) / 2 * sp.asin(c_hi) - sp.sqrt(T) / 2 * sp.asin(c_lo)),
    given(le(c_lo, c_hi)),
)
_slope_terms = Combination(
    (
        (2 / (1 - u**2), Given(2)),
        (1 / (1 - u**2), Given(3)),
        (-1, Given(0)),
        (-1 / (1 - u**2), Given(1)),
    )
)

# The displayed lines of the printed proof, l.1385 to l.1395.
shift = letter("eps_s", NONNEGATIVE, "the increment of gamma in the printed proof")
X = parameter("X_n", Domain(Fraction(0), integer=True), "an outcome of the binomial law")
gm = parameter("gamma_0", INSIDE, "gamma in the printed expansion")
_linear = state(
    eq(
        X / (1 + gm) - (T - X) / (1 - gm),
        (X - (T - X) * (1 + gm) / (1 - gm)) / (1 + gm),
    )
)
_centred = state(eq(X - (T - X) * (1 + gm) / (1 - gm), 2 * (X - T * (1 + gm) / 2) / (1 - gm)))
_variance = state(
    eq(sp.sqrt(T) * sp.sqrt(1 - gm**2) / 2 / ((1 + gm) * (1 - gm)), sp.sqrt(T) / (2 * sp.sqrt(1 - gm**2)))
)

_sharp_one = state(
    le(tau, (c_hi - c_lo) / 2), fact("definition", eq(tau, (c_hi - c_lo) / 2)), given(le(c_lo, c_hi))
)

CLAIMS = (
    statement(
        "binomial_tv",
        1373,
        "TV(Bin(T, (1+gamma)/2), Bin(T, (1+gamma')/2)) <= sqrt(T)/2 |arctan(…gamma') - arctan(…gamma)|",
        _printed,
        "lemma:binvsbin",
        proof=(
            Step("half", _half, Combination(((1, Given(0)), (HALF, Given(1))))),
            Step("slope", _pointwise_atan, _slope_terms),
            Step("integrated", _printed, Integrate("slope", u, _bound_atan, slope, tau, g_lo, g_hi)),
        ),
        instances=(
            case(
                "T = 1, gamma = 0, gamma' = 3/5: TV = 3/10, bound 0.3217…",
                {T: 1, g_lo: 0, g_hi: Fraction(3, 5), tau: Fraction(3, 10)},
            ),
        ),
        note="TV is symmetric, so gamma <= gamma' loses nothing. At gamma = ±1 the printed quotient is 1/0: "
        "read arctan(±oo) = ±pi/2, which binomial_tv.arcsin covers.",
    ),
    repair(
        "binomial_tv.arcsin",
        1373,
        "the same with arcsin, gamma = ±1 included",
        _closed,
        proof=(
            Step("slope", _pointwise_asin, _slope_terms),
            Step("integrated", _closed, Integrate("slope", u, _bound_asin, slope, tau, c_lo, c_hi)),
        ),
        instances=(
            case("T = 1, gamma = 0, gamma' = 1: TV = 1/2, bound pi/4", {T: 1, c_lo: 0, c_hi: 1, tau: HALF}),
        ),
    ),
    step(
        "binomial_tv.score",
        1386,
        "the logarithmic derivative of the binomial density is (j - T x)/(x (1-x))",
        _score,
        "binomial_tv",
        proof=(Step("identity", _score, Identity()),),
    ),
    step(
        "binomial_tv.linear",
        1388,
        "X/(1+gamma) - (T-X)/(1-gamma) = (X - (T-X)(1+gamma)/(1-gamma))/(1+gamma)",
        _linear,
        "binomial_tv",
        proof=(Step("identity", _linear, Identity()),),
    ),
    step(
        "binomial_tv.centred",
        1389,
        "X - (T-X)(1+gamma)/(1-gamma) = 2 (X - E X)/(1-gamma)",
        _centred,
        "binomial_tv",
        proof=(Step("identity", _centred, Identity()),),
    ),
    step(
        "binomial_tv.variance",
        1390,
        "sqrt(Var X)/((1+gamma)(1-gamma)) = (1/2) sqrt(T/(1-gamma^2))",
        _variance,
        "binomial_tv",
        proof=(Step("identity", _variance, Identity()),),
    ),
)
_ = (by, Lemma, _sharp_one, shift)
