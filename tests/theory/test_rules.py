"""Each rule of the checker accepts a true example and rejects its false neighbours."""

from typing import Any

import pytest

from theory.checker import RULES, Rejected, accept_proof, accept_witness

# Domains: [lower, open, upper, open, integer, measured].
FREE = [None, False, None, False, False, False]
MEASURED = [None, False, None, False, False, True]
POSITIVE = [0, True, None, False, False, False]
NONNEGATIVE = [0, False, None, False, False, False]
UNIT = [0, False, 1, False, False, False]
NATURAL = [0, False, None, False, True, False]


def statement(
    says: list[Any], given: list[list[Any]] | None = None, **quantities: list[Any]
) -> dict[str, Any]:
    return {"quantities": quantities, "given": given or [], "says": says}


def proof(*steps: tuple[str, dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    written = [{"name": n, "statement": s, "by": b} for n, s, b in steps]
    return {"statement": written[-1]["statement"], "steps": written}


def rejected(certificate: dict[str, Any], lemmas: dict[str, Any] | None = None) -> str:
    with pytest.raises(Rejected) as why:
        accept_proof(certificate, lemmas or {})
    return str(why.value)


def square_is_nonnegative(claimed: list[Any]) -> dict[str, Any]:
    says = [">=", claimed]
    by = {"rule": "combination", "terms": [{"times": 1, "square": ["+", "x", -1]}]}
    return proof(("square", statement(says, x=FREE), by))


def test_combination() -> None:
    accept_proof(square_is_nonnegative(["+", ["^", "x", 2], ["*", -2, "x"], 1]), {})
    assert "not the conclusion" in rejected(
        square_is_nonnegative(["+", ["^", "x", 2], ["*", -2, "x"], "99/100"])
    )


def test_a_negative_multiplier_is_rejected() -> None:
    s = statement([">=", ["*", -1, "x"]], x=NONNEGATIVE)
    by = {"rule": "combination", "terms": [{"times": ["*", -1, "x"], "one": True}]}
    assert "nonnegative" in rejected(proof(("bad", s, by)))


def test_an_equation_cannot_rest_on_an_inequality() -> None:
    s = statement(["=", "x"], [[">=", "x", "given"]], x=FREE)
    by = {"rule": "combination", "terms": [{"times": 1, "given": 0}]}
    assert "equation" in rejected(proof(("bad", s, by)))


def test_a_strict_conclusion_needs_a_strict_term() -> None:
    by = {"rule": "combination", "terms": [{"times": 1, "given": 0}]}
    accept_proof(proof(("ok", statement([">", "x"], [[">", "x", "given"]], x=FREE), by)), {})
    weak = statement([">", "x"], [[">=", "x", "given"]], x=FREE)
    assert "strict" in rejected(proof(("bad", weak, by)))


def test_a_divisor_must_be_shown_nonzero() -> None:
    says = ["=", ["+", ["*", "x", ["^", "x", -1]], -1]]
    by = {"rule": "identity"}
    accept_proof(proof(("ok", statement(says, x=POSITIVE), by)), {})
    assert "divisor" in rejected(proof(("bad", statement(says, x=FREE), by)))


def sum_of_integers(closed: list[Any]) -> dict[str, Any]:
    says = ["=", ["+", ["*", "1/2", "T", ["+", "T", 1]], ["*", -1, "S"]]]
    by = {"rule": "sum", "index": "n", "term": "n", "closed": closed, "first": 1, "last": "T", "total": "S"}
    return proof(("sum", statement(says, T=NATURAL, S=MEASURED), by))


def test_summation() -> None:
    accept_proof(sum_of_integers(["*", "1/2", "n", ["+", "n", 1]]), {})
    assert rejected(sum_of_integers(["*", "1/2", "n", ["+", "n", 2]]))


def positive_on_box(bound: str) -> dict[str, Any]:
    s = statement([">", ["+", ["*", "x", ["+", 1, ["*", -1, "x"]]], bound]], x=UNIT)
    tree = ["x", "1/2", "positive", "positive"]
    by = {"rule": "subdivision", "box": {"x": [0, 1]}, "tree": tree, "bits": 64}
    return proof(("box", s, by))


def test_subdivision() -> None:
    accept_proof(positive_on_box("1/8"), {})
    assert "not positive" in rejected(positive_on_box("0"))


@pytest.mark.parametrize(
    "tree", [["x", "2", "positive", "positive"], ["z", "1/2", "positive", "positive"], ["x", 1, "positive"]]
)
def test_a_cover_that_does_not_cover_is_rejected(tree: list[Any]) -> None:
    certificate = positive_on_box("1/8")
    certificate["steps"][0]["by"]["tree"] = tree
    assert rejected(certificate)


def absolute_value(second_condition: Any) -> dict[str, Any]:
    goal = [">=", ["+", ["^", "x", 2], ["*", -1, "x", "s"]]]
    up = statement(
        goal, [["=", ["+", "s", ["*", -1, "x"]], "definition"], [">=", "x", "given"]], x=FREE, s=FREE
    )
    down = statement(
        goal,
        [["=", ["+", "s", ["*", -1, "x"]], "definition"], [">=", second_condition, "given"]],
        x=FREE,
        s=FREE,
    )
    both = statement(goal, [["=", ["+", "s", ["*", -1, "x"]], "definition"]], x=FREE, s=FREE)
    by = {"rule": "combination", "terms": [{"times": ["*", -1, "x"], "given": 0}]}
    split = {"rule": "cases", "on": "x", "nonnegative": "up", "nonpositive": "down"}
    return proof(("up", up, by), ("down", down, by), ("both", both, split))


def test_cases() -> None:
    accept_proof(absolute_value(["*", -1, "x"]), {})
    assert "assumes more" in rejected(absolute_value(["+", -1, ["*", -1, "x"]]))


def doubling(rate: int) -> dict[str, Any]:
    """x_0 = 1, x_{t+1} = rate x_t; invariant x_t >= 1 + t."""
    invariant = ["+", "x", -1, ["*", -1, "t"]]
    base = statement([">=", ["+", 1, -1, 0]], t=NATURAL)
    facts = [["=", ["+", "y", ["*", -rate, "x"]], "definition"], [">=", invariant, "given"]]
    later = [">=", ["+", "y", -1, ["*", -1, ["+", "t", 1]]]]
    terms = [{"times": 1, "given": 0}, {"times": 2, "given": 1}, {"times": "t", "one": True}]
    end = statement([">=", ["+", "x", -1, ["*", -1, "T"]]], x=MEASURED, T=NATURAL)
    by = {
        "rule": "induction",
        "index": "t",
        "invariant": invariant,
        "base": "base",
        "step": "step",
        "start": {"x": 1},
        "next": {"x": "y"},
        "end": "T",
    }
    return proof(
        ("base", base, {"rule": "combination", "terms": []}),
        (
            "step",
            statement(later, facts, x=MEASURED, y=MEASURED, t=NATURAL),
            {"rule": "combination", "terms": terms},
        ),
        ("end", end, by),
    )


def test_induction() -> None:
    accept_proof(doubling(2), {})
    assert rejected(doubling(1))
    wrong = doubling(2)
    wrong["steps"][2]["by"]["start"] = {"x": 0}
    assert "base" in rejected(wrong)


def log_grows(begin: Any, end: Any) -> dict[str, Any]:
    slope = statement([">=", ["^", "x", -1]], x=POSITIVE)
    rise = statement(
        [">=", ["+", ["log", end], ["*", -1, ["log", begin]]]], y=[1, False, None, False, False, False]
    )
    by = {
        "rule": "integrate",
        "step": "slope",
        "variable": "x",
        "function": ["log", "x"],
        "from": begin,
        "to": end,
    }
    slope_by = {"rule": "combination", "terms": [{"times": ["^", "x", -1], "one": True}]}
    return proof(("slope", slope, slope_by), ("rise", rise, by))


def test_monotone() -> None:
    accept_proof(log_grows(1, "y"), {})
    assert "in order" in rejected(log_grows("y", 1))


def mean(mass: Any) -> dict[str, Any]:
    pointwise = statement([">=", ["+", "u", -3]], [[">=", ["+", "u", -3], "moments"]], u=MEASURED)
    averaged = statement([">=", ["+", "m", ["*", -3, "p"]]], m=MEASURED, p=UNIT)
    by = {"rule": "expectation", "step": "pointwise", "means": {"u": "m"}, "mass": mass}
    given = {"rule": "combination", "terms": [{"times": 1, "given": 0}]}
    return proof(("pointwise", pointwise, given), ("mean", averaged, by))


def test_expectation() -> None:
    accept_proof(mean("p"), {})
    assert "not the mean" in rejected(mean(1))


def test_lemma_hypotheses_are_checked() -> None:
    known = {
        "small": statement(
            [">=", ["+", 1, ["*", -1, "x"]]], [[">=", ["+", "1/2", ["*", -1, "x"]], "given"]], x=FREE
        )
    }
    by = {"rule": "combination", "terms": [{"times": 1, "lemma": "small", "with": {"x": "y"}}]}
    goal = [">=", ["+", 1, ["*", -1, "y"]]]
    fitting = statement(goal, [[">=", ["+", "1/2", ["*", -1, "y"]], "given"]], y=FREE)
    accept_proof(proof(("ok", fitting, by)), known)
    assert "hypothesis" in rejected(proof(("bad", statement(goal, y=FREE), by)), known)
    assert "not known" in rejected(proof(("bad", fitting, by)))


def test_an_integer_lemma_takes_integers_only() -> None:
    known = {"whole": statement([">=", ["+", ["^", "n", 2], ["*", -1, "n"]]], n=NATURAL)}
    by = {"rule": "combination", "terms": [{"times": 1, "lemma": "whole", "with": {"n": "1/2"}}]}
    assert "integer" in rejected(proof(("bad", statement([">=", "-1/4"]), by)), known)


def test_the_last_step_must_state_the_claim() -> None:
    certificate = square_is_nonnegative(["+", ["^", "x", 2], ["*", -2, "x"], 1])
    certificate["statement"] = {**certificate["statement"], "says": [">=", "x"]}
    assert "does not state" in rejected(certificate)


def test_undeclared_names_and_unknown_rules_are_rejected() -> None:
    s = statement([">=", "z"], x=FREE)
    assert "undeclared" in rejected(proof(("bad", s, {"rule": "combination", "terms": []})))
    s = statement([">=", "x"], x=FREE)
    assert "unknown rule" in rejected(proof(("bad", s, {"rule": "trust me"})))
    assert set(RULES) == {
        "identity",
        "sum",
        "combination",
        "subdivision",
        "cases",
        "induction",
        "convex",
        "integrate",
        "expectation",
    }


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"x": 2}, "outside the domain"),
        ({"x": "1/2"}, "holds at the witness"),
        ({"x": "1/4"}, "a hypothesis fails"),
    ],
)
def test_bad_witnesses_are_rejected(values: dict[str, Any], why: str) -> None:
    s = statement([">=", ["+", ["*", 2, "x"], -1]], [[">=", ["+", "x", "-1/3"], "given"]], x=UNIT)
    with pytest.raises(Rejected, match=why):
        accept_witness({"statement": s, "witness": {"values": values}}, {})


def test_a_witness_refutes() -> None:
    s = statement([">=", ["+", ["*", 2, "x"], -1]], [[">=", ["+", "x", "-1/3"], "given"]], x=UNIT)
    accept_witness({"statement": s, "witness": {"values": {"x": "2/5"}}}, {})


@pytest.mark.parametrize(
    "knots",
    [
        [[-1, 0], [1, 2]],
        [[-1, 1], [1, 0]],
        [[0, 0], [1, 0]],
    ],
)
def test_a_member_outside_the_class_is_rejected(knots: list[list[int]]) -> None:
    s = statement([">=", "x"], x=FREE)
    model = {"L": 2, "mu": 1, "members": {"A": knots}}
    with pytest.raises(Rejected):
        accept_witness({"statement": s, "witness": {"values": {"x": -1}, "model": model}}, {})


def test_a_law_that_does_not_sum_to_one_is_rejected() -> None:
    s = statement([">=", "x"], x=FREE)
    witness = {"values": {"x": -1}, "model": {"laws": {"P": {"a": "1/2"}}}}
    with pytest.raises(Rejected, match="not a law"):
        accept_witness({"statement": s, "witness": witness}, {})
