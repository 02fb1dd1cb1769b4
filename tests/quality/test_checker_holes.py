"""False statements that a careless checker would accept, each through another door; all are refused."""

from typing import Any

import pytest

from tests.quality.written import (
    BELOW,
    FALSE,
    IMAGINARY,
    MEASURED,
    NATURAL,
    NONNEGATIVE,
    ONE,
    ONES,
    QUARTIC,
    REAL,
    combined,
    st,
    step,
)
from theory.checker import Rejected, accept_instance, accept_proof, accept_witness, facts_of

HOLES: dict[str, list[dict[str, Any]]] = {
    "the square of an imaginary number": [combined("a", st(FALSE), {"times": 1, "square": IMAGINARY})],
    "an imaginary coefficient": [
        combined(
            "a", st([">=", ["*", -1, "<u,u>"]], **{"<u,u>": REAL}), {"times": 1, "norm": {"u": IMAGINARY}}
        )
    ],
    "a lemma at an imaginary number": [
        combined("sq", st([">=", ["^", "x", 2]], x=REAL), {"times": 1, "square": "x"}),
        combined("b", st(FALSE), {"times": 1, "lemma": "sq", "with": {"x": IMAGINARY}}),
    ],
    "an unknown reason": [combined("a", st(FALSE, [[">=", -1, "because"]]), {"times": 1, "given": 0})],
    "a measured letter set to a number": [
        combined("a", st([">=", "m"], [[">=", "m", "definition"]], m=MEASURED), {"times": 1, "given": 0}),
        combined("b", st(FALSE), {"times": 1, "lemma": "a", "with": {"m": -1}}),
    ],
    "two model functions taken for one": [
        step("a", st(["=", ["+", ["tv", "P", "Q"], ["*", -1, ["tv", "P", "P"]]]]), rule="identity")
    ],
    "a domain nobody can read": [
        combined(
            "a", st([">=", "x"], x=["-1.5", False, None, False, False, False]), {"times": "x", "one": True}
        )
    ],
    "a number for a name": [
        combined("a", st(FALSE, **{"-1": NONNEGATIVE}), {"times": -1, "one": True}),
    ],
    "a letter taken at two values of its parameter": [
        combined(
            "rise",
            st(
                [">=", ["+", "q", ["*", -1, "m"]]],
                [[">=", ["+", "q", ["*", -1, "m"]], "Lipschitz"]],
                m=MEASURED,
                q=REAL,
            ),
            {"times": 1, "given": 0},
        ),
        combined(
            "b",
            st([">=", ["*", -1, "q"]], [["=", ["+", "m", ["*", -1, "q"]], "definition"]], m=MEASURED, q=REAL),
            {"times": 1, "lemma": "rise", "with": {"q": 0}},
            {"times": 1, "given": 0},
        ),
    ],
    "a box that is smaller than the domain": [
        step(
            "a",
            st([">", ["+", 2, ["*", -1, "x"]]], x=[0, False, 3, False, False, False]),
            rule="subdivision", box={"x": [0, 1]}, tree="positive", bits=64,
        )
    ],
    "an undefined hypothesis of a lemma": [
        combined(
            "a",
            st([">=", "x"], [[">=", ["^", ["^", "x", "1/2"], 2], "given"]], x=REAL),
            {"times": "x", "one": True},
        ),
        combined(
            "b",
            st([">=", BELOW], y=REAL),
            {"times": 1, "lemma": "a", "with": {"x": BELOW}},
        ),
        combined("c", st(FALSE), {"times": 1, "lemma": "b", "with": {"y": 0}}),
    ],
    "a hypothesis that divides by 0": [
        combined(
            "a",
            st([">", QUARTIC], [[">", ["+", 1, ["^", ["^", "x", -1], 2]], "given"]], x=REAL),
            {"times": QUARTIC, "one": True},
        ),
        combined("b", st([">", QUARTIC], x=REAL), {"times": 1, "lemma": "a", "with": {}}),
        combined("c", st([">", 0]), {"times": 1, "lemma": "b", "with": {"x": 0}}),
    ],
    "a norm that can be chosen": [
        combined("a", st([">=", "<u,u>"], **{"<u,u>": REAL}), {"times": 1, "norm": {"u": 1}}),
        combined("b", st(FALSE), {"times": 1, "lemma": "a", "with": {"<u,u>": -1}}),
    ],
    "a norm renamed to an inner product": [
        combined("a", st([">=", "<u,u>"], **{"<u,u>": MEASURED}), {"times": 1, "norm": {"u": 1}}),
        combined(
            "b",
            st([">=", "<u,v>"], **{"<u,v>": MEASURED}),
            {"times": 1, "lemma": "a", "with": {"<u,u>": "<u,v>"}},
        ),
    ],
    "two letters taken for one": [
        combined(
            "a",
            st(
                [">=", ["+", "m", -1, ["*", -1, "k"]]],
                [[">=", ["+", "m", -1, ["*", -1, "k"]], "definition"]],
                m=MEASURED, k=MEASURED,
            ),
            {"times": 1, "given": 0},
        ),
        combined("b", st(FALSE, k=MEASURED), {"times": 1, "lemma": "a", "with": {"m": "k"}}),
    ],
    "a precision of one bit": [
        step("a", st([">", 1]), rule="subdivision", box={}, tree="positive", bits=1)
    ],
    "a step that says that something exists": [
        {**combined("a", {**st([">=", 1]), "exists": True}, ONE)}
    ],
    "a division by nothing": [step("a", st(["=", ["+", ["*", 0, ["^", 0, -1]], -1]]), rule="identity")],
    "an own name for a lemma": [
        combined("a", st([">=", 1]), ONE),
        combined("a", st(FALSE), {"times": -1, "lemma": "a", "with": {}}),
    ],
}


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_refused(name: str) -> None:
    steps = HOLES[name]
    with pytest.raises(Rejected):
        accept_proof({"statement": steps[-1]["statement"], "steps": steps}, {})


