"""Fine-tuning from a noisy start, and retraining: projected SGD with steps c/(mu p_t), p_t = 1 + k t.

By the potential of `shifted`. u is any point of the ball: theta_r* itself, or theta*, whose price
opt_loss.sharper bounds.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, Domain, parameter
from oubli.theory.paper.algorithms import y_start
from oubli.theory.paper.descent import k_, t
from oubli.theory.paper.letters import L, R, T, e, mu, r, retained
from oubli.theory.paper.mirror import f_any, point_any
from oubli.theory.paper.optima import D, theta_all, theta_r
from oubli.theory.paper.sharper.between import apart, between, in_ball, price, share_between
from oubli.theory.paper.sharper.exact import E_cross, E_square, hat, start
from oubli.theory.paper.sharper.noise import LAMBDA, V
from oubli.theory.paper.sharper.shifted import Shifted, counted, u_any, u_in_ball, u_norm
from oubli.theory.records.build import by, eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import (
    ZERO,
    drawn,
    excess,
    grad,
    inner,
    iterate,
    mean,
    minus,
    numeric,
    proj,
    term,
    total,
    value,
)
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
    Term,
)

c_sgd = parameter(
    "c_sgd", Domain(Fraction(0), Fraction(10, 13), True, True), "weight c of the steps c/(mu p)"
)
k_sgd = parameter("k_sgd", NONNEGATIVE, "growth of p: k = c (1 - lambda c)")
_growth = given(eq(k_sgd, c_sgd * (1 - LAMBDA * c_sgd)))
p = 1 + k_sgd * k_
H_T = term("H_T", total(1 / p, T), "sum of 1/p_t over t = 0 … T")
_shrink = 1 - LAMBDA * c_sgd
_noise = V * c_sgd**2 * L**2 / mu**2
_weight = 2 * c_sgd / mu * (T + 1 - LAMBDA * c_sgd * H_T)

# --- the sum of 1/p_t is at most T + 1
H_first, H_now, H_later = (
    term(f"H_sgd_{place}", total(1 / p, k), "sum of 1/p_s over s <= k")
    for place, k in (("none", -1), ("before", t - 1), ("upto", t))
)
_few = state(le(H_T, T + 1))
_few_proof = (
    Step("none", state(ge(0 - H_first, 0)), Combination(((-1, Schema("empty sum", (numeric(1 / p),))),))),
    Step(
        "one more",
        state(ge(t + 1 - H_later, 0), given(ge(t - H_now, 0))),
        Combination(
            (
                (1, Given(0)),
                (-1, Schema("sum step", (numeric(1 / p), numeric(t - 1)))),
                (k_sgd * t / (1 + k_sgd * t), One()),
            )
        ),
    ),
    Step("all", _few, Induction(t, t - H_now, "none", "one more", {}, {}, T + 1)),
)

hat_y = proj(y_start)
tuned = Shifted("tuned", _shrink * hat_y, c_sgd, p)
fresh = Shifted("fresh", ZERO, c_sgd, p)
_hyps = (u_in_ball, _growth)


def _rate(run: Shifted, price: sp.Expr, start: tuple[Term, ...]) -> tuple[Statement, tuple[Step, ...]]:
    """(2c/mu) (T + 1 - lambda c H) (E L_r - L_r(u)) <= price + V c^2 H L^2/mu^2; `start` bounds the start by it."""
    A_0, B_0, _ = run.letters("first", 0)
    first = A_0 + 2 * LAMBDA * c_sgd * B_0

    def held(k: sp.Expr, A: sp.Expr, B: sp.Expr, S: sp.Expr, H: sp.Expr) -> sp.Expr:
        return first + _noise * H - 2 / mu * S - (1 + k_sgd * (k - 1)) * A - 2 * LAMBDA * c_sgd * B

    p_t, A_t = 1 + k_sgd * t, run.letters("now", t)[0]
    part = LAMBDA * c_sgd / p_t
    grown = (
        *run.one_step(1 - part),
        (-A_t, Given(1)),
        (LAMBDA * c_sgd**2 * k_sgd * t / p_t, run.apart(t)),
    )
    says = state(le(_weight * run.gap(), price + _noise * H_T), *_hyps)
    W = run.whole()
    heavy = state(gt(W, 0), also=(L, mu))
    p_T = 1 + k_sgd * T
    end = (
        (2 / mu, Lemma("convexity", {}, {0: ((1, Lemma("some weight")),)})),
        (1, Lemma("at the end")),
        run.floor(),
        *start,
        (LAMBDA**2 * c_sgd**2 * k_sgd * T / p_T, SquaredNorm(u_any)),
        (2 * c_sgd / mu * run.gap(), Lemma("counted")),
    )
    return says, (
        *run.potential(held, 1 / p, _hyps, ((k_sgd, run.apart(0)),), grown),
        *counted("count", sp.Integer(1), t),
        Step(
            "some weight",
            heavy,
            Combination(
                (
                    (c_sgd, Lemma("counted")),
                    (LAMBDA * c_sgd**2, Lemma("sharp.sgd.few")),
                    (c_sgd * _shrink * (T + 1), One()),
                )
            ),
        ),
        run.convexity(),
        Step("rate", says, Combination(end)),
    )


D_start = term(
    "D_start", mean(inner(hat_y - u_any, hat_y - u_any)), "E|y - u|^2, y the start before it is shrunk"
)
_tuned, _tuned_proof = _rate(tuned, _shrink**2 * D_start, (tuned.starts(c_sgd),))
_fresh, _fresh_proof = _rate(fresh, _shrink**2 * u_norm, (fresh.starts(c_sgd),))

# --- one step, as its own statement
_p_t, _part = 1 + k_sgd * t, LAMBDA * c_sgd / (1 + k_sgd * t)
_now, _later = (tuned.letters(place, k) for place, k in (("now", t), ("later", t + 1)))
_x_t = iterate(tuned.run, t)
F_t = term("F_t", mean(minus(value(retained, _x_t), value(retained, u_any))), "E L_r(x_t) - L_r(u)")
_step = state(
    le(
        _p_t * _later[0] + 2 * LAMBDA * c_sgd * _later[1],
        _p_t * _now[0]
        + 2 * LAMBDA * c_sgd * _now[1]
        - 2 * c_sgd / mu * (1 - _part) * (F_t + mu / 2 * _now[0])
        + _noise / _p_t,
    ),
    u_in_ball,
)
_slope_t = grad(drawn(tuned.run, t), _x_t)
Q_gradient = term("Q_gradient", mean(inner(_slope_t, _slope_t)), "E|stochastic gradient at x_t|^2")
C_gradient = term("C_gradient", mean(inner(grad(retained, _x_t), _x_t)), "E<grad L_r(x_t), x_t>")
_mean = state(le(Q_gradient, V * L**2 + 2 * LAMBDA * mu * C_gradient))
_at_x_t = Lemma(
    "sharp.noise_lemma",
    {f_any: drawn(tuned.run, t), point_any: _x_t},
    {0: ((1, Schema("ball", (_x_t,))),)},
)

# --- where it is used: u = theta*, with what theta* costs, or u = theta_r*
z_square_bound = parameter("z_square_bound", NONNEGATIVE, "a bound on E|z|^2, z the noise")
F_reached = term(
    "F_reached",
    mean(excess(retained, Shifted("reached", _shrink * hat, c_sgd, p).released)),
    "E L_r(released average) - L_r*",
)
F_learned = term("F_learned", mean(excess(retained, fresh.released)), "E L_r(released average) - L_r*")
_loss = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))


def _asks(distance: sp.Expr, offset: sp.Expr) -> sp.Expr:
    return ge(_weight * (e - offset), _shrink**2 * distance + _noise * H_T)


_bounded = given(le(E_square, z_square_bound))
_old_hyps = (_growth, _bounded, given(_asks(z_square_bound, _loss)))
_from_old = state(le(_weight * F_reached, _weight * e), *_old_hyps)
_from_old_few = state(le(_weight * F_reached, _weight * e), *_old_hyps, given(ge(T + 1 - H_T, 0)))
_from_new = state(
    le(_weight * F_reached, _weight * e),
    _growth,
    _bounded,
    given(_asks(z_square_bound + r**2 * L**2 / mu**2, sp.Integer(0))),
    given(le(E_cross, 0)),
)
_between_hyps = (
    _growth,
    _bounded,
    given(ge(mu * share_between * _weight, 2 * (1 - r) * (1 + r) * (1 - share_between) * _shrink**2)),
    given(_asks(z_square_bound, price)),
    given(le(E_cross, 0)),
)
_from_between = state(le(_weight * F_reached, _weight * e), *_between_hyps)
_from_between_few = state(le(_weight * F_reached, _weight * e), *_between_hyps, given(ge(T + 1 - H_T, 0)))
_u_in_ball = {0: in_ball}
_scratch = state(le(_weight * F_learned, _weight * e), _growth, given(_asks(R**2, sp.Integer(0))))

CLAIMS = (
    theorem(
        "sharp.noise_lemma.mean",
        "sgd.rate",
        "E|g|^2 <= V L^2 + 2 lambda mu E<grad L_r(x_t), x_t> for the stochastic gradient g at x_t",
        _mean,
        proof=by(
            _mean, (1, Mean(_at_x_t)), (-2 * LAMBDA * mu, Schema("tower", (tuned.run, numeric(t), _x_t)))
        ),
        note="The printed rate uses E|g|^2 <= L^2, which forgets that a large gradient points away from the centre.",
    ),
    theorem(
        "sharp.sgd.step",
        "sgd.rate",
        "one projected step of size c/(mu p): p E|x'-u|^2 + 2 lambda c E<u, x'-u> <= p E|x-u|^2 + 2 lambda c E<u, x-u> "
        "- (2c/mu)(1 - lambda c/p) (E L_r(x) - L_r(u) + mu/2 E|x-u|^2) + V c^2 L^2/(mu^2 p), for every u of the ball",
        _step,
        proof=by(_step, *tuned.one_step(1 - _part)),
    ),
    theorem("sharp.sgd.few", "sgd.rate", "H <= T + 1: every p_t is at least 1", _few, proof=_few_proof),
    theorem(
        "sharp.sgd.rate",
        "sgd.rate",
        "T steps from x_0 = (1 - lambda c) y, averaged: (2c/mu)(T + 1 - lambda c H) (E L_r - L_r(u)) <= "
        "(1 - lambda c)^2 E|y-u|^2 + V c^2 H L^2/mu^2, H = sum of 1/p_t over t = 0 … T",
        _tuned,
        proof=_tuned_proof,
        note="The step from x_T is only thought, not made: T gradients suffice.",
    ),
    theorem(
        "sharp.efficient",
        "efficient",
        "noise, shrink, fine-tune with u = theta*: the target e is reached once (2c/mu)(T + 1 - lambda c H) "
        "(e - r^2 L^2/(2 mu (1-r^2))) >= (1 - lambda c)^2 E|z|^2 + V c^2 H L^2/mu^2",
        _from_old,
        proof=(
            Step(
                "with H <= T + 1",
                _from_old_few,
                Combination(
                    (
                        (1, Lemma("sharp.sgd.rate", {y_start: start, u_any: theta_all})),
                        (_shrink**2, Mean(Schema("projection", (start, theta_all)))),
                        (_shrink**2, Given(1)),
                        (1, Given(2)),
                        (2 * c_sgd / mu * _shrink * (T + 1), Lemma("opt_loss.sharper")),
                        (2 * c_sgd / mu * LAMBDA * c_sgd * (T + 1 - H_T), Lemma("opt_loss.sharper")),
                    )
                ),
            ),
            Step(
                "always",
                _from_old,
                Combination(((1, Lemma("with H <= T + 1", {}, {3: ((1, Lemma("sharp.sgd.few")),)})),)),
            ),
        ),
        note="The start is the shrunk release of sharp.release. Only the noise, not the distance of the optima, "
        "has to be worked off: theta* already costs no more than 4 r^2/(1 - r^2) e0.",
    ),
    theorem(
        "sharp.efficient.between",
        "efficient",
        "the same with u = tau theta* + (1 - tau) theta_r*: for every share kappa with mu kappa W >= 2 (1 - r^2)(1 - kappa) "
        "(1 - lambda c)^2, W = (2c/mu)(T + 1 - lambda c H), once W (e - kappa r^2 L^2/(2 mu (1-r^2))) >= (1 - lambda c)^2 "
        "E|z|^2 + V c^2 H L^2/mu^2",
        _from_between,
        proof=(
            Step(
                "with H <= T + 1",
                _from_between_few,
                Combination(
                    (
                        (1, Lemma("sharp.sgd.rate", {y_start: start, u_any: between}, _u_in_ball)),
                        (_shrink**2, Mean(Schema("projection", (start, between), _u_in_ball))),
                        (_shrink**2, Given(1)),
                        (2 * _shrink**2 * apart, Given(4)),
                        # What the distance from theta* to u costs is less than what u saves.
                        (apart**2 * D**2 / (2 * (1 - r) * (1 + r) * (1 - share_between)), Given(2)),
                        (1, Given(3)),
                        (2 * c_sgd / mu * _shrink * (T + 1), Lemma("sharp.between")),
                        (2 * c_sgd / mu * LAMBDA * c_sgd * (T + 1 - H_T), Lemma("sharp.between")),
                    )
                ),
            ),
            Step(
                "always",
                _from_between,
                Combination(((1, Lemma("with H <= T + 1", {}, {5: ((1, Lemma("sharp.sgd.few")),)})),)),
            ),
        ),
        note="The same algorithm as sharp.efficient, which is the share 1 and asks no mean of the noise. Only the "
        "analysis knows u; the smallest share that W allows is the best.",
    ),
    theorem(
        "sharp.efficient.near",
        "efficient",
        "the same with u = theta_r*: once (2c/mu)(T + 1 - lambda c H) e >= (1 - lambda c)^2 (E|z|^2 + r^2 L^2/mu^2) "
        "+ V c^2 H L^2/mu^2",
        _from_new,
        proof=by(
            _from_new,
            (1, Lemma("sharp.sgd.rate", {y_start: start, u_any: theta_r})),
            (_shrink**2, Mean(Schema("projection", (start, theta_r)))),
            (_shrink**2, Given(1)),
            (2 * _shrink**2, Given(3)),
            (_shrink**2 * (r * L / mu + D), Lemma("opt_dist.sharp")),
            (1, Given(2)),
        ),
    ),
    theorem(
        "sharp.scratch.rate",
        "scratch.upper",
        "T steps from 0: (2c/mu)(T + 1 - lambda c H) (E L_r - L_r(u)) <= (1 - lambda c)^2 |u|^2 + V c^2 H L^2/mu^2",
        _fresh,
        proof=_fresh_proof,
    ),
    theorem(
        "sharp.scratch.upper",
        "scratch.upper",
        "retraining from 0 reaches e once (2c/mu)(T + 1 - lambda c H) e >= (1 - lambda c)^2 R^2 + V c^2 H L^2/mu^2",
        _scratch,
        proof=by(
            _scratch,
            (1, Lemma("sharp.scratch.rate", {u_any: theta_r})),
            (_shrink**2, Schema("ball", (theta_r,))),
            (1, Given(1)),
        ),
    ),
)
