"""A simulation of this paper in NumPy: losses with a known minimiser, runs on them, and laws of noise.

A loss is a sum over three coordinates of c_j psi(x_j), where psi is u^2/2 or the Huber function, and c_j is
at most beta: convex, beta-smooth, minimal at 0. Nothing here knows a formula of the paper.
"""

from __future__ import annotations

import numpy as np

from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Batch, Source, choice, fixed, linear, log, whole
from oubli.sim.require import Array

DIMENSIONS = 3
COORDINATES = range(DIMENSIONS)


def curvatures(batch: Batch) -> Array:
    """c_j of each case, (cases, 3)."""
    return np.stack([batch["beta"] * batch[f"part_{j}"] for j in COORDINATES], axis=1)


def points(batch: Batch, name: str) -> Array:
    """A point of each case."""
    return np.stack([batch[f"{name}_{j}"] for j in COORDINATES], axis=1)


def value(c: Array, huber: Array, x: Array) -> Array:
    """f(x)."""
    size = np.abs(x)
    tails = np.where(huber & (size > 1), size - 0.5, x**2 / 2)
    return np.asarray(np.sum(c * tails, axis=1))


def gradient(c: Array, huber: Array, x: Array) -> Array:
    """The gradient of f at x."""
    return np.asarray(c * np.where(huber, np.clip(x, -1, 1), x))


def dot(u: Array, v: Array) -> Array:
    """The inner products of rows."""
    return np.asarray(np.sum(u * v, axis=1))


def one_step(batch: Batch) -> Letters:
    """The letters of one step of gradient descent from x, and of a second point y."""
    c, huber = curvatures(batch), batch["huber"][:, None] > 0
    x, y, alpha = points(batch, "x"), points(batch, "y"), 2 * batch["share"] / batch["beta"]
    g, g_y = gradient(c, huber, x), gradient(c, huber, y)
    moved = x - alpha[:, None] * g
    f_x = value(c, huber, x)
    letters = {
        "beta": batch["beta"], "alpha_step": alpha, "S_slope": dot(g, g), "F_x": f_x, "G_x": f_x,
        "F_y": value(c, huber, y), "F_moved": value(c, huber, moved), "Q_x": dot(x, x),
        "Q_moved": dot(moved, moved), "I_line": dot(g, y - x), "S_turned": dot(g_y - g, g_y - g),
    }  # fmt: skip
    return Letters(letters, valid=letters["S_slope"] > 0)


def run(batch: Batch) -> Letters:
    """The letters of T steps of size 1/beta."""
    c, huber, x = curvatures(batch), batch["huber"][:, None] > 0, points(batch, "x")
    first, moved = dot(x, x), x.copy()
    for k in range(int(batch["T"].max())):
        ahead = moved - gradient(c, huber, moved) / batch["beta"][:, None]
        moved = np.where((k < batch["T"])[:, None], ahead, moved)
    return Letters(
        {"beta": batch["beta"], "T": batch["T"], "Q_first": first, "G_last": value(c, huber, moved)}
    )


def noisy(batch: Batch) -> Letters:
    """The means of a noisy run on quadratics, where means and variances follow exact recursions."""
    c, x = curvatures(batch), points(batch, "x")
    alpha, s, T = batch["share"] / batch["beta"], batch["s_noise"], batch["T"].astype(int)
    keep = 1 - alpha[:, None] * c
    shock = (alpha * s)[:, None] ** 2
    powers = np.arange(int(T.max()) + 2)
    centre = keep[None] ** powers[:, None, None] * x[None]
    spread = np.zeros_like(centre)
    for k in powers[1:]:
        spread[k] = keep**2 * spread[k - 1] + shock
    square, rows = centre**2 + spread, np.arange(len(T))
    letters = {
        "beta": batch["beta"], "alpha_step": alpha, "s_noise": s, "d": np.full(len(T), float(DIMENSIONS)),
        "T": batch["T"], "t": batch["T"], "Q_first": dot(x, x), "N_now": square[T, rows].sum(axis=1),
        "N_later": square[T + 1, rows].sum(axis=1), "H_now": (c / 2 * square[T, rows]).sum(axis=1),
    }  # fmt: skip
    return Letters({**letters, "G_mean": averaged(c, keep, centre, spread, T)})


def averaged(c: Array, keep: Array, centre: Array, spread: Array, T: Array) -> Array:
    """E f of the mean of the first T iterates: the covariance of two iterates is a power times a variance."""
    out = np.zeros(len(T))
    for row, n in enumerate(T):
        lags = np.arange(n)[:, None] - np.arange(n)[None, :]
        early = np.minimum(np.arange(n)[:, None], np.arange(n)[None, :])
        for j in COORDINATES:
            covariance = keep[row, j] ** np.abs(lags) * spread[early, row, j]
            mean = centre[:n, row, j].mean()
            out[row] += c[row, j] / 2 * (mean**2 + covariance.sum() / n**2)
    return out


