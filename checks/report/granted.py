"""What a proof assumes, for a person: what letters stand for, and at which values.

>>> granted({"statement": {}, "takes": {"constant": [["A_0", "t"]], "slopes": {"F": ["u", "f"]}}})
['A_0 is taken not to change with t', 'd/du F = f']
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from oubli.theory.kernel.terms import number
from oubli.theory.search.reading import to_sympy


def in_words(node: Any) -> str:
    """An expression of a certificate as text.

    >>> in_words(["+", ["@", "S", {"t": ["+", "t", 1]}], ["^", "x", 2]])
    'S[t = t + 1] + x^2'
    """
    return str(to_sympy(node)).replace("**", "^")


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
    """Every meaning, and the values at which letters are taken."""
    return meanings(certificate["takes"]) if "takes" in certificate else []
