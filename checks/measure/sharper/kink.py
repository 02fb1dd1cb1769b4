"""Letters of the kink at theta* and of the sensitivity: tests on T signs, pairs of optima."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import ROLES, Pair, direction, space
from oubli.checks.measure.sharper.members import walled
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.sharper.release import light_loss
from oubli.checks.measure.source import (
    Instance,
    Source,
    choice,
    each,
    linear,
    log,
    quietly,
    row_by_row,
    whole,
)
from oubli.sim.laws import binomial_tv_gamma
from oubli.sim.losses.families import Regularised, hard, kink, max_affine, quadratic
from oubli.sim.losses.parts import MaxAffine
from oubli.sim.problems.mixture import Mixture
from oubli.sim.require import Array, require
from oubli.theory.paper.sharper.wide import EIGHT, TWO, Piece


def _problems(row: Instance, m: float, star: float, other: float) -> tuple[Mixture, Mixture]:
    """A: signs of mean m. C: some losses with sign 1 turn at theta*, so that the mean is m' right of it."""
    L, mu = row["L"], row["mu"]
    up, down = hard(1.0, 1, L, mu), hard(-1.0, 1, L, mu)
    turning = kink(star, -L / 2, L / 2, 1, mu)
    first = Mixture((up, down), [(1 + m) / 2, (1 - m) / 2])
    return first, Mixture((up, turning, down), [(1 + other) / 2, (m - other) / 2, (1 - m) / 2])


def _excess(mixture: Mixture, at: Array, best: float) -> Array:
    return np.asarray(mixture.value(at[:, None]) - mixture.value(np.array([[best]]))[0])


def _table(row: Instance, laws: Array, G: float, q: float) -> Array:
    """Output minus theta* for each number of signs +1: by a threshold, or the best answer to a prior."""
    count = np.arange(laws.shape[1])
    tested = G * np.where(count >= row["threshold"] * len(count), row["go"], row["stay"])
    a, c = row["prior"] * laws[0], (1 - row["prior"]) * laws[1]
    # a (v - G)^2 + c (v^2 + 2 q v) is least there; left of theta* both risks only grow.
    best = np.maximum((a * G - c * q) / np.maximum(a + c, 1e-300), 0.0)
    return np.asarray(best if row["rule"] == 1 else tested)


def kink_letters(row: Instance) -> dict[str, Pair | float]:
    """T signs seen right of theta*, and an output for each number of signs +1: exact risks on A and on C."""
    L, mu, m, T = row["L"], row["mu"], row["m"], int(row["T"])
    R, e0 = L / (2 * mu), L**2 / (8 * mu)
    known: dict[str, float] = {"r": row["r"], "gamma_max": m}
    known["G_kink"] = min(row["moved"] * float(needed(records.KINK, "G_kink", known)), 1 + m)
    known["q_kink"] = row["tilt"] * (1 + m - known["G_kink"])
    known["gamma_min"] = max(float(needed(records.KINK, "gamma_min", known)), -1.0)
    most = float(needed(records.KINK, "p_kink", {n: known[n] for n in ("G_kink", "q_kink")}))
    p = row["weight"] * (most if np.isfinite(most) else 0.0)
    star = R * (m - known["G_kink"])
    A, C = _problems(row, m, star, known["gamma_min"])
    laws = np.array([binom.pmf(np.arange(T + 1), T, (1 + mean) / 2) for mean in (m, known["gamma_min"])])
    v = _table(row, laws, known["G_kink"], known["q_kink"])
    risks = np.array([_excess(A, star + R * v, R * m), _excess(C, star + R * v, star)])
    found = {"tau": binomial_tv_gamma(T, known["gamma_min"], m)}
    found |= _bayes_letters(p, laws, known["G_kink"], known["q_kink"])
    costs = {"e_A": risks[0, 0], "e_C": risks[1, 0]}
    worst = max(float(laws[0] @ risks[0]), float(laws[1] @ risks[1]))
    exact = {"L": L, "mu": mu, "T": row["T"], **known, "p_kink": p}
    exact["s_kink"] = m - known["G_kink"]
    pairs = {n: (float(x), 1e-13) for n, x in found.items()}
    return {**exact, "M_any": (worst, 1e-13 * e0), **pairs, **{n: (x, 1e-13 * e0) for n, x in costs.items()}}


