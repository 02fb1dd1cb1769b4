"""One mutant in a running process: the code of its function, or the value of its constant, is replaced."""

import ast
import importlib
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.mutants.operators import Mutant, functions, replaced

ROOT = Path(__file__).parents[2]


@cache
def parsed(file: str) -> ast.Module:
    """The tree of a source file."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def module_of(file: str) -> Any:
    """The module of a source file: theory/kernel/poly.py is oubli.theory.kernel.poly."""
    return importlib.import_module("oubli." + file.removesuffix(".py").replace("/", "."))


def function_of(file: str, qualified: str) -> FunctionType | None:
    """The function object, whatever is wrapped around it; None for a constant."""
    found = module_of(file)
    for name in qualified.split("."):
        found = vars(found)[name]
    for wrapper in ("fget", "func", "__func__"):  # a property, one that is remembered, a static method
        found = getattr(found, wrapper, found)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found if isinstance(found, FunctionType) else None


def code_in(code: CodeType, qualified: str) -> CodeType | None:
    """The code object of a function within that of its module."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_qualname == qualified:
                return part
            if found := code_in(part, qualified):
                return found
    return None


def mutated(mutant: Mutant) -> ast.Module:
    """The module's tree with the change."""

    def changed(body: list[ast.stmt], prefix: str) -> list[ast.stmt]:
        out = []
        for node in body:
            if isinstance(node, ast.ClassDef):
                node = ast.ClassDef(**{**dict(ast.iter_fields(node)),
                                       "body": changed(node.body, f"{prefix}{node.name}.")})  # fmt: skip
            elif node is tops[mutant.function]:
                node = replaced(node, mutant.path, mutant.new)
            out.append(node)
        return out

    tree = parsed(mutant.file)
    tops = dict(functions(tree))
    return ast.fix_missing_locations(ast.Module(changed(tree.body, ""), []))


def forget(file: str) -> None:
    """Clear what functions of the same folder remember: it was computed without the mutant."""
    folder = module_of(file).__package__
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{folder}."):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


def redo(function: FunctionType, code: CodeType) -> None:
    """Give a function another code, and what it made as a decorator of methods the code within."""
    old, within = function.__code__, {c.co_name: c for c in code.co_consts if isinstance(c, CodeType)}
    function.__code__ = code
    module = sys.modules[function.__module__]
    for holder in [module, *(kind for kind in vars(module).values() if isinstance(kind, type))]:
        for made in vars(holder).values():
            if isinstance(made, FunctionType) and made.__code__ in old.co_consts:
                made.__code__ = within[made.__code__.co_name]


def plant(mutant: Mutant) -> None:
    """Put a mutant into this process, wherever its function or constant was imported to."""
    function = function_of(mutant.file, mutant.function)
    tree = mutated(mutant)
    if function is not None:
        code = code_in(compile(tree, mutant.file, "exec"), mutant.function)
        if code is None:
            raise LookupError(mutant.key)
        redo(function, code)
        forget(mutant.file)
        return
    module = module_of(mutant.file)
    node = dict(functions(tree))[mutant.function]
    right = compile(ast.Expression(node.value), mutant.file, "eval")  # type: ignore[attr-defined]
    value = eval(right, vars(module))
    old = vars(module)[mutant.function]
    for other in list(sys.modules.values()):
        if getattr(other, "__dict__", {}).get(mutant.function) is old:
            setattr(other, mutant.function, value)
    forget(mutant.file)
