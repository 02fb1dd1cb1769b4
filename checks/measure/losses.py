"""Letters of a single loss: slopes at 0, at the ends of the ball, along a step; two families."""

import numpy as np

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import Shape, direction, loss_of, shape_axes
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import (
    Axis,
    Batch,
    Instance,
    Source,
    each,
    fixed,
    linear,
    quietly,
    row_by_row,
    whole,
)
from oubli.sim.losses.families import Regularised, hard, synthetic
from oubli.sim.require import Array

Pair = tuple[float, float]


def _space(d: Axis) -> dict[str, Axis]:
    return {
        **axes_of("L mu"),
        "d": d,
        **shape_axes("", 8),
        "radius": linear(0, 1),
        "angle": linear(0, 1, (0.5,)),
        "step": linear(0, 1),
    }


def _slope(loss: Regularised, theta: Array) -> Array:
    return np.asarray(loss.gradient(theta[None])[0])


def _loss(row: Instance) -> Regularised:
    shape = Shape(int(row["kind"]), row["place"], row["weight"], row["turn"])
    return loss_of(shape, int(row["d"]), row["L"], row["mu"])


def _unit(vector: Array) -> Array:
    size = float(np.linalg.norm(vector))
    return vector / size if size > 0 else np.eye(len(vector))[0]


def ball_letters(row: Instance) -> dict[str, Pair | float]:
    """Slopes at 0, on the sphere and at a point of the ball, and one gradient step from there."""
    loss, mu, R = _loss(row), row["mu"], row["L"] / (2 * row["mu"])
    u = direction(row["angle"], int(row["d"]))
    at_zero = _slope(loss, 0 * u)
    x = row["radius"] * R * u
    g = _slope(loss, x)
    w = 2 * mu * x - g
    v = _unit(w)
    eta = row["step"] / (2 * mu)
    # Slopes of order L are sums that may cancel: their rounding is relative to L.
    rounding = 1e-14 * row["L"]
    return {
        "L": row["L"],
        "mu": mu,
        "n_zero": (float(np.linalg.norm(at_zero)), rounding),
        "n_w": float(np.linalg.norm(w)),
        "w_v": float(w @ v),
        "v_square": (float(v @ v), 1e-15),
        "p_any": 1.0,
        "eta": eta,
        "x_square": (float(x @ x), 1e-15 * R**2),
        "z_after": float(np.linalg.norm(x - eta * g)),
    }


def line_letters(row: Instance) -> dict[str, Pair | float]:
    """On the line: the slope at a point, and one step from there."""
    loss, mu, R = _loss(row), row["mu"], row["L"] / (2 * row["mu"])
    x, eta = (2 * row["radius"] - 1) * R, row["step"] / mu
    slope = float(_slope(loss, np.array([x]))[0])
    return {
        "L": row["L"],
        "mu": mu,
        "d": 1.0,
        "x_first": x,
        "x_square": x**2,
        "g_first": slope,
        "eta": eta,
        "z_after": abs(x - eta * slope),
    }


def lifted_letters(row: Instance) -> dict[str, Pair | float]:
    """A member on the line and mu/2 |other coordinates|^2, at a point of the ball of more dimensions."""
    on_line = line_letters(row)
    x, slope, L, mu = (float(on_line[n]) for n in ("x_first", "g_first", "L", "mu"))  # type: ignore[arg-type]
    others = row["angle"] * ((L / (2 * mu)) ** 2 - x**2)
    values = {"L": L, "mu": mu, "x_first": x, "g_line": slope, "x_square": x**2 + others}
    return {**values, "lift_square": slope**2 + mu**2 * others}


def family_letters(batch: Batch) -> Letters:
    """A point of the ball and a sign: squared gradient norms of the hard and of the synthetic family.

    Along the first vector of the family, e_1 or the signs, and across.
    """
    L, mu, d, g = (batch[n] for n in ("L", "mu", "d", "g"))
    size, turn = batch["radius"] * L / (2 * mu), np.pi * batch["turn"]
    along, across = mu * size * np.cos(turn), mu * size * np.sin(turn)
    return Letters(
        {
            "L": L,
            "mu": mu,
            "d": d,
            "g_xi": g,
            "x_square": size**2,
            "signs_square": d,
            "hard_square": (along - L * g / 2) ** 2 + across**2,
            "synthetic_square": (along + L * np.sqrt(d) / 4) ** 2 + across**2,
        }
    )


FAMILY_SPACE = {
    **axes_of("L mu"),
    "d": whole(1, 1000),
    "g": linear(-1, 1, (0.0,)),
    **each(linear(0, 1), "radius turn"),
}
BALL = Source("losses", _space(whole(1, 6)), row_by_row(quietly(ball_letters)))
SEGMENT = Source("losses on the line", _space(fixed(1)), row_by_row(quietly(line_letters)))
LIFTED = Source(
    "losses of the line in more dimensions", _space(fixed(1)), row_by_row(quietly(lifted_letters))
)
FAMILY = Source("hard and synthetic families", FAMILY_SPACE, family_letters)


def hard_square(row: Instance) -> float:
    """The squared gradient norm of the simulator's hard loss at the point of an instance."""
    d, L, mu = max(int(row["d"]), 2), row["L"], row["mu"]
    size, angle = row["radius"] * L / (2 * mu), np.pi * row["turn"]
    theta = size * np.eye(d)[0] * np.cos(angle) + size * np.eye(d)[1] * np.sin(angle)
    return float(np.sum(_slope(hard(row["g"], d, L, mu), theta) ** 2))


def synthetic_square(row: Instance) -> float:
    """The squared gradient norm of the simulator's synthetic loss, at s scaled to the same radius, g = -1."""
    d, L, mu = 2 * max(int(row["d"]), 1), row["L"], row["mu"]
    size = row["radius"] * L / (2 * mu)
    return float(np.sum(_slope(synthetic(-1.0, d, L, mu), np.full(d, size / np.sqrt(d))) ** 2))
