"""The list of outside results is pinned: growing it is a decision."""

from theory.checker import REASONS as ACCEPTED
from theory.textbook import CLASS, REASONS, TEXTBOOK


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


def test_the_checker_pins_the_same_reasons() -> None:
    assert ACCEPTED == REASONS
