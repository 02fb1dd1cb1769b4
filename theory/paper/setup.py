"""The setting: the class of losses, its ball, and what the proofs use silently (l.224 to l.400)."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, parameter
from oubli.theory.paper.letters import L, R, d, mu
from oubli.theory.paper.mirror import f_any, in_ball, point_any, tag_any, tagged
from oubli.theory.records.build import (
    by,
    case,
    definition,
    eq,
    ge,
    given,
    gt,
    le,
    remark,
    repair,
    state,
    statement,
    theorem,
)
from oubli.theory.records.objects import ZERO, Object, grad, minus, norm, opt, point, term, tilt, unit, value
from oubli.theory.records.objects import inner as product
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Schema,
    Square,
    SquaredNorm,
    Step,
)

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

# The slope of a member on the line at the first coordinate of x, and mu times the others.
g_line = parameter("g_line", meaning="a number; l'(<x, e_1>) for a member l on the line")
_lifted = mu * point_any + (g_line - mu * x_first) * e_1
lift_square = term("lift_square", product(_lifted, _lifted), "|mu x + (g_line - mu <x, e_1>) e_1|^2")
_lift = state(
    le(lift_square, L**2),
    given(le(g_line, mu * x_first + L / 2)),
    given(ge(g_line, mu * x_first - L / 2)),
    in_ball,
)
# (L/2)^2 - h^2 = (L/2 - h)(L/2 + h) with h = g_line - mu <x, e_1>: a product of the two hypotheses.
_h = g_line - mu * x_first

eta = parameter("eta", NONNEGATIVE, "step size")
z_after = term(
    "z_after", norm(point_any - eta * slope_any), "|x - eta l'(x)|, norm of the point after the step"
)
_stays = state(le(z_after, R), given(le(eta, 1 / (2 * mu))), in_ball)
# x - eta g = (1 - 2 mu eta) x + eta w, a mean of x and w/(2 mu) with weights >= 0.
_rest = 2 * mu * (1 / (2 * mu) - eta)
# On the line, by the two ends.
_moved = point_any - eta * slope_any
z_first = term("z_first", product(_moved, e_1), "its first coordinate")
_short = (given(le(eta, 1 / mu)), *_line)
_stays_line = state(le(z_after, R), *_short)


def _end(name: str, sign: int) -> tuple[Step, Step]:
    """The point after the step is not beyond one end of the ball, because the point before is not."""
    before, after = R - sign * x_first, R - sign * z_first
    off = sp.Rational(1, 2) / R
    near = ((off, Given(0)), (off, SquaredNorm(point_any - (sign * R) * e_1)))
    slope = "setup.gradient_at_zero.line_below" if sign == 1 else "setup.gradient_at_zero.line"
    return (
        Step(f"before, {name}", state(ge(before, 0), in_ball), Combination(near)),
        Step(
            name,
            state(ge(after, 0), *_short),
            Combination(((eta, Lemma(slope)), (mu * (1 / mu - eta), Lemma(f"before, {name}")))),
        ),
    )


_by_ends = state(le(z_after, R), given(ge(R - z_first, 0)), given(ge(R + z_first, 0)), _line[0])
_stays_line_proof = (
    *_end("above", 1),
    *_end("below", -1),
    Step(
        "by the ends",
        _by_ends,
        Combination(
            (
                ((R + z_first) / (R + z_after), Given(0)),
                (-1 / (R + z_after), Schema("line", (_moved, _moved))),
            )
        ),
    ),
    Step(
        "in the ball",
        _stays_line,
        Combination(((1, Lemma("by the ends", {}, {0: ((1, Lemma("above")),), 1: ((1, Lemma("below")),)})),)),
    ),
)

# --- the hard family: mu/2 |x|^2 - L/2 g <e_1, x>
g_xi = parameter("g_xi", meaning="g(xi), a number in [-1, 1]")
hard_sample = tilt((L * g_xi / 2) * e_1)
_hard_slope = grad(hard_sample, point_any)
hard_square = term("hard_square", product(_hard_slope, _hard_slope), "|grad l^g(x)|^2")
_hard = state(le(hard_square, L**2), in_ball, given(ge(1 - g_xi**2, 0)), also=(mu,))
point_other = point("point_other")
_step_to = point_other - point_any
_rise = minus(value(hard_sample, point_other), value(hard_sample, point_any))
rise_hard = term("rise_hard", _rise, "l^g(y) - l^g(x)")
along_hard = term("along_hard", product(_hard_slope, _step_to), "<grad l^g(x), y - x>")
away_square = term("away_square", product(_step_to, _step_to), "|y - x|^2")
_hard_convex = state(eq(rise_hard - along_hard, mu / 2 * away_square), also=(L,))

# --- the synthetic family: L/4 times the signs of the absolute values is added to mu x
signs = point("signs")
signs_square = term("signs_square", product(signs, signs), "squared norm of the signs, d of them")
_synthetic_slope = mu * point_any + (L / 4) * signs
synthetic_square = term(
    "synthetic_square", product(_synthetic_slope, _synthetic_slope), "|mu x + L/4 signs|^2"
)
_there = (in_ball, given(eq(signs_square, d)))
_synthetic = state(le(synthetic_square, L**2), *_there)
_true_constant = L * (sp.Rational(1, 2) + sp.sqrt(d) / 4)
_synthetic_true = state(le(synthetic_square, _true_constant**2), *_there)
_small_d = state(le(_true_constant, L), given(le(d, 4)))


def _ones(n: int) -> Object:
    """The vector of n ones."""
    return sum((unit(i) for i in range(2, n + 1)), start=unit(1))


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
            (1, Square(g_line - 2 * mu * x_first)),
            (mu**2, SquaredNorm(point_any - x_first * e_1)),
        ),
        instances=(
            case(
                "the quadratic centred at -R, at the boundary point R, where its slope is 2",
                {L: 2, mu: 1, g_line: 2},
                objects={"point_any": e_1},
            ),
        ),
        note="The slope of a member at a point of the line is such a number (setup.gradient_at_zero.line and its twin).",
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
        proof=_stays_line_proof,
        instances=(
            case(
                "the quadratic centred at R, one step of 1/mu from 0 lands at R",
                {L: 2, mu: 1, d: 1, eta: 1},
                objects={"f_any": tilt(e_1), "tag_any": tilt(e_1), "point_any": ZERO},
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
            (L**2 / 2, Given(1)),
            (1, SquaredNorm(mu * point_any + (L * g_xi / 2) * e_1)),
        ),
        instances=(case("x = -R e_1 and g = 1", {L: 2, mu: 1, g_xi: 1}, objects={"point_any": -e_1}),),
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
                "d = 6, s the signs of the gradient's constant part, x = (2/5) s",
                {L: 2, mu: 1, d: 6},
                objects={"signs": _ones(6), "point_any": sp.Rational(2, 5) * _ones(6)},
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
            (L * mu / 2 * sp.sqrt(d) / (2 * R), SquaredNorm(point_any - (R / sp.sqrt(d)) * signs)),
            (-L * mu / 2 * R / (2 * sp.sqrt(d)) - L**2 / 16, Given(1)),
        ),
        instances=(
            case(
                "d = 16, x = s/4 on the boundary: attained",
                {L: 2, mu: 1, d: 16},
                objects={"signs": _ones(16), "point_any": sp.Rational(1, 4) * _ones(16)},
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
