"""The oracle itself, against enumeration of coin strings and closed forms."""

from fractions import Fraction
from itertools import product

import pytest

from oubli.sim.laws.binomial_exact import binomial_pmf_exact, binomial_tv_exact


def enumerated(T, p):
    counts = [Fraction(0)] * (T + 1)
    for coins in product((0, 1), repeat=T):
        weight = Fraction(1)
        for coin in coins:
            weight *= p if coin else 1 - p
        counts[sum(coins)] += weight
    return counts


@pytest.mark.parametrize("T", [0, 1, 2, 7])
@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_probabilities_by_enumeration(T, p):
    assert list(binomial_pmf_exact(T, p)) == enumerated(T, p)


def test_total_variation_is_the_best_event():
    left, right = enumerated(5, Fraction(1, 3)), enumerated(5, Fraction(3, 7))
    best = max(
        sum((left[k] - right[k] for k in range(6) if event[k]), Fraction(0))
        for event in product((False, True), repeat=6)
    )
    assert binomial_tv_exact(5, "1/3", "3/7") == best


def test_one_coin_and_no_coin():
    assert binomial_tv_exact(1, "0.2", "0.9") == Fraction(7, 10)
    assert binomial_tv_exact(0, "0.2", "0.9") == 0
