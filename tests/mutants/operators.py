"""Mutants of a source file: each changes one thing that a verdict may depend on.

>>> source = "def f(x):\\n    need(x >= 0 and x < 9, 'why')\\n    return max(x, 1)"
>>> for mutant in mutants("m.py", source):
...     print(mutant.operator, "|", mutant.text)
drop statement | need(x >= 0 and x < 9, 'why')
drop condition | need(x >= 0 and x < 9, 'why') -> need(x < 9, 'why')
drop condition | need(x >= 0 and x < 9, 'why') -> need(x >= 0, 'why')
comparison | need(x >= 0 and x < 9, 'why') -> need(x > 0 and x < 9, 'why')
constant | need(x >= 0 and x < 9, 'why') -> need(x >= 1 and x < 9, 'why')
comparison | need(x >= 0 and x < 9, 'why') -> need(x >= 0 and x <= 9, 'why')
constant | need(x >= 0 and x < 9, 'why') -> need(x >= 0 and x < 10, 'why')
other function | max(x, 1) -> min(x, 1)
constant | max(x, 1) -> max(x, 2)
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SWAPPED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
RELATIONS = {">=": ">", ">": ">=", "=": ">="}
PAIRS = [("min", "max"), ("floor", "ceil"), ("any", "all"), ("minimum", "maximum"), ("lower", "upper")]
OTHER = {a: b for one, two in PAIRS for a, b in ((one, two), (two, one))}
DROPPED = {"abs", "nextafter", "sorted"}  # functions that are replaced by their first argument
STREAMS = {"stream", "draw_side", "SeedSequence", "generator"}  # functions whose arguments name a stream
COSTS = {"spend"}  # what a certificate may cost is measured by tests/adversarial/test_costly_certificates.py
NUMBER = re.compile(r"-?\d+(/\d+)?")
WIDE = 76  # of a mutant's text

Path = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class Mutant:
    """One change in one function, or in one constant of a module; named by its text, not by its line."""

    file: str
    function: str
    operator: str
    text: str
    number: int
    lines: range
    path: Path
    new: ast.AST | None

    @property
    def key(self) -> str:
        """The name of the mutant in the table."""
        again = f" #{self.number}" if self.number > 1 else ""
        return f"{self.file}::{self.function} | {self.operator} | {self.text}{again}"


def children(node: ast.AST) -> Iterator[tuple[tuple[str, int | None], ast.AST]]:
    """The nodes below a node, with where they stand."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield (name, None), value
        elif isinstance(value, list):
            yield from (((name, i), item) for i, item in enumerate(value) if isinstance(item, ast.AST))


def skipped(node: ast.AST, place: str) -> bool:
    """Whether nothing below a node is changed: types, messages, texts, costs."""
    if place in ("annotation", "returns", "decorator_list", "args", "ctx", "type_params", "keywords"):
        return isinstance(node, ast.arguments) or place in ("annotation", "returns", "decorator_list")
    inside = node.value if isinstance(node, ast.Expr) else node
    called = inside.func.id if isinstance(inside, ast.Call) and isinstance(inside.func, ast.Name) else ""
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, ast.JoinedStr | ast.Raise) or called in COSTS or docstring


def walk(node: ast.AST, path: Path = ()) -> Iterator[tuple[Path, ast.AST]]:
    """All nodes that may be changed, with their paths."""
    yield path, node
    message = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "need"
    place = isinstance(node, ast.Subscript)  # another index is another object, which is noticed at once
    for step, child in children(node):
        if (
            not skipped(child, step[0])
            and not (message and step == ("args", 1))
            and not (place and step[0] == "slice")
        ):
            yield from walk(child, (*path, step))


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """What one node becomes, with the name of the operator; None if it is dropped."""
    for change in CHANGES.get(type(node), ()):
        yield from change(node)


def compared(node: ast.Compare) -> Iterator[Any]:
    for i, op in enumerate(node.ops):
        ops = [*node.ops[:i], SWAPPED[type(op)](), *node.ops[i + 1 :]]
        yield "comparison", ast.Compare(node.left, ops, node.comparators)
    if len(node.ops) > 1:
        yield "drop condition", ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])
        yield "drop condition", ast.Compare(node.left, node.ops[:-1], node.comparators[:-1])


def joined(node: ast.BoolOp) -> Iterator[Any]:
    for i in range(len(node.values)):
        rest = [*node.values[:i], *node.values[i + 1 :]]
        yield "drop condition", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def signed(node: ast.UnaryOp) -> Iterator[Any]:
    if isinstance(node.op, ast.Not | ast.USub | ast.Invert) and not isinstance(node.operand, ast.Constant):
        yield "drop sign", node.operand


def computed(node: ast.BinOp) -> Iterator[Any]:
    if isinstance(node.op, ast.Sub):
        yield "sign", ast.BinOp(node.left, ast.Add(), node.right)
    else:
        yield "drop operand", node.left
    if isinstance(node.op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr):
        yield "drop operand", node.right


def called(node: ast.Call) -> Iterator[Any]:
    f = node.func
    name = f.id if isinstance(f, ast.Name) else f.attr if isinstance(f, ast.Attribute) else ""
    if name in OTHER:
        other = (
            ast.Name(OTHER[name], ast.Load())
            if isinstance(f, ast.Name)
            else ast.Attribute(f.value, OTHER[name], ast.Load())
        )
        yield "other function", ast.Call(other, node.args, node.keywords)
    if name in DROPPED and node.args:
        yield "drop function", node.args[0]
    if name in STREAMS:
        for i in range(len(node.args)):
            yield "drop stream", ast.Call(f, [*node.args[:i], *node.args[i + 1 :]], node.keywords)


