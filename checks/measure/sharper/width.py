"""Letters of the width: slopes of members back towards the middle of a chord, and at the middle."""

from typing import Any

import numpy as np

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import Pair, direction, shape_axes
from oubli.checks.measure.sharper.members import ROUNDING, across, shaped, slope, unit, walled
from oubli.checks.measure.source import Instance, Source, linear, quietly, row_by_row, whole
from oubli.sim.losses.families import Regularised
from oubli.sim.require import Array


def _letters(loss: Regularised, row: Instance, out: Array) -> dict[str, Pair | float]:
    """A member at a point of the ball: v against its slope with <x, v> >= 0, and C across x, to a side."""
    L, mu, kappa = row["L"], row["mu"], row["radius"]
    R = L / (2 * mu)
    x = kappa * R * out
    g = slope(loss, x)
    h, C = g - mu * x, R * across(g, out)
    back = -h if float(h @ x) <= 0 else -(h - float(h @ out) * out)
    v = unit(back) if np.linalg.norm(back) > 0 else out
    size = max(L, R, L * R, L**2, R**2, 1.0)
    found: dict[str, Any] = {
        "x_square": x @ x,
        "v_square": v @ v,
        "a_v": max(float(x @ v), 0.0),
        "b_v": h @ v,
        "x_across": x @ C,
        "across_square": C @ C,
        "g_across": g @ C,
    }
    numbers = {"L": L, "mu": mu, "p_any": 1.0, "kappa_axis": kappa}
    return {**numbers, **{name: (float(value), ROUNDING * size) for name, value in found.items()}}


def member_letters(row: Instance) -> dict[str, Pair | float]:
    """One member that an instance names."""
    return _letters(shaped(row), row, direction(row["angle"], int(row["d"])))


def wall_letters(row: Instance) -> dict[str, Pair | float]:
    """One with steep walls, on the ray to its steepest place."""
    loss, out = walled(row)
    return _letters(loss, row, out)


_members = {**axes_of("L mu"), "d": whole(2, 4), **shape_axes("", 8), "angle": linear(0, 1, (0.5,))}
_walls = {**axes_of("L mu"), "seed": whole(0, 10**6)}
MEMBERS, OUTER, INNER = (
    Source(f"members {name}", {**_members, "radius": linear(*ends)}, row_by_row(quietly(member_letters)), 512)
    for name, ends in (
        ("on chords", (0, 1)),
        ("on short chords", (0.979, 1)),
        ("on longer chords", (0.777, 0.979)),
    )
)
WALLS, OUTER_WALLS, INNER_WALLS = (
    Source(f"steep walls {name}", {**_walls, "radius": linear(*ends)}, row_by_row(quietly(wall_letters)), 64)
    for name, ends in (
        ("on chords", (0, 1)),
        ("on short chords", (0.979, 1)),
        ("on longer chords", (0.777, 0.979)),
    )
)
