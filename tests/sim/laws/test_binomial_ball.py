"""The enclosure of the binomial total variation: against exact sums, Arb's incomplete beta, closed forms."""

from fractions import Fraction
from math import comb, floor

import pytest
from flint import arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oubli.sim.laws import binomial_ball, binomial_pmf_exact, binomial_tv_ball, binomial_tv_exact
from oubli.sim.laws.ball import endpoints
from oubli.sim.laws.binomial_ball import _crossing

probabilities = st.one_of(
    st.fractions(0, 1),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 10**12), 1 - Fraction(1, 10**12)]),
)


def holds(enclosure, digits, value):
    lower, upper = enclosure
    return lower <= value <= upper and (upper - lower) * 10**digits <= lower


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 40), probabilities, probabilities, st.sampled_from([1, 8, 30, 90]))
@example(6, Fraction(1, 3), Fraction(2, 3), 30)
@example(2, Fraction(0), Fraction(1), 30)
@example(40, Fraction(1, 10**12), Fraction(2, 10**12), 30)
def test_encloses_the_exact_sum(T, p, q, digits):
    assert holds(binomial_tv_ball(T, p, q, digits), digits, binomial_tv_exact(T, p, q))


@pytest.mark.parametrize("gap", [Fraction(1, 10**40), Fraction(1, 10**300)])
def test_tiny_gaps_keep_every_digit(gap):
    p = Fraction(2, 7)
    assert holds(binomial_tv_ball(30, p, p + gap), 30, binomial_tv_exact(30, p, p + gap))


@pytest.mark.parametrize("digits", [1, 30])
@pytest.mark.parametrize(("p", "q"), [("1/10", "9/10"), ("1/5", "1/2"), ("1/1000", "3/5"), ("3/10", "7/10")])
def test_a_saturated_total_variation_keeps_its_tails(p, q, digits):
    truth = binomial_tv_exact(300, p, q)
    assert truth < 1
    assert holds(binomial_tv_ball(300, p, q, digits), digits, truth)


@pytest.mark.parametrize("reach", [(0, 0), (2, 3), (9, 1), (60, 2), (2, 60)])
@pytest.mark.parametrize(("p", "q", "m"), [("1/5", "1/2", 20), ("1/1000", "3/5", 9), ("2/5", "1/2", 27)])
def test_whatever_is_cut_off_is_accounted_for(monkeypatch, p, q, m, reach):
    """With cuts far too near the peak, the ball must widen and still contain the exact difference."""
    T, f_x = 60, m - 1
    cuts = (Fraction(f_x - 1 - reach[0], T - 1), Fraction(f_x + 1 + reach[1], T - 1))
    monkeypatch.setattr(binomial_ball, "_window", lambda f, budget: cuts)
    left, right = (binomial_pmf_exact(T, Fraction(t)) for t in (p, q))
    with ctx.workprec(128):
        lower, upper = endpoints(binomial_ball._gap(T, m, Fraction(p), Fraction(q)))
    assert lower <= sum(right[m:]) - sum(left[m:]) <= upper


def incomplete_beta_gap(T, m, p, q, bits):
    with ctx.workprec(bits):
        upper, lower = (
            arb(fmpq(t.numerator, t.denominator)).beta_lower(m, T - m + 1, regularized=True) for t in (q, p)
        )
        gap = upper - lower
        mid, rad = (
            Fraction(int(man)) * Fraction(2) ** int(exp)
            for man, exp in (gap.mid().man_exp(), gap.rad().man_exp())
        )
        return mid - rad, mid + rad


@pytest.mark.parametrize("T", [10**3, 10**6, 10**9, 10**12])
@pytest.mark.parametrize(
    ("p", "spread"), [("1/2", 1), ("1/2", 12), ("3/10", 3), ("99/100", 2), ("1/1000", 1)]
)
def test_agrees_with_the_incomplete_beta_function(T, p, spread):
    centre = Fraction(p)
    other = min(
        centre + spread * Fraction(floor(10**9 * (float(centre * (1 - centre)) / T) ** 0.5), 10**9), 1
    )
    lower, upper = binomial_tv_ball(T, centre, other)
    with ctx.workprec(200):
        first, last = _crossing(T, *sorted((centre, other)))
    peer_lower, peer_upper = incomplete_beta_gap(T, first, centre, other, 320)
    assert first == last
    assert peer_upper - peer_lower < Fraction(1, 10**40)
    assert lower <= peer_upper
    assert peer_lower <= upper
    for neighbour in (first - 1, first + 1):
        if 1 <= neighbour <= T:
            assert incomplete_beta_gap(T, neighbour, centre, other, 320)[0] <= upper


