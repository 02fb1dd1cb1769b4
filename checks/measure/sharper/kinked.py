"""Letters of one problem with a rare kink: vectors, and T tosses of a few coins by enumeration."""

from __future__ import annotations

import math
from itertools import product

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


def _products(**vectors: Array) -> dict[str, Pair]:
    """All inner products, by name."""
    pairs = [(a, b) for a in vectors for b in vectors if a <= b]
    return {f"<{a},{b}>": (float(vectors[a] @ vectors[b]), 1e-13) for a, b in pairs}


def vector_letters(row: Instance) -> dict[str, Pair | float]:
    """A start, an output and its cut to a ball around 0, with the retain risk of W_y by its losses."""
    rng, d, r = np.random.default_rng(int(row["seed"])), int(row["dimension"]), row["r"]
    a, L, mu = r + row["share"] * (1 - r), row["L"], row["mu"]
    y, o = _within(rng, d, 1 - r), _within(rng, d, 2.0)
    A = float(np.linalg.norm(y)) * (1 + row["room"])
    cut = o * min(1.0, A / max(float(np.linalg.norm(o)), 1e-300))

    def risk(v: Array) -> float:
        flat, kinked = v @ v - 2 * y @ v / (1 - r), v @ v + 2 * np.linalg.norm(v - y)
        return float((1 - a) * flat + a * kinked)

    u = y / np.linalg.norm(y)
    n, n_cut = float(np.linalg.norm(o - y)), float(np.linalg.norm(cut - y))
    found = {"psi_rare": risk(o) - risk(y), "psi_cut": risk(cut) - risk(y), "n_rare": n, "n_cut": n_cut}
    found |= {"n_start": float(np.linalg.norm(y)), "p_out": float(o @ u)}
    found |= {"q_out": float(np.linalg.norm(o - (o @ u) * u))}
    vectors = {"y_rare": y, "z_rare": o - y, "o_rare": o, "o_cut": cut}
    vectors |= {"x_rare": _within(rng, d, L / (2 * mu)), "s_rare": _within(rng, d, 1.0)}
    vectors |= {"y_here": y, "y_there": y + _within(rng, d, 2 * r)}
    exact = {"r": r, "a_rare": a, "L": L, "mu": mu, "A_ball": A if row["ball"] else float(np.linalg.norm(y))}
    exact |= {"zeta_ball": row["zeta"], "t_slope": row["slope"], "t_turn": row["turn"]}
    exact |= {"g_multiplier": row["g"], "D_cone": row["D"], "P_cone": row["P"]}
    return {**exact, **_products(**vectors), **{name: (v, 1e-12) for name, v in found.items()}}


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
    large = np.log(first / second) > row["eps_coins"]
    tail = float(first @ large)
    found = {
        "K_coins": k.mean(),
        "S_coins": ((new - old) ** 2).mean(),
        "V_coins": (t**2).mean(),
        "p_tail": tail,
    }
    found |= {"u_new": new[0], "u_old": old[0], "k_coin": k[0], "s_coin": (new[0] - old[0]) ** 2}
    found |= {"p_tail": tail, "t_coin": t[0], "t_coin_square": t[0] ** 2}
    event, E = np.log(first / second) > row["threshold"], math.exp(row["epsilon"])
    often, seldom = E / (1 + E), 1 / (1 + E)
    there, back = float(first @ event), float(second @ event)
    found |= {"H_far": often * there, "H_far_middle": often * back, "H_near_middle": seldom * back}
    found |= {"H_near": seldom * back, "p_tail_back": 0.0}
    valid = float(known["delta_coins"] <= 1)
    return {**known, "valid": valid, **{name: (float(v), 1e-12) for name, v in found.items()}}


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
