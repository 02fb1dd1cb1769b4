"""Letters of the efficient regime for every eps: noise on the hard family of the line, exactly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from scipy.special import ndtr

from oubli.checks.measure.axes import named
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.sharper.walks import MOST, ROUNDING, Law, walk
from oubli.checks.measure.source import Batch, Source, linear, log, whole
from oubli.sim.require import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(120)
Draw = Callable[[Batch], tuple[Array, Array, Callable[[Array], Array]]]


def projected(star: Array, scale: Array, below: Callable[[Array], Array]) -> Law:
    """Mean and variance of star + scale z, clipped to [-1, 1], where `below` is the distribution of z.

    By parts: E clip = 1 - int F and E clip^2 = 1 - int 2t F over [-1, 1], each side of star by itself.

    >>> found = projected(np.array([0.0]), np.array([1e3]), ndtr)
    >>> bool(abs(found.mean[0]) < 1e-12), round(float(found.var[0]), 3)
    (True, 0.999)
    """
    mean, square = np.ones_like(star), np.ones_like(star)
    # Where F moves: 40 scales around star.
    cuts = [
        -np.ones_like(star),
        *(np.clip(star + k * scale, -1, 1) for k in (-40, -6, 0, 6, 40)),
        1 + 0 * star,
    ]
    for low, high in pairwise(cuts):
        t = (low + high)[:, None] / 2 + (high - low)[:, None] / 2 * NODES
        F = below((t - star[:, None]) / scale[:, None]) * WEIGHTS * (high - low)[:, None] / 2
        mean, square = mean - F.sum(axis=1), square - (2 * t * F).sum(axis=1)
    return Law(mean, np.maximum(square - mean**2, 0.0))


def laplace(x: Array) -> Array:
    """The distribution function of the density exp(-|z|)/2."""
    return np.asarray(np.where(x < 0, np.exp(np.minimum(x, 0)) / 2, 1 - np.exp(-np.maximum(x, 0)) / 2))


def _gaussian(batch: Batch) -> tuple[Array, Array, Callable[[Array], Array]]:
    """kappa + 1/sqrt(2 eps) per unit of sensitivity: root mean square, scale and law."""
    sigma = batch["c"] / batch["epsilon"] + 1 / np.sqrt(2 * batch["epsilon"])
    return sigma, sigma, ndtr


def _laplace(batch: Batch) -> tuple[Array, Array, Callable[[Array], Array]]:
    return np.sqrt(2) / batch["epsilon"], 1 / batch["epsilon"], laplace


def _letters(batch: Batch, noise: Draw) -> Letters:
    """Noise at the proved sensitivity, projected, and T constant steps; times at a target e."""
    L, mu, r, eps, m = (batch[n] for n in ("L", "mu", "r", "epsilon", "m"))
    size, scale, below = noise(batch)
    e0 = L**2 / (8 * mu)
    star = (1 - r) * m + r * batch["f"]
    b = 2 * size / (1 + r)
    q = np.sqrt(1 + b**2)
    y = projected(star, scale * 4 * r / (1 + r), below)

    def risk(T: Array) -> Array:
        a = np.minimum(r * q / np.sqrt(np.maximum(T, 1)), 1.0)
        moved = walk(y, m, np.maximum(T - 1, 0), lambda t: a, lambda t: np.ones_like(a))
        return np.asarray(e0 * np.where(T == 0, y.square(m), moved.released.square(m)))

    e = batch["share"] * e0
    N = 64 * r**2 * q**2 / batch["share"] ** 2
    n = np.ceil(N)
    small = n <= MOST
    T = np.where(small, batch["T"], 1)
    none, all_ = risk(np.zeros_like(T)), risk(np.where(small, n, 1))
    # A step longer than 1/mu leaves the recursion.
    steps = risk(T)
    good = small & (r * q <= np.sqrt(T)) & (r * q <= np.sqrt(np.where(small, n, 1)))
    root = np.maximum(np.sqrt(1 / batch["share"]) - 1, 0)
    values = {"L": L, "mu": mu, "r": r, "d": np.ones_like(r), "epsilon": eps, "kappa": batch["c"] / eps}
    values |= {"delta": np.minimum(1.25 * np.exp(-(batch["c"] ** 2) / 2), 1 - 1e-12) * (1 + 1e-12)}
    values |= {"b_noise": b, "q_noise": q, "T": T, "gamma_step": r * q / (mu * np.sqrt(T)), "n_whole": n}
    values |= {"M_T": steps, "M_0": none, "S_noise": size**2, "sigma_unit": size, "e": e}
    values |= {
        "M_n": all_,
        "T_U": np.where(none <= e, 0, np.where(all_ <= e, n, n + 1)),
        "c_tail": batch["c"],
    }
    values |= {"T_S": np.maximum(np.ceil(root**2), 1.0), "M": e}
    errors = dict.fromkeys(("M_T", "M_0", "M_n"), 10 * ROUNDING * L**2 / mu)
    return Letters(values, errors, good)


def gaussian_letters(batch: Batch) -> Letters:
    """Gaussian noise kappa + 1/sqrt(2 eps)."""
    return _letters(batch, _gaussian)


def radial_letters(batch: Batch) -> Letters:
    """Radial noise, on the line Laplace."""
    return _letters(batch, _laplace)


def small_letters(batch: Batch) -> Letters:
    """Gaussian noise where eps <= 4 ln(1.25/delta)."""
    found = _letters(batch, _gaussian)
    small = np.asarray(found.valid) & (batch["epsilon"] <= 2 * batch["c"] ** 2)
    return Letters(found.values, found.errors, small)


def _risks(noise: Draw) -> Callable[[Batch], Letters]:
    """The risks alone: the target is any that the hypotheses allow, and what it takes is not asked."""

    def letters(batch: Batch) -> Letters:
        found = _letters(batch, noise)
        values = {n: v for n, v in found.values.items() if n != "e"}
        return Letters({**values, "T_U": np.zeros_like(values["r"])}, found.errors, found.valid)

    return letters


_space = {
    "L": named("L"),
    "mu": named("mu"),
    "r": log(1e-4, 0.5, (0.25,)),
    "m": linear(-1, 1, (0.0, 1.0)),
    "f": linear(-1, 1, (-1.0,)),
    "epsilon": log(0.05, 100, (1.0,)),
    "c": linear(0.75, 6),
    "share": log(1e-2, 0.999),
    "T": whole(1, MOST),
}
GAUSSIAN = Source("Gaussian noise for every budget", _space, gaussian_letters)
GAUSSIAN_RISK = Source("risks of Gaussian noise", _space, _risks(_gaussian))
SMALL = Source("Gaussian noise at most twice kappa", _space, small_letters)
RADIAL = Source("Laplace noise and constant steps", _space, radial_letters)
RADIAL_RISK = Source("risks of Laplace noise", _space, _risks(_laplace))
