"""Projected stochastic gradient descent over objects: potentials that do not rise, and averages of iterates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import NATURAL, POSITIVE, parameter
from oubli.theory.paper.letters import L, data, mu, retained
from oubli.theory.paper.optima import theta_r
from oubli.theory.records.build import eq, ge, given, gt, le, state
from oubli.theory.records.objects import (
    Object,
    average,
    drawn,
    excess,
    grad,
    inner,
    iterate,
    mean,
    numeric,
    proj,
    random,
    scaled,
    sgd,
    term,
    total,
)
from oubli.theory.records.proof import (
    Combination,
    Given,
    Induction,
    Jensen,
    Lemma,
    Mean,
    Schema,
    SquaredNorm,
    Step,
    Term,
)

t = parameter("t", NATURAL, "index of the gradient step")
k_ = parameter("k_", NATURAL, "index of sums, weights and step sizes")

# Any noise that is added to theta*, and what is known of it.
z_any = random("z_any")
n_noise = parameter("n_noise", POSITIVE, "a bound on sqrt(E|z|^2), z the noise")
q_start = parameter("q_start", POSITIVE, "sqrt(E|z|^2 + r^2 L^2/mu^2): how far the start lies from theta_r*")


@dataclass(frozen=True)
class Descent:
    """A run on the retain loss of `data` with step sizes and weights in k_, and the average up to `last`.

    `name` tells its letters from those of other runs.
    """

    name: str
    start: Object
    size: sp.Expr
    weight: sp.Expr
    last: sp.Expr

    @property
    def run(self) -> Object:
        """The run itself."""
        return sgd(data, self.start, self.size)

    @property
    def gaps(self) -> Object:
        """The weighted expected gap of the k-th iterate, in k_."""
        return scaled(self.weight, mean(excess(retained, iterate(self.run, k_))))

    def released(self, at: Object | None = None) -> Object:
        """The average of the iterates, of this run or of the same run on another problem."""
        run = self.run if at is None else sgd(at, self.start, self.size)
        return average(run, self.weight, self.last)

    def gap(self) -> sp.Symbol:
        """E L_r(average) - L_r*."""
        return term(
            f"G_{self.name}", mean(excess(retained, self.released())), "E L_r(released average) - L_r*"
        )

    def distance(self, place: str, k: Any) -> sp.Symbol:
        """E|theta_k - theta_r*|^2."""
        away = iterate(self.run, k) - theta_r
        return term(f"D_{self.name}_{place}", mean(inner(away, away)), "E|theta_k - theta_r*|^2")

    def sum_of(self, letter: str, what: Any, place: str, last: Any) -> sp.Symbol:
        """A sum over k_ up to an index."""
        return term(f"{letter}_{self.name}_{place}", total(what, last), "a sum over the steps so far")

    def one_step(self) -> tuple[Term, ...]:
        """E|theta_{t+1} - u|^2 <= (1 - eta mu) E|theta_t - u|^2 - 2 eta gap + eta^2 L^2, u = theta_r*."""
        eta, now = self.size.subs(k_, t), numeric(t)
        x, ahead = iterate(self.run, t), iterate(self.run, t + 1)
        loss = drawn(self.run, t)
        moved = x - eta * grad(loss, x)
        return (
            (1, Mean(Schema("projection", (moved, theta_r)))),
            (-1, Mean(Schema("step", (self.run, now, ahead + proj(moved) - 2 * theta_r)))),
            (2 * eta, Mean(Schema("strong convexity", (retained, x, theta_r)))),
            (eta**2, Mean(Schema("Lipschitz", (loss, x)))),
            (2 * eta, Schema("tower", (self.run, now, x - theta_r))),
        )

    def weights(self, closed: sp.Expr, *positive: Term) -> tuple[Step, ...]:
        """The weights up to `last` sum to closed(last + 1), closed in t, which `positive` shows positive there."""
        first, now, later, end = (
            self.sum_of("W", self.weight, place, k)
            for place, k in (("first", -1), ("now", t - 1), ("later", t), ("end", self.last))
        )
        number = numeric(self.weight)
        grown, whole = closed.subs(t, t + 1), closed.subs(t, self.last + 1)
        here = given(ge(self.last, 0))
        return (
            Step("no weight", state(eq(first, 0)), Combination(((1, Schema("empty sum", (number,))),))),
            Step(
                "one more weight",
                state(eq(later, grown), given(eq(now, closed))),
                Combination(((1, Given(0)), (1, Schema("sum step", (number, numeric(t - 1)))))),
            ),
            Step(
                "weights",
                state(eq(end, whole), here),
                Induction(t, now - closed, "no weight", "one more weight", {}, {}, self.last + 1),
            ),
            Step(
                "some weight",
                state(gt(end, 0), here),
                Combination(((1, Lemma("weights")), *positive)),
            ),
            Step(
                "convexity",
                state(
                    le(end * self.gap(), self.sum_of("S", self.gaps, "end", self.last)),
                    here,
                    given(gt(end, 0)),
                    also=(L, mu),
                ),
                Combination(((1, Mean(Jensen(retained, self.released()))),)),
            ),
        )

    def potential(self, value: Any, slope: sp.Expr | int, terms: tuple[Term, ...]) -> tuple[Step, ...]:
        """value(t, sum of gaps so far, E|theta_t - u|^2) >= 0 for all t up to last + 1.

        `slope` is that of the value in the sum, `terms` are what one more step brings.
        """

        def at(place: str, k: Any) -> sp.Expr:
            return value(k, self.sum_of("S", self.gaps, place, k - 1), self.distance(place, k))

        nothing, one_more = Schema("empty sum", (self.gaps,)), Schema("sum step", (self.gaps, numeric(t - 1)))
        return (
            Step("at 0", state(ge(at("first", 0), 0)), Combination(((slope, nothing),))),
            Step(
                "from t to t+1",
                state(ge(at("later", t + 1), 0), given(ge(at("now", t), 0)), also=(L, mu)),
                Combination(((1, Given(0)), (slope, one_more), *terms)),
            ),
            Step(
                "at the end",
                state(ge(at("end", self.last + 1), 0), given(ge(self.last, 0)), also=(L, mu)),
                Induction(t, at("now", t), "at 0", "from t to t+1", {}, {}, self.last + 1),
            ),
        )


def at_end(run: Descent) -> SquaredNorm:
    """|theta_{last+1} - u|^2 >= 0."""
    return SquaredNorm(iterate(run.run, run.last + 1) - theta_r)
