"""Joins: steps put together by the closed rules; nothing is searched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression
from oubli.theory.records.objects import AHEAD
from oubli.theory.records.proof import (
    Cases,
    Couple,
    Fill,
    Induction,
    Layers,
    Monotone,
    Over,
    Reach,
    Spin,
    Sweep,
    Tell,
)


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
        "end": expression(rule.end),
        "fixed": sorted(s.name for s in rule.fixed),
        **({} if rule.last is None else {"last": expression(rule.last)}),
    }


def _interval(rule: Monotone) -> dict[str, Any]:
    return {
        "step": rule.step,
        "variable": rule.variable.name,
        "from": expression(sp.sympify(rule.begin)),
        "to": expression(sp.sympify(rule.end)),
    }


def monotone(rule: Monotone) -> dict[str, Any]:
    """A function that does not fall."""
    return {"rule": "integrate", **_interval(rule), "function": expression(rule.function)}


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


def layers(rule: Layers) -> dict[str, Any]:
    """From events to means."""
    return {
        "rule": "layers",
        "of": list(rule.steps),
        "event": rule.event.node,
        "point": rule.point.node,
        "number": rule.number.node,
        "bound": expression(sp.sympify(rule.bound)),
        "free": expression(sp.sympify(rule.free)),
        "laws": [[expression(sp.sympify(c)), law.node] for c, law in rule.laws],
    }


def tell(rule: Tell) -> dict[str, Any]:
    """What T signs tell of two problems."""
    *objects, T = rule.problems
    return {
        "rule": "tell",
        "step": rule.step,
        "point": rule.point.node,
        "weights": [v.name for v in rule.weights],
        "numbers": [f.node for f in rule.numbers],
        "bound": rule.bound.node,
        "shares": [expression(sp.sympify(p)) for p in rule.shares],
        "problems": [*(o.node for o in objects), expression(sp.sympify(T))],
    }


def spin(rule: Spin) -> dict[str, Any]:
    """A mean over all pairs of directions."""
    return {"rule": "spin", "step": rule.step}


def sweep(rule: Sweep) -> dict[str, Any]:
    """Means over two balls."""
    numbers = {"radius": rule.radius, "smaller": rule.smaller, "share": rule.share}
    written = {name: expression(sp.sympify(x)) for name, x in numbers.items()}
    hop = (rule.shift * AHEAD).node
    return {"rule": "sweep", "of": [rule.hop, rule.more, rule.less], **written, "shift": hop}


def fill(rule: Fill) -> dict[str, Any]:
    """A mean over the cube."""
    return {"rule": "fill", "step": rule.step}
