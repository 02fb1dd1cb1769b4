"""A rare kink: retain losses that turn at theta*, so few that T gradients likely meet none of them.

Units R: theta* = R y, an output is R o, z = o - y. Problem N_y: retain losses mu/2 |theta|^2 - (L/2) <s, theta>, s
random of mean y/(1 - r) and |s| <= 1; forget loss mu/2 |theta|^2. Problem W_y: with probability a the retain loss
is mu/2 |theta|^2 + (L/2) |theta - R y| instead. Both have the optimum R y of all data, in W_y it is that of the retain
data too, and whatever misses it by z pays 2 a |z| e0: a private release cannot hit it.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, UNIT, letter, parameter
from oubli.theory.paper.letters import L, R, mu, r
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Given, Identity, Norm, One, Step
from oubli.theory.records.vectors import inner, square, vector

a_rare = parameter("a_rare", UNIT, "share of the retain losses with a kink at theta*")
tilt_rare = (a_rare - r) / (1 - r)

# --- members and starts
x_rare, s_rare, y_rare, z_rare = (vector(f"{name}_rare") for name in "xsyz")
_member = state(
    le(square(sp.sympify(mu) * x_rare + (L / 2) * s_rare), L**2),
    # The subgradients of a norm, and the vectors -s, are at most 1 long.
    fact("definition", le(square(s_rare), 1)),
    fact("ball", le(square(x_rare), R**2)),
)
y_coordinate = letter("y_coordinate", meaning="a coordinate of y")
_turned = y_coordinate / (1 - r)
_start = state(
    eq(
        (1 - r) * (mu * R * y_coordinate - (1 - a_rare) * L / 2 * _turned - a_rare * L / 2 * _turned)
        + r * mu * R * y_coordinate,
        0,
    )
)

# --- the excess risk on W_y
psi_rare = letter("psi_rare", NONNEGATIVE, "excess risk of an output on W_y, in units e0")
n_rare = letter("n_rare", NONNEGATIVE, "|z|")


def _value(at: object) -> sp.Expr:
    """The retain risk of W_y at a point, without its kink, in units e0."""
    return square(at) - 2 * (1 - a_rare) / (1 - r) * inner(y_rare, at)  # type: ignore[arg-type]


_excess = state(
    eq(psi_rare, square(z_rare) + 2 * tilt_rare * inner(y_rare, z_rare) + 2 * a_rare * n_rare),
    fact("definition", eq(psi_rare, _value(y_rare + z_rare) + 2 * a_rare * n_rare - _value(y_rare))),
)
n_start = letter("n_start", NONNEGATIVE, "|y|")
_least = state(
    ge(square(z_rare) + 2 * tilt_rare * inner(y_rare, z_rare) + 2 * a_rare * n_rare, 0),
    given(le(r, a_rare)),
    given(le(n_start, 1 - r)),
    fact("Cauchy-Schwarz", ge(inner(y_rare, z_rare), -n_start * n_rare)),
)

# --- cutting the output to a convex set that contains 0 and y
o_rare, o_cut = vector("o_rare"), vector("o_cut")
psi_cut = letter("psi_cut", NONNEGATIVE, "the same for the output projected on a convex set with 0 and y")
n_cut = letter("n_cut", NONNEGATIVE, "distance of the projected output from y")


def _spelled(at: object, far: sp.Symbol) -> sp.Expr:
    miss = at - y_rare  # type: ignore[operator]
    return square(miss) + 2 * tilt_rare * inner(y_rare, miss) + 2 * a_rare * far


_cut = state(
    ge(psi_rare, psi_cut),
    given(le(r, a_rare)),
    fact("definition", eq(psi_rare, _spelled(o_rare, n_rare))),
    fact("definition", eq(psi_cut, _spelled(o_cut, n_cut))),
    fact("projection", le(n_cut, n_rare)),
    fact("projection", le(square(o_cut - y_rare), square(o_rare - y_rare))),
    fact("projection", le(square(o_cut), square(o_rare))),
)

CLAIMS = (
    theorem(
        "sharp.rare.member",
        "inefficient",
        "mu/2 |theta|^2 + (L/2) |theta - c|, and mu/2 |theta|^2 - (L/2) <s, theta> with |s| <= 1, have slopes of at most L",
        _member,
        proof=by(
            _member,
            (2 * mu**2, Given(1)),
            (L**2 / 2, Given(0)),
            (1, Norm(sp.sympify(mu) * x_rare - (L / 2) * s_rare)),
        ),
        note="Both are strongly convex with mu, as sums of mu/2 |theta|^2 and a convex function.",
    ),
    theorem(
        "sharp.rare.start",
        "inefficient",
        "R y is optimal for all data of W_y whatever the share a, a = 0 being N_y: the kink there takes the slope "
        "-y/(1 - r), at most 1 for |y| <= 1 - r",
        _start,
        proof=(Step("identity", _start, Identity()),),
    ),
    theorem(
        "sharp.rare.excess",
        "inefficient",
        "an output that misses y by z costs (|z|^2 + 2 a' <y, z> + 2 a |z|) e0 on W_y, a' = (a - r)/(1 - r)",
        _excess,
        proof=by(_excess, (1, Given(0))),
    ),
    theorem(
        "sharp.rare.least",
        "inefficient",
        "that is nonnegative for |y| <= 1 - r and a >= r: R y is the retain optimum of W_y",
        _least,
        proof=by(
            _least,
            (1, Norm(z_rare)),
            (2 * tilt_rare, Given(2)),
            (2 * n_rare * tilt_rare, Given(1)),
            (2 * r * n_rare, One()),
        ),
    ),
    theorem(
        "sharp.rare.cut",
        "inefficient",
        "cutting the output to a convex set that contains 0 and y does not cost anything on W_y",
        _cut,
        proof=(
            Step(
                "cut",
                _cut,
                Combination(
                    (
                        (1, Given(1)),
                        (-1, Given(2)),
                        (2 * a_rare, Given(3)),
                        (1 - tilt_rare, Given(4)),
                        (tilt_rare, Given(5)),
                    )
                ),
            ),
        ),
        note="So outputs may be taken from a ball of a coordinate subspace, in any dimension.",
    ),
)
