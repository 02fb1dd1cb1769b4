"""The draws have the law they claim."""

import numpy as np
import pytest

from oubli.checks.measure.confidence import proportion_interval
from oubli.sim.problems.draws import CELLS, Sampler


@pytest.mark.parametrize(
    "weights", [[0.5, 0.5], [0.3, 0.7], [1e-4, 0.2, 0.7999], [0.0, 1.0], [1.0], [1e-7, 1 - 1e-7]]
)
def test_words_decide_exactly(weights):
    sampler = Sampler(np.array(weights))
    words = np.arange(CELLS, dtype=np.uint16)
    whole = np.bincount(sampler._classify(words)[~np.isin(words, sampler._cut)], minlength=len(weights))
    exact = np.array(weights) * CELLS
    # Uncut cells give each outcome its whole cells; what is missing lies in at most one cell per edge.
    assert np.all(whole <= exact + 1e-6)
    assert np.all(exact - whole <= 2)


def test_frequencies_lie_in_their_intervals():
    weights, n = np.array([0.1, 2e-5, 0.5 - 2e-5, 0.4]), 400_000
    drawn = Sampler(weights).draw(np.random.default_rng(5), (n,))
    for k, weight in enumerate(weights):
        assert proportion_interval(int((drawn == k).sum()), n, len(weights)).holds(weight)


def test_a_weight_smaller_than_a_cell_keeps_its_law():
    p, n = 2.0**-18, 1 << 22
    drawn = Sampler(np.array([p, 1 - p])).draw(np.random.default_rng(7), (n,))
    count = int((drawn == 0).sum())
    assert proportion_interval(count, n, 1).holds(p)
    assert not proportion_interval(count, n, 1).holds(2.0**-16)


def test_draws_do_not_depend_on_the_shape():
    sampler = Sampler(np.array([0.3, 0.3, 0.4]))
    flat = sampler.draw(np.random.default_rng(1), (60,))
    assert np.array_equal(flat, sampler.draw(np.random.default_rng(1), (3, 4, 5)).ravel())
