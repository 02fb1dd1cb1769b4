"""Projected SGD with steps w_t/(mu p_t) by a shifted square, against any point u of the ball.

The potential p |x - u|^2 + 2 lambda w <u, x - u> is p |x - (1 - lambda w/p) u|^2 up to a constant: its centre
lies in the ball, so projecting is harmless, and the noise lemma cancels the shift exactly. The iterates are
averaged with the weights w (1 - lambda w/p).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis
from oubli.theory.paper.descent import k_, t
from oubli.theory.paper.letters import L, R, T, data, mu, retained
from oubli.theory.paper.mirror import f_any, point_any
from oubli.theory.paper.sharper.noise import LAMBDA
from oubli.theory.records.build import eq, ge, given, gt, le, state
from oubli.theory.records.objects import (
    Object,
    average,
    drawn,
    grad,
    inner,
    iterate,
    mean,
    minus,
    numeric,
    point,
    proj,
    scaled,
    sgd,
    term,
    total,
    value,
)
from oubli.theory.records.proof import (
    Combination,
    Given,
    Induction,
    Jensen,
    Lemma,
    Mean,
    One,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

u_any = point("u_any")
u_norm = term("u_norm", inner(u_any, u_any), "|u|^2 of the point that is compared with")
u_in_ball = given(le(u_norm, R**2))


def counted(name: str, of: sp.Expr, closed: sp.Expr) -> tuple[Step, ...]:
    """The sum of `of`, in k_, over k_ = 0 … t - 1 is `closed`, in t; and over 0 … T."""
    first, now, later, end = (
        term(f"{name}_{place}", total(of, k), "a sum over the steps so far")
        for place, k in (("first", -1), ("now", t - 1), ("later", t), ("end", T))
    )
    one_more = Schema("sum step", (numeric(of), numeric(t - 1)))
    return (
        Step("nothing", state(eq(first, 0)), Combination(((1, Schema("empty sum", (numeric(of),))),))),
        Step(
            "one more",
            state(eq(later, closed.subs(t, t + 1)), given(eq(now, closed))),
            Combination(((1, Given(0)), (1, one_more))),
        ),
        Step(
            "counted",
            state(eq(end, closed.subs(t, T + 1))),
            Induction(t, now - closed, "nothing", "one more", {}, {}, T + 1),
        ),
    )


@dataclass(frozen=True)
class Shifted:
    """A run on the retain loss with weights w and divisors p, in k_; `name` tells its letters from others."""

    name: str
    start: Object
    w: sp.Expr
    p: sp.Expr

    @property
    def run(self) -> Object:
        """The run itself."""
        return sgd(data, self.start, self.w / (mu * self.p))

    @property
    def weight(self) -> sp.Expr:
        """The weight of an iterate in the average, in k_."""
        return self.w * (1 - LAMBDA * self.w / self.p)

    @property
    def gaps(self) -> Object:
        """The weighted mean excess over u of the k-th iterate, in k_."""
        over = minus(value(retained, iterate(self.run, k_)), value(retained, u_any))
        return scaled(self.weight, mean(over))

    @property
    def released(self) -> Object:
        """The average of the iterates 0 … T."""
        return average(self.run, self.weight, T)

    def gap(self) -> sp.Symbol:
        """E L_r(average) - L_r(u)."""
        over = minus(value(retained, self.released), value(retained, u_any))
        return term(f"F_{self.name}", mean(over), "E L_r(released average) - L_r(u)")

    def whole(self) -> sp.Symbol:
        """The sum of the weights."""
        return term(f"W_{self.name}", total(self.weight, T), "sum of the weights of the average")

    def letters(self, place: str, k: Any) -> tuple[sp.Symbol, sp.Symbol, sp.Symbol]:
        """E|x_k - u|^2, E<u, x_k - u>, and the gaps before k, summed."""
        away = iterate(self.run, k) - u_any
        return (
            term(f"A_{self.name}_{place}", mean(inner(away, away)), "E|x_k - u|^2"),
            term(f"B_{self.name}_{place}", mean(inner(u_any, away)), "E<u, x_k - u>"),
            term(f"S_{self.name}_{place}", total(self.gaps, k - 1), "weighted gaps so far"),
        )

    def apart(self, k: Any) -> Mean:
        """E|x_k - u|^2 >= 0."""
        return Mean(SquaredNorm(iterate(self.run, k) - u_any))

    def one_step(self, *parts: sp.Expr) -> tuple[Term, ...]:
        """p A' + 2 lambda w B' <= p A + 2 lambda w B - (2/mu) weight (gap + mu/2 A) + V w^2 L^2/(mu^2 p).

        The `parts` sum to 1 - lambda w/p, written so that each is seen to be nonnegative.
        """
        w, p = self.w.subs(k_, t), self.p.subs(k_, t)
        x, loss, now = iterate(self.run, t), drawn(self.run, t), numeric(t)
        centre = (1 - LAMBDA * w / p) * u_any
        moved = x - (w / (mu * p)) * grad(loss, x)
        rest = LAMBDA * w / p * R**2
        inside = {0: (((1 - LAMBDA * w / p) ** 2, Given(0)), *((rest * part, One()) for part in (1, *parts)))}
        ball = {0: ((1, Schema("ball", (x,))),)}
        return (
            (p, Mean(Schema("projection", (moved, centre), inside))),
            (-p, Mean(Schema("step", (self.run, now, iterate(self.run, t + 1) + proj(moved) - 2 * centre)))),
            (w**2 / (mu**2 * p), Mean(Lemma("sharp.noise_lemma", {f_any: loss, point_any: x}, ball))),
            (2 * w / mu * (1 - LAMBDA * w / p), Schema("tower", (self.run, now, x - u_any))),
            *((2 * w / mu * part, Mean(Schema("strong convexity", (retained, x, u_any)))) for part in parts),
        )

    def potential(
        self,
        held: Callable[..., sp.Expr],
        also: sp.Expr,
        hyps: tuple[Hypothesis, ...],
        base: tuple[Term, ...],
        grown: tuple[Term, ...],
    ) -> tuple[Step, ...]:
        """held(k, A, B, S, H) >= 0 for all k up to T + 1, H the sum of `also` before k; linear in S and H.

        `base` shows it at 0, `grown` is what remains for one more step; the first of `hyps` is |u| <= R.
        """
        H = {
            place: term(f"H_{self.name}_{place}", total(also, k - 1), "a sum over the steps so far")
            for place, k in (("first", 0), ("now", t), ("later", t + 1), ("end", T + 1))
        }

        def at(place: str, k: Any) -> sp.Expr:
            return held(k, *self.letters(place, k), H[place])

        S_now = self.letters("now", t)[2]
        slopes = [(sp.diff(at("now", t), S), of) for S, of in ((S_now, self.gaps), (H["now"], numeric(also)))]
        nothing = tuple((slope, Schema("empty sum", (of,))) for slope, of in slopes)
        one_more = tuple((slope, Schema("sum step", (of, numeric(t - 1)))) for slope, of in slopes)
        return (
            Step("at 0", state(ge(at("first", 0), 0), *hyps, also=(L, mu)), Combination((*nothing, *base))),
            Step(
                "from t to t+1",
                state(ge(at("later", t + 1), 0), *hyps, given(ge(at("now", t), 0)), also=(L, mu)),
                Combination(((1, Given(len(hyps))), *one_more, *grown)),
            ),
            Step(
                "at the end",
                state(ge(at("end", T + 1), 0), *hyps, also=(L, mu)),
                Induction(t, at("now", t), "at 0", "from t to t+1", {}, {}, T + 1),
            ),
        )

    def convexity(self, hyps: tuple[Hypothesis, ...] = (), *positive: Term) -> Step:
        """The gap of the average, times the weights, is at most the sum of the gaps."""
        W, S = self.whole(), self.letters("end", T + 1)[2]
        says = state(le(W * self.gap(), S), *hyps, given(gt(W, 0)), also=(L, mu))
        mean_loss = Jensen(retained, self.released, {0: positive} if positive else {})
        return Step("convexity", says, Combination(((1, Mean(mean_loss)),)))

    def floor(self) -> Term:
        """p |x_{T+1} - (1 - lambda w/p) u|^2 >= 0, w and p those of the step from x_T."""
        w, p = self.w.subs(k_, T), self.p.subs(k_, T)
        return p, Mean(SquaredNorm(iterate(self.run, T + 1) - (1 - LAMBDA * w / p) * u_any))

    def starts(self, w: sp.Expr) -> Term:
        """A_0 + 2 w lambda B_0 + (lambda w)^2 |u|^2 = E|start - (1 - lambda w) u|^2."""
        first = iterate(self.run, 0)
        return -1, Mean(Schema("start", (self.run, first + self.start - 2 * (1 - LAMBDA * w) * u_any)))
