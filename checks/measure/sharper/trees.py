"""Letters of fine-tuning and retraining on any problem: all paths of a few projected steps, with chances."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.sharper.release import ROUNDING, Optima, light_space, noise_of, optima_of
from oubli.checks.measure.source import Axis, Instance, Source, log, row_by_row, whole
from oubli.sim.geometry import project
from oubli.sim.require import Array
from oubli.theory.regimes.sgd import LAMBDA

_, INSIDE = records.ends(records.WEIGHTED, "c_sgd")


class Paths(NamedTuple):
    """Points at each time with their chances, and the released averages."""

    points: list[Array]
    chances: list[Array]
    released: Array

    def mean(self, time: int, of: Array) -> float:
        """The expectation at a time of what was measured at its points."""
        return float(self.chances[time] @ of)


Start = tuple[Array, Array]


def walked(optima: Optima, start: Start, sizes: list[float], weights: list[float], R: float) -> Paths:
    """Every path of projected SGD from a finite law; the average has a weight for each time."""
    x, chance = start
    points, chances, total = [x], [chance], weights[0] * x
    for size, weight in zip(sizes, weights[1:], strict=True):
        moved = [project(x - size * loss.gradient(x), R) for loss in optima.retain.losses]
        x = np.concatenate(moved)
        chance = np.concatenate([q * chance for q in optima.retain.weights])
        total = np.concatenate([total, total]) + weight * x
        points, chances = [*points, x], [*chances, chance]
    return Paths(points, chances, total / sum(weights))


def _setting(row: Instance) -> tuple[float, float, float, int, list[float]]:
    """R, c, k, T and p_0 … p_T, with k as the record ties it to c."""
    c, T = row["c_sgd"], int(row["T"])
    k = float(needed(records.WEIGHTED, "k_sgd", {"c_sgd": c}))
    return row["L"] / (2 * row["mu"]), c, k, T, [1 + k * t for t in range(T + 1)]


def _rated(row: Instance, optima: Optima, u: Array, start: Start) -> dict[str, Pair | float]:
    """The letters of sharp.sgd.rate for a start (1 - lambda c) y."""
    L, mu = row["L"], row["mu"]
    R, c, k, T, p = _setting(row)
    y, law = start
    weights = [1 - LAMBDA * c / at for at in p]
    paths = walked(optima, ((1 - LAMBDA * c) * y, law), [c / (mu * at) for at in p[:T]], weights, R)
    level, best = (float(optima.risk(at[None])[0]) for at in (u, optima.best))
    risk = float(paths.chances[-1] @ optima.risk(paths.released))
    error, square = ROUNDING * L**2 / mu, 1e-14 * (L / mu) ** 2
    return {
        **{n: row[n] for n in ("L", "mu", "r", "d", "T")},
        "c_sgd": c,
        "k_sgd": k,
        "H_T": math.fsum(1 / at for at in p),
        **dict.fromkeys(("F_tuned", "F_fresh"), (risk - level, error)),
        **dict.fromkeys(("F_reached", "F_learned"), (risk - best, error)),
        "D_start": (float(law @ ((y - u) ** 2).sum(axis=1)), square),
        "u_norm": (float(u @ u), square),
    }


def _noisy(row: Instance, to_star: bool) -> dict[str, Pair | float]:
    optima, noise = optima_of(row), noise_of(row)
    y = project(optima.star + noise.points, row["L"] / (2 * row["mu"]))
    found = _rated(row, optima, optima.star if to_star else optima.best, (y, noise.law))
    noisy = {"z_square_bound": noise.square * (1 + row["spare"]), "E_square": noise.square, "E_cross": 0.0}
    return {**found, **noisy}


def old_letters(row: Instance) -> dict[str, Pair | float]:
    """Noise, shrink, fine-tune, measured against theta*, and with the least share for a point between."""
    found = _noisy(row, True)
    return {**found, "share_between": float(needed(records.BETWEEN, "share_between", found))}


def near_letters(row: Instance) -> dict[str, Pair | float]:
    """The same, measured against theta_r*."""
    return _noisy(row, False)


def scratch_letters(row: Instance) -> dict[str, Pair | float]:
    """From 0 towards theta_r*."""
    optima = optima_of(row)
    return _rated(row, optima, optima.best, (np.zeros((1, int(row["d"]))), np.ones(1)))


def constant_letters(row: Instance) -> dict[str, Pair | float]:
    """Projected noise, then constant steps as long as sharp.exact.steps says, x_0 … x_{T-1} averaged."""
    optima, noise, T = optima_of(row), noise_of(row), int(row["T"])
    known = {n: row[n] for n in ("L", "mu", "r", "T")}
    known |= {"n_noise": max(math.sqrt(noise.square), 1e-9) * (1 + 1e-12 + row["spare"])}
    known |= {"q_start": float(needed(records.CONSTANT_STEPS, "q_start", known))}
    size = float(needed(records.CONSTANT_STEPS, "gamma_step", known))
    R = row["L"] / (2 * row["mu"])
    start = (project(optima.star + noise.points, R), noise.law)
    paths = walked(optima, start, [size] * (T - 1), [1.0] * T, R)
    best = float(optima.risk(optima.best[None])[0])
    gap = float(paths.chances[-1] @ optima.risk(paths.released)) - best
    return {
        **known,
        "gamma_step": size,
        "E_square": noise.square,
        "E_cross": 0.0,
        "G_private": (gap, ROUNDING * row["L"] ** 2 / row["mu"]),
    }


Measure = Callable[[Instance], dict[str, Pair | float]]


def _source(name: str, measure: Measure, more: dict[str, Axis]) -> Source:
    return Source(name, {**light_space(whole(1, 3)), **more}, row_by_row(measure), 1024)


_steps = {"c_sgd": log(1e-2, INSIDE, (0.25,)), "T": whole(0, 4), "spare": log(1e-6, 1, (0.0,))}
OLD = _source("fine-tuning, towards theta*", old_letters, _steps)
NEAR = _source("fine-tuning, towards theta_r*", near_letters, _steps)
SCRATCH = _source("retraining, all paths", scratch_letters, _steps)
CONSTANT = _source(
    "noise and constant steps, all paths", constant_letters, {"T": whole(1, 4), "spare": log(1e-6, 1, (0.0,))}
)
