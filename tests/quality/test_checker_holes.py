"""False statements that a careless checker would accept, each through another door; all are refused."""

from typing import Any

import pytest

from theory.checker import Rejected, accept_instance, accept_proof, accept_witness, facts_of

# Domains: [lower, open, upper, open, integer, measured].
REAL = [None, False, None, False, False, False]
NATURAL = [0, False, None, False, True, False]
NONNEGATIVE = [0, False, None, False, False, False]
MEASURED = [None, False, None, False, False, True]


def st(says: list[Any], given: list[list[Any]] | None = None, **quantities: list[Any]) -> dict[str, Any]:
    return {"quantities": quantities, "given": given or [], "says": says}


def step(name: str, statement: dict[str, Any], **by: Any) -> dict[str, Any]:
    return {"name": name, "statement": statement, "by": by}


def combined(name: str, statement: dict[str, Any], *terms: dict[str, Any]) -> dict[str, Any]:
    return step(name, statement, rule="combination", terms=list(terms))


ONE = {"times": 1, "one": True}
IMAGINARY = ["^", -1, "1/2"]
FALSE = [">=", -1]
JUMP = ["*", -1, ["^", ["^", "x", 2], "1/2"], ["^", "x", -1]]
KINK = ["*", -1, ["^", ["^", "x", 2], "1/2"]]
BOTH_SIDES = [-1, False, 1, False, False, False]
FALLING = ["+", 2, ["*", -1, "q"]]

