"""The recommendation can be acted on, its numbers reach the target, its boundaries are where it says."""

import json
import math
import re
from fractions import Fraction

import matplotlib
import numpy as np
import pytest

import oubli
from oubli.answers.answer import Setting, answer
from oubli.answers.columns import columns
from oubli.answers.question import Question
from oubli.answers.recommend import saving
from oubli.answers.thresholds import thresholds
from oubli.theory.regimes import Constants, classify
from oubli.theory.regimes.basis import At
from oubli.theory.regimes.enclosed import BITS
from oubli.theory.regimes.recipe import recipes
from oubli.theory.regimes.registry import TUNED_BETWEEN
from oubli.theory.regimes.row import question
from oubli.theory.regimes.sharp import share
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
    assert "4.2 epochs" in end
    rows = json.loads(shown(run, "regime", *words(CASE), "--json"))["rows"]
    assert [row["question"]["target"] for row in rows][:3] == [1, 0.5, 0.2]
    assert 1 / 60_000 in [row["question"]["target"] for row in rows]


def test_the_case_in_real_units_says_everything_in_them():
    found = oubli.regime(**CASE, target="1/n", L=2, mu=0.01)
    text = " ".join(found.recommendation.split())
    # e0 = L^2/(8 mu) = 50, e = 50/60000 = 0.00083333…, not promised better; R = L/(2 mu) = 100
    assert "an expected excess risk of 0.0008334 (1.667e-05 e0)" in text
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
        ({"target": 3e-3}, "fine-tune", "Retraining needs more, at least 298."),
        ({"target": 2e-3}, "fine-tune", "that it really needs more than fine-tuning is not proved"),
        ({"target": 1e-9}, "retrain", "Every unlearning algorithm needs at least"),
        ({"dim": 20_000, "target": 0.5}, "retrain", "so it is the safe choice"),
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
            if (
                basis is TUNED_BETWEEN
            ):  # the share of the price of theta* that is paid is no number of the recipe
                chosen += (float(share(*(np.float64(v) for v in (asked.x, asked.r, square)))),)
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
    assert (
        "Unlearning is certified to cost at most half of retraining if at most 2 samples are to be forgotten."
        in found.advice.changes
    )


def test_the_first_lines_say_what_to_do_and_what_is_proved_about_it():
    point = {"rf": 0.001, "eps": 1, "delta": 1e-5, "dim": 10}
    says = {
        2.0: "Release 0, it is good enough: no gradient is needed.",
        0.1: "Add noise and release: no gradient is needed.",
        0.05: "Proved: retraining needs at least twice as many.",
        3e-3: "Proved: no unlearning saves more than a factor",
    }
    for target, words in says.items():
        assert words in str(oubli.regime(**point, target=target)).splitlines()[1]
    many = str(oubli.regime(**point | {"dim": 20_000}, target=0.5)).splitlines()[1].strip()
    assert many == "Retrain: 7 gradients suffice. Whether unlearning is faster is not proved either way."


@pytest.mark.parametrize(
    ("retraining", "unlearning", "says"), [(1000, 3, "334"), (100, 100, "1"), (7, 2, "3.5")]
)
def test_what_is_saved_at_most_is_rounded_up(retraining, unlearning, says):
    assert saving(retraining, unlearning) == says


def test_out_writes_what_the_screen_shows(run, tmp_path):
    point = {"rf": 0.001, "eps": 1, "delta": 1e-5, "dim": 10, "target": 0.05}
    plain = shown(run, "regime", *words(point))
    assert shown(run, "regime", *words(point, out=tmp_path / "a.txt")) == ""
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == plain
    shown(run, "regime", *words(point, out=tmp_path / "a.json"))
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["certified"] == "efficient"


def test_the_plot_has_the_point_and_both_axes(run, tmp_path, monkeypatch):
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")  # letters, not their outlines
    picture = tmp_path / "point.svg"
    shown(run, "regime", *words(CASE, target="1/n", plot=picture))
    drawn = re.findall(r">([^<>]+)</text>", picture.read_text(encoding="utf-8"))
    for text in ("you: e = 1.67e-05 e0, ε = 1: inefficient, retrain", "e/e0", "κ = √(2 ln(1.25/δ))/ε", "ε"):
        assert text in drawn
    assert "certified efficient" in drawn


def test_a_gap_along_the_target_is_not_covered_up():
    """At 0.05 e0 unlearning pays, at 0.0058 e0 too, but not at 0.00582: no range may be claimed."""
    point = {"rf": 0.001, "eps": 1.0, "delta": 1e-5, "dim": 10}
    words = classify(**point, target=[0.05, 0.00582, 0.0058]).certified.tolist()
    assert words == ["efficient", "inefficient", "efficient"]
    found = oubli.regime(**point, target=0.05)
    assert "retraining also at a target e = 0.005782 e0 (not at all targets" in found.recommendation


