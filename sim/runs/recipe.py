"""What averaged SGD does to a sign family, exactly: a start law, and a linear map of signs to the output.

On mu/2·‖theta‖² − g<slope, theta> + Σ kink_i|theta_i| one step of length a/mu maps a coordinate x to
(1 − a)x + a·q·s, with s the sign of that step and q = slope/mu (or s = −sign x and q = kink/mu). For a <= 1
this is a convex combination, so a projection on a ball that holds the points q·s never acts. The output
is then start_weight·theta_0 + Σ_t sign_weights_t·q·s_t, and the schedules below give both in closed form.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from oubli.sim.require import Array, Counts


class Schedule(Protocol):
    """Step lengths and averaging weights; T may be an array wherever it is not an int."""

    def start_weight(self, T: Counts) -> Array:
        """Coefficient of theta_0 in the output."""
        ...

    def sign_sum(self, T: Counts) -> Array:
        """Σ_t of the sign weights."""
        ...

    def sign_square_sum(self, T: Counts) -> Array:
        """Σ_t of the squared sign weights."""
        ...

    def sign_weights(self, T: Counts, t: Counts) -> Array:
        """Coefficient of q·s_t in the output after T steps, zero for t >= T; T and t broadcast."""
        ...

    def kinked(self, x0: Array, q: float | Array, T: Counts) -> Array:
        """The output's coordinate on mu/2 x² + mu q|x| from x0 (deterministic); x0 and T broadcast."""
        ...

    def breaks(self, q: float, T: int, most: float) -> Array:
        """Sizes |x0| in (0, most) between which `kinked` is linear, increasing."""
        ...

    def longest(self, T: Counts) -> Array:
        """The longest step times mu."""
        ...


@dataclass(frozen=True, eq=False)
class Recipe:
    """theta_0 = centre·theta* + sigma·z, steps, an average; `projected` covers the start and every step."""

    centre: float
    sigma: float
    projected: bool
    schedule: Schedule


def never_projects(recipe: Recipe, reach: float, R: float, T: Counts) -> Array:
    """Whether the closed forms hold at T: nothing is projected, or steps are convex combinations in the ball.

    >>> from oubli.sim.runs.schedules import Constant
    >>> never_projects(Recipe(1.0, 0.0, True, Constant(np.array([2.0]))), 0.5, 0.5, np.array([3])).tolist()
    [False]
    """
    if not recipe.projected:
        return np.ones(np.shape(T), dtype=bool)
    return stays_inside(recipe, reach, R, T)


def stays_inside(recipe: Recipe, reach: float, R: float, T: Counts) -> Array:
    """Whether every step from inside the ball ends inside it: steps <= 1/mu towards points of norm <= R.

    >>> from oubli.sim.runs.schedules import Decreasing
    >>> stays_inside(Recipe(1.0, 0.0, True, Decreasing()), 0.5, 0.5, np.array([3])).tolist()
    [True]
    """
    inside = reach <= R * (1 + 1e-12)
    return np.asarray((inside & (recipe.schedule.longest(T) <= 1)) | (np.asarray(T) == 0))
