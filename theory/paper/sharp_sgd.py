"""Fine-tuning from a noisy start, and retraining: projected SGD with steps c/(mu p_t), p_t = 1 + k t.

The potential p |x - u|^2 + 3 c <u, x - u> is a shifted square: its centre (1 - (3/2) c/p) u lies in the
ball, so projecting is harmless, and the noise lemma cancels the shift exactly. u is any point of the ball:
theta_r* itself, or theta*, whose price opt_loss.sharper bounds.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.claim import Fact
from theory.paper.algorithms import t
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.optima import dist, gap
from theory.paper.sharp_noise import V, moment, size
from theory.proof import Combination, Expectation, Given, Induction, Lemma, Norm, One, Step
from theory.symbols import NONNEGATIVE, Domain, L, R, T, e, letter, mu, parameter, r_f
from theory.vectors import inner, square, vector

lam = sp.Rational(3, 2)
c = parameter("c_w", Domain(Fraction(0), Fraction(2, 3), True, True), "weight c of the steps c/(mu p)")
k = parameter("k_w", NONNEGATIVE, "growth of p: k = c (1 - (3/2) c)")
p_any = parameter(
    "p_w", Domain(Fraction(1)), "p of one step, at least 1: then (1 - (3/2) c/p) u lies in the ball"
)
_growth = given(eq(k, c * (1 - lam * c)))
p = 1 + k * t

A = letter("A_t", NONNEGATIVE, "E|x_t - u|^2")
B = letter("B_t", meaning="E<u, x_t - u>")
A_n = letter("A_n", NONNEGATIVE, "E|x_{t+1} - u|^2")
B_n = letter("B_n", meaning="E<u, x_{t+1} - u>")
gap_t = letter("F_t", meaning="E L_r(x_t) - L_r(u)")
lean = letter("C_u", meaning="E<grad L_r(x_t), x_t - u>")
drift = letter("U_u", meaning="E<grad L_r(x_t), u>")
size_t = letter("Q_u", NONNEGATIVE, "E|stochastic gradient at x_t|^2")
at_point = letter("X_u", meaning="E<grad L_r(x_t), x_t>")


def _key_facts(at: sp.Expr) -> tuple[Fact, ...]:
    size_of = c / (mu * at)
    return (
        # The point (1 - lambda c/p) u lies in the ball; its square norm stands on both sides.
        fact(
            "projection",
            le(
                A_n + 2 * lam * c / at * B_n,
                A + 2 * lam * c / at * B - 2 * size_of * (lean + lam * c / at * drift) + size_of**2 * size_t,
            ),
        ),
        fact("definition", eq(at_point, lean + drift)),
    )


_convex = fact("strong convexity", ge(lean, gap_t + mu / 2 * A))
_key = state(
    le(
        p_any * A_n + 2 * lam * c * B_n,
        p_any * A
        + 2 * lam * c * B
        - 2 * c / mu * (1 - lam * c / p_any) * lean
        + V * c**2 * L**2 / (mu**2 * p_any),
    ),
    *_key_facts(p_any),
)

# --- summed: S the weighted gaps, H the sum of 1/p_t
total = letter("S_g", meaning="sum of (1 - (3/2) c/p_s) (E L_r(x_s) - L_r(u)), s < t")
H_t = letter("H_t", NONNEGATIVE, "sum of 1/p_s over s < t")
H = letter("H_w", NONNEGATIVE, "sum of 1/p_s over s = 0 … T")
A0 = letter("A_0", NONNEGATIVE, "E|x_0 - u|^2")
B0 = letter("B_0", meaning="E<u, x_0 - u>")
_held = (
    A0 + 2 * lam * c * B0 + V * c**2 * L**2 / mu**2 * H_t - 2 * c / mu * total - (p - k) * A - 2 * lam * c * B
)
_next = {A: A_n, B: B_n, total: total + (1 - lam * c / p) * gap_t, H_t: H_t + 1 / p}
_later = _held.subs({t: t + 1, **_next}, simultaneous=True)
_base = state(ge(_held.subs({t: 0, total: 0, H_t: 0, A: A0, B: B0}, simultaneous=True), 0), _growth)
_one = state(ge(_later, 0), *_key_facts(p), _convex, given(ge(_held, 0)), _growth)
_summed = state(ge(_held.subs(t, T + 1), 0), _growth)

ev, uv = vector("e_w"), vector("u_w")
p_T = 1 + k * T
_floor_point = state(ge(p_T * square(ev) + 2 * lam * c * inner(ev, uv) + lam**2 * c**2 * square(uv) / p_T, 0))
_floor = state(ge(p_T * A + 2 * lam * c * B + lam**2 * c**2 * square(uv) / p_T, 0))
start2 = letter(
    "D_w", NONNEGATIVE, "E|y - u|^2, y the point that the shrunk start x_0 = (1 - (3/2) c) y comes from"
)
mean_over = letter("F_a", meaning="E L_r(released average) - L_r(u)")
_weight = 2 * c / mu * (T + 1 - lam * c * H)
_price = (1 - lam * c) ** 2 * start2 + V * c**2 * L**2 / mu**2 * H
_rate = state(
    le(_weight * mean_over, _price),
    fact("Jensen", le((T + 1 - lam * c * H) * mean_over, total)),
    fact("definition", eq(A0 + 2 * lam * c * B0 + lam**2 * c**2 * square(uv), (1 - lam * c) ** 2 * start2)),
    _growth,
    also=(A, B),
)

# --- where it is used
rms2 = parameter("z_w", NONNEGATIVE, "a bound on E|z|^2, z the noise")
reached = letter("F_e", meaning="E L_r(released average) - L_r*")
_loss = r_f**2 * L**2 / (2 * mu * (1 - r_f) * (1 + r_f))
# Every p_t is at least 1.
_enough = fact("definition", le(H, T + 1))
_some = 2 * c / mu * ((1 - lam * c) * (T + 1) + lam * c * (T + 1 - H))


def _asks(distance: sp.Expr, offset: sp.Expr) -> sp.Expr:
    return ge(_weight * (e - offset), (1 - lam * c) ** 2 * distance + V * c**2 * L**2 / mu**2 * H)


_from_old = state(
    le(_weight * reached, _weight * e),
    fact("projection", le(start2, rms2)),
    fact("definition", eq(reached, mean_over + gap)),
    _enough,
    given(_asks(rms2, _loss)),
    _growth,
)
_from_new = state(
    le(_weight * mean_over, _weight * e),
    fact("moments", le(start2, rms2 + dist**2)),
    given(_asks(rms2 + r_f**2 * L**2 / mu**2, sp.Integer(0))),
    _growth,
)
_scratch = state(
    le(_weight * mean_over, _weight * e),
    # y = 0: the start is 0, and |theta_r*| <= R.
    fact("ball", le(start2, R**2)),
    given(_asks(R**2, sp.Integer(0))),
    _growth,
)

CLAIMS = (
    repair(
        "sharp.sgd.step",
        1277,
        "one projected step of size c/(mu p): p E|x'-u|^2 + 3 c E<u, x'-u> <= p E|x-u|^2 + 3 c E<u, x-u> "
        "- (2c/mu)(1 - (3/2) c/p) E<grad L_r(x), x-u> + V c^2 L^2/(mu^2 p), for every u of the ball",
        _key,
        proof=by(
            _key,
            (p_any, Given(0)),
            (c**2 / (mu**2 * p_any), Lemma("sharp.noise_lemma.mean", {size: size_t, moment: at_point})),
            (-3 * c**2 / (mu * p_any), Given(1)),
        ),
    ),
    repair(
        "sharp.sgd.rate",
        1277,
        "T steps from x_0 = (1 - (3/2) c) y, averaged: (2c/mu)(T + 1 - (3/2) c H) (E L_r - L_r(u)) <= "
        "(1 - (3/2) c)^2 E|y-u|^2 + V c^2 H L^2/mu^2, H = sum of 1/p_t over t = 0 … T",
        _rate,
        proof=(
            Step("at 0", _base, Combination(((k * A0, One()),))),
            Step(
                "from t to t+1",
                _one,
                Combination(
                    (
                        (1, Given(3)),
                        (1, Lemma("sharp.sgd.step", {p_any: p})),
                        (2 * c / mu * (1 - lam * c + k * t) / p, Given(2)),
                        (lam * c**2 * k * t / p * A, One()),
                        (-A, Given(4)),
                    )
                ),
            ),
            Step(
                "at T+1",
                _summed,
                Induction(t, _held, "at 0", "from t to t+1", {total: 0, H_t: 0, A: A0, B: B0}, _next, T + 1),
            ),
            Step("square", _floor_point, Combination(((1 / p_T, Norm(p_T * ev + (lam * c) * uv)),))),
            Step("floor", _floor, Expectation("square", {square(ev): A, inner(ev, uv): B})),
            Step(
                "rate",
                _rate,
                Combination(
                    (
                        (2 * c / mu, Given(0)),
                        (1, Lemma("at T+1", {H_t: H})),
                        (1, Lemma("floor")),
                        (-1, Given(1)),
                        (lam**2 * c**2 * k * T / p_T, Norm(uv)),
                    )
                ),
            ),
        ),
        note="The step from x_T is only thought, not made: T gradients suffice.",
    ),
    repair(
        "sharp.efficient",
        624,
        "noise, shrink, fine-tune with u = theta*: the target e is reached once (2c/mu)(T + 1 - (3/2) c H) "
        "(e - r^2 L^2/(2 mu (1-r^2))) >= (1 - (3/2) c)^2 E|z|^2 + V c^2 H L^2/mu^2",
        _from_old,
        proof=by(
            _from_old,
            (1, Lemma("sharp.sgd.rate")),
            ((1 - lam * c) ** 2, Given(0)),
            (-_weight, Given(1)),
            (1, Given(3)),
            (_some, Lemma("opt_loss.sharper")),
        ),
        note="The start is the shrunk release of sharp.release. Only the noise, not the distance of the optima, "
        "has to be worked off: theta* already costs no more than 4 r^2/(1 - r^2) e0.",
    ),
    repair(
        "sharp.efficient.near",
        624,
        "the same with u = theta_r*: once (2c/mu)(T + 1 - (3/2) c H) e >= (1 - (3/2) c)^2 (E|z|^2 + r^2 L^2/mu^2) "
        "+ V c^2 H L^2/mu^2",
        _from_new,
        proof=by(
            _from_new,
            (1, Lemma("sharp.sgd.rate")),
            ((1 - lam * c) ** 2, Given(0)),
            ((1 - lam * c) ** 2 * (r_f * L / mu + dist), Lemma("opt_dist.sharp")),
            (1, Given(1)),
        ),
    ),
    repair(
        "sharp.scratch.upper",
        1281,
        "retraining from 0 reaches e once (2c/mu)(T + 1 - (3/2) c H) e >= (1 - (3/2) c)^2 R^2 + V c^2 H L^2/mu^2",
        _scratch,
        proof=by(_scratch, (1, Lemma("sharp.sgd.rate")), ((1 - lam * c) ** 2, Given(0)), (1, Given(1))),
    ),
)
