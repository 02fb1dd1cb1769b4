"""Letters of the noise lemma, of one projected step, of the largest slope: members of the class at points."""

import numpy as np

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
from oubli.theory.regimes.sgd import LAMBDA

# Inner products of order L R are sums of a few roundings.
ROUNDING = 1e-14
_, INSIDE = records.ends(records.WEIGHTED, "c_sgd")
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


def across(g: Array, out: Array) -> Array:
    """The direction of the part of g orthogonal to a unit vector; any orthogonal one if there is none."""
    flat = g - float(g @ out) * out
    if np.linalg.norm(flat) <= 1e-9 * np.linalg.norm(g):
        flat = np.zeros(len(g))
        flat[:2] = (-out[1], out[0]) if len(g) > 1 else out
    # A short part has lost digits: it is made orthogonal again.
    return unit(flat - float(flat @ out) * out) if len(g) > 1 else flat


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
    off = g - LAMBDA * mu * x
    v = unit(off)
    reach = _exit(x, v, R)[1]
    chord = {
        "n_ray": float(np.linalg.norm(off)),
        "n_tilt": float(np.linalg.norm(off)),
        "tilt_square": float(off @ off),
        "x_tilt": float(x @ off),
        "x_length": float(np.linalg.norm(x)),
        "m_any": float(np.linalg.norm(x)),
        "h_chord": float(np.linalg.norm(off)) * reach,
    }
    gram = {"slope_square": float(g @ g), "slope_x": float(g @ x), **_plain(g, x, (L, mu))}
    size = max(L, R, L * R, L**2, R**2, 1.0)
    along_w = _slopes(loss, x, unit(g - mu * x) if w is None else w, (L, mu))
    found = {**chord, **gram, **along_w}
    return {"L": L, "mu": mu, "p_any": 1.0, **{n: (value, ROUNDING * size) for n, value in found.items()}}


def _plain(g: Array, x: Array, constants: tuple[float, float]) -> dict[str, float]:
    """2 mu x - l'(x), and the gradient in the plane of x and a vector C of length L/mu across it."""
    L, mu = constants
    mirrored, out = 2 * mu * x - g, unit(x)
    C = L / mu * across(g, out)
    products = {"slope_C": g @ C, "x_C": x @ C, "C_length": C @ C, "plain_v": mirrored @ unit(mirrored)}
    numbers = {"a_near": g @ out / L, "b_near": mu * g @ C / L**2, "p_near": mu * np.linalg.norm(x) / L}
    found = {**products, **numbers, "n_plain": np.linalg.norm(mirrored)}
    return {name: float(value) for name, value in found.items()}


def _slopes(loss: Regularised, x: Array, w: Array, constants: tuple[float, float]) -> dict[str, float]:
    """The slope of l - mu/2 |.|^2 at x along w, and the gradient where that ray meets the sphere."""
    L, mu = constants
    bent = slope(loss, x) - mu * x
    along, reach = _exit(x, w, L / (2 * mu))
    B = x + (reach - along) * w
    at_B = slope(loss, B)
    return {
        "b_v": float(bent @ w),
        "v_square": float(w @ w),
        "x_square": float(x @ x),
        **_at_edge(at_B, B),
        "bent_edge": float(np.sum((at_B - mu * B) ** 2)),
    }


def _at_edge(g: Array, B: Array) -> dict[str, float]:
    """The gradient at a point B of the sphere, along B and along a tangent C, towards its part across."""
    R = float(np.linalg.norm(B))
    C = R * across(g, B / R)
    products = {"g_B": g @ B, "g_C": g @ C, "B_square": B @ B, "B_C": B @ C, "C_square": C @ C}
    return {name: float(value) for name, value in products.items()}


def circle_letters(row: Instance) -> dict[str, Pair | float]:
    """One member at a boundary point B, along B and across."""
    return _around(shaped(row), row, direction(row["angle"], int(row["d"])))


def _around(loss: Regularised, row: Instance, out: Array) -> dict[str, Pair | float]:
    L, mu = row["L"], row["mu"]
    B = L / (2 * mu) * out
    g = slope(loss, B)
    found = _at_edge(g, B)
    size = max(L**2 / mu, (L / mu) ** 2)
    return {"L": L, "mu": mu, **{n: (value, 1e-14 * size) for n, value in found.items()}}


