"""The setting: the class of losses, its ball, and what the proofs use silently (l.224 to l.400)."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, letter, parameter
from oubli.theory.paper.letters import L, R, centred, d, mu
from oubli.theory.paper.mirror import f_any, in_ball, point_any, tag_any, tagged
from oubli.theory.records.build import (
    A,
    by,
    case,
    definition,
    eq,
    fact,
    ge,
    given,
    gt,
    le,
    left,
    remark,
    repair,
    state,
    statement,
    theorem,
)
from oubli.theory.records.objects import ZERO, grad, norm, opt, term, tilt, unit
from oubli.theory.records.objects import inner as product
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Norm,
    One,
    Schema,
    Square,
    SquaredNorm,
    Step,
)
from oubli.theory.records.vectors import Vector, inner, square, vector

# Any loss of the class; its minimiser over the ball, and the subgradient there that belongs to it.
e_1 = unit(1)
theta_min = opt(f_any)
g_min = grad(f_any, theta_min, f_any)
g_back = grad(f_any, -theta_min)
n_min = term("n_min", norm(g_min), "norm of the gradient at the minimiser over the ball")
m_min = term("m_min", norm(theta_min), "norm of the minimiser over the ball")
n_back = term("n_back", norm(g_back), "norm of the gradient at the point opposite to the minimiser")
_stationary = state(le(n_min, 0), also=(L, mu))
_stationary_steep = state(le(n_min, 0), given(gt(n_min, 0)), also=(L, mu, m_min, n_back))
_stationary_flat = state(le(n_min, 0), given(ge(-n_min, 0)), also=(L, mu))
_inside = ((1, Schema("ball", (theta_min,))),)
_outwards = -(R / n_min) * g_min
_cone = Schema("normal cone", (f_any, _outwards), {0: ()})

g_zero = grad(f_any, ZERO, tag_any)
n_zero = term("n_zero", norm(g_zero), "norm of a gradient at 0")
_along = (R / n_zero) * g_zero
slope_along = grad(f_any, _along)
_at_zero = state(le(n_zero, L / 2), also=(mu,))
_at_zero_steep = state(le(n_zero, L / 2), given(gt(n_zero, 0)), also=(mu,))
_at_zero_flat = state(le(n_zero, L / 2), given(ge(-n_zero, 0)), also=(mu,))

# On the line, where <u, v> is the product of the first coordinates.
x_first = term("x_first", product(point_any, e_1), "first coordinate of a point of the ball")
slope_any = grad(f_any, point_any, tag_any)
g_first = term("g_first", product(slope_any, e_1), "first coordinate of a gradient there")
_line = (given(eq(d, 1)), in_ball)


def _toward(sign: int) -> tuple[Statement, Statement, Statement, tuple[Step, ...]]:
    """The bound on the slope on one side: strong convexity between the point and that end of the ball."""
    bound = le(sign * g_first, sign * mu * x_first + L / 2)
    room = R - sign * x_first
    end = (sign * R) * e_1
    there = grad(f_any, end)
    near = state(bound, given(ge(-room, 0)), *_line)
    far = state(bound, given(gt(room, 0)), *_line)
    every = state(bound, *_line)
    unit_e = sign * e_1
    slope_there = (
        (1 / (2 * L), Schema("Lipschitz", (f_any, end))),
        (1 / (2 * L), SquaredNorm(there - L * unit_e)),
    )
    slope_here = (
        (1 / (2 * L), Schema("Lipschitz", (f_any, point_any, tag_any))),
        (1 / (2 * L), SquaredNorm(slope_any - L * unit_e)),
    )
    proof = (
        Step("at the end", near, Combination((*slope_here, (mu, Given(0))))),
        Step(
            "inside",
            far,
            Combination(
                (
                    *slope_there,
                    (1 / room, Schema("strong convexity", (f_any, point_any, end, tag_any))),
                    (1 / room, Schema("strong convexity", (f_any, end, point_any))),
                    (-1 / room, Schema("line", (there - slope_any, end - point_any))),
                    (mu / room, Schema("line", (end - point_any, end - point_any))),
                )
            ),
        ),
        Step("on the line", every, Cases(room, "inside", "at the end")),
    )
    return near, far, every, proof


_, _, _line_above, _proof_above = _toward(1)
_, _, _line_below, _proof_below = _toward(-1)

x_line = parameter("x_line", meaning="a point of the line, |x_line| <= R")
g_line = letter("g_line", meaning="l'(x_line) on the line")
y_square = letter("y_square", NONNEGATIVE, "squared norm of the other coordinates")
_lift = state(
    le(g_line**2 + mu**2 * y_square, L**2),
    fact("line", le(g_line, mu * x_line + L / 2)),
    fact("line", ge(g_line, mu * x_line - L / 2)),
    fact("ball", le(x_line**2 + y_square, R**2)),
)
# (L/2)^2 - h^2 = (L/2 - h)(L/2 + h) with h = g_line - mu x_line: a product of the two line facts.
_h = g_line - mu * x_line

eta = parameter("eta", NONNEGATIVE, "step size")
z_after = term(
    "z_after", norm(point_any - eta * slope_any), "|x - eta l'(x)|, norm of the point after the step"
)
_stays = state(le(z_after, R), given(le(eta, 1 / (2 * mu))), in_ball)
# x - eta g = (1 - 2 mu eta) x + eta w, a mean of x and w/(2 mu) with weights >= 0.
_rest = 2 * mu * (1 / (2 * mu) - eta)
z_line = letter("z_line", meaning="x_line - eta l'(x_line) on the line")
_stays_line = state(
    le(z_line, R),
    given(le(eta, 1 / mu)),
    fact("line", ge(g_line, mu * x_line - L / 2)),
    fact("ball", le(x_line, R)),
    fact("definition", eq(z_line, x_line - eta * g_line)),
)

g_xi = parameter("g_xi", meaning="g(xi), a number in [-1, 1]")
theta, e1 = vector("theta"), vector("e1")
_hard_gradient = sp.sympify(mu) * theta - (L * g_xi / 2) * e1
_hard = state(
    le(square(_hard_gradient), L**2),
    fact("ball", le(square(theta), R**2)),
    fact("definition", eq(square(e1), 1)),
    given(ge(1 - g_xi**2, 0)),
)
theta_other = vector("theta_other")


def _hard_value(t: Vector) -> sp.Expr:
    return mu / 2 * square(t) - L / 2 * g_xi * inner(e1, t)


_hard_convex = state(
    eq(
        _hard_value(theta_other) - _hard_value(theta) - inner(_hard_gradient, theta_other - theta),
        mu / 2 * square(theta_other - theta),
    ),
)

signs = vector("signs")
_synthetic_gradient = sp.sympify(mu) * theta + (L / 4) * signs
_synthetic_facts = (fact("ball", le(square(theta), R**2)), fact("definition", eq(square(signs), d)))
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
        proof=(
            Step(
                "steep",
                _stationary_steep,
                Combination(
                    (
                        (1 / R, _cone),
                        (2 * mu * m_min / n_min / R, _cone),
                        (2 * mu * m_min / n_min / R, Schema("Cauchy-Schwarz", (-g_min, theta_min))),
                        (
                            1 / (2 * R),
                            Schema("strong convexity", (f_any, theta_min, -theta_min, f_any), {1: _inside}),
                        ),
                        (
                            1 / (2 * R),
                            Schema("strong convexity", (f_any, -theta_min, theta_min), {0: _inside}),
                        ),
                        (1 / R, Schema("Cauchy-Schwarz", (-g_back, theta_min))),
                        (m_min / (L + n_back) / R, Schema("Lipschitz", (f_any, -theta_min), {0: _inside})),
                    )
                ),
            ),
            Step("flat", _stationary_flat, Combination(((1, Given(0)),))),
            Step("always", _stationary, Cases(n_min, "steep", "flat")),
        ),
        instances=(
            case(
                "l = theta^2/2 - theta has its minimiser at R = 1",
                {L: 2, mu: 1, d: 1},
                objects={"f_any": tilt(e_1)},
            ),
        ),
    ),
    statement(
        "setup.gradient_at_zero",
        289,
        "the gradient at 0 has norm at most L/2 (used silently)",
        _at_zero,
        proof=(
            Step(
                "steep",
                _at_zero_steep,
                Combination(
                    (
                        (1 / R, Schema("strong convexity", (f_any, ZERO, _along, tag_any), {1: ()})),
                        (1 / R, Schema("strong convexity", (f_any, _along, ZERO), {0: ()})),
                        (1 / (2 * L), Schema("Lipschitz", (f_any, _along), {0: ()})),
                        (1 / (2 * L), SquaredNorm(slope_along - (L / n_zero) * g_zero)),
                    )
                ),
            ),
            Step("flat", _at_zero_flat, Combination(((1, Given(0)), (L / 2, One())))),
            Step("always", _at_zero, Cases(n_zero, "steep", "flat")),
        ),
        instances=(
            case(
                "the quadratic centred at R: attained",
                {L: 2, mu: 1, d: 1},
                objects={"f_any": tilt(e_1), "tag_any": tilt(e_1)},
            ),
        ),
    ),
    statement(
        "setup.gradient_at_zero.line",
        289,
        "on the line l'(x) <= mu x + L/2",
        _line_above,
        proof=_proof_above,
        instances=(
            case(
                "the quadratic centred at -R",
                {L: 2, mu: 1, d: 1},
                objects={"f_any": tilt(-e_1), "tag_any": tilt(-e_1), "point_any": ZERO},
            ),
        ),
    ),
    statement(
        "setup.gradient_at_zero.line_below",
        289,
        "on the line l'(x) >= mu x - L/2",
        _line_below,
        proof=_proof_below,
        instances=(
            case(
                "the quadratic centred at R",
                {L: 2, mu: 1, d: 1},
                objects={"f_any": tilt(e_1), "tag_any": tilt(e_1), "point_any": ZERO},
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
            (1, Square(g_line - 2 * mu * x_line)),
            (mu**2 * y_square, One()),
        ),
        instances=(
            case(
                "the quadratic centred at -R, at the boundary point R",
                {L: 2, mu: 1, x_line: 1, y_square: 0, g_line: left(A, 1)},
                members={"A": centred(-1)},
            ),
        ),
    ),
    theorem(
        "setup.step_stays.mirror",
        "setup.step_stays.half",
        "<2 mu x - l'(x), v> <= L |v| on the ball, for every vector v",
        tagged.near_v(),
        proof=tagged.proof_v(),
    ),
    statement(
        "setup.step_stays.half",
        1275,
        "|2 mu x - l'(x)| <= L on the ball",
        tagged.near(),
        proof=tagged.proof("setup.step_stays.mirror"),
    ),
    statement(
        "setup.step_stays",
        1275,
        "a gradient step of size at most 1/(2 mu) stays in the ball (used silently)",
        _stays,
        proof=by(
            _stays,
            (_rest / (R + z_after), Given(1)),
            (
                2 * mu * eta * (L + tagged.length) / (4 * mu**2) / (R + z_after),
                Lemma("setup.step_stays.half"),
            ),
            (_rest * 2 * mu * eta / (R + z_after), SquaredNorm(point_any - (1 / (2 * mu)) * tagged.off)),
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
                {L: 2, mu: 1, x_line: 0, eta: 1, g_line: left(A, 0), z_line: 1},
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
            (-(L**2) * g_xi**2 / 2, Given(1)),
            (L**2 / 2, Given(2)),
            (1, Norm(sp.sympify(mu) * theta + (L * g_xi / 2) * e1)),
        ),
        instances=(
            case(
                "theta = -R e_1 and g = 1",
                {L: 2, mu: 1, g_xi: 1, square(theta): 1, inner(theta, e1): -1, square(e1): 1},
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
                    square(theta): sp.Rational(24, 25),
                    inner(theta, signs): sp.Rational(12, 5),
                    square(signs): 6,
                },
                vectors={"signs": (1,) * 6, "theta": (sp.Rational(2, 5),) * 6},
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
            (L * mu / 2 * sp.sqrt(d) / (2 * R), Norm(theta - (R / sp.sqrt(d)) * signs)),
            (-L * mu / 2 * R / (2 * sp.sqrt(d)) - L**2 / 16, Given(1)),
        ),
        instances=(
            case(
                "d = 16, theta = s/4 on the boundary: attained",
                {L: 2, mu: 1, d: 16, square(theta): 1, inner(theta, signs): 4, square(signs): 16},
                vectors={"signs": (1,) * 16, "theta": (sp.Rational(1, 4),) * 16},
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
