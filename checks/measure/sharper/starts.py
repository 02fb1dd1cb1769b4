"""Letters of rare kinks on a sphere and in a ball of starts: private mechanisms, by quadrature.

On the sphere: outputs of a fixed length at an angle phi from the start, of density proportional to
e^(-eps phi/eta), which is private over hops by eta because angles are a metric; with probability delta the
start itself. In the ball: the start plus noise of density proportional to e^(-eps |z|/(2 r)), or the start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.axes import named
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Axis, Instance, Source, fixed, linear, log, quietly, row_by_row, whole
from oubli.sim.require import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(160)
# Quadrature across bends: the same with twice as many nodes differs by less.
ERROR = 1e-6


def _over(low: float, high: float) -> tuple[Array, Array]:
    """Nodes and weights on an interval."""
    half = (high - low) / 2
    return low + half * (NODES + 1), half * WEIGHTS


def angles(n: int, ends: tuple[float, ...]) -> tuple[Array, Array]:
    """Nodes and probabilities of the angle of two directions in R^n; the integrand may bend at the ends."""
    if n == 1:
        return np.array([0.0, math.pi]), np.array([0.5, 0.5])
    cuts = sorted({0.0, math.pi, *(min(max(end, 0.0), math.pi) for end in ends)})
    parts = [_over(a, b) for a, b in pairwise(cuts)]
    omega, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    chance = weight * np.sin(omega) ** (n - 2)
    return omega, chance / chance.sum()


def cap(n: int, w0: float, w1: float) -> dict[str, float]:
    """The means over the cap omega <= w1 and over the cone of half angle w0."""
    omega, chance = angles(n, (w0, w1))
    k, inside = 1 / math.tan(w0), omega <= w1
    P, C, S = (float((chance * inside) @ f) for f in (1 + 0 * omega, np.cos(omega), np.sin(omega)))
    X = float(chance @ np.maximum(np.cos(omega) - k * np.sin(omega), 0.0))
    letters = {"P_cap": P, "C_cap": C, "S_cap": S, "X_cone": X, "k_cone": k}
    return {**letters, "Q_cap": 1 - P, "N_cap": k * S - C}


def _tested(n: int, w0: float, ahead: Array, across: Array, turned: float) -> Array:
    """Mean over directions of (ahead + across (turned cos - cot(w0) sin))_+, for each output."""
    k = 1 / math.tan(w0)
    if n == 1:
        both = [np.maximum(ahead + side * across * turned, 0.0) / 2 for side in (1, -1)]
        return np.asarray(both[0] + both[1])
    # It is positive up to one angle, and perhaps beyond another.
    level = -ahead / np.maximum(across * math.hypot(turned, k), 1e-300)
    bend, shift = np.arccos(np.clip(level, -1, 1)), math.atan2(k, turned)
    whole, weight = _over(0.0, math.pi)
    total = np.zeros(len(ahead))
    for low, high in ((0 * bend, bend - shift), (2 * math.pi - bend - shift, math.pi + 0 * bend)):
        half = np.maximum(np.minimum(high, math.pi) - low, 0.0)[:, None] / 2
        omega = low[:, None] + half * (NODES + 1)
        inner = ahead[:, None] + across[:, None] * (turned * np.cos(omega) - k * np.sin(omega))
        total += (np.maximum(inner, 0.0) * half * WEIGHTS * np.sin(omega) ** (n - 2)).sum(axis=1)
    return total / float(weight @ np.sin(whole) ** (n - 2))


def _hop(row: Instance, key: str) -> dict[str, float]:
    """A budget, coins that allow T gradients, and growth and loss of a test over a hop."""
    known = {n: row[n] for n in ("L", "mu", "r", "epsilon", "delta", "T", "d", "eps_coins")}
    known["A_ball"] = row["A"] * (1 - row["r"])
    if key.endswith(".start"):
        return {**known, "E_hop": math.exp(row["epsilon"]), "delta_hop": row["delta"], "a_rare": 1.0}
    known["A_ball"] /= math.sqrt(row["d"])
    known |= {"U_coins": row["A"], "s_chernoff": row["s_chernoff"]}
    for name in ("delta_coins", "E_hop", "delta_hop"):
        known[name] = float(needed(key, name, known))
    return {**known, "a_rare": row["r"] + row["share"] * (1 - row["r"]) * 0.99}


def _psi(a: float, r: float, A: float, p: Array, q: Array) -> Array:
    """The retain risk of W_y at p u + q v, less that at y = A u, by the losses themselves."""

    def risk(p: Array, q: Array) -> Array:
        flat = p**2 + q**2 - 2 * A / (1 - r) * p
        kinked = p**2 + q**2 + 2 * np.hypot(p - A, q)
        return np.asarray((1 - a) * flat + a * kinked)

    return risk(p, q) - risk(np.array([A]), np.array([0.0]))


def _sphere(row: Instance, key: str) -> dict[str, Pair | float]:
    known, d, r = _hop(row, key), int(row["d"]), row["r"]
    A, a = known["A_ball"], known["a_rare"]
    w1 = row["w1"] * math.pi
    w0 = row["w0"] * min(w1, math.pi / 2)
    turn = row["turn"] * r / math.sqrt(max(A**2 - r**2, 1e-12))
    eta = 2 * math.atan(turn)
    caps = cap(d - 1, w0, w1)
    # The tests bend where the output lies as far ahead as the hop.
    most = min(math.pi, 40 * eta / row["epsilon"])
    parts = [_over(a, b) for a, b in pairwise(sorted({0.0, min(eta, most), most}))]
    phi, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    law = weight * np.sin(phi) ** (d - 2) * np.exp(-row["epsilon"] * phi / eta)
    law, length = (1 - row["delta"]) * law / law.sum(), row["length"] * A
    phi, law = np.append(phi, 0.0), np.append(law, row["delta"])
    p, q = length * np.cos(phi), length * np.sin(phi)
    far = _tested(d - 1, w0, p * math.sin(eta), q, math.cos(eta))
    near = _tested(d - 1, w0, 0 * p, q, 1.0)
    means = {"E_p": law @ p, "E_q": law @ q, "G_far": law @ far, "G_near": law @ near}
    E_psi = float(law @ _psi(a, r, A, p, q))
    found = {**means, "E_psi": E_psi, "M": E_psi * row["L"] ** 2 / (8 * row["mu"])}
    found |= {"H_far": means["G_far"] / A, "H_near": means["G_near"] / A, "F_far": far[0], "F_near": near[0]}
    exact = {**known, "k_cone": caps.pop("k_cone"), "t_turn": turn, "p_out": p[0], "q_out": q[0]}
    exact["P_cone"] = row["less"] * (1 - caps["Q_cap"])
    exact["D_cone"] = (
        known["E_hop"] * caps["X_cone"] + caps["N_cap"] + (1 - math.cos(eta)) * caps["C_cap"]
    ) * (1 + row["more"]) + 1e-7
    exact |= {"t_slope": math.tan(row["alpha"] / 2), **_multiplier(row, exact, eta)}
    exact |= {"P_unseen": (1 - a) ** row["T"] if a < 1 else 1.0}
    valid = float(1.05 * r < A <= 1 - r and known.get("delta_coins", 0.0) <= 1)
    return {**exact, "valid": valid, **_measured(caps), **_measured(found)}


def _measured(found: Mapping[str, float]) -> dict[str, Pair]:
    return {name: (float(v), ERROR * (1 + abs(float(v)))) for name, v in found.items()}


def _multiplier(row: Instance, at: dict[str, float], eta: float) -> dict[str, float]:
    """A multiplier around the best one."""
    along, across = math.sin(eta) * at["P_cone"], at["D_cone"]
    a, tilt = at["a_rare"], (at["a_rare"] - at["r"]) / (1 - at["r"])
    pull = along * ((1 - tilt) * at["A_ball"] + a * math.cos(row["alpha"])) + across * a * math.sin(
        row["alpha"]
    )
    best = max(pull - at["delta_hop"] * at["A_ball"], 0.0) / (along**2 + across**2)
    return {"g_multiplier": best * row["multiplier"]}


def sphere_letters(row: Instance) -> dict[str, Pair | float]:
    """Without gradients."""
    return _sphere(row, records.SPHERE_START)


def sphere_coins_letters(row: Instance) -> dict[str, Pair | float]:
    """With T gradients that nobody looks at."""
    return _sphere(row, records.SPHERE)


def _reached(d: int, A: float, h: float) -> float:
    """The probability that a hop from a start in the ball stays in it."""
    t, weight = _over(0.0, A)
    most = np.clip((A**2 - t**2 - h**2) / (2 * t * h), -1, 1)
    if d == 1:
        stays = ((t + h <= A) * 1.0 + 1.0) / 2
        return float((weight @ stays) / A)
    stays = np.array([_below(d, float(c)) for c in most])
    return float((weight * d * t ** (d - 1) / A**d) @ stays)


def _below(d: int, cosine: float) -> float:
    omega, chance = angles(d, (math.acos(cosine),))
    return float(chance @ (np.cos(omega) <= cosine))


def _ball(row: Instance, key: str) -> dict[str, Pair | float]:
    known, d, r = _hop(row, key), int(row["d"]), row["r"]
    A, a, h = known["A_ball"], known["a_rare"], 2 * r
    w1 = row["w1"] * math.pi
    w0 = row["w0"] * min(w1, math.pi / 2)
    caps, scale = cap(d, w0, w1), h / row["epsilon"]
    parts = [_over(0.0, h), _over(h, h + scale * (60 + 2 * d))]
    size, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    law = weight * size ** (d - 1) * np.exp(-size / scale)
    law = (1 - row["delta"]) * law / law.sum()
    size, law = np.append(size, 0.0), np.append(law, row["delta"])
    far, near = _tested(d, w0, h + 0 * size, size, 1.0), size * caps["X_cone"]
    ends, begins = float(law @ far), float(law @ near)
    nu, K = max(1 - h / A, 0.0) ** d, float(law @ size)
    stays = _reached(d, A, h) if h < A else 1.0
    x = float(law @ (size**2 + 2 * a * size))
    found = {"K_inside": K, "K_shell": K, "G_inside": ends, "G_ends": stays * ends}
    found |= {"G_begins": stays * begins, "G_begins_inside": begins, "G_begins_shell": begins}
    found |= {"H_far": stays * ends / (2 * A), "H_near": stays * begins / (2 * A)}
    found |= {"F_ball": float(far[0]), "F_near_ball": float(near[0])}
    found |= {"E_psi_inside": x, "E_psi_shell": x, "x_starts": x}
    found |= {"M": x * row["L"] ** 2 / (8 * row["mu"])}
    exact = {**known, "k_cone": caps.pop("k_cone"), "nu_ball": nu, "nu_shell": 1 - nu, "n_rare": size[0]}
    exact["P_cone"] = row["less"] * (1 - caps["Q_cap"])
    least = known["E_hop"] * caps["X_cone"] + nu * caps["N_cap"]
    exact["D_ball"] = least * (1 + row["more"]) + 1e-7
    gain = h * nu * exact["P_cone"] - 2 * A * known["delta_hop"]
    exact["zeta_ball"] = max(row["multiplier"] / 2, 0.5) * max(gain, 0.0) / exact["D_ball"] * (1 - 1e-9)
    exact |= {"P_unseen": (1 - a) ** row["T"] if a < 1 else 1.0}
    # The additive noise is not cut to the ball: the loss of a test is that of the leak, at most 2 r.
    valid = float(2.05 * r < A <= 1 - r and gain > 0 and known.get("delta_coins", 0.0) <= 1)
    return {**exact, "valid": valid, **_measured(caps), **_measured(found)}


def ball_letters(row: Instance) -> dict[str, Pair | float]:
    """Without gradients."""
    return _ball(row, records.BALL_START)


def ball_coins_letters(row: Instance) -> dict[str, Pair | float]:
    """With T gradients that nobody looks at."""
    return _ball(row, records.BALL)


def _axes(gradients: bool, fewest: int) -> dict[str, Axis]:
    found = {n: named(n) for n in ("L", "mu")}
    found |= {"r": log(1e-3, 0.2), "epsilon": log(0.02, 6, (1.0,)), "delta": log(1e-9, 0.01)}
    found |= {"d": whole(fewest, 6), "T": whole(1, 20) if gradients else fixed(0), "A": linear(0.05, 0.97)}
    found |= {"w0": linear(0.1, 1.0), "w1": linear(0.02, 0.98, (0.5,)), "turn": linear(0.3, 1)}
    found |= {"length": linear(0, 1), "less": linear(0.5, 1), "more": log(1e-6, 1), "alpha": linear(0, 1.5)}
    found |= {"multiplier": linear(0.2, 2, (1.0,)), "share": linear(0.01, 1)}
    return found | {"eps_coins": log(0.01, 2), "s_chernoff": log(0.1, 300)}


SPHERE = Source("angular noise", _axes(False, 2), row_by_row(sphere_letters), 1024)
SPHERE_COINS = Source(
    "angular noise, gradients", _axes(True, 2), row_by_row(quietly(sphere_coins_letters)), 1024
)
BALL = Source("radial noise", _axes(False, 1), row_by_row(ball_letters), 1024)
BALL_COINS = Source("radial noise, gradients", _axes(True, 1), row_by_row(quietly(ball_coins_letters)), 1024)