def test_the_nearest_boundaries_are_numbers_too_and_say_where_and_how_far(run):
    found = json.loads(shown(run, "regime", *words(CASE, target=0.02, L=2, mu=0.01), "--json"))
    both = {(one["parameter"], one["regime"]): one for one in found["boundaries"]}
    assert both.keys() == {("e/e0", "uncharted"), ("eps", "uncharted")}
    for (name, regime), one in both.items():
        here = {"e/e0": 0.02, "eps": 1.0}[name]
        assert one["times"] == one["value"] / here > 1
        moved = {"target": 0.02} | {{"e/e0": "target"}.get(name, name): one["value"]}
        assert oubli.regime(**CASE | moved).certified == regime
    text = str(oubli.regime(**CASE, target=0.02, L=2, mu=0.01))
    target = both["e/e0", "uncharted"]["value"]
    assert f"uncharted at a larger target, e/e0 = {target:.4g} (risk {50 * target:.4g}): " in text
    assert "uncharted at a larger eps, eps = 8.563: 8.56 times yours" in text
    smaller = str(oubli.regime(rf=0.001, eps=1, delta=1e-5, dim=10, target=0.9))
    assert re.search(r"at a smaller target, e/e0 = \S+: 0\.\d+ times yours", smaller)


def test_what_is_promised_is_not_rounded_to_the_other_side():
    """L and ε that six digits would raise, and a target that four digits would lower."""
    case = CASE | {"eps": 1.2345678, "dim": 10, "forget": 60}
    found = oubli.regime(**case, L=8.390838, mu=0.01, target=0.12341)
    guarantee = found.data["recommendation"]["guarantee"]
    assert "8.390838-Lipschitz" in guarantee
    assert "(1.2345678, 1e-05)-unlearning" in guarantee
    # e0 = 8.390838^2/0.08 = 880.0770…, and 0.12341 e0 = 108.6103…
    assert "e0 = 880.1 " in guarantee
    assert "an expected excess risk of 108.7 (0.1235 e0)" in found.data["recommendation"]["summary"]


def test_what_is_to_be_carried_out_has_all_its_digits():
    found = oubli.regime(**CASE | {"dim": 10, "forget": 60}, L=1, mu=3, target=0.12341)
    recipe, steps = found.data["recipe"], " ".join(found.data["recommendation"]["steps"])
    for name in ("noise_rate", "shrink", "radius"):
        assert repr(recipe[name]) in steps
    assert repr(recipe["noise_rate"]) in str(found).partition("What to do")[0]
    assert repr(found.data["sigma"]) in str(found)


def test_the_gradient_and_the_risk_are_those_of_the_whole_loss():
    """Who steps along the data's part alone, or measures it, would leave the class: the penalty makes mu."""
    found = oubli.regime(**CASE, target="1/n").data["recommendation"]
    assert "against the gradient of its loss, the penalty included" in " ".join(found["steps"])
    assert "mean loss on the data you keep, the penalty included, above its least value" in found["guarantee"]


def test_one_sample_that_is_kept_is_one():
    found = oubli.regime(n=100, forget=99, eps=1, delta=1e-6, dim=1, target=0.3)
    assert found.recommendation.startswith("Retrain from zero on the one sample you keep: ")


def test_python_says_where_the_answer_over_targets_is():
    with pytest.raises(oubli.InputError, match=r"oubli\.regime_by_target"):
        oubli.regime(**CASE)


def test_one_gradient_is_taken_once_and_the_ball_has_its_unit():
    found = oubli.regime(rf=0.001, eps=1, delta=1e-5, dim=10, target=0.05)
    assert found.T_unlearn[1] == 1
    start, step, _ = found.data["recommendation"]["steps"]
    assert "on the ball |theta| <= 0.5 L/mu, and multiply the result by 0.98" in start
    assert step.startswith("Once, with t = 0: draw one of the samples you keep")


def test_a_factor_one_and_a_unit_that_is_not_needed_are_not_written():
    case = {"n": 60_000, "forget": 60, "eps": 4, "delta": "1e-6", "dim": 10, "target": "0.0002", "L": 2}
    one, ten = (oubli.regime(**case, mu=mu) for mu in (1, 10))
    assert re.search(r"by 0\.\d+/\(1 \+ 0\.\d+ t\), and", one.recommendation)
    assert re.search(r"by 0\.\d+/\(10 \(1 \+ 0\.\d+ t\)\), and", ten.recommendation)
    assert "per coordinate; then" in one.text
    del case["L"]
    assert "per coordinate (unit L/mu = 1); then" in oubli.regime(**case).text


def test_many_epochs_are_written_out_and_no_gradient_is_no_part_of_an_epoch(run):
    assert "68,613 epochs" in oubli.regime(**CASE, target="1e-9").text
    noise = oubli.regime(n=60_000, forget=60, eps=4, delta=1e-6, dim=10, target=0.02).recommendation
    assert noise.endswith("The target is loose; a usual one is e0/n = 1.667e-05 e0 (1/n).")


@pytest.mark.parametrize(
    ("eps", "target"), [("1", "1e-12"), ("1", "2.9e-12"), ("1e-6", "0.1"), ("10000", "0.1"), ("10000", "5")]
)
def test_a_point_at_the_end_of_what_is_accepted_is_drawn(run, tmp_path, eps, target):
    point = ("--rf", "0.001", "--delta", "1e-6", "--dim", "10", "--eps", eps, "--target", target)
    assert run("regime", *point, "--plot", tmp_path / "point.svg")[0] == 0
    assert (tmp_path / "point.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_the_table_says_what_release_0_means(run):
    asked = ("--rf", "0.001", "--delta", "1e-6", "--dim", "10", "--eps", "1")
    assert "release 0: the zero model, that is, theta = 0, meets the target" in run("regime", *asked)[1]
