"""`oubli tv` and `oubli gauss`: what they print encloses, and every mistake is one line and exit 2."""

import json
from decimal import Decimal
from fractions import Fraction

import pytest

from oubli.sim.laws import binomial_tv_exact


def answer(run, *arguments):
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def encloses(found, value, prefix="", digits=30):
    lower, upper = (Fraction(found[f"{prefix}{end}"]) for end in ("lower", "upper"))
    return lower <= value <= upper and (upper - lower) * 10**digits <= lower


@pytest.mark.parametrize(
    ("p", "q", "exact"),
    [
        ("0.5", "g=1e-7", (Fraction(1, 2), Fraction(10000001, 20000000))),
        ("1/3", "2/3", (Fraction(1, 3), Fraction(2, 3))),
        ("g=-1", "g=1", (0, 1)),
        ("0", "1e-300", (0, Fraction(1, 10**300))),
    ],
)
def test_tv_json_encloses_the_exact_sum(run, p, q, exact):
    found = answer(run, "tv", "12", p, q)
    assert list(found) == ["T", "p", "q", "value", "lower", "upper", "bound", "ratio"]
    truth = binomial_tv_exact(12, *exact)
    assert encloses(found, truth)
    assert found["value"] == float(truth)
    assert (found["T"], found["p"], found["q"]) == (12, float(exact[0]), float(exact[1]))
    assert found["ratio"] == pytest.approx(found["value"] / found["bound"])
    assert found["ratio"] <= 1


def test_tv_at_a_billion_steps_with_forty_digits(run):
    found = answer(run, "tv", "1000000000", "0.5", "g=1e-7", "--digits", "40")
    # Arb's regularised incomplete beta function at 400 bits gives these digits.
    assert encloses(
        found, Fraction("0.00126156573504227958405318107435663027036337496585527381270044376079"), "", 40
    )
    assert len(Decimal(found["lower"]).as_tuple().digits) == 43


def test_tv_bound_is_the_published_one(run):
    found = answer(run, "tv", "100", "1/2", "g=0.1")
    assert found["bound"] == pytest.approx(0.500837105808, abs=5e-13)
    assert found["value"] == pytest.approx(0.384471831001, abs=5e-13)


@pytest.mark.parametrize(("T", "p", "q"), [("0", "0.1", "0.2"), ("5", "0.1", "0.1")])
def test_tv_of_equal_laws_has_no_ratio(run, T, p, q):
    found = answer(run, "tv", T, p, q)
    assert (found["value"], found["lower"], found["upper"], found["ratio"]) == (0.0, "0", "0", None)


def test_gauss_json_for_delta(run):
    found = answer(run, "gauss", "--eps", "10", "--delta", "1e-5")
    assert list(found) == [
        "eps",
        "delta",
        "sigma",
        "sigma_lower",
        "sigma_upper",
        "kappa",
        "kappa_is_private",
        "kappa_delta",
        "eps_frontier",
    ]
    assert abs(Fraction(found["sigma_lower"]) - Fraction("0.499888619709008515")) < Fraction(1, 10**18)
    assert Fraction(found["sigma"]) >= Fraction(found["sigma_upper"])
    assert found["kappa_is_private"] is False
    assert found["kappa_delta"] == pytest.approx(2.265e-5, abs=5e-9)
    assert 8 < found["eps_frontier"] < 10


def test_gauss_json_for_sigma(run):
    found = answer(run, "gauss", "--eps", "1", "--sigma", "1")
    assert {"delta_lower", "delta_upper"} < set(found)
    assert found["delta"] == pytest.approx(0.12693674, abs=6e-9)
    assert Fraction(found["delta"]) >= Fraction(found["delta_upper"]) > Fraction(found["delta_lower"])
    assert (found["sigma"], found["sigma_lower"], found["sigma_upper"]) == (1.0, "1", "1")
    assert found["kappa_is_private"] is True


@pytest.mark.parametrize("sigma", ["1e-6", "900"])
def test_gauss_outside_the_range_of_delta_says_nothing_about_kappa(run, sigma):
    found = answer(run, "gauss", "--eps", "1", "--sigma", sigma)
    assert found["kappa"] is None
    assert found["eps_frontier"] is None
    assert "outside" in run("gauss", "--eps", "1", "--sigma", sigma)[1]


def test_text_is_a_few_lines(run):
    code, out, _ = run("tv", "100", "0.5", "0.55")
    assert code == 0
    assert len(out.splitlines()) == 6
    assert "NOT private here" in run("gauss", "--eps", "10", "--delta", "1e-5")[1]
    assert "(private here" in run("gauss", "--eps", "1", "--delta", "1e-5")[1]


@pytest.mark.parametrize("command", ["tv", "gauss"])
def test_help_shows_examples_that_run(run, command):
    code, out, _ = run(command, "--help")
    examples = [line.split()[1:] for line in out.splitlines() if line.strip().startswith("oubli ")]
    assert code == 0
    assert len(examples) >= 3
    assert all(run(*example)[0] == 0 for example in examples)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("tv 10 1.2 0.5", "P = 1.2: P must lie in [0, 1]"),
        ("tv -1 0.5 0.6", "T = -1: T must be an integer, at least 0"),
        ("tv 2.5 0.5 0.6", "T = 2.5: T must be an integer, at least 0"),
        ("tv nan 0.5 0.6", "T = nan"),
        ("tv 10 0.5 g=2", "Q = g=2: g must lie in [-1, 1]"),
        ("tv 10 0.5 g=x", "g = x"),
        ("tv 10 half 0.5", "P = half"),
        ("tv 10 0.5 1e-999999999", "exponent"),
        ("tv 10 0.5 1/0", "Q = 1/0"),
        ("tv 10 0.5", "Missing argument 'Q'"),
        ("tv 10 0.5 0.6 --digits 0", "--digits"),
        ("tv 10 0.5 0.6 --digits x", "--digits"),
        ("gauss --eps nan --delta 0.1", "eps = nan"),
        ("gauss --eps 0 --delta 0.1", "eps = 0: eps must lie in [1e-06, 10000]"),
        ("gauss --eps 1 --delta 0", "delta = 0: delta must lie in [1e-300, 0.9]"),
        ("gauss --eps 1 --delta 1", "delta = 1: delta must lie in [1e-300, 0.9]"),
        ("gauss --eps 1 --delta 1.5", "delta = 1.5"),
        ("gauss --eps 1 --sigma -2", "sigma = -2"),
        ("gauss --eps 1 --sigma 1e6", "delta must be at least"),
        ("gauss --eps 1", "exactly one of --delta and --sigma"),
        ("gauss --eps 1 --delta 0.1 --sigma 1", "exactly one of --delta and --sigma"),
        ("gauss --delta 0.1", "--eps"),
    ],
)
def test_a_mistake_is_one_line_and_exit_two(run, arguments, message):
    code, out, err = run(*arguments.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("oubli: ")
    assert message in err
