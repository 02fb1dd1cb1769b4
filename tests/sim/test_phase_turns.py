"""Kinked coordinates under constant steps: closed forms and bounds against the recursion, step by step."""

import numpy as np
import pytest

from oubli.sim.experiments.synthetic.constant import undecided
from oubli.sim.experiments.synthetic.paths import Bends
from oubli.sim.experiments.synthetic.turns import turns
from oubli.sim.experiments.walk import BLOCK, Pending, minima

MU, KINKS = 2.0, np.array([0.7, 3.0])
STEPS = (0.5, 0.11, 0.003)
SIZES = (0.0, 1e-9, 0.02, 0.4, 3.0, 40.0)


def stepped(x, q, a, T):
    """|Σ_{i<k} y_i|/k for k = 1 … T, by the recursion."""
    y, total, found = x, 0.0, []
    for k in range(1, T + 1):
        total += y
        found.append(abs(total) / k)
        y = (1 - a) * y - a * q * np.sign(y)
    return np.array(found)


def chains():
    """Every pair of a step and a size, the two coordinates at different sizes."""
    a, x = (np.array(values) for values in zip(*[(a, x) for a in STEPS for x in SIZES], strict=True))
    sizes = np.stack([x, x[::-1]])
    return a, turns(Bends(np.zeros(len(a)), sizes, KINKS, MU), a)


def oracle(path, a, T):
    """Sizes of shape (coordinates, T, chains)."""
    columns = [
        [stepped(path.x[i, j], KINKS[i] / MU, a[j], T) for j in range(len(a))] for i in range(len(KINKS))
    ]
    return np.moveaxis(np.array(columns), 2, 1)


def G(a, k):
    return -np.expm1(k * np.log1p(-a)) / a


def test_closed_form_is_the_recursion():
    a, path = chains()
    sizes = oracle(path, a, 700)
    for k in (1, 2, 3, 17, 100, 699, 700):
        assert path.average(np.full(len(a), float(k)), G(a, k)) == pytest.approx(sizes[:, k - 1], abs=1e-9)


@pytest.mark.parametrize(("first", "last"), [(1, 16), (17, 48), (49, 304), (305, 560), (600, 700)])
def test_bounds_hold_over_a_chunk(first, last):
    a, path = chains()
    sizes = oracle(path, a, 700)[:, first - 1 : last]
    k = np.arange(first, last + 1.0)[:, None]
    added = (sizes * (MU / 2 * sizes + KINKS[:, None, None])).sum(axis=0)
    w = np.stack([G(a, float(each)) / each for each in k[:, 0]])
    powers = (w * w, w / k, w, 1 / k**2 + 0 * w, 1 / k + 0 * w, 1 + 0 * w)
    piece = path.piece(first, last)
    bound = sum(weight * power for weight, power in zip(piece.weights, powers, strict=True))
    # The closed forms cancel to about 1e-16·q/a, which is 1e-12 here.
    assert (bound <= added + 1e-9).all()
    assert (added <= bound + piece.width + 1e-9).all()
    low, high = path.ends(first, last)
    sums = sizes * k
    assert (np.maximum(np.maximum(low, -high), 0) <= sums.min(axis=1) + 1e-9).all()


def test_the_sum_drifts_after_its_turn():
    """By up to q/2, far more than one swing: a floor that forgets it is no floor."""
    a, q = 0.003, KINKS[1] / MU
    drifts = []
    for x in np.linspace(0.2, 0.21, 40):
        sums = stepped(x, q, a, 2000) * np.arange(1, 2001)
        turn = int(np.argmax(np.diff(sums) < 0))
        drifts.append(sums[turn + 1] - sums[turn + 1 :].min())
    assert max(drifts) > 20 * a * q


@pytest.mark.parametrize("steps", [1, BLOCK - 1, BLOCK, 5 * BLOCK + 3])
def test_minima_find_the_first_step(steps):
    rng = np.random.default_rng(steps)
    values = rng.integers(0, 40, size=(steps, 30)).astype(float)
    found = minima(values)
    column, level = (grid.ravel() for grid in np.meshgrid(np.arange(30), np.arange(-1.0, 41, 3)))
    plain = [
        next((t for t in range(steps) if values[t, j] <= e), steps)
        for j, e in zip(column, level, strict=True)
    ]
    assert found.first(column, level).tolist() == plain


def test_whatever_was_left_undecided_decides_nothing():
    """Values anywhere between the bounds, exact only where asked for, give the exact first passages."""
    rng = np.random.default_rng(5)
    levels = np.array([6.0, 3.0, 2.0, 1.5, 0.5, 0.2])
    for _ in range(50):
        bound = rng.random((60, 8)) * 8 * np.exp(-np.arange(60) / 25)[:, None]
        width = rng.random(8) * rng.choice([0.0, 0.01, 1.0], 8)
        exact = bound + width * rng.random(bound.shape)
        count = rng.integers(0, 3, 8)
        steps, columns = undecided(bound, width, Pending(levels, count))
        mixed = bound.copy()
        mixed[steps, columns] = exact[steps, columns]
        for j in range(8):
            for e in levels[count[j] :]:
                first = [next((t for t in range(60) if x[t, j] <= e), 60) for x in (mixed, exact)]
                assert first[0] == first[1]
