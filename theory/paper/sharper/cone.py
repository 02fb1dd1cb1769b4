"""The cone test: of an output O, how far it lies in a direction e, less cot(w0) times what is orthogonal to it.

u and e are orthonormal, uniform; u' = cos(eta) u + sin(eta) e, e' = -sin(eta) u + cos(eta) e are so too. The test is
f = (<O, e> - cot(w0) |O - <O, u> u - <O, e> e|)_+. If O was drawn at the start A u it is independent of e, and the angle
omega of e and O - <O, u> u is that of two independent directions in d - 1 dimensions; at the start A u' the same holds for
e'. Only means of 1, cos and sin of omega over caps enter. eta is given by the tangent of its half.
"""

from __future__ import annotations

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, UNIT, letter, parameter
from oubli.theory.paper.binomial import SYMMETRIC
from oubli.theory.paper.letters import r
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Combination, Expectation, Given, Lemma, Step

A_ball = parameter("A_ball", POSITIVE, "radius of the sphere of starts, in units R")
k_cone = parameter("k_cone", NONNEGATIVE, "cot(w0), w0 the half angle of the cone")
t_turn = parameter("t_turn", POSITIVE, "tan(eta/2), eta the angle of a hop on the sphere")
sine, cosine = 2 * t_turn / (1 + t_turn**2), (1 - t_turn**2) / (1 + t_turn**2)

# --- the hop, and the test seen from both of its ends
o_u = letter("o_u", meaning="<O, u>")
o_e = letter("o_e", meaning="<O, e>")
p_out = letter("p_out", meaning="<O, u'>, the part of the output along its start")
o_ahead = letter("o_ahead", meaning="<O, e'>")
_turned = (
    fact("definition", eq(p_out, cosine * o_u + sine * o_e)),
    fact("definition", eq(o_ahead, cosine * o_e - sine * o_u)),
)
_back = state(eq(o_e, sine * p_out + cosine * o_ahead), *_turned)
_plane = state(eq(o_u**2 + o_e**2, p_out**2 + o_ahead**2), *_turned)
_length = state(
    le((A_ball * cosine - A_ball) ** 2 + (A_ball * sine) ** 2, 4 * r**2),
    given(le(A_ball**2 * t_turn**2, r**2 * (1 + t_turn**2))),
)

# --- one output, all directions
q_out = letter("q_out", NONNEGATIVE, "|O - <O, u> u|, u the direction of its start")
o_rest = letter("o_rest", NONNEGATIVE, "|O - <O, u> u - <O, e> e|")
c_angle = letter("c_angle", SYMMETRIC, "cos(omega)")
s_angle = letter("s_angle", UNIT, "sin(omega)")
f_cone = letter("f_cone", NONNEGATIVE, "the test at an output")
i_cap = letter("i_cap", UNIT, "1 if omega <= w1, else 0")
c_cap = letter("c_cap", SYMMETRIC, "i_cap cos(omega)")
s_cap = letter("s_cap", UNIT, "i_cap sin(omega)")
F_far = letter("F_far", NONNEGATIVE, "mean of the test over directions, at an output drawn at A u'")
P_cap = letter(
    "P_cap",
    UNIT,
    "P(omega <= w1), omega the angle of two independent directions: in R^(d-1) on a sphere of starts, in R^d in a ball",
)
C_cap = letter("C_cap", SYMMETRIC, "E[cos(omega); omega <= w1]")
S_cap = letter("S_cap", UNIT, "E[sin(omega); omega <= w1]")
_tested = state(
    ge(f_cone - sine * p_out * i_cap - cosine * q_out * c_cap + k_cone * q_out * s_cap, 0),
    # A positive part is at least what it is part of, and at least 0.
    fact("definition", ge(f_cone, i_cap * (o_e - k_cone * o_rest))),
    fact("definition", eq(o_ahead, q_out * c_angle)),
    # sharp.cone.plane: the part orthogonal to u and e is that orthogonal to u' and e'.
    fact("definition", eq(o_rest, q_out * s_angle)),
    fact("definition", eq(c_cap, i_cap * c_angle)),
    fact("definition", eq(s_cap, i_cap * s_angle)),
)
_far = state(ge(F_far - sine * p_out * P_cap - (cosine * C_cap - k_cone * S_cap) * q_out, 0))
x_cone = letter("x_cone", NONNEGATIVE, "(cos(omega) - cot(w0) sin(omega))_+")
X_cone = letter("X_cone", NONNEGATIVE, "E(cos(omega) - cot(w0) sin(omega))_+")
F_near = letter("F_near", NONNEGATIVE, "mean of the test over directions, at an output drawn at A u")
_seen = state(eq(f_cone, q_out * x_cone), fact("definition", eq(f_cone, q_out * x_cone)))
_near = state(eq(F_near, q_out * X_cone), also=(k_cone,))

