"""Decisions in balls: exact numbers are put into a record, and what then certainly holds is said.

Parameters are exact or thin balls. A measured letter that is given is known only to be *at most* its value:
it may stand where a relation is affine in it (or in its square) and more of it makes what is to be shown
harder. Whatever is missing is worked out from the record's own relations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import Any, TypeAlias

from oubli.theory.regimes.record import Domain, Node, Record, UndecidedError, letters, power, split
from oubli.theory.search.ball import enclose

Ball: TypeAlias = Any
Ends: TypeAlias = tuple[Fraction, Fraction]
Value: TypeAlias = "Fraction | int | Ball | Ends"
# A parameter whose domain is open may be this much inside.
INSIDE = Fraction(1, 2**200)
# A parameter that must be large enough is taken this much larger, so that balls can tell.
MORE = Fraction(1, 2**64)
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass
class Known:
    """Letters with their values, and those of which the value is only an upper bound."""

    record: Record
    box: dict[str, Ends] = field(default_factory=dict)
    most: set[str] = field(default_factory=set)

    def put(self, name: str, value: Value, at_most: bool) -> None:
        """Take a letter at a value, or at most at it."""
        self.box[name] = ends(value)
        if at_most:
            self.most.add(name)

    def ball(self, node: Node) -> Ball:
        """An expression with the letters at their values."""
        return enclose(node, self.box)

    def missing(self, node: Node) -> frozenset[str]:
        """The letters of an expression without a value."""
        return letters(node) - self.box.keys()

    def slope(self, node: Node, name: str) -> Ball:
        """How an expression grows with a letter that is at least 0 wherever only its square occurs."""
        atom = power(node, name)
        lower = self.record.domains[name].lower
        if atom != name and (lower is None or Fraction(lower) < 0):
            raise UndecidedError(f"{name} may be negative")
        return self.fixed(split(node, atom)[0])

    def fixed(self, node: Node) -> Ball:
        """An expression in which no letter is only bounded."""
        if letters(node) & self.most:
            raise UndecidedError(f"{node} is only bounded")
        return self.ball(node)

    def largest(self, node: Node) -> Ball:
        """The expression where it is largest over all letters that are only bounded."""
        for name in letters(node) & self.most:
            if not self.slope(node, name) >= 0:
                raise UndecidedError(f"{name} is only bounded from above")
        return self.ball(node)

    def smallest(self, node: Node) -> Ball:
        """The expression where it is smallest over all letters that are only bounded."""
        for name in letters(node) & self.most:
            if not self.slope(node, name) <= 0:
                raise UndecidedError(f"{name} is only bounded from above")
        return self.ball(node)


def ends(value: Value) -> Ends:
    """The exact ends of a ball, or a rational twice."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, int | Fraction):
        return Fraction(value), Fraction(value)
    if not value.is_finite():
        raise UndecidedError("no finite ball")
    low, high = (end.fmpq() for end in (value.lower(), value.upper()))
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def holds(known: Known, relation: Node) -> bool:
    """Whether a relation certainly holds."""
    value = known.smallest(relation[1])
    return bool({">": value > 0, ">=": value >= 0, "=": value == 0}[relation[0]])


def fails(known: Known, relation: Node) -> bool:
    """Whether an inequality certainly fails."""
    value = known.largest(relation[1])
    return bool({">": value <= 0, ">=": value < 0}[relation[0]])


def settle(
    record: Record, values: Mapping[str, Value], bounds: Mapping[str, Callable[[Known], Ball]] = NOTHING
) -> Known:
    """All letters of a record at some values, if its hypotheses then certainly hold.

    Args:
        record: The record.
        values: Exact numbers or balls, by letter. Measured letters are at most their value.
        bounds: Upper bounds on more measured letters, given all others.

    Returns:
        The values, with what the record's relations add; UndecidedError if a hypothesis is not certain.
    """
    known = Known(record)
    for name, value in values.items():
        known.put(name, value, record.measured(name))
    facts = _solved(known, [f for f in record.facts if not letters(f[1]) & bounds.keys()])
    for name, bound in bounds.items():
        known.put(name, bound(known), True)
    _checked(known, facts + [f for f in record.facts if letters(f[1]) & bounds.keys()])
    return known


def _solved(known: Known, facts: list[Node]) -> list[Node]:
    """Work out what the facts determine; the facts that are left to be checked."""
    while found := next(((f, name) for f in facts for name in _solvable(known, f)), None):
        _solve(known, *found)
        if found[0][0] == "=":
            facts = [f for f in facts if f is not found[0]]
    return facts


def _solvable(known: Known, fact: Node) -> Iterable[str]:
    """The only letter that a hypothesis leaves open."""
    missing = known.missing(fact[1])
    return missing if len(missing) == 1 else ()


def _solve(known: Known, fact: Node, name: str) -> None:
    sign, node, _ = fact
    atom = power(node, name)
    a, b = split(node, atom)
    slope = known.fixed(a)
    value = known.ball(b) / -slope
    value = value if atom == name else value.sqrt()
    if sign == "=":
        known.put(name, value, _rises(known, node, slope))
    elif slope > 0:
        known.put(name, _at_least(ends(value)[1], known.record.domains[name]), False)
    else:
        raise UndecidedError(f"nothing says how large {name} is")


def _rises(known: Known, node: Node, slope: Ball) -> bool:
    """Whether what an equality gives is only bounded; it must then grow with what is only bounded in it."""
    bounded = letters(node) & known.most
    if not all(known.slope(node, name) / slope <= 0 for name in bounded):
        raise UndecidedError("a bounded letter enters with the wrong sign")
    return bool(bounded)


def _at_least(value: Fraction, domain: Domain) -> Fraction:
    """A value of a domain, little more than the least, that will be seen to be enough."""
    value += abs(value) * MORE
    if domain.lower is not None:
        value = max(value, Fraction(domain.lower) + INSIDE * domain.lower_open)
    return Fraction(ceil(value)) if domain.integer else value


def _checked(known: Known, facts: list[Node]) -> None:
    """Every hypothesis and every domain of a parameter certainly holds."""
    for name, domain in known.record.domains.items():
        if not (domain.measured or (name in known.box and _within(known, name, domain))):
            raise UndecidedError(f"{name} is open or outside its domain")
    for fact in facts:
        if known.missing(fact[1]) or not holds(known, fact):
            raise UndecidedError(f"{fact} is not certain")


def _within(known: Known, name: str, domain: Domain) -> bool:
    low, high = known.box[name]
    above = domain.lower is None or _beyond(low - Fraction(domain.lower), domain.lower_open)
    below = domain.upper is None or _beyond(Fraction(domain.upper) - high, domain.upper_open)
    return above and below and (not domain.integer or (low == high and low.denominator == 1))


def _beyond(distance: Fraction, open_end: bool) -> bool:
    return distance > 0 if open_end else distance >= 0


def at_most(known: Known, name: str) -> Ball:
    """The upper bound that a settled record's conclusion gives on a letter; its value for an equality."""
    sign, node = known.record.says
    a, b = split(node, name)
    slope = known.fixed(a)
    if sign != "=" and not slope < 0:
        raise UndecidedError(f"the conclusion does not bound {name} from above")
    # More of a letter that is only bounded must not make the bound smaller.
    if not all(known.slope(b, other) / -slope >= 0 for other in letters(b) & known.most):
        raise UndecidedError("a bounded letter enters with the wrong sign")
    return known.ball(b) / -slope
