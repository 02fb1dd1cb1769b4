"""Letters of one problem with a rare kink: vectors, and T tosses of a few coins by enumeration."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.axes import named
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Instance, Source, fixed, linear, log, row_by_row, whole
from oubli.sim.require import Array


def _within(rng: np.random.Generator, d: int, size: float) -> Array:
    """A point of a ball, often on its sphere."""
    v = rng.standard_normal(d)
    return np.asarray(size * min(1.0, 1.5 * rng.random()) * v / np.linalg.norm(v))


def _nearest(pull: Array, kink: Array, weight: float) -> Array:
    """The minimiser of |v|^2 - 2 <pull, v> + 2 weight |v - kink|."""
    away = pull - kink
    length = float(np.linalg.norm(away))
    return kink + away * max(0.0, 1 - weight / max(length, 1e-300))


def vector_letters(row: Instance) -> dict[str, Pair | float]:
    """A start, an output and its cut to a ball around 0, with the retain risk of W_y by its losses."""
    rng, d, r = np.random.default_rng(int(row["seed"])), int(row["dimension"]), row["r"]
    L, mu, a = row["L"], row["mu"], r + row["share"] * (1 - r)
    R, e0 = L / (2 * mu), L**2 / (8 * mu)
    y, o, other = _within(rng, d, 1 - r), _within(rng, d, 2.0), _within(rng, d, 2 * r)
    A = float(np.linalg.norm(y)) * (1 + row["room"])
    A = A if row["ball"] else float(np.linalg.norm(y))
    cut = o * min(1.0, A / max(float(np.linalg.norm(o)), 1e-300))
    tilt = (a - r) / (1 - r)

    def risk(v: Array) -> float:
        flat, kinked = v @ v - 2 * y @ v / (1 - r), v @ v + 2 * np.linalg.norm(v - y)
        return float((1 - a) * flat + a * kinked)

    def charged(v: Array) -> float:
        z = v - y
        return float(z @ z + 2 * tilt * y @ z + 2 * a * np.linalg.norm(z))

    u, n, n_cut = y / np.linalg.norm(y), np.linalg.norm(o - y), np.linalg.norm(cut - y)
    moved = _nearest((1 - a) * y, y, (1 - r) * a) - y
    begun = _nearest(0 * y, y, 1.0) - ((1 - r) * (y + other) / (2 * (1 - r)) + r * (y - other) / (2 * r))
    scaled = {
        "X_wall": risk(o) - risk(y),
        "psi_rare": charged(o),
        "psi_cut": charged(cut),
        "psi_out": charged(cut),
    }
    scaled |= {"X_still": float(o @ o + 2 * n - y @ y), "psi_ball": charged(o), "psi_paid": charged(cut)}
    found = {name: e0 * v for name, v in scaled.items()}
    lengths: dict[str, Any] = {
        "n_miss": n,
        "n_cut": n_cut,
        "n_out": n_cut,
        "n_paid": n_cut,
        "o_length": np.linalg.norm(o),
    }
    lengths |= {
        "o_cut_length": np.linalg.norm(cut),
        "p_out": cut @ u,
        "q_out": np.linalg.norm(cut - (cut @ u) * u),
    }
    found |= {name: R * float(v) for name, v in lengths.items()}
    found |= {"yz_miss": R * float(y @ (o - y))}
    found |= {
        "n_start": float(y @ y),
        "n_moved": R**2 * float(moved @ moved),
        "n_begun": R**2 * float(begun @ begun),
    }
    found |= {"radius_rare": float(np.linalg.norm(y))}
    exact = {"r": r, "a_rare": a, "L": L, "mu": mu, "A_ball": A, "d": float(d)}
    exact |= {"zeta_ball": row["zeta"], "t_slope": row["slope"], "t_turn": row["turn"]}
    exact |= {"g_multiplier": row["g"], "D_cone": row["D"], "P_cone": row["P"]}
    return {**exact, **{name: (float(v), 1e-12 * (1 + L) * (1 + R)) for name, v in found.items()}}


def cone_letters(row: Instance) -> dict[str, Pair | float]:
    """The cone test of a point, by its coordinates."""
    rng, d = np.random.default_rng(int(row["seed"])), int(row["dimension"])
    R, k = row["L"] / (2 * row["mu"]), row["k"]
    o = R * row["A"] * _within(rng, d, 1.0)
    rest = float(np.linalg.norm(o[2:]))
    ahead = float(o[1]) - k * rest
    found = {"f_cone": max(ahead, 0.0), "o_aside": float(o[1]), "o_rest": rest}
    found |= {"part": max(ahead, 0.0), "root_part": abs(ahead)}
    y = row["A"] * _within(rng, d, 1.0)
    z, along = o - R * y, float(o[0] - R * y[0])
    found |= dict.fromkeys(("f_ball", "f_miss"), max(along - k * float(np.linalg.norm(z[1:])), 0.0))
    found |= {"n_start": float(y @ y)}
    exact = {"L": row["L"], "mu": row["mu"], "A_ball": row["A"], "k_cone": k, "d": float(d)}
    exact |= {"x_part": ahead, "m_part": max(ahead, 0.0) + row["room"] + 1e-6}
    return {**exact, **{name: (v, 1e-12 * (1 + R)) for name, v in found.items()}}


def _means(rng: np.random.Generator, d: int, size: float, change: float) -> tuple[Array, Array]:
    """Two vectors of means of some size at most, not far from each other."""
    old = _within(rng, d, size)
    new = old + _within(rng, d, change)
    return old, new * min(1.0, size / max(float(np.linalg.norm(new)), 1e-300))


def _law(means: Array, T: int) -> Array:
    """Probabilities of all outcomes of T tosses of some coins."""
    if T == 0:
        return np.ones(1)
    signs = np.array(list(product((1.0, -1.0), repeat=len(means) * T))).reshape(-1, T, len(means))
    return np.asarray(((1 + signs * means) / 2).prod(axis=(1, 2)))


def coin_letters(row: Instance) -> dict[str, Pair | float]:
    """Coins of two vectors of means: divergence, tilt, and the exact tail of the logarithm of the ratio."""
    rng, d, T, r = np.random.default_rng(int(row["seed"])), int(row["coins"]), int(row["tosses"]), row["r"]
    size, rho = row["U"] / math.sqrt(d), r / (1 - r)
    old, new = (v * math.sqrt(d) for v in _means(rng, d, size, rho))
    known = {"r": r, "d": float(d), "T": float(T), "U_coins": row["U"], "A_ball": (1 - r) * size}
    known |= {"eps_coins": row["eps_coins"], "s_chernoff": row["s_chernoff"], "epsilon": row["epsilon"]}
    known |= {"delta": row["delta"]}
    known["delta_coins"] = float(needed(records.HOP, "delta_coins", known))
    k = (1 + new) / 2 * np.log((1 + new) / (1 + old)) + (1 - new) / 2 * np.log((1 - new) / (1 - old))
    t = np.arctanh(new) - np.arctanh(old)
    first, second = _law(new, T), _law(old, T)
    ratio = np.log(first / second)
    large, event, E = ratio > row["eps_coins"], ratio > row["threshold"], math.exp(row["epsilon"])
    apart, bound = float((new - old) @ (new - old)), 1 / (1 - row["U"] ** 2)
    s = row["s_chernoff"]
    left = s * (bound * apart - k.sum()) + s**2 / 2 * (bound**2 * apart - (t**2).sum())
    found = {
        "n_new": new @ new / d,
        "n_old": old @ old / d,
        "n_apart": apart / d,
        "n_star": 0.0,
        "F_all": left,
    }
    found |= {"n_forget_new": 0.0, "n_forget_old": 0.0, "p_new": first @ large, "p_old": second @ large}
    # Randomised response on the start, and an event of the coins.
    found |= {"p_end": E / (1 + E) * float(first @ event), "p_begin": float(second @ event) / (1 + E)}
    found |= {"p_other": E / (1 + E), "p_pair": 1 / (1 + E)}
    starts: dict[str, Any] = {"n_start_here": old @ old, "n_start_there": new @ new, "n_hop": apart}
    starts |= {"n_start": old @ old, "n_other": new @ new, "n_pair": apart}
    found |= {name: (1 - r) ** 2 * v / d for name, v in starts.items()}
    valid = float(known["delta_coins"] <= 1)
    exact = {"u_new": float(new[0]), "u_old": float(old[0])}
    return {
        **known,
        **exact,
        "valid": valid,
        **{name: (float(v), 1e-11 * (1 + s**2)) for name, v in found.items()},
    }


VECTORS = Source(
    "a start and an output",
    {
        "L": named("L"),
        "mu": named("mu"),
        "r": linear(0.01, 0.95),
        "share": linear(0, 1),
        "seed": whole(0, 10**6),
        "dimension": whole(1, 4),
        "room": linear(0, 1, (0.0,)),
        "ball": whole(0, 1),
        "zeta": log(1e-3, 3),
        "slope": linear(0, 1),
        "turn": log(1e-3, 1),
        "g": log(1e-3, 10),
        "D": log(1e-3, 3),
        "P": linear(0, 0.5),
    },
    row_by_row(vector_letters),
)
STILL = Source("a start, all losses kinked", {**VECTORS.space, "share": fixed(1)}, row_by_row(vector_letters))
ON_SPHERE = Source("a start on the sphere", {**VECTORS.space, "ball": fixed(0)}, row_by_row(vector_letters))
COINS = Source(
    "a few coins",
    {
        "r": log(1e-3, 0.4),
        "U": linear(0.1, 0.95),
        "seed": whole(0, 10**6),
        "coins": whole(1, 3),
        "tosses": whole(0, 3),
        "eps_coins": log(1e-2, 3),
        "s_chernoff": log(0.1, 100),
        "epsilon": log(1e-2, 5),
        "delta": log(1e-9, 0.1),
        "threshold": linear(-1, 1),
    },
    row_by_row(coin_letters),
)
TESTS = Source(
    "points and cones",
    {
        "L": named("L"),
        "mu": named("mu"),
        "A": linear(0.01, 1),
        "seed": whole(0, 10**6),
        "dimension": whole(2, 5),
        "k": linear(0, 5),
        "room": linear(0, 1),
    },
    row_by_row(cone_letters),
)