def root_letters(row: Instance) -> dict[str, Pair | float]:
    """sqrt(y^2 + c)."""
    root = float(np.hypot(row["y"], np.sqrt(row["c"])))
    return {"y_root": row["y"], "c_root": row["c"], "h_root": (root, 1e-15 * root)}


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
    sizes = np.asarray(sum(q * (g**2).sum(axis=1) for q, g in zip(chance, grads, strict=True)))
    over = np.asarray(
        sum(q * (loss.value(x) - loss.value(u[None])) for q, loss in zip(chance, losses, strict=True))
    )
    now = {"A": law @ ((x - u) ** 2).sum(axis=1), "B": law @ ((x - u) @ u)}

    def moved(name: str, step: float) -> dict[str, float]:
        """The letters of one run: before a step and after it."""
        ends = [project(x - step / mu * g, R) for g in grads]
        pairs = list(zip(chance, ends, strict=True))
        later = {
            "A": sum(q * law @ ((y - u) ** 2).sum(axis=1) for q, y in pairs),
            "B": sum(q * law @ ((y - u) @ u) for q, y in pairs),
        }
        return {
            f"{n}_{name}_{place}": v for place, at in (("now", now), ("later", later)) for n, v in at.items()
        }

    a = row["a_linear"]
    c_linear = row["part"] * (a**2 / (2 * LAMBDA) - a)
    found = {
        **moved("tuned", c / p),
        **moved("growing", 2 * (1 + a + c_linear) / (1 + a) ** 2),
        "F_t": law @ over,
        "F_grown": law @ over,
        "Q_gradient": law @ sizes,
        "C_gradient": law @ (mean * x).sum(axis=1),
        "u_norm": u @ u,
    }
    size = max(L, R, L * R, L**2, R**2, L**2 / mu, 1.0)
    # The step from x_1: p = 1 + k, and N = 1 + a.
    tied = {
        "c_sgd": c,
        "k_sgd": p - 1,
        "t": 1.0,
        "a_linear": a,
        "c_linear": c_linear,
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
    found = {"n_spot": x @ x, "n_within": part @ part}
    exact = {n: (float(v), 1e-15 * max(R, R**2, 1.0)) for n, v in found.items()}
    steep = slope(quadratic(R * s, mu), x)
    sizes = {
        "n_steep": (float(steep @ steep), 1e-14 * L**2),
        "M_cube": (float(value[0] - value[1]), 1e-14 * L**2 / mu),
    }
    return {"L": L, "mu": mu, **exact, **sizes, "n_sign": 1.0, "n_mean": row["mean"] ** 2, "n_skew": 0.0}


_class = axes_of("L mu")
_place = {"radius": linear(0, 1, (0.25,)), "angle": linear(0, 1, (0.5,)), "heading": linear(0, 1, (0.25,))}
POINT = Source(
    "members at points",
    {**_class, "d": whole(1, 4), **shape_axes("", 8), **_place, "aim": choice(2)},
    row_by_row(quietly(point_letters)),
)
_inner = {
    **_class,
    "d": whole(1, 4),
    **shape_axes("", 8),
    **_place,
    "radius": linear(0.01, 0.76),
    "aim": choice(2),
}
INNER = Source("members well inside the ball", _inner, row_by_row(quietly(point_letters)))
OUTER = Source(
    "members near the sphere",
    {**_inner, "d": whole(2, 4), "radius": linear(0.762, 1)},
    row_by_row(quietly(point_letters)),
)
ROOT = Source(
    "roots",
    {"y": linear(-10, 10, (0.0,)), "c": log(1e-3, 1e3, (1.0,))},
    row_by_row(root_letters),
)
_wall = {**_class, "seed": whole(0, 10**6)}
WALL = Source("steep walls", {**_wall, "radius": linear(0, 1)}, row_by_row(quietly(wall_letters)), 96)
WALL_OUTSIDE = Source(
    "steep walls near the sphere",
    {**WALL.space, "radius": linear(0.762, 1)},
    row_by_row(quietly(wall_letters)),
    96,
)
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
        "a_linear": log(3, 300, (20.0,)),
        "part": log(1e-3, 1 - 1e-9, (0.5,)),
        "s_linear": log(1e-2, 1e2, (1.0,)),
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
