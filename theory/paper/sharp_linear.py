"""Retraining with growing weights: the logarithm in the rate of sharp.sgd goes, 16 V e0/e steps in the limit.

Projected SGD with steps w_t/(mu p_t), w_t = N + c, p_t = N^2/2, N = t + a, released as the average with weights
w_t (1 - (3/2) w_t/p_t). The potential of sharp.sgd now has a growing shift 3 w_t u; what its growth costs is
paid from s |x - u|^2, a part of the strong convexity that the growth of p leaves over.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.claim import Fact
from theory.paper.algorithms import t
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.sharp_noise import V, moment, size
from theory.paper.sharp_sgd import (
    A0,
    B0,
    A,
    A_n,
    B,
    B_n,
    at_point,
    drift,
    ev,
    gap_t,
    lam,
    lean,
    mean_over,
    size_t,
    uv,
)
from theory.proof import Combination, Expectation, Given, Induction, Lemma, Norm, One, Step
from theory.symbols import NONNEGATIVE, POSITIVE, Domain, L, R, T, e, letter, mu, parameter
from theory.vectors import inner, square

HALF = sp.Rational(1, 2)

w_any = parameter("w_l", POSITIVE, "weight w of one step")
p_any = parameter("p_l", POSITIVE, "p of one step; the step size is w/(mu p)")
a = parameter("a_l", Domain(Fraction(3)), "where N = t + a starts")
c = parameter("c_l", POSITIVE, "w = N + c")
s = parameter("s_l", POSITIVE, "what is left of the strong convexity: c + 1/2 - 3 (1 + c/a)^2")
N = t + a
w, p = N + c, N**2 / 2
_left = given(eq(s, c + HALF - 3 * (1 + c / a) ** 2))
_ball = given(ge(a**2 - 3 * a - 3 * c, 0))


def _key_facts(weight: sp.Expr, at: sp.Expr) -> tuple[Fact, ...]:
    eta = weight / (mu * at)
    return (
        # The point (1 - lambda w/p) u lies in the ball; its square norm stands on both sides.
        fact(
            "projection",
            le(
                A_n + 2 * lam * weight / at * B_n,
                A
                + 2 * lam * weight / at * B
                - 2 * eta * (lean + lam * weight / at * drift)
                + eta**2 * size_t,
            ),
        ),
        fact("definition", eq(at_point, lean + drift)),
    )


_noise = V * L**2 / mu**2
_key = state(
    le(
        p_any * A_n + 2 * lam * w_any * B_n,
        p_any * A
        + 2 * lam * w_any * B
        - 2 * w_any / mu * (1 - lam * w_any / p_any) * lean
        + _noise * w_any**2 / p_any,
    ),
    *_key_facts(w_any, p_any),
    given(ge(p_any - lam * w_any, 0)),
)

# --- the growth of the shift is paid for
_square = state(ge(s * square(ev) - 2 * lam * inner(ev, uv) + lam**2 * square(uv) / s, 0))
_paid = state(ge(s * A - 2 * lam * B + lam**2 * square(uv) / s, 0))

# --- summed
total = letter("G_l", meaning="sum of w_i (1 - (3/2) w_i/p_i) (E L_r(x_i) - L_r(u)), i < t")
Y_t = letter("Y_t", NONNEGATIVE, "sum of 1/(i + a_l) over i < t")
Y = letter("Y_l", NONNEGATIVE, "sum of 1/(i + a_l) over i = 0 … T")
_more = 2 * c * (2 + c / a)


def _spent(steps: sp.Expr, sums: sp.Expr) -> sp.Expr:
    """What noise and growing shift cost in some steps."""
    return _noise * (2 * steps + _more * sums) + steps * lam**2 * R**2 / s


_first = (a - 1) ** 2 / 2 * A0 + 2 * lam * (a - 1 + c) * B0
_held = _first + _spent(t, Y_t) - 2 / mu * total - (N - 1) ** 2 / 2 * A - 2 * lam * (N - 1 + c) * B
_each = w * (1 - lam * w / p)
_next = {A: A_n, B: B_n, total: total + _each * gap_t, Y_t: Y_t + 1 / N}
_base = state(ge(_held.subs({t: 0, total: 0, Y_t: 0, A: A0, B: B0}, simultaneous=True), 0))
_one = state(
    ge(_held.subs({t: t + 1, **_next}, simultaneous=True), 0),
    *_key_facts(w, p),
    fact("strong convexity", ge(lean, gap_t + mu / 2 * A)),
    given(ge(_held, 0)),
    _left,
    _ball,
    fact("ball", le(square(uv), R**2)),
)
_summed = state(ge(_held.subs(t, T + 1), 0), _left, _ball)

# --- the weights, and the end
W_t = letter("W_t", meaning="sum of w_i (1 - (3/2) w_i/p_i) over i < t")
W = letter("W_l", meaning="the same over i = 0 … T")
_low = W_t - t * ((t - 1) / 2 + a + s - HALF)
_low_next = {W_t: W_t + _each}
_low_one = state(ge(_low.subs({t: t + 1, **_low_next}, simultaneous=True), 0), given(ge(_low, 0)), _left)
_low_held = state(ge(_low.subs(t, T + 1), 0), _left)
least = (T + 1) * (T / 2 + a + s - HALF)
_weights = state(ge(W, least), _left)

N_T = T + a
w_T, p_T = N_T + c, N_T**2 / 2
_floor_point = state(
    ge(p_T * square(ev) + 2 * lam * w_T * inner(ev, uv) + lam**2 * w_T**2 * square(uv) / p_T, 0)
)
_floor = state(ge(p_T * A + 2 * lam * w_T * B + lam**2 * w_T**2 * square(uv) / p_T, 0))
_start = (a - 1) ** 2 / 2 - 2 * lam * (a - 1 + c)
start = parameter("i_l", NONNEGATIVE, "what the start costs: at least (a-1)^2/2 - 3 (a - 1 + c)")
_price = (start + 2 * lam**2 * (1 + c / a) ** 2) * R**2 + _spent(T + 1, Y)
_rate = state(
    le(W * mean_over, mu / 2 * _price),
    fact("Jensen", le(W * mean_over, total)),
    # The start is 0.
    fact("definition", eq(A0, square(uv))),
    fact("definition", eq(B0, -square(uv))),
    given(ge(start, _start)),
    _left,
    _ball,
    fact("ball", le(square(uv), R**2)),
    also=(A, B),
)
_scratch = state(
    le(W * mean_over, W * e),
    given(ge(least * e, mu / 2 * _price)),
    given(ge(start, _start)),
    _left,
    _ball,
)

CLAIMS = (
    repair(
        "sharp.linear.step",
        1277,
        "one projected step of size w/(mu p), (3/2) w <= p: the potential p |x-u|^2 + 3 w <u, x-u> of sharp.sgd.step",
        _key,
        proof=by(
            _key,
            (p_any, Given(0)),
            (w_any**2 / (mu**2 * p_any), Lemma("sharp.noise_lemma.mean", {size: size_t, moment: at_point})),
            (-3 * w_any**2 / (mu * p_any), Given(1)),
        ),
    ),
    repair(
        "sharp.linear.shift",
        1277,
        "3 <u, x-u> <= s |x-u|^2 + (9/4) |u|^2/s in the mean",
        _paid,
        proof=(
            Step("square", _square, Combination(((1 / s, Norm(s * ev - lam * uv)),))),
            Step("mean", _paid, Expectation("square", {square(ev): A, inner(ev, uv): B})),
        ),
    ),
    repair(
        "sharp.linear.weights",
        1277,
        "the weights w_t (1 - (3/2) w_t/p_t), t = 0 … T, sum up to at least (T + 1)(T/2 + a + s - 1/2)",
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
                        (3 * c * t / (a * N) * (2 + c / a + c / N), One()),
                    )
                ),
            ),
            Step(
                "at T+1", _low_held, Induction(t, _low, "at 0", "from t to t+1", {W_t: 0}, _low_next, T + 1)
            ),
            Step("sum", _weights, Combination(((1, Lemma("at T+1", {W_t: W})),))),
        ),
    ),
    repair(
        "sharp.linear.rate",
        1277,
        "T steps from 0, averaged with weights that sum up to W: (2/mu) W (E L_r - L_r(u)) <= (i + (9/2)(1 + c/a)^2) R^2 + "
        "V (L/mu)^2 (2 (T+1) + 2 c (2 + c/a) Y) + (9/4) (T+1) R^2/s, Y = sum of 1/(t + a) over t = 0 … T",
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
                                {w_any: w, p_any: p},
                                {2: ((HALF, Given(5)), (HALF * (t**2 + t * (2 * a - 3)), One()))},
                            ),
                        ),
                        (2 * w / mu * (a**2 - 3 * a - 3 * c) / N**2, Given(2)),
                        (2 * w / mu * (t**2 + t * (2 * a - 3)) / N**2, Given(2)),
                        (1, Lemma("sharp.linear.shift")),
                        (lam**2 / s, Given(6)),
                        (_noise * 2 * c**2 * t / (a * N**2), One()),
                        (3 * c * t / (a * N) * (2 + c / a + c / N) * A, One()),
                        (-A, Given(4)),
                    )
                ),
            ),
            Step(
                "at T+1",
                _summed,
                Induction(t, _held, "at 0", "from t to t+1", {total: 0, Y_t: 0, A: A0, B: B0}, _next, T + 1),
            ),
            Step("square", _floor_point, Combination(((1 / p_T, Norm(p_T * ev + (lam * w_T) * uv)),))),
            Step("floor", _floor, Expectation("square", {square(ev): A, inner(ev, uv): B})),
            Step(
                "rate",
                _rate,
                Combination(
                    (
                        (1, Given(0)),
                        (mu / 2, Lemma("at T+1", {Y_t: Y})),
                        (mu / 2, Lemma("floor")),
                        (-mu / 2 * (a - 1) ** 2 / 2, Given(1)),
                        (-mu / 2 * 2 * lam * (a - 1 + c), Given(2)),
                        (mu / 2 * (start - _start), Norm(uv)),
                        (mu / 2 * (start + 2 * lam**2 * (1 + c / a) ** 2), Given(6)),
                        (
                            mu / 2 * 2 * lam**2 * c * T / (a * N_T) * (2 + c / a + c / N_T),
                            Norm(uv),
                        ),
                    )
                ),
            ),
        ),
        note="The step from x_T is only thought, not made: T gradients suffice.",
    ),
    repair(
        "sharp.scratch.linear",
        1281,
        "retraining from 0 reaches e once (T + 1)(T/2 + a + s - 1/2) e is at least mu/2 times the price of "
        "sharp.linear.rate",
        _scratch,
        proof=by(
            _scratch,
            (1, Lemma("sharp.linear.rate")),
            (1, Given(0)),
            (e, Lemma("sharp.linear.weights")),
        ),
        note="Y = H/a with the sum H of sharp.sgd.harmonic at k = 1/a. 16 V e0/e steps in the limit, V = 73/256; the "
        "printed way needs 16 e0/e.",
    ),
)
