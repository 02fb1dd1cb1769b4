"""The recommendation can be acted on, its numbers reach the target, its boundaries are where it says."""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest

import oubli
from oubli.answers.answer import Setting, answer
from oubli.answers.columns import columns
from oubli.answers.question import Question
from oubli.answers.thresholds import thresholds
from oubli.theory.regimes import Constants, classify
from oubli.theory.regimes.basis import At
from oubli.theory.regimes.enclosed import BITS
from oubli.theory.regimes.recipe import recipes
from oubli.theory.regimes.row import question
from oubli.theory.search.ball import precision

CASE = {"n": 60_000, "forget": 100, "eps": 1, "delta": 1e-5, "dim": 7850}


def shown(run, *arguments):
    code, out, _ = run(*arguments)
    assert code == 0
    return out


def words(case, **more):
    return [word for name, value in (case | more).items() for word in (f"--{name}", str(value))]


def test_the_case_without_a_target_ends_in_something_to_do(run):
    out = shown(run, "regime", *words(CASE))
    head, _, end = out.partition("No target was given.")
    assert "forget 100 of n = 60,000" in head
    assert re.search(r"^  [IET.]{73}$", head, re.MULTILINE)
    assert "Retrain from zero on the 59,900 samples you keep" in " ".join(end.split())
    assert "4.4 epochs" in end
    rows = json.loads(shown(run, "regime", *words(CASE), "--json"))["rows"]
    assert [row["question"]["target"] for row in rows][:3] == [1, 0.5, 0.2]
    assert 1 / 60_000 in [row["question"]["target"] for row in rows]


def test_the_case_in_real_units_says_everything_in_them():
    found = oubli.regime(**CASE, target="1/n", L=2, mu=0.01)
    text = " ".join(found.recommendation.split())
    # e0 = L^2/(8 mu) = 50, e = 50/60000; R = L/(2 mu) = 100
    assert "an expected excess risk of 0.0008333 (1.667e-05 e0)" in text
    assert "|theta| <= 100" in text
    assert "w_t/(0.01 p_t)" in text
    assert found.data["question"]["e0"] == 50
    assert found.data["epochs_unlearn"][1] == pytest.approx(found.T_unlearn[1] / 60_000)
    assert found.action == "retrain"


def test_python_frame_and_notebook_say_the_same():
    found = oubli.regime(**CASE, target=0.02)
    row = found.to_frame().iloc[0]
    assert row["action"] == found.action == "retrain"
    assert row["recommendation"] == found.recommendation
    assert (row["n"], row["T_scratch_hi"], row["schedule"]) == (60_000, found.T_scratch[1], "growing")
    page = found._repr_html_()
    assert "<ol><li>" in page
    assert found.data["recommendation"]["summary"].split(".")[0] in page
    swept = oubli.regime_by_target(**CASE)
    assert "retrain" in swept._repr_html_()
    assert len(swept.to_frame()) == len(swept.data["rows"])


@pytest.mark.parametrize(
    ("change", "action", "says"),
    [
        ({"target": 2.0}, "release 0", "Release the zero model"),
        ({"target": 0.9}, "release", "Release the trained model with noise"),
        ({"eps": math.inf}, "release", "with no noise (there is nothing to hide)"),
        ({"target": 0.02}, "fine-tune", "at most half of what retraining needs"),
        ({"target": 3e-3}, "fine-tune", "is not proved"),
        ({"target": 1e-9}, "retrain", "No unlearning algorithm does with fewer than"),
    ],
)
def test_each_action_has_its_words(change, action, says):
    found = oubli.regime(**{"rf": 0.001, "eps": 1, "delta": 1e-5, "dim": 10, "target": 0.05} | change)
    assert found.action == action
    assert says in found.recommendation


RNG = np.random.default_rng(3)
ROWS = {
    "rf": 10 ** RNG.uniform(-4, -0.5, 400),
    "eps": 10 ** RNG.uniform(-1, 1.5, 400),
    "delta": 10 ** RNG.uniform(-8, -2, 400),
    "dim": RNG.integers(1, 40, 400),
    "target": 10 ** RNG.uniform(-4, 0, 400),
}


