"""The algorithms: SGD, noise-and-fine-tune, what their outputs average, and their rates."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.claim import Fact
from theory.paper.build import by, case, eq, fact, ge, given, gt, le, repair, state, statement
from theory.proof import Combination, Given, Induction, Lemma, One, Step, Sum
from theory.symbols import (
    NATURAL,
    NONNEGATIVE,
    POSITIVE,
    L,
    Phi,
    T,
    kappa,
    letter,
    mu,
    normal_density,
    parameter,
    r_f,
    rho,
)
from theory.vectors import inner, square, vector

n = parameter("n", NATURAL, "number of terms")
t = parameter("t", NATURAL, "index of the gradient step")
scale = 2 / ((T + 1) * (T + 2))

# --- averages: weights s = 1 … last, each times 2/((T+1)(T+2))
sum_T = letter("S_T", meaning="1 + 2 + … + T")
sum_next = letter("S_next", meaning="1 + 2 + … + (T+1)")
_average = state(eq(scale * sum_T, 1), fact("definition", eq(2 * sum_T, T * (T + 1))))
_average_repaired = state(eq(scale * sum_next, 1))
_closed = state(eq((T + 1) * (T + 2) / 2, sum_next))
_sum_proof = (
    Step("sum", _closed, Sum(n, n, n * (n + 1) / 2, 1, T + 1, sum_next)),
    Step("weights", _average_repaired, Combination(((-scale, Lemma("sum")),))),
)
_noise = state(eq(kappa * r_f * L / mu, kappa * rho * L / mu))
factor = letter("f_t", meaning="weight of theta_t in theta_{t+1} on mu/2 |theta|^2 + linear")
_printed_factor = fact("definition", eq(factor, 1 - mu * (2 / (mu * (t + 1)))))
_warm = state(gt(factor**2, 0), _printed_factor, given(ge(t, 1)))
step_size = parameter("gamma_s", POSITIVE, "constant step size")
_warm_repaired = state(
    ge(factor, Fraction(1, 2)),
    fact("definition", eq(factor, 1 - mu * step_size)),
    given(le(2 * mu * step_size, 1)),
)

# --- one projected stochastic gradient step, in expectation
total = letter("S", meaning="weighted sum of the expected gaps so far")
D0 = letter("D_0", NONNEGATIVE, "E|theta_0 - theta_r*|^2")
Dt = letter("D_t", NONNEGATIVE, "E|theta_t - theta_r*|^2")
Dn = letter("D_n", NONNEGATIVE, "E|theta_{t+1} - theta_r*|^2")
Gt = letter("G_t", meaning="E L_r(theta_t) - L_r*")
Ct = letter("C_t", meaning="E<grad L_r(theta_t), theta_t - theta_r*>")
Qt = letter("Q_t", meaning="E|stochastic gradient at theta_t|^2")
mean_gap = letter("G_avg", meaning="E L_r(released average) - L_r*")


def one_step(size: sp.Expr) -> tuple[Fact, ...]:
    """The three facts about one projected stochastic gradient step of a given size."""
    return (
        fact("projection", le(Dn, Dt - 2 * size * Ct + size**2 * Qt)),
        fact("strong convexity", ge(Ct, Gt + mu / 2 * Dt)),
        fact("Lipschitz", le(Qt, L**2)),
    )


_eta = 2 / (mu * (t + 2))
_weight = mu / 4 * (t + 1) * (t + 2)
_falling = t * L**2 / mu - total - mu / 4 * t * (t + 1) * Dt
_falling_next = {total: total + (t + 1) * Gt, Dt: Dn}
_falling_later = _falling.subs({t: t + 1, **_falling_next}, simultaneous=True)
_rate_step = state(ge(_falling_later, 0), *one_step(_eta), given(ge(_falling, 0)))
_rate_held = state(ge(_falling.subs(t, T + 1), 0))
_rate = state(
    le(mean_gap, 2 * L**2 / (mu * (T + 2))),
    fact("Jensen", le((T + 1) * (T + 2) / 2 * mean_gap, total)),
    also=(Dt,),
)

_constant = t * step_size**2 * L**2 + D0 - Dt - 2 * step_size * total
_constant_next = {total: total + Gt, Dt: Dn}
_constant_later = _constant.subs({t: t + 1, **_constant_next}, simultaneous=True)
_constant_step = state(ge(_constant_later, 0), *one_step(step_size), given(ge(_constant, 0)))
_constant_held = state(ge(_constant.subs(t, T), 0))
_constant_rate = state(
    le(mean_gap, D0 / (2 * step_size * T) + step_size * L**2 / 2),
    fact("Jensen", le(T * mean_gap, total)),
    given(ge(T, 1)),
    also=(Dt, mu),
)
_constant_printed = state(
    le(mean_gap, D0 / (2 * step_size * T) + step_size * L**2 / 2), given(ge(T, 1)), also=(D0, mean_gap)
)
_steep = 10
# E(|g| - 1)_+^2 for g ~ N(0, 4): twice (sigma^2 + 1) Phi(-1/sigma) - sigma phi(1/sigma).
_beyond = 2 * (5 * Phi(-sp.Rational(1, 2)) - 2 * normal_density(sp.Rational(1, 2)))

# --- two runs with the same signs and the same seed
apart = letter("q", NONNEGATIVE, "squared distance of the states (theta_t, m_t) of the two runs")
apart_next = letter("q_n", NONNEGATIVE, "the same after one more step")
gradients = letter("h", NONNEGATIVE, "squared distance of the two gradients")
ratio = letter("M_A", NONNEGATIVE, "q_n/(q + h): finite because equal arguments give equal values")
signs = letter("u_s", meaning="g(xi_t) - g(xi'_t), the difference of the two signs")
dth, e1 = vector("dtheta"), vector("e1")
_gradient_gap = state(
    le(gradients, mu**2 * apart),
    fact("definition", eq(gradients, square(sp.sympify(mu) * dth - (L / 2 * signs) * e1))),
    given(eq(signs, 0)),
    fact("definition", le(square(dth), apart)),
)
# |mu dtheta - (L/2) u e_1|^2 = mu^2 |dtheta|^2 + u (…): the last bracket multiplies u = 0.
_gradient_terms = (
    (-1, Given(0)),
    (mu**2, Given(2)),
    (L * mu * inner(dth, e1) - L**2 / 4 * signs * square(e1), Given(1)),
)
_same_step = state(
    ge(-apart_next, 0),
    fact("function", le(apart_next, ratio * (apart + gradients))),
    given(ge(-apart, 0)),
    *_gradient_gap.given,
)
_same = state(le(apart, 0), *_gradient_gap.given, also=(T,))

CLAIMS = (
    statement(
        "nft.average",
        421,
        "the released model 2 m_T/((T+1)(T+2)) is an average of iterates: its weights sum to 1",
        _average,
        "alg:noise+ft",
        instances=(case("T = 1: the only weight is 1/3", {T: 1, sum_T: 1}),),
        repaired_by="nft.average.repaired",
        note="theta_1 and m_1 are undefined; read as theta_0. The weights sum to T/(T+2).",
    ),
    repair(
        "nft.average.repaired",
        421,
        "with theta_1 = m_1 = theta_0 and m_{T+1} released, the weights sum to 1",
        _average_repaired,
        proof=_sum_proof,
    ),
    statement(
        "nft.noise",
        410,
        "the noise of Algorithm 2, kappa r L/mu, is that of the proofs, kappa rho L/mu (l.1069)",
        _noise,
        "alg:noise+ft",
        instances=(case("r = 1/2: they differ by a factor 2", {L: 2, mu: 1, kappa: 1, r_f: Fraction(1, 2)}),),
        repaired_by="sensitivity",
        note="Which is right depends on the sensitivity: see gauss.sensitivity.",
    ),
    statement(
        "nft.warm_start",
        417,
        "fine-tuning starts from theta*: each step, from t = 1 on, keeps some dependence on where it started",
        _warm,
        "alg:noise+ft",
        instances=(
            case(
                "t = 1: the step has length 1/mu and theta_2 does not depend on theta_1",
                {mu: 1, t: 1, factor: 0},
            ),
        ),
        repaired_by="nft.warm_start.repaired",
        note="On mu/2|theta|^2 + linear the first step forgets theta* altogether: as printed, Algorithm 2 is "
        "retraining with a noisy first point.",
    ),
    repair(
        "nft.warm_start.repaired",
        417,
        "a constant step of at most 1/(2 mu) keeps at least half of the dependence on its start",
        _warm_repaired,
        proof=by(_warm_repaired, (1, Given(0)), (Fraction(1, 2), Given(1))),
    ),
    statement(
        "sgd.average",
        1279,
        "the weights 2(1+t)/((T+1)(T+2)), t = 0 … T-1, sum to 1",
        _average,
        instances=(case("T = 1: the only weight is 1/3", {T: 1, sum_T: 1}),),
        repaired_by="sgd.average.repaired",
    ),
    repair(
        "sgd.average.repaired",
        1279,
        "summed over t = 0 … T the weights 2(1+t)/((T+1)(T+2)) sum to 1",
        _average_repaired,
        proof=_sum_proof,
    ),
    statement(
        "sgd.rate",
        1277,
        "SGD as printed (unprojected, weights summing to T/(T+2)): E gap <= 2 L^2/(mu (T+2))",
        state(le(mean_gap, 2 * L**2 / (mu * (T + 2)))),
        printed_uses=("sgd.average",),
        repaired_by="sgd.rate.repaired",
        note="an unprojected iterate can leave the ball in d >= 2, where nothing is assumed of the loss, and the "
        "printed weights do not sum to 1",
    ),
    repair(
        "sgd.rate.repaired",
        1277,
        "SGD with every step projected on the ball and the weights of sgd.average.repaired: "
        "E gap <= 2 L^2/(mu (T+2)) after T gradients",
        _rate,
        proof=(
            Step("at 0", state(ge(0, 0)), Combination(())),
            Step(
                "from t to t+1",
                _rate_step,
                Combination(
                    (
                        (1, Given(3)),
                        (_weight, Given(0)),
                        (_weight * 2 * _eta, Given(1)),
                        (_weight * _eta**2, Given(2)),
                        (L**2 / (mu * (t + 2)), One()),
                    )
                ),
            ),
            Step(
                "at T+1",
                _rate_held,
                Induction(t, _falling, "at 0", "from t to t+1", {total: 0}, _falling_next, T + 1),
            ),
            Step(
                "average",
                _rate,
                Combination(((scale, Given(0)), (scale, Lemma("at T+1")), (mu / 2 * Dt, One()))),
            ),
        ),
        note="The step from theta_T is only thought, not made: T gradients suffice.",
    ),
    statement(
        "sgd.constant_step",
        1102,
        "SGD with constant step from theta* + noise, as printed: E gap <= E|start - theta_r*|^2/(2 gamma T) "
        "+ gamma L^2/2",
        _constant_printed,
        instances=(
            case(
                "d = 1, all losses theta^2/2 + 10 (|theta| - 1)_+^2, in the class on [-1, 1]; r = 1/2, kappa = 1: "
                "the noise N(0, 4) leaves the ball, T = 1 releases it",
                {
                    L: 2,
                    T: 1,
                    step_size: 1,
                    D0: 4,
                    Dt: 0,
                    mean_gap: 2 + _steep * _beyond,
                },
            ),
        ),
        repaired_by="sgd.constant_step.repaired",
        note="The start lies outside the ball with positive probability, where the loss is not Lipschitz.",
    ),
    repair(
        "sgd.constant_step.repaired",
        1102,
        "with start and steps projected on the ball, the average of theta_0 … theta_{T-1} satisfies "
        "E gap <= E|start - theta_r*|^2/(2 gamma T) + gamma L^2/2",
        _constant_rate,
        proof=(
            Step("at 0", state(ge(0, 0)), Combination(())),
            Step(
                "from t to t+1",
                _constant_step,
                Combination(
                    (
                        (1, Given(3)),
                        (1, Given(0)),
                        (2 * step_size, Given(1)),
                        (step_size**2, Given(2)),
                        (step_size * mu * Dt, One()),
                    )
                ),
            ),
            Step(
                "at T",
                _constant_held,
                Induction(t, _constant, "at 0", "from t to t+1", {total: 0, Dt: D0}, _constant_next, T),
            ),
            Step(
                "average",
                _constant_rate,
                Combination(
                    (
                        (1 / T, Given(0)),
                        (1 / (2 * step_size * T), Lemma("at T")),
                        (Dt / (2 * step_size * T), One()),
                    )
                ),
            ),
        ),
    ),
    statement(
        "phi_measurable",
        1358,
        "the output is a function of the start, the signs g(xi_t) and the seed: two runs that share them agree",
        _same,
        "lemma:phiA_measurable",
        proof=(
            Step("at 0", state(ge(0, 0)), Combination(())),
            Step("gradients", _gradient_gap, Combination(_gradient_terms)),
            Step(
                "from t to t+1",
                _same_step,
                Combination(
                    (
                        (1, Given(0)),
                        (ratio * (1 + mu**2), Given(1)),
                        (ratio, Lemma("gradients")),
                    )
                ),
            ),
            Step(
                "at T",
                _same,
                Induction(t, -apart, "at 0", "from t to t+1", {apart: 0}, {apart: apart_next}, T),
            ),
        ),
    ),
)
