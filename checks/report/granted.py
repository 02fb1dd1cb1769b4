"""What a proof takes for granted, told to a person: facts, what letters stand for, and at which values.

>>> line(["is", "S", ["sum", "n", "n", 1, "T"]])
'S is the sum of n over n = 1 … T'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theory.reading import to_sympy

SIGNS = {">=": "≥", ">": ">", "=": "="}


def told(node: Any) -> str:
    """An expression of a certificate as text."""
    return str(to_sympy(node))


def line(fact: list[Any]) -> str:
    """One entry of a certificate's facts as a sentence; a domain gives nothing."""
    kind, what, more = fact
    match kind:
        case "in":
            return ""
        case "is":
            return f"{what} is {_meaning(*more)}"
        case "constant":
            over = more if isinstance(more, str) else ", ".join(more)
            return f"{what} does not depend on {over}"
        case "state":
            index, start, later = more
            begins = "" if start is None else f" starts at {told(start)} and"
            return f"{what}{begins} is {told(later)} after one more {index}"
        case "along":
            return f"{what} of {more[0]} is set to {told(more[1])}, along which states move"
        case "as":
            return f"{what} is what {more[0]} calls {more[1]}"
    return f"{told(what)} {SIGNS[kind]} 0  ({more})"


def _meaning(kind: str, of: Any, *rest: Any) -> str:
    if kind == "mean":
        event = "" if rest[0] == 1 else f" over an event of probability {told(rest[0])}"
        return f"the mean of {of}{event}"
    over, first, last = rest
    return f"the {kind} of {told(of)} over {over} = {told(first)} … {told(last)}"


def granted(certificate: Mapping[str, Any]) -> list[str]:
    """Every fact that is not printed, every meaning, and the values at which letters are taken."""
    lines = [line(fact) for fact in certificate.get("facts", [])]
    at = [(a, p, value) for a, p, value in certificate.get("at", []) if p and value != p]
    lines += [f"{a} is meant at {p} = {told(value)}" for a, p, value in at]
    return [text for text in lines if text]
