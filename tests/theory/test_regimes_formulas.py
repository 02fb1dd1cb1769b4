"""The calculator against the ledger: its numbers, put exactly into the claims it names, meet them."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp

from oubli.theory.paper.binomial import gamma_high, gamma_low, gamma_max, gamma_min
from oubli.theory.paper.chains import K_chain
from oubli.theory.paper.descent import n_noise, q_start
from oubli.theory.paper.ledger import ledger
from oubli.theory.paper.letters import L, M, T, d, delta, e, epsilon, mu, r
from oubli.theory.paper.sharper import cube, linear
from oubli.theory.paper.sharper.between import share_between
from oubli.theory.paper.sharper.means import y_worst
from oubli.theory.paper.sharper.sgd import H_T, c_sgd, z_square_bound
from oubli.theory.regimes import Constants, classify
from oubli.theory.regimes.chain import HALF_WIDTHS
from oubli.theory.regimes.cube import COINS, MEANS
from oubli.theory.regimes.linear import SHIFTS, STARTS
from oubli.theory.regimes.recipe import recipe
from oubli.theory.regimes.sgd import WEIGHTS, harmonic
from oubli.theory.regimes.sharp import share

CLAIMS = ledger().claims
UNITS = {L: sp.Integer(1), mu: sp.Integer(1)}
rng = np.random.default_rng(11)


def rational(value):
    return sp.Rational(*Fraction(float(value)).as_integer_ratio())


def hypotheses(key):
    return [f.relation for f in CLAIMS[key].statement.given]


def holds(relation, values):
    """A closed relation, decided with 60 digits; a tie within 1e-40 would be an error of the test."""
    gap = sp.N((relation.lhs - relation.rhs).subs({**UNITS, **values}), 60)
    assert gap.is_Float or gap.is_Integer or gap.is_Rational
    positive = isinstance(relation, sp.Ge | sp.Gt)
    return bool(gap >= 0) if positive else bool(gap <= 0)


def pick(claim, end, size=4000, constants=Constants.SHARP, **fixed):
    """Random rows whose bound at one end comes from a claim."""
    table = {
        "rf": 10 ** rng.uniform(-4, -0.5, size),
        "eps": 10 ** rng.uniform(-2, 1.5, size),
        "delta": 10 ** rng.uniform(-8, -2, size),
        "dim": rng.integers(1, 40, size),
        "target": 10 ** rng.uniform(-4, 0, size),
    } | fixed
    found = classify(**table, constants=constants)
    best = end(found)
    rows = [i for i in range(size) if claim in best.claims(i) and best.steps[i] < 1e5]
    assert len(rows) >= 5, f"{claim} gives too few of the random bounds"
    return [(found, i, {k: np.broadcast_to(v, size)[i] for k, v in table.items()}) for i in rows[:12]]


def target(row):
    return rational(row["target"]) / 8


def test_scratch_upper_is_what_the_printed_rate_gives():
    (asks,) = hypotheses("scratch.upper")
    for found, i, row in pick("scratch.upper", lambda f: f.scratch[1], constants=Constants.PRINTED_REPAIRED):
        steps = int(found.scratch[1].steps[i])
        assert holds(asks, {T: steps, e: target(row)})
        assert not holds(asks, {T: steps - 1, e: target(row)})


def test_scratch_lower_is_the_risk_of_the_posterior_mean():
    says = CLAIMS["sharp.scratch.lower"].statement.says
    for found, i, row in pick("sharp.scratch.lower", lambda f: f.scratch[0]):
        steps = int(found.scratch[0].steps[i])
        assert not holds(says, {T: steps - 1, e: target(row)})
        assert holds(says, {T: steps, e: target(row)})


@pytest.mark.parametrize(
    ("key", "size"), [("sharp.exact.trivial", 4000), ("sharp.exact.trivial.line", 30_000)]
)
def test_noise_alone_meets_the_repaired_threshold(key, size):
    # The others say what n_noise bounds, and that there is one dimension.
    asks = hypotheses(key)[0]
    kind = Constants.PRINTED_REPAIRED
    fixed = (
        {"dim": np.ones(size, dtype=int), "rf": 10 ** rng.uniform(-1.5, -0.5, size)} if "line" in key else {}
    )
    for found, i, row in pick(key, lambda f: f.unlearn[1], size, kind, **fixed):
        apart = 1 if "line" in key else 2 / (1 + rational(row["rf"]))
        noise = apart * rational(row["rf"]) * sp.sqrt(rational(found.mechanism[0].values[i]))
        assert holds(asks, {e: target(row), r: rational(row["rf"]), n_noise: noise})


def test_constant_steps_meet_the_printed_rate():
    (asks,) = [given for given in hypotheses("sharp.exact.steps") if {e, T} <= given.free_symbols]
    kind, size = Constants.PRINTED_REPAIRED, 4000
    rf = 10 ** rng.uniform(-5, -3, size)
    for found, i, row in pick("sharp.exact.steps", lambda f: f.unlearn[1], size, kind, rf=rf):
        apart = 2 / (1 + rational(row["rf"]))
        noise = (apart * rational(row["rf"])) ** 2 * rational(found.mechanism[0].values[i])
        far = sp.sqrt(noise + rational(row["rf"]) ** 2)
        assert holds(asks, {e: target(row), q_start: far, T: int(found.unlearn[1].steps[i])})


def test_the_shrunk_release_meets_its_threshold():
    # The second hypothesis only says which eta the release is shrunk by.
    asks = hypotheses("sharp.trivial")[0]
    for found, i, row in pick("sharp.trivial", lambda f: f.unlearn[1]):
        square, apart = (choice.values[i] for choice in found.mechanism)
        noise = rational(row["rf"]) * rational(apart) * sp.sqrt(rational(square))
        assert holds(asks, {e: target(row), r: rational(row["rf"]), n_noise: noise})


def shared(found, i, row):
    """The letters of a row for fine-tuning towards a point between, at the share that is taken."""
    square, apart = (choice.values[i] for choice in found.mechanism)
    noise = (rational(row["rf"]) * rational(apart)) ** 2 * rational(square)
    part = share(*(np.float64(v) for v in (row["target"], row["rf"], noise)))
    known = {e: target(row), r: rational(row["rf"]), z_square_bound: noise, T: int(found.unlearn[1].steps[i])}
    return {**known, share_between: rational(part)}


def tuned(at, weight):
    near, asks = hypotheses("sharp.efficient.between")[2:4]
    at = {**at, c_sgd: rational(weight), H_T: exact_sum(float(weight), at[T])}
    return holds(near, at) and holds(asks, at)


def test_fine_tuning_meets_the_rate_for_some_weight():
    for case in pick("sharp.efficient.between", lambda f: f.unlearn[1]):
        assert any(tuned(shared(*case), w) for w in WEIGHTS)


def test_the_recipe_as_printed_reaches_the_target():
    for found, i, row in pick("sharp.efficient.between", lambda f: f.unlearn[1]):
        printed = sp.Rational(recipe(found, i).split(",")[0].removeprefix("c = "))
        assert tuned(shared(found, i, row), printed)


def test_the_shrinking_as_printed_reaches_the_target():
    for found, i, row in pick("sharp.trivial", lambda f: f.unlearn[1]):
        square, apart = (rational(choice.values[i]) for choice in found.mechanism)
        factor = sp.Rational(recipe(found, i).removeprefix("multiply the noisy point by "))
        eta, r = (1 / factor - 1) * sp.Rational(5, 6), rational(row["rf"])
        # sharp.release: E|z|^2/(2 eta) + eta V/2, and theta* costs r^2/(2 (1 - r^2)).
        risk = (r * apart) ** 2 * square / (2 * eta) + eta * sp.Rational(9, 70)
        assert risk + r**2 / (2 * (1 - r**2)) <= target(row)


def test_growing_weights_meet_the_rate_for_some_start_and_shift():
    asks, start_asks, left, inside = hypotheses("sharp.scratch.linear")
    for found, i, row in pick("sharp.scratch.linear", lambda f: f.scratch[1]):
        steps = int(found.scratch[1].steps[i])
        at = {e: target(row), T: steps}
        letters = (linear_letters(a_, c_, steps) for a_, c_ in zip(STARTS, SHIFTS, strict=True))
        good = [v for v in letters if holds(asks, {**at, **v})]
        assert good
        for values in good:
            assert holds(start_asks, values)
            assert holds(inside, values)
            assert abs(sp.N((left.lhs - left.rhs).subs(values), 50)) < 1e-40


def linear_letters(a_, c_, steps):
    """The letters of the claim at its own equalities; Y by digamma functions, not by the bound under test."""
    a_, c_ = rational(a_), rational(c_)
    with mpmath.workdps(50):
        first = mpmath.mpf(a_.p) / a_.q
        total = sp.Float(str(mpmath.digamma(first + steps + 1) - mpmath.digamma(first)), 40)
    begin = sp.Max(0, (a_ - 1) ** 2 / 2 - sp.Rational(12, 5) * (a_ - 1 + c_))
    spare = c_ + sp.Rational(1, 2) - sp.Rational(12, 5) * (1 + c_ / a_) ** 2
    return {
        linear.a_linear: a_,
        linear.c_linear: c_,
        linear.s_linear: spare,
        linear.i_start: begin,
        linear.Y_T: total,
    }


def exact_sum(weight, steps):
    """The sum of 1/(1 + k t) over t = 0 … steps by digamma functions, not by the bound under test."""
    with mpmath.workdps(50):
        k = mpmath.mpf(weight) * (1 - 6 * mpmath.mpf(weight) / 5)
        return sp.Float(str((mpmath.digamma(1 / k + steps + 1) - mpmath.digamma(1 / k)) / k), 40)


@pytest.mark.parametrize("weight", [1e-6, 1e-3, 0.1, 1 / 3, 0.6])
@pytest.mark.parametrize("steps", [0, 1, 7, 1000])
def test_the_harmonic_bound_is_above_the_sum_and_close(weight, steps):
    k = weight * (1 - 1.2 * weight)
    exact = math.fsum(1 / (1 + k * t) for t in range(steps + 1))
    assert exact <= float(harmonic(np.float64(steps), np.float64(k))) <= exact * 1.002


def test_one_gradient_less_breaks_the_chain_of_means():
    says = CLAIMS["sharp.lower"].statement.says
    for found, i, row in pick("sharp.lower", lambda f: f.unlearn[0]):
        steps, x = int(found.unlearn[0].steps[i]), rational(row["target"])
        ratio = float(row["rf"] / (1 - row["rf"]))

        def breaks(width, T_, row=row, x=x, ratio=ratio):
            hops = math.ceil(width / ratio * (1 + 1e-9)) - 1
            values = {
                gamma_max: rational(width),
                gamma_min: -rational(width),
                K_chain: hops,
                T: T_,
                y_worst: sp.sqrt(x),
            }
            budget = {epsilon: rational(row["eps"]), delta: rational(row["delta"])}
            return not holds(says, {**values, **budget})

        near = HALF_WIDTHS[np.argsort(-_roots(row, ratio))[:3]]
        assert any(breaks(width, steps - 1) for width in near)


def _roots(row, ratio):
    t, y = math.tanh(row["eps"] / 2), math.sqrt(row["target"])
    hops = np.ceil(HALF_WIDTHS / ratio) - 1
    spent = hops * (t * y + (1 - t) * HALF_WIDTHS * row["delta"])
    return (HALF_WIDTHS - y - spent) / y / np.arcsin(HALF_WIDTHS)


def test_one_gradient_less_breaks_the_cube():
    """The claim's conclusion, with its letters put in exactly, fails with one gradient less."""
    statement = CLAIMS["sharp.cube"].statement
    near_line = {"eps": 10 ** rng.uniform(-2, -1, 4000), "dim": np.full(4000, 30)}
    for found, i, row in pick(
        "sharp.cube", lambda f: f.unlearn[0], rf=10 ** rng.uniform(-3, -1.5, 4000), **near_line
    ):
        steps, x = int(found.unlearn[0].steps[i]), rational(row["target"])
        ratio = rational(row["rf"]) / (1 - rational(row["rf"]))
        budget = {
            epsilon: rational(row["eps"]),
            delta: rational(row["delta"]),
            y_worst: sp.sqrt(x),
            T: steps - 1,
        }
        assert any(
            not holds(statement.says, {**budget, **cube_letters(statement, coins, mean, ratio, budget)})
            for coins in COINS
            if coins <= 30
            for mean in MEANS[np.argsort(-_cube_roots(row, coins))[:2]]
        )


