"""Certificates written by hand: domains, statements and steps that the tests of the checker share."""

from typing import Any

# Domains: [lower, open, upper, open, integer, measured].
REAL = [None, False, None, False, False, False]
NATURAL = [0, False, None, False, True, False]
NONNEGATIVE = [0, False, None, False, False, False]
MEASURED = [None, False, None, False, False, True]


def st(says: list[Any], given: list[list[Any]] | None = None, **quantities: list[Any]) -> dict[str, Any]:
    return {"quantities": quantities, "given": given or [], "says": says}


def step(name: str, statement: dict[str, Any], **by: Any) -> dict[str, Any]:
    return {"name": name, "statement": statement, "by": by}


def combined(name: str, statement: dict[str, Any], *terms: dict[str, Any]) -> dict[str, Any]:
    return step(name, statement, rule="combination", terms=list(terms))


ONE = {"times": 1, "one": True}
IMAGINARY = ["^", -1, "1/2"]
FALSE = [">=", -1]
JUMP = ["*", -1, ["^", ["^", "x", 2], "1/2"], ["^", "x", -1]]
KINK = ["*", -1, ["^", ["^", "x", 2], "1/2"]]
BOTH_SIDES = [-1, False, 1, False, False, False]
FALLING = ["+", 2, ["*", -1, "q"]]

FRACTION = [0, False, 1, False, False, True]
BELOW = ["+", -1, ["*", -1, ["^", "y", 2]]]
QUARTIC = ["+", ["^", "x", 4], ["^", "x", 2]]
BELOW_ONE = combined(
    "a", st([">=", ["+", 1, ["*", -1, "y"]]], y=FRACTION), {"times": ["+", 1, ["*", -1, "y"]], "one": True}
)
ONES = step(
    "ones", st(["=", ["+", "T", ["*", -1, "S"]]], T=NATURAL, S=MEASURED), rule="sum", index="n", closed="n",
    term=1, first=1, last="T", total="S",
)