NODES, WEIGHTS = np.polynomial.laguerre.laggauss(30)
FAR, STEPS = 40.0, 20_001


def laplace(batch: Batch) -> Letters:
    """Laplace noise on the line: its second moment by quadrature, what it leaks on a grid."""
    rate, apart = batch["epsilon"] / batch["Delta"], batch["Delta"] * batch["near"]
    grid = np.linspace(-FAR, FAR, STEPS)[None, :] / rate[:, None]
    ratio = rate[:, None] * (np.abs(grid) - np.abs(grid - apart[:, None]))
    over = np.maximum(np.exp(-rate[:, None] * np.abs(grid - apart[:, None])) * (1 - np.exp(
        batch["epsilon"][:, None] - np.maximum(ratio, -FAR))), 0)  # fmt: skip
    return Letters(
        {
            "Delta": batch["Delta"], "epsilon": batch["epsilon"], "d": np.ones(len(rate)),
            "Q_apart": apart**2, "E_laplace": np.sum(WEIGHTS * NODES**2) / rate**2,
            "leak_laplace": over.max(axis=1),
        },
        {"leak_laplace": np.full(len(rate), 1e-12)},
    )  # fmt: skip


def gauss(batch: Batch) -> Letters:
    """Gaussian noise: what it leaks by integration of densities, its size by sums over coordinates."""
    s, apart, eps = batch["s_noise"], batch["Delta"], batch["epsilon"]
    width = (apart + 24 * s) / (STEPS - 1)
    grid = -12 * s[:, None] + width[:, None] * np.arange(STEPS)[None, :]
    p, q = (np.exp(-(((grid - a) / s[:, None]) ** 2) / 2) for a in (apart[:, None], 0.0))
    leak = np.maximum(p - np.exp(eps)[:, None] * q, 0).sum(axis=1) * width / (s * np.sqrt(2 * np.pi))
    u = np.linspace(-12, 12, STEPS)
    second = np.sum(u**2 * np.exp(-(u**2) / 2)) * 24 / (STEPS - 1) / np.sqrt(2 * np.pi)
    letters = {"s_noise": s, "Delta": apart, "epsilon": eps, "Q_apart": apart**2, "leak_gauss": leak}
    size = {"d": batch["d"], "E_gauss": batch["d"] * s**2 * second}
    errors = {"leak_gauss": np.full(len(s), 1e-6), "E_gauss": 1e-9 * batch["d"] * s**2}
    return Letters({**letters, **size}, errors)


_LOSS = {"beta": log(0.1, 100), **{f"part_{j}": linear(0, 1, (1 / 3,)) for j in COORDINATES}}
_LOSS |= {"huber": choice(2), **{f"x_{j}": linear(-5, 5, (0.0, 1.0)) for j in COORDINATES}}
_PAIR = {**_LOSS, **{f"y_{j}": linear(-5, 5, (0.0, 1.0)) for j in COORDINATES}}
_QUADRATIC = {**_LOSS, "huber": fixed(0), "s_noise": log(0.01, 10), "T": whole(1, 40)}
_NOISE = {"Delta": log(0.1, 10), "epsilon": log(0.1, 5)}
STEP = Source("one step", {**_PAIR, "share": linear(0.001, 1)}, one_step)
SHORT = Source("one shorter step", {**_PAIR, "share": linear(0.001, 0.999)}, one_step)
RUN = Source("gradient descent", {**_LOSS, "T": whole(1, 60)}, run)
NOISY = Source("noisy descent", {**_QUADRATIC, "share": linear(0.001, 0.999)}, noisy)
LAPLACE = Source("Laplace noise", {**_NOISE, "near": linear(0, 1)}, laplace)
GAUSS = Source("Gaussian noise", {**_NOISE, "s_noise": log(0.1, 10), "d": whole(1, 50)}, gauss)
SOURCES = {
    **dict.fromkeys(("descent", "strict", "cocoercive", "self", "distance"), (STEP,)),
    **dict.fromkeys(("rate", "better"), (RUN,)),
    **dict.fromkeys(("noisy", "sgd"), (NOISY,)),
    **dict.fromkeys(("laplace", "laplace.error", "laplace.error.repaired"), (LAPLACE,)),
    **dict.fromkeys(("gauss", "gauss.error"), (GAUSS,)),
    "strict.repaired": (SHORT,),
}
