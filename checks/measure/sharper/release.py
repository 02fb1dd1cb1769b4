"""Letters of noise alone, shrunk or not: finite noise on problems whose optima are closed forms, exactly."""

import math
from typing import NamedTuple

import numpy as np

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import Pair, direction, shape_axes
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import (
    Axis,
    Instance,
    Source,
    choice,
    each,
    fixed,
    linear,
    log,
    row_by_row,
    whole,
)
from oubli.sim.geometry import project
from oubli.sim.losses.families import Regularised, absolute, curved, hard, quadratic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.require import Array
from oubli.theory.regimes.sgd import LAMBDA

ROLES = ("first", "second", "forget")
# A sum of a few roundings of values of order L^2/mu.
ROUNDING = 1e-13


class Optima(NamedTuple):
    """A retain mixture, the optimum on all data and the one on the retain data."""

    retain: Mixture
    star: Array
    best: Array

    def risk(self, points: Array) -> Array:
        """L_r at rows of points."""
        return np.asarray(self.retain.value(points))


def light_loss(row: Instance, role: str) -> Regularised:
    """A member whose minimiser has a closed form: hard, quadratic, curved or with kinks along the axes."""
    L, mu, d = row["L"], row["mu"], int(row["d"])
    R = L / (2 * mu)
    place, weight, turn = (row[f"{role}_{part}"] for part in ("place", "weight", "turn"))
    centre = place * R * direction(turn, d)
    makers = (
        lambda: hard(place, d, L, mu),
        lambda: quadratic(centre, mu),
        lambda: curved(centre, mu, L / 2 / (R + abs(place) * R) * weight),
        lambda: absolute(centre, L / 2 * weight * np.abs(direction(turn, d)), mu),
    )
    return makers[int(row[f"{role}_kind"])]()


def optima_of(row: Instance) -> Optima:
    """The problem of an instance, minimised in closed form."""
    first, second, forget = (light_loss(row, role) for role in ROLES)
    share, r = row["share"], row["r"]
    retain = Mixture((first, second), [share, 1 - share])
    whole_data = Mixture((first, second, forget), [(1 - r) * share, (1 - r) * (1 - share), r])
    found = [mixture.minimise(row["L"], row["mu"]).point for mixture in (whole_data, retain)]
    return Optima(retain, found[0], found[1])


class Noise(NamedTuple):
    """Four points of mean 0: their chances, E|z| and E|z|^2."""

    points: Array
    law: Array
    mean: float
    square: float


def noise_of(row: Instance) -> Noise:
    """±near and ±far along two directions: symmetric, so of mean 0."""
    R, d = row["L"] / (2 * row["mu"]), int(row["d"])
    near = row["sigma"] * R * direction(row["aim"], d)
    far = row["tail"] * near
    points = np.array([near, -near, far, -far])
    law = np.array([1 - row["rare"], 1 - row["rare"], row["rare"], row["rare"]]) / 2
    sizes = np.linalg.norm(points, axis=1)
    return Noise(points, law, float(law @ sizes), float(law @ sizes**2))


def _class(row: Instance) -> dict[str, float]:
    return {n: row[n] for n in ("L", "mu", "r", "d")}


def _around(row: Instance, optima: Optima) -> dict[str, Pair | float]:
    """What every problem here has: the distance of its optima and the price of theta*."""
    both = optima.risk(np.array([optima.star, optima.best]))
    error = ROUNDING * row["L"] ** 2 / row["mu"]
    D = float(np.linalg.norm(optima.star - optima.best))
    return {
        **_class(row),
        "D": (D, 1e-14 * row["L"] / row["mu"]),
        "a_retain": (float(both[0] - both[1]), error),
    }


def _released(row: Instance, u: Array, eta: float, optima: Optima, noise: Noise) -> dict[str, Pair | float]:
    """q = P(theta* + z)/(1 + lambda mu eta): its risk above that of u, and the moments of the record."""
    L, mu = row["L"], row["mu"]
    y = project(optima.star + noise.points, L / (2 * mu))
    q = y / (1 + LAMBDA * mu * eta)
    error, square = ROUNDING * L**2 / mu, 1e-14 * (L / mu) ** 2
    return {
        "eta_release": eta,
        "F_mean": (float(noise.law @ optima.risk(q) - optima.risk(u[None])[0]), error),
        "D_noisy": (float(noise.law @ ((y - u) ** 2).sum(axis=1)), square),
        "F_total": (float(noise.law @ optima.risk(q) - optima.risk(optima.best[None])[0]), error),
        "E_square": noise.square,
        "E_cross": 0.0,
        "u_norm": (float(u @ u), square),
    }


