"""The efficient regime for every eps: T^U <= 2048 rho^2 (1 + S) (e0/e) T^S, S the noise per unit of sensitivity.

`efficient` is printed for every eps > 0 with the classical kappa = sqrt(2 ln(1.25/delta))/eps, which is not
private for large eps. Gaussian noise kappa + 1/sqrt(2 eps) is, for every eps, and radial noise is too. Their S is
at most 4 d kappa^2 where eps <= 4 ln(1.25/delta), or d + 1 <= 8 ln(1.25/delta): there the printed form holds with
the constant of `efficient`. What is left is `efficient.rest`.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis
from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, Phi, normal_density, parameter
from oubli.theory.paper.algorithms import gamma_step
from oubli.theory.paper.descent import Descent, n_noise, q_start, z_any
from oubli.theory.paper.efficient import CONSTANT, b_noise, q_noise
from oubli.theory.paper.letters import (
    T_S,
    T_U,
    L,
    T,
    d,
    data,
    delta,
    e,
    e0,
    epsilon,
    kappa,
    mu,
    r,
    retained,
    rho,
)
from oubli.theory.paper.optima import theta_all, theta_r
from oubli.theory.paper.sharper.privacy import sigma_unit
from oubli.theory.paper.times import time_at_least
from oubli.theory.records.build import by, eq, ge, given, gt, le, lt, state, statement, theorem
from oubli.theory.records.claim import Claim
from oubli.theory.records.objects import (
    Object,
    excess,
    forget,
    gaussian,
    given_data,
    mean,
    mix,
    numeric,
    opt,
    proj,
    radial,
    retain,
    rule,
    term,
    worst,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Lemma,
    Monotone,
    One,
    Over,
    Schema,
    Step,
    Term,
)

# --- Gaussian noise for every eps: the scaled tail exp(x^2/2) Phi(-x) falls.
x_tail = parameter("x_tail", NONNEGATIVE, "where a normal tail begins")
c_tail = parameter("c_tail", NONNEGATIVE, "a number c with 1.25 exp(-c^2/2) <= delta")
x_real = parameter("x_real", meaning="a number")
_tail = -sp.exp(x_tail**2 / 2) * Phi(-x_tail)
_tail_slope = ge(sp.diff(_tail, x_tail), 0)
_falls, _falls_above = state(_tail_slope), state(_tail_slope, given(gt(x_tail, 0)))
_level_at_0 = state(_tail_slope, given(ge(-x_tail, 0)))
_at_c = state(ge(_tail.subs(x_tail, c_tail) - _tail.subs(x_tail, 0), 0))
_rises = state(ge(normal_density(x_real), 0))
_ahead, _behind = 1 / (2 * sigma_unit) - epsilon * sigma_unit, -1 / (2 * sigma_unit) - epsilon * sigma_unit
_exact_delta = Phi(_ahead) - sp.exp(epsilon) * Phi(_behind)
_large = (
    given(ge(epsilon * sigma_unit - 1 / (2 * sigma_unit), c_tail)),
    given(ge(4 * delta, 5 * sp.exp(-(c_tail**2) / 2))),
)
_moved = state(ge(Phi(-c_tail) - Phi(_ahead), 0), *_large)
_private = state(le(_exact_delta, delta), *_large)
_hat = given(eq(epsilon * sigma_unit, c_tail + sp.sqrt(epsilon / 2)))
_root = sp.sqrt(epsilon / 2)
_least_hat = state(ge(epsilon * sigma_unit - 1 / (2 * sigma_unit), c_tail), _hat)

# --- private noise, then nothing or constant steps, projected
_width = 2 * r * L / ((1 + r) * mu)
_bq = (given(eq(q_noise**2, 1 + b_noise**2)),)
_far = r**2 * L**2 / mu**2
_loss = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
_steps_given = (
    given(eq(gamma_step * sp.sqrt(T) * mu, r * q_noise)),
    given(ge(T * e**2, 64 * r**2 * q_noise**2 * e0**2)),
    given(ge(T, 1)),
)


@dataclass(frozen=True)
class Mechanism:
    """Noise that hides a shift by the sensitivity, its root mean square over that, and when it is private."""

    name: str
    noise: Object
    size: sp.Expr
    holds: tuple[Hypothesis, ...]

    def tied(self) -> Hypothesis:
        """What b_noise is: the noise over the distance of the optima, both as bounds."""
        return given(eq(b_noise * (1 + r), 2 * self.size))


GAUSSIAN = Mechanism(
    "gaussian",
    gaussian(sigma_unit * _width),
    sp.sqrt(d) * sigma_unit,
    (given(le(_exact_delta, delta)),),
)
RADIAL = Mechanism("radial", radial(epsilon / _width), sp.sqrt(d * (d + 1)) / epsilon, ())


def _released(way: Mechanism, D: Object, steps: bool) -> Object:
    hat = proj(opt(mix(r, forget(D), retain(D))) + way.noise)
    if not steps:
        return hat
    tuned = Descent(f"tuned_{way.name}", hat, gamma_step, sp.Integer(1), T - 1)
    return tuned.released(D)


def _in_time(way: Mechanism, steps: bool, at: int) -> Term:
    """T^U is at most what this rule takes: the sensitivity, private noise, and that its worst risk is at most e."""
    release, count, first = rule(_released(way, given_data, steps)), T if steps else 0, 4 if steps else 3
    numbers = map(numeric, (r, count, e, epsilon, delta, _width, sigma_unit))
    exact = {first + 6: ((1, Given(at)),)} if way.holds else {}
    reached = {first + 6 + len(way.holds): ((1, Lemma("worst")),)}
    shown = {first: ((1, Lemma("sensitivity")),), **exact, **reached}
    return 1, Schema("time", (Object("unlearner"), release, *numbers), shown)


def _claim(
    way: Mechanism, steps: bool, key: str, title: str, hyps: tuple[Hypothesis, ...], lemma: Lemma
) -> Claim:
    """That a rule reaches e: on each problem by a lemma, on the worst of them, and it is allowed."""
    count = T if steps else 0
    release, name = rule(_released(way, given_data, steps)), f"{way.name}_{'tuned' if steps else 'alone'}"
    gap = term(f"X_{name}", mean(excess(retained, _released(way, data, steps))), "E L_r(released) - L_r*")
    most = term(f"M_{name}", worst(release, count), "worst risk of this rule")
    each, all_ = (state(le(letter, e), *hyps) for letter in (gap, most))
    says = state(le(T_U, count), *hyps, *way.holds)
    return theorem(
        key,
        "efficient",
        title,
        says,
        proof=(
            Step("each problem", each, Combination(((1, lemma),))),
            Step("worst", all_, Over("each problem", worst(release, count), (data,))),
            Step("time", says, Combination((_in_time(way, steps, len(hyps)),))),
        ),
    )


def _tuned(way: Mechanism) -> Claim:
    size, at = way.size, {z_any: way.noise, n_noise: way.size * _width, q_start: r * L * q_noise / mu}
    because: dict[int, tuple[Term, ...]] = {
        0: ((-1, Schema("moment", (way.noise,))),),
        1: ((-1, Schema("centred", (way.noise, theta_all - theta_r))),),
        2: ((_far, Given(0)), (_far * (b_noise + 2 * size / (1 + r)) / (1 + r), Given(1))),
        3: ((L / mu, Given(2)),),
        4: ((1, Given(3)),),
    }
    return _claim(
        way,
        True,
        f"efficient.steps.{way.name}",
        f"T >= 64 r^2 (1 + b^2) (e0/e)^2 constant steps from {way.name} noise that is private, projected, reach e",
        (*_bq, way.tied(), *_steps_given),
        Lemma("sharp.exact.steps", at, because),
    )


def _alone(way: Mechanism) -> Claim:
    enough = given(ge(e, _loss + L * way.size * _width))
    because: dict[int, tuple[Term, ...]] = {0: ((1, Given(0)),), 1: ((-1, Schema("moment", (way.noise,))),)}
    return _claim(
        way,
        False,
        f"efficient.none.{way.name}",
        f"e >= (4 r^2/(1-r^2) + 8 r b) e0: {way.name} noise that is private, projected, reaches e without a gradient",
        (enough,),
        Lemma("sharp.exact.trivial", {z_any: way.noise, n_noise: way.size * _width}, because),
    )


# --- the time: rounded up, or none
n_whole = parameter("n_whole", NATURAL, "64 r^2 q_noise^2 (e0/e)^2 rounded up")
_N = 64 * r**2 * q_noise**2 * e0**2 / e**2
_rounding = (given(ge(n_whole, _N)), given(le(n_whole, _N + 1)), given(lt(e, e0)))


def _time(way: Mechanism) -> Claim:
    hyps = (*_bq, way.tied(), *_rounding, *way.holds)
    i, width_ = len(hyps), 8 * r * e0
    private = {j: ((1, Given(j)),) for j in range(5, 5 + len(way.holds))}
    many, few, all_ = (
        state(le(T_U, 2 * _N), *hyps, *case) for case in ((given(ge(_N, 1)),), (given(le(_N, 1)),), ())
    )
    steps = Lemma(
        f"efficient.steps.{way.name}",
        {T: n_whole, gamma_step: r * q_noise / (sp.sqrt(n_whole) * mu)},
        {0: ((1, Given(0)),), 1: ((1, Given(1)),), 3: ((e**2, Given(2)),), 4: ((1, Given(2)), (1, Given(i)))}
        | private,
    )
    order = {
        0: ((1, Given(0)),),
        1: ((e**2 / (e + width_ * q_noise), Given(i)),),
        2: ((1, Given(4)),),
        3: ((1 / (q_noise + b_noise), Given(0)), (1 / (q_noise + b_noise), One())),
        4: ((1 / (q_noise + 1), Given(0)), (b_noise**2 / (q_noise + 1), One())),
    }
    none = Lemma(
        f"efficient.none.{way.name}",
        {},
        {0: ((1, Lemma("efficient.below", {}, order)), (width_ / (1 + r), Given(1)))}
        | {j - 4: terms for j, terms in private.items()},
    )
    return theorem(
        f"efficient.time.{way.name}",
        "efficient",
        f"T^U <= 128 r^2 (1 + b^2) (e0/e)^2 with {way.name} noise that is private",
        all_,
        proof=(
            Step(
                "N >= 1",
                many,
                Combination(
                    (
                        (1, steps),
                        (1, Given(3)),
                        (1, Given(i)),
                    )
                ),
            ),
            Step(
                "N <= 1",
                few,
                Combination(((1, none), (2 * _N, One()))),
            ),
            Step("both", all_, Cases(_N - 1, "N >= 1", "N <= 1")),
        ),
    )


# --- against retraining
S_noise = parameter("S_noise", NONNEGATIVE, "E|z|^2 per unit of squared sensitivity")
FACTOR = sp.Integer(2048)
_below = given(lt(e, e0))
_ratio = state(
    le(T_U, FACTOR * rho**2 * (1 + S_noise) * e0 / e * T_S),
    given(le(T_U, 2 * _N)),
    *_bq,
    given(eq((b_noise * (1 + r)) ** 2, 4 * S_noise)),
    _below,
)
_root_T = sp.sqrt(T)
_one_more = Schema("whole", (numeric(T - 1),), {0: ((1, Given(2)),)})
_quarter_proof = time_at_least(
    "T^S >= e0/(4e)",
    e0 / (4 * e),
    (
        (1 / (4 * e), Lemma("sharp.scratch.lower", {}, {1: ((1, _one_more),)})),
        ((3 * _root_T + 1) / (4 * (_root_T + 1)), _one_more),
    ),
)
_quarter = state(ge(T_S, e0 / (4 * e)), _below, also=(r,))


_scale = rho**2 * e0 / e * T_S
_given = (*_bq, GAUSSIAN.tied(), *_rounding)
_exact_says = le(T_U, FACTOR * (1 + d * sigma_unit**2) * _scale)
_exact = state(_exact_says, *_given, *GAUSSIAN.holds)
_classical = given(ge(4 * delta, 5 * sp.exp(-((kappa * epsilon) ** 2) / 2)))
_sum = given(eq(epsilon * sigma_unit, kappa * epsilon + sp.sqrt(epsilon / 2)))
_every = state(_exact_says, *_given, _sum, _classical)

# --- the printed form, kappa the classical one: (kappa eps)^2 = 2 ln(1.25/delta)
_printed = le(T_U, CONSTANT * (1 + d * kappa**2) * _scale)
_small = given(le(epsilon, 2 * (kappa * epsilon) ** 2))
_few = given(le(d + 1, 4 * (kappa * epsilon) ** 2))
_budget = state(_printed, *_given, _sum, _classical, _small)
_dimension = state(_printed, *_bq, RADIAL.tied(), *_rounding, _few)
_rest = state(
    _printed,
    given(lt(e, e0)),
    given(eq(4 * delta, 5 * sp.exp(-((kappa * epsilon) ** 2) / 2))),
    given(gt(epsilon, 2 * (kappa * epsilon) ** 2)),
    given(gt(d + 1, 4 * (kappa * epsilon) ** 2)),
)
# 1 + S <= 4 (1 + d kappa^2) where S <= 4 d kappa^2, and four times 2048 is less than 25600/3.
_over = (_scale * (3 * FACTOR + (CONSTANT - 4 * FACTOR) * (1 + d * kappa**2)), One())
_sqrt_eps = sp.sqrt(epsilon / 2)

_hidden = Lemma(
    "efficient.kappa.exact",
    {c_tail: kappa * epsilon},
    {0: ((1, Lemma("efficient.kappa.hat", {c_tail: kappa * epsilon})),)},
)

CLAIMS = (
    theorem(
        "efficient.kappa.exact",
        "gauss.kappa",
        "Gaussian noise kappa per unit of sensitivity is (eps, delta)-private once eps kappa - 1/(2 kappa) >= c, "
        "delta >= 1.25 exp(-c^2/2), for every eps",
        _private,
        proof=(
            Step(
                "falls, x > 0",
                _falls_above,
                Combination(((sp.exp(x_tail**2 / 2), Schema("Mills", (numeric(x_tail),))),)),
            ),
            Step(
                "falls, x = 0",
                _level_at_0,
                Combination(
                    (
                        (sp.exp(x_tail**2 / 2) * Phi(-x_tail), Given(0)),
                        (sp.exp(x_tail**2 / 2) * normal_density(x_tail), One()),
                    )
                ),
            ),
            Step("falls", _falls, Cases(x_tail, "falls, x > 0", "falls, x = 0")),
            Step("at c", _at_c, Monotone("falls", x_tail, _tail, sp.Integer(0), c_tail)),
            Step("rises", _rises, Combination(((normal_density(x_real), One()),))),
            Step("moved", _moved, Monotone("rises", x_real, Phi(x_real), _ahead, -c_tail)),
            Step(
                "private",
                _private,
                Combination(
                    (
                        (1, Lemma("moved")),
                        (sp.exp(-(c_tail**2) / 2), Lemma("at c")),
                        (sp.Rational(1, 4), Given(1)),
                        (sp.exp(epsilon) * Phi(_behind), One()),
                        (sp.exp(-(c_tail**2) / 2) * (sp.Rational(5, 4) - Phi(0)), One()),
                    )
                ),
            ),
        ),
    ),
    theorem(
        "efficient.kappa.hat",
        "gauss.kappa",
        "kappa + 1/sqrt(2 eps), kappa = c/eps, is such a scale for every eps",
        _least_hat,
        proof=by(
            _least_hat,
            (1, Given(0)),
            (1 / (2 * sigma_unit * _root), Given(0)),
            (c_tail / (2 * sigma_unit * _root), One()),
        ),
    ),
    *(made(way) for way in (GAUSSIAN, RADIAL) for made in (_tuned, _alone)),
    *(_time(way) for way in (GAUSSIAN, RADIAL)),
    theorem(
        "efficient.quarter",
        "scratch.theta",
        "T^S >= e0/(4e) for e < e0",
        _quarter,
        proof=_quarter_proof,
    ),
    theorem(
        "efficient.ratio",
        "efficient",
        "T^U <= 2048 rho^2 (1 + S) (e0/e) T^S if T^U <= 128 r^2 (1 + b^2) (e0/e)^2, b = 2 sqrt(S)/(1+r)",
        _ratio,
        proof=by(
            _ratio,
            (1, Given(0)),
            (-128 * r**2 * e0**2 / e**2, Given(1)),
            (-128 * r**2 * e0**2 / e**2 / (1 + r) ** 2, Given(2)),
            (2048 * rho**2 * (1 + S_noise) * e0 / e, Lemma("efficient.quarter")),
            (
                128
                * e0**2
                / e**2
                * r**2
                / (1 - r) ** 2
                * ((1 + r) * (3 - r) + 16 * S_noise * r / (1 + r) ** 2),
                One(),
            ),
        ),
    ),
    theorem(
        "efficient.exact",
        "efficient",
        "T^U <= 2048 rho^2 (1 + d kappa^2) (e0/e) T^S for every eps and every noise kappa that is private by the exact law",
        _exact,
        proof=by(
            _exact,
            (
                1,
                Lemma(
                    "efficient.ratio",
                    {S_noise: d * sigma_unit**2},
                    {
                        0: ((1, Lemma("efficient.time.gaussian")),),
                        2: ((b_noise * (1 + r) + 2 * GAUSSIAN.size, Given(1)),),
                    },
                ),
            ),
        ),
    ),
    theorem(
        "efficient.every",
        "efficient",
        "T^U <= 2048 rho^2 (1 + d k^2) (e0/e) T^S for every eps > 0 and every e < e0, k = kappa + 1/sqrt(2 eps)",
        _every,
        proof=by(
            _every,
            (
                1,
                Lemma("efficient.exact", {}, {5: ((1, _hidden),)}),
            ),
        ),
    ),
    theorem(
        "efficient.budget",
        "efficient",
        "as printed with C = 25600/3 for every eps <= 4 ln(1.25/delta)",
        _budget,
        proof=by(
            _budget,
            (1, Lemma("efficient.every")),
            # sigma <= 2 kappa, so sigma^2 <= 4 kappa^2.
            (-FACTOR * _scale * d * (sigma_unit + 2 * kappa) / epsilon, Given(5)),
            (
                FACTOR
                * _scale
                * d
                * (sigma_unit + 2 * kappa)
                / epsilon
                / (2 * (kappa * epsilon + _sqrt_eps)),
                Given(7),
            ),
            _over,
        ),
        note="2 (kappa eps)^2 = 4 ln(1.25/delta) for the classical kappa. The noise is kappa + 1/sqrt(2 eps) <= 2 kappa.",
    ),
    theorem(
        "efficient.dimension",
        "efficient",
        "as printed with C = 25600/3 for every eps where d + 1 <= 8 ln(1.25/delta)",
        _dimension,
        proof=by(
            _dimension,
            (
                1,
                Lemma(
                    "efficient.ratio",
                    {S_noise: d * (d + 1) / epsilon**2},
                    {
                        0: ((1, Lemma("efficient.time.radial")),),
                        2: ((b_noise * (1 + r) + 2 * RADIAL.size, Given(1)),),
                    },
                ),
            ),
            (FACTOR * _scale * d / epsilon**2, Given(5)),
            _over,
        ),
        note="4 (kappa eps)^2 = 8 ln(1.25/delta) for the classical kappa. The noise is radial with E|z|^2 = d(d+1)/eps^2.",
    ),
    statement(
        "efficient.rest",
        624,
        "as printed with C = 25600/3 where eps > 4 ln(1.25/delta) and d + 1 > 8 ln(1.25/delta)",
        _rest,
        note="What is left of `efficient` after efficient.budget and efficient.dimension. No additive noise gives it: "
        "theta + z that is (eps, delta)-private at unit sensitivity has E|z|^2 of the order of d/eps there. Whether "
        "another algorithm does is not known here.",
    ),
)
