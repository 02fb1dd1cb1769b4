"""What T tosses of d coins can tell about their means: the likelihood ratio of two vectors of means.

Its logarithm is a sum of T d independent terms, linear in the signs: per toss its mean is at most (u' - u)^2/(1 - U^2), and
a sign adds at most |u' - u|/(1 - U^2) to it, for means u, u' of at most U in size. So it is large with small probability.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.symbols import NONNEGATIVE, OPEN_UNIT, POSITIVE, UNIT, letter, parameter
from oubli.theory.paper.binomial import INSIDE
from oubli.theory.paper.letters import T, d, r, rho
from oubli.theory.paper.sharper.cone import A_ball
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Expectation,
    Given,
    Lemma,
    Monotone,
    One,
    Square,
    Step,
)

# --- logarithms and exponentials
x_log_new = parameter("x_log_new", POSITIVE, "a number")
y_log_old = parameter("y_log_old", POSITIVE, "another number")
v_log = parameter("v_log", POSITIVE, "a number between them")
_line = v_log / y_log_old - sp.log(v_log)
_rises = state(ge(sp.diff(_line, v_log), 0), given(le(y_log_old, v_log)))
_falls = state(ge(-sp.diff(_line, v_log), 0), given(le(v_log, y_log_old)))
_log_says = ge(x_log_new / y_log_old - 1 - sp.log(x_log_new) + sp.log(y_log_old), 0)
_above = state(_log_says, given(ge(x_log_new - y_log_old, 0)))
_below = state(_log_says, given(ge(y_log_old - x_log_new, 0)))
_log = state(_log_says)
x_low = parameter("x_low", meaning="a number")
x_high = parameter("x_high", meaning="a number that is not smaller")
v_exp = parameter("v_exp", meaning="a number between them")
_squares = state(ge(x_high**2 - x_low**2, 0), given(ge(x_low, 0)), given(le(x_low, x_high)))
_growing = state(ge(sp.exp(v_exp), 0))
_exp = state(ge(sp.exp(x_high) - sp.exp(x_low), 0), given(le(x_low, x_high)))

U_coins = parameter("U_coins", OPEN_UNIT, "a bound on the means of the coins: sqrt(d) A/(1 - r) or more")


def _artanh(at: sp.Expr) -> sp.Expr:
    return sp.log(1 + at) / 2 - sp.log(1 - at) / 2


v_mean = parameter("v_mean", INSIDE, "a mean")
m_less = parameter("m_less", INSIDE, "a mean of a coin")
m_more = parameter("m_more", INSIDE, "a larger one")
_within = (given(ge(m_less, -U_coins)), given(le(m_more, U_coins)))
_steep = v_mean / (1 - U_coins**2) - _artanh(v_mean)
_slope = state(ge(sp.diff(_steep, v_mean), 0), given(ge(v_mean, -U_coins)), given(le(v_mean, U_coins)))
_lipschitz = state(
    ge((m_more - m_less) / (1 - U_coins**2) - _artanh(m_more) + _artanh(m_less), 0),
    *_within,
    given(le(m_less, m_more)),
)
_up = state(ge(sp.diff(_artanh(v_mean), v_mean), 0))
_monotone = state(ge(_artanh(m_more) - _artanh(m_less), 0), given(le(m_less, m_more)))


# --- one coordinate, drawn at random: the means of its coin, times sqrt(d)
u_new = letter("u_new", INSIDE, "mean of the coin that is tossed")
u_old = letter("u_old", INSIDE, "mean of the coin that it is compared with")
k_coin = letter("k_coin", meaning="mean of the logarithm of the likelihood ratio of one toss")
s_coin = letter("s_coin", NONNEGATIVE, "(u_new - u_old)^2")
t_coin = letter("t_coin", meaning="artanh(u_new) - artanh(u_old): what a sign adds to that logarithm")
t_coin_square = letter("t_coin_square", NONNEGATIVE, "its square")
_root = sp.sqrt(d)
_wide = given(ge((1 - r) * U_coins, _root * A_ball))


def _entry(mean: sp.Symbol) -> tuple[Fact, Fact]:
    """A coordinate is at most as long as its vector, which is sqrt(d) A/(1 - r) long at most."""
    return (
        fact("Cauchy-Schwarz", le((1 - r) * mean, _root * A_ball)),
        fact("Cauchy-Schwarz", ge((1 - r) * mean, -_root * A_ball)),
    )


def _inside(mean: sp.Symbol) -> tuple[Fact, Fact]:
    return given(le(mean, U_coins)), given(ge(mean, -U_coins))


_most = state(le(u_old, U_coins), *_entry(u_old), _wide)
_fewest = state(ge(u_old, -U_coins), *_entry(u_old), _wide)
_divergence = (1 + u_new) / 2 * (sp.log(1 + u_new) - sp.log(1 + u_old)) + (1 - u_new) / 2 * (
    sp.log(1 - u_new) - sp.log(1 - u_old)
)
_square = fact("definition", eq(s_coin, (u_new - u_old) ** 2))
_one_mean = state(
    ge(s_coin / (1 - U_coins**2) - k_coin, 0),
    *_inside(u_old),
    fact("moments", eq(k_coin, _divergence)),
    _square,
)
_tilt = fact("definition", eq(t_coin, _artanh(u_new) - _artanh(u_old)))
_tilt_square = fact("definition", eq(t_coin_square, t_coin**2))
_says = ge(s_coin / (1 - U_coins**2) ** 2 - t_coin_square, 0)
_both = (*_inside(u_old), *_inside(u_new))
_tilt_up = state(_says, *_both, _tilt, _tilt_square, _square, given(ge(u_new - u_old, 0)))
_tilt_down = state(_says, *_both, _tilt, _tilt_square, _square, given(ge(u_old - u_new, 0)))
_one_tilt = state(_says, *_both, _tilt, _tilt_square, _square)

# --- all coordinates
K_coins = letter("K_coins", meaning="mean of k_coin over the coordinates")
S_coins = letter("S_coins", NONNEGATIVE, "mean of s_coin over them: the squared distance of the means")
V_coins = letter("V_coins", NONNEGATIVE, "mean of t_coin_square over them")
_each_mean = state(_one_mean.says, _wide, also=(d,))
_each_tilt = state(_says, _wide, also=(d,))
_mean = state(ge(S_coins / (1 - U_coins**2) - K_coins, 0), _wide)
_mean_tilt = state(ge(S_coins / (1 - U_coins**2) ** 2 - V_coins, 0), _wide)

# --- T tosses
eps_coins = parameter("eps_coins", NONNEGATIVE, "how large the logarithm may be")
delta_coins = parameter("delta_coins", UNIT, "a bound on the probability that it is larger")
s_chernoff = parameter("s_chernoff", NONNEGATIVE, "multiplier of the exponential moment")
p_tail = letter("p_tail", UNIT, "probability that the logarithm exceeds eps_coins")
_exponent = s_chernoff * (T * d * K_coins - eps_coins) + s_chernoff**2 / 2 * T * d * V_coins
exponent = (
    s_chernoff * (T * d * rho**2 / (1 - U_coins**2) - eps_coins)
    + s_chernoff**2 / 2 * T * d * rho**2 / (1 - U_coins**2) ** 2
)
wide = _wide
rare_enough = given(ge(delta_coins, sp.exp(exponent)))
_tail = state(
    le(p_tail, delta_coins),
    wide,
    rare_enough,
    # Markov for the exponential of the sum, Hoeffding's lemma for each term: t_coin times a sign, less its mean.
    fact("Hoeffding", le(p_tail, sp.exp(_exponent))),
    # sharp.hop.change
    fact("definition", le(S_coins, rho**2)),
)


def _shown(mean: sp.Symbol) -> tuple[tuple[tuple[int, Lemma], ...], ...]:
    """That a mean is at most U in size."""
    return tuple(((1, Lemma(f"sharp.coins.{key}", {u_old: mean})),) for key in ("most", "fewest"))


_k = 1 / (1 - U_coins**2)


def _squared(low: sp.Symbol, high: sp.Symbol, above: int, below: int) -> Lemma:
    """That the rise of artanh, which is not negative, is at most its bound in square too."""
    ends = {m_less: low, m_more: high}
    rise = _artanh(high) - _artanh(low)
    risen = Lemma("sharp.coins.artanh", ends, {0: ((1, Given(7)),)})
    inside = {0: ((1, Given(above)),), 1: ((1, Given(below)),), 2: ((1, Given(7)),)}
    return Lemma(
        "sharp.coins.squares",
        {x_low: rise, x_high: _k * (high - low)},
        {0: ((1, risen),), 1: ((1, Lemma("sharp.coins.lipschitz", ends, inside)),)},
    )


def _tilted(squared: Lemma) -> Combination:
    return Combination(
        (
            (1, squared),
            (-1, Given(5)),
            (-(t_coin + _artanh(u_new) - _artanh(u_old)), Given(4)),
            (_k**2, Given(6)),
        )
    )


CLAIMS = (
    theorem(
        "sharp.coins.log",
        "inefficient",
        "ln x - ln y <= x/y - 1",
        _log,
        proof=(
            Step("rises", _rises, Combination(((1 / (v_log * y_log_old), Given(0)),))),
            Step("above", _above, Monotone("rises", v_log, _line, y_log_old, x_log_new)),
            Step("falls", _falls, Combination(((1 / (v_log * y_log_old), Given(0)),))),
            Step("below", _below, Monotone("falls", v_log, -_line, x_log_new, y_log_old)),
            Step("both", _log, Cases(x_log_new - y_log_old, "above", "below")),
        ),
    ),
    theorem(
        "sharp.coins.exp",
        "inefficient",
        "e^x does not fall",
        _exp,
        proof=(
            Step("slope", _growing, Combination(((sp.exp(v_exp), One()),))),
            Step("rise", _exp, Monotone("slope", v_exp, sp.exp(v_exp), x_low, x_high)),
        ),
    ),
    theorem(
        "sharp.coins.lipschitz",
        "inefficient",
        "artanh m' - artanh m <= (m' - m)/(1 - U^2) for -U <= m <= m' <= U",
        _lipschitz,
        proof=(
            Step(
                "slope",
                _slope,
                Combination((((U_coins + v_mean) / ((1 - U_coins**2) * (1 - v_mean**2)), Given(1)),)),
            ),
            Step("rise", _lipschitz, Monotone("slope", v_mean, _steep, m_less, m_more)),
        ),
    ),
    theorem(
        "sharp.coins.squares",
        "inefficient",
        "x^2 <= y^2 for 0 <= x <= y",
        _squares,
        proof=by(_squares, (2 * x_low, Given(1)), (1, Square(x_high - x_low))),
    ),
    theorem(
        "sharp.coins.artanh",
        "inefficient",
        "artanh does not fall",
        _monotone,
        proof=(
            Step("slope", _up, Combination(((1 / (1 - v_mean**2), One()),))),
            Step("rise", _monotone, Monotone("slope", v_mean, _artanh(v_mean), m_less, m_more)),
        ),
    ),
    theorem(
        "sharp.coins.most",
        "inefficient",
        "no mean of a coin exceeds U",
        _most,
        proof=by(_most, (1 / (1 - r), Given(0)), (1 / (1 - r), Given(2))),
    ),
    theorem(
        "sharp.coins.fewest",
        "inefficient",
        "no mean of a coin is below -U",
        _fewest,
        proof=by(_fewest, (1 / (1 - r), Given(1)), (1 / (1 - r), Given(2))),
    ),
    theorem(
        "sharp.coins.divergence",
        "inefficient",
        "the divergence of a coin of mean u' from one of mean u is at most (u' - u)^2/(1 - U^2), |u| <= U",
        _one_mean,
        proof=by(
            _one_mean,
            (-1, Given(2)),
            ((1 + u_new) / 2, Lemma("sharp.coins.log", {x_log_new: 1 + u_new, y_log_old: 1 + u_old})),
            ((1 - u_new) / 2, Lemma("sharp.coins.log", {x_log_new: 1 - u_new, y_log_old: 1 - u_old})),
            (1 / (1 - u_old**2), Given(3)),
            (s_coin * (U_coins + u_old) * _k / (1 - u_old**2), Given(0)),
        ),
    ),
    theorem(
        "sharp.coins.tilt",
        "inefficient",
        "(artanh u' - artanh u)^2 <= (u' - u)^2/(1 - U^2)^2 for means of at most U in size",
        _one_tilt,
        proof=(
            Step("up", _tilt_up, _tilted(_squared(u_old, u_new, 1, 2))),
            Step("down", _tilt_down, _tilted(_squared(u_new, u_old, 3, 0))),
            Step("both", _one_tilt, Cases(u_new - u_old, "up", "down")),
        ),
    ),
    theorem(
        "sharp.coins.mean",
        "inefficient",
        "averaged over the coordinates, the divergence is at most |u' - u|^2/(1 - U^2), u of norm A/(1 - r) at most",
        _mean,
        proof=(
            Step(
                "each",
                _each_mean,
                Combination(((1, Lemma("sharp.coins.divergence", {}, dict(enumerate(_shown(u_old))))),)),
            ),
            Step("all", _mean, Expectation("each", {s_coin: S_coins, k_coin: K_coins})),
        ),
    ),
    theorem(
        "sharp.coins.mean_tilt",
        "inefficient",
        "averaged over the coordinates, the square of what a sign adds is at most |u' - u|^2/(1 - U^2)^2",
        _mean_tilt,
        proof=(
            Step(
                "each",
                _each_tilt,
                Combination(
                    (
                        (
                            1,
                            Lemma("sharp.coins.tilt", {}, dict(enumerate((*_shown(u_old), *_shown(u_new))))),
                        ),
                    )
                ),
            ),
            Step("all", _mean_tilt, Expectation("each", {s_coin: S_coins, t_coin_square: V_coins})),
        ),
    ),
    theorem(
        "sharp.coins.tail",
        "inefficient",
        "the logarithm of the likelihood ratio exceeds eps1 with probability at most "
        "exp(s (T d rho^2/(1 - U^2) - eps1) + s^2 T d rho^2/(2 (1 - U^2)^2)), any s >= 0",
        _tail,
        proof=by(
            _tail,
            (1, Given(1)),
            (1, Given(2)),
            (
                1,
                Lemma(
                    "sharp.coins.exp",
                    {x_low: _exponent, x_high: exponent},
                    {
                        0: (
                            (s_chernoff * T * d, Lemma("sharp.coins.mean")),
                            (s_chernoff**2 / 2 * T * d, Lemma("sharp.coins.mean_tilt")),
                            (s_chernoff * T * d * _k + s_chernoff**2 / 2 * T * d * _k**2, Given(3)),
                        )
                    },
                ),
            ),
        ),
    ),
)
