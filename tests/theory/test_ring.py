"""The checker's identities: what it takes for equal is equal where it says so, and nothing else."""

from fractions import Fraction as Q
from math import inf
from typing import Any

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from oubli.theory.kernel.checker import Proof, accept_certificate, digest
from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.poly import BUDGET, EMPTY, WORK, Poly, RejectedError
from oubli.theory.kernel.terms import minus

x, y = sp.symbols("x y", positive=True)
LETTERS = {"x": [False, False], "y": [False, False], "S": [False, True], "s": [False, True]}
POSITIVE = [[">", "x"], [">", "y"], [">", ["+", "x", "y"]]]

# Two expressions, and what has to be positive for them to be equal.
EQUAL = [
    (["^", ["^", "x", "1/2"], 2], "x", [[">=", "x"]]),
    (["^", ["^", "x", "1/2"], 4], ["^", "x", 2], [[">=", "x"]]),
    (["*", "x", ["^", "x", -1]], 1, [[">", "x"]]),
    (["*", ["^", "x", "1/2"], ["^", "x", "-1/2"]], 1, [[">", ["^", "x", "1/2"]]]),
    (expression((x + y) ** 3), expression(x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3), []),
    (["*", ["exp", "x"], ["exp", ["*", -1, "x"]]], 1, []),
    (expression(sp.exp(2 * x) - 1), expression((sp.exp(x) - 1) * (sp.exp(x) + 1)), []),
    (expression(1 / x - 1 / (x + y)), expression(y / (x * (x + y))), POSITIVE),
    (
        expression(sp.exp((x + 1 / y) ** 2)),
        expression(sp.exp(x**2) * sp.exp(2 * x / y) * sp.exp(1 / y**2)),
        [],
    ),
    (["asin", 1], ["*", "1/2", ["pi"]], []),
    (["+", ["log", 1], ["atan", 0], ["^", "9/4", "1/2"]], "3/2", []),
]
DIFFERENT = [
    (sp.sqrt(x**2 + 1), x + 1),
    (sp.exp(x), 1 + x),
    (sp.log(x * y), sp.log(x)),
    (x / y, y / x),
    (sp.asin(x), sp.atan(x)),
    (sp.sqrt(x), x),
    (1 / x, sp.Integer(0)),
]


TAKES: dict[str, Any] = {"letters": LETTERS, "constant": [], "slopes": {}, "means": {}, "at": {}}


def proof(**takes: Any) -> Proof:
    WORK[:] = [BUDGET, inf]  # as at the start of every certificate
    return Proof({**TAKES, **takes})


def same(a: Any, b: Any, using: Any = ()) -> bool:
    return proof().zero(minus(a, b), using)


@pytest.mark.parametrize(("a", "b", "using"), EQUAL)
def test_equal_expressions_are_recognised(a: Any, b: Any, using: list[Any]) -> None:
    assert same(a, b, using)
    assert not same(["+", a, 1], b, using)


@pytest.mark.parametrize(("a", "b"), [(a, b) for a, b, using in EQUAL if using])
def test_nothing_is_cancelled_or_squared_unasked(a: Any, b: Any) -> None:
    assert not same(a, b)
    assert not same(a, b, [[">", ["+", "x", 1]], [">", ["exp", "x"]]])


@pytest.mark.parametrize("rel", [">=", "="])
def test_only_what_is_positive_is_cancelled(rel: str) -> None:
    assert not same(["*", "x", ["^", "x", -1]], 1, [[rel, "x"]])


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_expressions_are_told_apart(a: sp.Expr, b: sp.Expr) -> None:
    assert not same(expression(a), expression(b), POSITIVE)


def test_a_square_root_of_a_square_is_not_the_number_itself() -> None:
    assert not same(["^", ["^", "x", 2], "1/2"], "x")
    assert not same(["^", ["^", "x", 2], "1/2"], "x", [[">=", ["^", "x", 2]], [">=", "x"]])


def test_a_letter_at_other_values_is_another() -> None:
    at = ["@", "S", {"x": ["+", "x", 1]}]
    assert not same(at, "S")
    assert same(at, ["@", "S", {"x": ["+", 1, "x"], "y": "y"}])
    assert proof(constant=[["S", "x"]]).zero(minus(at, "S"))
    with pytest.raises(RejectedError):
        proof().read(["@", "x", {"y": 1}])


TERMS = st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(TERMS)
def test_polynomials_agree_with_sympy(terms: list[tuple[int, int, int]]) -> None:
    p = sp.sympify(sum((c * x**i * y**j for c, i, j in terms), sp.Integer(0)))
    factored = expression(sp.factor(p))
    assert same(expression(p), factored)
    assert not same(["+", expression(p), 1], factored)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(TERMS, TERMS)
def test_quotients_agree_with_sympy(above: Any, below: Any) -> None:
    p, q = (sum((c * x**i * y**j for c, i, j in terms), sp.Integer(0)) for terms in (above, below))
    apart = p / x + q / (x + y) ** 2
    using = [[">", "x"], [">", ["+", "x", "y"]]]
    assert same(expression(apart), expression(sp.together(apart)), using)
    assert not same(["+", expression(apart), "x"], expression(sp.together(apart)), using)