def listed(node: ast.List | ast.Tuple | ast.Set) -> Iterator[Any]:
    if isinstance(getattr(node, "ctx", None), ast.Store) or len(node.elts) < 1:
        return
    head = isinstance(node, ast.List) and isinstance(node.elts[0], ast.Constant)
    for i in range(int(head and isinstance(node.elts[0].value, str)), len(node.elts)):
        rest = [*node.elts[:i], *node.elts[i + 1 :]]
        if rest or isinstance(node, ast.List):
            yield (
                "drop element",
                type(node)(rest, ast.Load()) if not isinstance(node, ast.Set) else ast.Set(rest),
            )


def filtered(node: ast.comprehension) -> Iterator[Any]:
    for i in range(len(node.ifs)):
        rest = [*node.ifs[:i], *node.ifs[i + 1 :]]
        yield "drop condition", ast.comprehension(node.target, node.iter, rest, node.is_async)


def chosen(node: ast.IfExp) -> Iterator[Any]:
    yield "one branch", node.body
    yield "one branch", node.orelse


def branched(node: ast.If) -> Iterator[Any]:
    for value in (True, False):
        yield f"always {value}", ast.If(ast.Constant(value), node.body, node.orelse)


def stated(node: ast.Expr | ast.AugAssign) -> Iterator[Any]:
    if isinstance(node, ast.AugAssign) or isinstance(node.value, ast.Call):
        yield "drop statement", None


def constant(node: ast.Constant) -> Iterator[Any]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        yield "constant", ast.Constant(value + 1)
    elif isinstance(value, float) and value:
        yield "constant", ast.Constant(value * 1.03125)
    elif isinstance(value, str) and value in RELATIONS:
        yield "relation", ast.Constant(RELATIONS[value])
    elif isinstance(value, str) and NUMBER.fullmatch(value):
        top, _, bottom = value.partition("/")
        yield "constant", ast.Constant(f"{int(top) + 1}/{bottom or 1}")


CHANGES: dict[type, tuple[Any, ...]] = {
    ast.Compare: (compared,), ast.BoolOp: (joined,), ast.UnaryOp: (signed,), ast.BinOp: (computed,),
    ast.Call: (called,), ast.List: (listed,), ast.Tuple: (listed,), ast.Set: (listed,),
    ast.comprehension: (filtered,), ast.IfExp: (chosen,), ast.If: (branched,), ast.Expr: (stated,),
    ast.AugAssign: (stated,), ast.Constant: (constant,),
}  # fmt: skip


def replaced(node: ast.AST, path: Path, new: ast.AST | None) -> ast.AST:
    """A copy of a tree with one node replaced, or dropped."""
    if not path:
        return ast.Pass() if new is None else new
    (name, i), rest = path[0], path[1:]
    kept, out = getattr(node, name), type(node)(**dict(ast.iter_fields(node)))
    below = replaced(kept if i is None else kept[i], rest, new)
    setattr(out, name, below if i is None else [*kept[:i], below, *kept[i + 1 :]])
    return ast.copy_location(out, node)


def shown(node: ast.AST) -> str:
    """A node in one line; of a statement with a body its first line."""
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split("\n")[0].split())


def context(top: ast.AST, path: Path, new: ast.AST | None) -> str:
    """The change in words: the largest expression around it that is short, before and after."""
    nodes = [top]
    for name, i in path:
        nodes.append(getattr(nodes[-1], name) if i is None else getattr(nodes[-1], name)[i])
    if new is None or isinstance(nodes[-1], ast.stmt):
        return shown(nodes[-1])[: 2 * WIDE]
    depth = len(nodes) - 1
    while isinstance(nodes[depth - 1], ast.expr | ast.comprehension) and len(shown(nodes[depth - 1])) <= WIDE:
        depth -= 1
    after = shown(replaced(nodes[depth], path[depth:], new))
    return f"{shown(nodes[depth])[:WIDE]} -> {after[:WIDE]}"


def unpacked(top: ast.AST, path: Path) -> bool:
    """Whether a node is a tuple whose parts are given to so many names: one fewer is noticed at once."""
    node = parent = top
    for name, i in path:
        parent, node = node, getattr(node, name) if i is None else getattr(node, name)[i]
    several = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple)
    return several and isinstance(node, ast.Tuple)


def statement(top: ast.AST, path: Path) -> range:
    """The lines of the statement that is changed; of one with a body only those of the changed part."""
    node, lines = top, range(top.lineno, top.end_lineno + 1)  # type: ignore[attr-defined]
    for name, i in path:
        node = getattr(node, name) if i is None else getattr(node, name)[i]
        compound = hasattr(node, "body") and isinstance(node, ast.stmt)
        if isinstance(node, ast.stmt) or name == "test":
            last = node.test.end_lineno if compound and hasattr(node, "test") else node.end_lineno
            lines = range(node.lineno, last + 1)
    return lines


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Outermost functions and methods by qualified name, and statements of constants by their names."""
    for node in tree.body:  # type: ignore[attr-defined]
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not prefix and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                yield target.id, node


def mutants(file: str, source: str, without: frozenset[str] = frozenset()) -> list[Mutant]:
    """All mutants of a file, but of the functions named."""
    out, seen = [], dict[str, int]()
    for function, top in functions(ast.parse(source)):
        if function in without:
            continue
        for path, node in walk(top):
            for operator, new in changes(node) if path and not unpacked(top, path) else ():
                text = context(top, path, new)
                number = seen[name] = seen.get(name := f"{function} {operator} {text}", 0) + 1
                lines = statement(top, path)
                out.append(Mutant(file, function, operator, text, number, lines, path, new))
    return out