FRACTION = [0, False, 1, False, False, True]
BELOW = ["+", -1, ["*", -1, ["^", "y", 2]]]
QUARTIC = ["+", ["^", "x", 4], ["^", "x", 2]]
BELOW_ONE = combined(
    "a", st([">=", ["+", 1, ["*", -1, "y"]]], y=FRACTION), {"times": ["+", 1, ["*", -1, "y"]], "one": True}
)
ONES = step(
    "ones", st(["=", ["+", "T", ["*", -1, "S"]]], T=NATURAL, S=MEASURED), rule="sum", index="n", closed="n",
    term=1, first=1, last="T", total="S",
)

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
    "a rise that is no letter": [
        combined("a", st([">=", 0], x=REAL)),
        step(
            "b",
            st([">=", -5]),
            rule="integrate",
            step="a",
            variable="x",
            function=0,
            slope=0,
            rise=5,
            **{"from": 0, "to": 1},
        ),
    ],
    "a negative probability": [
        combined("a", st([">=", 1]), ONE),
        step("b", st(FALSE), rule="expectation", step="a", means={}, mass=-1),
    ],
    "a mean that is chosen": [
        combined("a", st([">=", "y"], y=NONNEGATIVE), {"times": "y", "one": True}),
        step("b", st([">=", -5]), rule="expectation", step="a", means={"y": -5}, mass=1),
    ],
    "an induction that ends between two integers": [
        combined("base", st([">=", 0])),
        combined(
            "step",
            st([">=", ["*", ["+", "t", 1], "t"]], t=NATURAL),
            {"times": ["*", ["+", "t", 1], "t"], "one": True},
        ),
        step(
            "end",
            st([">=", "-1/4"]),
            rule="induction",
            index="t",
            invariant=["*", "t", ["+", "t", -1]],
            base="base",
            step="step",
            start={},
            next={},
            end="1/2",
        ),
    ],
    "an induction whose step starts late": [
        combined("base", st([">=", 0])),
        combined(
            "step",
            st([">=", ["*", ["+", "t", 1], ["+", "t", -8]]], t=[10, False, None, False, True, False]),
            {"times": ["*", ["+", "t", 1], ["+", ["+", "t", -10], 2]], "one": True},
        ),
        step(
            "end",
            st([">=", -20]),
            rule="induction",
            index="t",
            invariant=["*", "t", ["+", "t", -9]],
            base="base",
            step="step",
            start={},
            next={},
            end=5,
        ),
    ],
    "an induction over a letter that can be chosen": [
        combined("base", st([">=", ["+", 2, -1]]), ONE),
        combined(
            "step",
            st([">=", ["+", 2, ["*", "-1/2", "q"]]], [[">=", FALLING, "given"]], q=REAL),
            {"times": "1/2", "given": 0},
            ONE,
        ),
        step(
            "end",
            st([">=", FALLING], q=REAL),
            rule="induction",
            index="t",
            invariant=FALLING,
            base="base",
            step="step",
            start={"q": 1},
            next={"q": ["*", "1/2", "q"]},
            end=7,
        ),
    ],
    "a monotone function with a jump": [
        combined("slope", st([">=", 0], x=BOTH_SIDES)),
        step(
            "b",
            st([">=", -2]),
            rule="integrate",
            step="slope",
            variable="x",
            function=JUMP,
            **{"from": -1, "to": 1},
        ),
    ],
    "a convex function with a kink the wrong way": [
        combined("curve", st([">=", 0], x=BOTH_SIDES)),
        step(
            "b",
            st([">=", -2]),
            rule="convex",
            step="curve",
            variable="x",
            function=KINK,
            at=0,
            **{"from": -1, "to": 1},
        ),
    ],
    "a logarithm from 0": [
        combined(
            "slope",
            st([">=", ["^", "x", -1]], x=[0, True, None, False, False, False]),
            {"times": ["^", "x", -1], "one": True},
        ),
        step(
            "b",
            st([">=", ["+", ["log", 1], ["*", -1, ["log", 0]]]]),
            rule="integrate",
            step="slope",
            variable="x",
            function=["log", "x"],
            **{"from": 0, "to": 1},
        ),
    ],
    "cases over two domains": [
        combined(
            "a",
            st(FALSE, [[">=", "x", "given"]], x=[-2, False, -1, False, False, False]),
            {"times": 1, "given": 0},
            {"times": ["+", -1, ["*", -1, "x"]], "one": True},
        ),
        combined(
            "b",
            st(FALSE, [[">=", ["*", -1, "x"], "given"]], x=[1, False, 2, False, False, False]),
            {"times": 1, "given": 0},
            {"times": ["+", "x", -1], "one": True},
        ),
        step("c", st(FALSE), rule="cases", on="x", nonnegative="a", nonpositive="b"),
    ],
    "two model functions taken for one": [
        step("a", st(["=", ["+", ["tv", "P", "Q"], ["*", -1, ["tv", "P", "P"]]]]), rule="identity")
    ],
    "a sum that is typed": [
        step(
            "a", st(["=", ["+", 1, -2]]), rule="sum", index="n", closed="n", term=1, first=1, last=1, total=2
        )
    ],
    "a sum over no range": [
        step(
            "a",
            st(["=", ["+", -5, ["*", -1, "S"]]], S=MEASURED),
            rule="sum",
            index="n",
            closed="n",
            term=1,
            first=1,
            last=-5,
            total="S",
        )
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
    "a total that stands for two sums": [
        step(
            "ones",
            st(["=", ["+", "T", ["*", -1, "S"]]], T=NATURAL, S=MEASURED),
            rule="sum", index="n", closed="n", term=1, first=1, last="T", total="S",
        ),
        step(
            "twos",
            st(["=", ["+", ["*", 2, "T"], ["*", -1, "S"]]], T=NATURAL, S=MEASURED),
            rule="sum", index="n", closed=["*", 2, "n"], term=2, first=1, last="T", total="S",
        ),
        combined(
            "no steps at all",
            st(["=", "T"], T=NATURAL, S=MEASURED),
            {"times": 1, "lemma": "twos", "with": {}},
            {"times": -1, "lemma": "ones", "with": {}},
        ),
    ],
    "a box that is smaller than the domain": [
        step(
            "a",
            st([">", ["+", 2, ["*", -1, "x"]]], x=[0, False, 3, False, False, False]),
            rule="subdivision", box={"x": [0, 1]}, tree="positive", bits=64,
        )
    ],
    "a slope without its rise": [
        combined("a", st([">=", 0], x=REAL)),
        step(
            "b", st(FALSE), rule="integrate", step="a", variable="x", function=["*", -1, "x"], slope=-1,
            **{"from": 0, "to": 1},
        ),
    ],
    "an induction that starts at another index": [
        combined("base", st([">=", 0])),
        combined(
            "s",
            st([">=", ["+", "t", -99]], [[">=", ["+", "t", -100], "given"]], t=NATURAL),
            {"times": 1, "given": 0},
            ONE,
        ),
        step(
            "e", st([">=", -100]), rule="induction", index="t", invariant=["+", "t", -100], base="base",
            step="s", start={"t": 100}, next={}, end=0,
        ),
    ],
    "an induction that fixes a free letter": [
        combined("base", st([">=", 1]), ONE),
        combined("s", st([">=", "q"], [[">=", "q", "given"]], q=REAL), {"times": 1, "given": 0}),
        step(
            "e", st([">=", "q"], q=REAL), rule="induction", index="t", invariant="q", base="base", step="s",
            start={"q": 1}, next={}, end=0,
        ),
        combined("f", st(FALSE), {"times": 1, "lemma": "e", "with": {"q": -1}}),
    ],
    "an induction whose index is bound by a hypothesis": [
        combined("base", st([">=", 0])),
        combined(
            "s",
            st([">=", ["*", ["+", "t", 1], ["+", "t", -8]]], [[">=", ["+", "t", -8], "given"]], t=NATURAL),
            {"times": ["+", "t", 1], "given": 0},
        ),
        step(
            "e", st([">=", -20], [[">=", ["+", "t", -8], "given"]], t=NATURAL), rule="induction", index="t",
            invariant=["*", "t", ["+", "t", -9]], base="base", step="s", start={}, next={}, end=5,
        ),
        combined("f", st([">=", -20]), {"times": 1, "lemma": "e", "with": {"t": 8}}),
    ],
    "an induction whose state is bound by a hypothesis about its end": [
        combined("base", st([">=", 0])),
        combined(
            "s",
            st(
                [">=", ["+", "t", 1, ["*", -1, "k2"]]],
                [
                    [">=", ["+", "t", ["*", -1, "k"]], "given"],
                    [">=", ["+", 1, ["*", -1, "m"]], "given"],
                    ["=", ["+", "k2", ["*", -1, "k"], ["*", -1, "m"]], "definition"],
                ],
                t=NATURAL, k=MEASURED, m=MEASURED, k2=MEASURED,
            ),
            {"times": 1, "given": 0},
            {"times": 1, "given": 1},
            {"times": -1, "given": 2},
        ),
        step(
            "e",
            st(
                [">=", ["+", 4, ["*", -1, "k"]]],
                [[">=", ["+", 1, ["*", -1, "m"]], "given"]],
                k=MEASURED, m=MEASURED,
            ),
            rule="induction", index="t", invariant=["+", "t", ["*", -1, "k"]], base="base", step="s",
            start={"k": 0, "m": 8}, next={"k": "k2", "m": ["*", "1/2", "m"]}, end=4,
        ),
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
    "0/0 taken for 1 in a case": [
        combined(
            "a",
            st([">", ["^", "x", 2]], [[">", ["*", "x", ["^", "x", -1]], "given"]], x=REAL),
            {"times": ["^", "x", 2], "one": True},
        ),
        step(
            "b", st([">", ["^", "x", 2]], [[">", 1, "given"]], x=REAL), rule="cases", on=0, nonnegative="a",
            nonpositive="a",
        ),
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
    "a total laundered through a step without its parameter": [
        ONES,
        combined(
            "five",
            st(["=", ["+", 5, ["*", -1, "S"]]], S=MEASURED),
            {"times": 1, "lemma": "ones", "with": {"T": 5}},
        ),
        combined(
            "c",
            st(["=", ["+", "T", -5]], T=NATURAL),
            {"times": 1, "lemma": "ones", "with": {}},
            {"times": -1, "lemma": "five", "with": {}},
        ),
    ],
    "a total laundered through another name of its parameter": [
        ONES,
        combined(
            "re",
            st(["=", ["+", "N", ["*", -1, "S"]]], N=NATURAL, S=MEASURED),
            {"times": 1, "lemma": "ones", "with": {"T": "N"}},
        ),
        combined(
            "c",
            st(["=", ["+", "T", ["*", -1, "N"]]], T=NATURAL, N=NATURAL),
            {"times": 1, "lemma": "ones", "with": {}},
            {"times": -1, "lemma": "re", "with": {}},
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
    "a total inside its own sum": [
        step(
            "a",
            st(["=", ["+", ["*", "T", "S"], ["*", -1, "S"]]], T=NATURAL, S=MEASURED),
            rule="sum", index="n", closed=["*", "n", "S"], term="S", first=1, last="T", total="S",
        )
    ],
    "a total in a narrow domain": [
        step(
            "a",
            st(["=", ["+", "T", ["*", -1, "S"]]], T=NATURAL, S=FRACTION),
            rule="sum", index="n", closed="n", term=1, first=1, last="T", total="S",
        )
    ],
    "a mean named as what is random": [
        BELOW_ONE,
        step(
            "b", st([">=", ["+", "1/2", ["*", -1, "y"]]], y=FRACTION), rule="expectation", step="a",
            means={"y": "y"}, mass="1/2",
        ),
    ],
    "a mean whose meaning is hidden": [
        BELOW_ONE,
        combined(
            "a2",
            st([">=", ["+", "z", -2]], z=[2, False, 3, False, False, True]),
            {"times": ["+", "z", -2], "one": True},
        ),
        step(
            "b", st([">=", ["+", 1, ["*", -1, "m"]]], m=MEASURED), rule="expectation", step="a",
            means={"y": "m"}, mass=1,
        ),
        step(
            "c", st([">=", ["+", "m", -2]], m=MEASURED), rule="expectation", step="a2", means={"z": "m"},
            mass=1, rise="j", slope="g", variable="x", **{"from": 0, "to": 1},
        ),
        combined(
            "d", st(FALSE), {"times": 1, "lemma": "b", "with": {}}, {"times": 1, "lemma": "c", "with": {}}
        ),
    ],
    "a printed hypothesis on what is random": [
        combined("a", st([">=", "y"], [[">=", "y", "given"]], y=MEASURED), {"times": 1, "given": 0}),
        step(
            "b", st([">=", "m"], [[">=", "y", "given"]], y=MEASURED, m=MEASURED), rule="expectation",
            step="a", means={"y": "m"}, mass=1,
        ),
    ],
    "an integral over a letter that is measured": [
        combined(
            "a",
            st([">=", ["*", 2, ["+", "x", -5]]], [[">=", ["+", "x", -5], "definition"]], x=MEASURED),
            {"times": 2, "given": 0},
        ),
        step(
            "b", st([">=", -225]), rule="integrate", step="a", variable="x",
            function=["^", ["+", "x", -5], 2], **{"from": -10, "to": 5},
        ),
    ],
    "a rise that is its slope": [
        combined(
            "a",
            st(
                [">=", ["+", 1, ["*", -1, "g"]]],
                [["=", ["+", 1, ["*", -1, "g"]], "definition"]],
                x=REAL, g=MEASURED,
            ),
            {"times": 1, "given": 0},
        ),
        step(
            "b", st([">=", ["+", "1/2", ["*", -1, "g"]]], g=MEASURED), rule="integrate", step="a",
            variable="x", function="x", slope="g", rise="g", **{"from": 0, "to": "1/2"},
        ),
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
