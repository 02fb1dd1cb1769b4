"""Letters of the bound that gains the dimension: rules that leak the coordinate asked for, linear rules."""

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.privacy import SMALLEST, divergence
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.sharper.chains import Rule, leaked, rule_of
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Axis, Batch, Source, each, linear, log, whole
from oubli.sim.require import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
# Panels that halve towards the pole at distance 0, down to where doubles end.
HALVES = 0.5 ** np.arange(55)


def _ends(batch: Batch) -> tuple[Array, Array]:
    return np.minimum(batch["first"], batch["second"]), np.maximum(batch["first"], batch["second"])


def _level(key: str, values: dict[str, Array], room: Array) -> Array:
    """The least l of the record, and somewhat more."""
    return np.asarray(needed(key, "z_level", values) * (1 + room))


def leaky_laws(batch: Batch) -> tuple[Array, Array, Array]:
    """Laws of (coordinate, sign) of the only error when e_1, -e_1 or e_2 is asked for.

    Outcomes: (1,+), (1,-), (2,+), (2,-), any other, loud (1,+), loud (1,-), loud (2,+).
    """
    E, d, loud = np.exp(batch["epsilon"]), batch["d"], batch["loud"]
    often = E ** batch["often"]
    seldom = often * E ** -batch["seldom"]
    one, none = np.where(d > 1, 1.0, 0.0), 0 * E
    rest = np.maximum(2 * (d - 2), 0.0)
    total = ((often + seldom + 2 * (d - 1)) / (1 - loud))[:, None]
    quiet = [
        np.stack([often, seldom, one, one, rest, none, none, none], axis=1) / total,
        np.stack([seldom, often, one, one, rest, none, none, none], axis=1) / total,
        np.stack([one, one, often, seldom, rest, none, none, none], axis=1) / total,
    ]
    for k, law in enumerate(quiet):
        law[:, 5 + k] += loud
    return quiet[0], quiet[1], quiet[2]


def leaky_letters(batch: Batch) -> Letters:
    """One place m of the cube, all coordinates equal: errors where asked for and elsewhere."""
    low, high = _ends(batch)
    d, L, mu = batch["d"], batch["L"], batch["mu"]
    root = np.sqrt(d)
    u = low + batch["middle"] * (high - low)
    above, below = (high - u) / root, (u - low) / root
    y = batch["near"] * np.minimum(above, below)
    plus, minus, other = leaky_laws(batch)
    E = np.exp(batch["epsilon"])
    pairs = ((plus, minus), (minus, plus), (plus, other), (other, plus))
    alone = d == 1
    leaks = [np.where(alone & (k > 1), 0.0, divergence(P, Q, E)) for k, (P, Q) in enumerate(pairs)]
    up = np.stack([y, 0 * y, 0 * y, 0 * y, 0 * y, above, 0 * y, 0 * y], axis=1)
    down = np.stack([0 * y, y, 0 * y, 0 * y, 0 * y, 0 * y, below, 0 * y], axis=1)
    square = (up + down) ** 2
    own = [(law * square).sum(axis=1) for law in (plus, minus)]
    # Alone a coordinate has no other: it is pulled itself.
    crossed = np.where(alone, own[0], (other * square).sum(axis=1))
    error = (plus * (up + down)).sum(axis=1)
    e0 = L**2 / (8 * mu)
    worst = np.maximum(*own) + (d - 1) * crossed
    values = {
        "s_": np.ones_like(u),
        "j_coin": np.zeros_like(u),
        "L": L,
        "mu": mu,
        "d": d,
        "epsilon": batch["epsilon"],
        "delta": np.maximum(np.max(leaks, axis=0), SMALLEST),
        "gamma_low": low,
        "gamma_high": high,
        "y_worst": np.sqrt(worst),
        "M": e0 * worst,
        **dict.fromkeys(("Z_square", "Z_own", "Z_asked"), own[0]),
        "Z_crossed": crossed,
        "Z_summed": own[0] + (d - 1) * crossed,
        "Z_all": d * own[0],
        **dict.fromkeys(("Z_error", "Y_asked"), error),
        "O_hop_cube": ((plus - minus) * (up - down)).sum(axis=1),
    }
    exact = ("L", "mu", "d", "epsilon", "s_", "j_coin", "gamma_low", "gamma_high")
    small = np.full_like(u, 4e-15)
    errors = {n: small * (e0 if n.startswith("M") else 1.0) for n in values if n not in exact}
    return Letters({**values, "z_level": _level(records.CUBE_SPREAD, values, batch["room"])}, errors)


def worst_cube(rule: Rule, r: Array, d: Array) -> Array:
    """max of E|O - m|^2 over the cube of means u/sqrt(d) and the forget means f e_i, for a linear rule."""
    c, pull = np.abs(rule.bias(r)), rule.alpha * r
    bent = rule.Q - c**2
    with np.errstate(all="ignore"):
        u = np.where(bent > 0, np.minimum(c * pull * np.sqrt(d) / np.where(bent > 0, bent, 1.0), 1.0), 1.0)
    asked = (c * u / np.sqrt(d) + pull) ** 2 + rule.Q * (1 - u**2) / d
    return np.asarray(asked + (d - 1) * np.maximum(c**2, rule.Q) / d + d * rule.tau**2)


