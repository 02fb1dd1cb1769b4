"""The binomial lemma (l.1373): total variation between two binomial laws, by an integrated slope."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, Domain, letter, parameter
from oubli.theory.paper.letters import T
from oubli.theory.records.build import by, case, eq, fact, ge, given, le, repair, state, statement, step
from oubli.theory.records.proof import Combination, Given, Identity, Integrate, Lemma, Step

HALF = Fraction(1, 2)
SYMMETRIC = Domain(Fraction(-1), Fraction(1))
INSIDE = Domain(Fraction(-1), Fraction(1), True, True)

gamma_low = parameter("gamma_low", INSIDE, "the smaller parameter gamma")
gamma_high = parameter("gamma_high", INSIDE, "the larger parameter gamma'")
gamma_min = parameter("gamma_min", SYMMETRIC, "the smaller parameter gamma, end points included")
gamma_max = parameter("gamma_max", SYMMETRIC, "the larger parameter gamma', end points included")
u = parameter("u", INSIDE, "a parameter between them")
tau = letter("tau", meaning="total variation: the supremum over events of the rise of the probability")
p_slope = letter("p_slope", meaning="derivative in u of the probability of an event under Bin(T, (1+u)/2)")
y_event = letter("y_event", meaning="E[(X - T x) 1_A], x = (1+u)/2, X ~ Bin(T, x)")
y_abs = letter("y_abs", NONNEGATIVE, "E|X - T x|")
s_binomial = letter("s_binomial", NONNEGATIVE, "sqrt(Var X)")
j = parameter("j", Domain(Fraction(0), integer=True), "an outcome")
x_success = parameter(
    "x_success", Domain(Fraction(0), Fraction(1), True, True), "success probability x = (1+u)/2"
)
root = sp.sqrt(1 - u**2)

# d/dx of x^j (1-x)^(T-j), divided by it, is (j - T x)/(x(1-x)): the score.
_score = state(
    eq(j / x_success - (T - j) / (1 - x_success), (j - T * x_success) / (x_success * (1 - x_success)))
)
_half = state(
    le(y_event, s_binomial / 2),
    # A mean-zero variable: E[Y 1_A] <= E Y_+ = E|Y|/2 for every event A.
    fact("moments", le(y_event, y_abs / 2)),
    fact("Jensen", le(y_abs, s_binomial)),
)
_slope_facts = (
    # Chain rule dx/du = 1/2 and the score: p_slope = E[(X - T x) 1_A]/(x(1-x)) / 2, x(1-x) = (1-u^2)/4.
    fact("definition", eq(p_slope, 2 * y_event / (1 - u**2))),
    fact("moments", eq(s_binomial, sp.sqrt(T) * root / 2)),
    *_half.given,
)
_bound_atan = sp.sqrt(T) / 2 * sp.atan(u / root)
_bound_asin = sp.sqrt(T) / 2 * sp.asin(u)
_pointwise_atan = state(ge(sp.diff(_bound_atan, u) - p_slope, 0), *_slope_facts)
_pointwise_asin = state(ge(sp.sqrt(T) / (2 * root) - p_slope, 0), *_slope_facts)
_printed = state(
    le(
        tau,
        sp.sqrt(T) / 2 * sp.atan(gamma_high / sp.sqrt(1 - gamma_high**2))
        - sp.sqrt(T) / 2 * sp.atan(gamma_low / sp.sqrt(1 - gamma_low**2)),
    ),
    given(le(gamma_low, gamma_high)),
)
_closed = state(
    le(tau, sp.sqrt(T) / 2 * sp.asin(gamma_max) - sp.sqrt(T) / 2 * sp.asin(gamma_min)),
    given(le(gamma_min, gamma_max)),
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
gamma_shift = letter("gamma_shift", NONNEGATIVE, "the increment of gamma in the printed proof")
X_count = parameter("X_count", Domain(Fraction(0), integer=True), "an outcome of the binomial law")
gamma_printed = parameter("gamma_printed", INSIDE, "gamma in the printed expansion")
_linear = state(
    eq(
        X_count / (1 + gamma_printed) - (T - X_count) / (1 - gamma_printed),
        (X_count - (T - X_count) * (1 + gamma_printed) / (1 - gamma_printed)) / (1 + gamma_printed),
    )
)
_centred = state(
    eq(
        X_count - (T - X_count) * (1 + gamma_printed) / (1 - gamma_printed),
        2 * (X_count - T * (1 + gamma_printed) / 2) / (1 - gamma_printed),
    )
)
_variance = state(
    eq(
        sp.sqrt(T) * sp.sqrt(1 - gamma_printed**2) / 2 / ((1 + gamma_printed) * (1 - gamma_printed)),
        sp.sqrt(T) / (2 * sp.sqrt(1 - gamma_printed**2)),
    )
)

_sharp_one = state(
    le(tau, (gamma_max - gamma_min) / 2),
    fact("definition", eq(tau, (gamma_max - gamma_min) / 2)),
    given(le(gamma_min, gamma_max)),
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
            Step(
                "integrated",
                _printed,
                Integrate("slope", u, _bound_atan, p_slope, tau, gamma_low, gamma_high),
            ),
        ),
        instances=(
            case(
                "T = 1, gamma = 0, gamma' = 3/5: TV = 3/10, bound 0.3217…",
                {T: 1, gamma_low: 0, gamma_high: Fraction(3, 5), tau: Fraction(3, 10)},
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
            Step(
                "integrated", _closed, Integrate("slope", u, _bound_asin, p_slope, tau, gamma_min, gamma_max)
            ),
        ),
        instances=(
            case(
                "T = 1, gamma = 0, gamma' = 1: TV = 1/2, bound pi/4",
                {T: 1, gamma_min: 0, gamma_max: 1, tau: HALF},
            ),
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
_ = (by, Lemma, _sharp_one, gamma_shift)
