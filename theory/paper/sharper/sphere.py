"""Unlearning, lower bound that gains the dimension by rotations: starts on a sphere, a rare kink at each.

The starts are A u, u uniform on the unit sphere of d coordinates. An output that is private cannot follow the start: with
p the part of it along u and q the part across, D E q >= sin(eta) P E p - delta' A by the cone test over a hop of the angle eta.
But a rare kink at A u charges what misses it, and completing squares gives the least that can be paid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, parameter
from oubli.theory.paper.letters import L, R, T, d, e0, mu, r
from oubli.theory.paper.sharper.cone import TESTED, across, cosine, k_cone, sine, t_turn, test
from oubli.theory.paper.sharper.rare_kink import (
    A_ball,
    a_rare,
    charged,
    tilt_rare,
    x_less,
    x_rare,
    y_more,
)
from oubli.theory.records.build import by, ge, given, le, state, theorem
from oubli.theory.records.objects import (
    AHEAD,
    Object,
    cap,
    cut,
    inner,
    mean,
    norm,
    numeric,
    spun,
    term,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Mean,
    One,
    Schema,
    Spin,
    Square,
    SquaredNorm,
    Step,
    Term,
)

E_hop = parameter("E_hop", NONNEGATIVE, "factor by which a test of the output may grow over a hop")
delta_hop = parameter("delta_hop", NONNEGATIVE, "what it may grow by besides, per unit of its largest value")
P_cone = parameter("P_cone", NONNEGATIVE, "a lower bound on the probability of the cap")
D_cone = parameter("D_cone", NONNEGATIVE, "an upper bound on E_hop X - X_1 + (1 - cos(eta)) C")
k_cap = parameter(
    "k_cap", meaning="cot(w1), w1 the angle of the cap; on the line a negative one is all of it"
)


# --- means over caps, omega the angle of two directions in R^(d-1)
def _cap(cotangent: sp.Expr, i: int) -> Object:
    return cap(d - 1, cotangent, i)


def _straight(cotangent: sp.Expr) -> Object:
    """E[cos(omega) - cot(w0) sin(omega); omega in the cap]."""
    return Object(["+", _cap(cotangent, 1).node, ["*", -1, k_cone.name, _cap(cotangent, 2).node]])


X_side = term("X_side", _straight(k_cone), "E(cos(omega) - cot(w0) sin(omega))_+")
N_side = term(
    "N_side", Object(["*", -1, _straight(k_cap).node]), "E[cot(w0) sin(omega) - cos(omega); omega <= w1]"
)
C_side = term("C_side", _cap(k_cap, 1), "E[cos(omega); omega <= w1]")
Q_side = term("Q_side", Object(["+", 1, ["*", -1, _cap(k_cap, 0).node]]), "P(omega > w1)")

# --- what an output costs
t_slope = parameter(
    "t_slope", NONNEGATIVE, "tan(alpha/2): the kink is replaced by its slope at the angle alpha"
)
sine_slope, cosine_slope = 2 * t_slope / (1 + t_slope**2), (1 - t_slope**2) / (1 + t_slope**2)
g_multiplier = parameter("g_multiplier", NONNEGATIVE, "multiplier of what an output cannot do")
_along = (1 - tilt_rare) * A_ball + a_rare * cosine_slope - g_multiplier * sine * P_cone
_aside = g_multiplier * D_cone - a_rare * sine_slope
_constant = A_ball**2 * (1 - 2 * tilt_rare) + 2 * a_rare * A_ball * cosine_slope - _along**2 - _aside**2
forced = _constant - 2 * g_multiplier * delta_hop * A_ball
unseen = sp.exp(T * sp.log(1 - a_rare))

START, RADIUS = A_ball * AHEAD, R * A_ball
PROJECTED = cut(RADIUS, x_rare)
p_out = term("p_out", inner(PROJECTED, AHEAD), "<O, u>, the part of the output along its start")
q_out = term("q_out", across(PROJECTED, AHEAD), "|O - <O, u> u|")
psi_out = term("psi_out", charged(PROJECTED, START), "what the output costs at least on W_(A u)")
n_out = term("n_out", norm(PROJECTED - R * START), "|O - R A u|")
_gain = g_multiplier * e0 / R
_cost = state(
    ge(psi_out - 2 * _gain * (D_cone * q_out - sine * P_cone * p_out) - e0 * _constant, 0), also=(n_out, d)
)
_slope_line = (RADIUS - p_out) * cosine_slope + q_out * sine_slope
_near_kink = Lemma(
    "sharp.rare.root",
    {x_less: _slope_line, y_more: n_out},
    {0: ((1, Square((RADIUS - p_out) * sine_slope - q_out * cosine_slope)),)},
)
_left = (1 - a_rare) / (1 - r)  # 1 - a'
most_paid = e0 * (4 * (_left + a_rare) * A_ball**2 + a_rare)
_bounded = state(le(psi_out, most_paid), given(le(r, a_rare)), also=(n_out,))
_length = Schema("cut length", (numeric(RADIUS), x_rare))


# --- an output cannot follow the start
@dataclass(frozen=True)
class Family:
    """Releases of the problems whose starts are on the sphere, by direction, with what is known of them.

    `given` is what the theorem assumes; `steps` show, at every u and e, what a test may grow by over a hop, and
    that the worst risk is at least `seen` times what the release costs.
    """

    name: str
    key: str
    release: Callable[[Object], Object]
    risk: sp.Symbol
    seen: sp.Expr
    given: tuple[Hypothesis, ...]

    def term(self, name: str, number: Object, meaning: str) -> sp.Symbol:
        """A letter of this family."""
        return term(f"{name}_{self.name}", number, meaning)

    def projected(self, direction: Object = AHEAD) -> Object:
        """The release at the start in a direction, projected on the ball of radius A R."""
        return cut(RADIUS, self.release(direction))

    def state(self, says: sp.Basic, *more: Hypothesis, also: tuple[sp.Symbol, ...] = ()) -> Statement:
        """A statement under what the theorem assumes."""
        return state(says, *self.given, *more, also=(L, mu, *also))


TURNED = cosine * AHEAD + sine * Object("e_")
_CAPS = (
    given(le(P_cone, 1 - Q_side)),
    given(ge(D_cone, E_hop * X_side + N_side + (1 - cosine) * C_side)),
)


def shared(growth: sp.Expr, loss: sp.Expr) -> tuple[Hypothesis, ...]:
    """The hypotheses on hop, cone and ball."""
    return (
        given(ge(E_hop, growth)),
        given(ge(delta_hop, loss)),
        *_CAPS,
        given(le(A_ball**2 * t_turn**2, r**2 * (1 + t_turn**2))),
        given(le(A_ball, 1 - r)),
        given(ge(d, 2)),
    )


def grown(family: Family) -> Statement:
    """What the mean of the test may grow by over a hop, at every u and e."""
    near, far = (mean(test(family.projected(u))) for u in (AHEAD, TURNED))
    at = family.term("F_near", near, "mean of the test where a hop begins")
    there = family.term("F_far", far, "mean of the test where it ends")
    return family.state(le(there, E_hop * at + delta_hop * RADIUS))


def _turned(family: Family) -> tuple[sp.Symbol, sp.Symbol]:
    """The means of the test where hops begin and where they end, over all of them."""
    near, far = (spun(mean(test(family.projected(u)))) for u in (AHEAD, TURNED))
    begins = family.term("G_near", near, "mean of the test where hops begin, over all of them")
    return begins, family.term("G_far", far, "mean of the test where they end")


def hops(family: Family) -> Statement:
    """The same in the mean over all directions."""
    G_near, G_far = _turned(family)
    return family.state(le(G_far, E_hop * G_near + delta_hop * RADIUS))


def follows(family: Family) -> tuple[Step, ...]:
    """D E q >= sin(eta) P E p - delta' A."""
    near = family.projected()
    q_here = family.term("q_here", mean(across(near, AHEAD)), "mean of |O - <O, u> u| at one start")
    E_p, E_q = _means(family)
    says = ge(D_cone * E_q - sine * P_cone * E_p + delta_hop * RADIUS, 0)
    positive, count = given(ge(E_q, 0)), len(family.given)
    ahead = (
        (1, Lemma(f"sharp.sphere.hops{family.key}")),
        (1, Schema("turned cone", (near, *map(numeric, (cosine, sine, k_cone, k_cap))), {0: ()})),
        (-E_hop, Schema("cone", (near, numeric(k_cone)))),
        (E_q, Given(3)),
        (sine * E_p, Given(2)),
    )
    behind = ((D_cone, Given(count)), (sine * P_cone, Given(count + 1)), (delta_hop * RADIUS, One()))
    return (
        Step("q", state(ge(q_out, 0), given(ge(d, 2)), also=(A_ball, L, mu)), Combination(((q_out, One()),))),
        Step(
            "mean of q",
            family.state(ge(q_here, 0)),
            Combination(((1, Mean(Lemma("q", {x_rare: family.release(AHEAD)}))),)),
        ),
        Step("mean of all q", family.state(ge(E_q, 0)), Spin("mean of q")),
        Step("ahead", family.state(says, positive, given(ge(E_p, 0)), also=(k_cap,)), Combination(ahead)),
        Step("behind", family.state(says, positive, given(ge(-E_p, 0)), also=(k_cap,)), Combination(behind)),
        Step("both", family.state(says, positive, also=(k_cap,)), Cases(E_p, "ahead", "behind")),
        Step(
            "across",
            family.state(says, also=(k_cap,)),
            Combination(((1, Lemma("both", {}, {count: ((1, Lemma("mean of all q")),)})),)),
        ),
    )


