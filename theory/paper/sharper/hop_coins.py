"""A hop between two starts that T coin vectors cannot undo.

The retain data of N_y (sharp.rare) toss d independent coins: s in {±1/sqrt(d)}^d of mean y/(1 - r). Two starts y, y' at
most 2 r apart are those of one law of the coins, of mean (y + y')/(2 (1 - r)), with two forget laws: Definition 2 applies.
What is left are two changes of the means of the coins at a fixed start, each by at most rho in norm.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.paper.letters import A_private, L, S_any, T, d, delta, epsilon, mu, r
from oubli.theory.paper.sharper.likelihood import (
    U_coins,
    delta_coins,
    eps_coins,
    means_new,
    means_old,
    pull_new,
    pull_old,
    rare_enough,
    wide,
)
from oubli.theory.paper.sharper.rare_kink import A_ball
from oubli.theory.records.build import by, given, le, state, theorem
from oubli.theory.records.objects import ZERO, Object, chance, coin_problem, inner, numeric, out, point, term
from oubli.theory.records.proof import Given, Lemma, One, Schema, SquaredNorm, Term

y_here, y_there = point("y_here"), point("y_there")
_near, _far = (1 / (1 - r)) * y_here, (1 / (1 - r)) * y_there
# One law of the coins with two forget laws: the starts are y and y'.
_middle = (1 / (2 * (1 - r))) * (y_here + y_there)
_pull, _back = ((sign / (2 * r)) * (y_there - y_here) for sign in (1, -1))
_pulled, _pushed = coin_problem(_middle, _pull), coin_problem(_middle, _back)


def started(means: Object) -> Object:
    """The problem with coins of these means and forget loss mu/2 |theta|^2; it starts at (1 - r) R times these."""
    return coin_problem(means, ZERO)


def _released(D: Object) -> Object:
    return chance(out(A_private, D, T), S_any)


p_end = term("p_end", _released(started(_far)), "P[output in S] at the start R y'")
p_begin = term("p_begin", _released(started(_near)), "P[output in S] at the start R y")
n_start_here = term("n_start_here", inner(y_here, y_here), "|y|^2")
n_start_there = term("n_start_there", inner(y_there, y_there), "|y'|^2")
n_hop = term("n_hop", inner(y_there - y_here, y_there - y_here), "|y' - y|^2")
growth_coins = sp.exp(epsilon) * sp.exp(eps_coins) ** 2
loss_coins = sp.exp(eps_coins) * delta + delta_coins * (1 + sp.exp(epsilon) * sp.exp(eps_coins))
_hop = state(
    le(p_end, growth_coins * p_begin + loss_coins),
    wide,
    rare_enough,
    given(le(n_start_here, A_ball**2)),
    given(le(n_start_there, A_ball**2)),
    given(le(n_hop, 4 * r**2)),
    also=(L, mu),
)

_share = 1 / (1 - r) ** 2
_wide: Term = (_share * ((1 - r) * U_coins + sp.sqrt(d) * A_ball), Given(0))
_means = {
    "here": ((d * _share, Given(2)), _wide),
    "there": ((d * _share, Given(3)), _wide),
    "middle": (
        (d * _share / 2, Given(2)),
        (d * _share / 2, Given(3)),
        (d * _share / 4, SquaredNorm(y_there - y_here)),
        _wide,
    ),
}
_change = ((_share / 4, Given(4)),)
_forget = ((1 / (4 * r**2), Given(4)),)


def _retossed(new: Object, pulled: Object, old: Object, held: Object, sizes: tuple[str, str]) -> Lemma:
    """The change of the means of the coins at a fixed start."""
    pulls = [((1, One()),) if pull is ZERO else _forget for pull in (pulled, held)]
    because = {0: _means[sizes[0]], 1: _means[sizes[1]], 2: ((1, Given(1)),), 3: _change, 4: ()}
    because |= {5: pulls[0], 6: pulls[1]}
    values = {means_new: new, pull_new: pulled, means_old: old, pull_old: held}
    return Lemma("sharp.coins.tail", values, because)


CLAIMS = (
    theorem(
        "sharp.hop",
        "inefficient",
        "any event has at y' at most e^(eps + 2 eps1) times its probability at y and e^eps1 delta + delta1 (1 + "
        "e^(eps + eps1)), |y|, |y'| <= A, |y - y'| <= 2 r; eps1, delta1 as in sharp.coins.tail",
        _hop,
        proof=by(
            _hop,
            (1, _retossed(_far, ZERO, _middle, _pull, ("there", "middle"))),
            (
                sp.exp(eps_coins),
                Schema(
                    "unlearning",
                    (A_private, _pulled, _pushed, numeric(T), S_any),
                    {0: (*_means["middle"], ((1 - U_coins) * (1 + U_coins), One())), 1: _forget, 5: _forget},
                ),
            ),
            (
                sp.exp(epsilon) * sp.exp(eps_coins),
                _retossed(_middle, _back, _near, ZERO, ("middle", "here")),
            ),
        ),
        note="Coins of mean (y + y')/(2 (1 - r)) with forget data of mean (y' - y)/(2 r) have theta* = R y', with the "
        "opposite mean R y: both are computed from the losses.",
    ),
)
