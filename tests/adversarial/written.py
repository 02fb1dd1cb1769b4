"""Certificates written by hand: outlines of steps, and lines of the checker, that its tests share."""

import ast
import json
from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.kernel.terms import names
from oubli.theory.search.elaborate import UnshownError, proof_lines, sealed
from oubli.theory.search.elaborate.instances import HoldsError, instance_lines

# Domains: [lower, open, upper, open, integer, measured].
REAL = [None, False, None, False, False, False]
NATURAL = [0, False, None, False, True, False]
NONNEGATIVE = [0, False, None, False, False, False]
MEASURED = [None, False, None, False, False, True]

# Letters of certificates in lines: parameters, integers, what is measured.
LETTERS = {name: [name in "nt", name not in "xyabnt"] for name in ("<u,u>", "<u,v>", "<v,v>", *"xyabntmk")}


def read(text: Any) -> Any:
    """An expression as people write it: "t*(t - 1)/2"; what is no text stays.

    >>> read("2 - q"), read("k2 - k - 1/2"), read("x**2 >= 0")
    (['+', 2, ['*', -1, 'q']], ['+', 'k2', ['*', -1, 'k'], '-1/2'], ['>=', ['^', 'x', 2]])
    """
    return _read(ast.parse(text, mode="eval").body) if isinstance(text, str) and "<" not in text else text


def _read(node: ast.expr) -> Any:
    match node:
        case ast.Compare(left, [op], [ast.Constant(0)]):
            return [{ast.GtE: ">=", ast.Gt: ">", ast.Eq: "="}[type(op)], _read(left)]
        case ast.BinOp(ast.Constant(top), ast.Div(), ast.Constant(bottom)):
            return f"{top}/{bottom}"
        case ast.BinOp(ast.UnaryOp(ast.USub(), ast.Constant(top)), ast.Div(), ast.Constant(bottom)):
            return f"-{top}/{bottom}"
        case ast.UnaryOp(ast.USub(), operand):
            return _minus(_read(operand))
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            last = _read(right) if isinstance(node.op, ast.Add) else _minus(_read(right))
            return [*_flat("+", left), last]
        case ast.BinOp(left, ast.Mult(), right):
            return [*_flat("*", left), _read(right)]
        case ast.BinOp(base, ast.Pow(), power):
            return ["^", _read(base), _read(power)]
        case ast.Call(ast.Name(head), args):
            return [head, *map(_read, args)]
        case ast.Name(name):
            return name
        case ast.Constant(value):
            return value
    raise ValueError(ast.unparse(node))


def _flat(head: str, left: ast.expr) -> list[Any]:
    """The parts so far of a sum or a product, which is written without brackets."""
    ops = (ast.Add, ast.Sub) if head == "+" else (ast.Mult,)
    first = _read(left)
    return first if isinstance(left, ast.BinOp) and isinstance(left.op, ops) else [head, first]


def _minus(read_: Any) -> Any:
    if isinstance(read_, int):
        return -read_
    return f"-{read_}" if isinstance(read_, str) and read_[0].isdigit() else ["*", -1, read_]


def st(says: Any, *given: Any, **quantities: list[Any]) -> dict[str, Any]:
    """A statement: what it says, under hypotheses."""
    return {"quantities": quantities, "given": [[*read(g), "given"] for g in given], "says": read(says)}


def step(name: str, statement: dict[str, Any], **by: Any) -> dict[str, Any]:
    return {"name": name, "statement": statement, "by": by}


def combined(name: str, statement: dict[str, Any], *terms: dict[str, Any]) -> dict[str, Any]:
    return step(name, statement, rule="combination", terms=list(terms))


def cite(key: str, times: Any = 1, **values: Any) -> dict[str, Any]:
    return {"times": read(times), "lemma": key, "with": {n: read(v) for n, v in values.items()}}


def hypothesis(index: int, times: Any = 1) -> dict[str, Any]:
    return {"times": read(times), "given": index}


def granted(name: str, statement: dict[str, Any], **at: Any) -> dict[str, Any]:
    """In place of a step: a lemma that another certificate shows, its letters taken at values."""
    return {"name": name, "statement": statement, "at": at}


def one(times: Any = 1) -> dict[str, Any]:
    return {"times": read(times), "one": True}


def integrate(
    name: str, statement: dict[str, Any], of: str, function: Any, *ends: Any, **more: Any
) -> dict[str, Any]:
    """From one end to the other in x; a convex function lies `at` a point between them above its tangent."""
    rule, (low, high) = "convex" if "at" in more else "integrate", map(read, ends)
    parts = {n: read(v) for n, v in more.items()} | {"from": low, "to": high}
    return step(name, statement, rule=rule, step=of, variable="x", function=read(function), **parts)


def expectation(name: str, statement: dict[str, Any], of: str, mass: Any = 1, **means: Any) -> dict[str, Any]:
    return step(name, statement, rule="expectation", step=of, means=means, mass=read(mass))


def induction(name: str, statement: dict[str, Any], invariant: Any, of: str, end: Any) -> dict[str, Any]:
    """Over t, from the step "base" and by the step `of`."""
    parts = {"invariant": read(invariant), "base": "base", "step": of, "end": read(end)}
    return step(name, statement, rule="induction", index="t", **parts)


def less(a: Any, b: Any) -> list[Any]:
    return ["+", a, ["*", -1, b]]


def sealing(
    statement: dict[str, Any], lemmas: dict[str, Any], kind: str = "proof", **parts: Any
) -> dict[str, Any]:
    """A certificate under its hash, as it comes out of a file."""
    name = digest({"statement": statement, "takes": parts["takes"]})
    named = {key: digest(lemma) for key, lemma in lemmas.items()}
    out = {"kind": kind, "statement": statement, "lemmas": named, "hash": name, **parts}
    return json.loads(json.dumps(out))  # type: ignore[no-any-return]


