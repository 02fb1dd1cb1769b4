"""Radial exponential noise with delta used: it is enough to look at a shift by the whole sensitivity.

Noise of density proportional to exp(-a |z|) is pure at a = eps/s, and (eps, delta)-private at larger rates a. With
L = a (|z - u| - |z|) the logarithm of the ratio of the densities, delta is the mean of w = max(0, 1 - e^(eps - L)).
|z - sigma v| is convex in sigma, so L for the shift sigma v is at most sigma times L for v: w only grows.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import Domain, parameter
from oubli.theory.paper.letters import delta, epsilon
from oubli.theory.paper.sharper.privacy import a_radial, radial_noise
from oubli.theory.records.build import by, eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import Object, mean, minus, norm, numeric, point, scaled, term
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, Mean, One, Schema, Step

HALF = sp.Rational(1, 2)


def _size(t: object) -> Object:
    """|t|, the root of the square."""
    return Object(["^", ["^", t, 2], "1/2"])


# --- |t| is t or -t
t_any = parameter("t_any", meaning="a number")
t_size = term("t_size", _size("t_any"), "|t|")
_above, _under = given(gt(t_any, 0)), given(ge(-t_any, 0))
_apart, _alike = given(gt(t_size - t_any, 0)), given(ge(t_any - t_size, 0))
_at_least, _no_more, _opposite = ge(t_size, t_any), le(t_size, t_any), le(t_size, -t_any)
_sizes = (
    Step("same square", state(eq(t_size**2, t_any**2)), Combination(())),
    Step(
        "at least, t > 0",
        state(_at_least, _above),
        Combination(((1 / (t_size + t_any), Lemma("same square")),)),
    ),
    Step("at least, t <= 0", state(_at_least, _under), Combination(((1, Given(0)), (t_size, One())))),
    Step("at least", state(_at_least), Cases(t_any, "at least, t > 0", "at least, t <= 0")),
    Step("no more", state(_no_more, _above), Combination(((-1 / (t_size + t_any), Lemma("same square")),))),
    Step(
        "opposite, apart",
        state(_opposite, _under, _apart),
        Combination(((-1 / (t_size - t_any), Lemma("same square")),)),
    ),
    Step("opposite, alike", state(_opposite, _under, _alike), Combination(((2, Given(0)), (1, Given(1))))),
    Step("opposite", state(_opposite, _under), Cases(t_size - t_any, "opposite, apart", "opposite, alike")),
)

# --- the noise z from z - sigma v and from z - v
part_shift = parameter(
    "part_shift", Domain(Fraction(0), Fraction(1), True, False), "the shift over the sensitivity, not 0"
)
v_shift = point("v_shift")
_z, _from_part, _from_whole = radial_noise, radial_noise - part_shift * v_shift, radial_noise - v_shift
_from_here = norm(_z)
z_part = term("z_part", norm(_from_part), "|z - part_shift v|")
z_whole = term("z_whole", norm(_from_whole), "|z - v|")
z_none = term("z_none", _from_here, "|z|")


def _logarithm(away: Object) -> Object:
    return scaled(a_radial, minus(away, _from_here))


def _room(away: Object) -> Object:
    """1 - e^(epsilon - l)."""
    return Object(["+", 1, ["*", -1, ["exp", ["+", "epsilon", ["*", -1, _logarithm(away).node]]]]])


def _lost(away: Object) -> Object:
    """The larger of that and 0."""
    return Object(["*", "1/2", ["+", _room(away).node, _size(_room(away).node).node]])


_part, _whole = norm(_from_part), norm(_from_whole)
_ratio = "logarithm of the ratio of the densities at z"
l_part = term("l_part", _logarithm(_part), f"a (|z - part_shift v| - |z|): {_ratio}")
l_whole = term("l_whole", _logarithm(_whole), "the same for the shift v by the whole sensitivity")
t_part, t_whole = term("t_part", _room(_part)), term("t_whole", _room(_whole))
w_part = term("w_part", _lost(_part), "max(0, 1 - e^(epsilon - l_part))")
w_whole = term("w_whole", _lost(_whole), "max(0, 1 - e^(epsilon - l_whole))")
_divergence = "hockey-stick divergence at e^eps of the noise from the shifted noise"
h_part = term("h_part", mean(_lost(_part)), f"mean of w_part: {_divergence}")
h_whole = term(
    "h_whole", mean(_lost(_whole)), "mean of w_whole: the same for a shift by the whole sensitivity"
)

_convex = ge(part_shift * l_whole - l_part, 0)
_toward, _left = a_radial * part_shift, a_radial * (1 - part_shift)
_moved, _still = given(gt(z_part, 0)), given(ge(-z_part, 0))
_beyond = given(ge(l_part - epsilon, 0))
_further = state(ge(l_whole, l_part), _beyond)
_risen = state(ge(sp.exp(epsilon - l_part) - sp.exp(epsilon - l_whole), 0), given(ge(l_whole, l_part)))
_says = ge(w_whole - w_part, 0)
_inside, _outside = state(_says, given(gt(t_part, 0))), state(_says, given(ge(-t_part, 0)))
_mean = state(ge(h_whole - h_part, 0))
_private = state(le(h_part, delta), given(le(h_whole, delta)))
_left_factor = sp.exp(epsilon - l_whole)

_proof = (
    *_sizes,
    # The triangle inequality for z - part_shift v = part_shift (z - v) + (1 - part_shift) z.
    Step(
        "convex, apart",
        state(_convex, _moved, also=(z_whole, z_none)),
        Combination(
            (
                (_toward / z_part, Schema("Cauchy-Schwarz", (_from_part, _from_whole))),
                (_left / z_part, Schema("Cauchy-Schwarz", (_from_part, _z))),
            )
        ),
    ),
    Step(
        "convex, at v",
        state(_convex, _still, also=(z_whole, z_none)),
        Combination(((a_radial, Given(0)), (_toward * z_whole, One()), (_left * z_none, One()))),
    ),
    Step("convex", state(_convex, also=(z_whole, z_none)), Cases(z_part, "convex, apart", "convex, at v")),
    Step(
        "further",
        _further,
        Combination(
            (
                (1 / part_shift, Lemma("convex")),
                ((1 - part_shift) / part_shift, Given(0)),
                (epsilon * (1 - part_shift) / part_shift, One()),
            )
        ),
    ),
    Step(
        "risen",
        _risen,
        Combination(
            (
                (_left_factor, Schema("exponential", (numeric(l_whole - l_part),))),
                (_left_factor, Given(0)),
            )
        ),
    ),
    Step(
        "inside",
        _inside,
        Combination(
            (
                (HALF, Lemma("at least", {t_any: t_whole})),
                (HALF, Lemma("no more", {t_any: t_part}, {0: ((1, Given(0)),)})),
                (
                    1,
                    Lemma(
                        "risen",
                        {},
                        {
                            0: (
                                (
                                    1,
                                    Lemma(
                                        "further",
                                        {},
                                        {
                                            0: (
                                                (1, Given(0)),
                                                (1, Schema("exponential", (numeric(epsilon - l_part),))),
                                            )
                                        },
                                    ),
                                ),
                            )
                        },
                    ),
                ),
            )
        ),
    ),
    Step(
        "outside",
        _outside,
        Combination(
            (
                (HALF, Lemma("at least", {t_any: -t_whole})),
                (HALF, Lemma("opposite", {t_any: t_part}, {0: ((1, Given(0)),)})),
            )
        ),
    ),
    Step("pointwise", state(_says), Cases(t_part, "inside", "outside")),
    Step("mean", _mean, Combination(((1, Mean(Lemma("pointwise"))),))),
)

CLAIMS = (
    theorem(
        "sharp.noise.radial.shift",
        "gauss.kappa",
        "radial exponential noise hides a shorter shift at least as well as one by the whole sensitivity",
        _mean,
        proof=_proof,
    ),
    theorem(
        "sharp.noise.radial.exact",
        "gauss.kappa",
        "radial exponential noise is (eps, delta)-private once its divergence for one shift by the sensitivity is at most delta",
        _private,
        proof=by(_private, (1, Given(0)), (1, Lemma("sharp.noise.radial.shift"))),
    ),
)
