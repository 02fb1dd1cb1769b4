"""Gradient descent on smooth convex losses: descent, co-coercivity, and the rate of the last iterate."""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.records.build import by as combination
from oubli.theory.records.build import case, ge, given, gt, le, lt, repair, statement
from oubli.theory.records.objects import Object, built, grad, inner, term, tilt, unit
from oubli.theory.records.proof import Combination, Given, Induction, Lemma, Schema, SquaredNorm, Step

from .letters import (
    F_moved,
    F_x,
    F_y,
    G_x,
    Q_moved,
    Q_x,
    S_slope,
    T,
    alpha_step,
    beta,
    d,
    f,
    gap,
    moved,
    mu,
    slope,
    square,
    state,
    t,
    x,
    x_0,
    x_star,
    y,
)

_parabola = tilt(0 * unit(1))
_descent = state(le(F_moved, F_x - alpha_step * (1 - beta * alpha_step / 2) * S_slope))
_smooth = Schema("smoothness", (f, x, moved))
_strict = state(lt(F_moved, F_x), given(le(beta * alpha_step, 2)), given(gt(S_slope, 0)))
_strict_repaired = state(lt(F_moved, F_x), given(lt(beta * alpha_step, 2)), given(gt(S_slope, 0)))

# Co-coercivity: convexity from x and smoothness from y, both at the point that a step of 1/beta from y gives.
_turn = grad(f, y) - grad(f, x)
_between = y - (1 / beta) * _turn
_line = term("I_line", inner(grad(f, x), y - x), "<grad f(x), y - x>")
_turned = term("S_turned", square(_turn), "|grad f(y) - grad f(x)|^2")
_cocoercive = state(ge(F_y, F_x + _line + _turned / (2 * beta)))
_self = state(le(S_slope, 2 * beta * G_x))
_distance = state(le(Q_moved, Q_x), given(le(beta * alpha_step, 2)))
_flat = Schema("stationary", (f, x - x_star))


def iterate(k: Any) -> Object:
    """The k-th iterate of gradient descent with step size 1/beta."""
    return built("descent", f, x_0, 1 / beta, k)


def _potential(k: Any, place: str) -> tuple[sp.Symbol, sp.Symbol]:
    """f(x_k) - f(x*) and |x_k - x*|^2."""
    return (
        term(f"G_{place}", gap(iterate(k)), "f(x_k) - f(x*)"),
        term(f"Q_{place}", square(iterate(k) - x_star), "|x_k - x*|^2"),
    )


Q_first = term("Q_first", square(x_0 - x_star), "|x_0 - x*|^2")
G_begin, Q_begin = _potential(0, "begin")
G_now, Q_now = _potential(t, "now")
G_later, Q_later = _potential(t + 1, "later")
G_last, Q_last = _potential(T, "last")


def _held(k: Any, g: sp.Symbol, q: sp.Symbol) -> sp.Expr:
    """k (f(x_k) - f(x*)) + beta/2 |x_k - x*|^2 does not rise."""
    return beta / 2 * Q_first - k * g - beta / 2 * q


_x, _ahead = iterate(t), iterate(t + 1)
_step_along = _x - (1 / beta) * grad(f, _x) + _ahead
_rate = state(le(G_last, beta * Q_first / (2 * T)), given(ge(T, 1)))
_rate_proof = (
    Step(
        "at 0",
        state(ge(_held(0, G_begin, Q_begin), 0)),
        Combination(((-beta / 2, Schema("start", (iterate(0), iterate(0) + x_0 - 2 * x_star))),)),
    ),
    Step(
        "from t to t+1",
        state(ge(_held(t + 1, G_later, Q_later), 0), given(ge(_held(t, G_now, Q_now), 0))),
        Combination(
            (
                (1, Given(0)),
                (t + 1, Schema("smoothness", (f, _x, _ahead))),
                (1, Schema("convexity", (f, _x, x_star))),
                (-beta / 2, Schema("step", (_ahead, _step_along - 2 * x_star))),
                (-(t + 1), Schema("step", (_ahead, grad(f, _x)))),
                (
                    -(t + 1) * beta / 2,
                    Schema("step", (_ahead, _ahead - _x - (1 / beta) * grad(f, _x))),
                ),
                (t / (2 * beta), SquaredNorm(grad(f, _x))),
            )
        ),
    ),
    Step(
        "at T",
        state(ge(_held(T, G_last, Q_last), 0)),
        Induction(t, _held(t, G_now, Q_now), "at 0", "from t to t+1", {}, {}, T),
    ),
    Step(
        "rate",
        _rate,
        Combination(
            ((1 / T, Lemma("at T")), (beta / (2 * T), SquaredNorm(iterate(T) - x_star))),
        ),
    ),
)
_better = state(le(G_last, beta * Q_first / (16 * T)), given(ge(T, 1)))