def _means(family: Family) -> tuple[sp.Symbol, sp.Symbol]:
    """The means of the parts of the release along and across."""
    o = family.projected()
    return (
        family.term("E_p", spun(mean(inner(o, AHEAD))), "mean of <O, u> over all starts A u"),
        family.term("E_q", spun(mean(across(o, AHEAD))), "mean of |O - <O, u> u| over all starts A u"),
    )


def paid(family: Family) -> tuple[Step, ...]:
    """What follows for the worst risk, from a step "each" on the mean cost at every u."""
    o = family.projected()
    p_here = family.term("p_here", mean(inner(o, AHEAD)), "mean of <O, u> at one start")
    q_here = family.term("q_here", mean(across(o, AHEAD)), "mean of |O - <O, u> u| at one start")
    E_p, E_q = _means(family)

    def least(p: sp.Symbol, q: sp.Symbol) -> sp.Basic:
        return ge(
            family.risk - family.seen * (e0 * _constant + 2 * _gain * (D_cone * q - sine * P_cone * p)), 0
        )

    cost = Mean(Lemma("sharp.sphere.cost", {x_rare: family.release(AHEAD)}))
    final = (
        (1, Lemma("all starts")),
        (
            2 * family.seen * _gain,
            Lemma(f"sharp.sphere.across{family.key}"),
        ),
    )
    return (
        Step(
            "at one start",
            family.state(least(p_here, q_here)),
            Combination(((1, Lemma(f"sharp.sphere.charged{family.key}")), (family.seen, cost))),
        ),
        Step("all starts", family.state(least(E_p, E_q)), Spin("at one start")),
        Step(
            "risk",
            family.state(ge(family.risk, e0 * family.seen * forced), also=(k_cap,)),
            Combination(final),
        ),
    )


# --- what both families use
SMALL: tuple[Term, ...] = ((1 - r + A_ball, Given(5)),)
TESTS = (
    *(
        Step(f"test at {end}", said, Combination(((1, Lemma(f"sharp.cone.{end}")),)))
        for end, said in TESTED.items()
    ),
)
TEST = test(PROJECTED)

CLAIMS = (
    theorem(
        "sharp.sphere.cost",
        "inefficient",
        "an output with the parts p along u and q across costs at least a constant plus 2 g (D q - sin(eta) P p) on W_(A u)",
        _cost,
        proof=by(
            _cost,
            (a_rare * L / 2, _near_kink),
            (e0, Square(p_out / R - _along)),
            (e0, Square(q_out / R - _aside)),
        ),
    ),
    theorem(
        "sharp.sphere.paid",
        "inefficient",
        "and an output in the ball of radius A R at most a constant",
        _bounded,
        proof=by(
            _bounded,
            (e0 / R**2 * (_left + a_rare), SquaredNorm(PROJECTED + R * START)),
            (2 * e0 / R**2 * (_left + a_rare) + mu * tilt_rare / 2, _length),
            (a_rare * e0, Square(1 - n_out / R)),
        ),
    ),
)
