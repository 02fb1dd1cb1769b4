"""Retraining with growing weights: the logarithm in the rate of sharp.sgd goes, 16 V e0/e steps in the limit.

Projected SGD with steps w_t/(mu p_t), w_t = N + c, p_t = N^2/2, N = t + a, released as the average with weights
w_t (1 - lambda w_t/p_t). The potential of `shifted` now has a growing shift 2 lambda w_t u; what its growth costs is
paid from s |x - u|^2, a part of the strong convexity that the growth of p leaves over.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, Domain, parameter
from oubli.theory.paper.descent import k_, t
from oubli.theory.paper.letters import L, R, T, e, mu, retained
from oubli.theory.paper.optima import theta_r
from oubli.theory.paper.sharper.noise import LAMBDA, V
from oubli.theory.paper.sharper.shifted import Shifted, u_any, u_in_ball, u_norm
from oubli.theory.records.build import by, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import ZERO, excess, iterate, mean, minus, numeric, term, total, value
from oubli.theory.records.proof import (
    Combination,
    Given,
    Induction,
    Lemma,
    Mean,
    One,
    Schema,
    SquaredNorm,
    Step,
)

HALF = sp.Rational(1, 2)

a_linear = parameter("a_linear", Domain(Fraction(3)), "where N = t + a starts")
c_linear = parameter("c_linear", POSITIVE, "w = N + c")
s_linear = parameter(
    "s_linear", POSITIVE, "what is left of the strong convexity: c + 1/2 - 2 lambda (1 + c/a)^2"
)
_left = given(eq(s_linear, c_linear + HALF - 2 * LAMBDA * (1 + c_linear / a_linear) ** 2))
_room = a_linear**2 - 2 * LAMBDA * a_linear - 2 * LAMBDA * c_linear
_ball = given(ge(_room, 0))
_hyps = (u_in_ball, _left, _ball)
growing = Shifted("growing", ZERO, k_ + a_linear + c_linear, (k_ + a_linear) ** 2 / 2)
_noise = V * L**2 / mu**2


def _parts(k: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """1 - lambda w/p in two parts."""
    return _room / (k + a_linear) ** 2, (k**2 + k * (2 * a_linear - 2 * LAMBDA)) / (k + a_linear) ** 2


def _fallen(k: sp.Symbol) -> sp.Expr:
    """(1 + c/a)^2 - (1 + c/N)^2 at N = k + a."""
    N = k + a_linear
    return c_linear * k / (a_linear * N) * (2 + c_linear / a_linear + c_linear / N)


# --- one step, as its own statement
N, w, p = t + a_linear, t + a_linear + c_linear, (t + a_linear) ** 2 / 2
_now, _later = (growing.letters(place, k) for place, k in (("now", t), ("later", t + 1)))
_x_t = iterate(growing.run, t)
F_grown = term("F_grown", mean(minus(value(retained, _x_t), value(retained, u_any))), "E L_r(x_t) - L_r(u)")
_step = state(
    le(
        p * _later[0] + 2 * LAMBDA * w * _later[1],
        p * _now[0]
        + 2 * LAMBDA * w * _now[1]
        - 2 * w / mu * (1 - LAMBDA * w / p) * (F_grown + mu / 2 * _now[0])
        + _noise * w**2 / p,
    ),
    u_in_ball,
    _ball,
)

# --- the growth of the shift is paid for
_shift = state(ge(s_linear * _now[0] - 2 * LAMBDA * _now[1] + LAMBDA**2 * u_norm / s_linear, 0), also=(L, mu))
_paid = Mean(SquaredNorm(s_linear * (_x_t - u_any) - LAMBDA * u_any))

# --- summed
Y_T = term("Y_T", total(1 / (k_ + a_linear), T), "sum of 1/(i + a_linear) over i = 0 … T")
_more = 2 * c_linear * (2 + c_linear / a_linear)
A_0, B_0, _ = growing.letters("first", 0)


def _spent(steps: sp.Expr, sums: sp.Expr) -> sp.Expr:
    """What noise and growing shift cost in some steps."""
    return _noise * (2 * steps + _more * sums) + steps * LAMBDA**2 * R**2 / s_linear


def _held(k: sp.Expr, A: sp.Expr, B: sp.Expr, S: sp.Expr, Y: sp.Expr) -> sp.Expr:
    first = (a_linear - 1) ** 2 / 2 * A_0 + 2 * LAMBDA * (a_linear - 1 + c_linear) * B_0
    last = k + a_linear - 1
    return first + _spent(k, Y) - 2 / mu * S - last**2 / 2 * A - 2 * LAMBDA * (last + c_linear) * B


_grown = (
    *growing.one_step(*_parts(t)),
    (1 / s_linear, _paid),
    (LAMBDA**2 / s_linear, Given(0)),
    (_noise * 2 * c_linear**2 * t / (a_linear * N**2), One()),
    (2 * LAMBDA * _fallen(t), growing.apart(t)),
    (-_now[0], Given(1)),
)

# --- the weights, and the end
least = (T + 1) * (T / 2 + a_linear + s_linear - HALF)
W_T = growing.whole()
W_first, W_now, W_later = (
    term(f"W_growing_{place}", total(growing.weight, k), "sum of the weights so far")
    for place, k in (("none", -1), ("before", t - 1), ("upto", t))
)
_of = numeric(growing.weight)


def _low(k: sp.Expr, W: sp.Expr) -> sp.Expr:
    return W - k * ((k - 1) / 2 + a_linear + s_linear - HALF)


_weights = state(ge(W_T, least), _left)
_weights_proof = (
    Step(
        "at 0",
        state(ge(_low(sp.Integer(0), W_first), 0), _left),
        Combination(((1, Schema("empty sum", (_of,))),)),
    ),
    Step(
        "from t to t+1",
        state(ge(_low(t + 1, W_later), 0), _left, given(ge(_low(t, W_now), 0))),
        Combination(
            (
                (1, Given(1)),
                (1, Schema("sum step", (_of, numeric(t - 1)))),
                (-1, Given(0)),
                (2 * LAMBDA * _fallen(t), One()),
            )
        ),
    ),
    Step("all", _weights, Induction(t, _low(t, W_now), "at 0", "from t to t+1", {}, {}, T + 1)),
)

_start = (a_linear - 1) ** 2 / 2 - 2 * LAMBDA * (a_linear - 1 + c_linear)
i_start = parameter("i_start", NONNEGATIVE, "what the start costs: at least (a-1)^2/2 - 2 lambda (a - 1 + c)")
_end_shift = 2 * LAMBDA**2 * (1 + c_linear / a_linear) ** 2
_price = (i_start + _end_shift) * R**2 + _spent(T + 1, Y_T)
_enough = given(ge(i_start, _start))
F_average = growing.gap()
_rate = state(le(W_T * F_average, mu / 2 * _price), *_hyps, _enough)
_first = iterate(growing.run, 0)
_floor, _above = growing.floor()
_rate_terms = (
    (1, Lemma("convexity", {}, {3: ((1, Lemma("sharp.linear.weights")), (least, One()))})),
    (mu / 2, Lemma("at the end")),
    (mu / 2 * _floor, _above),
    (-mu / 2 * (a_linear - 1) ** 2 / 2, Mean(Schema("start", (growing.run, _first + ZERO - 2 * u_any)))),
    (-mu / 2 * 2 * LAMBDA * (a_linear - 1 + c_linear), Mean(Schema("start", (growing.run, u_any)))),
    (mu / 2 * (i_start - _start), SquaredNorm(u_any)),
    (mu / 2 * (i_start + _end_shift), Given(0)),
    (mu / 2 * 2 * LAMBDA**2 * _fallen(T), SquaredNorm(u_any)),
)
F_grown_average = term(
    "F_grown_average", mean(excess(retained, growing.released)), "E L_r(released average) - L_r*"
)
_scratch = state(
    le(W_T * F_grown_average, W_T * e), given(ge(least * e, mu / 2 * _price)), _enough, _left, _ball
)
_w_k = k_ + a_linear + c_linear

CLAIMS = (
    theorem(
        "sharp.linear.step",
        "sgd.rate",
        "one projected step of size w/(mu p), lambda w <= p: the potential p |x-u|^2 + 2 lambda w <u, x-u> of sharp.sgd.step",
        _step,
        proof=by(_step, *growing.one_step(*_parts(t))),
    ),
    theorem(
        "sharp.linear.shift",
        "sgd.rate",
        "2 lambda <u, x-u> <= s |x-u|^2 + lambda^2 |u|^2/s in the mean",
        _shift,
        proof=by(_shift, (1 / s_linear, _paid)),
    ),
    theorem(
        "sharp.linear.weights",
        "sgd.rate",
        "the weights w_t (1 - lambda w_t/p_t), t = 0 … T, sum up to at least (T + 1)(T/2 + a + s - 1/2)",
        _weights,
        proof=_weights_proof,
    ),
    theorem(
        "sharp.linear.rate",
        "sgd.rate",
        "T steps from 0, averaged with weights that sum up to W: (2/mu) W (E L_r - L_r(u)) <= (i + 2 lambda^2 (1 + c/a)^2) "
        "R^2 + V (L/mu)^2 (2 (T+1) + 2 c (2 + c/a) Y) + lambda^2 (T+1) R^2/s, Y = sum of 1/(t + a) over t = 0 … T",
        _rate,
        proof=(
            *growing.potential(_held, 1 / (k_ + a_linear), _hyps, (), _grown),
            growing.convexity(
                _hyps,
                *((_w_k * part, One()) for part in _parts(k_)),
            ),
            Step("rate", _rate, Combination(_rate_terms)),
        ),
        note="The step from x_T is only thought, not made: T gradients suffice.",
    ),
    theorem(
        "sharp.scratch.linear",
        "scratch.upper",
        "retraining from 0 reaches e once (T + 1)(T/2 + a + s - 1/2) e is at least mu/2 times the price of "
        "sharp.linear.rate",
        _scratch,
        proof=by(
            _scratch,
            (1, Lemma("sharp.linear.rate", {u_any: theta_r}, {0: ((1, Schema("ball", (theta_r,))),)})),
            (1, Given(0)),
            (e, Lemma("sharp.linear.weights")),
        ),
        note="Y = H/a with the sum H of sharp.sgd.harmonic at k = 1/a. 16 V e0/e steps in the limit; the printed way "
        "needs 16 e0/e.",
    ),
)
