"""Radial exponential noise with delta used: it is enough to look at a shift by the whole sensitivity.

Noise of density proportional to exp(-a |z|) is pure at a = eps/s, and (eps, delta)-private at larger rates a. With
L = a (|z - u| - |z|) the logarithm of the ratio of the densities, delta is the mean of w = max(0, 1 - e^(eps - L)).
|z - sigma v| is convex in sigma, so L for the shift sigma v is at most sigma times L for v: w only grows.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import UNIT, Domain, letter, parameter
from oubli.theory.paper.letters import delta, epsilon
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Cases, Combination, Expectation, Given, Lemma, Monotone, One, Step

x_exponent = parameter("x_exponent", meaning="an exponent")
part_shift = parameter(
    "part_shift", Domain(Fraction(0), Fraction(1), True, False), "the shift over the sensitivity, not 0"
)
l_part = letter(
    "l_part", meaning="a (|z - part_shift v| - |z|): the logarithm of the ratio of the densities at z"
)
l_whole = letter("l_whole", meaning="the same for the shift v by the whole sensitivity")
w_part = letter("w_part", UNIT, "max(0, 1 - e^(epsilon - l_part))")
w_whole = letter("w_whole", UNIT, "max(0, 1 - e^(epsilon - l_whole))")
h_part = letter(
    "h_part", UNIT, "mean of w_part: hockey-stick divergence at e^eps of the noise from the shifted noise"
)
h_whole = letter("h_whole", UNIT, "mean of w_whole: the same for a shift by the whole sensitivity")

# The triangle inequality for z - part_shift v = (1 - part_shift) z + part_shift (z - v).
_convex = fact("Cauchy-Schwarz", le(l_part, part_shift * l_whole))
_above = fact("definition", ge(w_whole, 1 - sp.exp(epsilon - l_whole)))
_further = state(ge(l_whole, l_part), _convex, given(ge(l_part - epsilon, 0)))
_slope = state(ge(sp.exp(x_exponent), 0))
_risen = state(ge(sp.exp(epsilon - l_part) - sp.exp(epsilon - l_whole), 0), given(ge(l_whole, l_part)))
_says = ge(w_whole - w_part, 0)
_inside = state(
    _says,
    _convex,
    _above,
    given(ge(l_part - epsilon, 0)),
    fact("definition", eq(w_part, 1 - sp.exp(epsilon - l_part))),
)
_outside = state(_says, given(ge(epsilon - l_part, 0)), fact("definition", eq(w_part, 0)))
_pointwise = state(_says, also=(part_shift, epsilon, l_part, l_whole))
_mean = state(ge(h_whole - h_part, 0))
_private = state(le(h_part, delta), given(le(h_whole, delta)))

CLAIMS = (
    theorem(
        "sharp.noise.radial.shift",
        "gauss.kappa",
        "radial exponential noise hides a shorter shift at least as well as one by the whole sensitivity",
        _mean,
        proof=(
            Step(
                "further",
                _further,
                Combination(
                    (
                        (1 / part_shift, Given(0)),
                        ((1 - part_shift) / part_shift, Given(1)),
                        (epsilon * (1 - part_shift) / part_shift, One()),
                    )
                ),
            ),
            Step("slope", _slope, Combination(((sp.exp(x_exponent), One()),))),
            Step(
                "risen",
                _risen,
                Monotone("slope", x_exponent, sp.exp(x_exponent), epsilon - l_whole, epsilon - l_part),
            ),
            Step(
                "inside",
                _inside,
                Combination(
                    (
                        (1, Given(1)),
                        (-1, Given(3)),
                        (1, Lemma("risen", {}, {0: ((1, Lemma("further")),)})),
                    )
                ),
            ),
            Step("outside", _outside, Combination(((-1, Given(1)), (w_whole, One())))),
            Step("pointwise", _pointwise, Cases(l_part - epsilon, "inside", "outside")),
            Step("mean", _mean, Expectation("pointwise", {w_part: h_part, w_whole: h_whole})),
        ),
    ),
    theorem(
        "sharp.noise.radial.exact",
        "gauss.kappa",
        "radial exponential noise is (eps, delta)-private once its divergence for one shift by the sensitivity is at most delta",
        _private,
        proof=by(_private, (1, Given(0)), (1, Lemma("sharp.noise.radial.shift"))),
    ),
)