def central_probability(T):
    """TV(Bin(T,½−h), Bin(T,½+h))/h as h → 0, for odd T: 2T·b((T−1)/2; T−1, ½)."""
    return 2 * T * Fraction(comb(T - 1, (T - 1) // 2), 2 ** (T - 1))


@pytest.mark.parametrize("T", [1, 3, 51, 9_999])
def test_slope_at_one_half_is_the_central_probability(T):
    h = Fraction(1, 10**40)
    lower, upper = binomial_tv_ball(T, Fraction(1, 2) - h, Fraction(1, 2) + h, 25)
    assert (
        lower / h * (1 - Fraction(1, 10**24))
        <= central_probability(T)
        <= upper / h * (1 + Fraction(1, 10**24))
    )


@pytest.mark.parametrize("T", [1, 10**6, 10**12])
def test_against_a_point_mass_the_answer_is_closed(T):
    q = Fraction(3, T + 5)
    with ctx.workprec(400):
        closed = 1 - (T * (1 - arb(fmpq(q.numerator, q.denominator))).log()).exp()
        peer = Fraction(int(closed.mid().man_exp()[0])) * Fraction(2) ** int(closed.mid().man_exp()[1])
    for pair in ((0, q), (q, 0), (1, 1 - q)):
        lower, upper = binomial_tv_ball(T, *pair)
        assert lower - Fraction(1, 10**60) <= peer <= upper + Fraction(1, 10**60)


@pytest.mark.parametrize("T", [7, 10**6, 10**12])
def test_symmetries(T):
    p, q = Fraction(3, 10), Fraction(3, 10) + Fraction(1, 10**7)
    assert binomial_tv_ball(T, p, q) == binomial_tv_ball(T, q, p) == binomial_tv_ball(T, 1 - p, 1 - q)


@pytest.mark.parametrize("T", [2, 100, 10**9, 10**12])
def test_a_tie_of_the_likelihood_ratio_does_not_matter(T):
    h = Fraction(1, 10**6)
    lower, upper = binomial_tv_ball(T, Fraction(1, 2) - h, Fraction(1, 2) + h)
    with ctx.workprec(300):
        assert _crossing(T, Fraction(1, 2) - h, Fraction(1, 2) + h)[0] == T // 2
    assert 0 < lower <= upper
    # On even T a tie at T/2 makes the laws of T and T − 1 coins equally far apart.
    odd_lower, odd_upper = binomial_tv_ball(T - 1, Fraction(1, 2) - h, Fraction(1, 2) + h)
    assert max(lower, odd_lower) <= min(upper, odd_upper)


@pytest.mark.parametrize(
    ("T", "gamma", "value"),
    [(1, "0.5", "0.25"), (10, "0.1", "0.127451466653"), (100, "0.1", "0.384471831001")],
)
def test_published_figures(T, gamma, value):
    lower, upper = binomial_tv_ball(T, "1/2", (1 + Fraction(gamma)) / 2)
    assert abs((lower + upper) / 2 - Fraction(value)) <= Fraction(1, 2 * 10**12)


def test_more_digits_refine():
    coarse = binomial_tv_ball(10**9, "1/2", "0.50001", 10)
    fine = binomial_tv_ball(10**9, "1/2", "0.50001", 400)
    assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
    assert (fine[1] - fine[0]) * 10**400 <= fine[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0, 1), "T = -1"),
        (("2.5", 0, 1), r"T = 2\.5"),
        ((10**101, 0, 1), "T must be"),
        ((1, "1.2", 1), r"p = 1\.2"),
        ((1, 0, "-1e-9"), "q = -1e-9"),
        ((1, 0, "nan"), "q = nan"),
        ((1, 0, 1, 0), "digits = 0"),
    ],
)
def test_nonsense_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        binomial_tv_ball(*arguments)
