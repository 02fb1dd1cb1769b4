"""Rare kinks: the bounds against the best of all private kernels, by linear programmes on small grids."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import gammaln

from oubli.theory.regimes import classify
from oubli.theory.regimes.bayes_kink import bayes_steps, gain
from oubli.theory.regimes.caps import cap_means
from oubli.theory.regimes.hops import steps
from oubli.theory.regimes.sphere import SPHERE
from oubli.theory.search.ball import precision


def refused(family, r, eps, delta, d):
    """The largest risk at which T = 0 is refused, by bisection."""
    low, high = 1e-6, 1.0
    for _ in range(30):
        middle = math.sqrt(low * high)
        forced = steps(family, *(np.array([float(v)]) for v in (middle, r, eps, delta, d)))[0] >= 1
        low, high = (middle, high) if forced else (low, middle)
    return low


def circle(r, eps, A, starts=36):
    """The least worst risk of all (eps, 0)-private kernels on the circle of radius A, pure LP over a grid.

    Rotations make the kernel a law of (angle, radius) around the start; neighbours are at most 2 r apart.
    """
    phi = 2 * math.pi * np.arange(starts) / starts
    radii = np.linspace(0, 1, 11) * A
    shift = max(1, math.floor(2 * math.asin(min(r / A, 1)) / (2 * math.pi / starts) + 1e-9))
    p, q = radii[:, None] * np.cos(phi), radii[:, None] * np.sin(phi)
    cost = p**2 + q**2 - A**2 + 2 * np.hypot(p - A, q)
    size = cost.size
    index = np.arange(size).reshape(cost.shape)
    rows = []
    for step in range(1, shift + 1):
        for turned in (np.roll(index, step, axis=1), np.roll(index, -step, axis=1)):
            block = np.zeros((size, size))
            block[index.ravel(), index.ravel()] += 1
            block[index.ravel(), turned.ravel()] -= math.exp(eps)
            rows.append(block)
    found = linprog(cost.ravel(), np.vstack(rows), np.zeros(len(rows) * size), np.ones((1, size)), [1.0])
    return found.fun


@pytest.mark.parametrize("eps", [0.3, 1.0])
@pytest.mark.parametrize("A", [0.3, 0.5])
def test_no_private_kernel_on_a_circle_does_better(eps, A):
    # The grid allows hops by whole steps only: r is chosen such that one step is a hop of 2 r exactly.
    r = A * math.sin(math.pi / 36)
    best = circle(r * (1 + 1e-9), eps, A)
    assert best >= _circle_bound(r, eps, A) > 0


def _circle_bound(r, eps, A):
    """sharp.sphere.start on this circle, by its formula in angles, for both caps of the line."""
    eta, best, alpha = 2 * math.asin(r / A), 0.0, np.linspace(0, math.pi / 2, 20_001)
    for P, D in ((0.5, math.exp(eps) / 2 - math.cos(eta) / 2), (1.0, math.exp(eps) / 2)):
        theta = math.atan2(math.sin(eta) * P, D)
        best = max(best, float((2 * A * np.cos(alpha) - A**2 - np.cos(alpha + theta) ** 2).max()))
    return best


@pytest.mark.parametrize(("A", "eps"), [(0.27, 0.5), (0.5, 0.2)])
def test_the_calculator_refuses_what_the_formula_on_its_radii_does(A, eps):
    r = A * math.sin(math.pi / 36)
    assert refused(SPHERE, r, eps, 1e-12, 2) >= 0.99 * _circle_bound(r, eps, A)


def line(r, eps, A, cells=24):
    """The least worst risk of all (eps, 0)-private kernels from a grid of starts in [-A, A] to itself."""
    grid = np.linspace(-A, A, cells)
    hop = max(1, math.floor(2 * r / (grid[1] - grid[0]) + 1e-9))
    n = cells
    cost = grid[None, :] ** 2 - grid[:, None] ** 2 + 2 * abs(grid[None, :] - grid[:, None])
    # Variables: n x n kernel, then the worst risk.
    rows, right = [], []
    for i in range(n):
        row = np.zeros(n * n + 1)
        row[i * n : (i + 1) * n], row[-1] = cost[i], -1
        rows.append(row)
        right.append(0.0)
        for j in range(max(0, i - hop), min(n, i + hop + 1)):
            for k in range(n * (i != j)):
                row = np.zeros(n * n + 1)
                row[i * n + k], row[j * n + k] = 1, -math.exp(eps)
                rows.append(row)
                right.append(0.0)
    sums = np.zeros((n, n * n + 1))
    for i in range(n):
        sums[i, i * n : (i + 1) * n] = 1
    objective = np.zeros(n * n + 1)
    objective[-1] = 1
    return linprog(objective, np.array(rows), np.array(right), sums, np.ones(n)).fun


@pytest.mark.parametrize(("r", "eps"), [(0.05, 0.5), (0.1, 0.3)])
def test_no_private_kernel_on_a_line_of_starts_misses_less(r, eps):
    A = 0.6
    nu = 1 - 2 * r / A
    best = line(r, eps, A)
    for P, X1 in ((0.5, 0.5), (1.0, 0.0)):
        zeta = 2 * r * nu * P / (math.exp(eps) / 2 - nu * X1)
        assert best >= zeta**2 + 2 * (1 - A) * zeta


@pytest.mark.parametrize("n", [2, 3, 9, 40])
def test_means_over_caps_are_those_of_the_density(n):
    omega = (np.arange(200_000) + 0.5) / 200_000 * math.pi
    log_whole = math.log(math.sqrt(math.pi)) + gammaln((n - 1) / 2) - gammaln(n / 2)
    chance = np.exp((n - 2) * np.log(np.sin(omega)) - log_whole) * math.pi / 200_000
    for k0, k1 in (
        (Fraction(3, 2), Fraction(1, 3)),
        (Fraction(1, 4), Fraction(-2)),
        (Fraction(0), Fraction(0)),
    ):
        with precision(128):
            found = {name: float(ball) for name, ball in cap_means(n, k0, k1).items()}
        inside = omega <= math.atan2(1, float(k1))
        bent = np.cos(omega) - float(k0) * np.sin(omega)
        expected = [
            chance @ np.maximum(bent, 0),
            -(chance * inside) @ bent,
            (chance * inside) @ np.cos(omega),
            1 - chance @ inside,
        ]
        assert list(found.values()) == pytest.approx(expected, abs=3e-5)


def test_the_gain_of_a_step_is_the_best_answer_to_the_prior():
    T, m, other, p, G, q = (
        3,
        Fraction(1, 2),
        Fraction(-1, 4),
        Fraction(3, 5),
        Fraction(1, 5),
        Fraction(11, 20),
    )
    best = 0.0
    for k in range(T + 1):
        a, c = (
            math.comb(T, k) * ((1 + u) / 2) ** k * ((1 - u) / 2) ** (T - k) for u in (float(m), float(other))
        )
        v = np.linspace(0, 1, 100_001)
        best += (0.6 * a * (v - 0.2) ** 2 + 0.4 * c * (v**2 + 2 * 0.55 * v)).min()
    with precision(128):
        assert 0.6 * 0.04 - float(gain(T, m, other, p, G, q)) == pytest.approx(best, abs=1e-9)


def test_without_gradients_nearly_four_r_squared_is_forced():
    r = np.array([1e-3, 1e-2, 0.1])
    # The prior 1 - r at m = 1 gives 4 r^2 (1 - r); the search stops at m = 0.999.
    assert np.all(bayes_steps(4 * r**2 * (1 - r) * 0.99, r) >= 1)
    assert np.all(bayes_steps(4 * r**2 / (1 - r**2), r) == 0)


@pytest.mark.parametrize(("d", "claim"), [(2, "sharp.ball"), (100, "sharp.sphere")])
def test_the_new_bounds_are_named(d, claim):
    found = classify(rf=1e-3, eps=0.2, delta=1e-8, dim=d, target=1e-2)
    assert found.certified.tolist() == ["inefficient"]
    assert claim in found.claims(0)
