"""`oubli regime` and `oubli phase theory`: what they print, and one line for every mistake."""

import json

import pytest

POINT = {"--rf": "0.001", "--eps": "1", "--delta": "1e-5", "--dim": "10", "--target": "0.05"}


def words(**change):
    options = {**POINT, **{f"--{k.replace('_', '-')}": v for k, v in change.items()}}
    return [word for option, value in options.items() if value is not None for word in (option, value)]


STABLE = ("printed", "certified", "ratio", "T_unlearn", "T_scratch", "sigma", "claims", "noise", "how",
          "assumes", "left_out")  # fmt: skip


def answer(run, *arguments, **change):
    code, out, err = run("regime", *words(**change), *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_json_has_the_promised_fields(run):
    found = answer(run)
    assert list(found)[:7] == ["printed", "certified", "ratio", "T_unlearn", "T_scratch", "sigma", "claims"]
    assert found["certified"] == "efficient"
    assert found["T_unlearn"] == [0, 1]
    # ceil((sqrt(20) - 1)^2) = ceil(12.06)
    assert found["T_scratch"][0] == 13
    assert found["ratio"][1] == pytest.approx(1 / 13)
    assert all(isinstance(n, int) for n in found["T_unlearn"] + found["T_scratch"])


def test_the_screen_answers_the_question(run):
    code, out, err = run("regime", *words())
    assert (code, err) == (0, "")
    for part in ("EFFICIENT", "fine-tune", "noise", "recipe", "c = ", "retrain", "ratio", "why", "boundary"):
        assert part in out
    for part in ("What to do", "What is guaranteed", "What would change the answer"):
        assert f"\n{part}\n" in out
    assert max(map(len, out.splitlines())) < 250
    assert len(out.splitlines()) < 50


@pytest.mark.parametrize(
    ("change", "certified"),
    [
        ({"target": "0.9"}, "trivial"),
        ({"target": "1e-9"}, "inefficient"),
        ({"eps": "0.15", "target": "0.2"}, "uncharted"),
        ({"rf": "0"}, "trivial"),
        ({"eps": "inf", "target": "1e-4"}, "trivial"),
    ],
)
def test_every_regime_can_be_reached(run, change, certified):
    assert answer(run, **change)["certified"] == certified
    assert certified.upper() in run("regime", *words(**change))[1]


def test_counts_and_risks_are_other_spellings(run):
    plain = answer(run)
    counted = answer(run, rf=None, n="60000", forget="60")
    risky = answer(run, target=None, L="2", mu="0.5", target_risk="0.05")
    named = answer(run, target=None, L="2", mu="0.5", risk="0.05")
    assert named == risky
    assert {name: counted[name] for name in STABLE} == {name: plain[name] for name in STABLE}
    assert counted["epochs_scratch"] == [count / 60000 for count in plain["T_scratch"]]
    # e0 = L^2/(8 mu) = 1, and the noise scales with L/mu = 4.
    assert risky["T_unlearn"] == plain["T_unlearn"]
    assert risky["sigma"] == pytest.approx(4 * plain["sigma"])


def test_constants_notion_and_noise_are_options(run):
    plain = answer(run)
    wide = answer(run, "--constants", "printed-repaired")
    assert wide["T_scratch"] == [2, 319]
    assert wide["certified"] == "uncharted"
    assert answer(run, "--notion", "reference")["noise"] is None
    assert plain["noise"] is not None
    assert answer(run, "--noise", "classical")["noise"] == "Gaussian"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rf": "1"}, "rf = 1: rf must be at least 0 and below 1"),
        ({"rf": "x"}, "rf"),
        ({"rf": None}, "give --rf, or --n with --forget"),
        ({"n": "10"}, "give either --rf or --n with --forget"),
        ({"rf": None, "n": "10", "forget": "10"}, "n = 10, forget = 10"),
        ({"eps": None}, "eps is missing"),
        ({"eps": "0"}, "eps = 0"),
        ({"dim": "0"}, "dim = 0"),
        ({"delta": "2"}, "delta = 2"),
        ({"target": None, "risk": "1"}, "give --risk with --L and --mu, or --target"),
        ({"risk": "1", "L": "1", "mu": "1"}, "give either --target or --risk, not both"),
        ({"target": None, "risk": "1", "L": "1", "mu": "0"}, "L = 1, mu = 0: both must be positive"),
        ({"target": "1/n"}, "target = 1/n: give --n with --forget"),
        ({"target": "1e400"}, "target = 1e400: target is too large"),
        ({"target": "1e-400"}, "target = 1e-400: target is too small"),
        ({"target": "9" * 500}, "a number of at most 400 characters"),
        ({"L": "1e300", "mu": "1"}, "L must be in [1e-100, 1e100]"),
        ({"L": "1e90", "mu": "1e-90"}, "L/mu must be in [1e-100, 1e100]"),
        ({"L": "1e80", "mu": "1"}, "e0 = L^2/(8 mu) must be in [1e-100, 1e100]"),
        ({"L": "1"}, "give --L and --mu together"),
        ({"eps": "10", "noise": "classical"}, "eps = 10: the classical kappa is not private"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(run, change, says):
    code, out, err = run("regime", *words(**change))
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("oubli: ")
    assert err.count("\n") == 1


def test_phase_theory_draws_and_counts(run, tmp_path):
    out_path = tmp_path / "diagram"
    arguments = ("phase", "theory", "--rf", "1e-2", "--dim", "2", "--delta", "1e-5", "--columns", "30")
    code, out, err = run(*arguments, "--out", str(out_path))
    assert (code, err) == (0, "")
    assert "printed-repaired" in out
    assert "%" in out
    assert out_path.with_suffix(".png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "<svg" in out_path.with_suffix(".svg").read_text()
    grid = json.loads(out_path.with_suffix(".json").read_text())
    cells = [cell for row in grid["sharp"]["grid"] for cell in row]
    share = sum(cell != 0 for cell in cells) / len(cells)
    # Cells hold their edges: one of 201 rows of slack per boundary.
    assert share == pytest.approx(grid["shares"]["sharp"]["certified"], abs=0.02)
    assert json.loads(run(*arguments, "--json")[1])["shares"] == grid["shares"]


def test_phase_theory_works_as_shown_without_any_option(run):
    code, out, err = run("phase", "theory", "--columns", "10")
    assert (code, err) == (0, "")
    assert out.startswith("r = 0.001, d = 10, delta = 1e-06")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("--rf", "0"), "rf = 0: nothing is to be forgotten"),
        (("--rf", "1.5"), "rf = 1.5"),
        (("--dim", "1.5"), "dim = 1.5"),
        (("--dim", "1e400"), "dim = 1e400: dim is too large"),
        (("--delta", "0"), "delta = 0"),
        (("--out", "picture.gif"), "the suffix must be one of"),
        (("--out", "/nowhere/at/all.json"), "No such file"),
    ],
)
def test_phase_mistakes_are_one_line(run, change, says):
    options = {"--rf": "0.1", "--dim": "2", "--delta": "1e-5", "--columns": "10", change[0]: change[1]}
    code, out, err = run("phase", "theory", *(word for pair in options.items() for word in pair))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
