"""What a proof assumes, for a person: facts, what letters stand for, and at which values.

>>> granted({"statement": {}, "takes": {"constant": [["A_0", "t"]], "slopes": {"F": ["u", "f"]}}})
['A_0 is taken not to change with t', 'd/du F = f']
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from oubli.theory.kernel.terms import names, number
from oubli.theory.search.reading import to_sympy

SIGNS = {">=": "≥", ">": ">", "=": "="}
TURNED = {">=": "≤", ">": "<", "=": "="}
# Reasons that a proof itself brings, in words; others are those of theory.textbook.
WORDS = {
    "domain": "where letters range",
    "state": "where it starts, and where it is next",
    "sum": "what a sum is",
    "integral": "what an integral is",
    "meaning": "two names of one thing",
}


def in_words(node: Any) -> str:
    """An expression of a certificate as text.

    >>> in_words(["+", ["@", "S", {"t": ["+", "t", 1]}], ["^", "x", 2]])
    'S[t = t + 1] + x^2'
    """
    return str(to_sympy(node)).replace("**", "^")


def related(relation: str, node: Any) -> str:
    """A relation against 0 as text, its two sides where they are written as a difference.

    >>> related(">=", ["+", 1, ["*", -1, "x"]]), related(">", ["*", 2, "x"])
    ('x ≤ 1', '2*x > 0')
    """
    match node:
        case ["+", left, ["*", -1, right]] if number(left) is not None:
            return f"{in_words(right)} {TURNED[relation]} {in_words(left)}"
        case ["+", left, ["*", -1, right]]:
            return f"{in_words(left)} {SIGNS[relation]} {in_words(right)}"
    return f"{in_words(node)} {SIGNS[relation]} 0"


def facts(certificate: Mapping[str, Any]) -> list[str]:
    """Each fact with its reason; those that hold under conditions of a step stand below these."""
    statement = certificate["statement"]
    own, printed = [item[:2] for item in statement.get("given", [])], set(statement.get("letters", {}))
    groups: dict[str, dict[str, list[str]]] = {"": {}}
    for relation, node, why, given in certificate["takes"].get("facts", []):
        if why == "domain" and names(node) <= printed:
            continue  # said where the claim itself is shown
        asked = dict.fromkeys(related(*item) for item in given if list(item) not in own)
        found = groups.setdefault(" and ".join(asked), {}).setdefault(why, [])
        line = related(relation, node)
        if line not in [*found, *groups[""].get(why, [])]:
            found.append(line)
    lines = _listed(groups.pop(""))
    for condition, reasons in groups.items():
        below = _listed(reasons)
        lines += [f"where {condition}", *(f"  {line}" for line in below)] if below else []
    return lines


def _listed(found: Mapping[str, Iterable[str]]) -> list[str]:
    reasons = [(WORDS.get(why, why), lines) for why, lines in found.items() if why != "domain"]
    rest = [f"{line}  ({why})" for why, lines in reasons for line in lines]
    ranges = ", ".join(found.get("domain", []))
    return [*rest, f"{ranges}  ({WORDS['domain']})"] if ranges else rest


def meanings(takes: Mapping[str, Any]) -> list[str]:
    """What letters stand for: those that stay constant, slopes, means, and at which values they are taken."""
    still: dict[str, list[str]] = {}
    for letter, over in takes.get("constant", []):
        still.setdefault(over, []).append(letter)
    lines = []
    for over, letters in still.items():
        way = "to be random" if over == "chance" else f"to change with {over}"
        lines.append(f"{', '.join(letters)} {'is' if len(letters) == 1 else 'are'} taken not {way}")
    lines += [f"d/d{x} {letter} = {slope}" for letter, (x, slope) in takes.get("slopes", {}).items()]
    lines += [f"{letter} is the mean of {_mean(*more)}" for letter, more in takes.get("means", {}).items()]
    for letter, where in takes.get("at", {}).items():
        values = [f"{x} = {in_words(value)}" for x, value in where.items() if value != x]
        lines += [f"{letter} is meant at {', '.join(values)}"] if values else []
    return lines


def _mean(of: str, event: str, mass: Any) -> str:
    named = event.removeprefix("event of ")
    return of if number(mass) == 1 else f"{of} over the event “{named}”, of probability {in_words(mass)}"


def schemas(certificate: Mapping[str, Any]) -> str:
    """The schemas that a proof which assumes nothing else rests on; "" for any other.

    >>> lines = [{"schema": ["Mills", "x"]}]
    >>> schemas({"kind": "proof", "statement": {"letters": {}}, "takes": {}, "lines": lines})
    'nothing assumed beyond the schemas: Mills'
    """
    letters = certificate.get("statement", {}).get("letters", {}).values()
    in_words_only = any(kind[1:] == [True] for kind in letters)
    if certificate.get("kind") != "proof" or in_words_only or granted(certificate):
        return ""
    used = Counter(line["schema"][0] for line in certificate["lines"] if "schema" in line)
    names = [name if times == 1 else f"{name} ({times})" for name, times in sorted(used.items())]
    return f"nothing assumed beyond the schemas: {', '.join(names) or 'none used'}"


def granted(certificate: Mapping[str, Any]) -> list[str]:
    """Every fact that is not printed, every meaning, and the values at which letters are taken."""
    return [*facts(certificate), *meanings(certificate["takes"])] if "takes" in certificate else []
