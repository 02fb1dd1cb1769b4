"""Explicit rules and coins of stored witnesses: their finite laws on the line."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np
import sympy as sp

from oubli.checks.measure.lecam import Finite, variation
from oubli.checks.measure.records import LOTTERY, statement
from oubli.checks.measure.relation import Letters, NotMeasuredError, side
from oubli.sim.losses.families import quadratic
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.theory.paper.letters import old_optimum
from oubli.theory.records.claim import Claim, Instance
from oubli.theory.search.reading import to_sympy

LAWS = ("tv", "worst")
Values = Mapping[str, float]


def has_laws(claim: Claim) -> bool:
    """Whether a claim is about total variation, or about the worst risk of an explicit rule.

    >>> from oubli.checks.measure.records import ledger
    >>> [has_laws(ledger().claims[key]) for key in ("tv_bound", "trivial", "e0.step")]
    [True, False, False]
    """
    assert claim.statement is not None
    return any(node[0] in LAWS for node in _terms(claim).values())


def _terms(claim: Claim) -> dict[str, Any]:
    assert claim.statement is not None
    return {q.symbol.name: q.kind[1] for q in claim.statement.quantities if q.kind and q.kind[0] == "is"}


def measured_rule(claim: Claim, instance: Instance) -> Letters:
    """The letters of an instance whose algorithm is an explicit rule on the line, and of laws of coins."""
    values = {str(symbol): float(sp.sympify(value)) for symbol, value in instance.values.items()}
    rules = {name: item.node[1] for name, item in instance.objects.items()}
    found = {name: np.array([value]) for name, value in values.items()}
    for name, (head, *args) in _terms(claim).items():
        if head == "tv":
            one, other = (_law(node, values, rules) for node in args)
            found[name] = np.array([variation(one, other)])
        elif head == "worst":  # the lottery: the largest risk that the ledger allows it
            found[name] = side(statement(LOTTERY).says, "M_lottery", Letters(found))
    return Letters(found)


def _number(node: Any, values: Values) -> float:
    found = to_sympy(node)
    return float(found.subs({letter: values[letter.name] for letter in found.free_symbols}))


def _law(node: Any, values: Values, rules: Mapping[str, Any]) -> Finite:
    """The law of a number of ones among signs, or of what a rule releases."""
    head, *args = node
    if head == "coins":
        T, chance = int(_number(args[0], values)), (1 + _number(args[1], values)) / 2
        return {float(k): comb(T, k) * chance**k * (1 - chance) ** (T - k) for k in range(T + 1)}
    rule, (family, *means), _ = args
    if head != "out" or family != "signs":
        raise NotMeasuredError(f"no finite law is {node}")
    m, f = (_number(mean, values) for mean in means)
    star = _optimum(m, f, values)
    if rules[rule][0] != "response":
        return {_place(rules[rule], star): 1.0}
    _, p, decides, *answers = rules[rule]
    ahead = decides == 1 or _place(decides[1], star) > 0
    chance = _number(p, values) if ahead else 1 - _number(p, values)
    u, v = (_place(answer, star) for answer in answers)
    return {v: 1.0} if u == v else {u: chance, v: 1 - chance}


def _optimum(m: float, f: float, values: Values) -> float:
    """theta* of the hard problem on the line, by the simulator: a rounding is not a sign."""
    L, mu = values["L"], values["mu"]
    losses = (Mixture((quadratic(np.array([L / (2 * mu) * mean]), mu),), [1.0]) for mean in (m, f))
    retain, forget = losses
    star = float(Problem(retain, forget, values["r"], L, mu, alternative=forget).full_optimum.point[0])
    return star if abs(star) > 1e-12 * L / mu else 0.0


def _place(node: Any, star: float) -> float:
    """A vector on the line."""
    if node == old_optimum.node:
        return star
    head, *args = node
    if head == "v*":
        return float(sp.Rational(args[0])) * _place(args[1], star)
    return {"zero": 0.0, "e": 1.0}[head]
