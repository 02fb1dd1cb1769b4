"""Planted errors: what is put wrong, and the check that must catch it.

Each plant is applied for one test only; the named check then has to raise. Without the plant the same check
passes, so that none of them raises for another reason.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import sympy as sp

from oubli.checks.measure import check as checking
from oubli.checks.measure.judging import ViolatedError, falls, stands
from oubli.checks.measure.registry import MEASURED, ledger
from oubli.checks.measure.source import Source
from oubli.checks.measure.tightness import NEAR_ENOUGH
from oubli.checks.measure.worst import again, load
from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import Claim

CASES = 192
FIVE = sp.Rational(95, 100)


@dataclass(frozen=True)
class Planted:
    """An error in one place (claim, law, simulator, check), and the check that catches it."""

    name: str
    place: str
    catcher: str
    plant: Callable[[], Any]
    check: Callable[[], object]


# --- claims -----------------------------------------------------------------------------------------


def changed(key: str, says: Callable[[Any], Any]) -> Claim:
    """A claim with another conclusion."""
    claim = ledger().claims[key]
    assert claim.statement is not None
    return replace(claim, statement=replace(claim.statement, says=says(claim.statement.says)))


def tighter(factor: sp.Expr) -> Callable[[Any], Any]:
    """The bound moved by a factor toward falsehood: an upper bound shrinks, a lower one grows."""

    def moved(says: Any) -> Any:
        if says.rel_op in (">=", ">"):
            return says.func(says.lhs, says.rhs / factor, evaluate=False)
        return says.func(says.lhs, says.rhs * factor, evaluate=False)

    return moved


def put(old: Any, new: Any) -> Callable[[Any], Any]:
    """An expression of the conclusion replaced by another."""

    def moved(says: Any) -> Any:
        found = says.func(says.lhs.subs(old, new), says.rhs.subs(old, new), evaluate=False)
        assert found != says, f"{old} does not occur in {says}"
        return found

    return moved


def times(factor: Any) -> Callable[[Any], Any]:
    """The right side multiplied."""
    return lambda says: says.func(says.lhs, says.rhs * factor, evaluate=False)


def becomes(right: Any) -> Callable[[Any], Any]:
    """Another right side."""
    return lambda says: says.func(says.lhs, right, evaluate=False)


def given_changed(key: str, index: int, change: Callable[[Any], Any]) -> Claim:
    """A claim with one hypothesis changed."""
    claim = ledger().claims[key]
    assert claim.statement is not None
    facts = list(claim.statement.given)
    facts[index] = replace(facts[index], relation=change(facts[index].relation))
    return replace(claim, statement=Statement(tuple(facts), claim.statement.says, claim.statement.also))


@contextmanager
def nothing() -> Iterator[None]:
    """No plant besides the claim itself."""
    yield


def claim_planted(what: str, key: str, claim: Callable[[], Claim]) -> Planted:
    """An error in a record; the claim's own check must see it."""
    return Planted(f"{key}: {what}", "claim", f"checks stands[{key}]", nothing, lambda: stands(claim()))


def claims_planted(errors: dict[str, Callable[[Any], Any]]) -> list[Planted]:
    """Errors in conclusions, by "key: what is wrong"."""

    def one(key: str, what: str, change: Callable[[Any], Any]) -> Planted:
        return claim_planted(what, key, lambda: changed(key, change))

    return [one(*named.split(": "), change) for named, change in errors.items()]


def constants_planted(tightened: str, loosened: str) -> list[Planted]:
    """Bounds moved by 5 %: toward falsehood something breaks them, away from it they are sharp no longer."""
    moved = {f"{key}: constant 5 % toward falsehood": tighter(FIVE) for key in tightened.split()}
    return [*claims_planted(moved), *(claim_loosened(key, FIVE) for key in loosened.split())]


def symbol(name: str) -> sp.Symbol:
    """A letter by name."""
    return sp.Symbol(name, real=True)


# --- everything else ----------------------------------------------------------------------------------


@contextmanager
def patched(target: str, value: Any) -> Iterator[None]:
    """One name replaced, and nothing measured before remembered."""
    checking.pool.cache_clear()
    with patch(target, value):
        yield
    checking.pool.cache_clear()


def smaller(source: Source) -> Source:
    """A source with fewer cases: a planted error is loud."""
    return replace(source, cases=min(source.cases, CASES))


def quick(key: str, which: int = 0) -> Callable[[], object]:
    """The claim's check on fewer cases: raises when a hypothesis or the conclusion fails."""

    def run() -> object:
        claim = ledger().claims[key]
        source = checking.source_for(claim, smaller(MEASURED[key][which]))
        found = checking.outcome(claim, source)
        if found.why:
            raise ViolatedError(f"{key}: {found.why}")
        return found

    return run


def fallen(key: str) -> Callable[[], object]:
    """The check that an erratum is violated by its stored witness."""
    return lambda: falls(ledger().claims[key])


def planted(
    name: str, place: str, catcher: str, target: str, value: Any, check: Callable[[], object]
) -> Planted:
    """One name of the package replaced while one check runs."""
    return Planted(name, place, catcher, lambda: patched(f"oubli.{target}", value), check)


def planted_in(place: str, errors: dict[str, tuple[str, str, Any, Callable[[], object]]]) -> list[Planted]:
    """What is wrong: the check that catches it, the name that is replaced, by what, and that check."""
    return [planted(name, place, *row) for name, row in errors.items()]


def sharp(key: str) -> float:
    """The check that a sharp claim reaches its bound at its stored instance."""
    return reached(ledger().claims[key])


def reached(claim: Claim) -> float:
    """How near the stored instance brings a claim to its bound; ViolatedError if that is not near enough."""
    found = float(again(claim, load()[claim.key])[1].says.ratio[0])
    if found < NEAR_ENOUGH:
        raise ViolatedError(f"{claim.key}: only {found} of its bound")
    return found


def claim_loosened(key: str, factor: sp.Expr) -> Planted:
    """A bound moved away from falsehood: nothing violates it, but it is sharp no longer."""
    catcher = f"test_a_sharp_claim_reaches_its_bound[{key}]"
    name = f"{key}: constant 5 % away from falsehood"
    return Planted(name, "claim", catcher, nothing, lambda: reached(changed(key, tighter(1 / factor))))
