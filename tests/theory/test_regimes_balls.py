"""The floats of the calculator against balls: every end of every bracket, and the library functions."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from oubli.theory.regimes import Constants, Noise, Notion, classify
from oubli.theory.regimes import chain as chain_module
from oubli.theory.regimes import linear as linear_module
from oubli.theory.regimes import sgd as sgd_module
from oubli.theory.regimes.enclosed import unconfirmed
from oubli.theory.regimes.phase import Plane, boundaries


def rows(seed, size):
    rng = np.random.default_rng(seed)
    return {
        "rf": 10 ** rng.uniform(-5, -0.01, size),
        "eps": 10 ** rng.uniform(-3, 2.5, size),
        "delta": 10 ** rng.uniform(-9, -0.1, size),
        "dim": rng.integers(1, 300, size),
        "target": 10 ** rng.uniform(-5, 0.1, size),
    }


@pytest.mark.parametrize("notion", list(Notion))
@pytest.mark.parametrize("constants", list(Constants))
def test_balls_confirm_every_end_of_random_brackets(constants, notion):
    found = classify(**rows(31, 150), constants=constants, notion=notion)
    assert [unconfirmed(found, row) for row in range(150)] == [()] * 150


@pytest.mark.parametrize("constants", list(Constants))
def test_balls_confirm_the_classical_noise_and_the_line(constants):
    table = rows(32, 40) | {"eps": np.geomspace(0.01, 5, 40), "dim": 1, "delta": 1e-5}
    found = classify(**table, constants=constants, noise=Noise.CLASSICAL)
    assert [unconfirmed(found, row) for row in range(40)] == [()] * 40


@pytest.mark.parametrize("point", [{"rf": 0.0}, {"eps": math.inf}, {"target": 1.0}, {"rf": 1 - 1e-12}])
@pytest.mark.parametrize("constants", list(Constants))
def test_balls_confirm_the_edges(point, constants):
    ordinary = {"rf": 0.1, "eps": 1.0, "delta": 1e-5, "dim": 3, "target": [0.9, 0.2, 1e-3]}
    found = classify(**{**ordinary, **point}, constants=constants)
    assert [unconfirmed(found, row) for row in range(len(found.query.x))] == [()] * len(found.query.x)


@pytest.mark.parametrize("plane", [(1e-2, 2, 1e-5), (1e-3, 10, 1e-6)])
def test_balls_confirm_the_regimes_on_both_sides_of_their_boundaries(plane):
    x = np.geomspace(2e-4, 0.9, 8)
    at = boundaries(Plane(*plane), x)
    for kappa in (at.trivial, at.efficient, at.inefficient):
        for side in (1 - 1e-8, 1 + 1e-8):
            found = Plane(*plane).at(x, kappa * side)
            assert [unconfirmed(found, row) for row in range(len(x))] == [()] * len(x)


@pytest.mark.parametrize(
    ("module", "name", "factor"),
    [(chain_module, "_OVER_ARCS", 1.01), (sgd_module, "V", 0.98), (linear_module, "_EACH", 0.98)],
)
def test_a_bound_that_is_a_little_too_good_is_caught(monkeypatch, module, name, factor):
    monkeypatch.setattr(module, name, getattr(module, name) * factor)
    found = classify(**rows(33, 150))
    assert any(unconfirmed(found, row) for row in range(150))


@pytest.mark.parametrize(
    ("function", "exact", "low", "high"),
    [
        (np.exp, mpmath.exp, 1e-6, 700),
        (np.expm1, mpmath.expm1, 1e-6, 700),
        (np.tanh, mpmath.tanh, 1e-7, 300),
        (np.log, mpmath.log, 1.01, 1e300),
        (np.log1p, mpmath.log1p, 1e-9, 1e15),
        (np.arcsin, mpmath.asin, 1e-6, 1),
        (np.arctanh, mpmath.atanh, 1e-3, 0.99),
    ],
)
def test_library_functions_are_as_accurate_as_the_analysis_says(function, exact, low, high):
    values = np.geomspace(low, high, 4000)
    values = values[values <= high]
    computed = function(values)
    with mpmath.workdps(40):
        for value, found in zip(values, computed, strict=True):
            true = exact(mpmath.mpf(float(value)))
            assert abs(mpmath.mpf(float(found)) / true - 1) <= 16 * mpmath.mpf(2) ** -53


def test_the_margin_moves_by_what_it_says():
    from oubli.theory.regimes.safe import down, up

    value = np.float64(0.1)
    assert Fraction(float(up(value))) > Fraction(float(value)) * (1 + Fraction(8000, 2**53))
    assert Fraction(float(down(value))) < Fraction(float(value)) * (1 - Fraction(8000, 2**53))
