"""The order of infimum, supremum and minimum in T_e (l.480): a walk that is blind to all data.

After T gradients, none of which it looks at, it releases the T-th of N + 1 points from -R e_1 to R e_1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import COUNT, NATURAL, Domain, parameter
from oubli.theory.paper.letters import A_scratch, L, R, T, e, e0, gamma, mu, r
from oubli.theory.paper.scratch import BEST, LOWER
from oubli.theory.paper.setup import e_1
from oubli.theory.records.build import case, eq, ge, given, le, state, statement, theorem
from oubli.theory.records.objects import (
    Object,
    excess,
    given_time,
    hard_problem,
    mean,
    opt,
    out,
    retain,
    rule,
    term,
)
from oubli.theory.records.proof import Combination, Given, One, Schema, Step

N_grid = parameter("N_grid", COUNT, "number of steps of a walk from -R e_1 to R e_1")


def walk(steps: sp.Expr, radius: sp.Expr) -> Object:
    """The learning algorithm that goes from -R e_1 to R e_1 in equal steps, one per gradient."""
    return rule((radius * (2 * given_time / steps - 1)) * e_1)


def risk(A: Object, D: Object, at: sp.Expr) -> Object:
    """The mean excess retain loss of an algorithm on one problem."""
    return mean(excess(retain(D), out(A, D, at)))


# --- each of two problems is reached at a time of its own
T_plus = parameter("T_plus", NATURAL, "number of gradients on the problem with mean gamma")
T_minus = parameter("T_minus", NATURAL, "number of gradients on the problem with mean -gamma")
E_plus = term(
    "E_plus", risk(A_scratch, hard_problem(gamma, 0), T_plus), "risk on the problem with mean gamma"
)
E_minus = term(
    "E_minus", risk(A_scratch, hard_problem(-gamma, 0), T_minus), "risk on the problem with mean -gamma"
)
_own_times = state(
    ge(T, LOWER * e0 / e),
    given(le(E_plus, e)),
    given(le(E_minus, e)),
    given(ge(T, T_plus)),
    given(ge(T, T_minus)),
    given(ge(T, 1)),
    given(eq(gamma * sp.sqrt(T), BEST)),
    also=(r,),
)

# --- and so is every problem of the hard family
m_passed = parameter("m_passed", Domain(Fraction(-1), Fraction(1)), "mean of the signs on the retain data")
f_passed = parameter("f_passed", Domain(Fraction(-1), Fraction(1)), "mean of the signs on the forget data")
_passed = hard_problem(m_passed, f_passed)
E_passed = term("E_passed", risk(walk(N_grid, R), _passed, T), "risk of the walk on a hard problem")
_middle = N_grid * (1 + m_passed)
_passes = state(le(E_passed, e0 / N_grid**2), given(le(2 * T, _middle + 1)), given(ge(2 * T + 1, _middle)))
_best = (R * m_passed) * e_1
_room = {1: ((L**2 / 4 * (1 - m_passed) * (1 + m_passed), One()),)}

CLAIMS = (
    statement(
        "def.time.order",
        480,
        "the two problems with means gamma and -gamma of the lower bound, gamma = 0.42/sqrt(T), each reached at a time of its "
        "own, at most T, force T >= (3/50) e0/e",
        _own_times,
        instances=(
            case(
                "e = e0/10000: a walk along a grid of 100 steps, blind to all data, is within risk e of the one optimum after 52 "
                "steps and of the other after 48; 600 are claimed",
                {
                    L: 2,
                    mu: 1,
                    r: Fraction(1, 4),
                    e: Fraction(1, 20000),
                    T: 100,
                    T_plus: 52,
                    T_minus: 48,
                    gamma: BEST / 10,
                },
                objects={"A_scratch": walk(sp.Integer(100), sp.Integer(1))},
            ),
        ),
        repaired_by="scratch.theta",
        note="The order of supremum and minimum matters: a rule that is good for each loss at some time need not be good for "
        "all at one time. The walk passes every problem of the hard family so (def.time.walk). What T_e is over the whole "
        "class in the printed order is not known here.",
    ),
    theorem(
        "def.time.walk",
        "def.time.order",
        "a walk in N steps from -R e_1 to R e_1, blind to all data, has risk at most e0/N^2 on the hard problem of mean m after "
        "T gradients, T the nearest integer to N (1 + m)/2",
        _passes,
        proof=(
            Step(
                "near",
                _passes,
                Combination(
                    (
                        (
                            mu / 2,
                            Schema("tilted", ((L / 2 * m_passed) * e_1, opt(retain(_passed)) - _best), _room),
                        ),
                        (e0 / N_grid**2 * (1 + 2 * T - _middle), Given(0)),
                    )
                ),
            ),
        ),
    ),
)
