"""The setting: the class of losses, its ball, and what the proofs use silently (l.224 to l.400)."""

from __future__ import annotations

import sympy as sp

from theory.paper.build import (
    A,
    by,
    case,
    centred,
    definition,
    eq,
    fact,
    ge,
    given,
    le,
    left,
    remark,
    repair,
    right,
    state,
    statement,
)
from theory.proof import Cases, Combination, Given, Lemma, Norm, One, Square, Step
from theory.symbols import NONNEGATIVE, L, R, d, letter, mu, parameter
from theory.vectors import Vector, inner, square, vector

lam = letter("lambda", NONNEGATIVE, "multiplier of the normal cone at a boundary minimiser Ru")
out_slope = letter("c_u", meaning="<l'(Ru), u>, the slope outwards at the boundary point Ru")
in_slope = letter("b_u", meaning="<l'(-Ru), u>, the slope along u at the opposite point -Ru")

_stationary = state(
    le(lam, 0),
    fact("strong convexity", ge(2 * R * (out_slope - in_slope), 4 * mu * R**2)),
    fact("Lipschitz", ge(in_slope, -L)),
    fact("normal cone", eq(out_slope, -lam)),
)

norm0 = letter("n_0", NONNEGATIVE, "norm of the gradient at 0")
slope_R = letter("s_R", meaning="slope at the boundary point in the direction of the gradient at 0")
_at_zero = state(
    le(norm0, L / 2),
    fact("strong convexity", ge(slope_R - norm0, mu * R)),
    fact("Lipschitz", le(slope_R, L)),
)

x1 = parameter("x_1", meaning="a point of the line, |x_1| <= R")
g1 = letter("g_1", meaning="l'(x_1) on the line")
gR = letter("g_R", meaning="l'(R) on the line")
gL = letter("g_L", meaning="l'(-R) on the line")
_line = state(
    le(g1, mu * x1 + L / 2),
    fact("strong convexity", ge(gR - g1, mu * (R - x1))),
    fact("Lipschitz", le(gR, L)),
)
_line_below = state(
    ge(g1, mu * x1 - L / 2),
    fact("strong convexity", ge(g1 - gL, mu * (x1 + R))),
    fact("Lipschitz", ge(gL, -L)),
)

rest = letter("y_sq", NONNEGATIVE, "squared norm of the other coordinates")
_lift = state(
    le(g1**2 + mu**2 * rest, L**2),
    fact("line", le(g1, mu * x1 + L / 2)),
    fact("line", ge(g1, mu * x1 - L / 2)),
    fact("ball", le(x1**2 + rest, R**2)),
)
# (L/2)^2 - h^2 = (L/2 - h)(L/2 + h) with h = g_1 - mu x_1: a product of the two line facts.
_h = g1 - mu * x1

length = letter("n_v", NONNEGATIVE, "|2 mu x - g|, and v the unit vector along 2 mu x - g")
along = letter("a_v", meaning="<x, v>")
g_v = letter("g_v", meaning="<l'(x), v>")
g_y = letter("g_y", meaning="<l'(x - 2 a_v v), v>, at the mirror image of x, which lies in the ball too")
_length = fact("definition", eq(length, 2 * mu * along - g_v))
_mirrored = state(
    le(length, L),
    _length,
    fact("Lipschitz", ge(g_y, -L)),
    fact("strong convexity", ge(g_v - g_y, 2 * mu * along)),
    given(ge(along, 0)),
)
_facing = state(
    le(length, L),
    _length,
    fact("Lipschitz", ge(g_v, -L)),
    given(ge(-along, 0)),
)
_near = state(
    le(length, L),
    _length,
    fact("Lipschitz", ge(g_v, -L)),
    fact("Lipschitz", ge(g_y, -L)),
)

eta = parameter("eta", NONNEGATIVE, "step size")
dist0 = letter("x_n", NONNEGATIVE, "|x|, norm of the point before the step")
after = letter("z_n", NONNEGATIVE, "|x - eta l'(x)|, norm of the point after the step")
_stays = state(
    le(after, R),
    given(le(eta, 1 / (2 * mu))),
    fact("ball", le(dist0, R)),
    # x - eta g = (1 - 2 mu eta) x + eta (2 mu x - g): a triangle inequality with two weights >= 0.
    fact("Cauchy-Schwarz", le(after, (1 - 2 * mu * eta) * dist0 + eta * length)),
)
moved = letter("z_1", meaning="x_1 - eta l'(x_1) on the line")
_stays_line = state(
    le(moved, R),
    given(le(eta, 1 / mu)),
    fact("line", ge(g1, mu * x1 - L / 2)),
    fact("ball", le(x1, R)),
    fact("definition", eq(moved, x1 - eta * g1)),
)