def assumed(at: dict[str, Any] | None) -> dict[str, Any]:
    """What certificates of lemmas assume, where only the values of their letters matter."""
    return {key: {**NOTHING, **(x if "letters" in x else {"at": x})} for key, x in (at or {}).items()}


def accepted(
    steps: list[Any], lemmas: dict[str, Any] | None = None, at: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What the certificate of an outline assumes; UnshownError or RejectedError if there is none."""
    lent, steps = [s for s in steps if "at" in s], [s for s in steps if "by" in s]
    lemmas = {**(lemmas or {}), **{s["name"]: s["statement"] for s in lent}}
    at = {**(at or {}), **{s["name"]: s["at"] for s in lent}}
    known, at = {k: sealed(s) for k, s in lemmas.items()}, assumed(at)
    outlines = [*lemmas.values(), *(s["statement"] for s in steps)]
    domains = {"n": NATURAL, "T": NATURAL} | {n: d for s in outlines for n, d in s["quantities"].items()}
    parts = proof_lines(steps, lemmas, at, domains)
    accept_certificate(sealing(sealed(steps[-1]["statement"]), known, **parts), known, at)
    return parts["takes"]  # type: ignore[no-any-return]


def instanced(
    statement: dict[str, Any], witness: dict[str, Any], lemmas: dict[str, Any] | None = None,
    at: dict[str, Any] | None = None, kind: str = "witness",
) -> dict[str, Any]:  # fmt: skip
    """What an instance assumes that refutes a statement (or shows that something exists)."""
    known, at = {k: sealed(s) for k, s in (lemmas or {}).items()}, assumed(at)
    domains = {"n": NATURAL, "T": NATURAL} | statement["quantities"]
    parts = instance_lines(statement, witness, lemmas or {}, at, domains)
    spelled = {**{k: v for k, v in witness.items() if k != "terms"}, "shown": parts.pop("shown")}
    accept_certificate(sealing(sealed(statement), known, kind, witness=spelled, **parts), known, at)
    return parts["takes"]  # type: ignore[no-any-return]


def refused(find: Any, *args: Any, **more: Any) -> str:
    """Why there is no certificate."""
    with pytest.raises((RejectedError, UnshownError, HoldsError)) as why:
        find(*args, **more)
    return str(why.value)


def lined(
    says: list[Any], *lines: dict[str, Any], given: Any = (), letters: Any = None, taken: Any = None,
    lemmas: Any = None, where: Any = None, kind: str = "proof", witness: Any = None, exists: bool = False,
    lent: Any = (), **takes: Any,
) -> None:  # fmt: skip
    """Accept lines that show `says` where `given` holds, for `letters`; `taken`: all letters of the lines.

    `lent` are relations that lemmas show, each by the name of its number, under what follows them.
    """
    letters = LETTERS if letters is None else letters
    statement = {"letters": letters, "given": list(given), "says": says}
    statement |= {"exists": True} if exists else {}
    lemmas = {**(lemmas or {}), **{f"{i}": lending(row, taken or letters) for i, row in enumerate(lent)}}
    parts = {
        "takes": {**NOTHING, "letters": taken or letters, **takes},
        "lines": list(lines),
        "witness": witness,
    }
    accept_certificate(sealing(statement, lemmas, kind, **parts), lemmas, assumed(where))


def lending(row: list[Any], letters: dict[str, Any]) -> dict[str, Any]:
    """The statement of a lemma: a relation under hypotheses."""
    said = set[Any]().union(*(names(e) for _, e in (row[:2], *row[2:])))
    own = {name: kind for name, kind in letters.items() if name in said}
    return {"letters": own, "given": [[*h, "given"] for h in row[2:]], "says": row[:2]}


def lemma(i: int, **more: Any) -> dict[str, Any]:
    """The line of a relation that a lemma shows."""
    return {"by": "instance", "of": f"{i}", "with": {}, **more}


def leaf(**what: Any) -> dict[str, Any]:
    return {"by": "leaf", **what}


def positive(of: Any, **more: Any) -> dict[str, Any]:
    return {"by": "positive", "of": of, **more}


def combine(*terms: list[Any], **more: Any) -> dict[str, Any]:
    return {"by": "combine", "terms": list(terms), **more}


def instance(of: int | str, **values: Any) -> dict[str, Any]:
    return {"by": "instance", "of": of, "with": values}


def rise(of: list[int], function: Any, *between: Any, **more: Any) -> dict[str, Any]:
    return {"by": "rise", "of": of, "variable": "x", "function": function, "between": list(between), **more}


ONE = one()
IMAGINARY = read("(-1)**(1/2)")
FALSE = [">=", -1]
JUMP = read("-1*(x**2)**(1/2)*x**-1")
KINK = read("-1*(x**2)**(1/2)")
BOTH_SIDES = [-1, False, 1, False, False, False]
FALLING = read("2 - q")

FRACTION = [0, False, 1, False, False, True]
BELOW = read("-1 - y**2")
QUARTIC = read("x**4 + x**2")
BELOW_ONE = [
    granted("below", st("1 - y >= 0", y=MEASURED)),
    combined("a", st("1 - y >= 0", y=MEASURED), cite("below")),
]
# S is the sum of 1 over n = 1 … T: a letter that is taken at a value of its parameter n.
ONES = granted("ones", st("T - S == 0", T=NATURAL, S=MEASURED), S={"n": "T"})
