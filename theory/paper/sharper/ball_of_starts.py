"""Unlearning, lower bound over a ball of starts with rare kinks: what a private output must miss its start by.

The starts y fill the ball of radius A in d coordinates, and hops of length 2 r go in all directions u. A test of the miss
grows little over a hop, and by about 2 r in its mean over directions. Starts within A - 2 r of the centre are reached from
all directions; they are the share nu of the ball.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.paper.letters import L, R, d, e0, mu, r
from oubli.theory.paper.sharper.miss import (
    HOP,
    PUSH,
    SIZE,
    N_cap,
    Q_cap,
    X_cone,
    n_miss,
    rate_ball,
    slope_ball,
    test,
    z_ball,
    zeta_ball,
)
from oubli.theory.paper.sharper.rare_kink import A_ball, a_rare, charged, x_rare, y_rare
from oubli.theory.paper.sharper.sphere import RADIUS, E_hop, P_cone, delta_hop, k_cap, most_paid
from oubli.theory.records.build import combined, ge, given, le, lt, state
from oubli.theory.records.objects import (
    AHEAD,
    PLACE,
    ZERO,
    Object,
    cut,
    inner,
    inside,
    mean,
    norm,
    spun,
    term,
)
from oubli.theory.records.proof import Given, Lemma, Mean, One, Step, Sweep, Term

INNER = A_ball - HOP
nu_ball = sp.exp(d * sp.log(INNER / A_ball))
D_ball = parameter("D_ball", POSITIVE, "an upper bound on E_hop X - nu X_1")
forced_ball = zeta_ball**2 + slope_ball * zeta_ball

# --- any start, and where a hop ends
END = PLACE + HOP * AHEAD
n_place = term("n_place", inner(PLACE, PLACE), "|y|^2 of any start")
n_ended = term("n_ended", inner(END, END), "|y + 2 r u|^2, where a hop ends")
BEGINS, ENDS = given(le(n_place, A_ball**2)), given(le(n_ended, A_ball**2))
SMALL, RARE = given(le(A_ball, 1 - r)), given(le(r, a_rare))
IN_SMALL: Term = (1 - r + A_ball, Given(0))
_CAP, _LARGE = given(le(P_cone, 1 - Q_cap)), given(lt(HOP, A_ball))
_DIVISOR = given(ge(D_ball, E_hop * X_cone + nu_ball * N_cap))
_REACHED = given(le(zeta_ball * D_ball, HOP * nu_ball * P_cone - 2 * A_ball * delta_hop))

# --- the test of an output, and what it costs, from any start
_CUT = cut(RADIUS, x_rare)
_MISS = _CUT - R * PLACE
TEST, COST = test(_MISS), charged(_CUT, PLACE)
f_out = term("f_out", TEST, "the cone test of the miss of an output, from any start")
psi_any = term("psi_any", COST, "what an output costs at least on W_y, from any start")
TESTS = (
    combined(
        "test at least",
        state(ge(f_out, 0), also=(A_ball, L, mu)),
        (1, Lemma("sharp.ball.least", {z_ball: _MISS})),
    ),
    combined("test at most", state(le(f_out, SIZE), BEGINS), (1, Lemma("sharp.ball.most", {y_rare: PLACE}))),
)
COSTS = (
    combined(
        "cost at least",
        state(ge(psi_any, 0), SMALL, RARE, BEGINS),
        (1, Lemma("sharp.rare.least", {y_rare: PLACE, x_rare: _CUT}, {0: (IN_SMALL, (1, Given(2)))})),
    ),
    combined(
        "cost at most",
        state(le(psi_any, most_paid), BEGINS),
        (1, Lemma("sharp.ball.paid", {y_rare: PLACE})),
    ),
)


# --- all starts
@dataclass(frozen=True)
class Starts:
    """Releases of the problems that start in the ball, with what is known of them.

    `hop` is assumed for the growth of a test over a hop, E_hop and delta_hop first; `cost` for what the release
    costs, A <= 1 - r first. `rare` shows a >= r by `cost`, and `grows` that the factor of the hop is at least 1.
    """

    name: str
    key: str
    release: Callable[[Object], Object]
    risk: sp.Symbol
    seen: sp.Expr
    hop: tuple[Hypothesis, ...]
    cost: tuple[Hypothesis, ...]
    rare: tuple[Term, ...]
    grows: tuple[Term, ...]

    def term(self, name: str, number: Object, meaning: str) -> sp.Symbol:
        """A letter of this family."""
        return term(f"{name}_{self.name}", number, meaning)

    def projected(self, y: Object = PLACE) -> Object:
        """The release at a start, projected on the ball of radius A R."""
        return cut(RADIUS, self.release(y))

    def missed(self) -> Object:
        """By how much it misses the start."""
        start: Object = R * PLACE
        return self.projected() - start

    def hopping(self, says: sp.Basic, *more: Hypothesis) -> Statement:
        """A statement under what is assumed for hops."""
        return state(says, *self.hop, *more, also=(L, mu, d))

    def costing(self, says: sp.Basic, *more: Hypothesis) -> Statement:
        """A statement under what is assumed for costs."""
        return state(says, *self.cost, *more, also=(L, mu, d, zeta_ball))

    def given(self) -> tuple[Hypothesis, ...]:
        """All that is assumed."""
        return tuple(dict.fromkeys((*self.hop, _CAP, _LARGE, *self.cost, _DIVISOR, _REACHED)))


def grown(family: Starts) -> Statement:
    """What the mean of the test may grow by over a hop from any start in any direction."""
    begins, ends = mean(test(family.missed())), mean(test(family.projected(END) - R * PLACE))
    at = family.term("F_begins", begins, "mean of the test where a hop begins")
    there = family.term("F_ends", ends, "mean of the test where it ends")
    return family.hopping(ge(E_hop * at + delta_hop * SIZE - there, 0), BEGINS, ENDS)


def _sizes(family: Starts) -> tuple[sp.Symbol, sp.Symbol, sp.Symbol]:
    """E|z| at any start, and its means over the ball and over the inner one."""
    here = mean(norm(family.missed()))
    return (
        family.term("K_here", here, "E|z| at any start"),
        family.term("K_all", inside(A_ball, here), "E|z| in the mean over all starts"),
        family.term("K_inside", inside(INNER, here), "the same over the starts within A - 2 r of the centre"),
    )


def misses(family: Starts) -> tuple[Step, ...]:
    """E_hop X K + nu N K_inside >= R (2 r nu P - 2 A delta_hop)."""
    near, far = test(family.missed()), test(family.missed() + PUSH)
    begins = family.term("F_begins", mean(near), "mean of the test where a hop begins")
    seen = family.term("F_seen", mean(far), "mean of the test where it ends, seen from there")
    spun_near = family.term("S_begins", spun(mean(near)), "the mean of F_begins over directions")
    spun_far = family.term("S_seen", spun(mean(far)), "the mean of F_seen over directions")
    G_begins = family.term("G_begins", inside(A_ball, spun(mean(near))), "mean of it over all starts")
    G_seen = family.term("G_seen", inside(INNER, spun(mean(far))), "mean of it over the inner starts")
    K_here, K_all, K_inside = _sizes(family)
    room, reached = delta_hop * SIZE, R * HOP * (1 - Q_cap)
    least = [Mean(Lemma("sharp.ball.least", {z_ball: z})) for z in (family.missed(), family.missed() + PUSH)]
    z = {z_ball: family.missed()}
    return (
        combined("hop", grown(family), (1, Lemma(f"sharp.ball.hop{family.key}"))),
        combined("tested", family.hopping(ge(E_hop * begins + room, 0)), (E_hop, least[0]), (room, One())),
        combined("seen", family.hopping(ge(seen, 0)), (1, least[1])),
        Step(
            "all hops",
            family.hopping(ge(E_hop * G_begins + room - nu_ball * G_seen, 0), _LARGE),
            Sweep("hop", "tested", "seen", A_ball, INNER, INNER / A_ball, HOP),
        ),
        combined("near", state(ge(X_cone * K_here - spun_near, 0)), (-1, Lemma("sharp.ball.near", z))),
        Step("all near", state(ge(X_cone * K_all - G_begins, 0)), Sweep("near", "near", "", A_ball, A_ball)),
        combined("far", state(ge(spun_far - reached + N_cap * K_here, 0)), (1, Lemma("sharp.ball.far", z))),
        Step(
            "all far",
            state(ge(G_seen - reached + N_cap * K_inside, 0), _LARGE),
            Sweep("far", "far", "", INNER, INNER),
        ),
        combined(
            "missed",
            family.hopping(
                ge(E_hop * X_cone * K_all + nu_ball * N_cap * K_inside, R * HOP * nu_ball * P_cone - room),
                _CAP,
                _LARGE,
            ),
            (1, Lemma("all hops")),
            (E_hop, Lemma("all near")),
            (nu_ball, Lemma("all far")),
            (R * HOP * nu_ball, Given(len(family.hop))),
        ),
    )


def paid(family: Starts) -> tuple[Step, ...]:
    """What follows for the worst risk, from what the release costs at any start."""
    K_here, K_all, K_inside = _sizes(family)
    level, rate = family.risk + family.seen * e0 * zeta_ball**2, family.seen * e0 * rate_ball / R
    every, count = family.given(), len(family.cost)
    at_any, at_zero = (
        ge(level - rate * K_here, 0),
        Lemma("any", {PLACE: ZERO}, {count: ((A_ball**2, One()),)}),
    )
    cost = Lemma("sharp.ball.cost", {x_rare: family.projected(), y_rare: PLACE}, {1: family.rare})
    positive = tuple(given(ge(x, 0)) for x in (level, X_cone, X_cone + N_cap, E_hop - 1))
    shown = ("level", "sharp.ball.cap", "sharp.ball.order", "growth")
    says = ge(family.risk, e0 * family.seen * forced_ball)
    weighed = (
        (nu_ball * (E_hop - 1) * X_cone / D_ball, Lemma("inner")),
        (nu_ball * (X_cone + N_cap) / D_ball, Lemma("inner")),
        (E_hop * X_cone / D_ball, Lemma("outer")),
        (rate / D_ball, Lemma(f"sharp.ball.miss{family.key}")),
        (rate * R / D_ball, Given(len(every) - 1)),
        (level / D_ball, Given(len(every) - 2)),
    )
    inner_ones = (1, Given(count + 1)), (4 * r * INNER + 4 * r**2, One())
    return (
        combined(
            "any",
            family.costing(at_any, BEGINS),
            (1, Lemma(f"sharp.ball.charged{family.key}")),
            (family.seen, Mean(cost)),
        ),
        combined(
            "any inner",
            family.costing(at_any, _LARGE, given(le(n_place, INNER**2))),
            (1, Lemma("any", {}, {count: inner_ones})),
        ),
        Step(
            "inner",
            family.costing(ge(level - rate * K_inside, 0), _LARGE),
            Sweep("any inner", "any inner", "", INNER, INNER),
        ),
        Step(
            "outer",
            family.costing(ge((1 - nu_ball) * level - rate * (K_all - nu_ball * K_inside), 0), _LARGE),
            Sweep("", "any", "any", A_ball, INNER, INNER / A_ball),
        ),
        combined("size", state(ge(n_miss, 0), also=(L, mu)), (n_miss, One())),
        combined(
            "level",
            family.costing(ge(level, 0)),
            (1, at_zero),
            (rate, Mean(Lemma("size", {x_rare: family.projected(ZERO), y_rare: ZERO}))),
        ),
        combined("growth", family.hopping(ge(E_hop - 1, 0)), (1, Given(0)), *family.grows),
        combined("weighed", state(says, *every, *positive, also=(k_cap,)), *weighed),
        combined(
            "paid",
            state(says, *every, also=(k_cap,)),
            (1, Lemma("weighed", {}, {len(every) + i: ((1, Lemma(key)),) for i, key in enumerate(shown)})),
        ),
    )
