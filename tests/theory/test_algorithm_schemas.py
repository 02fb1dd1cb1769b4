"""Explicit rules, worst and least risks: what follows, and what must not."""

from typing import Any

import pytest

from oubli.theory.kernel import schemas
from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import RejectedError, Theorem

PARAMETER, WHOLE = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "kappa", "s", "b"), PARAMETER),
    **dict.fromkeys(("d", "T", "k_"), WHOLE),
    "D_": ["problem"], "data": ["problem"], "other": ["problem"],
    "f": ["loss"], "g": ["loss"], "h": ["loss"], "x": ["point"], "z_any": ["random"],
    "A": ["algorithm"], "U": ["unlearner"], "S": [False, True],
}  # fmt: skip
STAR = ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]
NOISE = ["noise", "gauss", ["*", "kappa", "b"], 1]
NOISY = ["v+", STAR, NOISE]
BUDGET = ("r", 0, "epsilon", "delta", "b", "kappa")


def proof(**more: Any) -> Proof:
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def least(body: Any, sort: str = "unlearner", T: Any = 0) -> Theorem:
    budget = (BUDGET[0], T, *BUDGET[2:])
    return schemas.instance(proof(), "least", sort, ["rule", body], *budget)


def run(start: Any, steps: Any = "T") -> Any:
    return ["average", ["sgd", "D_", start, "s"], 1, steps]


def test_projected_noise_is_private_if_it_hides_the_spread() -> None:
    found = least(["proj", NOISY])
    assert [">=", ["+", "b", ["*", -1, ["spread", "r"]]]] in found.hyps
    assert [">", "kappa"] in found.hyps
    assert any("Phi" in repr(h) for h in found.hyps)
    assert found.expr[1][0] == "worst"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (STAR, "without noise"),
        (["proj", ["v+", NOISY, ["v*", -1, NOISE]]], "used twice"),
        (["proj", ["v+", NOISY, ["v*", -1, ["noise", "gauss", ["*", "b", "kappa"], 1]]]], "used twice"),
        (["proj", ["v+", NOISY, ["v+", STAR, ["noise", "gauss", "s", 2]]]], "used twice"),
        (["proj", ["v+", ["v+", STAR, STAR], NOISE]], "without noise"),
        (["proj", ["opt", ["forget", "D_"]]], "cannot release"),
        (["proj", ["opt", ["mix", "1/2", ["forget", "D_"], ["retain", "D_"]]]], "cannot release"),
        (["proj", ["v*", ["in", STAR, STAR], ["e", 1]]], "depends on the data"),
        (["proj", ["v*", ["in", NOISE, ["e", 1]], ["e", 1]]], "depends on the data"),
        (["proj", ["v*", "S", ["e", 1]]], "measured"),
        (["proj", "z_any"], "no public vector"),
        (["proj", ["iter", ["sgd", "data", ["zero"], "s"], 0]], "own problem"),
        (NOISY, "lie in the ball"),
        (["v+", STAR, ["zero"]], "without noise|lie in the ball"),
    ],
)
def test_what_is_no_private_rule(body: Any, why: str) -> None:
    with pytest.raises(RejectedError, match=why):
        least(body)


def test_a_run_costs_its_steps() -> None:
    found = least(run(["proj", NOISY]), T="T")
    assert [">=", "T"] in found.hyps
    shorter = least(run(["proj", NOISY]), T=0)
    # T steps with no gradient at all: -T >= 0 has to be shown, which it cannot for T > 0.
    assert [">=", ["+", 0, ["*", -1, "T"]]] in shorter.hyps


def test_two_runs_in_one_release_are_not_counted_once() -> None:
    two = ["proj", ["v+", run(["zero"]), ["iter", ["sgd", "D_", ["zero"], "b"], "T"]]]
    with pytest.raises(RejectedError, match="two runs"):
        least(two, "algorithm", "T")


