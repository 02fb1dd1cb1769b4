"""The constants that a rule is given, and what is refused."""

import pytest

from oubli.sim.problems.setup import Setup

GOOD = {"L": 2.0, "mu": 0.5, "r_f": 0.1, "d": 1, "eps": 1.0, "delta": 1e-5, "T": 3, "batch": 1}


def test_derived_constants():
    setup = Setup(**GOOD)
    assert setup.R == 2.0
    assert setup.e0 == 1.0
    # sqrt(2 ln 125000), evaluated elsewhere to 15 digits.
    assert setup.kappa == pytest.approx(4.84480526260539, abs=1e-13)


def test_sensitivity_in_one_and_more_dimensions():
    assert Setup(**GOOD).sensitivity == pytest.approx(0.1 * 4)
    assert Setup(**{**GOOD, "d": 2}).sensitivity == pytest.approx(2 * 0.1 / 1.1 * 4)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("L", 0.0),
        ("L", float("inf")),
        ("mu", -1.0),
        ("r_f", 1.0),
        ("r_f", -0.01),
        ("r_f", float("nan")),
        ("d", 0),
        ("d", 1.0),
        ("eps", -0.5),
        ("delta", 1.0),
        ("T", -1),
        ("T", 3.5),
        ("batch", 0),
    ],
)
def test_each_bad_value_is_named(field, value):
    with pytest.raises(ValueError, match=rf"{field} must .*, got {value}"):
        Setup(**{**GOOD, field: value})


def test_no_gaussian_noise_is_enough_for_pure_or_perfect_privacy():
    with pytest.raises(ValueError, match="kappa needs eps > 0"):
        _ = Setup(**{**GOOD, "eps": 0.0}).kappa
    with pytest.raises(ValueError, match="kappa needs delta > 0"):
        _ = Setup(**{**GOOD, "delta": 0.0}).kappa
