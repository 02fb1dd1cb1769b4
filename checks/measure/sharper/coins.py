"""Letters of the retraining lower bound: tables that guess the mean of T signs, under the Beta prior."""

from functools import lru_cache

import numpy as np
from scipy.special import roots_jacobi
from scipy.stats import binom

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.source import Instance, Source, linear, log, row_by_row, whole
from oubli.sim.losses.families import hard
from oubli.sim.require import Array

MOST = 12
# More means at which the risk of a table is looked at; the worst of them is at most the supremum.
MEANS = np.linspace(-1, 1, 41)
NODES = 24


@lru_cache(maxsize=64)
def prior(T: int) -> tuple[Array, Array]:
    """Nodes and chances of m with (1+m)/2 ~ Beta(sqrt(T)/2, sqrt(T)/2): exact for polynomials of degree 47.

    >>> nodes, chances = prior(4)
    >>> round(float(chances @ nodes**2), 12)
    0.333333333333
    """
    power = np.sqrt(T) / 2 - 1
    nodes, weights = roots_jacobi(NODES, power, power)
    return nodes, weights / weights.sum()


def table_of(row: Instance, T: int) -> Array:
    """A shrunk mean of the signs, bent by a draw, cut to [-1, 1]."""
    signs = 2 * np.arange(T + 1) - T
    shrunk = signs / (T + row["shrink"] * np.sqrt(T))
    bend = np.random.default_rng(int(1e6 * row["seed"])).uniform(-1, 1, T + 1)
    return np.asarray(np.clip(shrunk + row["bend"] * bend, -1, 1))


def coin_letters(row: Instance) -> dict[str, Pair | float]:
    """A table's risks on the hard family, from the simulator's losses, and its moments under the prior."""
    L, mu, T = row["L"], row["mu"], int(row["T"])
    nodes, law = prior(T)
    guess = table_of(row, T)
    means = np.concatenate([nodes, MEANS])
    risks = _risks(guess, T, means, L, mu)
    mean = float(law @ risks[: len(nodes)])
    error = 1e-13 * L**2 / mu
    return {
        "L": L,
        "mu": mu,
        "T": T,
        **dict.fromkeys(("M_any", "M_scratch"), (float(max(risks.max(), mean)), error)),
        "M_one": (float(risks[0]), error),
        "M_other": (float(risks[-1]), error),
    }


def _risks(guess: Array, T: int, means: Array, L: float, mu: float) -> Array:
    """E L_r(R guess) - L_r* at each mean of the signs."""
    R = L / (2 * mu)
    up, down = (hard(sign, 1, L, mu).value(R * guess[:, None]) for sign in (1.0, -1.0))
    chances = binom.pmf(np.arange(T + 1)[:, None], T, (1 + means[None]) / 2)
    share = (1 + means) / 2
    value = (chances * (share * up[:, None] + (1 - share) * down[:, None])).sum(axis=0)
    least = share * hard(1.0, 1, L, mu).value(R * means[:, None])
    return np.asarray(value - least - (1 - share) * hard(-1.0, 1, L, mu).value(R * means[:, None]))


TABLES = Source(
    "tables that guess a mean",
    {
        **axes_of("L mu"),
        "T": whole(1, MOST),
        "shrink": linear(0, 3, (1.0,)),
        "bend": log(1e-3, 1, (0.0,)),
        "seed": linear(0, 1),
    },
    row_by_row(coin_letters),
)
