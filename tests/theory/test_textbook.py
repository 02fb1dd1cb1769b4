"""The list of outside results is pinned: growing it is a decision."""

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


def test_every_reason_is_one_of_them_or_given() -> None:
    assert {"given", *TEXTBOOK, *CLASS} == REASONS
