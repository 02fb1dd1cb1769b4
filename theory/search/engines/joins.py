"""Joins: steps put together by the closed rules; nothing is searched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression
from oubli.theory.records.proof import Cases, Couple, Expectation, Induction, Integrate, Monotone, Over, Reach


def _table(values: Mapping[sp.Symbol, Any]) -> dict[str, Any]:
    return {s.name: expression(sp.sympify(v)) for s, v in values.items()}


def cases(rule: Cases) -> dict[str, Any]:
    """A case split on the sign of an expression."""
    return {
        "rule": "cases",
        "on": expression(rule.on),
        "nonnegative": rule.nonnegative,
        "nonpositive": rule.nonpositive,
    }


def induction(rule: Induction) -> dict[str, Any]:
    """An induction on an index."""
    return {
        "rule": "induction",
        "index": rule.index.name,
        "invariant": expression(rule.invariant),
        "base": rule.base,
        "step": rule.step,
        "start": _table(rule.start),
        "next": _table(rule.next),
        "end": expression(rule.end),
        "fixed": sorted(s.name for s in rule.fixed),
        **({} if rule.last is None else {"last": expression(rule.last)}),
    }


def _interval(rule: Monotone | Integrate) -> dict[str, Any]:
    return {
        "step": rule.step,
        "variable": rule.variable.name,
        "from": expression(sp.sympify(rule.begin)),
        "to": expression(sp.sympify(rule.end)),
    }


def monotone(rule: Monotone) -> dict[str, Any]:
    """A function that does not fall."""
    return {"rule": "integrate", **_interval(rule), "function": expression(rule.function)}


def integrate(rule: Integrate) -> dict[str, Any]:
    """A pointwise bound, integrated."""
    return {
        "rule": "integrate",
        **_interval(rule),
        "function": expression(rule.bound),
        "slope": expression(rule.slope),
        "rise": expression(rule.rise),
    }


def over(rule: Over) -> dict[str, Any]:
    """A bound on a supremum or infimum."""
    return {"rule": "over", "step": rule.step, "term": rule.term.node, "names": [o.node for o in rule.names]}


def reach(rule: Reach) -> dict[str, Any]:
    """A lower bound on a time."""
    names = [rule.names[0].node, rule.names[1].name]
    return {"rule": "reach", "step": rule.step, "term": rule.term.node, "names": names}


def couple(rule: Couple) -> dict[str, Any]:
    """Two means against a total variation."""
    return {
        "rule": "couple",
        "of": list(rule.steps),
        "point": rule.point.node,
        "numbers": [f.node for f in rule.numbers],
        "bound": expression(sp.sympify(rule.bound)),
        "laws": [law.node for law in rule.laws],
    }


def expectation(rule: Expectation) -> dict[str, Any]:
    """A pointwise relation, averaged."""
    mass = expression(sp.sympify(rule.mass))
    return {"rule": "expectation", "step": rule.step, "means": _table(rule.means), "mass": mass}
