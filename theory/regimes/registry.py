"""The registry: which records each bound rests on, and which numbers of a row their letters stand for.

No other module of the calculator names a record or a letter of one. Units L = mu = 1, e0 = 1/8.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import ceil, floor

from oubli.sim.laws import (
    binomial_tv_ball,
    radial_delta_up,
    radial_rate,
    staircase,
    staircase_square_ball,
)
from oubli.theory.regimes.accepted import accepted, certifying, statement
from oubli.theory.regimes.basis import At, Basis, Lemma, Letters, Support, Use
from oubli.theory.regimes.bayes_kink import gain
from oubli.theory.regimes.caps import cap_means
from oubli.theory.regimes.decide import INSIDE, MORE, Known, Value, at_most, ends, settle
from oubli.theory.regimes.record import UndecidedError, letters, split
from oubli.theory.regimes.row import NEARLY_NOTHING, Row
from oubli.theory.search.ball import exact, precision

UNITS: dict[str, Value] = {"L": 1, "mu": 1}
HARMONIC = Lemma("sharp.sgd.harmonic", "H_T", "H_T")


# What the letters stand for.


def _asked(at: At, **more: Value) -> Letters:
    """The question: forget fraction, target and number of gradients."""
    r = max(at.row.r, NEARLY_NOTHING)
    return {**UNITS, "r": r, "e": at.row.target, "T": at.steps, **more}


# The worst risk, by what it is called for each kind of algorithm.
RISKS = ("M", "M_any", "M_still", "M_scratch", "M_prior")


def _reached(at: At, **more: Value) -> Letters:
    """What a lower bound is refuted by: an unlearning algorithm whose worst risk M is at most the target."""
    row = at.row if at.row.eps is not None and at.row.delta < 1 else at.row.without_privacy
    budget: Letters = {"epsilon": row.eps, "delta": row.delta}
    return {**_asked(At(row, at.steps)), **dict.fromkeys(RISKS, row.target), **budget, **more}


def _hops(width: Fraction, row: Row) -> int:
    """The least number of hops of 2 rho that bridge twice a width with one segment more."""
    return ceil(width * (1 - row.r) / row.r) - 1


def _same_start(at: At) -> Letters | None:
    """No gradient, and two problems as far apart as the ball allows: the outputs have one law."""
    return _reached(at, m_1=1, m_2=-1) if at.steps == 0 else None


def _means(at: At) -> Letters:
    (width,) = at.chosen
    return _reached(at, gamma_min=-width, gamma_max=width, K_chain=_hops(width, at.row))


def _printed_width(at: At) -> Letters:
    return _reached(at, gamma=at.chosen[0])


def _cube(at: At) -> Letters:
    coins, mean = at.chosen
    return _reached(at, d=int(coins), gamma_low=-mean, gamma_high=mean)


def _no_coin(at: At) -> Letters | None:
    """Without a gradient there is nothing to tell the points apart by."""
    return {**_means(at), "B_chain": 0} if at.steps == 0 else None


def _one_segment(at: At) -> Letters | None:
    """Without a hop the variation is that of one pair of binomial laws."""
    (width,) = at.chosen
    if at.steps == 0 or _hops(width, at.row) != 0:
        return None
    low, high = (1 - width) / 2, (1 + width) / 2
    return {**_means(at), "B_chain": exact(binomial_tv_ball(at.steps, low, high, 15)[1])}


def _kink(at: At) -> Letters:
    mean, slope, width = at.chosen
    # A short fraction just below: balls decide p G <= (1 - p) q only if it is strict, or exact.
    weight = Fraction(floor(slope / (1 + slope) * 2**60), 2**60)
    return _reached(at, gamma_max=mean, G_kink=width, q_kink=slope * width, p_kink=weight)


def _bayes(at: At) -> Letters:
    mean, ratio, weight, width = at.chosen
    slope = ratio * width
    gained = gain(at.steps, mean, mean - width - slope, weight, width, slope)
    known = {"gamma_max": mean, "G_kink": width, "q_kink": slope, "p_kink": weight}
    return _reached(at, **known, S_bayes=gained)


def _starts(at: At, directions: int, **own: Value) -> Letters:
    """The numbers of a family of starts: radius and cone, and coins if there are gradients."""
    used, A, share, cone, cap, eps1, chernoff, *_ = at.chosen
    means = cap_means(directions, cone, cap)
    ball = {"A_ball": A, "a_rare": share, "k_cone": cone, "P_cone": ends(1 - means["Q_cap"])[0] * (1 - MORE)}
    coins: Letters = {"eps_coins": eps1, "s_chernoff": chernoff} if at.steps else {}
    return _reached(at, d=int(used), **ball, **means, **coins, **own)


# Means over caps of directions in R^(d-1), as the record of a sphere of starts calls them.
SIDEWAYS = {"X_cone": "X_side", "N_cap": "N_side", "C_cap": "C_side", "Q_cap": "Q_side"}


def _sphere(at: At) -> Letters:
    turn, slope, multiplier = at.chosen[7:10]
    own = {"k_cap": at.chosen[4], "t_turn": turn, "t_slope": slope, "g_multiplier": multiplier}
    found = _starts(at, int(at.chosen[0]) - 1, **own)
    return {SIDEWAYS.get(name, name): value for name, value in found.items()}


def _ball(at: At) -> Letters:
    return _starts(at, int(at.chosen[0]), k_cap=at.chosen[4], zeta_ball=at.chosen[7])


def _if(seen: bool, letters: Callable[[At], Letters]) -> Callable[[At], Letters | None]:
    """The letters of a record with gradients, or of the one without."""
    return lambda at: letters(at) if (at.steps > 0) is seen else None


def _weighted(at: At) -> Letters:
    return _asked(at, c_sgd=at.chosen[0], E_square=at.square, E_cross=0)


def _shared(at: At) -> Letters:
    return {**_weighted(at), "share_between": at.chosen[1]}


def _growing(at: At) -> Letters:
    start, shift = at.chosen
    return _asked(at, a_linear=start, c_linear=shift)


def _released(at: At) -> Letters:
    # The root mean square may be overstated: it is 0 without noise, and the records ask for more.
    most = ends(exact(max(at.square, INSIDE**2)).sqrt())[1] * (1 + MORE)
    # The noise is centred: the record asks that it does not push theta* away from theta_r*.
    return _asked(at, n_noise=most, d=at.row.d, E_square=at.square, E_cross=0)


# Lower bounds.

NOTHING_FORCED = Basis(())
POSITIVE = Basis(("scratch.positive",), (Use("scratch.positive", _same_start),))
TWO_POINTS_SCRATCH = Basis(("scratch.theta",), (Use("scratch.theta", _reached),))
COIN_FLIPS = Basis(("sharp.scratch.lower",), (Use("sharp.scratch.lower", _reached),))
_NUMERALS = (
    *("one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"),
)
FEW = tuple(Basis((key,), (Use(key, _reached),)) for key in (f"sharp.scratch.{name}" for name in _NUMERALS))
PRINTED_STEP = Basis(
    ("inefficient.step1.repaired",), (Use("inefficient.step1.repaired", _printed_width),), "printed"
)
PRINTED_CLOSED = Basis(("inefficient.repaired",), (Use("inefficient.repaired", _reached),))
CHAIN = Basis(
    ("sharp.lower", "sharp.lower.capped"),
    (Use("sharp.lower", _means), Use("sharp.lower.capped", _means)),
    "chain",
)
CUBE = Basis(("sharp.cube", "sharp.cube.subspace"), (Use("sharp.cube", _cube),), "cube")
TWO_POINT = Basis(
    ("sharp.two_point", "sharp.two_point.few"),
    (
        Use("sharp.two_point", _no_coin),
        Use("sharp.two_point", _one_segment),
        Use("sharp.two_point", _means, (Lemma("sharp.two_point.few", "B_few", "B_chain"),)),
    ),
    "two points",
)
KINK = Basis(
    ("sharp.kink", "binomial_tv.arcsin"),
    (Use("sharp.kink", _kink, (Lemma("binomial_tv.arcsin", "tau", "tau"),)),),
    "kink",
)
BAYES = Basis(("sharp.kink.bayes",), (Use("sharp.kink.bayes", _bayes),), "two kinks")
SPHERE = Basis(
    ("sharp.sphere", "sharp.sphere.start"),
    (Use("sharp.sphere.start", _if(False, _sphere)), Use("sharp.sphere", _if(True, _sphere))),
    "sphere",
)
BALL = Basis(
    ("sharp.ball", "sharp.ball.start"),
    (Use("sharp.ball.start", _if(False, _ball)), Use("sharp.ball", _if(True, _ball))),
    "ball",
)

# Upper bounds.

PRINTED_SGD = Basis(("scratch.upper", "e0.zero"), (Use("scratch.upper", _asked), Use("e0.zero", _asked)))
EQUAL_WEIGHTS = Basis(
    ("sharp.scratch.upper", "sharp.sgd.harmonic"),
    (Use("sharp.scratch.upper", _weighted, (HARMONIC,)),),
    "weights from 0",
)
GROWING_WEIGHTS = Basis(
    ("sharp.scratch.linear", "sharp.sgd.harmonic"),
    (
        Use(
            "sharp.scratch.linear",
            _growing,
            # The sum of 1/(t + a) is 1/a times that of 1/(1 + t/a).
            (
                Lemma(
                    "sharp.sgd.harmonic",
                    "H_T",
                    "Y_T",
                    {"k_sgd": ("^", "a_linear", -1)},
                    ("^", "a_linear", -1),
                ),
            ),
        ),
    ),
    "growing weights",
)
NOISE_ALONE = Basis(("sharp.exact.trivial",), (Use("sharp.exact.trivial", _released),))
NOISE_ALONE_LINE = Basis(("sharp.exact.trivial.line",), (Use("sharp.exact.trivial.line", _released),))
CONSTANT_STEPS = Basis(("sharp.exact.steps",), (Use("sharp.exact.steps", _released),))
SHRUNK_OLD = Basis(("sharp.trivial",), (Use("sharp.trivial", _released),))
SHRUNK_NEW = Basis(("sharp.trivial.near",), (Use("sharp.trivial.near", _released),))
TUNED_BETWEEN = Basis(
    ("sharp.efficient.between", "sharp.sgd.harmonic"),
    (Use("sharp.efficient.between", _shared, (HARMONIC,)),),
    "weights to a point between",
)
TUNED_NEW = Basis(
    ("sharp.efficient.near", "sharp.sgd.harmonic"),
    (Use("sharp.efficient.near", _weighted, (HARMONIC,)),),
    "weights to the new optimum",
)
RETRAINING = "sharp.retraining"
# What each constant behind the boundaries is known from: an attained value, and a bound for all problems.
WIDE = Basis(
    ("sharp.sensitivity.wider", "sharp.sensitivity.wide", "sensitivity.attained")
)  # the widest first
NOISE_KNOWN = ("setup.gradient_at_zero", "sharp.noise_lemma")
RETRAINING_KNOWN = ("sharp.scratch.lower", "sharp.scratch.linear")
OLD_OPTIMUM_KNOWN = ("opt_loss.line", "opt_loss.sharper")
FROM_REFERENCE = "def.from_reference"
ASSUMES = (
    "the model is the exact minimiser of the full risk",
    "every loss is L-Lipschitz and mu-strongly convex on |theta| <= L/(2 mu)",
    "worst expected excess risk, one number of steps for all losses (def.time)",
    "noise and shrinking before the first gradient cost nothing (setup.zero_steps)",
)


# Noise and sensitivity.


def _gaussian(row: Row, square: Fraction) -> bool:
    """Whether Gaussian noise of this mean square at unit sensitivity is private."""
    if not row.hides:
        return True
    sigma = Fraction(float(square / row.d) ** 0.5 * (1 - 2.0**-50))
    unit = {**UNITS, "s_cover": 1, "D_optima": 1, "r": max(row.r, NEARLY_NOTHING)}
    at = {"epsilon": row.eps, "delta": row.delta, "sigma_unit": sigma, **unit}
    return sigma**2 * row.d <= square and bool(settle(certifying("sharp.noise.gaussian"), at))


def _radial(row: Row, square: Fraction) -> bool:
    """Whether the radial noise that is private at unit sensitivity has at most this mean square."""
    if not row.hides:
        return True
    unit = {**UNITS, "epsilon": row.eps, "s_cover": 1, "D_optima": 1, "r": max(row.r, NEARLY_NOTHING)}
    rate = settle(certifying("sharp.noise.radial"), unit).box["a_radial"]
    moment = settle(certifying("sharp.noise.radial.moment"), {"a_radial": rate, "d": row.d})
    return bool(at_most(moment, "z_radial") <= exact(square))


def _radial_exact(row: Row, square: Fraction) -> bool:
    """Whether radial noise at the rate that uses delta is private, and has at most this mean square."""
    if row.eps is None or not row.hides:
        return True
    rate = Fraction(float(radial_rate(float(row.eps), float(row.delta), row.d)[0]))
    leaks = radial_delta_up(row.eps, rate, row.d, row.delta)
    settle(
        certifying("sharp.noise.radial.exact"),
        {"epsilon": row.eps, "delta": row.delta, "h_whole": leaks, "a_radial": rate, "part_shift": 1},
    )
    moment = settle(certifying("sharp.noise.radial.moment"), {"a_radial": rate, "d": row.d})
    return bool(at_most(moment, "z_radial") <= exact(square))


def _staircase(row: Row, square: Fraction) -> bool:
    """Whether the staircase noise of least mean square at unit sensitivity has at most this mean square."""
    if row.eps is None or not row.hides:
        return True
    unit = {**UNITS, "epsilon": row.eps, "s_cover": 1, "D_optima": 1, "r": max(row.r, NEARLY_NOTHING)}
    # The record speaks of 0 < q < 1: the best is inside, or as near to an end as makes no difference.
    q = min(max(Fraction(float(staircase(float(row.eps), row.d)[1][0])), MORE), 1 - MORE)
    settle(certifying("sharp.noise.staircase"), {**unit, "q_stair": q})
    mean = Fraction(row.d + 2, row.d) * staircase_square_ball(row.eps, row.d, q)[1]
    at = {**UNITS, "epsilon": row.eps, "d": row.d, "s_cover": 1, "q_stair": q, "E_radius": mean}
    return bool(at_most(settle(certifying("sharp.noise.staircase.moment"), at), "z_stair") <= exact(square))


def _sensitivity(key: str, row: Row, apart: Fraction) -> bool:
    """Whether a record puts the optima for two forget distributions at most this many r L/mu apart."""
    r = max(row.r, NEARLY_NOTHING)
    known = settle(certifying(key), {**UNITS, "r": r, "d": row.d})
    return bool(at_most(known, "D_optima") <= exact(apart * r))


GAUSSIAN = Support(("sharp.noise.gaussian",), _gaussian)
RADIAL = Support(("sharp.noise.radial", "sharp.noise.radial.moment"), _radial)
RADIAL_EXACT = Support(
    ("sharp.noise.radial.exact", "sharp.noise.radial.shift", "sharp.noise.radial.moment"), _radial_exact
)
STAIRCASE = Support(
    ("sharp.noise.staircase", "sharp.noise.staircase.shell", "sharp.noise.staircase.moment"), _staircase
)
LINE, WIDTH, CHORD = (
    Support((key,), partial(_sensitivity, key))
    for key in ("sensitivity.line", "sharp.sensitivity.width", "sensitivity")
)


def budget_is_implied(asked: Row, lower: Row) -> bool:
    """Whether Reference Unlearning at the one budget certainly is Unlearning at the other."""
    if asked.eps is None or lower.eps is None:
        return False
    # At any T and any event.
    at = {"epsilon": asked.eps, "delta": asked.delta, "T": 0, "P_tuned": 0}
    known = settle(certifying(FROM_REFERENCE), at)
    factor, rest = (known.ball(part) for part in split(known.record.says[1], "P_tuned_other"))
    return bool(exact(lower.eps).exp() >= factor and exact(lower.delta) >= rest)


KEYS = sorted(
    {RETRAINING, FROM_REFERENCE}
    | {
        key
        for thing in (*globals().values(), *FEW)
        if isinstance(thing, Basis | Support)
        for key in thing.claims
    }
)


def left_out() -> tuple[str, ...]:
    """The records that may not certify: not proved, or changed since they were."""
    return tuple(key for key in KEYS if key not in accepted())


# Numbers that the proposals take from the records, accepted or not: what is proposed is decided afterwards.


def _edge(key: str, letter: str, fact: tuple[str, ...] = (), **values: Fraction | int) -> float:
    """The value of a letter at which the conclusion, or the hypothesis on some letters, is an equality."""
    record = statement(key)
    given = [f for f in record.facts if set(fact) <= letters(f[1])]
    a, b = split((given[0] if fact else record.says)[1], letter)
    known = Known(record, {name: ends(value) for name, value in {**UNITS, **values}.items()})
    with precision(128):
        return float(known.ball(b) / -known.ball(a))


_E0 = Fraction(1, 8)


def noise_constant() -> float:
    """V of the noise lemma: the shrunk release costs sqrt(V) times the root mean square of the noise."""
    return round(_edge("sharp.trivial", "e", ("e", "n_noise"), r=0, n_noise=1) ** 2, 12)


def noise_slope() -> float:
    """lambda of the noise lemma: a start is shrunk by 1 - lambda c, and p grows by c (1 - lambda c)."""
    return round(1 - _edge("sharp.scratch.upper", "k_sgd", ("k_sgd", "c_sgd"), c_sgd=1), 12)


def width() -> float:
    """The sensitivity in every dimension, in units r L/mu, rounded up in the fifth decimal."""
    return (floor(_edge("sharp.sensitivity.width", "D_optima", r=1) * 1e5) + 1) / 1e5


def distance(r: float, d: int) -> tuple[float, str]:
    """The least proved bound on the distance of two optima, in units r L/mu, and the record."""
    chord = 2 / (1 + r), CHORD.claims[0]
    return (1.0, LINE.claims[0]) if d == 1 else min((width(), WIDTH.claims[0]), chord)


def attained(r: float, d: int) -> tuple[float, str]:
    """The largest distance of two optima that an explicit pair attains, in units r L/mu, and the record."""
    at: dict[str, Value] = {**UNITS, "r": max(Fraction(str(r)), NEARLY_NOTHING), "d": d}
    for key in WIDE.claims:
        with suppress(UndecidedError):
            settle(certifying(key), at)
            return round(_edge(key, "D_optima", r=1), 12), key
    raise UndecidedError("no pair is on record")


def retraining_needs() -> float:
    """T e/e0, at least, of retraining."""
    return _edge("scratch.theta", "T", e=_E0)


def few_leave() -> tuple[float, ...]:
    """What one, two, … gradients leave of e0, at least."""
    return tuple(8 * _edge(basis.claims[0], "M_scratch") for basis in FEW)


def retraining_takes() -> int:
    """(T + 1) e/e0 that is enough to retrain."""
    return round(_edge("scratch.upper", "T", ("e", "T"), e=_E0)) + 1


def closed_form() -> tuple[float, float, float]:
    """The printed lower bound: T e/e0, at least; up to which e/(e0 rho^2 (1 + kappa^2)); from which delta."""
    # Where ln(5/(4 delta)) = 0, kappa = 0; where r = 1/2, rho = 1.
    at: dict[str, Fraction | int] = {"r": Fraction(1, 2), "delta": Fraction(5, 4), "epsilon": 1}
    least, reach = (
        _edge("inefficient.repaired", "T", e=_E0),
        8 * _edge("inefficient.repaired", "e", ("e", "r"), **at),
    )
    return least, reach, _edge("inefficient.repaired", "delta", ("delta",))
