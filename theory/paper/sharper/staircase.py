"""Radial staircase noise: pure eps, and far less of it than the radial exponential once eps exceeds the dimension.

The density is proportional to e^(-k eps) where the length n of the noise, over the sensitivity s, lies on the
k-th shell: k = 0 for n < q s, else k = ceil(n/s - q). It is a mixture: a ball of radius (q + k) s is chosen with
probability proportional to e^(-k eps) (q + k)^d, then a point of it uniformly.
"""

from __future__ import annotations

from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, OPEN_UNIT, letter, parameter
from oubli.theory.paper.letters import d, epsilon
from oubli.theory.paper.privacy import D_optima
from oubli.theory.paper.sharper.privacy import l_ratio, n_here, n_there, s_cover
from oubli.theory.records.build import by, eq, fact, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import numeric
from oubli.theory.records.proof import Combination, Expectation, Given, Lemma, Schema, Step

q_stair = parameter("q_stair", OPEN_UNIT, "radius of the innermost shell, over the sensitivity")
k_here = letter("k_here", NATURAL, "the shell of y around theta*(D_f): 0 or ceil(n_here/s_cover - q_stair)")
k_there = letter("k_there", NATURAL, "the shell of y around theta*(D_f')")
_near = state(
    le(n_there, n_here + s_cover),
    # The triangle inequality.
    fact("Cauchy-Schwarz", le(n_there, n_here + D_optima)),
    given(le(D_optima, s_cover)),
)
_shell = state(
    le(k_there, k_here + 1),
    given(le(n_there, n_here + s_cover)),
    # The k-th shell reaches from (q + k - 1) s to (q + k) s.
    fact("definition", ge(k_here, n_here / s_cover - q_stair)),
    fact("definition", gt(n_there / s_cover - q_stair + 1 - k_there, 0)),
)
# k_there < k_here + 2, and both are whole.
_fewer = Schema(
    "whole",
    (numeric(k_here + 1 - k_there),),
    {0: ((1 / s_cover, Given(0)), (1, Given(1)), (1, Given(2)))},
)
_private = state(
    le(l_ratio, epsilon),
    fact("definition", eq(l_ratio, epsilon * (k_there - k_here))),
    *_near.given,
)

R_square = letter("R_square", NONNEGATIVE, "squared radius, over s_cover^2, of the ball that is chosen")
u_square = letter("u_square", NONNEGATIVE, "mean of |z|^2 once the ball is chosen")
E_radius = letter(
    "E_radius",
    NONNEGATIVE,
    "mean of R_square: S_(d+2)/S_d, S_m the sum of e^(-k eps) (q_stair + k)^m over k >= 0",
)
z_stair = letter("z_stair", NONNEGATIVE, "E|z|^2 of the staircase noise")
_uniform = state(
    eq((d + 2) * u_square - d * s_cover**2 * R_square, 0),
    # The length over the radius is Beta(d, 1), whose second moment is d/(d+2).
    fact("moments", eq((d + 2) * u_square, d * s_cover**2 * R_square)),
)
_moment = state(eq((d + 2) * z_stair - d * s_cover**2 * E_radius, 0))

CLAIMS = (
    theorem(
        "sharp.noise.staircase.shell",
        "gauss.kappa",
        "a shift by the sensitivity moves a point by at most one shell",
        _shell,
        proof=by(_shell, (1, _fewer)),
    ),
    theorem(
        "sharp.noise.staircase",
        "gauss.kappa",
        "radial staircase noise with steps of width s is (eps, 0)-private at sensitivity s, for 0 < q < 1",
        _private,
        proof=(
            Step("near", _near, Combination(((1, Given(0)), (1, Given(1))))),
            Step(
                "private",
                _private,
                Combination(
                    (
                        (-1, Given(0)),
                        (
                            epsilon,
                            Lemma("sharp.noise.staircase.shell", {}, {0: ((1, Lemma("near")),)}),
                        ),
                    )
                ),
            ),
        ),
    ),
    theorem(
        "sharp.noise.staircase.moment",
        "gauss.kappa",
        "its second moment is s^2 d/(d+2) S_(d+2)/S_d, S_m the sum of e^(-k eps) (q + k)^m over k >= 0",
        _moment,
        proof=(
            Step("one ball", _uniform, Combination(((1, Given(0)),))),
            Step("all balls", _moment, Expectation("one ball", {u_square: z_stair, R_square: E_radius})),
        ),
    ),
)
