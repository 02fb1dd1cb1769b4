"""The diagram and the experiments: regions, slopes, how many samples, what a time is (l.160, l.668, l.748)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import COUNT, NONNEGATIVE, OPEN_UNIT, UNIT, Domain, letter, parameter
from oubli.theory.paper.letters import L, centred, d, e, e0, kappa, mu, r, rho
from oubli.theory.records.build import A, by, case, eq, fact, ge, given, le, repair, state, statement, value
from oubli.theory.records.proof import Given, One

root_d = sp.sqrt(d)
c_any = parameter("c_any", UNIT, "any constant at most 1")
_trivial_region = (
    given(ge(e, rho * (rho + root_d * kappa) * e0)),
    given(le(e, e0)),
)
_disjoint = state(
    ge(e, c_any * rho**2 * (1 + kappa**2) * e0), *_trivial_region, fact("definition", ge(root_d, 1))
)

slope_trivial = letter(
    "slope_trivial", meaning="d ln e/d ln kappa along the trivial boundary e = rho (rho + sqrt(d) kappa) e0"
)
_slope_def = fact("definition", eq(slope_trivial * (rho + root_d * kappa), root_d * kappa))
_slope = state(eq(slope_trivial, 1), _slope_def)
eta_margin = parameter("eta_margin", OPEN_UNIT, "how far the slope may fall short of 1")
_slope_near = state(
    ge(slope_trivial, 1 - eta_margin),
    _slope_def,
    given(ge(eta_margin * root_d * kappa, (1 - eta_margin) * rho)),
    given(ge(kappa, 0)),
)
slope_inefficient = parameter(
    "slope_inefficient",
    meaning="d ln kappa/d ln e along the inefficient boundary e = c rho^2 (1 + kappa^2) e0",
)
_slope_i = state(
    ge(slope_inefficient, Fraction(1, 2)),
    given(eq(2 * kappa**2 * slope_inefficient, 1 + kappa**2)),
    given(ge(kappa - 1, 0)),
)

n_all = parameter("n_all", COUNT, "size of the training set")
k_forget = parameter("k_forget", NONNEGATIVE, "number of points to forget")
_samples = state(
    le(k_forget**2 * d / n_all, 1),
    given(le(k_forget, sp.sqrt(n_all) / root_d)),
)

# Two-valued first passage: the risk after one step is low with probability 3/4, the rule ends at t = 2.
p_pass = parameter("p_pass", UNIT, "probability that the risk passes e at t = 1")
risk_low = letter("risk_low", NONNEGATIVE, "risk after one step, if low")
risk_high = letter("risk_high", NONNEGATIVE, "risk after one step, if high")
t_passage = parameter("t_passage", NONNEGATIVE, "mean first-passage time")
t_defined = letter("t_defined", Domain(Fraction(0), integer=True), "min{T : E risk <= e}")
_time = state(
    eq(t_passage, t_defined),
    given(eq(t_passage, p_pass + 2 * (1 - p_pass))),
    given(le(risk_low, e)),
    given(ge(risk_high, e)),
    # E risk at t = 1 exceeds e, at t = 2 it is 0: the time by definition is 2.
    given(ge(p_pass * risk_low + (1 - p_pass) * risk_high, e)),
    fact("definition", eq(t_defined, 2)),
)

CLAIMS = (
    statement(
        "phase.disjoint",
        164,
        "the trivial and the inefficient regions of Figure 1 do not meet, for any c <= 1",
        _disjoint,
        "fig:theo_diagram",
        proof=by(
            _disjoint,
            (1 + c_any * rho * kappa, Given(0)),
            (c_any * rho * kappa, Given(1)),
            (e0 * c_any * rho * kappa * (1 + rho * kappa), Given(2)),
            (e0 * c_any * rho**3 * kappa, One()),
            (e0 * (1 - c_any) * (rho**2 + rho * root_d * kappa), One()),
        ),
    ),
    statement(
        "phase.slopes",
        764,
        "the trivial boundary has slope 1 in log-log",
        _slope,
        instances=(
            case(
                "r = 1/2, d = kappa = 1: the slope is 1/2",
                {r: Fraction(1, 2), d: 1, kappa: 1, slope_trivial: Fraction(1, 2)},
            ),
        ),
        repaired_by="phase.slopes.repaired",
        note="Slope 1 only where sqrt(d) kappa is much larger than rho. For slope 1/2 the text (l.775) cites the "
        "efficient theorem; the square root belongs to the inefficient one.",
    ),
    repair(
        "phase.slopes.repaired",
        764,
        "the slope is at least 1 - eta once sqrt(d) kappa >= (1-eta)/eta rho",
        _slope_near,
        proof=by(
            _slope_near,
            (1 / (rho + root_d * kappa), Given(1)),
            (1 / (rho + root_d * kappa), Given(0)),
        ),
    ),
    statement(
        "phase.slopes.inefficient",
        775,
        "the inefficient boundary has slope at least 1/2 (kappa against e), 1/2 in the limit of large kappa",
        _slope_i,
        proof=by(_slope_i, (1 / (2 * kappa**2), Given(0)), (1 / (2 * kappa**2), One())),
    ),
    statement(
        "discussion.samples",
        674,
        "r^2 d n <= 1, with r = k/n, as soon as k <= sqrt(n/d)",
        _samples,
        proof=by(_samples, (d / n_all * (sp.sqrt(n_all) / root_d + k_forget), Given(0))),
        printed_uses=("efficient",),
        note="Follows from the efficient theorem, not from the cited inefficient one; kappa = 1 is eps = 4.8 at "
        "delta = 1e-5.",
    ),
    statement(
        "experiment.time",
        751,
        "the average of first-passage times is T_e = min{T : E risk <= e}",
        _time,
        instances=(
            case(
                "d = 1, hard family with E g = 1/2, theta_0 = 0. The rule releases (2/3) R g(xi_0) at t = 1 and R/2 from "
                "t = 2 on; e = 1/20. Passage at t = 1 with probability 3/4: mean 5/4, but E risk passes e at t = 2",
                {
                    L: 2,
                    mu: 1,
                    e: Fraction(1, 20),
                    p_pass: Fraction(3, 4),
                    risk_low: value(A, Fraction(2, 3)) - value(A, Fraction(1, 2)),
                    risk_high: value(A, -Fraction(2, 3)) - value(A, Fraction(1, 2)),
                    t_passage: Fraction(5, 4),
                    t_defined: 2,
                },
                members={"A": centred(Fraction(1, 2))},
            ),
        ),
        repaired_by="experiment.time.repaired",
    ),
    repair(
        "experiment.time.repaired",
        751,
        "the mean first-passage time of such a two-step run is 2 - P[passage at 1], whatever T_e is",
        state(eq(t_passage, 2 - p_pass), given(eq(t_passage, p_pass + 2 * (1 - p_pass)))),
        proof=by(
            state(eq(t_passage, 2 - p_pass), given(eq(t_passage, p_pass + 2 * (1 - p_pass)))),
            (1, Given(0)),
        ),
        note="Two different quantities: report both.",
    ),
)
