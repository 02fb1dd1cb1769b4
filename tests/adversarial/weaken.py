"""Every proved claim, changed so that it claims more, judged again with its own proof and instances.

Each number of the conclusion and of each hypothesis is moved by 1 % and by a factor of 1000, each side too; a
strict hypothesis includes its end, a conclusion becomes strict; hypotheses and ends of domains are dropped.
What is changed comes out REFUTED or OPEN, or it is still PROVED: then what was changed is not needed, and
`weakened.json` has the reason.

    python -m tests.adversarial.weaken            the whole ledger, about five minutes
    python -m tests.adversarial.weaken KEY …      a few claims, the others as they were
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sympy as sp
from rich.progress import track

from oubli.theory.judging import judge as judging
from oubli.theory.judging.judge import InstanceError, domains, judge
from oubli.theory.judging.ledger import Entry, Ledger
from oubli.theory.judging.replay import statements
from oubli.theory.kernel.checker import NOTHING, about_objects
from oubli.theory.kernel.encoding import statement as encoded
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import REAL, Domain, Quantity, declared
from oubli.theory.records.claim import Claim
from oubli.theory.records.proof import Exact
from oubli.theory.records.verdict import DisagreementError, Status

TABLE = Path(__file__).with_name("weakened.json")
FACTORS = {f"× {f}": sp.Rational(f) for f in ("101/100", "100/101", "1000", "1/1000")}
STRICT = {sp.Le: sp.Lt, sp.Ge: sp.Gt}
CLOSED = {after: before for before, after in STRICT.items()}
NOTHING_GIVEN = sp.Ge(0, 0, evaluate=False)  # in its place: proofs name hypotheses by their numbers
Changed = Callable[[Statement], Statement]


@dataclass(frozen=True)
class Change:
    """A change of a statement: where, how, and what it makes of the claim's statement or of a step's."""

    where: str
    how: str
    make: Changed


@dataclass(frozen=True)
class Widened(Statement):
    """A statement in which a letter ranges farther than it is declared."""

    name: str = ""
    domain: Domain = REAL

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities, one of them in the wider domain."""
        return tuple(
            replace(q, domain=self.domain) if q.symbol.name == self.name else q for q in super().quantities
        )


def numbers(expr: sp.Basic) -> Iterator[tuple[tuple[int, ...], sp.Rational]]:
    """The rational numbers of an expression with their places, but those in exponents."""
    if expr.is_Rational:
        yield (), expr
    for i, arg in enumerate(expr.args if not expr.is_Rational else ()):
        if not (expr.is_Pow and i == 1):
            yield from (((i, *place), value) for place, value in numbers(arg))


def put_at(expr: sp.Basic, place: tuple[int, ...], value: Any) -> sp.Basic:
    """The expression with something else at a place."""
    if not place:
        return sp.sympify(value)
    args = list(expr.args)
    args[place[0]] = put_at(args[place[0]], place[1:], value)
    more = {"evaluate": False} if expr.is_Relational else {}
    return expr.func(*args, **more)


def moved(relation: Any) -> Iterator[tuple[str, Any]]:
    """A relation with one number, or one whole side, moved."""
    for how, factor in FACTORS.items():
        for i, side in enumerate(relation.args):
            if side != 0 and 0 not in relation.args:  # a multiple of what is compared with 0 says the same
                yield f"side {i + 1} {how}", put_at(relation, (i,), side * factor)
        for place, value in numbers(relation):
            if value not in (0, 1, -1) and len(place) > 1:
                yield f"{value} at {place} {how}", put_at(relation, place, value * factor)


def slack(relation: Any) -> sp.Expr:
    """What a relation says is not negative."""
    return relation.gts - relation.lts


def sample(symbols: Iterable[sp.Symbol], rng: random.Random) -> dict[sp.Symbol, float]:
    """Values of letters in their domains."""
    out = {}
    for symbol in sorted(symbols, key=str):
        d = declared(symbol).domain
        low = float(d.lower) if d.lower is not None else 0.0
        high = float(d.upper) if d.upper is not None else low + math.exp(rng.uniform(-2, 4))
        out[symbol] = low + (high - low) * rng.uniform(0.01, 0.99)
    return out


def falls(before: Any, after: Any) -> bool:
    """Whether the slack of a relation is smaller after a change somewhere, as far as samples show."""
    if before.func is sp.Eq:
        return True
    difference, rng = slack(after) - slack(before), random.Random(0)
    for _ in range(12):
        value = difference.subs(sample(difference.free_symbols, rng)).evalf()
        if not value.is_number or not value.is_real or value < 0:
            return True
    return False


def rises(before: Any, after: Any) -> bool:
    """Whether it is larger somewhere: what is given then says less."""
    return before.func is sp.Eq or falls(after, before)


def regiven(item: Any, relation: Any) -> Changed:
    """The same hypothesis with another relation wherever it is given."""

    def make(said: Statement) -> Statement:
        given = tuple(replace(f, relation=relation) if f == item else f for f in said.given)
        return replace(said, given=given, also=tuple({*said.also, *item.relation.free_symbols}))

    return make


def widened(name: str, domain: Domain) -> Changed:
    """A letter in a wider domain."""
    return lambda said: Widened(said.given, said.says, said.also, said.exists, name, domain)


