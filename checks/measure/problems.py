"""Letters of a whole problem: its optima, risks and slopes, each with the certified error of the optimum."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import (
    Axis,
    Batch,
    Instance,
    Source,
    choice,
    fixed,
    linear,
    log,
    quietly,
    row_by_row,
    whole,
)
from oubli.sim.losses.families import Regularised, cone, curved, hard, huber, kink, logistic, quadratic
from oubli.sim.losses.members import random_member
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.require import Array

Pair = tuple[float, float]
KINDS = ("hard", "quadratic", "curved", "huber", "logistic", "cone", "kink", "random")
SMOOTH = 5


class Shape(NamedTuple):
    """What makes one loss: a kind, a place on the axis, a weight and a turn, and the class."""

    kind: int
    place: float
    weight: float
    turn: float


def shape_axes(prefix: str, kinds: int) -> dict[str, Axis]:
    """The axes of such a shape, among the first kinds."""
    place, turn = linear(-1, 1, (0.0,)), linear(0, 1, (0.25,))
    parts = {"kind": choice(kinds), "place": place, "weight": linear(0, 1), "turn": turn}
    return {f"{prefix}{part}": axis for part, axis in parts.items()}


def loss_of(shape: Shape, d: int, L: float, mu: float) -> Regularised:
    """A member of the class: eight kinds, the first five smooth.

    >>> loss_of(Shape(0, 1.0, 0.0, 0.0), 2, 1.0, 1.0).lipschitz(0.5).high
    1.0
    """
    R = L / (2 * mu)
    centre = shape.place * R * direction(shape.turn, d)
    room = (L / 2) / (R + float(np.linalg.norm(centre)))
    low, high = sorted((shape.weight, shape.turn))
    makers = (
        lambda: hard(shape.place, d, L, mu),
        lambda: quadratic(centre, mu),
        lambda: curved(centre, mu, room * shape.weight),
        lambda: huber(centre, L / 2 * shape.weight, R * (0.05 + shape.turn), mu),
        lambda: logistic(L / 2 * shape.weight * direction(shape.turn, d), -1 if shape.place < 0 else 1, mu),
        lambda: cone(centre, L / 2 * shape.weight, mu),
        lambda: kink(shape.place * R, L * (low - 0.5), L * (high - 0.5), d, mu),
        lambda: random_member(np.random.default_rng(int(1e6 * shape.turn)), d, L, mu),
    )
    return makers[shape.kind]()


def direction(turn: float, d: int) -> Array:
    """A unit vector: e_1 turned in the plane of the first two coordinates."""
    vector = np.zeros(d)
    vector[:2] = (np.cos(2 * np.pi * turn), np.sin(2 * np.pi * turn))[:d] if d > 1 else (1.0,)
    return vector


ROLES = ("first", "second", "forget", "other")


def space(kinds: int, dimensions: Axis) -> dict[str, Axis]:
    """Instances of problems: two retain losses, a forget loss and its alternative."""
    found = {**axes_of("L mu r"), "d": dimensions, "share": linear(0, 1)}
    for role in ROLES:
        found |= shape_axes(f"{role}_", kinds)
    return found


def problem_of(row: Instance) -> Problem:
    """The problem of an instance."""
    d, L, mu = int(row["d"]), row["L"], row["mu"]
    parts = ("place", "weight", "turn")
    losses = {
        role: loss_of(Shape(int(row[f"{role}_kind"]), *(row[f"{role}_{p}"] for p in parts)), d, L, mu)
        for role in ROLES
    }
    retain = Mixture((losses["first"], losses["second"]), [row["share"], 1 - row["share"]])
    forget, other = (Mixture((losses[role],), [1.0]) for role in ROLES[2:])
    return Problem(retain, forget, row["r"], L, mu, other)


def _value(mixture: Mixture, theta: Array) -> float:
    return float(mixture.value(theta[None])[0])


def _slope(mixture: Mixture, theta: Array) -> Array:
    return np.asarray(mixture.gradient(theta[None])[0])


def optimum_letters(problem: Problem) -> dict[str, Pair | float]:
    """Distances and risks of the two optima."""
    star, best = problem.full_optimum, problem.retain_optimum
    L, off = problem.L, star.distance + best.distance
    G_r = _slope(problem.retain, star.point)
    size = float(np.linalg.norm(best.point - star.point))
    gap = _value(problem.retain, star.point) - best.value
    rise = _value(problem.forget, best.point) - _value(problem.forget, star.point)
    loss_error = 2 * L * off + best.gap
    # A release at theta* plus noise, which here takes two values.
    noise = 0.5 * np.eye(len(star.point))[0] * problem.r_f * L / problem.mu
    released = sum(_value(problem.retain, star.point + z) for z in (noise, -noise)) / 2
    return {
        "D": (size, off),
        "X_excess": (released - best.value, loss_error),
        "X_rise": (released - _value(problem.retain, star.point), loss_error),
        "a_retain": (gap, loss_error),
        # Releasing theta* is one of the rules without a gradient: the least worst risk is at most its own.
        "M_least": (gap, loss_error),
        "a_forget": (-rise, loss_error),
        "a_all": ((1 - problem.r_f) * gap - problem.r_f * rise, loss_error),
        "n_retain": (float(np.linalg.norm(G_r)), 0.0),
    }


def zero_letters(problem: Problem) -> dict[str, Pair | float]:
    """What the output 0 costs, and slopes along the retain optimum."""
    best = problem.retain_optimum
    x, error = float(np.linalg.norm(best.point)), 2 * problem.L * best.distance
    at_zero, mirrored = _slope(problem.retain, 0 * best.point), _slope(problem.retain, -best.point)
    gap = float(problem.excess_risk(np.zeros((1, problem.d)))[0])
    return {
        "x_opt": (x, best.distance),
        "G_0": (gap, best.gap),
        "alpha": (float(at_zero @ best.point), error),
        "beta_mirror": (float(mirrored @ best.point), error),
    }


def lottery_letters(problem: Problem, delta: float) -> dict[str, Pair | float]:
    """What theta* with probability delta, else 0, costs: its worst risk is at least that."""
    found = observed(problem)
    risks = found["G_0"], found["a_retain"]
    (zero, less), (star, more) = (risk if isinstance(risk, tuple) else (risk, 0.0) for risk in risks)
    return {**found, "delta": delta, "M_lottery": ((1 - delta) * zero + delta * star, less + more)}


def pair_letters(problem: Problem) -> dict[str, Pair | float]:
    """The optima for two forget distributions, and the slopes between them."""
    here, there = problem.full_optimum, problem.alternative_optimum
    gap, off = there.point - here.point, here.distance + there.distance
    size = float(np.linalg.norm(gap))
    return {"D_optima": (size, off)}


def observed(problem: Problem) -> dict[str, Pair | float]:
    """All letters that any problem has."""
    base: dict[str, Pair | float] = {"L": problem.L, "mu": problem.mu, "r": problem.r_f, "d": problem.d}
    return {**base, **optimum_letters(problem), **zero_letters(problem), **pair_letters(problem)}


def smooth_letters(problem: Problem) -> dict[str, Pair | float]:
    """Where the gradients at the optima are unique: stationarity, letter by letter."""
    star = problem.full_optimum
    G_r, G_f = _slope(problem.retain, star.point), _slope(problem.forget, star.point)
    # A gradient moves by at most (curvature) x (distance); the curvature of these kinds is at most 21 L/R.
    error = 42 * problem.mu * (star.distance + problem.retain_optimum.distance)
    slopes = {
        "n_min": float(np.linalg.norm(_slope(problem.retain, problem.retain_optimum.point))),
        "n_retain": float(np.linalg.norm(G_r)),
        "n_forget": float(np.linalg.norm(G_f)),
        "m_retain": float(G_r[0]),
        "m_forget": float(G_f[0]),
        "theta_start": float(star.point[0]),
    }
    return {**observed(problem), **{name: (value, error) for name, value in slopes.items()}}


def line_letters(problem: Problem) -> dict[str, Pair | float]:
    """On the line: the slope of the retain loss at theta*."""
    star = problem.full_optimum
    slope = float(_slope(problem.retain, star.point)[0])
    return {**smooth_letters(problem), "slope_retain": (slope, 42 * problem.mu * star.distance)}


def _measured(letters: Callable[[Problem], dict[str, Pair | float]]) -> Callable[[Batch], Letters]:
    return row_by_row(quietly(lambda row: letters(problem_of(row))))


PROBLEMS = Source("problems", space(7, whole(1, 12)), _measured(observed), 1024)
LOTTERIES = Source(
    "lotteries on problems",
    {**space(7, whole(1, 6)), "delta": log(1e-8, 0.999)},
    row_by_row(quietly(lambda row: lottery_letters(problem_of(row), row["delta"]))),
    1024,
)
WILD = Source("wild problems", {**space(8, whole(1, 3)), "first_kind": fixed(7)}, _measured(observed), 96)
SMOOTHED = Source("smooth problems", space(SMOOTH, whole(1, 5)), _measured(smooth_letters), 1024)
LINE = Source("problems on the line", space(SMOOTH, fixed(1)), _measured(line_letters), 1024)
LARGE = Source(
    "problems with r >= 1/3",
    {**space(7, whole(1, 6)), "r": linear(1 / 3 + 1e-9, 0.999)},
    _measured(observed),
    192,
)
