"""Retraining with growing weights: the logarithm in the rate of sharp.sgd goes, 16 V e0/e steps in the limit.

Projected SGD with steps w_t/(mu p_t), w_t = N + c, p_t = N^2/2, N = t + a, released as the average with weights
w_t (1 - (13/10) w_t/p_t). The potential of sharp.sgd now has a growing shift (13/5) w_t u; what its growth costs is
paid from s |x - u|^2, a part of the strong convexity that the growth of p leaves over.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, Domain, letter, parameter
from oubli.theory.paper.descent import t
from oubli.theory.paper.letters import L, R, T, e, mu
from oubli.theory.paper.sharper.noise import C_gradient, Q_gradient, V
from oubli.theory.paper.sharper.sgd import (
    A_0,
    B_0,
    A_next,
    A_t,
    B_next,
    B_t,
    C_point,
    F_average,
    F_t,
    Q_point,
    U_drift,
    X_point,
    e_sgd,
    lam,
    u_sgd,
)
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Induction, Lemma, Norm, One, Step
from oubli.theory.records.vectors import inner, square

HALF = sp.Rational(1, 2)

w_linear = parameter("w_linear", POSITIVE, "weight w of one step")
p_linear = parameter("p_linear", POSITIVE, "p of one step; the step size is w/(mu p)")
a_linear = parameter("a_linear", Domain(Fraction(3)), "where N = t + a starts")
c_linear = parameter("c_linear", POSITIVE, "w = N + c")
s_linear = parameter(
    "s_linear", POSITIVE, "what is left of the strong convexity: c + 1/2 - (13/5) (1 + c/a)^2"
)
N = t + a_linear
w, p = N + c_linear, N**2 / 2
_left = given(eq(s_linear, c_linear + HALF - 2 * lam * (1 + c_linear / a_linear) ** 2))
_ball = given(ge(a_linear**2 - 2 * lam * (a_linear + c_linear), 0))


def _key_facts(weight: sp.Expr, at: sp.Expr) -> tuple[Fact, ...]:
    eta = weight / (mu * at)
    return (
        # The point (1 - lambda w/p) u lies in the ball; its square norm stands on both sides.
        fact(
            "projection",
            le(
                A_next + 2 * lam * weight / at * B_next,
                A_t
                + 2 * lam * weight / at * B_t
                - 2 * eta * (C_point + lam * weight / at * U_drift)
                + eta**2 * Q_point,
            ),
        ),
        fact("definition", eq(X_point, C_point + U_drift)),
    )


_noise = V * L**2 / mu**2
_key = state(
    le(
        p_linear * A_next + 2 * lam * w_linear * B_next,
        p_linear * A_t
        + 2 * lam * w_linear * B_t
        - 2 * w_linear / mu * (1 - lam * w_linear / p_linear) * C_point
        + _noise * w_linear**2 / p_linear,
    ),
    *_key_facts(w_linear, p_linear),
    given(ge(p_linear - lam * w_linear, 0)),
)

# --- the growth of the shift is paid for
_square = state(
    ge(s_linear * square(e_sgd) - 2 * lam * inner(e_sgd, u_sgd) + lam**2 * square(u_sgd) / s_linear, 0)
)
_paid = state(ge(s_linear * A_t - 2 * lam * B_t + lam**2 * square(u_sgd) / s_linear, 0))

# --- summed
G_linear = letter("G_linear", meaning="sum of w_i (1 - (13/10) w_i/p_i) (E L_r(x_i) - L_r(u)), i < t")
Y_t = letter("Y_t", NONNEGATIVE, "sum of 1/(i + a_linear) over i < t")
Y_T = letter("Y_T", NONNEGATIVE, "sum of 1/(i + a_linear) over i = 0 … T")
_more = 2 * c_linear * (2 + c_linear / a_linear)


def _spent(steps: sp.Expr, sums: sp.Expr) -> sp.Expr:
    """What noise and growing shift cost in some steps."""
    return _noise * (2 * steps + _more * sums) + steps * lam**2 * R**2 / s_linear


_first = (a_linear - 1) ** 2 / 2 * A_0 + 2 * lam * (a_linear - 1 + c_linear) * B_0
_held = (
    _first + _spent(t, Y_t) - 2 / mu * G_linear - (N - 1) ** 2 / 2 * A_t - 2 * lam * (N - 1 + c_linear) * B_t
)
_each = w * (1 - lam * w / p)
_next = {A_t: A_next, B_t: B_next, G_linear: G_linear + _each * F_t, Y_t: Y_t + 1 / N}
_base = state(ge(_held.subs({t: 0, G_linear: 0, Y_t: 0, A_t: A_0, B_t: B_0}, simultaneous=True), 0))
_one = state(
    ge(_held.subs({t: t + 1, **_next}, simultaneous=True), 0),
    *_key_facts(w, p),
    fact("strong convexity", ge(C_point, F_t + mu / 2 * A_t)),
    given(ge(_held, 0)),
    _left,
    _ball,
    fact("ball", le(square(u_sgd), R**2)),
)
_summed = state(ge(_held.subs(t, T + 1), 0), _left, _ball)

# --- the weights, and the end
W_t = letter("W_t", meaning="sum of w_i (1 - (13/10) w_i/p_i) over i < t")
W_T = letter("W_T", meaning="the same over i = 0 … T")
_low = W_t - t * ((t - 1) / 2 + a_linear + s_linear - HALF)
_low_next = {W_t: W_t + _each}
_low_one = state(ge(_low.subs({t: t + 1, **_low_next}, simultaneous=True), 0), given(ge(_low, 0)), _left)
_low_held = state(ge(_low.subs(t, T + 1), 0), _left)
least = (T + 1) * (T / 2 + a_linear + s_linear - HALF)
_weights = state(ge(W_T, least), _left)

N_T = T + a_linear
w_T, p_T = N_T + c_linear, N_T**2 / 2
_floor_point = state(
    ge(p_T * square(e_sgd) + 2 * lam * w_T * inner(e_sgd, u_sgd) + lam**2 * w_T**2 * square(u_sgd) / p_T, 0)
)
_floor = state(ge(p_T * A_t + 2 * lam * w_T * B_t + lam**2 * w_T**2 * square(u_sgd) / p_T, 0))
_start = (a_linear - 1) ** 2 / 2 - 2 * lam * (a_linear - 1 + c_linear)
i_start = parameter("i_start", NONNEGATIVE, "what the start costs: at least (a-1)^2/2 - (13/5) (a - 1 + c)")
_price = (i_start + 2 * lam**2 * (1 + c_linear / a_linear) ** 2) * R**2 + _spent(T + 1, Y_T)
_rate = state(
    le(W_T * F_average, mu / 2 * _price),
    fact("Jensen", le(W_T * F_average, G_linear)),
    # The start is 0.
    fact("definition", eq(A_0, square(u_sgd))),
    fact("definition", eq(B_0, -square(u_sgd))),
    given(ge(i_start, _start)),
    _left,
    _ball,
    fact("ball", le(square(u_sgd), R**2)),
    also=(A_t, B_t),
)
_scratch = state(
    le(W_T * F_average, W_T * e),
    given(ge(least * e, mu / 2 * _price)),
    given(ge(i_start, _start)),
    _left,
    _ball,
)

CLAIMS = (
    theorem(
        "sharp.linear.step",
        "sgd.rate",
        "one projected step of size w/(mu p), (13/10) w <= p: the potential p |x-u|^2 + (13/5) w <u, x-u> of sharp.sgd.step",
        _key,
        proof=by(
            _key,
            (p_linear, Given(0)),
            (
                w_linear**2 / (mu**2 * p_linear),
                Lemma("sharp.noise_lemma.mean", {Q_gradient: Q_point, C_gradient: X_point}),
            ),
            (-2 * lam * w_linear**2 / (mu * p_linear), Given(1)),
        ),
    ),
    theorem(
        "sharp.linear.shift",
        "sgd.rate",
        "(13/5) <u, x-u> <= s |x-u|^2 + (169/100) |u|^2/s in the mean",
        _paid,
        proof=(
            Step("square", _square, Combination(((1 / s_linear, Norm(s_linear * e_sgd - lam * u_sgd)),))),
            Step("mean", _paid, Expectation("square", {square(e_sgd): A_t, inner(e_sgd, u_sgd): B_t})),
        ),
    ),
    theorem(
        "sharp.linear.weights",
        "sgd.rate",
        "the weights w_t (1 - (13/10) w_t/p_t), t = 0 … T, sum up to at least (T + 1)(T/2 + a + s - 1/2)",
        _weights,
        proof=(
            Step("at 0", state(ge(0, 0)), Combination(())),
            Step(
                "from t to t+1",
                _low_one,
                Combination(
                    (
                        (1, Given(0)),
                        (-1, Given(1)),
                        (
                            2
                            * lam
                            * c_linear
                            * t
                            / (a_linear * N)
                            * (2 + c_linear / a_linear + c_linear / N),
                            One(),
                        ),
                    )
                ),
            ),
            Step(
                "at T+1", _low_held, Induction(t, _low, "at 0", "from t to t+1", {W_t: 0}, _low_next, T + 1)
            ),
            Step("sum", _weights, Combination(((1, Lemma("at T+1", {W_t: W_T})),))),
        ),
    ),
    theorem(
        "sharp.linear.rate",
        "sgd.rate",
        "T steps from 0, averaged with weights that sum up to W: (2/mu) W (E L_r - L_r(u)) <= (i + (169/50)(1 + c/a)^2) R^2 + "
        "V (L/mu)^2 (2 (T+1) + 2 c (2 + c/a) Y) + (169/100) (T+1) R^2/s, Y = sum of 1/(t + a) over t = 0 … T",
        _rate,
        proof=(
            Step("at 0", _base, Combination(())),
            Step(
                "from t to t+1",
                _one,
                Combination(
                    (
                        (1, Given(3)),
                        (
                            1,
                            Lemma(
                                "sharp.linear.step",
                                {w_linear: w, p_linear: p},
                                {2: ((HALF, Given(5)), (HALF * (t**2 + 2 * t * (a_linear - lam)), One()))},
                            ),
                        ),
                        (2 * w / mu * (a_linear**2 - 2 * lam * (a_linear + c_linear)) / N**2, Given(2)),
                        (2 * w / mu * (t**2 + 2 * t * (a_linear - lam)) / N**2, Given(2)),
                        (1, Lemma("sharp.linear.shift")),
                        (lam**2 / s_linear, Given(6)),
                        (_noise * 2 * c_linear**2 * t / (a_linear * N**2), One()),
                        (
                            2
                            * lam
                            * c_linear
                            * t
                            / (a_linear * N)
                            * (2 + c_linear / a_linear + c_linear / N)
                            * A_t,
                            One(),
                        ),
                        (-A_t, Given(4)),
                    )
                ),
            ),
            Step(
                "at T+1",
                _summed,
                Induction(
                    t, _held, "at 0", "from t to t+1", {G_linear: 0, Y_t: 0, A_t: A_0, B_t: B_0}, _next, T + 1
                ),
            ),
            Step("square", _floor_point, Combination(((1 / p_T, Norm(p_T * e_sgd + (lam * w_T) * u_sgd)),))),
            Step("floor", _floor, Expectation("square", {square(e_sgd): A_t, inner(e_sgd, u_sgd): B_t})),
            Step(
                "rate",
                _rate,
                Combination(
                    (
                        (1, Given(0)),
                        (mu / 2, Lemma("at T+1", {Y_t: Y_T})),
                        (mu / 2, Lemma("floor")),
                        (-mu / 2 * (a_linear - 1) ** 2 / 2, Given(1)),
                        (-mu / 2 * 2 * lam * (a_linear - 1 + c_linear), Given(2)),
                        (mu / 2 * (i_start - _start), Norm(u_sgd)),
                        (mu / 2 * (i_start + 2 * lam**2 * (1 + c_linear / a_linear) ** 2), Given(6)),
                        (
                            mu
                            / 2
                            * 2
                            * lam**2
                            * c_linear
                            * T
                            / (a_linear * N_T)
                            * (2 + c_linear / a_linear + c_linear / N_T),
                            Norm(u_sgd),
                        ),
                    )
                ),
            ),
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
            (1, Lemma("sharp.linear.rate")),
            (1, Given(0)),
            (e, Lemma("sharp.linear.weights")),
        ),
        note="Y = H/a with the sum H of sharp.sgd.harmonic at k = 1/a. 16 V e0/e steps in the limit, V = 169/640; the "
        "printed way needs 16 e0/e.",
    ),
)
