"""Minimax times T^S and T^U as terms: what is known of them from rules that reach e, and from all that do."""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.algorithms import retraining
from oubli.theory.paper.letters import (
    T_S,
    A_scratch,
    L,
    M_scratch,
    T,
    data,
    e,
    e0,
    minimax_scratch,
    mu,
    r,
)
from oubli.theory.paper.scratch import LOWER
from oubli.theory.records.build import ge, given, gt, le, lt, state
from oubli.theory.records.objects import Object, given_data, numeric, rule, term, worst
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, One, Over, Reach, Schema, Step, Term

# --- at least: with no gradient nothing is reached, with T of them not much
below, _reached = given(lt(e, e0)), given(le(M_scratch, e))


def time_at_least(name: str, bound: sp.Expr, terms: tuple[Term, ...]) -> tuple[Step, ...]:
    """T^S >= bound for e < e0; the terms show T >= bound where T > 0 is the third that is given."""
    says, without = ge(T, bound), bound / (e0 - e)
    return (
        Step(f"{name}, T > 0", state(says, _reached, below, given(gt(T, 0)), also=(r,)), Combination(terms)),
        Step(
            f"{name}, T = 0",
            state(says, _reached, below, given(ge(-T, 0)), also=(r,)),
            Combination(((T, One()), (without, Given(0)), (without, Lemma("scratch.positive")))),
        ),
        Step(
            f"{name}, every T",
            state(says, _reached, below, also=(r,)),
            Cases(T, f"{name}, T > 0", f"{name}, T = 0"),
        ),
        Step(
            name,
            state(ge(T_S, bound), below, also=(r,)),
            Reach(f"{name}, every T", minimax_scratch, (A_scratch, T)),
        ),
    )


_one_more = Schema("whole", (numeric(T - 1),), {0: ((1, Given(2)),)})
at_least_one = time_at_least("T^S >= 1", sp.Integer(1), ((1, _one_more),))
at_least = time_at_least(
    "T^S from below",
    sp.Rational(LOWER) * e0 / e,
    ((1, Lemma("scratch.theta", {}, {1: ((1, _one_more),)})),),
)

# --- at most: stochastic gradient descent from 0
from_zero = rule(retraining.released(given_data))
M_retrain = term("M_retrain", worst(from_zero, T), "worst risk of stochastic gradient descent from 0")
_enough = given(ge((T + 1) * e, 2 * L**2 / mu))
_steps = 2 * L**2 / (mu * e)
_rounded = Schema("ceiling", (numeric(_steps),))
at_most = (
    Step(
        "each problem", state(le(retraining.gap(), e), _enough), Combination(((1, Lemma("scratch.upper")),))
    ),
    Step("worst", state(le(M_retrain, e), _enough), Over("each problem", worst(from_zero, T), (data,))),
    Step(
        "T^S <= T",
        state(le(T_S, T), _enough),
        Combination(
            (
                (
                    1,
                    Schema(
                        "time",
                        (Object("learner"), from_zero, numeric(0), numeric(T), numeric(e)),
                        {4: ((1, Lemma("worst")),)},
                    ),
                ),
            )
        ),
    ),
    Step(
        "T^S from above",
        state(le(T_S, 16 * e0 / e)),
        Combination(
            (
                (
                    1,
                    Lemma(
                        "T^S <= T",
                        {T: sp.ceiling(_steps) - 1},
                        {
                            0: ((e, _rounded),),
                            T: (
                                (
                                    1,
                                    Schema(
                                        "whole",
                                        (numeric(sp.ceiling(_steps) - 1),),
                                        {0: ((1, _rounded), (_steps, One()))},
                                    ),
                                ),
                            ),
                        },
                    ),
                ),
                (1, Schema("near ceiling", (numeric(_steps),))),
            )
        ),
    ),
)
