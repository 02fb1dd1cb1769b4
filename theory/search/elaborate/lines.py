"""Lines of a proof in the checker's own words, each accepted by it as it is written.

The checker searches nothing; whoever writes lines (untrusted) does. A line that the checker rejects raises at
once, so that what is finished has been accepted once already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf
from typing import Any

from oubli.theory.kernel.checker import NOTHING
from oubli.theory.kernel.classes import find
from oubli.theory.kernel.encoding import kind, sealed
from oubli.theory.kernel.poly import ENDLESS, WORK, Poly, RejectedError, Theorem
from oubli.theory.kernel.terms import names
from oubli.theory.search.elaborate.nodes import Ast, parts
from oubli.theory.search.elaborate.reader import Reader
from oubli.theory.search.elaborate.spell import spell

CITING = (
    "instance",
    "cases",
    "induction",
    "rise",
    "mean",
    "expect",
    "average",
    "over",
    "reach",
    "couple",
    "layers",
    "tell",
    "spin",
    "sweep",
    "fill",
    "squeeze",
)
# What a rule may run into when it is given something it is not meant for.
ACCIDENTS = (RejectedError, LookupError, TypeError, ValueError, ArithmeticError)


class UnshownError(Exception):
    """No lines were found for something; the message says what."""


class Lines:
    """The lines so far, what they assume, and the theorems they reach."""

    def __init__(self, constant: list[list[str]]) -> None:
        # The search is not rationed; what it writes is, when the checker reads it.
        WORK[:] = [ENDLESS, inf]
        self.takes: dict[str, Any] = {part: {} for part in ("letters", "slopes", "means", "at")}
        self.takes["constant"] = []
        self.proof = Reader(self.takes)
        self.takes["constant"] = [list(pair) for pair in constant]
        self.proof.constant = {(letter, x) for letter, x in constant}
        self.lines: list[dict[str, Any]] = []
        self.written: dict[str, int] = {}
        self.domains: dict[str, Any] = {}
        # Where every letter of the ledger ranges.
        self.known: Mapping[str, Any] = {}
        # How a divisor or radicand was written, by its polynomial: a product tells its sign, expanded not.
        self.shapes: dict[Any, Ast] = {}
        # Letters found to be constant while writing: the next attempt starts with them.
        self.wanted: list[list[str]] = []

    def add(self, by: str, **rest: Any) -> int:
        """Write a line, once; its number."""
        line = {"by": by, **rest}
        key = json.dumps(line, sort_keys=True)
        if key not in self.written:
            try:
                self.proof.accept(line, len(self.lines))
            except ACCIDENTS as why:
                raise UnshownError(f"{by}: {why}") from None
            self.lines.append(line)
            self.written[key] = len(self.lines) - 1
        return self.written[key]

    def at(self, line: int | str, values: Mapping[str, Ast]) -> int | str:
        """A theorem at values of parameters."""
        return self.add("instance", of=line, **{"with": dict(values)}) if values else line

    def same(self, line: int | str, met: list[int]) -> int:
        """A theorem again, some of its hypotheses met."""
        t = self[line]
        return self.add("combine", terms=[[1, line]], says=[t.rel, t.expr], **({"met": met} if met else {}))

    def __getitem__(self, line: int | str) -> Theorem:
        return self.proof.reached[line]

    def declare(self, quantities: Mapping[str, Any]) -> None:
        """Take in letters with their domains."""
        for name, domain in quantities.items():
            if self.domains.setdefault(name, domain) != domain:
                raise UnshownError(f"{name} has two domains")
            if self.takes["letters"].get(name) != kind(domain):
                self.takes["letters"][name] = kind(domain)
                self.proof.asked.clear()  # what was asked while it was no letter
            if kind(domain)[0] == "class":
                self.proof.theory = find([kind(domain)], self.proof.theory)

    def declare_objects(self, node: Ast) -> None:
        """Take in the objects and parameters of a term."""
        self.declare({n: self.known[n] for n in sorted(names(node)) if n in self.known})

    def take_in(
        self, sources: Mapping[str, Any], assumed: Mapping[str, Any], domains: Mapping[str, Any]
    ) -> None:
        """Take in lemmas, with the letters at whose values theirs are taken."""
        self.known = domains
        for key, source in sources.items():
            self.declare(source["quantities"])
            for where in assumed.get(key, NOTHING)["at"].values():
                used = sorted({*where, *names(where)})
                self.declare({n: domains[n] for n in used if n in domains})
        for key, source in sources.items():
            self.proof.reached[key] = self.proof.claim(sealed(source), assumed.get(key, NOTHING))

    def hold(self, letter: str, x: str) -> None:
        """Take a measured letter to be constant in a parameter (or in chance)."""
        if self.measured(letter) and (letter, x) not in self.proof.constant:
            self.proof.hold(letter, x)
            self.wanted.append([letter, x])

    def measured(self, letter: Ast) -> bool:
        """Whether a letter stands for something of the problem."""
        return self.proof.measured(letter)

    def measured_in(self, theorem: Theorem) -> list[str]:
        """The measured letters of a theorem."""
        found = set[str]().union(*map(names, parts(theorem)))
        return sorted(filter(self.measured, found))

    def learn(self, node: Ast) -> None:
        """Remember how divisors and radicands of an expression are written."""
        if isinstance(node, list):
            if node[0] == "^" and (str(node[2]).startswith("-") or "/" in str(node[2])):
                self.shapes.setdefault(frozenset(self.read(node[1]).items()), node[1])
            for arg in node[1:]:
                self.learn(arg)

    def shape(self, p: Poly) -> Ast:
        """A polynomial as it was written, or else spelled out."""
        return self.shapes.get(frozenset(p.items())) or spell(p)

    def read(self, node: Ast) -> Poly:
        """The polynomial of an expression."""
        try:
            return self.proof.read(node)
        except ACCIDENTS as why:
            raise UnshownError(str(why)) from None

    def put(self, node: Ast, values: Mapping[str, Ast]) -> Ast:
        """An expression at other values."""
        return self.proof.put(node, values)

    def resting(self, wanted: list[int]) -> tuple[list[dict[str, Any]], list[int]]:
        """The lines that some lines rest on, numbered anew, and the new numbers of these lines."""
        kept, fresh = set[int](), list(wanted)
        while fresh:
            i = fresh.pop()
            if i not in kept:
                kept.add(i)
                fresh += cited(self.lines[i])
        number = {old: new for new, old in enumerate(sorted(kept))}
        return [renumbered(self.lines[i], number) for i in sorted(kept)], [number[i] for i in wanted]


def cited(line: Mapping[str, Any]) -> list[int]:
    """The lines that a line names; lemmas are named by words."""
    of = line["of"] if line["by"] in CITING else []
    terms = [i for _, *cites in line.get("terms", []) for i in cites]
    every = [*(of if isinstance(of, list) else [of]), *terms, *line.get("met", [])]
    return [i for i in every if isinstance(i, int)]


def renumbered(line: Mapping[str, Any], number: Mapping[int, int]) -> dict[str, Any]:
    """The line with other numbers for what it names."""

    def new(i: Any) -> Any:
        return number[i] if isinstance(i, int) else i

    out = dict(line)
    if line["by"] in CITING:
        out["of"] = [new(i) for i in line["of"]] if isinstance(line["of"], list) else new(line["of"])
    if "terms" in line:
        out["terms"] = [[factor, *map(new, cites)] for factor, *cites in line["terms"]]
    if "met" in line:
        out["met"] = [new(i) for i in line["met"]]
    return out
