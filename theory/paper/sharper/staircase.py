"""Radial staircase noise: pure eps, and far less of it than the radial exponential once eps exceeds the dimension.

The density is proportional to e^(-k eps) where the length n of the noise, over the sensitivity s, lies on the
k-th shell: k = 0 for n < q s, else k = ceil(n/s - q). It is a mixture: a ball of radius (q + k) s is chosen with
probability proportional to e^(-k eps) (q + k)^d, then a point of it uniformly.
"""

from __future__ import annotations

from oubli.theory.kernel.symbols import OPEN_UNIT, parameter
from oubli.theory.paper.letters import L, d, epsilon, mu, r
from oubli.theory.paper.privacy import D_optima, D_pair, f_one, f_shared, f_two, theta_one, theta_two
from oubli.theory.paper.sharper.privacy import s_cover
from oubli.theory.records.build import by, eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import Object, inner, mean, norm, numeric, point, shells, staircase, term
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, One, Schema, Step

q_stair = parameter("q_stair", OPEN_UNIT, "radius of the innermost shell, over the sensitivity")
y_stair = point("y_stair")
_to_here, _to_there = y_stair - theta_one, y_stair - theta_two


def _shell_of(away: Object) -> Object:
    """The shell of a point so far from the centre: 0 inside, as ceil(x) = 0 for -1 < x <= 0."""
    over = ["+", ["*", norm(away).node, ["^", "s_cover", -1]], ["*", -1, "q_stair"]]
    return Object(["ceil", over])


n_here = term("n_here", norm(_to_here), "|y - theta*(D_f)|, y the point released")
n_there = term("n_there", norm(_to_there), "|y - theta*(D_f')|")
k_here = term(
    "k_here", _shell_of(_to_here), "the shell of y around theta*(D_f): ceil(n_here/s_cover - q_stair)"
)
k_there = term("k_there", _shell_of(_to_there), "the shell of y around theta*(D_f')")
_covered = given(le(D_optima, s_cover))
_near = le(n_there, n_here + D_pair)
_apart, _at_centre = state(_near, given(gt(n_there, 0))), state(_near, given(ge(-n_there, 0)))
_shell = state(le(k_there, k_here + 1), given(le(n_there, n_here + s_cover)))
# k_there < k_here + 2, and both are whole.
_fewer = Schema(
    "whole",
    (numeric(k_here + 1 - k_there),),
    {
        0: (
            (1 / s_cover, Given(0)),
            (1, Schema("ceiling", (numeric(n_here / s_cover - q_stair),))),
            (1, Schema("near ceiling", (numeric(n_there / s_cover - q_stair),))),
        )
    },
)
# The logarithm of the ratio of the two densities at y, each proportional to e^(-epsilon k).
_close = {
    0: (
        (1, Lemma("near")),
        (1, Schema("spread", (numeric(r), f_one, f_two, f_shared))),
        (1, Given(0)),
    )
}
_private = state(le(epsilon * (k_there - k_here), epsilon), _covered, also=(L, mu))

_noise = staircase(epsilon, s_cover, q_stair)
_above, _below = (shells(epsilon, q_stair, n) for n in (d + 2, d))
E_radius = term(
    "E_radius",
    Object(["*", _above.node, ["^", _below.node, -1]]),
    "mean of the squared radius, over s_cover^2, of the ball that is chosen: S_(d+2)/S_d, S_m the sum of "
    "e^(-k eps) (q_stair + k)^m over k >= 0",
)
z_stair = term("z_stair", mean(inner(_noise, _noise)), "E|z|^2 of the staircase noise")
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
            Step(
                "near, apart",
                _apart,
                Combination(
                    (
                        (1 / n_there, Schema("Cauchy-Schwarz", (_to_there, _to_here))),
                        (1 / n_there, Schema("Cauchy-Schwarz", (_to_there, theta_one - theta_two))),
                    )
                ),
            ),
            Step(
                "near, at the centre",
                _at_centre,
                Combination(((1, Given(0)), (n_here, One()), (D_pair, One()))),
            ),
            Step("near", state(_near), Cases(n_there, "near, apart", "near, at the centre")),
            Step(
                "private",
                _private,
                Combination(((epsilon, Lemma("sharp.noise.staircase.shell", {}, _close)),)),
            ),
        ),
    ),
    theorem(
        "sharp.noise.staircase.moment",
        "gauss.kappa",
        "its second moment is s^2 d/(d+2) S_(d+2)/S_d, S_m the sum of e^(-k eps) (q + k)^m over k >= 0",
        _moment,
        proof=by(_moment, (d + 2, Schema("staircase", (_noise,)))),
    ),
)
