"""A claim's letters that nobody measures, drawn from their domains so that the given facts hold.

Equations are solved for a letter that enters them linearly; an inequality becomes an equation with a slack of
its own, which may be 0: that is where bounds are attained. What still fails a fact is not a case.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from oubli.checks.measure.axes import axis
from oubli.checks.measure.relation import FUNCTIONS, Letters, numeric
from oubli.checks.measure.source import Axis, Batch, Source, log
from oubli.sim.require import Array
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import Domain, Quantity

SLACK = Axis(log(1e-4, 10).place, log(1e-4, 10).locate, (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Solved:
    """A letter and the fact that gives it, as a function of the letters before it and of a slack."""

    name: str
    slack: str
    arguments: tuple[str, ...]
    value: Callable[..., Array]
    whole: bool = False

    def at(self, values: Mapping[str, Array]) -> Array:
        """The letter's values."""
        with np.errstate(all="ignore"):
            found = self.value(*(values[a] for a in self.arguments), values.get(self.slack, np.zeros(1)))
        # A number of steps is rounded up; where that leaves the hypothesis it is no case.
        return np.asarray(np.ceil(found) if self.whole else found, dtype=float)


def _positive_part(gamma: Array, r: Array, _: Array) -> Array:
    return np.maximum((1 - r) * gamma - r, 0.0)


# Definitions that no linear equation gives: a positive part, a number of hops, a root.
DERIVED = {
    "y_excess": Solved("y_excess", "", ("gamma", "r"), _positive_part),
    "K": Solved("K", "", ("gamma", "r"), lambda g, r, _: np.ceil(_positive_part(g, r, g) / (2 * r))),
    "g_forget": Solved("g_forget", "", ("gamma", "r"), lambda g, r, _: -np.minimum(1.0, (1 - r) * g / r)),
    "q_noise": Solved("q_noise", "", ("b_noise",), lambda b, _: np.sqrt(1 + b**2)),
}


def completed(statement: Statement, base: Source | None, known: frozenset[str], name: str) -> Source:
    """A source for all letters of a statement: those of `base` measured, the others drawn or solved.

    >>> from oubli.theory.paper.ledger import ledger
    >>> claim = ledger().claims["efficient.time"].statement
    >>> source = completed(claim, None, frozenset(), "efficient.time")
    >>> sorted(source.space)
    ['L', 'R_1', 'd', 'e', 'kappa', 'slack 0']
    """
    facts = _about(statement, known)
    names = {s.name for s in statement.says.free_symbols} | {s.name for f in facts for s in f.free_symbols}
    quantities = {q.symbol.name: q for q in statement.quantities if q.symbol.name in names - known}
    steps = _plan(facts, quantities, known)
    solved = {step.name for step in steps}
    free = {n: axis(q) for n, q in quantities.items() if n not in solved}
    slacks = {step.slack: SLACK for step in steps if step.slack}
    drawn = frozenset(quantities)

    def extend(first: Letters, batch: Batch) -> Letters:
        values: dict[str, Array] = {**first.values, **{n: batch[n] for n in (*free, *slacks)}}
        for step in steps:
            values[step.name] = step.at(values)
        whole = Letters(values, first.errors)
        return Letters(values, first.errors, first.kept() & _valid(facts, whole, quantities, drawn))

    def measure(batch: Batch) -> Letters:
        return extend(base.measure({n: batch[n] for n in base.space}) if base else Letters({}), batch)

    space = {**(base.space if base else {}), **free, **slacks}
    if base is None:
        return Source(name, space, measure)
    return Source(name, space, measure, base.cases, base.confidence, base, extend)


def _about(statement: Statement, known: frozenset[str]) -> list[Any]:
    """The facts about letters nobody measured; beside measured ones, only as far as `says` needs them."""
    relations = [item.relation for item in statement.given]
    if not known:
        return relations
    wanted = {s.name for s in statement.says.free_symbols} - known
    kept: list[Any] = []
    for relation in relations:
        names = {s.name for s in relation.free_symbols}
        if names & wanted:
            kept.append(relation)
            wanted |= names - known
    return kept


