"""The binomial lemma (l.1373): total variation between two binomial laws, by an integrated slope."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import Domain, parameter
from oubli.theory.paper.letters import S_any, T
from oubli.theory.records.build import eq, ge, given, gt, le, repair, state, statement, step
from oubli.theory.records.objects import chance, chance_slope, coins, numeric, term, variation
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Identity,
    Lemma,
    Monotone,
    One,
    Over,
    Schema,
    Square,
    Step,
)

HALF = Fraction(1, 2)
SYMMETRIC = Domain(Fraction(-1), Fraction(1))
INSIDE = Domain(Fraction(-1), Fraction(1), True, True)

gamma_low = parameter("gamma_low", INSIDE, "the smaller parameter gamma")
gamma_high = parameter("gamma_high", INSIDE, "the larger parameter gamma'")
gamma_min = parameter("gamma_min", SYMMETRIC, "the smaller parameter gamma, end points included")
gamma_max = parameter("gamma_max", SYMMETRIC, "the larger parameter gamma', end points included")
u = parameter("u", INSIDE, "a parameter between them")
tau = term("tau", variation(coins(T, gamma_max), coins(T, gamma_min)), "TV of two binomial laws")
tau_open = term("tau_open", variation(coins(T, gamma_high), coins(T, gamma_low)), "TV of two binomial laws")


def _event(name: str, u: sp.Expr) -> sp.Symbol:
    return term(name, chance(coins(T, u), S_any), "the probability of an event under Bin(T, (1+u)/2)")


p_u, p_max, p_min = _event("p_u", u), _event("p_max", gamma_max), _event("p_min", gamma_min)
p_high, p_low = _event("p_high", gamma_high), _event("p_low", gamma_low)
p_slope = term("p_slope", chance_slope(coins(T, u), S_any), "derivative in u of the probability of an event")
j = parameter("j", Domain(Fraction(0), integer=True), "an outcome")
x_success = parameter(
    "x_success", Domain(Fraction(0), Fraction(1), True, True), "success probability x = (1+u)/2"
)
root = sp.sqrt(1 - u**2)

# d/dx of x^j (1-x)^(T-j), divided by it, is (j - T x)/(x(1-x)): the score.
_score = state(
    eq(j / x_success - (T - j) / (1 - x_success), (j - T * x_success) / (x_success * (1 - x_success)))
)
# (1 - u^2) p_slope^2 <= T p (1 - p) <= T/4.
_most = sp.sqrt(T) / (2 * root)
_pointwise = state(ge(_most - p_slope, 0))
_rising = state(ge(_most - p_slope, 0), given(gt(p_slope, 0)), also=(p_u,))
_falling = state(ge(_most - p_slope, 0), given(ge(-p_slope, 0)))
_share = 1 / ((1 - u**2) * (_most + p_slope))
_slope_steps = (
    Step(
        "rising",
        _rising,
        Combination(
            (
                (_share, Schema("score", (numeric(T), numeric(u), S_any))),
                (T * _share, Square(p_u - sp.Rational(1, 2))),
            )
        ),
    ),
    Step("falling", _falling, Combination(((1, Given(0)), (_most, One())))),
    Step("slope", _pointwise, Cases(p_slope, "rising", "falling")),
)
_bound_atan = sp.sqrt(T) / 2 * sp.atan(u / root)
_bound_asin = sp.sqrt(T) / 2 * sp.asin(u)


def _integrated(
    whole: sp.Symbol, bound: sp.Expr, low: sp.Expr, high: sp.Expr, rise: sp.Expr
) -> tuple[Statement, tuple[Step, ...]]:
    """TV <= bound(high) - bound(low), if that has the slope at least of every probability."""
    limit, ordered = bound.subs(u, high) - bound.subs(u, low), given(le(low, high))
    says = state(le(whole, limit), ordered)
    return says, (
        *_slope_steps,
        Step(
            "slope of the bound",
            state(ge(sp.diff(bound, u) - p_slope, 0)),
            Combination(((1, Lemma("slope")),)),
        ),
        Step(
            "at an event",
            state(ge(limit - rise, 0), ordered),
            Monotone("slope of the bound", u, bound - p_u, low, high),
        ),
        Step("at all", says, Over("at an event", variation(coins(T, high), coins(T, low)), (S_any,))),
    )


_printed, _printed_proof = _integrated(tau_open, _bound_atan, gamma_low, gamma_high, p_high - p_low)
_closed, _closed_proof = _integrated(tau, _bound_asin, gamma_min, gamma_max, p_max - p_min)

# The displayed lines of the printed proof, l.1385 to l.1395.
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

CLAIMS = (
    statement(
        "binomial_tv",
        1373,
        "TV(Bin(T, (1+gamma)/2), Bin(T, (1+gamma')/2)) <= sqrt(T)/2 |arctan(…gamma') - arctan(…gamma)|",
        _printed,
        "lemma:binvsbin",
        proof=_printed_proof,
        note="TV is symmetric, so gamma <= gamma' loses nothing. At gamma = ±1 the printed quotient is 1/0: "
        "read arctan(±oo) = ±pi/2, which binomial_tv.arcsin covers.",
    ),
    repair(
        "binomial_tv.arcsin",
        1373,
        "the same with arcsin, gamma = ±1 included",
        _closed,
        proof=_closed_proof,
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
