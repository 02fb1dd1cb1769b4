"""The Gaussian mechanism with the classical kappa (l.496, l.1067): where it is private and where not.

With c = sqrt(2 ln(1.25/delta)) and a = eps/(2c), noise kappa = c/eps per unit of sensitivity has
delta_exact = Phi(a - c) - e^(2ac) Phi(-a - c), and the claim is delta_exact <= 1.25 e^(-c^2/2).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, Domain, Phi, parameter
from oubli.theory.paper.letters import classical_kappa, delta, epsilon, kappa
from oubli.theory.records.build import by, case, ge, given, gt, le, repair, state, statement, theorem
from oubli.theory.records.objects import Object, numeric
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Monotone,
    One,
    Same,
    Schema,
    Step,
    Subdivision,
)

JOIN = sp.Rational(5, 4)
c_delta = parameter("c_delta", Domain(Fraction(2, 3)), "sqrt(2 ln(1.25/delta)), at least 2/3 for delta < 1")
a_epsilon = parameter("a_epsilon", NONNEGATIVE, "eps/(2c)")
epsilon_small = parameter(
    "epsilon_small", Domain(Fraction(0), Fraction(1), True, False), "epsilon, at most 1"
)


def exact_delta(shift: sp.Expr) -> sp.Expr:
    """delta of the mechanism as a function of a, at fixed c."""
    return Phi(shift - c_delta) - sp.exp(2 * shift * c_delta) * Phi(-shift - c_delta)


_kappa = classical_kappa(epsilon, delta)
_printed = state(
    le(
        Phi(1 / (2 * _kappa) - epsilon * _kappa)
        - sp.exp(epsilon) * Phi(-1 / (2 * _kappa) - epsilon * _kappa),
        delta,
    )
)

_target = sp.Rational(5, 4) * sp.exp(-(c_delta**2) / 2)
_rising = state(ge(sp.diff(exact_delta(a_epsilon), a_epsilon), 0))
_worst = state(ge(exact_delta(1 / (2 * c_delta)) - exact_delta(epsilon_small / (2 * c_delta)), 0))

z = c_delta - 1 / (2 * c_delta)
_body = state(gt(_target - Phi(-z), 0), given(le(c_delta, JOIN)))
_safe_z = sp.Rational(17, 20) + (c_delta - JOIN) * (1 + sp.Rational(2, 5) / c_delta)
_z_positive = ((1 + sp.Rational(2, 5) / c_delta, Given(0)), (sp.Rational(17, 20), One()))
_root_e = sp.exp(sp.Rational(1, 2)) / sp.sqrt(2 * sp.pi)
_far = state(ge(_target - Phi(-z), 0), given(ge(c_delta, JOIN)))
_eighth = 1 / (8 * c_delta**2)
_near = state(ge(_target - Phi(-z), 0), given(ge(JOIN - c_delta, 0)))
_ends = state(ge(_target - Phi(-z), 0))
_small = state(le(exact_delta(epsilon_small / (2 * c_delta)), _target))

# The same with the noise kappa itself: c = kappa epsilon, so that a = 1/(2 kappa).
_ahead, _behind = 1 / (2 * kappa) - epsilon * kappa, -1 / (2 * kappa) - epsilon * kappa
private_kappa = (
    given(le(epsilon, 1)),
    given(ge(3 * kappa * epsilon, 2)),
    given(ge(4 * delta, 5 * sp.exp(-((kappa * epsilon) ** 2) / 2))),
    given(gt(kappa, 0)),
)
_private = state(le(Phi(_ahead) - sp.exp(epsilon) * Phi(_behind), delta), *private_kappa)


def _with_c(sign: str) -> Object:
    """sign a - c as the lemma has it, with a = epsilon/(2 (kappa epsilon)), which formulas would simplify."""
    a = ["*", sign, ["^", ["*", "epsilon", "kappa"], -1], "epsilon"]
    return Object(["+", a, ["*", -1, "epsilon", "kappa"]])


x_positive = parameter("x_positive", Domain(Fraction(0), lower_open=True), "a positive number")
_log_rises = state(ge(1 / x_positive, 0))
_log = state(ge(sp.log(1) - sp.log(delta), 0))
_range = state(ge(2 * sp.log(sp.Rational(5, 4)) - 2 * sp.log(delta), sp.Rational(4, 9)))

CLAIMS = (
    statement(
        "gauss.kappa",
        1067,
        "noise kappa per unit of sensitivity gives (eps, delta) for every eps > 0",
        _printed,
        instances=(
            case(
                "eps = 10, delta = 1e-5: the exact delta is 2.26e-5",
                {epsilon: 10, delta: Fraction(1, 100000)},
            ),
        ),
        repaired_by="gauss.kappa.small",
        note="Private up to a frontier eps*(delta) of about 6 to 10, not beyond.",
    ),
    repair(
        "gauss.kappa.small",
        1067,
        "noise kappa gives (eps, delta) for every eps <= 1 and every delta in (0, 1)",
        _small,
        proof=(
            Step(
                "rises in a",
                _rising,
                Combination(
                    (
                        (
                            2 * sp.exp(2 * a_epsilon * c_delta),
                            Schema("Mills", (numeric(a_epsilon + c_delta),)),
                        ),
                        (2 * sp.exp(2 * a_epsilon * c_delta) * a_epsilon * Phi(-a_epsilon - c_delta), One()),
                    )
                ),
            ),
            Step(
                "eps = 1 is worst",
                _worst,
                Monotone(
                    "rises in a",
                    a_epsilon,
                    exact_delta(a_epsilon),
                    epsilon_small / (2 * c_delta),
                    1 / (2 * c_delta),
                ),
            ),
            Step("c <= 5/4, strictly", _body, Subdivision(at_most=60)),
            Step("c <= 5/4", _near, Combination(((1, Lemma("c <= 5/4, strictly")),))),
            Step(
                "c >= 5/4",
                _far,
                Combination(
                    (
                        (1 / _safe_z, Schema("Mills", (numeric(z),), {0: _z_positive})),
                        (
                            sp.exp(-(c_delta**2) / 2 - _eighth) * _root_e / _safe_z,
                            Schema("exponential", (numeric(_eighth),)),
                        ),
                        (sp.exp(-(c_delta**2) / 2 - _eighth) * _root_e / _safe_z * _eighth, One()),
                        (
                            JOIN * sp.exp(-(c_delta**2) / 2) * (1 + sp.Rational(2, 5) / c_delta) / _safe_z,
                            Given(0),
                        ),
                        (sp.exp(-(c_delta**2) / 2) / _safe_z * (sp.Rational(17, 16) - _root_e), One()),
                    )
                ),
            ),
            Step("both", _ends, Cases(c_delta - JOIN, "c >= 5/4", "c <= 5/4")),
            Step(
                "private",
                _small,
                Combination(
                    (
                        (1, Lemma("eps = 1 is worst")),
                        (1, Lemma("both")),
                        (sp.exp(1) * Phi(-1 / (2 * c_delta) - c_delta), One()),
                    )
                ),
            ),
        ),
        note="c stands for sqrt(2 ln(1.25/delta)); gauss.kappa.range shows that c >= 2/3.",
    ),
    theorem(
        "gauss.kappa.private",
        "gauss.kappa",
        "for eps <= 1 noise kappa is (eps, delta)-private if delta >= 1.25 exp(-(kappa eps)^2/2)",
        _private,
        proof=by(
            _private,
            (1, Lemma("gauss.kappa.small", {c_delta: kappa * epsilon, epsilon_small: epsilon})),
            (sp.Rational(1, 4), Given(2)),
            (1, Same("Phi", _with_c("1/2"), _ahead)),
            (-sp.exp(epsilon), Same("Phi", _with_c("-1/2"), _behind)),
        ),
        note="With equality kappa is the classical one; kappa eps >= 2/3 then holds for every delta < 1 "
        "(gauss.kappa.range).",
    ),
    theorem(
        "gauss.kappa.range",
        "gauss.kappa",
        "c^2 = 2 ln(1.25/delta) is at least 4/9 for delta < 1",
        _range,
        proof=(
            Step("slope", _log_rises, Combination(((1 / x_positive, One()),))),
            Step("log", _log, Monotone("slope", x_positive, sp.log(x_positive), delta, sp.Integer(1))),
            Step(
                "range",
                _range,
                Combination(((2, Lemma("log")), (2 * sp.log(sp.Rational(5, 4)) - sp.Rational(4, 9), One()))),
            ),
        ),
    ),
)