@pytest.mark.parametrize("weight", [0, "k_", -1, ["+", 1, ["*", -1, "k_"]], "s"])
def test_an_average_lies_in_the_ball_only_with_positive_weights(weight: Any) -> None:
    released = ["average", ["sgd", "D_", ["zero"], "s"], weight, "T"]
    with pytest.raises(RejectedError, match=r"positive|empty"):
        least(released, "algorithm", "T")


def bounded(theorem: Theorem, term: Any, bound: Any, names: list[str]) -> Theorem:
    found = proof()
    found.reached[0] = theorem
    return found.over({"of": 0, "term": term, "bound": bound, "names": names})


def test_a_bound_for_every_problem_is_one_for_the_worst() -> None:
    risk = schemas.risk("A", "data", 0)
    found = bounded(
        Theorem([[">", "b"]], ">=", ["+", "b", ["*", -1, risk]]), ["worst", "A", 0], "b", ["data"]
    )
    assert found.expr == ["+", "b", ["*", -1, ["worst", "A", 0]]]


def test_a_bound_for_one_problem_is_not() -> None:
    risk = schemas.risk("A", "data", 0)
    about_it = [">=", ["val", ["retain", "data"], ["zero"]]]
    for hyps, bound in (([about_it], "b"), ([], ["val", ["retain", "data"], ["zero"]]), ([], "S")):
        theorem = Theorem(hyps, ">=", ["+", bound, ["*", -1, risk]])
        with pytest.raises(RejectedError, match=r"arbitrary|one problem"):
            bounded(theorem, ["worst", "A", 0], bound, ["data"])
    other = Theorem([], ">=", ["+", "b", ["*", -1, schemas.risk("A", "other", 0)]])
    with pytest.raises(RejectedError, match="not a bound"):
        bounded(other, ["worst", "A", 0], "b", ["data"])


def test_three_losses_are_three() -> None:
    apart = schemas.bounded_by(proof(), ["spread", "r"], ["f", "g", "h"])[0]
    theorem = Theorem([], ">=", ["+", "b", ["*", -1, apart]])
    assert bounded(theorem, ["spread", "r"], "b", ["f", "g", "h"]).rel == ">="
    same = schemas.bounded_by(proof(), ["spread", "r"], ["f", "g", "h"])[0]
    with pytest.raises(RejectedError, match="distinct"):
        bounded(Theorem([], ">=", ["+", "b", ["*", -1, same]]), ["spread", "r"], "b", ["f", "f", "h"])


def test_a_lower_bound_for_every_algorithm_is_one_for_the_least() -> None:
    theorem = Theorem([], ">=", ["+", ["worst", "U", 0], ["*", -1, "b"]])
    term = ["least", "unlearner", "r", "epsilon", "delta", 0]
    assert bounded(theorem, term, "b", ["U"]).expr == ["+", term, ["*", -1, "b"]]
    for wrong in (["least", "unlearner", "1/2", "epsilon", "delta", 0], ["least", "algorithm", *term[2:]]):
        with pytest.raises(RejectedError, match="of that sort"):
            bounded(theorem, wrong, "b", ["U"])


def instance(theorem: Theorem, **values: Any) -> Theorem:
    found = proof()
    found.reached[0] = theorem
    return found.instance({"of": 0, "with": values})


def test_fraction_and_budget_belong_to_named_algorithms() -> None:
    said = Theorem([], ">=", ["+", ["worst", "U", 0], ["*", -1, "r"]])
    for name in ("r", "epsilon", "delta"):
        with pytest.raises(RejectedError, match="belong to the algorithms"):
            instance(said, **{name: "1/2"})
    free = Theorem([], ">=", ["+", ["least", "unlearner", "r", "epsilon", "delta", 0], ["*", -1, "r"]])
    assert "1/2" in instance(free, r="1/2").expr[1]


def test_an_algorithm_is_replaced_by_names_of_its_sort_only() -> None:
    said = Theorem([], ">=", ["+", ["worst", "U", 0], ["*", -1, "b"]])
    for value in ("A", ["rule", ["zero"]], "x"):
        with pytest.raises(RejectedError):
            instance(said, U=value)
    assert instance(Theorem([], ">=", ["worst", "A", 0]), A="U").expr == ["worst", "U", 0]


