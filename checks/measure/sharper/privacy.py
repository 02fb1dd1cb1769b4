"""Letters of private noise: the exact Gaussian law, radial noise by quadrature, retraining by enumeration."""

from itertools import product

import numpy as np
from scipy.special import ndtr, roots_laguerre

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.privacy import CLOSE, close_letters
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Batch, Instance, Source, each, linear, log, row_by_row, whole
from oubli.sim.geometry import project
from oubli.sim.laws import gaussian_delta
from oubli.sim.problems.problem import Problem, hard_problem
from oubli.sim.require import Array

# Exact for polynomials of degree up to 79: d + 1 is at most 41.
NODES, WEIGHTS = roots_laguerre(40)


def gaussian_letters(batch: Batch) -> Letters:
    """What Gaussian noise leaks, from the exact law, and a delta that is at least that."""
    eps, sigma = batch["epsilon"], batch["sigma_unit"]
    leaks = np.asarray(gaussian_delta(eps, sigma))
    # The law rounds up by at most 1e-13 of itself, and answers down to 1e-321.
    good = leaks > 1e-250
    safe = np.where(good, leaks, 0.5)
    delta = np.minimum(safe * (1 + batch["room"]), 1 - 1e-12)
    # Where the ratio of the two densities exceeds e^eps, a half line.
    chances = [ndtr(sign / (2 * sigma) - eps * sigma) for sign in (1, -1)]
    values = dict(zip(("p_normal_here", "p_normal_there"), chances, strict=True))
    values |= {"epsilon": eps, "sigma_unit": sigma, "delta": delta}
    # Next to 0 the difference of the two is their rounding.
    return Letters(values, valid=good & (safe < 0.9) & (safe > 1e-9 * chances[0]))


def radial_letters(batch: Batch) -> Letters:
    """Two centres and a point of their plane: the chances of a small event there, over its size."""
    eps, cover = batch["epsilon"], batch["s_cover"]
    rate = needed(records.RADIAL, "a_radial", {"epsilon": eps, "s_cover": cover})
    apart = batch["used"] * cover
    x, y = batch["x"] * cover, batch["y"] * cover
    here, there = np.hypot(x, y), np.hypot(x - apart, y)
    # Both densities over that in the middle, which keeps them in range.
    chances = [np.exp(rate * (there - here) / 2), np.exp(rate * (here - there) / 2)]
    error = 1e-14 * rate * (np.abs(x) + np.abs(y) + apart)
    errors = dict(zip(("p_radial_here", "p_radial_there"), (error * p for p in chances), strict=True))
    values = dict(zip(errors, chances, strict=True))
    values |= {"epsilon": eps, "s_cover": cover, "a_radial": rate, "D_optima": apart}
    return Letters(values, errors)


def moment_letters(batch: Batch) -> Letters:
    """Integrals of rho^n e^(-a rho) by Gauss-Laguerre nodes, and the second moment that they give."""
    rate, d = batch["a_radial"], batch["d"]
    powers = [(NODES[None] / rate[:, None]) ** (d[:, None] - 1 + n) @ WEIGHTS / rate for n in (0, 2)]
    square = powers[1] / powers[0]
    return Letters({"a_radial": rate, "d": d, "z_radial": square}, {"z_radial": 1e-11 * square})


def shift_letters(batch: Batch) -> Letters:
    """Laplace noise on the line, a part of the sensitivity and all of it: what each leaks, in closed form."""
    eps, a, part = batch["epsilon"], batch["epsilon"] * (1 + batch["beyond"]), batch["part_shift"]
    leaks = [_laplace_leaks(eps, a * size) for size in (part, np.ones_like(part))]
    delta = np.minimum(leaks[1] * (1 + batch["room"]), 1 - 1e-12)
    values = {"epsilon": eps, "part_shift": part, "h_part": leaks[0], "h_whole": leaks[1], "delta": delta}
    return Letters(values, dict.fromkeys(("h_part", "h_whole"), 1e-14 + 0 * eps), leaks[1] > 1e-9)


def _laplace_leaks(eps: Array, shift: Array) -> Array:
    """The divergence at e^eps of the density e^-|z|/2 from its shift: 1 - e^((eps - shift)/2), or 0."""
    return np.asarray(np.maximum(-np.expm1((eps - shift) / 2), 0.0))


def stairs_letters(batch: Batch) -> Letters:
    """The same two centres and a point, with the shell of the staircase that it lies on around each."""
    eps, cover, q = batch["epsilon"], batch["s_cover"], batch["q_stair"]
    apart = batch["used"] * cover
    x, y = batch["x"] * cover, batch["y"] * cover
    here, there = np.hypot(x, y), np.hypot(x - apart, y)
    shells = [np.maximum(np.ceil(n / cover - q), 0) for n in (here, there)]
    values = {"epsilon": eps, "s_cover": cover, "q_stair": q, "D_optima": apart, "n_here": here}
    values |= {"n_there": there, "k_here": shells[0], "k_there": shells[1]}
    # Next to the edge of a shell rounding may choose the other one.
    edge = np.min([np.abs(n / cover - q - np.rint(n / cover - q)) for n in (here, there)], axis=0)
    error = 1e-15 * (np.abs(x) + np.abs(y) + apart)
    return Letters(values, {"n_here": error, "n_there": error}, edge > 1e-12)


