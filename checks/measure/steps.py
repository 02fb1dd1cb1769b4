"""Letters of single steps of the printed proofs: vectors, chains of laws, sums, laws that attain a bound."""

from itertools import pairwise

import numpy as np

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.privacy import divergence
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Axis, Batch, Instance, Source, linear, log, row_by_row, whole
from oubli.sim.losses.families import hard
from oubli.sim.problems.problem import hard_problem
from oubli.sim.require import Array

Pair = tuple[float, float]
LINKS = 6
OUTCOMES = 3


def _plane(batch: Batch, name: str) -> Array:
    """Vectors of the plane that an instance's inner products speak about, one per row."""
    return np.stack([batch[f"{name}_x"], batch[f"{name}_y"]], axis=1)


def middle_letters(batch: Batch) -> Letters:
    """Two optima and a point, at the middle of the two when `off` is 0; the larger squared distance."""
    a, b = _plane(batch, "a"), _plane(batch, "b")
    t = (a + b) / 2 + batch["off"][:, None] * _plane(batch, "t")
    pairs = {"a_away": (a, t), "b_away": (b, t), "a_to_b": (a, b)}
    values = {name: np.asarray(((x - y) ** 2).sum(axis=1)) for name, (x, y) in pairs.items()}
    size = (a**2 + b**2 + t**2).sum(axis=1)
    values["W_max"] = np.maximum(values["a_away"], values["b_away"])
    return Letters(values, dict.fromkeys(values, 1e-14 * size))


def convex_letters(row: Instance) -> dict[str, Pair | float]:
    """The simulator's hard loss at two points of the plane: its rise, its slope, its excess."""
    L, mu, g = row["L"], row["mu"], row["g"]
    x, y = (np.array([row[f"{name}_x"], row[f"{name}_y"]]) for name in ("a", "b"))
    loss, optimum = hard(g, 2, L, mu), hard_problem(g, 0.1, 2, L, mu).retain_optimum.point
    here, there, best = loss.value(np.stack([x, y, optimum]))
    error = 1e-14 * (L + mu) * (1 + L / mu)
    values = {
        "rise_hard": there - here,
        "along_hard": loss.gradient(x[None])[0] @ (y - x),
        "away_square": (y - x) @ (y - x),
        "above_centre": here - best,
        "away_centre": (x - optimum) @ (x - optimum),
    }
    letters = {name: (float(found), error) for name, found in values.items()}
    return {"L": L, "mu": mu, "g_xi": g, "m_1": g, **letters}


def released_letters(batch: Batch) -> Letters:
    """A rule without a gradient releases one of two points; its worst risk on the problems of means ±1."""
    L, mu = batch["L"], batch["mu"]
    R = L / (2 * mu)
    risks = [_mean_risk(batch, sign, R) for sign in (1.0, -1.0)]
    worst = np.maximum(*risks)
    one = np.ones_like(L)
    values = {"L": L, "mu": mu, "M_scratch": worst, "T": 0 * one}
    return Letters(values, {"M_scratch": 1e-14 * L**2 / mu})


def _mean_risk(batch: Batch, sign: float, R: Array) -> Array:
    rows = zip(batch["first"], batch["second"], batch["share"], R, batch["L"], batch["mu"], strict=True)
    found = []
    for first, second, share, radius, L, mu in rows:
        value = hard(sign, 1, L, mu).value(radius * np.array([[first], [second], [sign]]))
        found.append(share * value[0] + (1 - share) * value[1] - value[2])
    return np.array(found)


def attained_letters(batch: Batch) -> Letters:
    """The four-point laws P, Q that the record names at e^eps = 2, delta = 1/10, at every e^eps and delta."""
    E, delta = batch["exp_epsilon"], batch["delta_or_zero"]
    more, less = (1 - delta) * E / (1 + E), (1 - delta) / (1 + E)
    P = np.stack([delta, more, less, 0 * E], axis=1)
    Q = np.stack([0 * E, less, more, delta], axis=1)
    values = {
        "exp_epsilon": E,
        "delta_or_zero": delta,
        "h_PQ": divergence(P, Q, E),
        "h_QP": divergence(Q, P, E),
        "tau_PQ": divergence(P, Q, np.ones_like(E)),
    }
    return Letters(values, {n: np.full(len(E), 1e-15) for n in ("h_PQ", "h_QP", "tau_PQ")})


def reference_letters(batch: Batch) -> Letters:
    """Two laws and the reference between them that the record names, at every e^eps and delta."""
    E = batch["exp_epsilon"]
    delta = batch["part"] / (2 + 2 * E)
    zero, far = 0 * E, (1 + E) * delta
    P = np.stack([far, 1 - far, zero], axis=1)
    Q = np.stack([zero, 1 - far, far], axis=1)
    A = np.stack([delta, 1 - 2 * delta, delta], axis=1)
    pairs = ((P, A), (A, P), (Q, A), (A, Q))
    values = {
        "exp_epsilon": E,
        "delta_or_zero": delta,
        "h_reference": np.max([divergence(X, Y, E) for X, Y in pairs], axis=0),
        "h_PQ": divergence(P, Q, E**2),
    }
    return Letters(values, {n: np.full(len(E), 1e-15) for n in ("h_reference", "h_PQ")})


