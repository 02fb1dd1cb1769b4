"""Private noise and what it must cover: exact Gaussian, radial exponential, and the sensitivity in d >= 2."""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.symbols import POSITIVE, Phi, parameter
from oubli.theory.paper.letters import A_scratch, L, R, S_any, T, d, delta, epsilon, mu, r
from oubli.theory.paper.mirror import (
    a_v,
    f_any,
    in_ball,
    p_any,
    point_any,
    tag_any,
    tagged,
    v_any,
    v_length,
    x_square,
)
from oubli.theory.paper.privacy import (
    D_optima,
    D_pair,
    F_one,
    F_two,
    between,
    data_one,
    data_two,
    f_one,
    f_shared,
    f_two,
    theta_one,
    theta_two,
)
from oubli.theory.paper.setup import slope_any
from oubli.theory.records.build import by, eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    chance,
    gaussian,
    grad,
    mean,
    numeric,
    out,
    radial,
    spread,
    term,
)
from oubli.theory.records.objects import inner as product
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    One,
    Over,
    Schema,
    Square,
    SquaredNorm,
    Step,
    Term,
)

# --- the Gaussian mechanism at its exact scale
sigma_unit = parameter("sigma_unit", POSITIVE, "standard deviation of the noise per unit of sensitivity")
a_radial = parameter("a_radial", POSITIVE, "rate of the radial noise, eps over the sensitivity")
_exact = Phi(1 / (2 * sigma_unit) - epsilon * sigma_unit) - sp.exp(epsilon) * Phi(
    -1 / (2 * sigma_unit) - epsilon * sigma_unit
)
s_cover = parameter("s_cover", POSITIVE, "the sensitivity that the noise covers")


def _hidden(name: str, z: Object) -> tuple[sp.Symbol, sp.Symbol]:
    """The chances that one of two optima with noise lies in an event, and the other."""
    here, there = (chance(theta + z, S_any) for theta in (theta_one, theta_two))
    return (
        term(f"p_{name}_here", here, "P[theta*(D_f) + noise in S]"),
        term(f"p_{name}_there", there, "P[theta*(D_f') + noise in S]"),
    )


_covered = given(le(D_optima, s_cover))
# Two optima lie no farther apart than any two.
_near = {0: ((1, Given(0)), (1, Schema("spread", (numeric(r), f_one, f_two, f_shared))))}


def _private(z: Object, leak: Any, scale: Any, more: dict[int, Any]) -> tuple[Term, ...]:
    """The schema of noise that is added to both optima."""
    numbers = map(numeric, (epsilon, leak, s_cover, scale))
    return ((1, Schema("noise", (z, theta_one, theta_two, S_any, *numbers), {**_near, **more})),)


normal_cover, radial_noise = gaussian(sigma_unit * s_cover), radial(a_radial)
p_normal_here, p_normal_there = _hidden("normal", normal_cover)
_gaussian = state(
    le(p_normal_here, sp.exp(epsilon) * p_normal_there + delta), _covered, given(le(_exact, delta)),
    also=(L, mu),
)  # fmt: skip

# --- noise with density proportional to exp(-a |z|)
p_radial_here, p_radial_there = _hidden("radial", radial_noise)
_radial = state(
    le(p_radial_here, sp.exp(epsilon) * p_radial_there),
    _covered,
    given(eq(a_radial * s_cover, epsilon)),
    also=(L, mu),
)
z_radial = term("z_radial", mean(product(radial_noise, radial_noise)), "E|z|^2 of the radial noise")
_moment = state(eq(a_radial**2 * z_radial, d * (d + 1)))

# --- retraining does not look at the forget data
P_retrained, P_retrained_other = (
    term(name, chance(out(A_scratch, D, T), S_any), "P[retrained in S]")
    for name, D in (("P_retrained", data_one), ("P_retrained_other", data_two))
)
_retraining = state(le(P_retrained, sp.exp(epsilon) * P_retrained_other + delta))
_forgets = Schema("unlearning", (A_scratch, data_one, data_two, numeric(T), S_any))

# --- the slope of l - mu/2 |.|^2 along a vector v, at any point of the ball
b_v = term("b_v", product(slope_any - mu * point_any, v_any), "<l'(x) - mu x, v>")
_most = sp.Rational(7, 8) * L
_steepest = le(b_v, _most * p_any)
_split = sp.Rational(15, 16) * R**2 - x_square
_room = R * p_any / 4 - a_v
_low, _high = given(ge(_split, 0)), given(ge(-_split, 0))
_ahead = state(_steepest, in_ball, v_length, _low, given(gt(_room, 0)))
_behind = state(_steepest, in_ball, v_length, given(ge(-_room, 0)))
_inside = state(_steepest, in_ball, v_length, _low)
_outside = state(_steepest, in_ball, v_length, _high)
_bent = state(_steepest, in_ball, v_length)
# Where the part of x along v becomes R/4: still in the ball.
_on = _room / p_any**2
_ray = point_any + _on * v_any
_ray_inside = ((1, Given(2)), (1 / p_any**2, Square(a_v)), (-(_on**2), Given(1)))