def test_a_rule_of_something_fixed_is_not_one_of_something_random() -> None:
    said = Theorem([], ">=", ["worst", ["rule", ["proj", "x"]], 0])
    with pytest.raises(RejectedError, match="set at random"):
        instance(said, x="z_any")


def test_the_data_of_a_rule_are_bound() -> None:
    said = Theorem([], ">=", ["worst", ["rule", ["proj", "x"]], 0])
    with pytest.raises(RejectedError, match="are bound"):
        instance(said, x=STAR)
    inside = proof().put(["worst", ["rule", ["proj", STAR]], 0], {"D_": "data"})
    assert inside == ["worst", ["rule", ["proj", STAR]], 0]


@pytest.mark.parametrize(
    "letter", [{"D_": ["is", "data"]}, {"k_": ["is", 3]}, {"gauss": PARAMETER}, {"algorithm": ["algorithm"]}]
)
def test_reserved_names_are_nobodys(letter: Any) -> None:
    with pytest.raises(RejectedError, match="reserved"):
        proof(**letter)


def test_without_gradients_two_problems_must_share_theta_star() -> None:
    found = schemas.instance(proof(), "no gradient", "A", "data", "other", "x", ["in", "x", "x"])
    assert found.hyps[0][0] == "="
    with pytest.raises(RejectedError, match="another chance"):
        schemas.instance(proof(), "no gradient", "A", "data", "other", "x", ["in", "x", "z_any"])
    # An explicit rule may use gradients: only names of algorithms are without them at T = 0.
    with pytest.raises((RejectedError, TypeError)):
        schemas.instance(proof(), "no gradient", ["rule", ["zero"]], "data", "other", "x", ["in", "x", "x"])


def test_a_named_unlearner_is_one_at_its_own_budget_only() -> None:
    named = schemas.instance(proof(), "least", "unlearner", "U", "r", 0, "epsilon", "delta")
    least_of_all = ["least", "unlearner", "r", "epsilon", "delta", 0]
    assert named.expr == ["+", ["worst", "U", 0], ["*", -1, least_of_all]]
    for sort, A, r, eps, delta in (
        ("unlearner", "U", "1/2", "epsilon", "delta"),
        ("unlearner", "U", "r", 0, "delta"),
        ("unlearner", "U", "r", "epsilon", 0),
        ("unlearner", "A", "r", "epsilon", "delta"),
    ):
        with pytest.raises(RejectedError, match="of that sort"):
            schemas.instance(proof(), "least", sort, A, r, 0, eps, delta)


def test_only_algorithms_have_a_worst_risk() -> None:
    for name in ("x", "f", "data", "b"):
        with pytest.raises(RejectedError, match="not an algorithm"):
            schemas.instance(proof(), "worst", name, "r", 0, "data")


def test_what_is_defined_is_not_arbitrary() -> None:
    """An abbreviation of one problem, or of one loss, is no name: a bound at it is a bound there."""
    one = proof(P=["is", ["problem", ["quad"], ["quad"]]], q=["is", ["quad"]])
    for term, names, why in (
        (["worst", "A", 0], ["P"], "not a problem"),
        (["worst", "A", 0], ["f"], "not a problem"),
        (["spread", "r"], ["f", "g", "q"], "not three losses"),
        (["spread", "r"], ["f", "g", "data"], "not three losses"),
    ):
        with pytest.raises(RejectedError, match=why):
            schemas.bounded_by(one, term, names)


def test_a_number_of_the_bound_data_is_no_parameter() -> None:
    said = Theorem([], ">=", ["worst", ["rule", run(["zero"])], "T"])
    with pytest.raises(RejectedError, match="data of a rule are bound"):
        instance(said, s=["val", ["retain", "D_"], ["zero"]])
