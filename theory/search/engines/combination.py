"""Combination: the conclusion as a sum of nonnegative multipliers times known relations.

The record brings the multipliers; the engine writes them down. Where the checker rejects what comes of it,
one random exact point is looked at, so that a broken combination is named by its residual.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import sympy as sp

from oubli.theory.kernel.encoding import relation
from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.objects import Object
from oubli.theory.records.proof import (
    Combination,
    Given,
    Jensen,
    Lemma,
    Mean,
    Norm,
    One,
    Same,
    Schema,
    Square,
    SquaredNorm,
    Term,
)
from oubli.theory.records.vectors import square
from oubli.theory.search.engines.identity import random_point


def slack(rel: sp.core.relational.Relational) -> sp.Expr:
    """The expression that a relation says is nonnegative (or zero)."""
    return rel.rhs - rel.lhs if isinstance(rel, sp.Le | sp.Lt) else rel.lhs - rel.rhs


def value(term: Term, statement: Statement, known: Mapping[str, Statement]) -> sp.Expr:
    """multiplier × relation, as an expression."""
    factor, source = term
    match source:
        case Given(index):
            return factor * slack(statement.given[index].relation)
        case Square(of):
            return factor * of**2
        case Norm(of):
            return factor * square(of)
        case One():
            return sp.sympify(factor)
        case Same():
            return sp.Integer(0)
        case Schema() | SquaredNorm() | Jensen() | Mean():
            return sp.nan
        case Lemma(_, values) if any(isinstance(x, Object) for x in values):
            return sp.nan
        case Lemma(key, values):
            return factor * slack(known[key].says).subs(dict(values), simultaneous=True)


def written(term: Term) -> dict[str, Any]:
    """A term as the checker reads it."""
    factor, source = term
    times = expression(sp.sympify(factor))
    match source:
        case Given(index):
            return {"times": times, "given": index}
        case Square(of):
            return {"times": times, "square": expression(of)}
        case Norm(of):
            return {"times": times, "norm": {name: expression(c) for name, c in of.parts}}
        case One():
            return {"times": times, "one": True}
        case Schema(name, objects, because):
            schema = [name, *(item.node for item in objects)]
            return {"times": times, "schema": schema, "because": shown(because)}
        case Mean(of):
            inner = {part: said for part, said in written((1, of)).items() if part != "times"}
            return {"times": times, "mean_of": inner}
        case Same(function, u, v):
            return {"times": times, "same": [function, node(u), node(v)]}
        case Jensen(loss, average, because):
            return {"times": times, "average": average.node, "loss": loss.node, "because": shown(because)}
        case SquaredNorm(of):
            return {"times": times, "square_of": of.node}
        case Lemma(key, values, because):
            with_ = {node(x): node(v) for x, v in values.items()}
            return {"times": times, "lemma": key, "with": with_, "because": shown(because)}


def node(item: Any) -> Any:
    """A letter, an expression or an object as the checker reads it."""
    return item.node if isinstance(item, Object) else expression(sp.sympify(item))


def shown(because: Mapping[Any, tuple[Term, ...]]) -> dict[str, Any]:
    """What shows hypotheses of a lemma or of a schema, by their numbers."""
    return {str(i): [written(t) for t in terms] for i, terms in because.items()}


def residual(statement: Statement, rule: Combination, known: Mapping[str, Statement]) -> sp.Expr:
    """Conclusion minus combination at one random exact point: 0 if the identity may hold.

    Not a number where letters abbreviate terms: these are not independent of each other.
    """
    if any(quantity.kind for quantity in statement.quantities):
        return sp.nan
    total = sum((value(t, statement, known) for t in rule.terms), sp.Integer(0))
    gap = slack(statement.says) - total
    symbols = sorted(gap.free_symbols, key=lambda s: s.name)
    rng = random.Random(1)
    point = random_point(statement.quantities, rng)
    point.update({s: sp.Rational(rng.randint(2, 9), 7) for s in symbols if s not in point})
    return gap.subs(point)


def missed(statement: Statement, rule: Combination, known: Mapping[str, Statement]) -> str:
    """By how much a combination misses its conclusion, in words; empty if no residual is found."""
    left = residual(statement, rule, known)
    size = sp.N(abs(left), 30)
    far = size.is_Float and size > sp.Rational(1, 10**12)
    return f"the combination misses the conclusion by {sp.N(left, 6)}" if far else ""


def certify(rule: Combination) -> dict[str, Any]:
    """A certificate candidate."""
    return {"rule": "combination", "terms": [written(t) for t in rule.terms]}


def negated(expr: sp.Expr) -> list[Any]:
    """The relation that says an expression is negative."""
    return relation(sp.Lt(expr, 0, evaluate=False))
