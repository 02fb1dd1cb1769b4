"""Letters of binomial laws: exact total variation and moments."""

import numpy as np
from scipy.stats import binom

from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Axis, Batch, Source, each, linear, whole
from oubli.sim.laws import binomial_tv_gamma
from oubli.sim.require import Array

# One rounding of the exact law, which promises 1e-14.
LAW = 2e-14


def _ordered(batch: Batch) -> tuple[Array, Array]:
    return np.minimum(batch["first"], batch["second"]), np.maximum(batch["first"], batch["second"])


def distance_letters(batch: Batch) -> Letters:
    """Two parameters in order, and the exact total variation between their laws."""
    low, high = _ordered(batch)
    tau = np.asarray(binomial_tv_gamma(batch["T"], low, high))
    values = {
        "T": batch["T"],
        "tau": tau,
        "tau_open": tau,
        "tau_once": tau,
        "tau_link": tau,
        "gamma_k": np.abs(high),
        "gamma_k_next": np.abs(low),
    }
    values |= {"gamma_low": low, "gamma_high": high, "gamma_min": low, "gamma_max": high}
    return Letters(values, dict.fromkeys(("tau", "tau_open", "tau_once", "tau_link"), LAW * tau))


def moment_letters(batch: Batch) -> Letters:
    """Mean absolute deviation and variance, summed over all outcomes."""
    gamma = batch["gamma_printed"]
    found = np.array([_moments(int(T), (1 + g) / 2) for T, g in zip(batch["T"], gamma, strict=True)])
    values = {"T": batch["T"], "gamma_printed": gamma, "y_abs": found[:, 0], "y_square": found[:, 1]}
    return Letters(values, {"y_abs": 1e-12 * np.sqrt(found[:, 1]), "y_square": 1e-12 * found[:, 1]})


def _moments(T: int, x: float) -> tuple[float, float]:
    outcomes = np.arange(T + 1)
    p = binom.pmf(outcomes, T, x)
    away = outcomes - T * x
    return float(p @ np.abs(away)), float(p @ away**2)


def _gammas(low: float, high: float) -> dict[str, Axis]:
    corners = (0.0, 1e-9, 0.5)
    return each(linear(low, high, corners), "first second")


INSIDE = 1 - 1e-9
OPEN = Source("binomial laws", {"T": whole(0, 10**9), **_gammas(-INSIDE, INSIDE)}, distance_letters, 2560)
CLOSED = Source("binomial laws, ends included", {"T": whole(0, 10**9), **_gammas(-1, 1)}, distance_letters)
LINKS = Source("links of the chain", {"T": whole(0, 10**6), **_gammas(0, 1)}, distance_letters)
MOMENTS = Source(
    "binomial moments", {"T": whole(1, 200), "gamma_printed": linear(-INSIDE, INSIDE, (0.0,))}, moment_letters
)
