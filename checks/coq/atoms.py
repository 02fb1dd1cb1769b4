"""Roots, exponentials and other functions of a lemma, brought to one form each.

Two functions of equal arguments are taken for one, a root squared for its radicand, and an exponential of
a sum for a product. Coq is given all this: one equation for each function whose form changes,
to be proved, in the order in which they can be (inner parts first).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from oubli.checks.coq.terms import NotExportedError
from oubli.theory.kernel.terms import number
from oubli.theory.search.quotients import Mono, Poly, constant, function, generator, quotient, root

Node = Any


@dataclass
class Atoms:
    """What was found so far: facts to prove, in order, and the form of each function."""

    denominators: dict[Mono, int]
    # (kind, left, right): a condition on `left`, or an equation left = right.
    facts: list[tuple[str, Node, Node]] = field(default_factory=list)
    forms: dict[Any, Node] = field(default_factory=dict)
    done: dict[str, Node] = field(default_factory=dict)

    def need(self, kind: str, left: Node, right: Node = None) -> None:
        """List a fact once."""
        if (kind, left, right) not in self.facts:
            self.facts.append((kind, left, right))

    def form(self, node: Node) -> Node:
        """The expression with every function in its one form."""
        if not isinstance(node, list) or node == ["pi"]:
            return node
        if repr(node) not in self.done:
            self.done[repr(node)] = self.formed(node[0], [self.form(a) for a in node[1:]])
        return self.done[repr(node)]

    def formed(self, head: str, args: list[Node]) -> Node:
        if head in ("+", "*"):
            return [head, *args]
        if head == "^":
            return self.power(args[0], number(args[1]) or Fraction(0))
        if head in ("log", "asin"):
            self.need(head, args[0])
        return self.exponential(args[0]) if head == "exp" else self.plain(head, args[0])

    def power(self, base: Node, k: Fraction) -> Node:
        out = self.rooted(base) if k.denominator == 2 else base
        if k < 0:
            self.need("divisor", out)
        return ["^", out, k.numerator]

    def rooted(self, base: Node) -> Node:
        """A root: a number, a number times the root of pi, or the form of its class."""
        node, (num, den) = ["^", base, "1/2"], quotient(base)
        c = constant(den)
        if not c:
            raise NotExportedError("a root of a quotient")
        payload = {m: v / c for m, v in num.items()}
        value = constant(root(payload))
        self.need("root", base)
        if value is not None:
            return self.equation("number", node, str(value))
        (pi,) = generator("pi")
        if payload.keys() == {pi} and payload[pi] != 1:
            halves = [self.rooted(str(payload[pi])), self.rooted(["pi"])]
            return self.equation("split", node, ["*", *halves])
        key = ("sqrt", frozenset(payload.items()))
        if key not in self.forms:
            self.forms[key] = node
            self.need("square", base, self._integral(payload))
        return self.same(key, node)

    def _integral(self, payload: Poly) -> Node:
        """(d, d^2 times the radicand with whole coefficients), or None if they are whole already."""
        d = lcm(*(c.denominator for c in payload.values()))
        return [d, self.polynomial({m: c * d * d for m, c in payload.items()})] if d > 1 else None

    def plain(self, head: str, arg: Node) -> Node:
        """A function of one argument other than exp."""
        found = function(head, [arg])
        if constant(found) == 0:
            return self.equation(head + "0", [head, arg], 0)
        ((mono, coefficient),) = found.items()
        ((key, _),) = mono
        if key[0] != head:
            return self.equation(head + "1", [head, arg], ["*", str(coefficient), ["pi"]])
        return self.same(key, [head, arg])

    def exponential(self, arg: Node) -> Node:
        """A product of powers of exponentials of monomials."""
        ((mono, _),) = function("exp", [arg]).items()
        pieces = sorted(((key[1], c) for key, c in mono), key=lambda item: repr(sorted(item[0], key=repr)))
        if not all(isinstance(m, frozenset) for m, _ in pieces):
            return self.same(next(iter(mono))[0], ["exp", arg])
        factors = []
        for m, c in pieces:
            n = self.denominators.get(m, 1)
            inside = arg if c * n == 1 == len(pieces) else self.monomial(m, n)
            base = self.forms.setdefault(("exp", m), ["exp", inside])
            self.need("positive", base)
            factors.append(["^", base, int(c * n)])
        if not factors:
            return self.equation("exp0", ["exp", arg], 1)
        return self.equation("exp", ["exp", arg], ["*", *factors])

    def polynomial(self, p: Poly) -> Node:
        """A polynomial in the forms, as an expression."""
        terms = [["*", str(c), *self.monomial(m, 1)[2:]] for m, c in sorted(p.items(), key=repr)]
        return ["+", *terms] if terms else 0

    def monomial(self, m: Mono, n: int) -> Node:
        """A monomial over n, as an expression."""
        parts = []
        for key, k in sorted(m, key=repr):
            base = key[1] if key[0] == "name" else ["pi"] if key[0] == "pi" else self.forms[key]
            if k < 0:
                self.need("divisor", base)
            parts.append(["^", base, int(k)])
        return ["*", str(Fraction(1, n)), *parts]

    def same(self, key: Any, node: Node) -> Node:
        """The form of a class of equal functions: the first that was met."""
        return self.equation("same", node, self.forms.setdefault(key, node))

    def equation(self, kind: str, left: Node, right: Node) -> Node:
        if left != right and right != ["*", ["^", left, 1]]:
            self.need(kind, left, right)
            return right
        return left


def denominators(nodes: Iterable[Node]) -> dict[Mono, int]:
    """For each monomial inside an exponential, the common denominator of its coefficients."""
    out: dict[Mono, int] = {}
    for node in nodes:
        if not isinstance(node, list):
            continue
        for m, n in denominators(node[1:]).items():
            out[m] = lcm(out.get(m, 1), n)
        if node[0] == "exp":
            ((mono, _),) = function("exp", [node[1]]).items()
            for (_, m), c in mono:
                out[m] = lcm(out.get(m, 1), c.denominator)
    return out


def atoms(nodes: Iterable[Node]) -> Atoms:
    """The functions of all the expressions, each in one form."""
    listed = list(nodes)
    out = Atoms(denominators(listed))
    for node in listed:
        out.form(node)
    return out
