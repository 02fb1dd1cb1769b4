"""Letters of rare kinks on a sphere and in a ball of starts: private mechanisms, by quadrature.

On the sphere: outputs of a fixed length at an angle phi from the start, of density proportional to
e^(-eps phi/eta), which is private over hops by eta because angles are a metric; with probability delta the
start itself. In the ball: the start plus noise of density proportional to e^(-eps |z|/(2 r)), projected on
it, or the start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.axes import named
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Axis, Instance, Source, fixed, linear, log, quietly, row_by_row, whole
from oubli.sim.require import Array

FINE, COARSE, FEW = (np.polynomial.legendre.leggauss(n) for n in (160, 24, 6))
NODES, WEIGHTS = FINE
# Quadrature across bends: the same with twice as many nodes differs by less.
ERROR = 1e-6
# The few nodes of noise in a ball are a law of their own, whose costs are exact; they miss a share of the
# mean distance over all starts, and a larger one of tests: by so much they are less private than the noise.
FAR_OFF, ROUGH = 0.005, 0.05


def _over(low: float, high: float, rule: tuple[Array, Array] = FINE) -> tuple[Array, Array]:
    """Nodes and weights on an interval."""
    (nodes, weights), half = rule, (high - low) / 2
    return low + half * (nodes + 1), half * weights


def angles(n: int, ends: tuple[float, ...], rule: tuple[Array, Array] = FINE) -> tuple[Array, Array]:
    """Nodes and probabilities of the angle of two directions in R^n; the integrand may bend at the ends."""
    if n == 1:
        return np.array([0.0, math.pi]), np.array([0.5, 0.5])
    cuts = sorted({0.0, math.pi, *(min(max(end, 0.0), math.pi) for end in ends)})
    parts = [_over(a, b, rule) for a, b in pairwise(cuts)]
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


# Means over caps of directions in R^(d-1), as the record of a sphere of starts calls them.
SIDEWAYS = {"X_cone": "X_side", "N_cap": "N_side", "C_cap": "C_side", "Q_cap": "Q_side"}


def _charged(a: float, r: float, A: float, p: Array, q: Array) -> Array:
    """|z|^2 + 2 a' <y, z> + 2 a |z| for the output p u + q v and y = A u."""
    z, tilt = np.hypot(p - A, q), (a - r) / (1 - r)
    return np.asarray(z**2 + 2 * tilt * A * (p - A) + 2 * a * z)


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
    R, e0 = row["L"] / (2 * row["mu"]), row["L"] ** 2 / (8 * row["mu"])
    E_psi = e0 * float(law @ _psi(a, r, A, p, q))
    kind = "still" if key == records.SPHERE_START else "coins"
    means = {"E_p": law @ p, "E_q": law @ q, "q_here": law @ q, "G_far": law @ far, "G_near": law @ near}
    found = {f"{name}_{kind}": R * float(v) for name, v in means.items()} | {
        f"psi_mean_{kind}": E_psi,
        "M": E_psi,
        "M_still": E_psi,
    }
    found |= dict.fromkeys(("F_wall", "F_pair"), R * float(law @ near))
    found |= dict.fromkeys(("F_wall_other", "F_other"), R * float(law @ far))
    found |= {"n_start": A**2, "n_other": A**2, "n_pair": (2 * A * math.sin(eta / 2)) ** 2}
    caps = {SIDEWAYS.get(name, name): v for name, v in caps.items()}
    exact = {**known, "k_cone": caps.pop("k_cone"), "k_cap": 1 / math.tan(w1), "t_turn": turn}
    exact["P_cone"] = row["less"] * (1 - caps["Q_side"])
    exact["D_cone"] = (
        known["E_hop"] * caps["X_side"] + caps["N_side"] + (1 - math.cos(eta)) * caps["C_side"]
    ) * (1 + row["more"]) + 1e-7
    exact |= {"t_slope": math.tan(row["alpha"] / 2), **_multiplier(row, exact, eta)}
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


def _noise(d: int, h: float, scale: float) -> tuple[Array, Array]:
    """Lengths and probabilities of noise of density proportional to e^(-|z|/scale)."""
    parts = [_over(0.0, h, COARSE), _over(h, h + scale * (60 + 2 * d), COARSE)]
    size, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    law = weight * size ** (d - 1) * np.exp(-size / scale)
    return size, law / law.sum()