def _bayes_letters(p: float, laws: Array, G: float, q: float) -> dict[str, float]:
    """What the prior p makes of each number of signs +1, at the first of them and in all."""
    a, c = p * laws[0], (1 - p) * laws[1]
    both = np.maximum(a + c, 1e-300)
    gained = np.maximum(a * G - c * q, 0.0)
    first = {"w_A": a[0], "w_C": c[0], "h_gain": gained[0], "s_gain": gained[0] ** 2 / both[0]}
    return {**first, "S_bayes": (gained**2 / both).sum()}


def turn_letters(row: Instance) -> dict[str, Pair | float]:
    """The slope of a loss that turns, and the optima of all data in A and in C, by the simulator."""
    L, mu, r, m, f = (row[name] for name in ("L", "mu", "r", "m", "f"))
    R, s = L / (2 * mu), (1 - r) * m + r * f
    x = row["radius"] * R * direction(row["angle"], 2)
    slope = kink(R * s, -L / 2, L / 2, 2, mu).gradient(x[None])[0]
    other, forget = s - row["tilt"] * (1 + s), hard(f, 1, L, mu)
    whole_data = [
        Mixture((*retain.losses, forget), [*((1 - r) * retain.weights), r]).minimise(L, mu)
        for retain in _problems(row, m, R * s, min(other, m))
    ]
    at, off = ([found.point[0] for found in whole_data], sum(found.distance for found in whole_data))
    return {
        **{"L": L, "mu": mu, "r": r, "gamma_max": m, "gamma_min": min(other, m), "f_kink": f, "s_kink": s},
        "x_kink_square": (float(x @ x), 1e-15 * R**2),
        "slope_turn": (float(slope @ slope), 1e-14 * L**2),
        "n_turned": (float(at[0] - at[1]) ** 2, float(off + 1e-15 * R) ** 2),
        "a_ahead": (float(at[0]), float(off)),
        "c_ahead": (float(at[1]), float(off)),
    }


def starts_agree(cases: int = 200) -> int:
    """theta* is the optimum of all data in A and in C alike, by the simulator; or AssertionError."""
    rng = np.random.default_rng(7)
    for r, m, moved, tilt in rng.uniform((0.01, -0.9, 0.01, 0.01), (0.99, 0.99, 1, 1), (cases, 4)):
        row = {"L": 2.0, "mu": 1.0}
        G = min(moved * float(needed(records.KINK, "G_kink", {"r": r, "gamma_max": m})), 1 + m)
        star, other = m - G, m - G - tilt * (1 + m - G)
        forget = hard(float(np.clip(m - G / r, -1, 1)), 1, 2.0, 1.0)
        for retain in _problems(row, m, star, other):
            whole_data = Mixture((*retain.losses, forget), [*((1 - r) * retain.weights), r])
            found = whole_data.minimise(2.0, 1.0)
            if abs(found.point[0] - star) > found.distance + 1e-12:
                raise AssertionError(f"r = {r}, m = {m}, G = {G}: the optimum is {found.point}, not {star}")
    return cases


def pair_letters(row: Instance) -> dict[str, Pair | float]:
    """Two forget losses with a slope everywhere: how far their optima lie apart, and the slopes there."""
    L, mu, r, share = row["L"], row["mu"], row["r"], row["share"]
    first, second, forget, other = (light_loss(row, role) for role in ROLES)
    chances = [(1 - r) * share, (1 - r) * (1 - share), r]
    here, there = (Mixture((first, second, loss), chances).minimise(L, mu).point for loss in (forget, other))
    size = float(np.linalg.norm(there - here))
    return {"L": L, "mu": mu, "r": r, "D_optima": (size, 2e-14 * L / mu)}


