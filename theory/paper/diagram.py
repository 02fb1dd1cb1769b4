"""The diagram and the experiments: regions, slopes, how many samples, what a time is (l.160, l.668, l.748)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import COUNT, NONNEGATIVE, OPEN_UNIT, UNIT, parameter
from oubli.theory.paper.letters import L, d, e, e0, kappa, mu, r, retained, rho
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import by, case, eq, ge, given, gt, le, repair, state, statement
from oubli.theory.records.objects import (
    ZERO,
    excess,
    explicit_problem,
    mean,
    numeric,
    point,
    response,
    term,
    tilt,
)
from oubli.theory.records.proof import Given, One

root_d = sp.sqrt(d)
c_any = parameter("c_any", UNIT, "any constant at most 1")
_trivial_region = (
    given(ge(e, rho * (rho + root_d * kappa) * e0)),
    given(le(e, e0)),
)
_disjoint = state(ge(e, c_any * rho**2 * (1 + kappa**2) * e0), *_trivial_region, given(ge(root_d, 1)))

# d ln e/d ln kappa along the boundary of the trivial regime.
_boundary = rho * (rho + root_d * kappa) * e0
_slope_trivial = kappa * sp.diff(_boundary, kappa) / _boundary
_slope = state(eq(_slope_trivial, 1))
eta_margin = parameter("eta_margin", OPEN_UNIT, "how far the slope may fall short of 1")
_slope_near = state(
    ge(_slope_trivial, 1 - eta_margin), given(ge(eta_margin * root_d * kappa, (1 - eta_margin) * rho))
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
u_low, u_high, u_end = (point(f"u_{name}") for name in ("low", "high", "end"))
_first = response(p_pass, numeric(1), u_low, u_high)
risk_start = term("risk_start", excess(retained, ZERO), "risk before the first step")
risk_low = term("risk_low", excess(retained, u_low), "risk after one step, if low")
risk_high = term("risk_high", excess(retained, u_high), "risk after one step, if high")
risk_mean = term("risk_mean", mean(excess(retained, _first)), "E risk after one step")
risk_end = term("risk_end", excess(retained, u_end), "risk after two steps")
t_passage = parameter("t_passage", NONNEGATIVE, "mean first-passage time")
_time = state(
    # The risk of the first step passes e or not, its mean does not, and the second step passes it: T_e = 2.
    eq(t_passage, 2),
    given(eq(t_passage, p_pass + 2 * (1 - p_pass))),
    given(gt(risk_start, e)),
    given(le(risk_low, e)),
    given(gt(risk_high, e)),
    given(gt(risk_mean, e)),
    given(le(risk_end, e)),
    also=(L, mu),
)

_half = tilt(Fraction(1, 2) * e_1)

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
                {r: Fraction(1, 2), d: 1, kappa: 1},
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
                "hard family with E g = 1/2, theta_0 = 0. The rule releases (2/3) R g(xi_0) e_1 at t = 1 and R/2 e_1 from "
                "t = 2 on; e = 1/20. Passage at t = 1 with probability 3/4: mean 5/4, but E risk passes e at t = 2",
                {L: 2, mu: 1, e: Fraction(1, 20), p_pass: Fraction(3, 4), t_passage: Fraction(5, 4)},
                objects={
                    "data": explicit_problem(_half, _half),
                    "u_low": Fraction(2, 3) * e_1,
                    "u_high": -Fraction(2, 3) * e_1,
                    "u_end": Fraction(1, 2) * e_1,
                },
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