# --- all outputs
G_far = letter("G_far", NONNEGATIVE, "mean of the test under the laws at A u', over all u, e")
G_near = letter("G_near", NONNEGATIVE, "mean of the test under the laws at A u, over all u, e")
E_p = letter("E_p", meaning="mean of <O, u> under the laws at A u, over all u")
E_q = letter("E_q", NONNEGATIVE, "mean of |O - <O, u> u| under the laws at A u, over all u")
_mean_far = state(ge(G_far - sine * E_p * P_cap - (cosine * C_cap - k_cone * S_cap) * E_q, 0))
_mean_near = state(eq(G_near, E_q * X_cone), also=(k_cone,))

CLAIMS = (
    theorem(
        "sharp.cone.back",
        "inefficient",
        "e = sin(eta) u' + cos(eta) e', so <O, e> = sin(eta) <O, u'> + cos(eta) <O, e'>",
        _back,
        proof=by(_back, (-sine, Given(0)), (-cosine, Given(1))),
    ),
    theorem(
        "sharp.cone.plane",
        "inefficient",
        "u, e and u', e' span the same plane: <O, u>^2 + <O, e>^2 = <O, u'>^2 + <O, e'>^2",
        _plane,
        proof=by(
            _plane,
            (-(p_out + cosine * o_u + sine * o_e), Given(0)),
            (-(o_ahead + cosine * o_e - sine * o_u), Given(1)),
        ),
    ),
    theorem(
        "sharp.cone.length",
        "inefficient",
        "|A u' - A u| <= 2 r once A sin(eta/2) <= r",
        _length,
        proof=by(_length, (4 / (1 + t_turn**2), Given(0))),
    ),
    theorem(
        "sharp.cone.far",
        "inefficient",
        "at an output drawn at A u' the test is at least sin(eta) P p + (cos(eta) C - cot(w0) S) q in the mean over directions, "
        "P, C, S the means of 1, cos, sin over a cap",
        _far,
        proof=(
            Step(
                "test",
                _tested,
                Combination(
                    (
                        (1, Given(0)),
                        (i_cap, Lemma("sharp.cone.back")),
                        (i_cap * cosine, Given(1)),
                        (-k_cone * i_cap, Given(2)),
                        (-cosine * q_out, Given(3)),
                        (k_cone * q_out, Given(4)),
                    )
                ),
            ),
            Step(
                "directions",
                _far,
                Expectation("test", {f_cone: F_far, i_cap: P_cap, c_cap: C_cap, s_cap: S_cap}),
            ),
        ),
        depends=("sharp.cone.plane",),
    ),
    theorem(
        "sharp.cone.near",
        "inefficient",
        "at an output drawn at A u the test is q E(cos(omega) - cot(w0) sin(omega))_+ in the mean over directions",
        _near,
        proof=(
            Step("test", _seen, Combination(((1, Given(0)),))),
            Step("directions", _near, Expectation("test", {f_cone: F_near, x_cone: X_cone})),
        ),
    ),
    theorem(
        "sharp.cone.mean_far",
        "inefficient",
        "the same in the mean over outputs drawn at A u', for all u'",
        _mean_far,
        proof=(
            Step("each", _far, Combination(((1, Lemma("sharp.cone.far")),))),
            Step("outputs", _mean_far, Expectation("each", {F_far: G_far, p_out: E_p, q_out: E_q})),
        ),
    ),
    theorem(
        "sharp.cone.mean_near",
        "inefficient",
        "the same in the mean over outputs drawn at A u, for all u",
        _mean_near,
        proof=(
            Step("each", _near, Combination(((1, Lemma("sharp.cone.near")),))),
            Step("outputs", _mean_near, Expectation("each", {F_near: G_near, q_out: E_q})),
        ),
    ),
)
