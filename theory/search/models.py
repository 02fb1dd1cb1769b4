"""Small exact models: members of the class on the line, finite laws, and statements at an instance.

A member l with l(0) = 0 is given by the knots of h, l'(x) = mu x + h(x), which jumps at double knots. If h
never decreases and stays in [-L/2, L/2], then l is L-Lipschitz and mu-strongly convex on the ball [-R, R].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction as Q
from itertools import pairwise
from typing import Any

from oubli.theory.kernel.encoding import domain_relations
from oubli.theory.kernel.terms import Node, inner, minus, names, substitute
from oubli.theory.search.ball import enclose, precision, sign
from oubli.theory.search.quotients import NoQuotientError, exact, vanishes

Record = Mapping[str, Any]
Knots = list[tuple[Q, Q]]
MODEL_FUNCTIONS = ("value", "left", "right", "tv", "mass", "hockey")


class NotInClassError(ValueError):
    """A model that is no member of the class, or no law."""


def members(model: Record) -> dict[str, Knots]:
    """The members of the class, each shown to be one."""
    out = {name: [(exact(x), exact(h)) for x, h in raw] for name, raw in model.get("members", {}).items()}
    for name, knots in out.items():
        L, mu, (first, low), (last, high) = exact(model["L"]), exact(model["mu"]), knots[0], knots[-1]
        spans = L > 0 and mu > 0 and -first == last == L / (2 * mu)
        rising = all(x <= y and h <= k for (x, h), (y, k) in pairwise(knots))
        if not spans or not rising or low < -L / 2 or high > L / 2:
            raise NotInClassError(f"{name} is not in the class")
    return out


def laws(model: Record) -> dict[str, dict[str, Q]]:
    """The finite laws, each shown to be one."""
    out = {name: {k: exact(v) for k, v in raw.items()} for name, raw in model.get("laws", {}).items()}
    for name, law in out.items():
        if min(law.values()) < 0 or sum(law.values()) != 1:
            raise NotInClassError(f"{name} is not a law")
    return out


def height(knots: Knots, x: Q, right: bool) -> Q:
    """h(x+) or h(x-); at the ends of the ball the only one there is."""
    at = [h for y, h in knots if y == x]
    between = [h + (k - h) * (x - a) / (b - a) for (a, h), (b, k) in pairwise(knots) if a < x < b]
    if not at and not between:
        raise NotInClassError(f"{x} lies outside the ball")
    return (at or between)[-1 if right else 0]


def area(knots: Knots, x: Q) -> Q:
    """The integral of h from the first knot to x."""
    cut = [*((y, h) for y, h in knots if y < x), (x, height(knots, x, False))]
    return sum(((h + k) / 2 * (b - a) for (a, h), (b, k) in pairwise(cut)), Q(0))


def pieces(knots: Sequence[Sequence[Any]], mu: Any) -> list[list[str]]:
    """The member as [x, y, a, b, c]: l = a x^2 + b x + c from x to y.

    >>> pieces([["-1", "-1"], ["0", "-1"], ["0", "1"], ["1", "1"]], 1)
    [['-1', '0', '1/2', '-1', '0'], ['0', '1', '1/2', '1', '0']]
    """
    read, m, out = [(exact(x), exact(h)) for x, h in knots], exact(mu), []
    start = area(read, Q(0))
    for (x, h), (y, k) in pairwise(read):
        if x < y:
            slope = (k - h) / (y - x)
            a, b = (m + slope) / 2, h - slope * x
            value = m * x * x / 2 + area(read, x) - start
            out.append([str(q) for q in (x, y, a, b, value - a * x * x - b * x)])
    return out


def observe(node: Node, model: Record) -> Node:
    """The expression with every model function replaced by its exact value."""
    if not isinstance(node, list) or not node or node[0] not in MODEL_FUNCTIONS:
        return [node[0], *(observe(a, model) for a in node[1:])] if isinstance(node, list) else node
    head, args = node[0], node[1:]
    if head in ("value", "left", "right"):
        knots, x, mu = members(model)[args[0]], exact(observe(args[1], model)), exact(model["mu"])
        at = mu * x * x / 2 + area(knots, x) - area(knots, Q(0))
        return str(at if head == "value" else mu * x + height(knots, x, head == "right"))
    p = laws(model)[args[0]]
    if head == "mass":
        return str(p.get(str(args[1]), Q(0)))
    q, factor = laws(model)[args[1]], exact(args[2]) if head == "hockey" else Q(1)
    return str(sum((max(p.get(k, Q(0)) - factor * q.get(k, Q(0)), Q(0)) for k in {*p, *q}), Q(0)))


def settled(expr: Node, witness: Record) -> Node:
    """The expression at the witness: values put in, model functions evaluated."""
    return observe(substitute(expr, witness["values"]), witness.get("model", {}))


def holds_at(statement: Record, witness: Record) -> set[str] | None:
    """The letters that an instance leaves open; None if it is not shown to meet the outline's hypotheses."""
    values, quantities = witness["values"], statement["quantities"]
    left_open = set(quantities) - set(values)
    ends = [item for item in domain_relations(quantities) if not names(item[1]) & left_open]
    try:
        met = [_true(rel, settled(expr, witness)) for rel, expr, _ in ends]
        met += [exact(settled(n, witness)).denominator == 1 for n in values if quantities.get(n, [0] * 6)[4]]
        given = [(rel, settled(expr, witness)) for rel, expr, _ in statement["given"]]
        met += [not names(expr) and _true(rel, expr) for rel, expr in given]
        met.append(_consistent(witness) and _of_vectors(witness))
    except (NotInClassError, NoQuotientError):
        return None
    return left_open if all(met) else None


def _true(relation: str, expr: Node) -> bool:
    """Whether a closed relation is shown to hold."""
    if vanishes(expr):
        with precision(256):
            # Not finite where a root, a logarithm or a quotient has no value.
            return relation != ">" and enclose(expr, {}).is_finite()
    return relation != "=" and sign(expr) == 1


def _consistent(witness: Record) -> bool:
    """Whether members and laws are some, and the model has the L and mu of the values."""
    model, values = witness.get("model", {}), witness["values"]
    members(model)
    laws(model)
    shared = [name for name in ("L", "mu") if name in model and name in values]
    return all(vanishes(minus(settled(name, witness), model[name])) for name in shared)


def _of_vectors(witness: Record) -> bool:
    """Whether the inner products are those of some vectors."""
    values = witness["values"]
    basis = sorted({vector for n in values if n.startswith("<") for vector in n[1:-1].split(",")})
    rows = [[settled(values.get(inner(a, b), 0), witness) for b in basis] for a in basis]
    return _semidefinite([[exact(entry) for entry in row] for row in rows])


def _semidefinite(matrix: list[list[Q]]) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by exact elimination."""
    if not matrix:
        return True
    (pivot, *row), rest = matrix[0], matrix[1:]
    if pivot < 0 or (pivot == 0 and any(row)):
        return False
    ratios = [y / (pivot or 1) for y in row]
    return _semidefinite([[x - r[0] * y for x, y in zip(r[1:], ratios, strict=True)] for r in rest])
