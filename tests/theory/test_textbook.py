"""The list of outside results is pinned: growing it is a decision."""

import pytest
import sympy as sp

from oubli.theory.kernel.statement import Fact
from oubli.theory.kernel.textbook import CLASS, TEXTBOOK


def test_the_list_of_outside_results_is_pinned() -> None:
    assert set(TEXTBOOK) == {
        "Cauchy-Schwarz",
        "Jensen",
        "coupling",
        "triangle",
        "data processing",
        "projection",
        "normal cone",
        "Gaussian privacy",
        "Mills",
        "exponential",
        "moments",
        "Hoeffding",
        "function",
    }
    assert set(CLASS) == {
        "strong convexity",
        "Lipschitz",
        "stationarity",
        "line",
        "ball",
        "definition",
        "privacy",
    }


def test_no_other_reason_can_be_recorded() -> None:
    x = sp.Symbol("x", real=True)
    for why in ("because", "domain", "meaning", "", "state"):
        with pytest.raises(ValueError, match="unknown reason"):
            Fact(sp.Ge(x, 0), why)
