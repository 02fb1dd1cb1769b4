"""Gradient descent with Gaussian noise in each gradient, and the mean of its iterates."""

from __future__ import annotations

from typing import Any

from oubli.theory.records.build import eq, ge, given, le, lt, statement
from oubli.theory.records.objects import Object, built, grad, mean, term, total, value
from oubli.theory.records.proof import Combination, Given, Induction, Lemma, Mean, Schema, SquaredNorm, Step

from .descent import Q_first
from .letters import T, alpha_step, beta, d, f, gap, k_, s_noise, square, state, t, x, x_0, x_star

RUN = (f, x_0, alpha_step, s_noise)


def iterate(k: Any) -> Object:
    """The k-th iterate."""
    return built("noisy", *RUN, k)


def away(k: Any, place: str) -> Any:
    """E|x_k - x*|^2."""
    return term(f"N_{place}", mean(square(iterate(k) - x_star)), "E|x_k - x*|^2")


def gaps(last: Any, place: str) -> Any:
    """The sum of the gaps E f(x_k) - f(x*) for k = 0 … last."""
    return term(f"S_gaps_{place}", total(mean(gap(iterate(k_))), last), "the sum of the gaps so far")


N_begin, N_now, N_later, N_last = (
    away(k, place) for k, place in ((0, "begin"), (t, "now"), (t + 1, "later"), (T, "last"))
)
H_now = term("H_now", mean(gap(iterate(t))), "E f(x_t) - f(x*)")
_keep = 2 * alpha_step * (1 - alpha_step * beta)
_noisy = state(le(N_later, N_now - _keep * H_now + alpha_step**2 * d * s_noise**2))

_x, _ahead, _shock = iterate(t), iterate(t + 1), built("shock", *RUN, t)
_slope = grad(f, _x)
_moved = _x - alpha_step * (_slope + _shock)
# |x_{t+1} - x*|^2 = |x_t - x*|^2 - 2 alpha <g + z, x_t - x*> + alpha^2 |g + z|^2, in the mean.
ONE_STEP = (
    (-1, Mean(Schema("step", (_ahead, _ahead + _moved - 2 * x_star)))),
    (2 * alpha_step, Mean(Schema("convexity", (f, _x, x_star)))),
    (2 * alpha_step, Schema("unseen", (_x, _x - x_star))),
    (alpha_step**2, Mean(Lemma("self", {x: _x}))),
    (-2 * alpha_step**2, Schema("unseen", (_x, _slope))),
    (-(alpha_step**2), Schema("variance", (_x,))),
)

G_mean = term("G_mean", mean(gap(built("averaged", *RUN, T))), "E f(mean of the iterates) - f(x*)")
F_star = term("F_star", value(f, x_star), "f(x*)")
S_first, S_now, S_later, S_end = (
    gaps(last, place) for last, place in ((-1, "first"), (t - 1, "now"), (t, "later"), (T - 1, "end"))
)
W_first, W_now, W_later, W_end = (
    term(f"W_{place}", total(1, last), "the number of iterates so far")
    for last, place in ((-1, "none"), (t - 1, "before"), (t, "after"), (T - 1, "all"))
)


def _held(k: Any, sum_: Any, n: Any) -> Any:
    """|x_0 - x*|^2 + k alpha^2 d sigma^2 - 2 alpha (1 - alpha beta) (sum of gaps) - E|x_k - x*|^2 >= 0."""
    return Q_first + k * alpha_step**2 * d * s_noise**2 - _keep * sum_ - n


_small = given(lt(alpha_step * beta, 1))
_one = Object(1)
_sgd = state(
    le(G_mean, (Q_first / (alpha_step * T) + alpha_step * d * s_noise**2) / (2 * (1 - alpha_step * beta))),
    given(ge(T, 1)),
    _small,
    also=(W_end, S_end),
)
_proof = (
    Step("none", state(eq(W_first, 0)), Combination(((1, Schema("empty sum", (_one,))),))),
    Step(
        "one more",
        state(eq(W_later, t + 1), given(eq(W_now, t))),
        Combination(((1, Given(0)), (1, Schema("sum step", (_one, Object(["+", "t", -1])))))),
    ),
    Step("count", state(eq(W_end, T)), Induction(t, W_now - t, "none", "one more", {}, {}, T)),
    Step(
        "at 0",
        state(ge(_held(0, S_first, N_begin), 0)),
        Combination(
            (
                (-_keep, Schema("empty sum", (mean(gap(iterate(k_))),))),
                (-1, Mean(Schema("start", (iterate(0), iterate(0) + x_0 - 2 * x_star)))),
            )
        ),
    ),
    Step(
        "from t to t+1",
        state(ge(_held(t + 1, S_later, N_later), 0), given(ge(_held(t, S_now, N_now), 0))),
        Combination(
            (
                (1, Given(0)),
                (1, Lemma("noisy")),
                (-_keep, Schema("sum step", (mean(gap(iterate(k_))), Object(["+", "t", -1])))),
            )
        ),
    ),
    Step(
        "at T",
        state(ge(_held(T, S_end, N_last), 0)),
        Induction(t, _held(t, S_now, N_now), "at 0", "from t to t+1", {}, {}, T),
    ),
    Step(
        "convexity",
        state(le(T * G_mean, S_end), given(ge(T, 1)), also=(W_end, F_star)),
        Combination(
            (
                (1, Mean(Schema("mean of iterates", (f, built("averaged", *RUN, T))))),
                (-F_star, Lemma("count")),
            )
        ),
    ),
    Step(
        "rate",
        _sgd,
        Combination(
            (
                (1 / T, Lemma("convexity", {}, {0: ((1, Given(0)),)})),
                (1 / (_keep * T), Lemma("at T")),
                (1 / (_keep * T), Mean(SquaredNorm(iterate(T) - x_star))),
            )
        ),
    ),
)

CLAIMS = (
    statement(
        "noisy", 41, "one step with noise, in the mean", _noisy, "lem:noisy",
        proof=(Step("noisy", _noisy, Combination(ONE_STEP)),),
    ),
    statement(
        "sgd", 45, "the mean of T iterates with steps below 1/beta", _sgd, "thm:sgd", proof=_proof,
    ),
)  # fmt: skip
