"""`--explain`: why each end of the brackets holds, claim by claim, with the numbers put into the record."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from oubli.answers.recommend import amount
from oubli.papers import ledger
from oubli.theory.records.claim import Claim
from oubli.theory.records.render import text as rendered
from oubli.theory.regimes import Classification
from oubli.theory.regimes.argument import Argument, arguments
from oubli.theory.regimes.decide import Known

WIDTH = 84
_WHO = {"T_scratch": "Retraining", "T_unlearn": "Unlearning"}
_DIGITS = 30
_FALSE = "is false: one gradient less cannot reach the target"
_SIGNS = {"<=": "≤", ">=": "≥", "==": "="}


@dataclass(frozen=True)
class Explanation:
    """The arguments as text and as JSON."""

    text: str
    data: list[dict[str, Any]]


def explained(found: Classification, row: int) -> Explanation:
    """Why a row's brackets hold.

    Args:
        found: The classification.
        row: The number of the row.

    Returns:
        One argument for each of the four ends: the claim, its letters with their values, and its
        relations with both sides computed.

    >>> from oubli.theory.regimes import classify
    >>> made = explained(classify(rf=0.001, eps=1.0, delta=1e-5, dim=10, target=0.05), 0)
    >>> [part["end"] for part in made.data]
    ['T_scratch lower', 'T_scratch upper', 'T_unlearn lower', 'T_unlearn upper']
    """
    claims = ledger().claims
    data = [_part(one, claims) for one in arguments(found, row)]
    head = (
        "Why, claim by claim, in units L = mu = 1: risks in L^2/mu, so that e0 = 1/8, and\n"
        "distances in L/mu (all claims are PROVED: `oubli show KEY`)"
    )
    return Explanation("\n".join([head, *(line for part in data for line in _lines(part))]), data)


def _part(one: Argument, claims: Mapping[str, Claim]) -> dict[str, Any]:
    made: dict[str, Any] = {"end": one.end, "bound": one.steps, "says": _says(one), "claim": None}
    if one.use is None or one.known is None:
        return made | {"title": "", "letters": [], "relations": [], "also": []}
    claim = claims[one.use.key]
    also = [{"claim": key, "title": claims[key].title} for key in one.claims if key != claim.key]
    made |= {"claim": claim.key, "title": claim.title, "letters": list(_letters(claim, one.known))}
    return made | {"relations": list(_relations(claim, one.known, one.forced)), "also": also}


def _says(one: Argument) -> str:
    name, _, side = one.end.partition(" ")
    word = "at least" if side == "lower" else "at most"
    return f"{_WHO[name]} takes {word} {amount(one.steps)} gradient{'' if one.steps == 1 else 's'}"


def _letters(claim: Claim, known: Known) -> Iterator[dict[str, Any]]:
    """The letters of the claim's relations that have a value, with what they stand for."""
    assert claim.statement is not None
    relations = [claim.statement.says, *(item.relation for item in claim.statement.given)]
    occur = {symbol.name for relation in relations for symbol in relation.free_symbols}
    meanings = {q.symbol.name: q.meaning for q in claim.statement.quantities}
    for name, (low, high) in known.box.items():
        if name in occur:
            yield {
                "letter": name,
                "value": float((low + high) / 2),
                "at_most": name in known.most,
                "meaning": meanings.get(name, ""),
            }


def _relations(claim: Claim, known: Known, forced: bool) -> Iterator[dict[str, Any]]:
    """The conclusion that fails at one gradient less, or the hypotheses that hold, with both sides."""
    assert claim.statement is not None
    given = [item.relation for item in claim.statement.given]
    values = {
        name: sp.Rational(*((low + high) / 2).as_integer_ratio()) for name, (low, high) in known.box.items()
    }
    for relation in [claim.statement.says] if forced else given:
        if {s.name for s in relation.free_symbols} <= values.keys():
            at = {s: values[s.name] for s in relation.free_symbols}
            left, right = (sp.N(side.subs(at), _DIGITS) for side in (relation.lhs, relation.rhs))
            shown = {"relation": rendered(relation), "sign": _SIGNS.get(relation.rel_op, relation.rel_op)}
            yield shown | {"left": float(left), "right": float(right), "holds": _holds(relation, left, right)}


def _holds(relation: Any, left: Any, right: Any) -> bool:
    """Whether two sides are as a relation says; an equation that solved for a letter holds but for digits."""
    if relation.rel_op == "==":
        return bool(abs(left - right) <= sp.Float(10) ** (5 - _DIGITS) * abs(right))
    return bool(relation.func(left, right))


def _lines(part: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n{part['says']}"
    if part["claim"] is None:
        yield "  nothing has to be shown for this"
        return
    yield from _wrapped(f"{part['claim']}: {part['title']}", "  ")
    shown = (f"{x['letter']} {'<=' if x['at_most'] else '='} {x['value']:.6g}" for x in part["letters"])
    yield from _wrapped("with " + ", ".join(shown), "    ")
    for relation in part["relations"]:
        sides = f"{relation['left']:.9g} {relation['sign']} {relation['right']:.9g}"
        yield from _wrapped(f"{relation['relation']}", "    ")
        yield f"      {sides} {'holds' if relation['holds'] else _FALSE}"
    for other in part["also"]:
        yield from _wrapped(f"with {other['claim']}: {other['title']}", "    ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")
