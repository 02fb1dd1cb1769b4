"""Letters of long walks on the hard family: a step is x -> (1-a) x + a R s, so moments obey a recursion."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.relation import Bools, Letters
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Axis, Batch, Source, each, linear, log, whole
from oubli.sim.require import Array
from oubli.theory.regimes.sgd import LAMBDA

_, INSIDE = records.ends(records.WEIGHTED, "c_sgd")
MOST = 300
# Three hundred steps of the recursion lose at most this much of L^2/mu.
ROUNDING = 1e-12


class Law(NamedTuple):
    """Mean and variance of a point on the line, in units R."""

    mean: Array
    var: Array

    def square(self, at: Array) -> Array:
        """E(x - at)^2."""
        return np.asarray(self.var + (self.mean - at) ** 2)


class Walk(NamedTuple):
    """The released average, and the weighted sum of E(x_t - m)^2 with the sum of the weights."""

    released: Law
    spent: Array
    total: Array


Of = Callable[[int], Array]


def walk(start: Law, m: Array, last: Array, size: Of, weight: Of) -> Walk:
    """x_0 … x_last with steps a_t = size(t), averaged with weight(t): exact moments."""
    x, zero = start, 0 * m
    total, spent, mean, var, cross = zero, zero, zero, zero, zero
    for t in range(int(last.max()) + 1):
        on = t <= last
        w = np.where(on, weight(t), 0.0)
        # cross is the covariance of the sum so far with x_t.
        var = var + 2 * w * cross + w**2 * x.var
        cross = cross + w * x.var
        mean, total = mean + w * x.mean, total + w
        spent = spent + w * x.square(m)
        a = size(t)
        x = Law((1 - a) * x.mean + a * m, (1 - a) ** 2 * x.var + a**2 * (1 - m**2))
        cross = (1 - a) * cross
    return Walk(Law(mean / total, var / total**2), spent, total)


class Begin(NamedTuple):
    """The class, both optima in units R, and the law of y = P(theta* ± z)."""

    letters: dict[str, Array]
    unit: Array
    star: Array
    m: Array
    y: Law


def begin(batch: Batch) -> Begin:
    """The problem (m, f) of the hard family and a two-point noise."""
    L, mu, r, m = batch["L"], batch["mu"], batch["r"], batch["m"]
    star = (1 - r) * m + r * batch["f"]
    up, down = np.clip(star + batch["sigma"], -1, 1), np.clip(star - batch["sigma"], -1, 1)
    y = Law((up + down) / 2, (up - down) ** 2 / 4)
    return Begin({"L": L, "mu": mu, "r": r}, (L / (2 * mu)) ** 2, star, m, y)


def _rated(batch: Batch, at: Begin, u: Array, y: Law) -> dict[str, Array]:
    """The letters of sharp.sgd.rate for a start (1 - lambda c) y; u in units R."""
    c, T, e0 = batch["c_sgd"], batch["T"], at.letters["mu"] / 2 * at.unit
    k = needed(records.WEIGHTED, "k_sgd", {"c_sgd": c})
    shrunk = Law((1 - LAMBDA * c) * y.mean, (1 - LAMBDA * c) ** 2 * y.var)
    found = walk(shrunk, at.m, T, lambda t: c / (1 + k * t), lambda t: 1 - LAMBDA * c / (1 + k * t))
    level = (u - at.m) ** 2
    return {
        **at.letters,
        "T": T,
        "c_sgd": c,
        "k_sgd": k,
        "H_T": harmonic(k, T),
        **{n: e0 * (found.released.square(at.m) - level) for n in ("F_tuned", "F_fresh")},
        **{n: e0 * found.released.square(at.m) for n in ("F_reached", "F_learned")},
        "D_start": at.unit * y.square(u),
        "u_norm": at.unit * u**2,
    }


def harmonic(k: Array, T: Array) -> Array:
    """The sum of 1/(1 + k t) over t = 0 … T.

    >>> harmonic(np.array([1.0]), np.array([2.0])).round(9).tolist()
    [1.833333333]
    """
    t = np.arange(int(T.max()) + 1)
    return np.asarray(np.where(t <= T[:, None], 1 / (1 + k[:, None] * t), 0.0).sum(axis=1))


def _errors(values: dict[str, Array]) -> dict[str, Array]:
    L, mu = values["L"], values["mu"]
    risks = {n: ROUNDING * L**2 / mu for n in values if n.startswith(("F_", "G_"))}
    return {**risks, **{n: 1e-14 * (L / mu) ** 2 for n in ("D_start", "u_norm") if n in values}}


def _letters(values: dict[str, Array], valid: Bools | None = None) -> Letters:
    return Letters(values, _errors(values), valid)


def old_letters(batch: Batch) -> Letters:
    """Noise, shrink, fine-tune, measured against theta*, and with the least share for a point between."""
    at = begin(batch)
    found = {**_rated(batch, at, at.star, at.y), **_noise(batch, at)}
    return _letters({**found, "share_between": needed(records.BETWEEN, "share_between", found)})


def _noise(batch: Batch, at: Begin) -> dict[str, Array]:
    square = at.unit * batch["sigma"] ** 2
    return {"z_square_bound": square, "E_square": square, "E_cross": np.zeros_like(square)}


def near_letters(batch: Batch) -> Letters:
    """The same, measured against theta_r*."""
    at = begin(batch)
    return _letters({**_rated(batch, at, at.m, at.y), **_noise(batch, at)})


def scratch_letters(batch: Batch) -> Letters:
    """From 0 towards theta_r*."""
    at = begin(batch)
    return _letters(_rated(batch, at, at.m, Law(0 * at.m, 0 * at.m)))


def linear_letters(batch: Batch) -> Letters:
    """Growing weights from 0 towards theta_r*, with s and i as the record ties them to a and c."""
    at, a, c, T = begin(batch), batch["a_linear"], batch["c_linear"], batch["T"]
    tied = {"a_linear": a, "c_linear": c}
    s = needed(records.GROWING, "s_linear", tied)
    start = np.maximum(needed(records.GROWING, "i_start", tied), 0.0)
    ratio: Of = lambda t: 2 * (t + a + c) / (t + a) ** 2  # noqa: E731
    still = Law(0 * at.m, 0 * at.m)
    found = walk(still, at.m, T, ratio, lambda t: (t + a + c) * (1 - LAMBDA * ratio(t)))
    e0 = at.letters["mu"] / 2 * at.unit
    values = {
        **at.letters,
        **tied,
        "T": T,
        "s_linear": s,
        "i_start": start,
        "W_growing": found.total,
        "Y_T": harmonic(1 / a, T) / a,
        **{n: e0 * found.released.square(at.m) for n in ("F_growing", "F_grown_average")},
        "u_norm": at.unit * at.m**2,
    }
    return _letters(values, (s > 1e-9) & (a**2 - 3 * a - 3 * c >= 0) & (found.total > 0))


def constant_letters(batch: Batch) -> Letters:
    """Projected noise, then constant steps of at most 1/mu; theta_0 … theta_{T-1} averaged."""
    at, T = begin(batch), batch["T"]
    known = {**at.letters, "T": T, "n_noise": np.sqrt(at.unit) * batch["sigma"] * (1 + 1e-12)}
    known |= {"q_start": needed(records.CONSTANT_STEPS, "q_start", known)}
    size = needed(records.CONSTANT_STEPS, "gamma_step", known)
    a = at.letters["mu"] * size
    found = walk(at.y, at.m, T - 1, lambda t: np.minimum(a, 1.0), lambda t: np.ones_like(a))
    e0 = at.letters["mu"] / 2 * at.unit
    values = {
        **known,
        "gamma_step": size,
        "E_square": at.unit * batch["sigma"] ** 2,
        "E_cross": np.zeros_like(T),
        "G_private": e0 * found.released.square(at.m),
    }
    return _letters(values, a <= 1)


def sum_letters(batch: Batch) -> Letters:
    """Any growth and any number of terms."""
    total = harmonic(batch["k_sgd"], batch["T"])
    return Letters({"k_sgd": batch["k_sgd"], "T": batch["T"], "H_T": total}, {"H_T": 1e-13 * total})


_family: dict[str, Axis] = {
    **axes_of("L mu"),
    "r": log(1e-4, 0.999, (0.25, 0.5)),
    **each(linear(-1, 1, (0.0,)), "m f"),
    "sigma": log(1e-4, 2, (0.0, 1.0)),
}
_steps = {**_family, "c_sgd": log(1e-3, INSIDE, (0.25,)), "T": whole(0, MOST)}
OLD = Source("long fine-tuning, towards theta*", _steps, old_letters)
NEAR = Source("long fine-tuning, towards theta_r*", _steps, near_letters)
SCRATCH = Source("long retraining", _steps, scratch_letters)
GROWING = Source(
    "retraining with growing weights",
    {**_family, "a_linear": log(3, 300, (20.0,)), "c_linear": log(1, 60, (6.0,)), "T": whole(0, MOST)},
    linear_letters,
)
CONSTANT = Source("noise and long constant steps", {**_family, "T": whole(1, MOST)}, constant_letters)
SUMS = Source("sums of 1/(1 + k t)", {"k_sgd": log(1e-4, 10, (1.0,)), "T": whole(0, 2000)}, sum_letters)
