"""Letters of the noise lemma, of one projected step, of the largest slope: members of the class at points."""

from functools import cache

import numpy as np
import sympy as sp

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.problems import Pair, Shape, direction, loss_of, shape_axes
from oubli.checks.measure.source import (
    Instance,
    Source,
    choice,
    each,
    linear,
    log,
    quietly,
    row_by_row,
    whole,
)
from oubli.sim.geometry import project
from oubli.sim.losses.families import Regularised, quadratic
from oubli.sim.losses.members import MAKERS
from oubli.sim.require import Array

# Inner products of order L R are sums of a few roundings.
ROUNDING = 1e-14
INSIDE = 2 / 3 - 1e-9
# Places on a circle where the slope of a wall is looked for.
RING = 720


def shaped(row: Instance, role: str = "") -> Regularised:
    """The member that an instance names."""
    shape = Shape(int(row[f"{role}kind"]), *(row[f"{role}{part}"] for part in ("place", "weight", "turn")))
    return loss_of(shape, int(row["d"]), row["L"], row["mu"])


def slope(loss: Regularised, at: Array) -> Array:
    """The simulator's gradient at one point."""
    return np.asarray(loss.gradient(at[None])[0])


def unit(vector: Array) -> Array:
    """The direction of a vector; e_1 for the vector 0."""
    size = float(np.linalg.norm(vector))
    return vector / size if size > 0 else np.eye(len(vector))[0]


def _exit(x: Array, v: Array, R: float) -> tuple[float, float]:
    """<x, v>, and h with x + (h - <x, v>) v on the sphere."""
    along = float(x @ v)
    return along, float(np.sqrt(max(R**2 - float(x @ x) + along**2, 0.0)))


def point_letters(row: Instance) -> dict[str, Pair | float]:
    """One member at one point of the ball: its gradient, the chord through the point, a unit vector."""
    loss, d = shaped(row), int(row["d"])
    w = direction(row["heading"], d) if row["aim"] == 1 else None
    return _at(loss, row, row["radius"] * row["L"] / (2 * row["mu"]) * direction(row["angle"], d), w)


def _at(loss: Regularised, row: Instance, x: Array, w: Array | None) -> dict[str, Pair | float]:
    """The letters of a member at x; without a direction w, along the slope of l - mu/2 |.|^2."""
    L, mu = row["L"], row["mu"]
    R, g = L / (2 * mu), slope(loss, x)
    off = g - 1.5 * mu * x
    v = unit(off)
    along, reach = _exit(x, v, R)
    chord = {
        "n_ray": float(np.linalg.norm(off)),
        "a_ray": along,
        "x_length": float(np.linalg.norm(x)),
        "g_ray": float(g @ v),
        "g_ray_end": float(slope(loss, x + (reach - along) * v) @ v),
        "h_ray": reach,
    }
    gram = {"<g_ball,g_ball>": float(g @ g), "<g_ball,x_ball>": float(g @ x), "<x_ball,x_ball>": float(x @ x)}
    size = max(L, R, L * R, L**2, R**2, 1.0)
    along_w = _slopes(loss, x, unit(g - mu * x) if w is None else w, (L, mu))
    found = {**chord, **gram, **along_w}
    return {"L": L, "mu": mu, **{n: (value, ROUNDING * size) for n, value in found.items()}}


def _slopes(loss: Regularised, x: Array, w: Array, constants: tuple[float, float]) -> dict[str, float]:
    """Slopes of l - mu/2 |.|^2 at x along w, and where that ray meets the sphere."""
    L, mu = constants
    bent = slope(loss, x) - mu * x
    along, reach = _exit(x, w, L / (2 * mu))
    B = x + (reach - along) * w
    at_B, out = slope(loss, B), unit(B)
    radial = float(at_B @ out)
    return {
        "b_along": float(bent @ w),
        "b_inside": float(bent @ w) / L,
        "b_outside": float((at_B - mu * B) @ w) / L,
        "a_B": radial / L,
        "b_B": float(np.linalg.norm(at_B - radial * out)) / L,
    }


