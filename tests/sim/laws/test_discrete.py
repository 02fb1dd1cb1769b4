"""Finite laws: against enumeration of every event."""

from fractions import Fraction
from itertools import chain, combinations

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oubli.sim.laws import (
    Law,
    are_close,
    binomial_pmf_exact,
    binomial_tv_exact,
    dominates,
    extremal_pair,
    hockey_stick,
    hockey_stick_ball,
    mixture,
    product,
    total_variation,
)


@st.composite
def laws(draw, size=4):
    weights = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    assume(sum(weights) > 0)
    return Law({k: Fraction(w, sum(weights)) for k, w in enumerate(weights)})


def events(P, Q):
    outcomes = sorted({*P.outcomes(), *Q.outcomes()})
    return chain.from_iterable(combinations(outcomes, k) for k in range(len(outcomes) + 1))


def best_event(P, Q, factor):
    return max(sum((P[o] - factor * Q[o] for o in event), Fraction(0)) for event in events(P, Q))


factors = st.fractions(min_value=0, max_value=8, max_denominator=20)


@settings(deadline=None)
@given(laws(), laws(), factors)
def test_divergence_is_the_best_event(P, Q, factor):
    assert hockey_stick(P, Q, factor) == best_event(P, Q, factor)
    assert total_variation(P, Q) == total_variation(Q, P) == best_event(P, Q, 1)


def euler_power(eps):
    """A rational within 1e-50 of e^ε, from mpmath."""
    with mpmath.workdps(80):
        power = mpmath.exp(mpmath.mpf(eps.numerator) / eps.denominator)
        return Fraction(int(power * 10**60), 10**60)


@settings(deadline=None)
@given(laws(), laws(), st.fractions(min_value=-1, max_value=3, max_denominator=50))
def test_enclosed_divergence_is_the_best_event(P, Q, eps):
    lower, upper = hockey_stick_ball(P, Q, eps)
    slack = Fraction(1, 10**40)
    assert lower - slack <= best_event(P, Q, euler_power(eps)) <= upper + slack
    assert (upper - lower) * 10**30 <= lower


@settings(deadline=None)
@given(laws(), laws(), st.fractions(min_value=0, max_value=2, max_denominator=50), st.fractions(0, 1))
def test_closeness_is_every_event_in_both_directions(P, Q, eps, delta):
    gaps = [best_event(*pair, euler_power(eps)) - delta for pair in ((P, Q), (Q, P))]
    assume(eps == 0 or all(gap == 0 or abs(gap) > Fraction(1, 10**40) for gap in gaps))
    assert dominates(P, Q, eps, delta) == (gaps[0] <= 0)
    assert are_close(P, Q, eps, delta) == (max(gaps) <= 0)


def test_closeness_next_to_e_is_decided():
    e = euler_power(Fraction(1))
    inside, outside = e - Fraction(1, 10**45), e + Fraction(1, 10**45)
    for ratio, close in ((inside, True), (outside, False)):
        P = Law({0: ratio / (1 + ratio), 1: 1 / (1 + ratio)})
        Q = Law({0: 1 / (1 + ratio), 1: ratio / (1 + ratio)})
        assert are_close(P, Q, 1, 0) is close


def test_closeness_is_not_symmetric_in_one_direction():
    P, Q = Law({0: 1}), Law({0: "1/2", 1: "1/2"})
    assert dominates(P, Q, 1, 0)
    assert not dominates(Q, P, 1, "0.49")
    assert dominates(Q, P, 1, "1/2")


@settings(deadline=None)
@given(st.fractions(1, 50), st.fractions(0, 1))
def test_extremal_pair_attains_the_sharp_bound(factor, delta):
    P, Q = extremal_pair(factor, delta)
    assert hockey_stick(P, Q, factor) == hockey_stick(Q, P, factor) == delta
    assert total_variation(P, Q) == (factor - 1 + 2 * delta) / (factor + 1)


@settings(deadline=None)
@given(laws(3), laws(3), factors)
def test_no_close_pair_beats_the_sharp_bound(P, Q, factor):
    assume(factor >= 1)
    delta = max(hockey_stick(P, Q, factor), hockey_stick(Q, P, factor))
    assert total_variation(P, Q) <= (factor - 1 + 2 * delta) / (factor + 1)


@settings(deadline=None)
@given(laws(3), laws(3), laws(2))
def test_a_common_independent_part_changes_nothing(P, Q, R):
    assert total_variation(product(P, R), product(Q, R)) == total_variation(P, Q)


def test_a_product_of_coins_is_as_far_apart_as_its_count():
    p, q = Fraction(1, 3), Fraction(2, 5)
    left, right = (Law({0: 1 - t, 1: t}) for t in (p, q))
    three = [product(product(coin, coin), coin) for coin in (left, right)]
    assert total_variation(*three) == binomial_tv_exact(3, p, q)


@settings(deadline=None)
@given(laws(3), laws(3), st.fractions(0, 1))
def test_mixture_is_linear(P, Q, share):
    M = mixture([share, 1 - share], [P, Q])
    assert all(M[o] == share * P[o] + (1 - share) * Q[o] for o in range(3))
    assert total_variation(M, Q) == share * total_variation(P, Q)


def test_laws_are_values():
    assert Law({0: "1/2", 1: "1/2", 2: 0}) == Law({1: 0.5, 0: 0.5})
    with pytest.raises(AttributeError):
        Law({0: 1}).probabilities = {}
    with pytest.raises(TypeError):
        Law({0: 1}).probabilities[0] = Fraction(1, 2)
    assert Law(dict(enumerate(binomial_pmf_exact(4, Fraction(1, 3)))))[4] == Fraction(1, 81)


@pytest.mark.parametrize("bad", [{0: "1/2"}, {0: "3/2", 1: "-1/2"}, {}])
def test_probabilities_must_add_up(bad):
    with pytest.raises(ValueError, match="must"):
        Law(bad)


def test_bad_arguments_are_named():
    P = Law({0: 1})
    with pytest.raises(ValueError, match="factor must be at least 1"):
        extremal_pair("1/2", 0)
    with pytest.raises(ValueError, match="delta = 2"):
        dominates(P, P, 1, 2)
    with pytest.raises(ValueError, match="longer"):
        mixture([1], [P, P])