@pytest.mark.parametrize("constants", list(Constants))
def test_the_numbers_of_a_recipe_reach_the_target_by_the_record(constants):
    """The records decide, in balls, that just the c, or the a and c, of the recipe are enough."""
    found = classify(**ROWS, constants=constants)
    kinds = set()
    for end in (found.unlearn[1], found.scratch[1]):
        made = recipes(found, end)
        for row in range(0, 400, 9):
            basis, choices = end.basis(row), end.choices(row)
            values = [Fraction(float(choice.values[row])) for choice in choices]
            asked = question(found.query, row)
            square = asked.r**2 * values[0] * values[1] ** 2 if values else Fraction(0)
            numbers = {"harmonic": made.c, "growing": made.a}.get(str(made.schedule[row]))
            chosen = () if numbers is None else (float(numbers[row]),)
            chosen += (float(made.c[row]),) if made.schedule[row] == "growing" else ()
            with precision(BITS):
                at = At(asked, int(end.steps[row]), square, tuple(map(Fraction, chosen)))
                assert basis.suffices(at), (row, made.schedule[row])
            kinds.add(str(made.schedule[row]))
    assert kinds >= ({"harmonic", "growing", "none"} if constants is Constants.SHARP else {"printed", "none"})


def test_the_radial_noise_of_a_recipe_has_the_variance_that_was_certified():
    found = classify(**ROWS)
    table = columns(found, [Question(*(float(ROWS[k][i]) for k in ROWS)) for i in range(400)])
    radial = np.flatnonzero(~np.isnan(table["noise_rate"]))
    assert len(radial) > 20
    d, rate, sigma = ROWS["dim"][radial], table["noise_rate"][radial], table["sigma"][radial]
    # |z| is Gamma(d, rate): its second moment d (d+1)/rate^2 is spread over d coordinates.
    np.testing.assert_allclose(d * (d + 1) / rate**2, d * sigma**2, rtol=1e-12)


@pytest.mark.parametrize("x", [0.02, 0.2])
def test_a_boundary_is_certified_on_its_side_and_not_on_the_other(x):
    point = {"rf": 0.002, "eps": 1.0, "delta": 1e-6, "dim": 20, "target": x}
    asked = Question(0.002, 1.0, 1e-6, 20, x)
    found = thresholds(classify(**point), 0, asked, Constants.SHARP)
    assert {one.parameter for one in found} == {"eps", "forget", "target"}
    names = {"eps": "eps", "forget": "rf", "target": "target"}
    for one in found:
        # Four digits are kept, rounded to the easy side: two parts in a thousand harder is beyond.
        harder = one.value * (1 + 2e-3 if one.parameter == "forget" else 1 - 2e-3)
        at, beyond = (classify(**{**point, names[one.parameter]: value}) for value in (one.value, harder))
        assert at.certified[0] in one.regimes
        assert beyond.certified[0] not in one.regimes


def test_samples_to_forget_are_whole():
    found = answer(Question(100 / 60_000, 1.0, 1e-5, 7850, 0.02, n=60_000, forget=100), Setting())
    assert "Unlearning is certified to pay for at most 2 samples to forget." in found.advice.changes


def test_out_writes_what_the_screen_shows(run, tmp_path):
    point = {"rf": 0.001, "eps": 1, "delta": 1e-5, "dim": 10, "target": 0.05}
    plain = shown(run, "regime", *words(point))
    assert shown(run, "regime", *words(point, out=tmp_path / "a.txt")) == ""
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == plain
    shown(run, "regime", *words(point, out=tmp_path / "a.json"))
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["certified"] == "efficient"


def test_the_plot_has_the_point(run, tmp_path):
    picture = tmp_path / "point.svg"
    shown(run, "regime", *words(CASE, target="1/n", plot=picture))
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_a_gap_along_the_target_is_not_covered_up():
    """At 0.05 e0 unlearning pays, at 0.00627 e0 too, but not at 0.00629: no range may be claimed."""
    point = {"rf": 0.001, "eps": 1.0, "delta": 1e-5, "dim": 10}
    words = classify(**point, target=[0.05, 0.00629, 0.00627]).certified.tolist()
    assert words == ["efficient", "inefficient", "efficient"]
    found = oubli.regime(**point, target=0.05)
    assert (
        "Unlearning is still certified to pay also at a target e = 0.006306 e0 (not at all"
        in found.recommendation
    )
