"""Fine-tuning from a noisy start, and retraining: projected SGD with steps c/(mu p_t), p_t = 1 + k t.

The potential p |x - u|^2 + (13/5) c <u, x - u> is a shifted square: its centre (1 - (13/10) c/p) u lies in the
ball, so projecting is harmless, and the noise lemma cancels the shift exactly. u is any point of the ball:
theta_r* itself, or theta*, whose price opt_loss.sharper bounds.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, Domain, letter, parameter
from oubli.theory.paper.descent import t
from oubli.theory.paper.letters import L, R, T, e, mu, r
from oubli.theory.paper.optima import D, a_retain
from oubli.theory.paper.sharper.noise import LAMBDA, C_gradient, Q_gradient, V
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Induction, Lemma, Norm, One, Step
from oubli.theory.records.vectors import inner, square, vector

lam = LAMBDA
c_sgd = parameter(
    "c_sgd", Domain(Fraction(0), Fraction(10, 13), True, True), "weight c of the steps c/(mu p)"
)
k_sgd = parameter("k_sgd", NONNEGATIVE, "growth of p: k = c (1 - (13/10) c)")
p_sgd = parameter(
    "p_sgd", Domain(Fraction(1)), "p of one step, at least 1: then (1 - (13/10) c/p) u lies in the ball"
)
_growth = given(eq(k_sgd, c_sgd * (1 - lam * c_sgd)))
p = 1 + k_sgd * t

A_t = letter("A_t", NONNEGATIVE, "E|x_t - u|^2")
B_t = letter("B_t", meaning="E<u, x_t - u>")
A_next = letter("A_next", NONNEGATIVE, "E|x_{t+1} - u|^2")
B_next = letter("B_next", meaning="E<u, x_{t+1} - u>")
F_t = letter("F_t", meaning="E L_r(x_t) - L_r(u)")
C_point = letter("C_point", meaning="E<grad L_r(x_t), x_t - u>")
U_drift = letter("U_drift", meaning="E<grad L_r(x_t), u>")
Q_point = letter("Q_point", NONNEGATIVE, "E|stochastic gradient at x_t|^2")
X_point = letter("X_point", meaning="E<grad L_r(x_t), x_t>")


def _key_facts(at: sp.Expr) -> tuple[Fact, ...]:
    size_of = c_sgd / (mu * at)
    return (
        # The point (1 - lambda c/p) u lies in the ball; its square norm stands on both sides.
        fact(
            "projection",
            le(
                A_next + 2 * lam * c_sgd / at * B_next,
                A_t
                + 2 * lam * c_sgd / at * B_t
                - 2 * size_of * (C_point + lam * c_sgd / at * U_drift)
                + size_of**2 * Q_point,
            ),
        ),
        fact("definition", eq(X_point, C_point + U_drift)),
    )


_convex = fact("strong convexity", ge(C_point, F_t + mu / 2 * A_t))
_key = state(
    le(
        p_sgd * A_next + 2 * lam * c_sgd * B_next,
        p_sgd * A_t
        + 2 * lam * c_sgd * B_t
        - 2 * c_sgd / mu * (1 - lam * c_sgd / p_sgd) * C_point
        + V * c_sgd**2 * L**2 / (mu**2 * p_sgd),
    ),
    *_key_facts(p_sgd),
)

# --- summed: S the weighted gaps, H the sum of 1/p_t
S_sgd = letter("S_sgd", meaning="sum of (1 - (13/10) c/p_s) (E L_r(x_s) - L_r(u)), s < t")
H_t = letter("H_t", NONNEGATIVE, "sum of 1/p_s over s < t")
H_T = letter("H_T", NONNEGATIVE, "sum of 1/p_s over s = 0 … T")
A_0 = letter("A_0", NONNEGATIVE, "E|x_0 - u|^2")
B_0 = letter("B_0", meaning="E<u, x_0 - u>")
_held = (
    A_0
    + 2 * lam * c_sgd * B_0
    + V * c_sgd**2 * L**2 / mu**2 * H_t
    - 2 * c_sgd / mu * S_sgd
    - (p - k_sgd) * A_t
    - 2 * lam * c_sgd * B_t
)
_next = {A_t: A_next, B_t: B_next, S_sgd: S_sgd + (1 - lam * c_sgd / p) * F_t, H_t: H_t + 1 / p}
_later = _held.subs({t: t + 1, **_next}, simultaneous=True)
_base = state(ge(_held.subs({t: 0, S_sgd: 0, H_t: 0, A_t: A_0, B_t: B_0}, simultaneous=True), 0), _growth)
_one = state(ge(_later, 0), *_key_facts(p), _convex, given(ge(_held, 0)), _growth)
_summed = state(ge(_held.subs(t, T + 1), 0), _growth)

e_sgd, u_sgd = vector("e_sgd"), vector("u_sgd")
p_T = 1 + k_sgd * T
_floor_point = state(
    ge(
        p_T * square(e_sgd) + 2 * lam * c_sgd * inner(e_sgd, u_sgd) + lam**2 * c_sgd**2 * square(u_sgd) / p_T,
        0,
    )
)
_floor = state(ge(p_T * A_t + 2 * lam * c_sgd * B_t + lam**2 * c_sgd**2 * square(u_sgd) / p_T, 0))
D_start = letter(
    "D_start", NONNEGATIVE, "E|y - u|^2, y the point that the shrunk start x_0 = (1 - (13/10) c) y comes from"
)
F_average = letter("F_average", meaning="E L_r(released average) - L_r(u)")
_weight = 2 * c_sgd / mu * (T + 1 - lam * c_sgd * H_T)
_price = (1 - lam * c_sgd) ** 2 * D_start + V * c_sgd**2 * L**2 / mu**2 * H_T
_rate = state(
    le(_weight * F_average, _price),
    fact("Jensen", le((T + 1 - lam * c_sgd * H_T) * F_average, S_sgd)),
    fact(
        "definition",
        eq(A_0 + 2 * lam * c_sgd * B_0 + lam**2 * c_sgd**2 * square(u_sgd), (1 - lam * c_sgd) ** 2 * D_start),
    ),
    _growth,
    also=(A_t, B_t),
)

# --- where it is used
z_square_bound = parameter("z_square_bound", NONNEGATIVE, "a bound on E|z|^2, z the noise")
F_reached = letter("F_reached", meaning="E L_r(released average) - L_r*")
_loss = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
# Every p_t is at least 1.
_enough = fact("definition", le(H_T, T + 1))
_some = 2 * c_sgd / mu * ((1 - lam * c_sgd) * (T + 1) + lam * c_sgd * (T + 1 - H_T))


def _asks(distance: sp.Expr, offset: sp.Expr) -> sp.Expr:
    return ge(_weight * (e - offset), (1 - lam * c_sgd) ** 2 * distance + V * c_sgd**2 * L**2 / mu**2 * H_T)


_from_old = state(
    le(_weight * F_reached, _weight * e),
    fact("projection", le(D_start, z_square_bound)),
    fact("definition", eq(F_reached, F_average + a_retain)),
    _enough,
    given(_asks(z_square_bound, _loss)),
    _growth,
)
_from_new = state(
    le(_weight * F_average, _weight * e),
    fact("moments", le(D_start, z_square_bound + D**2)),
    given(_asks(z_square_bound + r**2 * L**2 / mu**2, sp.Integer(0))),
    _growth,
)
_scratch = state(
    le(_weight * F_average, _weight * e),
    # y = 0: the start is 0, and |theta_r*| <= R.
    fact("ball", le(D_start, R**2)),
    given(_asks(R**2, sp.Integer(0))),
    _growth,
)

CLAIMS = (
    theorem(
        "sharp.sgd.step",
        "sgd.rate",
        "one projected step of size c/(mu p): p E|x'-u|^2 + (13/5) c E<u, x'-u> <= p E|x-u|^2 + (13/5) c E<u, x-u> "
        "- (2c/mu)(1 - (13/10) c/p) E<grad L_r(x), x-u> + V c^2 L^2/(mu^2 p), for every u of the ball",
        _key,
        proof=by(
            _key,
            (p_sgd, Given(0)),
            (
                c_sgd**2 / (mu**2 * p_sgd),
                Lemma("sharp.noise_lemma.mean", {Q_gradient: Q_point, C_gradient: X_point}),
            ),
            (-2 * lam * c_sgd**2 / (mu * p_sgd), Given(1)),
        ),
    ),
    theorem(
        "sharp.sgd.rate",
        "sgd.rate",
        "T steps from x_0 = (1 - (13/10) c) y, averaged: (2c/mu)(T + 1 - (13/10) c H) (E L_r - L_r(u)) <= "
        "(1 - (13/10) c)^2 E|y-u|^2 + V c^2 H L^2/mu^2, H = sum of 1/p_t over t = 0 … T",
        _rate,
        proof=(
            Step("at 0", _base, Combination(((k_sgd * A_0, One()),))),
            Step(
                "from t to t+1",
                _one,
                Combination(
                    (
                        (1, Given(3)),
                        (1, Lemma("sharp.sgd.step", {p_sgd: p})),
                        (2 * c_sgd / mu * (1 - lam * c_sgd + k_sgd * t) / p, Given(2)),
                        (lam * c_sgd**2 * k_sgd * t / p * A_t, One()),
                        (-A_t, Given(4)),
                    )
                ),
            ),
            Step(
                "at T+1",
                _summed,
                Induction(
                    t, _held, "at 0", "from t to t+1", {S_sgd: 0, H_t: 0, A_t: A_0, B_t: B_0}, _next, T + 1
                ),
            ),
            Step(
                "square", _floor_point, Combination(((1 / p_T, Norm(p_T * e_sgd + (lam * c_sgd) * u_sgd)),))
            ),
            Step("floor", _floor, Expectation("square", {square(e_sgd): A_t, inner(e_sgd, u_sgd): B_t})),
            Step(
                "rate",
                _rate,
                Combination(
                    (
                        (2 * c_sgd / mu, Given(0)),
                        (1, Lemma("at T+1", {H_t: H_T})),
                        (1, Lemma("floor")),
                        (-1, Given(1)),
                        (lam**2 * c_sgd**2 * k_sgd * T / p_T, Norm(u_sgd)),
                    )
                ),
            ),
        ),
        note="The step from x_T is only thought, not made: T gradients suffice.",
    ),
    theorem(
        "sharp.efficient",
        "efficient",
        "noise, shrink, fine-tune with u = theta*: the target e is reached once (2c/mu)(T + 1 - (13/10) c H) "
        "(e - r^2 L^2/(2 mu (1-r^2))) >= (1 - (13/10) c)^2 E|z|^2 + V c^2 H L^2/mu^2",
        _from_old,
        proof=by(
            _from_old,
            (1, Lemma("sharp.sgd.rate")),
            ((1 - lam * c_sgd) ** 2, Given(0)),
            (-_weight, Given(1)),
            (1, Given(3)),
            (_some, Lemma("opt_loss.sharper")),
        ),
        note="The start is the shrunk release of sharp.release. Only the noise, not the distance of the optima, "
        "has to be worked off: theta* already costs no more than 4 r^2/(1 - r^2) e0.",
    ),
    theorem(
        "sharp.efficient.near",
        "efficient",
        "the same with u = theta_r*: once (2c/mu)(T + 1 - (13/10) c H) e >= (1 - (13/10) c)^2 (E|z|^2 + r^2 L^2/mu^2) "
        "+ V c^2 H L^2/mu^2",
        _from_new,
        proof=by(
            _from_new,
            (1, Lemma("sharp.sgd.rate")),
            ((1 - lam * c_sgd) ** 2, Given(0)),
            ((1 - lam * c_sgd) ** 2 * (r * L / mu + D), Lemma("opt_dist.sharp")),
            (1, Given(1)),
        ),
    ),
    theorem(
        "sharp.scratch.upper",
        "scratch.upper",
        "retraining from 0 reaches e once (2c/mu)(T + 1 - (13/10) c H) e >= (1 - (13/10) c)^2 R^2 + V c^2 H L^2/mu^2",
        _scratch,
        proof=by(_scratch, (1, Lemma("sharp.sgd.rate")), ((1 - lam * c_sgd) ** 2, Given(0)), (1, Given(1))),
    ),
)
