"""What T tosses of d coins can tell about their means: the likelihood ratio of two vectors of means.

Its logarithm is a sum of T d independent terms, linear in the signs: per toss its mean is at most (u' - u)^2/(1 - U^2), and
a sign adds at most |u' - u|/(1 - U^2) to it, for means u, u' of at most U in size. So it is large with small probability.
"""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.symbols import NATURAL, NONNEGATIVE, OPEN_UNIT, POSITIVE, UNIT, parameter
from oubli.theory.kernel.terms import substitute
from oubli.theory.paper.binomial import INSIDE
from oubli.theory.paper.descent import k_
from oubli.theory.paper.letters import A_private, L, S_any, T, d, mu, r, rho
from oubli.theory.paper.sharper.rare_kink import A_ball
from oubli.theory.records.build import by, eq, ge, given, gt, le, state, theorem
from oubli.theory.records.objects import (
    Object,
    axis,
    chance,
    coin_problem,
    inner,
    numeric,
    out,
    point,
    term,
    total,
)
from oubli.theory.records.proof import (
    Cases,
    Combination,
    Given,
    Induction,
    Lemma,
    Monotone,
    One,
    Schema,
    Square,
    SquaredNorm,
    Step,
    Term,
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
_squares = state(ge(x_high**2 - x_low**2, 0), given(ge(x_low, 0)), given(le(x_low, x_high)))

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


# --- the means of one coin
u_new = parameter("u_new", INSIDE, meaning="mean of the coin that is tossed")
u_old = parameter("u_old", INSIDE, meaning="mean of the coin that it is compared with")
_k = 1 / (1 - U_coins**2)
_divergence = (1 + u_new) / 2 * (sp.log(1 + u_new) - sp.log(1 + u_old)) + (1 - u_new) / 2 * (
    sp.log(1 - u_new) - sp.log(1 - u_old)
)
_tilt = _artanh(u_new) - _artanh(u_old)
_inside = tuple(
    given(relation) for mean in (u_old, u_new) for relation in (le(mean, U_coins), ge(mean, -U_coins))
)
_one_mean = state(ge(_k * (u_new - u_old) ** 2 - _divergence, 0), *_inside[:2])
_says = ge(_k**2 * (u_new - u_old) ** 2 - _tilt**2, 0)
_tilt_up = state(_says, *_inside, given(ge(u_new - u_old, 0)))
_tilt_down = state(_says, *_inside, given(ge(u_old - u_new, 0)))
_one_tilt = state(_says, *_inside)

# --- all coordinates: problems with coins of two vectors of means
means_new, means_old, pull_new, pull_old = map(point, ("means_new", "means_old", "pull_new", "pull_old"))
eps_coins = parameter("eps_coins", NONNEGATIVE, "how large the logarithm of the likelihood ratio may be")
delta_coins = parameter("delta_coins", UNIT, "a bound on the probability that it is larger")
s_chernoff = parameter("s_chernoff", NONNEGATIVE, "multiplier of the exponential moment")
j_coin = parameter("j_coin", NATURAL, "the number of a coordinate")
n_new = term("n_new", inner(means_new, means_new), "squared length of the means of the coins")
n_old = term("n_old", inner(means_old, means_old), "the same for the coins that they are compared with")
n_apart = term(
    "n_apart", inner(means_new - means_old, means_new - means_old), "squared distance of the means"
)
n_forget_new = term(
    "n_forget_new", inner(pull_new, pull_new), "squared length of the mean of the forget data"
)
n_forget_old = term("n_forget_old", inner(pull_old, pull_old), "the same for the other problem")


def _at(formula: sp.Expr, index: sp.Expr) -> Object:
    """A formula in the means of one coin for those of a coordinate."""
    root = expression(sp.sqrt(d))
    coins = ((u_new, means_new), (u_old, means_old))
    return Object(
        substitute(expression(formula), {u.name: ["*", root, inner(m, axis(index)).node] for u, m in coins})
    )


_room = s_chernoff * (_k * (u_new - u_old) ** 2 - _divergence) + s_chernoff**2 / 2 * (
    _k**2 * (u_new - u_old) ** 2 - _tilt**2
)
_summand = _at(_room, k_)
F_none, F_some, F_more, F_all = (
    term(f"F_{name}", total(_summand, last), "what the bounds leave, summed over the first coordinates")
    for name, last in (
        ("none", sp.Integer(-1)),
        ("some", j_coin - 1),
        ("more", j_coin),
        ("all", d - 1),
    )
)
F_coin = term("F_coin", _at(_room, j_coin), "what they leave at one coordinate")
coin_new, coin_old = (term(f"coin_{u.name[2:]}", _at(u, j_coin), "mean of one coin") for u in (u_new, u_old))
_long = (given(le(d * n_new, U_coins**2)), given(le(d * n_old, U_coins**2)))
_bounds = [(coin, side) for coin in (coin_old, coin_new) for side in (-1, 1)]
_each = state(
    ge(F_coin, 0),
    *(given(ge(U_coins + side * coin, 0)) for coin, side in _bounds),
    *(given(gt(1 + side * coin, 0)) for coin, side in _bounds),
)
_coordinate = state(ge(F_coin, 0), *_long)
_next = state(ge(F_more, 0), given(ge(F_some, 0)), *_long)
_all = state(ge(F_all, 0), *_long)

# --- T tosses
K_coins = term("K_coins", total(_at(_divergence, k_), d - 1), "divergence of one toss of all coins")
V_coins = term("V_coins", total(_at(_tilt**2, k_), d - 1), "sum of the squares of what a sign adds")
_exponent = s_chernoff * (T * K_coins - eps_coins) + s_chernoff**2 / 2 * T * V_coins
exponent = (
    s_chernoff * (T * d * rho**2 / (1 - U_coins**2) - eps_coins)
    + s_chernoff**2 / 2 * T * d * rho**2 / (1 - U_coins**2) ** 2
)
_D_new, _D_old = coin_problem(means_new, pull_new), coin_problem(means_old, pull_old)
p_new = term("p_new", chance(out(A_private, _D_new, T), S_any), "P[output in S] with the one vector of means")
p_old = term("p_old", chance(out(A_private, _D_old, T), S_any), "P[output in S] with the other")
_star = (1 - r) * means_new + r * pull_new - (1 - r) * means_old - r * pull_old
n_star = term("n_star", inner(_star, _star), "squared distance of the two theta*, in units R")
wide = given(ge((1 - r) * U_coins, sp.sqrt(d) * A_ball))
rare_enough = given(ge(delta_coins, sp.exp(exponent)))
_tail = state(
    le(p_new, sp.exp(eps_coins) * p_old + delta_coins),
    *_long,
    rare_enough,
    given(le(n_apart, rho**2)),
    given(eq(n_star, 0)),
    given(le(n_forget_new, 1)),
    given(le(n_forget_old, 1)),
    also=(L, mu),
)


def _sized(means: Object, coin: sp.Symbol, side: int, given_: int) -> tuple[Term, ...]:
    """U + side times the mean of one coin is at least 0: its square is at most d times that of all."""
    along = inner(means, axis(j_coin))
    return (
        (1 / (2 * U_coins), Given(given_)),
        (d / (2 * U_coins), SquaredNorm(means - Object(["v*", along.node, axis(j_coin).node]))),
        (1 / (2 * U_coins), Square(U_coins + side * coin)),
    )


_sizes = [
    _sized(means, coin, side, given_)
    for means, coin, given_ in ((means_old, coin_old, 1), (means_new, coin_new, 0))
    for side in (-1, 1)
]
_inner = [(*size, (1 - U_coins, One())) for size in _sizes]
_named = {u: _at(u, j_coin) for u in (u_new, u_old)}
_in_order = {i: ((1, Given(i)),) for i in range(4)}
_spread = (s_chernoff * _k + s_chernoff**2 / 2 * _k**2) * T


def _short(given_: int) -> tuple[Term, ...]:
    """Some means are less than 1/sqrt(d) long."""
    return (1, Given(given_)), ((1 - U_coins) * (1 + U_coins), One())


def _squared(low: sp.Symbol, high: sp.Symbol, above: int, below: int) -> Lemma:
    """That the rise of artanh, which is not negative, is at most its bound in square too."""
    ends = {m_less: low, m_more: high}
    risen = Lemma("sharp.coins.artanh", ends, {0: ((1, Given(4)),)})
    inside = {0: ((1, Given(above)),), 1: ((1, Given(below)),), 2: ((1, Given(4)),)}
    return Lemma(
        "sharp.coins.squares",
        {x_low: _artanh(high) - _artanh(low), x_high: _k * (high - low)},
        {0: ((1, risen),), 1: ((1, Lemma("sharp.coins.lipschitz", ends, inside)),)},
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
        "sharp.coins.divergence",
        "inefficient",
        "the divergence of a coin of mean u' from one of mean u is at most (u' - u)^2/(1 - U^2), |u| <= U",
        _one_mean,
        proof=by(
            _one_mean,
            ((1 + u_new) / 2, Lemma("sharp.coins.log", {x_log_new: 1 + u_new, y_log_old: 1 + u_old})),
            ((1 - u_new) / 2, Lemma("sharp.coins.log", {x_log_new: 1 - u_new, y_log_old: 1 - u_old})),
            ((u_new - u_old) ** 2 * (U_coins + u_old) * _k / (1 - u_old**2), Given(0)),
        ),
    ),
    theorem(
        "sharp.coins.tilt",
        "inefficient",
        "(artanh u' - artanh u)^2 <= (u' - u)^2/(1 - U^2)^2 for means of at most U in size",
        _one_tilt,
        proof=(
            Step("up", _tilt_up, Combination(((1, _squared(u_old, u_new, 1, 2)),))),
            Step("down", _tilt_down, Combination(((1, _squared(u_new, u_old, 3, 0)),))),
            Step("both", _one_tilt, Cases(u_new - u_old, "up", "down")),
        ),
    ),
    theorem(
        "sharp.coins.sum",
        "inefficient",
        "summed over d coins of means sqrt(d) u' and sqrt(d) u with sqrt(d) |u|, sqrt(d) |u'| <= U, s times the divergence "
        "and s^2/2 times the square of what a sign adds are at most these bounds",
        _all,
        proof=(
            Step(
                "one coin",
                _each,
                Combination(
                    (
                        (
                            s_chernoff,
                            Lemma("sharp.coins.divergence", _named, {0: _in_order[0], 1: _in_order[1]}),
                        ),
                        (s_chernoff**2 / 2, Lemma("sharp.coins.tilt", _named, _in_order)),
                    )
                ),
            ),
            Step(
                "a coordinate",
                _coordinate,
                Combination(((1, Lemma("one coin", {}, dict(enumerate([*_sizes, *_inner])))),)),
            ),
            Step("none", state(ge(F_none, 0)), Combination(((1, Schema("empty sum", (_summand,))),))),
            Step(
                "one more",
                _next,
                Combination(
                    (
                        (1, Given(0)),
                        (1, Lemma("a coordinate")),
                        (1, Schema("sum step", (_summand, numeric(j_coin - 1)))),
                    )
                ),
            ),
            Step("all", _all, Induction(j_coin, F_some, "none", "one more", {}, {}, d)),
        ),
    ),
    theorem(
        "sharp.coins.tail",
        "inefficient",
        "two problems with coins and one theta*, the means at most rho apart: any event has at most e^eps1 times the "
        "probability, and exp(s (T d rho^2/(1 - U^2) - eps1) + s^2 T d rho^2/(2 (1 - U^2)^2)), any s >= 0",
        _tail,
        proof=by(
            _tail,
            (
                1,
                Schema(
                    "likelihood",
                    (A_private, _D_new, _D_old, numeric(T), S_any, numeric(eps_coins), numeric(s_chernoff)),
                    {3: _short(0), 8: _short(1), 10: _short(0), 11: _short(1)},
                ),
            ),
            (1, Given(2)),
            # e^y - e^x >= e^x (y - x)
            (sp.exp(_exponent), Schema("exponential", (numeric(exponent - _exponent),))),
            (sp.exp(_exponent) * T, Lemma("sharp.coins.sum")),
            (-sp.exp(_exponent) * _spread * d, Schema("Parseval", (means_new - means_old,))),
            (sp.exp(_exponent) * _spread * d, Given(3)),
        ),
    ),
)