sign = parameter("g_xi", meaning="g(xi), a number in [-1, 1]")
th, e1 = vector("theta"), vector("e1")
_hard_gradient = sp.sympify(mu) * th - (L * sign / 2) * e1
_hard = state(
    le(square(_hard_gradient), L**2),
    fact("ball", le(square(th), R**2)),
    fact("definition", eq(square(e1), 1)),
    given(ge(1 - sign**2, 0)),
)
th2 = vector("theta2")


def _hard_value(t: Vector) -> sp.Expr:
    return mu / 2 * square(t) - L / 2 * sign * inner(e1, t)


_hard_convex = state(
    eq(_hard_value(th2) - _hard_value(th) - inner(_hard_gradient, th2 - th), mu / 2 * square(th2 - th)),
)

s = vector("s")
_synthetic_gradient = sp.sympify(mu) * th + (L / 4) * s
_synthetic_facts = (fact("ball", le(square(th), R**2)), fact("definition", eq(square(s), d)))
_synthetic = state(le(square(_synthetic_gradient), L**2), *_synthetic_facts)
_true_constant = L * (sp.Rational(1, 2) + sp.sqrt(d) / 4)
_synthetic_true = state(le(square(_synthetic_gradient), _true_constant**2), *_synthetic_facts)
_small_d = state(le(_true_constant, L), given(le(d, 4)))

