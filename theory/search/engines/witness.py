"""Witness: a claim evaluated at a concrete instance, in exact arithmetic.

An instance inside the hypotheses at which the conclusion fails refutes the claim; one at which it holds with
equality shows that a bound is attained.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression, rational
from oubli.theory.records.claim import Instance
from oubli.theory.search.engines.combination import written
from oubli.theory.search.models import pieces


def encoded(instance: Instance) -> dict[str, Any]:
    """An instance as the checker reads it."""
    out: dict[str, Any] = {
        "says": instance.says,
        "values": {s.name: expression(sp.sympify(v)) for s, v in instance.values.items()},
    }
    if instance.members or instance.laws or instance.vectors:
        out["model"] = _model(instance)
    if instance.through:
        out["terms"] = [written(t) for t in instance.through]
    return out


def _model(instance: Instance) -> dict[str, Any]:
    named = {s.name: v for s, v in instance.values.items()}
    model: dict[str, Any] = {}
    if instance.members:
        model["L"], model["mu"] = (rational(sp.Rational(named[k])) for k in ("L", "mu"))
        model["members"] = {
            name: [[rational(sp.Rational(x)), rational(sp.Rational(h))] for x, h in knots]
            for name, knots in instance.members.items()
        }
    if instance.laws:
        model["laws"] = {
            name: {k: rational(sp.Rational(v)) for k, v in law.items()} for name, law in instance.laws.items()
        }
    if instance.vectors:
        model["vectors"] = {n: [rational(sp.Rational(x)) for x in v] for n, v in instance.vectors.items()}
    return model


def certified(witness: dict[str, Any]) -> dict[str, Any]:
    """The same with members in pieces, as the checker reads them."""
    model = witness.get("model")
    if not model:
        return {k: v for k, v in witness.items() if k != "terms"}
    shown = {k: v for k, v in model.items() if k in ("laws", "vectors")}
    if "members" in model:
        shown["members"] = {name: pieces(knots, model["mu"]) for name, knots in model["members"].items()}
    return {**{k: v for k, v in witness.items() if k != "terms"}, "model": shown}