def cube_letters(statement, coins, mean, ratio, budget):
    """Width, level, climb and count at the edge of the claim's own hypotheses."""
    side = 2 * rational(mean) / sp.sqrt(coins)
    tight = sp.exp(budget[epsilon]) * budget[y_worst] ** 2 + (coins - 1) * budget[delta] * side**2
    level = sp.sqrt(sp.N(tight / (coins - 1 + sp.exp(budget[epsilon])), 60)) * (1 + sp.Rational(1, 10**40))
    span = 2 * rational(mean) * sp.N(sp.log((1 + rational(mean)) / (1 - rational(mean))), 60)
    climb = sp.sqrt(budget[T] * level**2 * span) * (1 + sp.Rational(1, 10**40))
    at = {
        gamma_high: rational(mean),
        gamma_low: -rational(mean),
        d: coins,
        cube.z_level: level,
    }
    at |= {
        cube.s_climb: climb + sp.Rational(1, 10**50),
        cube.n_hops: side / (2 * ratio),
        r: ratio / (1 + ratio),
        **{L: 1, mu: 1, M: budget[y_worst] ** 2 / 8},
    }
    for asked in (f.relation for f in statement.given if not isinstance(f.relation, sp.Eq)):
        assert holds(asked, {**budget, **at})
    return at


