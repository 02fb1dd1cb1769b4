"""Vectors through their inner products.

A statement about all losses of the class in every dimension becomes algebra: a vector is a
combination of named basis vectors, and only inner products `<a,b>` of these enter formulas.

>>> u, v = vector("u"), vector("v")
>>> square(u + v)
<u,u> + 2*<u,v> + <v,v>
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from oubli.theory.kernel.symbols import letter


@dataclass(frozen=True)
class Vector:
    """A formal combination of basis vectors."""

    parts: tuple[tuple[str, sp.Expr], ...]

    def __add__(self, other: Vector) -> Vector:
        total: dict[str, sp.Expr] = dict(self.parts)
        for name, coefficient in other.parts:
            total[name] = total.get(name, sp.Integer(0)) + coefficient
        return Vector(tuple(sorted(total.items(), key=lambda part: part[0])))

    def __rmul__(self, factor: sp.Expr) -> Vector:
        return Vector(tuple((name, factor * coefficient) for name, coefficient in self.parts))

    def __neg__(self) -> Vector:
        return self.__rmul__(sp.Integer(-1))

    def __sub__(self, other: Vector) -> Vector:
        return self + (-other)


def vector(name: str) -> Vector:
    """A basis vector."""
    return Vector(((name, sp.Integer(1)),))


def inner(u: Vector, v: Vector) -> sp.Expr:
    """The inner product, expanded over the basis."""
    return sp.expand(sum(a * b * _gram(x, y) for x, a in u.parts for y, b in v.parts))


def square(u: Vector) -> sp.Expr:
    """The squared norm."""
    return inner(u, u)


def _gram(x: str, y: str) -> sp.Symbol:
    return letter(f"<{min(x, y)},{max(x, y)}>", meaning=f"inner product of {x} and {y}")