@pytest.mark.parametrize(
    ("f", "asked"),
    [
        (sp.exp(x**2 / y), []),
        (sp.log(x + y), [(x + y, True)]),
        (sp.atan(x / y), []),
        (sp.asin(x / 2), [(1 - x**2 / 4, False)]),
        (sp.sqrt(1 + x**2), [(1 + x**2, False)]),
        ((x + y) ** -3, [(x + y, True)]),
        (x * sp.log(x) / y, [(x, True)]),
    ],
)
def test_slopes_agree_with_sympy(f: sp.Expr, asked: list[tuple[sp.Expr, bool]]) -> None:
    fragile: list[Any] = []
    slope = proof().slope(expression(f), "x", fragile)
    assert same(slope, expression(sp.diff(f, x)), POSITIVE)
    assert [ends for _, ends in fragile] == [ends for _, ends in asked]
    assert all(same(u, expression(v)) for (u, _), (v, _) in zip(fragile, asked, strict=True))


def test_the_slope_of_the_normal_law_is_its_density() -> None:
    slope = proof().slope(["Phi", "x"], "x", [])
    for point in ("-3/2", "0", "2/3"):
        at = sp.Rational(point)
        found = value(slope, {"x": mpmath.mpf(at.p) / at.q})
        assert abs(found - mpmath.npdf(mpmath.mpf(at.p) / at.q)) < 1e-14


def value(node: Any, at: dict[str, Any]) -> Any:
    """An expression, evaluated here by mpmath."""
    if not isinstance(node, list):
        return at[node] if node in at else mpmath.mpf(sp.Rational(node).p) / sp.Rational(node).q
    args = [value(a, at) for a in node[1:]]
    makers = {"+": lambda *a: mpmath.fsum(a), "*": lambda *a: mpmath.fprod(a), "^": mpmath.power}
    return mpmath.pi if node[0] == "pi" else {**makers, "exp": mpmath.exp}[node[0]](*args)


def test_the_slope_of_a_letter_is_told_or_refused() -> None:
    with pytest.raises(RejectedError, match="may depend on x"):
        proof().slope(["*", "x", "S"], "x", [])
    known = proof(slopes={"S": ["x", "s"]})
    assert known.zero(minus(known.slope(["*", "x", "S"], "x", []), ["+", "S", ["*", "x", "s"]]))
    still = proof(constant=[["S", "x"]])
    assert still.zero(minus(still.slope(["*", "x", "S"], "x", []), "S"))
    with pytest.raises((RejectedError, KeyError)):
        proof(slopes={"S": ["y", "s"]}).slope("S", "x", [])
    with pytest.raises((RejectedError, KeyError)):
        known.slope(["@", "S", {"y": "x"}], "x", [])


@pytest.mark.parametrize(
    "node",
    [
        ["sin", "x"],
        ["^", "x", "x"],
        ["^", "x", "1/3"],
        ["^", "x", 1000],
        ["^", "x", 2, 3],
        ["^", "x"],
        ["exp"],
        ["exp", "x", "y"],
        ["pi", 1],
        ["value", "x", 1],
        [["+", 1], "x"],
        [],
        {"a": 1},
        None,
        True,
        1.5,
        "exp(x)",
        "pi",
        "z",
        "1/0",
        ["^", 0, -1],
        "9" * 10_000,
    ],
)
def test_what_is_outside_the_grammar_is_rejected(node: object) -> None:
    with pytest.raises(RejectedError):
        zero_times(node)


def test_what_is_inside_it_is_not() -> None:
    for node in (1, "-7/3", "x", ["pi"], ["Phi", ["^", ["+", "x", 1], "-3/2"]], ["@", "S", {"x": 2}]):
        zero_times(node)


def zero_times(node: object) -> None:
    """A certificate with a line that says 0 times something = 0."""
    accept_lines({"by": "combine", "terms": [], "says": ["=", ["*", 0, node]]})


def accept_lines(line: dict[str, Any]) -> None:
    """A certificate of 0 = 0 with one line more."""
    statement = {"letters": {}, "given": [], "says": ["=", 0]}
    name = digest({"statement": statement, "takes": TAKES})
    frame = {"claim": "zero", "kind": "proof", "statement": statement, "takes": TAKES, "lemmas": {}}
    last = {"by": "combine", "terms": [], "says": ["=", 0]}
    accept_certificate({**frame, "hash": name, "lines": [line, last]}, {}, {})


@pytest.mark.parametrize("bits", [0, 15, 2001, 64.0, "64", True, None])
def test_only_sane_precisions_are_accepted(bits: object) -> None:
    line = {"by": "positive", "of": ["exp", "x"], "box": {"x": [0, 1]}, "bits": bits}
    accept_lines({**line, "bits": 64})
    with pytest.raises(RejectedError):
        accept_lines(line)


def test_the_root_of_nothing_is_nothing() -> None:
    assert proof().read(["^", 0, "1/2"]) == {}
    assert proof().read(["^", 4, "1/2"]) == proof().read(2)


def test_coefficients_without_a_short_common_denominator_multiply_one_by_one() -> None:
    a, b = Q(2, 3**5000), Q(3, 5**5000)
    x = frozenset({(("name", "x", EMPTY), Q(1))})
    found = Poly({x: a, EMPTY: b}) * Poly({x: b, EMPTY: a})
    assert found == {frozenset({(("name", "x", EMPTY), Q(2))}): a * b, x: a**2 + b**2, EMPTY: a * b}