def _cube_roots(row, coins):
    y, t, a = math.sqrt(row["target"]), math.tanh(row["eps"] / 2), MEANS / math.sqrt(coins)
    error = np.sqrt(y**2 / (1 + (coins - 1) * math.exp(-row["eps"])) + 4 * row["delta"] * a**2)
    ratio = row["rf"] / (1 - row["rf"])
    return (a - y - a / ratio * (t * error + a * row["delta"])) / error / np.sqrt(MEANS * np.arctanh(MEANS))


def test_two_points_at_the_printed_gamma():
    for found, i, row in pick(
        "inefficient.step1.repaired",
        lambda f: f.unlearn[0],
        constants=Constants.PRINTED_REPAIRED,
        size=20_000,
        rf=10 ** rng.uniform(-1.5, -0.1, 20_000),
    ):
        steps, x = int(found.unlearn[0].steps[i]), Fraction(float(row["target"]))
        with mpmath.workdps(40):
            width = mpmath.sqrt(3 * mpmath.mpf(x.numerator) / x.denominator)
            ratio = mpmath.mpf(float(row["rf"])) / (1 - mpmath.mpf(float(row["rf"])))
            hops = max(0, int(mpmath.ceil((width / ratio - 1) / 2)))
            price = mpmath.expm1(row["eps"]) + row["delta"]
            risk = width**2 * (1 - mpmath.pi * width * mpmath.sqrt(steps - 1) / 2 - 2 * hops * price)
            assert risk > mpmath.mpf(x.numerator) / x.denominator
