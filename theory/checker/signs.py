"""Signs that follow from declared domains and given relations by sums, products and powers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from typing import Any

from theory.checker.bounds import positive_constant
from theory.checker.grammar import MODEL_FUNCTIONS, Ast, minus, names, need, number
from theory.checker.ring import Mono, Poly, Ring


class Signs:
    """What is known to be nonnegative: domains, given relations, and products of two of these."""

    def __init__(self, statement: Mapping[str, Any]) -> None:
        self.ring, self.atoms = Ring(), dict[str, bool]()
        self.measured = {name for name, domain in statement["quantities"].items() if domain[5]}
        self.integers = {name for name, domain in statement["quantities"].items() if domain[4]}
        self.equations = [expr for rel, expr, _why in statement["given"] if rel == "="]
        base: list[tuple[Poly, bool]] = []
        for expr, strict in [*domain_relations(statement), *given_relations(statement)]:
            if p := self.same_sign(expr):
                base.append((p, strict))
        for p, strict in base:
            self.learn(p, strict)
            self.learn_positive_name(p)
        self.base = base
        for p, s in base[:40]:
            for q, t in base[:40]:
                self.learn(self.ring.mul(p, q), s and t)

    def same_sign(self, node: Ast) -> Poly:
        """Numerator times denominator: a polynomial with the sign of the quotient."""
        num, den = self.ring.quotient(node)
        return self.ring.mul(num, den) if set(den) != {()} or den[()] != 1 else num

    def learn(self, p: Poly, strict: bool) -> None:
        key = self.scaled(p)
        self.atoms[key] = self.atoms.get(key, False) or strict

    def learn_positive_name(self, p: Poly) -> None:
        """a x - b >= 0 with a, b > 0 makes x positive."""
        linear = [m for m in p if m]
        one_name = len(p) == 2 and len(linear) == 1 and len(linear[0]) == 1 and linear[0][0][1] == 1
        if one_name and p[linear[0]] > 0 and p.get((), Q(0)) < 0:
            self.learn({linear[0]: Q(1)}, True)

    def scaled(self, p: Poly) -> str:
        if not p:
            return "0"
        lead = abs(p[max(p)])
        return self.ring.canon({m: c / lead for m, c in p.items()})

    def holds(self, node: Ast, strict: bool) -> bool:
        """True only if node >= 0 (or > 0) follows from the atoms by sums, products, powers."""
        value = number(node)
        if value is not None:
            return value > 0 if strict else value >= 0
        if not names(node):
            return positive_constant(node, strict)
        if p := self.same_sign(node):
            known = self.atoms.get(self.scaled(p))
            if (known is not None and (known or not strict)) or self.above_an_atom(p, strict):
                return True
        return isinstance(node, list) and self.by_shape(node, strict)

    def above_an_atom(self, p: Poly, strict: bool) -> bool:
        """True only if p is a positive multiple of one atom plus monomials that are nonnegative."""
        one: tuple[Poly, bool] = ({(): Q(1)}, True)
        for atom, atom_strict in [one, *self.base]:
            for lead in atom:
                factor = p.get(lead, Q(0)) / atom[lead]
                if factor > 0:
                    rest = self.ring.add(p, {m: -factor * c for m, c in atom.items()})
                    if all(self.monomial(m, c, False) for m, c in rest.items()):
                        strictly = atom_strict or any(self.monomial(m, c, True) for m, c in rest.items())
                        if strictly or not strict:
                            return True
        return False

    def monomial(self, m: Mono, c: Q, strict: bool) -> bool:
        """Whether one term is nonnegative (or positive): its generators are, or are squared."""
        return c > 0 and all(self.generator(g, strict) or (k % 2 == 0 and not strict) for g, k in m)

    def generator(self, gen: str, strict: bool) -> bool:
        if gen == "pi" or gen.startswith(("exp(", "Phi(", "phi1(", "phi2(")):
            return True
        if gen.startswith("sqrt("):
            return not strict
        known = self.atoms.get(self.scaled({((gen, Q(1)),): Q(1)}))
        return known is not None and (known or not strict)

    def by_shape(self, node: Ast, strict: bool) -> bool:
        head, args = node[0], node[1:]
        if head == "+":
            return all(self.holds(a, False) for a in args) and (
                not strict or any(self.holds(a, True) for a in args)
            )
        if head == "*":
            return all(self.holds(a, strict) for a in args)
        if head == "^":
            k = number(args[1]) or Q(0)
            if k < 0:
                return self.holds(args[0], True)
            even = k.denominator == 1 and k % 2 == 0 and not strict
            return even or self.holds(args[0], strict)
        return head in ("exp", "Phi", "phi1", "phi2")

    def safe(self, node: Ast) -> None:
        """Reject unless every divisor is shown nonzero and every radicand nonnegative."""
        if not isinstance(node, list) or node[0] in MODEL_FUNCTIONS:
            return
        for arg in node[1:]:
            self.safe(arg)
        if node[0] == "^":
            k, base = number(node[2]) or Q(0), node[1]
            if k < 0:
                nonzero = self.holds(base, True) or self.holds(["*", -1, base], True)
                need(nonzero, f"a divisor is not shown to be nonzero: {base}")
            if k.denominator == 2:
                need(self.holds(base, k < 0), f"a radicand is not shown to be nonnegative: {base}")
        if node[0] == "log":
            need(self.holds(node[1], True), "a logarithm of what is not shown to be positive")
        if node[0] == "asin":
            need(self.holds(["+", 1, node[1]], False), "arcsine outside [-1, 1]")
            need(self.holds(minus(1, node[1]), False), "arcsine outside [-1, 1]")


def domain_relations(statement: Mapping[str, Any]) -> list[tuple[Ast, bool]]:
    """The relations (expression, strict) that the domains of the quantities give."""
    out: list[tuple[Ast, bool]] = []
    for name, (lower, lower_open, upper, upper_open, *_rest) in statement["quantities"].items():
        if lower is not None:
            out.append((minus(name, lower) if number(lower) else name, lower_open))
            if (number(lower) or Q(0)) > 0:
                out.append((name, True))
        if upper is not None:
            out.append((minus(upper, name), upper_open))
        if lower is not None and upper is not None and (number(lower) or Q(0)) + (number(upper) or Q(0)) >= 0:
            # -upper <= lower <= name, so name + upper >= 0; strictly if either end is left out.
            strict = (number(lower) or Q(0)) + (number(upper) or Q(0)) > 0 or lower_open
            out.append((["+", name, upper], strict))
    return out


def given_relations(statement: Mapping[str, Any]) -> list[tuple[Ast, bool]]:
    """The inequalities among the hypotheses."""
    return [(expr, rel == ">") for rel, expr, _why in statement["given"] if rel != "="]
