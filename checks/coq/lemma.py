"""One step of a proof as one lemma: for all letters in their domains, if what is given holds, so does `says`.

Cited lemmas enter as what they say of the letters at hand, under the domains and printed hypotheses they ask
for, and Coq shows that those are met. That squared norms are nonnegative enters as a hypothesis too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oubli.checks.coq.atoms import atoms
from oubli.checks.coq.script import Script
from oubli.checks.coq.terms import (
    ABSTRACT,
    NotExportedError,
    comment,
    conditioned,
    conditions,
    domains,
    letters,
    mentions,
    numeric,
    related,
)
from oubli.theory.kernel.terms import inner, minus, names, substitute
from oubli.theory.search.elaborate.steps import condition

Record = Mapping[str, Any]
# From an equation and the sign of its right side to the relation of its left side.
BY = {">=": "le_by", ">": "lt_by", "=": "zero_by"}
POSITIVE = "apply Rmult_lt_0_compat; [sign | first [assumption | lra]]"
ZERO = "apply zero_times; assumption"
NONNEGATIVE = (
    "first [left; assumption"
    " | apply Rmult_le_pos; [sign | first [assumption | left; assumption | apply pow2_ge_0 | lra]]]"
)


@dataclass(frozen=True)
class Hypothesis:
    """A premise of a lemma: (sign, expression) pairs that lead to a last one, and where it comes from."""

    name: str
    premises: tuple[tuple[str, Any], ...]
    says: tuple[str, Any]
    origin: str

    def nodes(self) -> list[Any]:
        """Its expressions."""
        return [node for _, node in (*self.premises, self.says)]


class Lemma:
    """A combination on its way to a lemma."""

    def __init__(self, name: str, statement: Record, terms: list[Record], known: Record) -> None:
        self.name, self.statement, self.terms, self.known = name, statement, terms, known
        self.called = letters(statement)
        self.hypotheses = self._assumed()
        self.cited: dict[str, str] = {}
        self._cite(terms)
        self.computes = numeric(self._nodes())
        self.script = Script(self.called, atoms(self._nodes()))

    def _assumed(self) -> list[Hypothesis]:
        out = [Hypothesis(f"D{i}", (), item, "domain") for i, item in enumerate(domains(self.statement))]
        roots = [name for name, domain in self.statement["quantities"].items() if is_root(domain[-1])]
        out += [Hypothesis(f"R{i}", (), (">=", name), "a root") for i, name in enumerate(roots)]
        given = enumerate(self.statement["given"])
        return out + [Hypothesis(f"G{i}", (), (rel, expr), why) for i, (rel, expr, why) in given]

    def _cite(self, terms: list[Record]) -> None:
        for term in terms:
            if "lemma" in term:
                self._add("L", *instance(term, self.known[term["lemma"]]), f"by {term['lemma']}", term)
            elif "norm" in term:
                self._add("N", (), (">=", source(term, self.statement)[1]), "a squared norm", term)
            for inner_terms in term.get("because", {}).values():
                self._cite(inner_terms)

    def _add(self, letter: str, premises: Any, says: Any, origin: str, term: Record) -> None:
        name = f"{letter}{len(self.cited)}"
        self.cited[repr(term)] = name
        self.hypotheses.append(Hypothesis(name, tuple(premises), says, origin))

    def _nodes(self) -> list[Any]:
        """The expressions that the proof works with; a hypothesis that it does not use may mean anything."""
        cited = [node for h in self.hypotheses if h.name[0] in "LN" for node in h.nodes()]
        return [self.statement["says"][1], *self._used(self.terms), *cited]

    def _used(self, terms: list[Record]) -> list[Any]:
        out: list[Any] = []
        for term in terms:
            out += [term["times"], source(term, self.statement)[1]]
            for inner_terms in term.get("because", {}).values():
                out += self._used(inner_terms)
        return out

    def text(self) -> str:
        """Statement and proof."""
        sign, says = self.statement["says"]
        asked = [conditioned(kind, node, self.called) for kind, node in conditions([says])]
        goal = " /\\\n  ".join([*asked, related(sign, says, self.called)])
        return f"Lemma {self.name} : {self._quantified()}\n  {goal}.\nProof.\n{self._proof()}\nQed.\n"

    def _quantified(self) -> str:
        head = "".join(f"forall ({f} : R -> R), (forall t, 0 < {f} t) -> " for f in self._functions())
        variables = f"forall {' '.join(self.called.values())} : R," if self.called else ""
        lines = [head + variables]
        for h in self.hypotheses:
            parts = [related(sign, node, self.called) for sign, node in (*h.premises, h.says)]
            whole = " -> ".join(parts)
            lines.append(f"{'(' + whole + ')' if h.premises else whole} -> (* {comment(h.origin)} *)")
        return "\n  ".join(lines)

    def _functions(self) -> list[str]:
        everything = [node for h in self.hypotheses for node in h.nodes()] + self._nodes()
        return [f for f in ABSTRACT if mentions(f, everything)]

    def _proof(self) -> str:
        script, functions = self.script, [name for f in self._functions() for name in (f, f"{f}_pos")]
        introduced = [*functions, *self.called.values(), *(h.name for h in self.hypotheses)]
        script.say(f"intros {' '.join(introduced)}" if introduced else "idtac")
        script.say("pose proof PI_RGT_0 as PI_pos")
        script.prepare()
        for h in self.hypotheses if script.rules else []:
            script.say(f"try ({script.recast(f' in {h.name}')})")
        self._combine(self.statement["says"], self.terms)
        split = "repeat match goal with |- _ /\\ _ => split end"
        script.say(f"{split}; try ({script.recast('')}); first [assumption | lra | sign]")
        return "\n".join(script.lines)

    def _combine(self, says: Any, terms: list[Record]) -> str:
        """Show a relation by a combination; the name of what was shown."""
        script, (sign, goal) = self.script, says
        shown = [self._term(term) for term in terms]
        if sign == "=" and not shown:
            return script.show(script.related(*says), script.fielded())
        equal = script.equal(goal, shown)
        return script.show(script.related(*says), f"apply ({BY[sign]} _ _ {equal}); added")

    def _term(self, term: Record) -> str:
        """Show that multiplier times relation has its sign; the text of the product."""
        script, (sign, expr) = self.script, source(term, self.statement)
        if "lemma" in term:
            expr = self._instance(term)
            sign = self.known[term["lemma"]]["says"][0]
        product = f"{script.form(term['times'])} * {script.form(expr)}"
        if sign == "=":
            script.show(f"{product} = 0", self._equal(term) if "same" in term else ZERO)
        else:
            if sign == ">" and self.statement["says"][0] == ">":
                script.may_show(f"0 < {product}", POSITIVE)
            script.show(f"0 <= {product}", NONNEGATIVE)
        return product

    def _equal(self, term: Record) -> str:
        """Show that a function is the same of equals; the tactic that uses it."""
        u, v = (self.script.form(side) for side in sides(*term["same"]))
        return f"rewrite {self.script.show(f'{u} = {v}', f'f_equal; {self.script.fielded()}')}; ring"

    def _instance(self, term: Record) -> Any:
        """Show the conclusion of a cited lemma; its expression."""
        script, target = self.script, self.known[term["lemma"]]
        premises, says = instance(term, target)
        for index, inner_terms in term.get("because", {}).items():
            rel, expr, *_ = condition(target, index)
            self._combine((rel, substitute(expr, term["with"])), inner_terms)
        solve = "first [assumption | sign | lra | " + script.fielded() + " | nra]"
        applied = f"apply {self.cited[repr(term)]}; {solve}" if premises else "assumption"
        script.show(script.related(*says), applied)
        return says[1]


def is_root(meaning: Any) -> bool:
    """Whether a letter abbreviates a root.

    >>> is_root(["is", ["^", ["in", "u", "u"], "1/2"]]), is_root(True)
    (True, False)
    """
    said = meaning[1] if isinstance(meaning, list) and meaning[0] == "is" else None
    return isinstance(said, list) and said[0] == "^" and said[2] == "1/2"


def sides(function: str, *arguments: Any) -> list[Any]:
    """A function, or a root, of each of the arguments."""
    return [["^", a, "1/2"] if function == "root" else [function, a] for a in arguments]


def source(term: Record, statement: Record) -> tuple[str, Any]:
    """The relation that a term multiplies, where it is no lemma; what speaks of objects is not exported."""
    if "given" in term:
        rel, expr, _ = statement["given"][term["given"]]
        return rel, expr
    if "square" in term:
        return ">=", ["^", term["square"], 2]
    if "norm" in term:
        vector = term["norm"].items()
        return ">=", ["+", *(["*", c, k, inner(a, b)] for a, c in vector for b, k in vector)]
    if "same" in term:
        return "=", minus(*sides(*term["same"]))
    if "one" in term or "lemma" in term:
        return ">", 1
    kind = next(part for part in term if part not in ("times", "because"))
    raise NotExportedError(f"a term of a kind it does not know: {kind}")


def instance(term: Record, target: Record) -> tuple[list[tuple[str, Any]], tuple[str, Any]]:
    """What a cited lemma asks for and what it says, its letters replaced."""
    printed = [(rel, expr) for rel, expr, _ in target["given"]]
    seen = names(target["says"][1]).union(*(names(expr) for _, expr in printed))
    asked = [(rel, expr) for rel, expr in domains(target) if names(expr) <= seen] + printed
    replaced = [(rel, substitute(expr, term["with"])) for rel, expr in asked]
    return replaced, (target["says"][0], substitute(target["says"][1], term["with"]))
