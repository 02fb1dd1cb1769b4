"""Records become what the checker reads: relations, domains, letters and functions, none lost or changed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
import sympy as sp

from oubli.theory.kernel import symbols
from oubli.theory.kernel.encoding import (
    domain,
    domain_relations,
    hypothesis,
    kind,
    outline,
    relation,
    sealed,
    statement,
)
from oubli.theory.kernel.expressions import UnsupportedError, expression, rational
from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.kernel.symbols import (
    Domain,
    Phi,
    Quantity,
    declare_kind,
    letter,
    mentioned,
    parameter,
    phi1,
    phi2,
)
from oubli.theory.kernel.terms import inner, minus, names, number, substitute

x = letter("x_enc", Domain(Fraction(0), Fraction(1), True, False), "a share")
y = parameter("y_enc", Domain(Fraction(-1, 2), None, False, True))
n = parameter("n_enc", symbols.COUNT)
X, Y = "x_enc", "y_enc"
RELATIONS = {
    "at least": (sp.Ge(x, y), [">=", minus(X, Y)]), "more": (sp.Gt(x, y), [">", minus(X, Y)]),
    "at most": (sp.Le(x, y), [">=", minus(Y, X)]), "less": (sp.Lt(x, y), [">", minus(Y, X)]),
    "equal": (sp.Eq(x, y), ["=", minus(X, Y)]), "at least 1": (sp.Ge(x, 1), [">=", minus(X, 1)]),
    "at most 1": (sp.Le(x, 1), [">=", minus(1, X)]), "at least 0": (sp.Ge(x, 0), [">=", X]),
    "less than 0": (sp.Lt(x, 0), [">", minus(0, X)]), "at least 2": (sp.Ge(x, 2), [">=", minus(X, 2)]),
}  # fmt: skip


@pytest.mark.parametrize("name", RELATIONS)
def test_relations(name: str) -> None:
    said, found = RELATIONS[name]
    assert relation(said) == found
    assert hypothesis(Hypothesis(said)) == [*found, "given"]


def test_domains_are_hypotheses() -> None:
    both = {X: [0, True, 1, False, False, True], "c": [0, False, 1, True, False, False], "r": [None, True,
        None, True, False, False],
            "v": [0, True, 1, True, False, ["point"]], "half": ["1/2", False, None, False, True,
                False]}  # fmt: skip
    assert domain_relations(both) == [
        [">", minus(X, 0), "domain"], [">=", minus(1, X), "domain"], [">=", minus("c", 0), "domain"],
        [">", minus(1, "c"), "domain"], [">=", minus("half", "1/2"), "domain"],
    ]  # fmt: skip


def test_what_sums_and_rules_bind_has_no_domain() -> None:
    """As a hypothesis it would speak of one index, where the statement speaks of all."""
    ranges = [0, False, None, True, True, False]
    assert domain_relations({"k_": ranges, "T_": ranges}) == []
    assert domain_relations({"T": ranges}) == [[">=", minus("T", 0), "domain"]]


def test_letters_keep_their_domains_and_kinds() -> None:
    assert domain(symbols.declared(x)) == [0, True, 1, False, False, True]
    assert domain(symbols.declared(y)) == ["-1/2", False, None, True, False, False]
    assert domain(symbols.declared(n)) == [1, False, None, False, True, False]
    assert kind([0, False, 1, False, True, False]) == [True, False]
    assert kind([0, False, 1, False, False, True]) == [False, True]
    assert kind([None, False, None, False, False, ["point"]]) == ["point"]


def test_a_statement_that_something_exists_says_so() -> None:
    every, some = (
        Statement((Hypothesis(sp.Ge(y, 2)),), sp.Ge(x, y), exists=exists) for exists in (False, True)
    )
    assert "exists" not in outline(every)
    assert "exists" not in statement(every)
    assert outline(some)["exists"] is True
    assert statement(some)["exists"] is True
    assert statement(every) == sealed(outline(every))
    assert statement(every)["letters"] == {X: [False, True], Y: [False, False]}
    assert statement(every)["says"] == [">=", minus(X, Y)]
    conditions = [[">=", minus(Y, 2), "given"], [">", minus(X, 0), "domain"], [">=", minus(1, X), "domain"]]
    assert statement(every)["given"] == [*conditions, [">=", minus(Y, "-1/2"), "domain"]]


EXPRESSIONS: dict[str, tuple[Any, Any]] = {
    "an integer": (sp.Integer(-3), -3), "a fraction": (sp.Rational(-2, 3), "-2/3"), "pi": (sp.pi, ["pi"]),
        "e": (sp.E, ["exp", 1]),
    "a letter": (x, X), "a sum": (x + y, ["+", X, Y]), "a product": (2 * x, ["*", 2, X]), "a square": (x**2,
        ["^", X, 2]),
    "a root": (sp.sqrt(x), ["^", X, "1/2"]), "an inverse": (1 / x, ["^", X, -1]),
        "an inverse root": (x ** sp.Rational(-3, 2), ["^", X, "-3/2"]),
    "exp": (sp.exp(x), ["exp", X]), "log": (sp.log(x), ["log", X]), "atan": (sp.atan(x), ["atan", X]),
        "asin": (sp.asin(x), ["asin", X]),
    "Phi": (Phi(x), ["Phi", X]), "phi1": (phi1(x), ["phi1", X]), "phi2": (phi2(x), ["phi2", X]),
    "a function of objects": (sp.Function("tv")(x, sp.Integer(2)), ["tv", X, 2]),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name: str) -> None:
    said, found = EXPRESSIONS[name]
    assert expression(said) == found


@pytest.mark.parametrize("said", [x ** sp.Rational(1, 3), x**y, sp.sin(x), sp.I])
def test_what_no_certificate_can_hold(said: Any) -> None:
    with pytest.raises(UnsupportedError, match="no certificate can hold"):
        expression(said)


def test_numbers_and_names() -> None:
    assert (rational(sp.Integer(4)), rational(sp.Rational(4, 6))) == (4, "2/3")
    good = {5: 5, -5: -5, "7": 7, "-7/2": Fraction(-7, 2), "1/02": Fraction(1, 2)}
    assert {node: number(node) for node in good} == good
    assert [number(node) for node in ("x", "1/0", "1/", "1.5", True, 1.5, None, ["+"], "--1")] == [None] * 9
    assert names(["+", "x", ["@", "S", {"t": ["+", "t", "u"]}], ["pi"], "1/2", 3]) == {"x", "S", "t", "u"}
    assert names("x") == {"x"}
    assert names("1/2") == set()
    assert substitute(["+", "x", ["*", "y", "1/2"], "z"], {"x": "y", "y": ["+", "x", 1], "1/2": "bad"}) == [
        "+", "y", ["*", ["+", "x", 1], "1/2"], "z"]  # fmt: skip
    assert (inner("v", "u"), inner("u", "v"), inner("u", "u")) == ("<u,v>", "<u,v>", "<u,u>")
    assert minus("a", "b") == ["+", "a", ["*", -1, "b"]]


# Made when the test runs, so that a domain is what it is then.
CONTAINS = {
    "inside": (lambda: Domain(Fraction(0), Fraction(1)), "1/2", True),
        "a closed lower end": (lambda: Domain(Fraction(0),
        Fraction(1)), 0, True),
    "an open lower end": (lambda: Domain(Fraction(0), Fraction(1), lower_open=True), 0, False),
        "a closed upper end": (lambda: Domain(Fraction(0), Fraction(1)), 1, True),
    "an open upper end": (lambda: Domain(Fraction(0), Fraction(1), upper_open=True), 1, False),
        "below": (lambda: Domain(Fraction(0), None), -1, False),
    "above": (lambda: Domain(None, Fraction(1)), 2, False), "without ends": (lambda: Domain(), -7, True),
        "no integer": (lambda: symbols.NATURAL, "1/2", False),
    "an integer": (lambda: symbols.NATURAL, 3, True), "one point": (lambda: Domain(Fraction(1), Fraction(1)),
        1, True),
        "1/2 is positive": (lambda: symbols.POSITIVE, "1/2", True),
            "nothing is positive at 0": (lambda: symbols.POSITIVE, 0, False),
    "a count is at least 1": (lambda: symbols.COUNT, 0, False), "1 is a count": (lambda: symbols.COUNT, 1,
        True),
        "0 is natural": (lambda: symbols.NATURAL, 0, True),
    "1 is in the unit interval": (lambda: symbols.UNIT, 1, True),
        "not in the open one": (lambda: symbols.OPEN_UNIT, 1,
        False), "nor is 0": (lambda: symbols.OPEN_UNIT, 0, False),
    "0 is not negative": (lambda: symbols.NONNEGATIVE, 0, True), "-1 is": (lambda: symbols.NONNEGATIVE, -1,
        False),
        "half a count": (lambda: symbols.COUNT, "3/2", False),
    "0 is in the unit interval": (lambda: symbols.UNIT, 0, True), "2 is not": (lambda: symbols.UNIT, 2,
        False),
        "any number is real": (lambda: symbols.REAL, "-1/3", True),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTAINS)
def test_what_a_domain_contains(name: str) -> None:
    where, value, found = CONTAINS[name]
    assert where().contains(Fraction(value)) is found


EMPTY = [(1, 0, False, False), (1, 1, True, False), (1, 1, False, True)]


@pytest.mark.parametrize("ends", EMPTY)
def test_empty_domains(ends: Any) -> None:
    with pytest.raises(symbols.EmptyDomainError):
        Domain(Fraction(ends[0]), Fraction(ends[1]), ends[2], ends[3])


def test_what_is_measured_cannot_be_chosen() -> None:
    assert symbols.declared(x).measured is True
    assert symbols.declared(y).measured is False
    with pytest.raises(ValueError, match="already declared"):
        letter("x_enc", symbols.REAL)
    with pytest.raises(KeyError, match="unknown symbol nobody_enc"):
        symbols.declared(sp.Symbol("nobody_enc"))
    assert {q.symbol.name for q in symbols.everything()} >= {X, Y, "n_enc"}
    assert Quantity(x, symbols.REAL, "").kind is None


def test_letters_are_real_and_declared_once() -> None:
    fresh = uuid4().hex
    made, again = (parameter(f"z_{fresh}", symbols.UNIT) for _ in range(2))
    assert made == again
    assert made.is_real
    assert symbols.declared(made).measured is False
    assert letter(f"w_{fresh}", symbols.UNIT).is_real
    assert symbols.declared(letter(f"w_{fresh}", symbols.UNIT)).measured is True
    assert declare_kind(f"K_{fresh}", ["point"]).is_real


def test_abbreviations_mention_what_they_stand_for() -> None:
    declare_kind("P_enc", ["point"])
    declare_kind("S_enc", ["is", ["in", "P_enc", "P_enc"]], "a size")
    declare_kind("T_enc", ["is", ["+", "S_enc", Y, "unknown_enc", 1]])
    assert mentioned("T_enc") == {"T_enc", "S_enc", "P_enc", Y}
    assert mentioned(["+", X, 2, ["P_enc", "P_enc"]]) == {X, "P_enc"}
    with pytest.raises(ValueError, match="something else"):
        declare_kind("S_enc", ["point"])
    assert symbols.declared(sp.Symbol("S_enc", real=True)).measured is False


def test_a_statement_knows_its_letters() -> None:
    said = Statement(
        (Hypothesis(sp.Ge(x, y)), Hypothesis(sp.Ge(x, 0))),
        sp.Ge(x, 0),
        (n,),
    )
    assert [q.symbol.name for q in said.quantities] == ["n_enc", X, Y]
    with pytest.raises(ValueError, match="says a relation"):
        Statement((), x + 1)
    with pytest.raises(ValueError, match="says a relation"):
        Statement((), 3)  # type: ignore[arg-type]


def test_the_density_belongs_to_the_distribution() -> None:
    density = Phi(x).diff(x).subs(x, sp.Rational(1, 2))
    assert float(density) == pytest.approx(0.3520653267642995, rel=1e-12)
