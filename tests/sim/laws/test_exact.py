"""Exact input: nothing is rounded on the way in, and nonsense is named."""

from fractions import Fraction

import numpy as np
import pytest

from oubli.sim.laws.exact import exact, exact_integer, exact_probability


def test_each_kind_of_number_keeps_its_meaning():
    assert exact("0.1") == Fraction(1, 10)
    assert exact("1e-7") == Fraction(1, 10**7)
    assert exact("-3/9") == Fraction(-1, 3)
    assert exact(0.1) == Fraction(3602879701896397, 2**55)
    assert exact(np.float64(0.5)) == Fraction(1, 2)
    assert exact(np.int64(7)) == 7


@pytest.mark.parametrize("text", ["", "a", "nan", "inf", "1/0", "0x10", "1e999999999", "1e-9999999999999"])
def test_nonsense_text_is_rejected_with_its_value(text):
    with pytest.raises(ValueError, match=r"^p = "):
        exact(text, "p")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_floats_must_be_finite(value):
    with pytest.raises(ValueError, match="finite"):
        exact(value)


@pytest.mark.parametrize("value", [None, True, 1j, [1]])
def test_other_types_are_type_errors(value):
    with pytest.raises(TypeError):
        exact(value)


@pytest.mark.parametrize("value", ["2.5", -1, "1/3"])
def test_step_counts_are_nonnegative_integers(value):
    with pytest.raises(ValueError, match="T must be an integer, at least 0"):
        exact_integer(value, "T")


def test_probabilities_include_their_ends():
    assert (exact_probability(0, "p"), exact_probability("1", "p")) == (0, 1)
    with pytest.raises(ValueError, match=r"p = 1\.2: p must lie in \[0, 1\]"):
        exact_probability("1.2", "p")