def _plan(facts: list[Any], unknown: Mapping[str, Quantity], known: frozenset[str]) -> list[Solved]:
    letters = unknown.keys() | known
    steps = [DERIVED[n] for n in DERIVED if n in unknown and set(DERIVED[n].arguments) <= letters]
    made_of = {step.name: set(step.arguments) for step in steps}
    for i, relation in enumerate(facts):
        names = {s.name for s in relation.free_symbols}
        # A fact about a derived letter defines it: what it is made of is not solved for there.
        kept = {part for name in names & made_of.keys() for part in made_of[name]}
        taken = {step.name for step in steps} | kept
        options = [s for s in relation.free_symbols if s.name in unknown and s.name not in taken]
        linear_in = [s for s in options if _is_linear(relation, s)]
        if linear_in:
            best = min(linear_in, key=lambda s: (not unknown[s.name].measured, s.name != "e", s.name))
            steps.append(_solved(relation, best, f"slack {i}", unknown[best.name].domain.integer))
    return _ordered(steps)


def _ordered(steps: list[Solved]) -> list[Solved]:
    """Each letter after those it is made of; a circle drops its last fact."""
    done: list[Solved] = []
    waiting = list(steps)
    while waiting:
        open_names = {step.name for step in waiting}
        ready = [step for step in waiting if not (set(step.arguments) & open_names)]
        if not ready:
            return _ordered(steps[:-1])
        done += ready
        waiting = [step for step in waiting if step not in ready]
    return done


def _is_linear(relation: Any, symbol: sp.Symbol) -> bool:
    slope = sp.diff(relation.lhs - relation.rhs, symbol)
    return slope != 0 and symbol not in slope.free_symbols


def _solved(relation: Any, symbol: sp.Symbol, slack: str, whole: bool) -> Solved:
    above = relation.rel_op in (">=", ">")
    gap = (relation.lhs - relation.rhs) if above else (relation.rhs - relation.lhs)
    slope, rest = sp.diff(gap, symbol), gap.subs(symbol, 0)
    room = sp.Symbol("room", real=True)
    is_equation = relation.rel_op == "=="
    # gap = slope·v + rest must be room·|rest| >= 0, or room itself where there is nothing to compare with.
    allowed = 0 if is_equation else room * (sp.Abs(rest) if rest != 0 else 1)
    symbols = sorted((slope.free_symbols | rest.free_symbols), key=lambda s: s.name)
    value = sp.lambdify(
        [*symbols, room], (allowed - rest) / slope, modules=[FUNCTIONS, "numpy"], dummify=True
    )
    return Solved(symbol.name, "" if is_equation else slack, tuple(s.name for s in symbols), value, whole)


def _valid(
    facts: list[Any], letters: Letters, quantities: Mapping[str, Quantity], drawn: frozenset[str]
) -> Any:
    valid = np.ones(letters.size, dtype=bool)
    for name, quantity in quantities.items():
        valid &= _in_domain(np.broadcast_to(letters.values[name], (letters.size,)), quantity.domain)
    safe = Letters({n: np.where(valid, v, 1.0) for n, v in letters.values.items()}, letters.errors)
    for fact in facts:
        relation = numeric(fact)
        if set(relation.names) & drawn:
            valid &= ~relation.anyhow(safe).fails
    return valid


def _in_domain(values: Array, domain: Domain) -> Any:
    """Whether floats lie in a domain; an open end excludes itself."""
    inside = np.isfinite(values)
    for end, sign, is_open in ((domain.lower, 1, domain.lower_open), (domain.upper, -1, domain.upper_open)):
        if end is not None:
            gap = sign * (values - float(Fraction(end)))
            inside &= gap > 0 if is_open else gap >= 0
    return inside & (values == np.round(values)) if domain.integer else inside