def triangle_letters(batch: Batch) -> Letters:
    """A chain of laws: the sum of its links, and the distance of its ends; straight when `bend` is 0."""
    ends = [_normal(batch, f"p{j}_") for j in range(2)]
    laws = []
    for j in range(LINKS + 1):
        straight = ends[0] + (ends[1] - ends[0]) * j / LINKS
        bend = batch["bend"][:, None]
        inner = 0 < j < LINKS
        laws.append((1 - bend) * straight + bend * _normal(batch, f"q{j}_") if inner else straight)
    links = [_variation(P, Q) for P, Q in pairwise(laws)]
    values = {"S_links": np.sum(links, axis=0), "tau_chain": _variation(laws[0], laws[-1])}
    return Letters(values, {n: np.full_like(v, 1e-14) for n, v in values.items()})


def _normal(batch: Batch, name: str) -> Array:
    raw = np.stack([batch[f"{name}{k}"] for k in range(OUTCOMES)], axis=1)
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))


def _variation(P: Array, Q: Array) -> Array:
    return np.asarray(np.maximum(P - Q, 0).sum(axis=1))


def telescope_letters(batch: Batch) -> Letters:
    """f = arctan(x/sqrt(1 - x^2)) along means that fall by 2 rho to 0: differences one after the other."""
    gamma, r, K = batch["gamma"], batch["r"], batch["K"]
    rho, hops = r / (1 - r), np.arange(LINKS + 1)
    means = np.maximum(gamma[:, None] - 2 * hops * rho[:, None], 0)
    with np.errstate(divide="ignore"):
        angles = np.arctan(means / np.sqrt(1 - means**2))
    made = np.where(hops[:-1] < K[:, None], angles[:, :-1] - angles[:, 1:], 0.0)
    last = np.take_along_axis(angles, K[:, None].astype(int), axis=1)[:, 0]
    values = {"S_f_gamma": made.sum(axis=1), "f_gamma_first": angles[:, 0], "f_gamma": last}
    return Letters(
        {**values, "gamma": gamma, "r": r, "K": K}, dict.fromkeys(values, np.full_like(last, 1e-14))
    )


def price_letters(batch: Batch) -> Letters:
    """A price, added up K' times."""
    totals = [sum([price] * int(K)) for price, K in zip(batch["w_price"], batch["K_prime"], strict=True)]
    return Letters(
        {"w_price": batch["w_price"], "K_prime": batch["K_prime"], "S_price": np.array(totals, dtype=float)}
    )


def _vectors(*names: str) -> dict[str, Axis]:
    return {f"{name}_{axis}": linear(-2, 2, (0.0, 1.0)) for name in names for axis in ("x", "y")}


_law = {f"{n}{k}": log(1e-3, 1) for n in ("p0_", "p1_") for k in range(OUTCOMES)}
_inner = {f"q{j}_{k}": log(1e-3, 1) for j in range(1, LINKS) for k in range(OUTCOMES)}
_point = linear(-1, 1, (0.0,))
MIDDLE = Source(
    "two optima and a point", {**_vectors("a", "b", "t"), "off": log(1e-3, 2, (0.0,))}, middle_letters
)
CONVEX = Source(
    "pairs of points",
    {**_vectors("a", "b"), **axes_of("L mu"), "g": linear(-1, 1, (0.0,))},
    row_by_row(convex_letters),
)
RELEASED = Source(
    "rules without a gradient",
    {
        **axes_of("L mu"),
        "first": _point,
        "second": _point,
        "share": linear(0, 1),
        "below": linear(0, 1 - 1e-9),
    },
    released_letters,
)
ATTAINED = Source(
    "four-point laws",
    {"exp_epsilon": log(1 + 1e-6, 50, (2.0,)), "delta_or_zero": log(1e-9, 0.999, (0.1,))},
    attained_letters,
)
BETWEEN = Source(
    "laws around a reference that attain",
    {"exp_epsilon": log(1 + 1e-6, 50, (2.0,)), "part": log(1e-6, 0.999, (0.375,))},
    reference_letters,
)
TRIANGLE = Source("chains of laws", {**_law, **_inner, "bend": linear(0, 1)}, triangle_letters)
TELESCOPE = Source(
    "means that fall",
    {"gamma": linear(0, 1), "r": log(1e-3, 0.9), "K": whole(0, LINKS)},
    telescope_letters,
)
PRICES = Source("equal prices", {"w_price": log(1e-3, 10, (1.0,)), "K_prime": whole(0, 200)}, price_letters)