@dataclass(frozen=True)
class Noisy:
    """Outputs y + z projected on the ball of radius A, or y with probability delta; in units R."""

    d: int
    A: float
    delta: float
    size: Array
    law: Array

    def mean(self, t: float, of: Callable[[Array, Array], Array], *bends: float) -> float:
        """The mean of a function of the parts along and across an axis, where y is t along the axis."""
        omega, chance = angles(self.d, bends, COARSE)
        p, q = t + np.outer(self.size, np.cos(omega)), np.outer(self.size, np.sin(omega))
        shrunk = np.minimum(1.0, self.A / np.maximum(np.hypot(p, q), 1e-300))
        kept = float(self.law @ of(shrunk * p, shrunk * q) @ chance)
        return (1 - self.delta) * kept + self.delta * float(of(np.array([[t]]), np.zeros((1, 1)))[0, 0])

    def miss(self, t: float) -> float:
        """The mean distance from the start."""
        return self.mean(t, lambda p, q: np.hypot(p - t, q))

    def missing(self, radius: float) -> float:
        """Its mean over the starts in a ball."""
        t, weight = _over(0.0, radius, FEW)
        return float((weight * self.d * t ** (self.d - 1) / radius**self.d) @ [self.miss(x) for x in t])


def _ball(row: Instance, key: str) -> dict[str, Pair | float]:
    known, d, r = _hop(row, key), int(row["d"]), row["r"]
    A, a, h = known["A_ball"], known["a_rare"], 2 * r
    w1 = row["w1"] * math.pi
    w0 = row["w0"] * min(w1, math.pi / 2)
    k, caps, R = 1 / math.tan(w0), cap(d, w0, w1), row["L"] / (2 * row["mu"])
    size, law = _noise(d, h, h / row["epsilon"])
    noisy, e0, inner = Noisy(d, A, row["delta"], size, law), row["L"] ** 2 / (8 * row["mu"]), max(A - h, 1e-9)
    t = (2 * A - h) * row["length"] - A  # where a hop along the axis begins

    def tested(y: float) -> float:
        return noisy.mean(y, lambda p, q: np.maximum(p - t - k * q, 0.0), w0)

    begins, ends, K, K_inside = tested(t), tested(t + h), noisy.missing(A), noisy.missing(inner)
    places = [abs(t), *_over(0.0, A, FEW)[0], A]
    risks = [noisy.mean(y, lambda p, q, y=y: _psi(a, r, y, p, q)) for y in places]  # type: ignore[misc]
    paid = noisy.mean(abs(t), lambda p, q: _charged(a, r, abs(t), p, q))
    kind = "still_in_ball" if key == records.BALL_START else "in_ball"
    tests = {f"F_begins_{kind}": R * begins, f"F_ends_{kind}": R * ends}
    tests |= dict.fromkeys(("H_wall", "H_pair"), R * begins) | dict.fromkeys(
        ("H_wall_other", "H_other"), R * ends
    )
    found = {f"psi_mean_{kind}": e0 * paid}
    found |= dict.fromkeys(("M", "M_still"), e0 * max(risks))
    found |= dict.fromkeys(("n_place", "n_start", "n_seen"), t**2)
    found |= dict.fromkeys(("n_ended", "n_other"), (t + h) ** 2) | {"n_pair": h**2}
    free = _tested(d, w0, h + 0 * size, size, 1.0)
    found |= {"F_ball": R * float(law @ free), "F_near_ball": R * float(law @ size) * caps["X_cone"]}
    found |= {"n_ball": R * float(law @ size)}
    nu = (inner / A) ** d
    exact = {**known, "k_cone": caps.pop("k_cone"), "k_cap": 1 / math.tan(w1)}
    exact["P_cone"] = row["less"] * (1 - caps["Q_cap"])
    least = known["E_hop"] * caps["X_cone"] + nu * caps["N_cap"]
    exact["D_ball"] = least * (1 + row["more"]) + 1e-7
    gain = h * nu * exact["P_cone"] - 2 * A * known["delta_hop"]
    exact["zeta_ball"] = max(row["multiplier"] / 2, 0.5) * max(gain, 0.0) / exact["D_ball"] * (1 - 1e-9)
    valid = float(2.05 * r < A <= 1 - r and gain > 0 and known.get("delta_coins", 0.0) <= 1)
    rough = {name: (v, ROUGH * v + ERROR) for name, v in tests.items()}
    rough |= {
        f"{name}_{kind}": (R * v, FAR_OFF * R * v) for name, v in (("K_all", K), ("K_inside", K_inside))
    }
    rough |= {"X_cone": (caps["X_cone"], ERROR**2 * caps["X_cone"])}  # smooth up to where it ends
    return {**exact, "valid": valid, **_measured(caps), **_measured(found), **rough}


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