@cache
def places_on_circle() -> list[tuple[float, float]]:
    """The points z_1, z_2, … of the record, along B/|B| and across, in units L/mu: read off its facts.

    >>> len(places_on_circle()), max(abs(x * x + y * y - 0.25) for x, y in places_on_circle()) < 1e-15
    (24, True)
    """
    found = {}
    for item in records.statement(records.CIRCLE).given:
        letters = {s.name: s for s in item.relation.free_symbols}
        ends = {n.removeprefix("f_z"): s for n, s in letters.items() if n.startswith("f_z")}
        # Strong convexity from z to B = (1/2, 0): the slope at z is multiplied with B - z.
        if len(ends) == 1 and letters.keys() == {"f_B", *(f"{part}_z{i}" for part in "fab" for i in ends)}:
            gap, (i,) = sp.expand(item.relation.lhs - item.relation.rhs), ends
            along, across = (gap.coeff(letters[f"{part}_z{i}"]) / gap.coeff(letters["f_B"]) for part in "ab")
            found[i] = float(along + sp.Rational(1, 2)), float(across)
    return [found[i] for i in sorted(found)]


def circle_letters(row: Instance) -> dict[str, Pair | float]:
    """One member at a boundary point B and at the 24 points of the record, in units L = mu = 1."""
    return _around(shaped(row), row, direction(row["angle"], int(row["d"])))


def _around(loss: Regularised, row: Instance, out: Array) -> dict[str, Pair | float]:
    L, mu, d = row["L"], row["mu"], len(out)
    g = slope(loss, L / (2 * mu) * out)
    radial = float(g @ out)
    across = np.zeros(d)
    across[:2] = (-out[1], out[0])
    flat = g - radial * out
    tangent = unit(flat) if np.linalg.norm(flat) > 1e-9 * L else across
    places = L / mu * np.array([z[0] * out + z[1] * tangent for z in places_on_circle()])
    values = np.concatenate([loss.value(L / (2 * mu) * out[None]), loss.value(places)]) * mu / L**2
    slopes = np.asarray(loss.gradient(places)) / L
    found = {"a_B": radial / L, "b_B": float(flat @ tangent) / L, "f_B": float(values[0])}
    for i in range(len(slopes)):
        found[f"f_z{i + 1:02d}"] = float(values[i + 1])
        found[f"a_z{i + 1:02d}"] = float(slopes[i] @ out)
        found[f"b_z{i + 1:02d}"] = float(slopes[i] @ tangent)
    # A rounding of a slope is multiplied with steps of at most 1.
    return {n: (value, 1e-13) for n, value in found.items()}


def walled(row: Instance) -> tuple[Regularised, Array]:
    """A member of the plane with steep walls, and the direction of the sphere where its slope is largest."""
    L, mu = row["L"], row["mu"]
    loss = MAKERS["wide"](np.random.default_rng(int(row["seed"])), 2, L, mu)
    ring = np.array([direction(k / RING, 2) for k in range(RING)])
    steep = np.linalg.norm(loss.gradient(L / (2 * mu) * ring) - L / 2 * ring, axis=1)
    return loss, ring[int(np.argmax(steep))]


def wall_letters(row: Instance) -> dict[str, Pair | float]:
    """Such a member somewhere below the steepest place."""
    loss, out = walled(row)
    return _at(loss, row, row["radius"] * row["L"] / (2 * row["mu"]) * out, None)


def wall_circle_letters(row: Instance) -> dict[str, Pair | float]:
    """Such a member on the circle through the steepest place."""
    loss, out = walled(row)
    return _around(loss, row, out)


