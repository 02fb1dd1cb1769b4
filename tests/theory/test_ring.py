"""The checker's normal forms: what it takes for equal is equal, and nothing else."""

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.checker import Rejected, derivative, same, vanishes, wellformed
from theory.encode import expression

x, y = sp.symbols("x y", positive=True)

EQUAL = [
    (sp.sqrt(x) ** 2, x),
    ((x + y) ** 3, x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3),
    (sp.exp(x) * sp.exp(-x), sp.Integer(1)),
    (sp.exp(2 * x) - 1, (sp.exp(x) - 1) * (sp.exp(x) + 1)),
    (1 / x - 1 / (x + y), y / (x * (x + y))),
    (1 / sp.sqrt(2 * sp.pi), sp.sqrt(2) / (2 * sp.sqrt(sp.pi))),
    (sp.exp((x + 1 / y) ** 2), sp.exp(x**2) * sp.exp(2 * x / y) * sp.exp(1 / y**2)),
]
DIFFERENT = [
    (sp.sqrt(x**2 + 1), x + 1),
    (sp.exp(x), 1 + x),
    (sp.log(x * y), sp.log(x)),
    (x / y, y / x),
    (sp.asin(x), sp.atan(x)),
    (sp.sqrt(x), x),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal_expressions_are_recognised(a: sp.Expr, b: sp.Expr) -> None:
    assert same(expression(a), expression(b))


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_expressions_are_told_apart(a: sp.Expr, b: sp.Expr) -> None:
    assert not same(expression(a), expression(b))


def test_a_square_root_of_a_square_is_not_the_number_itself() -> None:
    assert not same(["^", ["^", "x", 2], "1/2"], "x")


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5))
def test_polynomials_agree_with_sympy(terms: list[tuple[int, int, int]]) -> None:
    p = sum((c * x**i * y**j for c, i, j in terms), sp.Integer(0))
    factored = sp.factor(p)
    assert vanishes(
        expression(sp.sympify(p - 0))
        if p == 0
        else ["+", expression(sp.sympify(p)), ["*", -1, expression(factored)]]
    )
    assert not vanishes(["+", expression(sp.sympify(p)), ["*", -1, expression(factored)], 1])


@pytest.mark.parametrize(
    "f", [sp.exp(x**2 / y), sp.log(x + y), sp.atan(x / y), sp.asin(x / 2), sp.sqrt(1 + x**2), (x + y) ** -3]
)
def test_derivatives_agree_with_sympy(f: sp.Expr) -> None:
    assert same(derivative(expression(f), "x"), expression(sp.diff(f, x)))


def nested(depth: int) -> object:
    node: object = "x"
    for _ in range(depth):
        node = ["+", node, 1]
    return node


@pytest.mark.parametrize(
    "node",
    [
        ["sin", "x"],
        ["^", "x", "x"],
        ["^", "x", "1/3"],
        ["^", "x", 1000],
        ["exp"],
        ["+"],
        [],
        {"a": 1},
        None,
        True,
        "exp(x)",
        "pi",
        "1/0",
        "9" * 10_000,
        nested(100),
    ],
)
def test_what_is_outside_the_grammar_is_rejected(node: object) -> None:
    with pytest.raises(Rejected):
        wellformed(node)