def test_inner_products_of_no_vectors_are_refused() -> None:
    says = [">=", ["+", 4, ["*", -1, ["+", "<a,a>", ["*", -2, "<a,b>"], "<b,b>"]]]]
    statement = st(says, **dict.fromkeys(("<a,a>", "<a,b>", "<b,b>"), MEASURED))
    bogus = {"<a,a>": 1, "<a,b>": -100, "<b,b>": 1}
    with pytest.raises(Rejected, match="no vectors"):
        accept_witness({"statement": statement, "witness": {"values": bogus}}, {})
    accept_witness({"statement": statement, "witness": {"values": {"<a,a>": 4, "<a,b>": -4, "<b,b>": 4}}}, {})


def refused(statement: dict[str, Any], witness: dict[str, Any], lemmas: dict[str, Any] | None = None) -> str:
    with pytest.raises(Rejected) as why:
        accept_witness({"statement": statement, "witness": witness}, lemmas or {})
    return str(why.value)


def test_a_lemma_at_another_parameter_than_the_witness_is_refused() -> None:
    about = st(
        [">=", ["+", "m", ["*", -1, "q"]]],
        [["=", ["+", "m", ["*", -1, "q"]], "definition"]],
        m=MEASURED, q=REAL,
    )
    witness = {"values": {"q": 0}, "terms": [{"times": 1, "lemma": "about", "with": {"q": 2}}, ONE]}
    true = st([">=", ["+", "q", 1, ["*", -1, "m"]]], m=MEASURED, q=REAL)
    assert "another q" in refused(true, witness, {"about": about})


def test_a_domain_without_an_integer_is_empty() -> None:
    assert "empty" in refused(st(FALSE, n=[0, True, 1, True, True, False]), {"values": {}})


def test_an_inner_product_has_one_name() -> None:
    letters = dict.fromkeys(("<b,a>", "<a,a>", "<b,b>"), MEASURED)
    values = {"<b,a>": 100, "<a,a>": 1, "<b,b>": 1}
    assert "not a name" in refused(st([">=", ["+", 5, ["*", -1, "<b,a>"]]], **letters), {"values": values})


def test_a_model_has_the_constants_of_its_witness() -> None:
    members = {"A": [[-1, -50], [1, 50]]}
    witness = {
        "values": {"L": 1, "s": ["right", "A", 1]},
        "model": {"L": 100, "mu": 50, "members": members},
    }
    steep = st([">=", ["+", "L", ["*", -1, "s"]]], [[">", "L", "given"]], L=REAL, s=MEASURED)
    assert "another L" in refused(steep, witness)