def changes(claim: Claim) -> Iterator[Change]:
    """All changes of a claim that make it claim more."""
    said = claim.statement
    assert said is not None
    for how, says in moved(said.says):
        if falls(said.says, says):
            yield Change("conclusion", how, lambda s, says=says: replace(s, says=says))
    if said.says.func in STRICT:
        strict = STRICT[said.says.func](*said.says.args, evaluate=False)
        yield Change("conclusion", "strict", lambda s: replace(s, says=strict))
    for i, item in enumerate(said.given):
        yield Change(f"given {i}", "dropped", regiven(item, NOTHING_GIVEN))
        if item.relation.func in CLOSED:
            closed = CLOSED[item.relation.func](*item.relation.args, evaluate=False)
            yield Change(f"given {i}", "end included", regiven(item, closed))
        for how, relation in moved(item.relation):
            if rises(item.relation, relation):
                yield Change(f"given {i}", how, regiven(item, relation))
    for q in said.quantities:
        yield from wider(q)


def wider(q: Quantity) -> Iterator[Change]:
    """A letter's ends, dropped or included."""
    name, d = q.symbol.name, q.domain
    for end, bound, is_open in (("lower", d.lower, d.lower_open), ("upper", d.upper, d.upper_open)):
        if bound is not None and not q.kind:
            none = replace(d, **{end: None, f"{end}_open": False})
            yield Change(f"{name} from {d}", f"{end} end dropped", widened(name, none))
            if is_open:
                closed = replace(d, **{f"{end}_open": False})
                yield Change(f"{name} from {d}", f"{end} end included", widened(name, closed))


def claims_more(claim: Claim, change: Change) -> Iterator[Claim]:
    """The claim changed: with its proof as it is, and with the hypothesis changed in every step."""
    assert claim.statement is not None
    said = change.make(claim.statement)
    last = [replace(claim.proof[-1], statement=said)]
    yield replace(claim, statement=said, proof=(*claim.proof[:-1], *last))
    if len(claim.proof) > 1 and change.where != "conclusion":
        steps = [replace(step, statement=change.make(step.statement)) for step in claim.proof[:-1]]
        yield replace(claim, statement=said, proof=(*steps, *last))


class Weakening:
    """A judged ledger, and the verdicts on what its claims become."""

    def __init__(self, ledger: Ledger, entries: Mapping[str, Entry] | None = None) -> None:
        self.ledger, self.entries = ledger, entries or ledger.verify()
        self.known = statements(ledger)
        made = {key: e.verdict.certificate for key, e in self.entries.items()}
        self.assumed = {key: c.get("takes", NOTHING) for key, c in made.items() if c}

    def proved(self) -> list[str]:
        """The claims that are proved, but for those that one instance proves."""
        every = [key for key, e in self.entries.items() if e.verdict.status is Status.PROVED]
        return [key for key in every if not isinstance(self.ledger.claims[key].proof[-1].by, Exact)]

    def verdict(self, key: str, change: Change) -> Status:
        """The verdict on a changed claim: the best that any form of it gets."""
        found = [self.judged(claim, change) for claim in claims_more(self.ledger.claims[key], change)]
        for status in (Status.PROVED, Status.REFUTED):
            if status in found:
                return status
        return Status.OPEN

    def judged(self, claim: Claim, change: Change) -> Status:
        """The verdict on a claim; an instance outside the changed hypotheses is left out."""
        assert claim.statement is not None
        ranges = domains() | {q.symbol.name: judging.domain(q) for q in claim.statement.quantities}
        before, judging.domains = judging.domains, lambda: ranges
        try:
            inside = tuple(i for i in claim.instances if self.fits(claim, i))
            return judge(replace(claim, instances=inside), self.known, self.assumed).status
        except DisagreementError:
            return Status.PROVED
        finally:
            judging.domains = before

    def fits(self, claim: Claim, instance: Any) -> bool:
        """Whether an instance is one of the claim."""
        try:
            judging.refute(replace(claim, instances=(instance,)), self.known, self.assumed)
        except InstanceError:
            return False
        return True

    def row(self, key: str) -> dict[str, Any]:
        """One claim: what it is about, how many changes came out how, and after which it is still proved."""
        statement, still = encoded(self.known[key]), list[str]()
        count = dict.fromkeys(("REFUTED", "OPEN", "PROVED"), 0)
        for change in changes(self.ledger.claims[key]):
            status = self.verdict(key, change)
            count[status.value] += 1
            still += [f"{change.where}: {change.how}"] if status is Status.PROVED else []
        return {"objects": about_objects(statement), "count": count, "still proved": still}


def main(keys: list[str]) -> None:
    """Run, and write what was found beside what is known of the other claims."""
    from oubli.papers import ledger

    found = Weakening(ledger())
    proved = found.proved()
    if unknown := {*keys} - {*proved}:
        sys.exit(f"no proved claims: {', '.join(sorted(unknown))}")
    rows = {key: found.row(key) for key in track([k for k in proved if not keys or k in keys])}
    before = json.loads(TABLE.read_text(encoding="utf-8"))
    known = before["claims"] | rows
    claims = {key: known[key] for key in proved if key in known}
    total = {name: sum(row["count"][name] for row in claims.values()) for name in before["count"]}
    table = {"count": total, "why": before["why"], "claims": claims}
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(total))


if __name__ == "__main__":
    main(sys.argv[1:])
