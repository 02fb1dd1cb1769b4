"""Letters of the printed SGD, which does not project: three steps on a loss with a wall beyond the ball."""

from fractions import Fraction

import numpy as np

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.source import Instance, Source, linear, quietly, row_by_row
from oubli.sim.losses.families import max_affine
from oubli.sim.require import require
from oubli.theory.paper.unprojected import WALL


def run_letters(row: Instance) -> dict[str, Pair | float]:
    """The run from a point of the sphere near (R, 0), by the simulator's gradients."""
    L, mu, R = row["L"], row["mu"], row["L"] / (2 * row["mu"])
    table = np.array([[float(Fraction(x)) for x in piece] for piece in WALL])
    loss = max_affine(L * table[:, :2], L**2 / mu * table[:, 2], mu)
    require(loss.lipschitz(R).high <= L * (1 + 1e-9), "not a member", table)
    run = [R * np.array([row["up"], 0.0])]
    for eta in (1 / mu, 2 / (3 * mu)):
        run.append(run[-1] - eta * loss.gradient(run[-1][None])[0])
    released = np.array([1, 2, 3]) @ np.array(run) / 10
    value = loss.value(np.array([released, np.zeros(2)]))
    size = L**2 / mu
    steps: dict[str, Pair | float] = {
        "off_second": (0.0, 1e-12 * size / mu),
        "off_third": (0.0, 1e-12 * size / mu),
    }
    squares: dict[str, Pair | float] = {
        "start_square": (float(run[0] @ run[0]), 1e-15 * R**2),
        "rival_square": 0.0,
    }
    return {
        "L": L,
        "mu": mu,
        "d": 2.0,
        **squares,
        **steps,
        "G_third": (float(value[0] - value[1]), 1e-9 * size),
    }


UNPROJECTED = Source(
    "a wall beyond the ball",
    {**axes_of("L mu"), "up": linear(0.98, 1)},
    row_by_row(quietly(run_letters)),
    64,
)
