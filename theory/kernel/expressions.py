"""Sympy expressions as the nested lists of certificates.

>>> expression(sp.Symbol("x", real=True) ** 2 / 3)
['*', '1/3', ['^', 'x', 2]]
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from oubli.theory.kernel.symbols import Phi, phi1, phi2

NAMES: dict[type, str] = {
    sp.exp: "exp",
    sp.log: "log",
    sp.atan: "atan",
    sp.asin: "asin",
    Phi: "Phi",
    phi1: "phi1",
    phi2: "phi2",
    sp.ceiling: "ceil",
}


class UnsupportedError(ValueError):
    """An expression outside the grammar of certificates."""


def rational(value: sp.Rational) -> int | str:
    """An exact number: an integer, or "p/q"."""
    return int(value) if value.is_Integer else f"{value.p}/{value.q}"


def expression(expr: sp.Expr) -> Any:
    """A sympy expression as nested lists; UnsupportedError for anything but the grammar."""
    if expr.is_Rational:
        return rational(expr)
    if expr is sp.pi:
        return ["pi"]
    if expr is sp.E:
        return ["exp", 1]
    if expr.is_Symbol:
        return expr.name
    if expr.is_Add or expr.is_Mul:
        return ["+" if expr.is_Add else "*", *(expression(a) for a in expr.args)]
    if expr.is_Pow and expr.exp.is_Rational and expr.exp.q in (1, 2):
        return ["^", expression(expr.base), rational(expr.exp)]
    if type(expr) in NAMES:
        return [NAMES[type(expr)], expression(expr.args[0])]
    if isinstance(expr, AppliedUndef):
        return [expr.func.__name__, *(a.name if a.is_Symbol else expression(a) for a in expr.args)]
    raise UnsupportedError(f"no certificate can hold {expr} ({type(expr).__name__})")