def cube_letters(batch: Batch) -> Letters:
    """A linear rule in d coordinates: its worst risk, and the letters that the record ties to it."""
    low, high = _ends(batch)
    rule = rule_of(batch)
    worst = worst_cube(rule, batch["r"], batch["d"])
    values = {n: batch[n] for n in ("L", "mu", "r", "d", "T", "epsilon")}
    values |= {"gamma_low": low, "gamma_high": high, "delta": leaked(batch, rule), "y_worst": np.sqrt(worst)}
    values["M"] = worst * batch["L"] ** 2 / (8 * batch["mu"])
    width = (high - low) / np.sqrt(batch["d"])
    # The mean output is B m_i from the signs and alpha ((1 - r) m_i + r s) from theta*.
    values["O_rise_cube"] = rule.B * width
    values["O_falls"] = 2 * rule.alpha * batch["r"]
    values["O_gain"] = (rule.B + rule.alpha * (1 - batch["r"])) * width
    values["n_hops"] = needed(records.CUBE, "n_hops", values)
    values["z_level"] = _level(records.CUBE, values, batch["room"])
    values["s_climb"] = needed(records.CUBE, "s_climb", values)
    return Letters(
        values,
        {
            "y_worst": 1e-14 * values["y_worst"],
            "M": 1e-14 * batch["L"] ** 2 / batch["mu"],
            **dict.fromkeys(("O_rise_cube", "O_falls", "O_gain"), 1e-14 * (1 + rule.alpha)),
        },
    )


def information(u: Array) -> Array:
    """The integral of 1/(1 - x^2) from 0 to u by quadrature in the distance v = 1 - |x| from the pole.

    >>> information(np.array([0.5, -0.5])) * 2 / np.log(3)
    array([ 1., -1.])
    """
    edges = np.maximum(HALVES, 1 - np.abs(u)[:, None])
    half = (edges[:, :-1] - edges[:, 1:]) / 2
    v = ((edges[:, :-1] + edges[:, 1:]) / 2)[..., None] + half[..., None] * NODES
    return np.asarray(np.sign(u) * (half * ((1 / (v * (2 - v))) @ WEIGHTS)).sum(axis=1))


def signs_letters(batch: Batch) -> Letters:
    """Rules that look at the signs alone: their mean rise over the cube, the information by quadrature."""
    low, high = _ends(batch)
    d, B, T = batch["d"], batch["B"], batch["T"]
    Q = B**2 / T
    parts = information(high), information(low)
    info = parts[0] - parts[1]
    worst = np.maximum((1 - B) ** 2, Q)
    values = {
        "d": d,
        "T": T,
        "gamma_low": low,
        "gamma_high": high,
        "epsilon": batch["epsilon"],
        "delta": batch["delta"],
        **dict.fromkeys(("L", "mu"), np.ones_like(B)),
        "y_worst": np.sqrt(worst),
        "M": worst / 8,
        "O_rise_cube": B * (high - low) / np.sqrt(d),
        "I_coins": info,
    }
    values["z_level"] = _level(records.CUBE_SEGMENTS, values, batch["room"])
    values["s_climb"] = needed(records.CUBE_SEGMENTS, "s_climb", values)
    return Letters(
        values,
        {
            "I_coins": 1e-15 + 1e-13 * (np.abs(parts[0]) + np.abs(parts[1])),
            "M": 1e-15 * worst,
            "O_rise_cube": 1e-15 + 0 * d,
        },
    )


_room = {"room": log(1e-6, 1, (0.0,))}
_corner = each(linear(*records.ends(records.CUBE, "gamma_low"), (0.0, 0.5)), "first second")
_base: dict[str, Axis] = {**axes_of("L mu"), **_corner, **_room, "epsilon": log(1e-3, 10, (1.0,))}
LEAKY = Source(
    "rules that leak a coordinate",
    {
        **_base,
        "d": whole(1, 100),
        "middle": linear(0, 1, (0.5,)),
        **each(linear(0, 1), "near often seldom"),
        "loud": log(1e-9, 0.9, (0.0,)),
    },
    leaky_letters,
)
LINEAR = Source(
    "linear rules in the cube",
    {
        **_base,
        "d": whole(1, 100),
        "r": log(1e-3, 0.95, (0.25, 0.5)),
        "T": whole(0, 10**4),
        "alpha": linear(0, 1.5, (1.0,)),
        "signs": linear(0, 2, (1.0,)),
        "noise": log(1e-2, 1e2, (1.0,)),
    },
    cube_letters,
)
SIGNS = Source(
    "signs alone in the cube",
    {
        **_corner,
        **_room,
        "d": whole(1, 100),
        "T": whole(1, 10**4),
        "B": linear(0, 1, (0.5,)),
        "epsilon": log(1e-3, 10, (1.0,)),
        "delta": log(1e-12, 0.5),
    },
    signs_letters,
)