def test_one_instance_shows_no_statement_about_all() -> None:
    for statement in (st([">=", "x"], x=REAL), {**st([">=", "x"], x=REAL), "exists": False}):
        with pytest.raises(Rejected, match="about all"):
            accept_instance({"statement": statement, "witness": {"values": {"x": 1}}}, {})
    some = {**st([">=", "x"], x=REAL), "exists": True}
    accept_instance({"statement": some, "witness": {"values": {"x": 1}}}, {})
    assert "another exists" in refused(some, {"values": {"x": -1}})
    cited = combined("a", st(FALSE), {"times": 1, "lemma": "some", "with": {"x": -1}})
    with pytest.raises(Rejected, match="not which"):
        accept_proof({"statement": st(FALSE), "steps": [cited]}, {"some": some})


def test_what_a_proof_takes_its_letters_for_is_disclosed() -> None:
    """A rename, a letter held constant under a mean and a state cannot be checked here: facts tell them."""
    named = combined(
        "b",
        st(["=", ["+", "T", ["*", -1, "m"]]], T=NATURAL, m=MEASURED),
        {"times": 1, "lemma": "ones", "with": {"S": "m"}},
    )
    assert ["as", "m", ["ones", "S"]] in facts_of({"steps": [ONES, named]})
    mean = step(
        "c", st([">=", ["*", "m", "z"]], m=MEASURED, z=MEASURED), rule="expectation", step="a",
        means={"y": "m"}, mass=1,
    )
    assert ["constant", "z", ["y"]] in facts_of({"steps": [mean]})
    walk = step(
        "e", st([">=", "m"], m=MEASURED), rule="induction", index="t", invariant="m", base="b", step="s",
        start={"m": 1}, next={"m": "m"}, end=3,
    )
    assert ["state", "m", ["t", 1, "m"]] in facts_of({"steps": [walk]})


TALL = [[">=", ["^", ["+", "a", "b", i + 1], 30], "given"] for i in range(38)]
LONG = {
    "products of many hypotheses": combined("a", st([">=", 0], TALL, a=REAL, b=REAL)),
    "a long series": step(
        "a", st([">", ["phi1", 20_000]]), rule="subdivision", box={}, tree="positive", bits=2000
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_what_takes_too_long_is_refused(name: str) -> None:
    with pytest.raises(Rejected, match="too long"):
        accept_proof({"statement": LONG[name]["statement"], "steps": [LONG[name]]}, {})


def test_an_imaginary_value_is_no_witness() -> None:
    statement = st([">", ["+", ["^", "x", 2], 1]], x=REAL)
    with pytest.raises(Rejected, match="radicand"):
        accept_witness({"statement": statement, "witness": {"values": {"x": IMAGINARY}}}, {})


@pytest.mark.parametrize("bomb", [["^", 10**1000, 64], ["+", 1, ["^", 3, -64]], ["exp", 20_000]])
def test_towers_of_powers_are_refused_at_once(bomb: Any) -> None:
    for _ in range(12):
        bomb = ["^", bomb, 64]
    with pytest.raises(Rejected):
        accept_proof({"statement": st([">", bomb]), "steps": [combined("a", st([">", bomb]), ONE)]}, {})
    with pytest.raises(Rejected):
        accept_witness({"statement": st([">=", "x"], x=REAL), "witness": {"values": {"x": bomb}}}, {})


def test_a_witness_must_value_every_letter_of_the_hypotheses() -> None:
    statement = st([">=", "x"], [[">=", ["+", "x", "y"], "Lipschitz"]], x=MEASURED, y=MEASURED)
    with pytest.raises(Rejected, match="left open"):
        accept_witness({"statement": statement, "witness": {"values": {"x": -1}}}, {})


@pytest.mark.parametrize(
    "junk", [None, 3, [], {}, {"steps": 1}, {"statement": {}, "steps": [{}]}, {"steps": [[]]}]
)
def test_junk_is_refused_not_crashed_on(junk: Any) -> None:
    with pytest.raises(Rejected):
        accept_proof(junk, {})
    with pytest.raises(Rejected):
        accept_witness(junk, {})