def at_most(bound: sp.Expr, u: Object) -> tuple[Term, ...]:
    """<u, v> <= bound |v|, but for bound^2 - |u|^2 >= 0, which has to be added p_any/(2 bound) times."""
    return (
        (p_any / (2 * bound), SquaredNorm(u - (bound / p_any) * v_any)),
        (-bound / (2 * p_any), Given(1)),
    )


def slope_along(f: Object, x: Object, *tag: Object, inside: tuple[Term, ...] = ()) -> tuple[Term, ...]:
    """<l'(x), v> <= L |v|."""
    because = {0: inside} if inside else {}
    return (
        (p_any / (2 * L), Schema("Lipschitz", (f, x, *tag), because)),
        *at_most(L, grad(f, x, *tag)),
    )


def slopes_apart(bound: sp.Expr, key: str) -> tuple[Step, ...]:
    """Slopes of at most `bound` along any vector, by the lemma `key`: how far apart the optima lie."""
    top = 2 * bound * r / mu
    pair = state(le(D_pair, top))
    some, none = (state(le(D_pair, top), given(h)) for h in (gt(D_pair, 0), ge(-D_pair, 0)))
    w = 1 / (mu * D_pair)
    terms: tuple[Term, ...] = (
        ((1 - r) * w, Schema("strong convexity", (f_shared, theta_one, theta_two, F_one))),
        ((1 - r) * w, Schema("strong convexity", (f_shared, theta_two, theta_one, F_two))),
        (w, Schema("stationary", (F_one, between))),
        (-w, Schema("stationary", (F_two, between))),
        (r * w, Lemma(key, _towards(f_one, theta_one, F_one, between), {1: ()})),
        (r * w, Lemma(key, _towards(f_two, theta_two, F_two, -between), {1: ()})),
    )
    return (
        Step("apart", some, Combination(terms)),
        Step("equal", none, Combination(((1, Given(0)), (top, One())))),
        Step("pair", pair, Cases(D_pair, "apart", "equal")),
        Step("all", state(le(D_optima, top)), Over("pair", spread(r), (f_one, f_two, f_shared))),
    )


def _towards(f: Object, x: Object, F: Object, v: Object) -> dict[Any, Any]:
    return {f_any: f, point_any: x, tag_any: F, v_any: v, p_any: D_pair}


CLAIMS = (
    theorem(
        "sharp.noise.gaussian",
        "gauss.kappa",
        "Gaussian noise of scale sigma per unit of sensitivity is (eps, delta)-private once the exact formula says so",
        _gaussian,
        proof=by(_gaussian, *_private(normal_cover, delta, sigma_unit, {})),
        note="The calculator takes the least such sigma, rounded up, for every eps, not only for eps <= 1.",
    ),
    theorem(
        "sharp.noise.radial",
        "gauss.kappa",
        "noise with density proportional to exp(-eps |z|/s) is (eps, 0)-private at sensitivity s",
        _radial,
        proof=by(_radial, *_private(radial_noise, 0, 0, {5: ((-1, Given(1)),)})),
    ),
    theorem(
        "sharp.noise.radial.moment",
        "gauss.kappa",
        "its second moment is d (d+1) s^2/eps^2",
        _moment,
        proof=by(_moment, (a_radial**2, Schema("moment", (radial_noise,)))),
    ),
    theorem(
        "sharp.retraining",
        "def.time",
        "retraining from scratch ignores the forget data, so it unlearns for every (eps, delta): T^U <= T^S",
        _retraining,
        proof=by(_retraining, (1, _forgets)),
    ),
    theorem(
        "sharp.sensitivity.slope",
        "gauss.sensitivity",
        "<l'(x) - mu x, v> <= (7/8) L |v| for every member, every point of the ball and every vector v",
        _bent,
        proof=(
            Step(
                "ahead",
                _ahead,
                Combination(
                    (
                        *slope_along(f_any, _ray, inside=_ray_inside),
                        (
                            1 / _on,
                            Schema("strong convexity", (f_any, point_any, _ray, tag_any), {1: _ray_inside}),
                        ),
                        (1 / _on, Schema("strong convexity", (f_any, _ray, point_any), {0: _ray_inside})),
                        (mu * _on, Given(1)),
                    )
                ),
            ),
            Step(
                "behind",
                _behind,
                Combination((*slope_along(f_any, point_any, tag_any), (mu, Given(2)))),
            ),
            Step("inside", _inside, Cases(_room, "ahead", "behind")),
            Step(
                "outside",
                _outside,
                Combination(
                    (
                        *at_most(_most, slope_any - mu * point_any),
                        (p_any / (4 * _most), Schema("Lipschitz", (f_any, point_any, tag_any))),
                        (p_any / (4 * _most) * (L + tagged.length), Lemma("setup.step_stays.half")),
                        (p_any * mu**2 / (2 * _most), Given(2)),
                    )
                ),
            ),
            Step("both", _bent, Cases(_split, "inside", "outside")),
        ),
    ),
    theorem(
        "sharp.sensitivity.half_chord",
        "gauss.sensitivity",
        "the optima for two forget distributions lie at most (7/4) r L/mu apart, in every dimension",
        state(le(D_optima, 2 * _most * r / mu)),
        proof=slopes_apart(_most, "sharp.sensitivity.slope"),
        note="Better than the chord bound 2/(1+r) for r < 1/7.",
    ),
)