CLAIMS = (
    definition(
        "setup.class",
        289,
        "losses are L-Lipschitz and mu-strongly convex on the ball B(0, R), R = L/(2 mu)",
        "No function is both on all of R^d, so noise and iterates have to stay on the ball. The paper says "
        "'differentiable' (l.228); everywhere here a subgradient serves as well.",
    ),
    statement(
        "setup.stationary",
        289,
        "the minimiser over the ball has gradient 0 (used silently)",
        _stationary,
        proof=by(_stationary, (1 / (2 * R), Given(0)), (1, Given(1)), (-1, Given(2))),
        instances=(
            case(
                "l = theta^2/2 - theta has its minimiser at R = 1",
                {L: 2, mu: 1, lam: 0, out_slope: left(A, 1), in_slope: right(A, -1)},
                members={"A": centred(1)},
            ),
        ),
    ),
    statement(
        "setup.gradient_at_zero",
        289,
        "the gradient at 0 has norm at most L/2 (used silently)",
        _at_zero,
        proof=by(_at_zero, (1, Given(0)), (1, Given(1))),
        instances=(
            case(
                "the quadratic centred at R, looked at along -e_1",
                {L: 2, mu: 1, norm0: -left(A, 0), slope_R: -right(A, -1)},
                members={"A": centred(1)},
            ),
        ),
    ),
    statement(
        "setup.gradient_at_zero.line",
        289,
        "on the line l'(x) <= mu x + L/2",
        _line,
        proof=by(_line, (1, Given(0)), (1, Given(1))),
        instances=(
            case(
                "the quadratic centred at -R",
                {L: 2, mu: 1, x1: 0, g1: left(A, 0), gR: left(A, 1)},
                members={"A": centred(-1)},
            ),
        ),
    ),
    statement(
        "setup.gradient_at_zero.line_below",
        289,
        "on the line l'(x) >= mu x - L/2",
        _line_below,
        proof=by(_line_below, (1, Given(0)), (1, Given(1))),
        instances=(
            case(
                "the quadratic centred at R",
                {L: 2, mu: 1, x1: 0, g1: left(A, 0), gL: right(A, -1)},
                members={"A": centred(1)},
            ),
        ),
    ),
    statement(
        "setup.lift",
        289,
        "a member on the line plus mu/2 |other coordinates|^2 is a member in every dimension",
        _lift,
        proof=by(
            _lift,
            (2 * mu**2, Given(2)),
            (2 * (L / 2 + _h), Given(0)),
            (1, Square(g1 - 2 * mu * x1)),
            (mu**2 * rest, One()),
        ),
        instances=(
            case(
                "the quadratic centred at -R, at the boundary point R",
                {L: 2, mu: 1, x1: 1, rest: 0, g1: left(A, 1)},
                members={"A": centred(-1)},
            ),
        ),
    ),
    statement(
        "setup.step_stays.half",
        1275,
        "|2 mu x - l'(x)| <= L on the ball",
        _near,
        proof=(
            Step("mirrored", _mirrored, Combination(((1, Given(1)), (1, Given(2)), (-1, Given(0))))),
            Step("facing", _facing, Combination(((1, Given(1)), (2 * mu, Given(2)), (-1, Given(0))))),
            Step("both", _near, Cases(along, "mirrored", "facing")),
        ),
        instances=(
            case(
                "the quadratic centred at R, at x = -R, v = -e_1",
                {L: 2, mu: 1, along: 1, g_v: -right(A, -1), length: 0, g_y: -left(A, 1)},
                members={"A": centred(1)},
            ),
        ),
    ),
    statement(
        "setup.step_stays",
        1275,
        "a gradient step of size at most 1/(2 mu) stays in the ball (used silently)",
        _stays,
        proof=by(
            _stays,
            (1, Given(2)),
            (2 * mu * (1 / (2 * mu) - eta), Given(1)),
            (eta, Lemma("setup.step_stays.half")),
        ),
        instances=(
            case(
                "the quadratic centred at R, one step of 1/(2 mu) from -R lands at 0",
                {L: 2, mu: 1, eta: sp.Rational(1, 2), dist0: 1, after: 0, length: 0},
            ),
        ),
        note="For steps up to 1/mu it holds on the line; in d >= 2 the first printed step can leave the ball.",
    ),
    statement(
        "setup.step_stays.line",
        1275,
        "on the line a step of size at most 1/mu stays in the ball",
        _stays_line,
        proof=by(
            _stays_line,
            (eta, Given(1)),
            (mu * (1 / mu - eta), Given(2)),
            (-1, Given(3)),
        ),
        instances=(
            case(
                "the quadratic centred at R, one step of 1/mu from 0 lands at R",
                {L: 2, mu: 1, x1: 0, eta: 1, g1: left(A, 0), moved: 1},
                members={"A": centred(1)},
            ),
        ),
    ),
    statement(
        "setup.hard_family",
        1142,
        "l^g is L-Lipschitz on the ball",
        _hard,
        proof=by(
            _hard,
            (2 * mu**2, Given(0)),
            (-(L**2) * sign**2 / 2, Given(1)),
            (L**2 / 2, Given(2)),
            (1, Norm(sp.sympify(mu) * th + (L * sign / 2) * e1)),
        ),
        instances=(
            case(
                "theta = -R e_1 and g = 1",
                {L: 2, mu: 1, sign: 1, square(th): 1, inner(th, e1): -1, square(e1): 1},
                vectors={"e1": (1,), "theta": (-1,)},
            ),
        ),
    ),
    statement(
        "setup.hard_family.convex",
        1142,
        "l^g is mu-strongly convex, with equality",
        _hard_convex,
        proof=by(_hard_convex),
    ),
    statement(
        "setup.synthetic",
        746,
        "the synthetic loss fits the hypothesis: it is L-Lipschitz on the ball",
        _synthetic,
        instances=(
            case(
                "d = 6, s the signs of the gradient's constant part, theta = (2/5) s",
                {
                    L: 2,
                    mu: 1,
                    d: 6,
                    square(th): sp.Rational(24, 25),
                    inner(th, s): sp.Rational(12, 5),
                    square(s): 6,
                },
                vectors={"s": (1,) * 6, "theta": (sp.Rational(2, 5),) * 6},
            ),
        ),
        repaired_by="setup.synthetic.constant",
    ),
    repair(
        "setup.synthetic.constant",
        746,
        "the synthetic loss is L(1/2 + sqrt(d)/4)-Lipschitz on the ball",
        _synthetic_true,
        proof=by(
            _synthetic_true,
            (mu**2, Given(0)),
            (L * mu / 2 * sp.sqrt(d) / (2 * R), Given(0)),
            (L * mu / 2 * sp.sqrt(d) / (2 * R), Norm(th - (R / sp.sqrt(d)) * s)),
            (-L * mu / 2 * R / (2 * sp.sqrt(d)) - L**2 / 16, Given(1)),
        ),
        instances=(
            case(
                "d = 16, theta = s/4 on the boundary: attained",
                {L: 2, mu: 1, d: 16, square(th): 1, inner(th, s): 4, square(s): 16},
                vectors={"s": (1,) * 16, "theta": (sp.Rational(1, 4),) * 16},
            ),
        ),
    ),
    statement(
        "setup.synthetic.small",
        746,
        "the synthetic loss is in the class for d <= 4",
        _small_d,
        proof=by(_small_d, (L / (4 * (2 + sp.sqrt(d))), Given(0))),
        instances=(case("d = 4: exactly L", {L: 2, d: 4}),),
    ),
    remark(
        "setup.zero_steps",
        341,
        "zero steps return theta_0 = theta*",
        "By the letter of Algorithm 1, T = 0 returns theta* itself, so nothing noisy has T = 0 and no trivial "
        "regime could exist. Convention of this ledger: a randomised start and a randomised release that use "
        "no gradient are allowed and cost nothing.",
    ),
)
