"""One symbol, one name: a letter is called the same in Python and in formulas, in the whole ledger.

Python cannot spell every name of a symbol: a keyword gets an underscore behind (`lambda_`), and the mean of
an inner product E<a,b> is E_a_b. Letters numbered by an f-string live in a list.
"""

import ast
import keyword
import re
from collections import Counter
from pathlib import Path

import pytest

import oubli.theory.paper

DECLARE = {"letter", "parameter", "quantity", "vector"}
FILES = sorted(Path(oubli.theory.paper.__file__).parent.rglob("*.py"))


def spelled(name: str) -> str:
    """The Python name of a symbol."""
    plain = re.sub(r"^E<(.+),(.+)>$", r"E_\1_\2", name)
    return plain + "_" if keyword.iskeyword(plain) else plain


def bindings(source: str) -> list[tuple[str, ast.expr]]:
    """The names that a module binds on its top level, with what they are bound to."""
    out: list[tuple[str, ast.expr]] = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                out.append((target.id, node.value))
            if isinstance(target, ast.Tuple):
                values = (
                    node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(target.elts)
                )
                out += [
                    (t.id, v) for t, v in zip(target.elts, values, strict=True) if isinstance(t, ast.Name)
                ]
    return out


def declared(node: ast.AST) -> str | None:
    """The symbol that an expression declares."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECLARE:
        name = node.args[0]
        return name.value if isinstance(name, ast.Constant) else "(numbered)"
    return None


def misnamed(source: str) -> list[str]:
    """What is wrong with the names of a module's symbols."""
    found = [(python, name) for python, value in bindings(source) if (name := declared(value))]
    wrong = [f"{python} = {name}" for python, name in found if python != spelled(name)]
    every = [name for node in ast.walk(ast.parse(source)) if (name := declared(node))]
    unbound = Counter(every) - Counter(name for _, name in found) - Counter({"(numbered)": 99})
    aliased = [
        f"{a.name} as {a.asname}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("oubli.theory.paper")
        for a in node.names
        if a.asname
    ]
    return [*wrong, *(f"{name} is bound to no name" for name in unbound), *aliased]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_symbols_are_bound_under_their_own_names(path: Path) -> None:
    assert not misnamed(path.read_text(encoding="utf-8"))


def test_one_name_means_one_symbol_in_the_whole_ledger() -> None:
    every = [pair for path in FILES for pair in bindings(path.read_text(encoding="utf-8"))]
    symbols = Counter(spelled(name) for _, value in every if (name := declared(value)))
    assert [name for name, times in symbols.items() if times > 1] == [], "declared in more than one place"
    others = {python for python, value in every if not declared(value)}
    assert sorted(others & symbols.keys()) == [], "a symbol in one module, something else in another"
    assert len(symbols) > 200


@pytest.mark.parametrize(
    "source",
    [
        'c_hi = parameter("gamma_4")',
        'a, b = vector("a"), vector("c")',
        'x = le(letter("y"), 1)',
        "from oubli.theory.paper.binomial import tau as link_tau",
        'lam = letter("lambda")',
    ],
)
def test_planted_names_are_noticed(source: str) -> None:
    assert misnamed(source)
    assert not misnamed(
        'lambda_ = letter("lambda")\nE_X_a = letter("E<X,a>")\na, b = vector("a"), vector("b")'
    )