def release_letters(row: Instance) -> dict[str, Pair | float]:
    """Any eta, and u one of the optima or any other point of the ball."""
    optima, noise = optima_of(row), noise_of(row)
    other = row["far"] * row["L"] / (2 * row["mu"]) * direction(row["toward"], int(row["d"]))
    u = (optima.star, optima.best, other)[int(row["whom"])]
    return {**_class(row), **_released(row, u, row["eta"] / row["mu"], optima, noise)}


def old_letters(row: Instance) -> dict[str, Pair | float]:
    """u = theta*, and eta as sharp.trivial ties it to the noise."""
    optima, noise = optima_of(row), noise_of(row)
    rms = math.sqrt(noise.square) * (1 + row["spare"])
    eta = float(needed(records.SHRUNK_OLD, "eta_release", {"L": row["L"], "n_noise": rms}))
    found = {**_around(row, optima), **_released(row, optima.star, eta, optima, noise)}
    return {**found, "n_noise": rms, "n_noisy": rms, **_plain(row, optima, noise, rms)}


def _plain(row: Instance, optima: Optima, noise: Noise, rms: float) -> dict[str, Pair | float]:
    """The same noise without shrinking."""
    y = project(optima.star + noise.points, row["L"] / (2 * row["mu"]))
    excess = float(noise.law @ optima.risk(y)) - float(optima.risk(optima.best[None])[0])
    return {
        "X_private": (excess, ROUNDING * row["L"] ** 2 / row["mu"]),
        "n_noise": rms,
        "E_square": noise.square,
    }


def near_letters(row: Instance) -> dict[str, Pair | float]:
    """u = theta_r*, and eta as sharp.trivial.near ties it to the noise and to the distance of the optima."""
    optima, noise = optima_of(row), noise_of(row)
    rms = math.sqrt(noise.square) * (1 + row["spare"])
    known = {**_class(row), "n_noise": rms}
    n_y = float(needed(records.SHRUNK_NEW, "n_noisy", known))
    eta = float(needed(records.SHRUNK_NEW, "eta_release", {**known, "n_noisy": n_y}))
    found = {**_around(row, optima), **_released(row, optima.best, eta, optima, noise)}
    return {**found, "n_noise": rms, "n_noisy": n_y}


def between_letters(row: Instance) -> dict[str, Pair | float]:
    """A point between the optima that pays a share of what theta* costs, and no noise."""
    optima, share = optima_of(row), row["part"]
    tau = share / (1 + row["r"] * (1 - share))
    both = optima.risk(np.array([tau * optima.star + (1 - tau) * optima.best, optima.best]))
    price = (float(both[0] - both[1]), ROUNDING * row["L"] ** 2 / row["mu"])
    return {**_around(row, optima), "share_between": share, "a_between": price}


def light_space(dimensions: Axis) -> dict[str, Axis]:
    """Axes of such problems and of the noise."""
    found = {
        **axes_of("L mu"),
        "r": log(1e-4, 0.999, (0.25, 0.5)),
        "d": dimensions,
        "share": linear(0, 1),
        "sigma": log(1e-4, 3, (0.5, 1.0)),
        "tail": linear(1, 10),
        "rare": linear(0, 0.5),
        "aim": linear(0, 1),
    }
    for role in ROLES:
        found |= shape_axes(f"{role}_", 4)
    return found


_spare = {"spare": log(1e-6, 1, (0.0,))}
RELEASE = Source(
    "shrunk releases",
    {
        **light_space(whole(1, 3)),
        "eta": log(1e-3, 10, (1.0,)),
        "whom": choice(3),
        **each(linear(0, 1), "far toward"),
    },
    row_by_row(release_letters),
    1024,
)
BETWEEN = Source(
    "points between the optima",
    {**light_space(whole(1, 3)), "part": log(1e-4, 1, (0.5, 1.0))},
    row_by_row(between_letters),
    1024,
)
OLD = Source("noise around theta*", {**light_space(whole(1, 3)), **_spare}, row_by_row(old_letters), 1024)
LINE = Source(
    "noise around theta* on the line", {**light_space(fixed(1)), **_spare}, row_by_row(old_letters), 1024
)
NEAR = Source(
    "noise around theta*, near theta_r*",
    {**light_space(whole(1, 3)), **_spare},
    row_by_row(near_letters),
    1024,
)
