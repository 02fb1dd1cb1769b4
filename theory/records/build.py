"""Short words for writing records: relations kept as written, hypotheses, places."""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.records.claim import OURS, Claim, Instance, Kind, Source
from oubli.theory.records.proof import Combination, Exact, Step, Term

# Observables of the models that witnesses are made of; member and law names are capital letters.
value, left, right = (sp.Function(name) for name in ("value", "left", "right"))
tv, mass, hockey = (sp.Function(name) for name in ("tv", "mass", "hockey"))
A, B, C, P, Q, U, V = sp.symbols("A B C P Q U V")


def le(a: Any, b: Any) -> Any:
    """a <= b, unevaluated."""
    return sp.Le(sp.sympify(a), sp.sympify(b), evaluate=False)


def ge(a: Any, b: Any) -> Any:
    """a >= b, unevaluated."""
    return sp.Ge(sp.sympify(a), sp.sympify(b), evaluate=False)


def lt(a: Any, b: Any) -> Any:
    """a < b, unevaluated."""
    return sp.Lt(sp.sympify(a), sp.sympify(b), evaluate=False)


def gt(a: Any, b: Any) -> Any:
    """a > b, unevaluated."""
    return sp.Gt(sp.sympify(a), sp.sympify(b), evaluate=False)


def eq(a: Any, b: Any) -> Any:
    """a = b, unevaluated."""
    return sp.Eq(sp.sympify(a), sp.sympify(b), evaluate=False)


def state(says: Any, *given: Hypothesis, also: tuple[sp.Symbol, ...] = ()) -> Statement:
    """A statement."""
    return Statement(given, says, also)


def some(says: Any, *given: Hypothesis) -> Statement:
    """A statement that something exists: an instance shows it."""
    return Statement(given, says, exists=True)


def given(relation: Any) -> Hypothesis:
    """A hypothesis."""
    return Hypothesis(relation)


def by(statement: Statement, *terms: Term) -> tuple[Step, ...]:
    """A proof in one combination."""
    return (Step("combination", statement, Combination(terms)),)


def combined(name: str, says: Statement, *terms: Term) -> Step:
    """A step of a proof in one combination."""
    return Step(name, says, Combination(terms))


def evaluated(statement: Statement) -> tuple[Step, ...]:
    """A proof of a closed claim: its first instance, evaluated."""
    return (Step("exact", statement, Exact()),)


def statement(key: str, line: int, title: str, says: Statement | None, label: str = "", **rest: Any) -> Claim:
    """A statement of the paper."""
    return Claim(key, Kind.STATEMENT, Source(line, label), title, says, **rest)


def step(key: str, line: int, title: str, says: Statement, parent: str, **rest: Any) -> Claim:
    """A displayed step of the printed proof of `parent`."""
    return Claim(key, Kind.STEP, Source(line), title, says, parent=parent, **rest)


def repair(key: str, line: int, title: str, says: Statement, **rest: Any) -> Claim:
    """What holds in place of something printed."""
    return Claim(key, Kind.REPAIR, Source(line), title, says, **rest)


def theorem(key: str, concerns: str, title: str, says: Statement, **rest: Any) -> Claim:
    """A theorem of ours that replaces nothing printed, beside the printed claim that it concerns."""
    return Claim(key, Kind.THEOREM, OURS, title, says, concerns=concerns, **rest)


def definition(key: str, line: int, title: str, note: str, label: str = "") -> Claim:
    """A definition: nothing to judge."""
    return Claim(key, Kind.DEFINITION, Source(line, label), title, note=note)


def remark(key: str, line: int, title: str, note: str, **rest: Any) -> Claim:
    """Prose that carries no relation of its own."""
    return Claim(key, Kind.REMARK, Source(line), title, note=note, **rest)


def case(says: str, values: dict[sp.Symbol, Any] | None = None, **rest: Any) -> Instance:
    """A concrete instance."""
    return Instance(says, values or {}, **rest)
