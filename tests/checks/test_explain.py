"""`--explain`: each number that is put in is that of the record, and what it shows is true."""

import json
import math

import pytest

import oubli
from oubli.answers.explain import explained
from oubli.theory.regimes import classify

POINTS = [
    {"rf": 0.001, "eps": 1.0, "delta": 1e-5, "dim": 10, "target": 0.05},
    {"rf": 0.0016, "eps": 1.0, "delta": 1e-5, "dim": 7850, "target": 1e-5},
    {"rf": 0.1, "eps": 1.0, "delta": 1e-5, "dim": 2, "target": 1e-4},
    {"rf": 0.001, "eps": 4.0, "delta": 1e-6, "dim": 10, "target": 0.02},
]


@pytest.mark.parametrize("point", POINTS)
def test_every_end_is_argued_by_the_claims_it_names(point):
    found = classify(**point)
    parts = explained(found, 0).data
    assert [part["end"] for part in parts] == [f"T_{kind} {end}" for kind in ("scratch", "unlearn") for end in
                                               ("lower", "upper")]  # fmt: skip
    ends = [best.steps[0] for pair in (found.scratch, found.unlearn) for best in pair]
    assert [part["bound"] for part in parts] == ends
    cited = {part["claim"] for part in parts if part["claim"]} | {
        other["claim"] for part in parts for other in part["also"]
    }
    # A lower end 0 needs no claim.
    assert cited == set(found.claims(0)) - ({"scratch.positive"} if ends[0] == 0 else set())
    for part in parts:
        lower = part["end"].endswith("lower")
        if part["claim"]:
            assert part["relations"] or part["claim"] in ("sharp.trivial", "e0.zero")
        assert all(relation["holds"] is not lower for relation in part["relations"])


def test_the_sides_are_those_of_the_formula():
    """L^2/(8 mu) <= e (1 + sqrt(T))^2 at one gradient less than 13, with e = 0.05/8, by hand."""
    (relation,) = explained(classify(**POINTS[0]), 0).data[0]["relations"]
    assert relation["left"] == 0.125
    assert relation["right"] == pytest.approx(0.05 / 8 * (1 + math.sqrt(12)) ** 2)
    assert not relation["holds"]


def test_command_and_python_show_it(run):
    words = [word for name, value in POINTS[0].items() for word in (f"--{name}", str(value))]
    _, out, _ = run("regime", *words, "--explain")
    assert out.startswith("Why, claim by claim")
    assert "is false: one gradient less cannot reach the target" in out
    assert out.rstrip().endswith(".")
    assert out.startswith(oubli.regime(**POINTS[0]).explain())
    _, out, _ = run("regime", *words, "--explain", "--json")
    assert json.loads(out)["explanation"][0]["claim"] == "sharp.scratch.lower"


def test_without_a_point_there_is_nothing_to_explain(run):
    words = ["--rf", "0.1", "--eps", "1", "--delta", "1e-5", "--dim", "2", "--explain"]
    code, _, err = run("regime", *words)
    assert (code, err.count("\n")) == (2, 1)


def test_only_letters_of_the_claim_are_listed():
    """The coin flips speak of L, μ, e, T and M_scratch, the least risk; of no privacy and no dimension."""
    part = explained(classify(**POINTS[0]), 0).data[0]
    assert part["claim"] == "sharp.scratch.lower"
    assert {letter["letter"] for letter in part["letters"]} == {"L", "mu", "e", "T", "M_scratch"}
