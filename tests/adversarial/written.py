"""Certificates written by hand: outlines of steps, and lines of the checker, that its tests share."""

import json
from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.search.elaborate import UnshownError, proof_lines, sealed
from oubli.theory.search.elaborate.instances import HoldsError, instance_lines

# Domains: [lower, open, upper, open, integer, measured].
REAL = [None, False, None, False, False, False]
NATURAL = [0, False, None, False, True, False]
NONNEGATIVE = [0, False, None, False, False, False]
MEASURED = [None, False, None, False, False, True]

# Letters of certificates in lines: parameters, integers, what is measured.
LETTERS = {name: [name in "nt", name not in "xyabnt"] for name in ("<u,u>", "<u,v>", "<v,v>", *"xyabntmk")}


def st(says: list[Any], given: list[list[Any]] | None = None, **quantities: list[Any]) -> dict[str, Any]:
    return {"quantities": quantities, "given": given or [], "says": says}


def step(name: str, statement: dict[str, Any], **by: Any) -> dict[str, Any]:
    return {"name": name, "statement": statement, "by": by}


def combined(name: str, statement: dict[str, Any], *terms: dict[str, Any]) -> dict[str, Any]:
    return step(name, statement, rule="combination", terms=list(terms))


def less(a: Any, b: Any) -> list[Any]:
    return ["+", a, ["*", -1, b]]


def sealing(
    statement: dict[str, Any], lemmas: dict[str, Any], kind: str = "proof", **parts: Any
) -> dict[str, Any]:
    """A certificate under its hash, as it comes out of a file."""
    name = digest({"statement": statement, "takes": parts["takes"]})
    named = {key: digest(lemma) for key, lemma in lemmas.items()}
    out = {"kind": kind, "statement": statement, "lemmas": named, "hash": name, **parts}
    return json.loads(json.dumps(out))  # type: ignore[no-any-return]


def assumed(at: dict[str, Any] | None) -> dict[str, Any]:
    """What certificates of lemmas assume, where only the values of their letters matter."""
    return {key: {**NOTHING, **(x if "letters" in x else {"at": x})} for key, x in (at or {}).items()}


def accepted(
    steps: list[Any], lemmas: dict[str, Any] | None = None, at: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What the certificate of an outline assumes; UnshownError or RejectedError if there is none."""
    known, at = {k: sealed(s) for k, s in (lemmas or {}).items()}, assumed(at)
    outlines = [*(lemmas or {}).values(), *(s["statement"] for s in steps)]
    domains = {"n": NATURAL, "T": NATURAL} | {n: d for s in outlines for n, d in s["quantities"].items()}
    parts = proof_lines(steps, lemmas or {}, at, domains)
    accept_certificate(sealing(sealed(steps[-1]["statement"]), known, **parts), known, at)
    return parts["takes"]  # type: ignore[no-any-return]


def instanced(
    statement: dict[str, Any], witness: dict[str, Any], lemmas: dict[str, Any] | None = None,
    at: dict[str, Any] | None = None, kind: str = "witness",
) -> dict[str, Any]:  # fmt: skip
    """What an instance assumes that refutes a statement (or shows that something exists)."""
    known, at = {k: sealed(s) for k, s in (lemmas or {}).items()}, assumed(at)
    domains = {"n": NATURAL, "T": NATURAL} | statement["quantities"]
    parts = instance_lines(statement, witness, lemmas or {}, at, domains)
    spelled = {**{k: v for k, v in witness.items() if k != "terms"}, "shown": parts.pop("shown")}
    accept_certificate(sealing(sealed(statement), known, kind, witness=spelled, **parts), known, at)
    return parts["takes"]  # type: ignore[no-any-return]


def refused(find: Any, *args: Any, **more: Any) -> str:
    """Why there is no certificate."""
    with pytest.raises((RejectedError, UnshownError, HoldsError)) as why:
        find(*args, **more)
    return str(why.value)


def lined(
    says: list[Any], *lines: dict[str, Any], given: Any = (), letters: Any = None, taken: Any = None,
    lemmas: Any = None, where: Any = None, kind: str = "proof", witness: Any = None, exists: bool = False,
    **takes: Any,
) -> None:  # fmt: skip
    """Accept lines that show `says` where `given` holds, for `letters`; `taken`: all letters of the lines."""
    letters = LETTERS if letters is None else letters
    statement = {"letters": letters, "given": list(given), "says": says}
    statement |= {"exists": True} if exists else {}
    nothing = {"letters": taken or letters, "constant": [], "slopes": {}, "means": {}, "facts": [], "at": {}}
    parts = {"takes": {**nothing, **takes}, "lines": list(lines), "witness": witness}
    accept_certificate(sealing(statement, lemmas or {}, kind, **parts), lemmas or {}, assumed(where))


def leaf(**what: Any) -> dict[str, Any]:
    return {"by": "leaf", **what}


def positive(of: Any, **more: Any) -> dict[str, Any]:
    return {"by": "positive", "of": of, **more}


def combine(*terms: list[Any], **more: Any) -> dict[str, Any]:
    return {"by": "combine", "terms": list(terms), **more}


def instance(of: int | str, **values: Any) -> dict[str, Any]:
    return {"by": "instance", "of": of, "with": values}


def rise(of: list[int], function: Any, *between: Any, **more: Any) -> dict[str, Any]:
    return {"by": "rise", "of": of, "variable": "x", "function": function, "between": list(between), **more}


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
BELOW_ONE = combined("a", st([">=", less(1, "y")], y=FRACTION), {"times": less(1, "y"), "one": True})
ONES = step(
    "ones", st(["=", less("T", "S")], T=NATURAL, S=MEASURED), rule="sum", index="n", closed="n",
    term=1, first=1, last="T", total="S",
)  # fmt: skip