def stairs_moment_letters(batch: Batch) -> Letters:
    """E|z|^2 from the density itself: shells from one radius to the next, e^-eps lower each."""
    eps, d, q, cover = (batch[n] for n in ("epsilon", "d", "q_stair", "s_cover"))
    k = np.arange(400.0)
    radius = q[:, None] + k
    inner = np.concatenate([np.zeros_like(radius[:, :1]), radius[:, :-1]], axis=1)
    fall = np.exp(-eps[:, None] * k)

    def integral(n: Array) -> Array:
        return np.asarray(((radius ** n[:, None] - inner ** n[:, None]) * fall).sum(axis=1) / n)

    def total(n: Array) -> Array:
        return np.asarray((radius ** n[:, None] * fall).sum(axis=1))

    square = cover**2 * integral(d + 2) / integral(d)
    values = {"epsilon": eps, "d": d, "s_cover": cover, "E_radius": total(d + 2) / total(d)}
    values["z_stair"] = square
    return Letters(values, {n: 1e-11 * values[n] for n in ("E_radius", "z_stair")})


def retrained_letters(row: Instance) -> dict[str, Pair | float]:
    """Retraining on a problem and with other forget data: how often its output exceeds a threshold."""
    problem = hard_problem(row["gamma"], row["r"], 1, row["L"], row["mu"])
    chances = [_exceeds(p, int(row["T"]), row["threshold"]) for p in (problem, problem.swapped())]
    return {
        "epsilon": row["epsilon"],
        "delta": row["delta"],
        "P_retrained": chances[0],
        "P_retrained_other": chances[1],
    }


def _exceeds(problem: Problem, T: int, threshold: float) -> float:
    """The chance that SGD from 0 with steps 1/(mu (t + 1)) on the retain data ends above threshold R."""
    R, total = problem.L / (2 * problem.mu), 0.0
    for drawn in product(range(2), repeat=T):
        x = np.zeros((1, 1))
        for t, k in enumerate(drawn):
            x = project(x - problem.retain.losses[k].gradient(x) / (problem.mu * (t + 1)), R)
        total += float(x[0, 0] > threshold * R) * float(np.prod([problem.retain.weights[k] for k in drawn]))
    return total


def hop_letters(batch: Batch) -> Letters:
    """Two laws that are close, and their total variation as that of one hop."""
    found = close_letters(batch)
    errors = dict(found.errors or {})
    return Letters(
        {**found.values, "tau_moved": found.values["tau_hop"]}, {**errors, "tau_moved": errors["tau_hop"]}
    )


GAUSSIAN = Source(
    "exact Gaussian noise",
    {"epsilon": log(1e-3, 50, (1.0,)), "sigma_unit": log(0.05, 1e3, (1.0,)), "room": log(1e-6, 1, (0.0,))},
    gaussian_letters,
)
RADIAL = Source(
    "radial noise",
    {
        "epsilon": log(1e-3, 50, (1.0,)),
        "s_cover": log(1e-3, 10, (1.0,)),
        "used": linear(0, 1),
        **each(linear(-3, 3, (0.0,)), "x y"),
    },
    radial_letters,
)
SHIFT = Source(
    "Laplace noise beyond eps",
    {
        "epsilon": log(1e-2, 20, (1.0,)),
        "beyond": log(1e-3, 10),
        "part_shift": linear(0.01, 1, (1.0,)),
        "room": log(1e-6, 1, (0.0,)),
    },
    shift_letters,
)
STAIRS = Source("staircase noise", {**RADIAL.space, "q_stair": linear(0.01, 0.999, (0.5,))}, stairs_letters)
STAIRS_MOMENT = Source(
    "moments of staircase noise",
    {
        "epsilon": log(0.5, 50, (1.0,)),
        "d": whole(1, 20),
        "s_cover": log(1e-3, 10, (1.0,)),
        "q_stair": linear(0.01, 1, (0.5,)),
    },
    stairs_moment_letters,
)
MOMENT = Source(
    "moments of radial noise", {"a_radial": log(1e-2, 1e2, (1.0,)), "d": whole(1, 40)}, moment_letters
)
RETRAINED = Source(
    "retraining with other forget data",
    {
        **axes_of("L mu"),
        "r": log(1e-3, 0.9),
        "gamma": linear(-1, 1, (0.0,)),
        "T": whole(0, 3),
        "threshold": linear(-1, 1, (0.0,)),
        "epsilon": log(1e-3, 50, (1.0,)),
        "delta": log(1e-12, 1 - 1e-9),
    },
    row_by_row(retrained_letters),
    1024,
)
HOP = Source("hops between finite laws", CLOSE.space, hop_letters)
