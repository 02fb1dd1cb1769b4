"""Expressions, relations and letters of certificates as Coq text over the reals.

Nothing is simplified here: the text says what the certificate says, node by node. Coq's division, root and
logarithm are total, so `conditions` lists what has to hold for them to mean what they say.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from oubli.theory.kernel.terms import minus, names, number

RELATIONS = {">=": "0 <= {}", ">": "0 < {}", "=": "{} = 0"}
FUNCTIONS = {"exp": "exp", "log": "ln", "atan": "atan", "asin": "asin"}
# Functions that Coq's library lacks: a combination holds for any positive functions in their place.
ABSTRACT = ("Phi", "phi1", "phi2")


class NotExportedError(Exception):
    """There is no lemma for this; the message says why."""


def letters(statement: Mapping[str, Any]) -> dict[str, str]:
    """One Coq identifier for each letter of a statement; the prefix keeps clear of Coq's own names.

    >>> letters({"quantities": {"r_f": [], "<u,v>": [], "R": []}})
    {'r_f': 'x_r_f', '<u,v>': 'x_u_v', 'R': 'x_R'}
    """
    out: dict[str, str] = {}
    for name in statement["quantities"]:
        plain = "x_" + re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_")
        while plain in out.values():
            plain += "'"
        out[name] = plain
    return out


def rational(value: Fraction) -> str:
    """A rational as a quotient of integers.

    >>> rational(Fraction(-7, 2))
    '(-7 / 2)'
    """
    if value.denominator == 1:
        return f"({value.numerator})" if value < 0 else str(value.numerator)
    return f"({value.numerator} / {value.denominator})"


def text(node: Any, called: Mapping[str, str]) -> str:
    """An expression as Coq text, with the letters called as given.

    >>> text(["*", "1/2", ["^", ["+", 1, "r"], "-1/2"]], {"r": "x_r"})
    '((1 / 2) * (/ (sqrt (1 + x_r))))'
    """
    value = number(node)
    if value is not None:
        return rational(value)
    if isinstance(node, str):
        if node not in called:
            raise NotExportedError(f"the letter {node} is not declared where it is used")
        return called[node]
    head, args = node[0], node[1:]
    if head == "pi":
        return "PI"
    parts = [text(a, called) for a in args]
    if head in ("+", "*"):
        return "(" + f" {head} ".join(parts) + ")" if len(parts) > 1 else parts[0]
    if head == "^":
        return powered(parts[0], number(args[1]) or Fraction(0))
    return f"({FUNCTIONS.get(head, head)} {parts[0]})"


def powered(base: str, k: Fraction) -> str:
    """A power, by roots and inverses of natural powers."""
    base = f"(sqrt {base})" if k.denominator == 2 else base
    n = abs(k.numerator)
    whole = base if n == 1 else f"({base} ^ {n})"
    return f"(/ {whole})" if k < 0 else whole


def related(sign: str, node: Any, called: Mapping[str, str]) -> str:
    """A relation against 0 as a Coq proposition.

    >>> related(">=", "T", {"T": "x_T"})
    '0 <= x_T'
    """
    return RELATIONS[sign].format(text(node, called))


def domains(statement: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The relations (sign, expression) that the ends of the domains are."""
    out: list[tuple[str, Any]] = []
    for name, (lower, lower_open, upper, upper_open, *_) in statement["quantities"].items():
        above = name if lower == 0 else minus(name, lower)
        out += [(">" if lower_open else ">=", above)] if lower is not None else []
        out += [(">" if upper_open else ">=", minus(upper, name))] if upper is not None else []
    return out


def conditions(nodes: Iterable[Any]) -> list[tuple[str, Any]]:
    """What expressions need to mean what they say, inner parts first: (kind, node), each once.

    >>> conditions([["^", "x", "-1/2"]])
    [('root', 'x'), ('divisor', ['^', 'x', '1/2'])]
    """
    found: list[tuple[str, Any]] = []
    for node in nodes:
        if not isinstance(node, list):
            continue
        found += conditions(node[1:])
        k = (number(node[2]) or Fraction(0)) if node[0] == "^" else Fraction(0)
        found += [("root", node[1])] if k.denominator == 2 else []
        found += [("divisor", ["^", node[1], "1/2"] if k.denominator == 2 else node[1])] if k < 0 else []
        found += [(node[0], node[1])] if node[0] in ("log", "asin") else []
    return list({repr(item): item for item in found}.values())


CONDITIONS = {
    "root": "0 <= {}", "divisor": "{} <> 0", "log": "0 < {}", "asin": "-1 <= {} <= 1",
}  # fmt: skip


def conditioned(kind: str, node: Any, called: Mapping[str, str]) -> str:
    """A condition as a Coq proposition."""
    return CONDITIONS[kind].format(text(node, called))


def mentions(head: str, nodes: Iterable[Any]) -> bool:
    """Whether a function occurs in one of the expressions."""
    listed = [node for node in nodes if isinstance(node, list)]
    return any(node[0] == head or mentions(head, node[1:]) for node in listed)


def numeric(nodes: Iterable[Any]) -> bool:
    """Whether the sign of some closed irrational number may be asked for, beyond a root or pi alone.

    >>> numeric([["*", "L", ["+", 3, ["*", -1, ["pi"]]]]]), numeric([["*", "L", ["pi"]]])
    (True, False)
    """
    listed = [node for node in nodes if isinstance(node, list)]
    return any(numeric(node[1:]) or (not names(node) and _transcendent(node)) for node in listed)


def _transcendent(node: Any) -> bool:
    irrational = mentions("pi", [node]) or any(kind == "root" for kind, _ in conditions([node]))
    return node[0] in FUNCTIONS or (node[0] == "+" and irrational)


def comment(words: str) -> str:
    """Words that can end no comment and open no string.

    >>> comment('(* "a" *)')
    '(_ _a_ _)'
    """
    return re.sub(r'["*]', "_", words)
