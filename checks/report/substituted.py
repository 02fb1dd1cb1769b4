"""A witness with its exact numbers put into the relations, as TeX; the document's side, not a page's."""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import Instance
from oubli.theory.records.render import tex
from oubli.theory.search.engines.witness import encoded
from oubli.theory.search.models import settled
from oubli.theory.search.reading import to_sympy

SIGNS = {"<=": r"\leq", ">=": r"\geq", "==": "="}
LONGEST = 90  # characters of TeX; a longer exact number says less than its decimals


def shown(statement: Statement, instance: Instance) -> list[dict[str, Any]]:
    """Each printed hypothesis and the conclusion, with what it becomes at the instance."""
    witness = encoded(instance)
    asked = [("hypothesis", item.relation) for item in statement.given]
    rows = []
    for role, relation in [*asked, ("claimed", statement.says)]:
        sides = _sides(relation, witness)
        if role == "claimed" or not any(side.free_symbols for side in sides):
            rows.append({"role": role, "tex": tex(relation), "there": _there(relation, sides)})
    return rows


def ratio(statement: Statement, instance: Instance) -> float | None:
    """By how much the instance breaks the bound: attained / claimed, above 1; None where no such ratio is."""
    lhs, rhs = _sides(statement.says, encoded(instance))
    if lhs.free_symbols or rhs.free_symbols or statement.says.rel_op == "==":
        return None
    above, below = (lhs, rhs) if statement.says.rel_op in ("<=", "<") else (rhs, lhs)
    above, below = (float(sp.N(x, 17)) for x in (above, below))
    return float(f"{above / below:.6g}") if above > 0 and below > 0 else None


def _sides(relation: Any, witness: Mapping[str, Any]) -> tuple[sp.Expr, sp.Expr]:
    lhs, rhs = (to_sympy(settled(expression(side), witness)) for side in (relation.lhs, relation.rhs))
    return lhs, rhs


def _there(relation: Any, sides: tuple[sp.Expr, sp.Expr]) -> str:
    sign = SIGNS.get(relation.rel_op, relation.rel_op)
    return f" {sign} ".join(_number(side) for side in sides)


def _number(value: sp.Expr) -> str:
    exact = tex(value)
    if value.is_Rational or value.free_symbols:
        return exact
    decimals = sp.latex(sp.N(value, 8))
    return decimals if len(exact) > LONGEST else rf"{exact} \; (\approx {decimals})"