def step_letters(row: Instance) -> dict[str, Pair | float]:
    """One projected step on two losses from a law of two points, towards any point u of the ball."""
    L, mu, d, share = row["L"], row["mu"], int(row["d"]), row["share"]
    R = L / (2 * mu)
    c, p = row["c_sgd"], row["p_sgd"]
    losses, chance = [shaped(row, "first_"), shaped(row, "second_")], (share, 1 - share)
    here, there = direction(row["angle"], d), -direction(row["heading"], d)
    x = R * np.array([row["radius"] * here, row["other"] * there])
    law = np.array([row["mass"], 1 - row["mass"]])
    u = R * row["far"] * direction(row["toward"], d)
    grads = [np.asarray(loss.gradient(x)) for loss in losses]
    mean = np.asarray(sum(q * g for q, g in zip(chance, grads, strict=True)))
    moved = [project(x - c / (mu * p) * g, R) for g in grads]
    sizes = np.asarray(sum(q * (g**2).sum(axis=1) for q, g in zip(chance, grads, strict=True)))
    found = {
        "A_t": law @ ((x - u) ** 2).sum(axis=1),
        "B_t": law @ ((x - u) @ u),
        "A_next": sum(q * law @ ((y - u) ** 2).sum(axis=1) for q, y in zip(chance, moved, strict=True)),
        "B_next": sum(q * law @ ((y - u) @ u) for q, y in zip(chance, moved, strict=True)),
        "C_point": law @ (mean * (x - u)).sum(axis=1),
        "U_drift": law @ (mean @ u),
        "Q_point": law @ sizes,
        "X_point": law @ (mean * x).sum(axis=1),
        "Q_gradient": sizes[0],
        "C_gradient": mean[0] @ x[0],
        "<u_sgd,u_sgd>": u @ u,
    }
    size = max(L, R, L * R, L**2, R**2, 1.0)
    tied = {
        "c_sgd": c,
        "p_sgd": p,
        "w_linear": row["scale"] * c,
        "p_linear": row["scale"] * p,
        "s_linear": row["s_linear"],
    }
    return {"L": L, "mu": mu, **tied, **{n: (float(v), ROUNDING * size) for n, v in found.items()}}


def family_letters(row: Instance) -> dict[str, Pair | float]:
    """A point and a unit vector; an output off a subspace, and its risk on a quadratic centred in it."""
    L, mu = row["L"], row["mu"]
    R = L / (2 * mu)
    x, s = row["radius"] * R * np.eye(3)[0], direction(row["turn"] / 2, 3)
    centre = row["mean"] * R * s
    part, rest = row["inside"] * R * np.eye(3)[1], row["beyond"] * R * np.eye(3)[2]
    loss = quadratic(centre, mu)
    value = loss.value(np.array([centre + part + rest, centre]))
    found = {
        "<x_cube,x_cube>": x @ x,
        "<s_cube,x_cube>": s @ x,
        "<s_cube,s_cube>": s @ s,
        "<inside_cube,inside_cube>": part @ part,
    }
    exact = {n: (float(v), 1e-15 * max(R, R**2, 1.0)) for n, v in found.items()}
    excess = (float(value[0] - value[1]), 1e-14 * L**2 / mu)
    return {"L": L, "mu": mu, **exact, "<beyond_cube,beyond_cube>": float(rest @ rest), "M_cube": excess}


_class = axes_of("L mu")
_place = {"radius": linear(0, 1, (0.25,)), "angle": linear(0, 1, (0.5,)), "heading": linear(0, 1, (0.25,))}
POINT = Source(
    "members at points",
    {**_class, "d": whole(1, 4), **shape_axes("", 8), **_place, "aim": choice(2)},
    row_by_row(quietly(point_letters)),
)
_wall = {**_class, "seed": whole(0, 10**6)}
WALL = Source("steep walls", {**_wall, "radius": linear(0, 1)}, row_by_row(quietly(wall_letters)), 96)
WALL_CIRCLE = Source("steep walls on a circle", _wall, row_by_row(quietly(wall_circle_letters)), 96)
CIRCLE = Source(
    "members on a circle",
    {**_class, "d": whole(2, 4), **shape_axes("", 8), "angle": linear(0, 1, (0.5,))},
    row_by_row(quietly(circle_letters)),
    1024,
)
STEP = Source(
    "one projected step",
    {
        **_class,
        "d": whole(1, 3),
        **shape_axes("first_", 8),
        **shape_axes("second_", 8),
        **_place,
        **each(linear(0, 1), "share mass other far toward"),
        "c_sgd": log(1e-3, INSIDE),
        "p_sgd": log(1, 100),
        **each(log(1e-2, 1e2, (1.0,)), "scale s_linear"),
    },
    row_by_row(quietly(step_letters)),
    1024,
)
FAMILY = Source(
    "tilted quadratics",
    {
        **_class,
        **each(linear(0, 1), "radius turn mean"),
        "inside": linear(0, 2, (1.0,)),
        "beyond": linear(0, 2),
    },
    row_by_row(family_letters),
)