def wall_letters(row: Instance) -> dict[str, Pair | float]:
    """A member with steep walls and its mirror image as forget losses, the optimum where both are steep."""
    L, mu, r = row["L"], row["mu"], row["r"]
    forget, out = walled(row)
    retain = quadratic(row["radius"] * L / (2 * mu) * out, mu)
    found = [Mixture((retain, loss), [1 - r, r]).minimise(L, mu) for loss in (forget, mirrored(forget, out))]
    size = float(np.linalg.norm(found[0].point - found[1].point))
    return {"L": L, "mu": mu, "r": r, "D_optima": (size, found[0].distance + found[1].distance)}


def piece_letters(pieces: tuple[Piece, ...]) -> Callable[[Instance], dict[str, Pair | float]]:
    """The explicit losses of the ledger, which the simulator finds members, and its own minimisers."""
    table = np.array([[float(Fraction(x)) for x in piece] for piece in pieces])
    slopes, offsets = table[:, :2], table[:, 2]

    def letters(row: Instance) -> dict[str, Pair | float]:
        L, mu, r = row["L"], row["mu"], row["r"]
        loss, out = max_affine(L * slopes, L**2 / mu * offsets, mu), np.array([1.0, 0.0])
        require(loss.lipschitz(L / (2 * mu)).high <= L * (1 + 1e-9), "not a member", pieces)
        retain = quadratic(L / (2 * mu) * out, mu)
        found = [Mixture((retain, f), [1 - r, r]).minimise(L, mu) for f in (loss, mirrored(loss, out))]
        size = float(np.linalg.norm(found[0].point - found[1].point))
        return {"L": L, "mu": mu, "r": r, "d": 2.0, "D_optima": (size, found[0].distance + found[1].distance)}

    return letters


def mirrored(loss: Regularised, axis: Array) -> Regularised:
    """The loss reflected so that the axis stays: a member because the ball is round.

    >>> both = [kink(0.1, 0.0, 0.5, 2, 1.0), mirrored(kink(0.1, 0.0, 0.5, 2, 1.0), np.array([0.0, 1.0]))]
    >>> [float(loss.value(np.array([[x, 0.3]]))[0]) for loss, x in zip(both, (0.4, -0.4))]
    [0.275, 0.275]
    """
    part = loss.part
    assert isinstance(part, MaxAffine)
    return max_affine(2 * np.outer(part.slopes @ axis, axis) - part.slopes, part.offsets, loss.mu)


KINK = Source(
    "tests for a kink",
    {
        **axes_of("L mu"),
        "r": log(1e-3, 0.99, (0.25, 0.5)),
        "m": linear(-0.9, 1, (0.0,)),
        **each(linear(1e-3, 1), "moved tilt"),
        "weight": linear(0, 1),
        "stay": linear(-1, 2, (0.0,)),
        "go": linear(-1, 2, (1.0,)),
        **each(linear(0, 1, (0.5,)), "threshold prior"),
        "rule": choice(2),
        "T": whole(0, 100),
    },
    row_by_row(kink_letters),
)
TURNS = Source(
    "a loss that turns at theta*",
    {
        **axes_of("L mu"),
        "r": log(1e-3, 0.99, (0.25, 0.5)),
        **each(linear(-1, 1, (0.0,)), "m f"),
        **each(linear(0, 1), "tilt radius"),
        "angle": linear(0, 1, (0.5,)),
    },
    row_by_row(turn_letters),
    512,
)
TWO_PIECES, EIGHT_PIECES = (
    Source(
        f"{name} affine pieces",
        {**axes_of("L mu"), "r": log(1e-4, float(needed(key, "r", {})))},
        row_by_row(piece_letters(pieces)),
        64,
    )
    for name, pieces, key in (("two", TWO, records.WIDE), ("eight", EIGHT, records.WIDER))
)
PAIRS = Source("two forget losses", space(3, whole(1, 5)), row_by_row(pair_letters), 1024)
WALLS = Source(
    "steep forget losses",
    {**axes_of("L mu"), "r": log(1e-3, 0.5), "seed": whole(0, 10**6), "radius": linear(0.5, 1)},
    row_by_row(quietly(wall_letters)),
    64,
)
