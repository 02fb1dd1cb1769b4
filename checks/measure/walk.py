"""The walk that is blind to all data, on hard problems of the simulator: each at a time of its own."""

import numpy as np
import sympy as sp

from oubli.checks.measure import records
from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.relation import Letters, side
from oubli.checks.measure.sharper.record import needed
from oubli.checks.measure.source import Batch, Source, linear, whole
from oubli.sim.losses.families import hard
from oubli.sim.problems.mixture import Mixture
from oubli.sim.require import Array
from oubli.theory.records.claim import Instance

# Values of order L^2/mu lose a few roundings.
ROUNDING = 1e-14


def risk_after(T: Array, steps: Array, m: Array, L: Array, mu: Array) -> Array:
    """The excess risk of the T-th of the points from -R to R on the hard problem of mean m."""
    return np.array([_risk(*row) for row in zip(T, steps, m, L, mu, strict=True)])


def _risk(T: float, steps: float, m: float, L: float, mu: float) -> float:
    R = L / (2 * mu)
    mixture = Mixture((hard(1.0, 1, L, mu), hard(-1.0, 1, L, mu)), [(1 + m) / 2, (1 - m) / 2])
    here, best = mixture.value(np.array([[R * (2 * T / steps - 1)], [R * m]]))
    return float(here - best)


def passed_letters(batch: Batch) -> Letters:
    """One hard problem, when the walk is nearest to its optimum."""
    steps, m, L, mu = (batch[name] for name in ("steps", "m", "L", "mu"))
    T = np.round(steps * (1 + m) / 2)
    values = {"L": L, "mu": mu, "N_grid": steps, "m_passed": m, "T": T}
    risk = risk_after(T, steps, m, L, mu)
    return Letters({**values, "E_passed": risk}, {"E_passed": ROUNDING * L**2 / mu})


def order_letters(batch: Batch) -> Letters:
    """Two hard problems of the lower bound, each when the walk is nearest to its optimum."""
    T, L, mu = (batch[name] for name in ("steps", "L", "mu"))
    gamma = needed(records.OWN_TIMES, "gamma", {"T": T})
    times = [np.round(T * (1 + m) / 2) for m in (gamma, -gamma)]
    return _reached(T, times, T, gamma, L, mu)


def _reached(T: Array, times: list[Array], steps: Array, gamma: Array, L: Array, mu: Array) -> Letters:
    risks = [risk_after(at, steps, m, L, mu) for at, m in zip(times, (gamma, -gamma), strict=True)]
    error = ROUNDING * L**2 / mu
    values = {"L": L, "mu": mu, "T": T, "gamma": gamma, "T_plus": times[0], "T_minus": times[1]}
    values |= {"E_plus": risks[0], "E_minus": risks[1]}
    passed = records.statement(records.PASSES).says
    values["e"] = side(passed, "E_passed", Letters({"L": L, "mu": mu, "N_grid": steps}))
    return Letters(values, dict.fromkeys(("E_plus", "E_minus"), error))


def measured_walk(instance: Instance) -> Letters:
    """The letters of the stored witness: the walk's risks on its two problems, by the simulator."""
    named = {str(symbol): np.array([float(sp.sympify(x))]) for symbol, x in instance.values.items()}
    T, gamma, L, mu = (named[name] for name in ("T", "gamma", "L", "mu"))
    found = _reached(T, [named["T_plus"], named["T_minus"]], T, gamma, L, mu)
    return Letters({**found.values, **named}, found.errors)


_SIZE = {**axes_of("L mu"), "steps": whole(1, 1000)}
PASSED = Source("a blind walk on a hard problem", {**_SIZE, "m": linear(-1, 1, (0.0,))}, passed_letters)
ORDER = Source("a blind walk on two hard problems", _SIZE, order_letters)