CLAIMS = (
    statement(
        "descent", 14, "a step of size alpha lowers f by at least alpha (1 - beta alpha/2) |grad f|^2",
        _descent, "lem:descent", proof=combination(_descent, (1, _smooth)),
    ),
    statement(
        "strict", 18, "a step of size at most 2/beta lowers f, where the gradient is not 0",
        _strict, "lem:strict",
        instances=(
            case("beta/2 x^2 at 1, alpha = 2/beta: the step leads to -1",
                 {beta: 1, mu: 1, d: 1, alpha_step: 2}, objects={"f_smooth": _parabola, "x_smooth": unit(1)}),
        ),
        repaired_by="strict.repaired",
    ),
    repair(
        "strict.repaired", 18, "a step of size less than 2/beta does", _strict_repaired,
        proof=(
            Step(
                "strict", _strict_repaired,
                Combination(((1, _smooth), (alpha_step * (2 - beta * alpha_step) / 2, Given(1)))),
            ),
        ),
    ),
    statement(
        "cocoercive", 22, "convexity with 1/(2 beta) |grad f(y) - grad f(x)|^2 to spare",
        _cocoercive, "lem:cocoercive",
        proof=combination(
            _cocoercive,
            (1, Schema("convexity", (f, x, _between))),
            (1, Schema("smoothness", (f, y, _between))),
        ),
    ),
    statement(
        "self", 25, "the squared gradient is at most 2 beta (f(x) - f(x*))", _self, "lem:self",
        proof=combination(
            _self,
            (2 * beta, Lemma("cocoercive", {x: x_star, y: x})),
            (2 * beta, _flat),
            (-2, Schema("stationary", (f, slope))),
            (1, Schema("stationary", (f, grad(f, x_star)))),
        ),
    ),
    statement(
        "distance", 29, "a step of size at most 2/beta does not lead away from a minimiser",
        _distance, "lem:distance",
        proof=combination(
            _distance,
            (2 * alpha_step, Lemma("cocoercive", {x: x_star, y: x})),
            (2 * alpha_step, Lemma("cocoercive", {y: x_star})),
            (2 * alpha_step, _flat),
            (alpha_step * (2 - beta * alpha_step) / beta, SquaredNorm(slope)),
            (-4 * alpha_step / beta, Schema("stationary", (f, slope))),
            (2 * alpha_step / beta, Schema("stationary", (f, grad(f, x_star)))),
        ),
    ),
    statement(
        "rate", 33, "after T steps of size 1/beta the gap is at most beta |x_0 - x*|^2/(2 T)",
        _rate, "thm:rate", proof=_rate_proof,
    ),
    statement(
        "better", 37, "it is at most beta |x_0 - x*|^2/(16 T)", _better, "thm:better",
        instances=(
            case("x^2/2 from 1 with beta = 3, T = 1: the gap is 2/9, not 3/16",
                 {beta: 3, mu: 1, d: 1, T: 1}, objects={"f_smooth": _parabola, "x_begin_smooth": unit(1)}),
        ),
        repaired_by="rate",
    ),
)  # fmt: skip
