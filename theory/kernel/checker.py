"""The checker: accepts or rejects certificates of proofs and of witnesses. This file is what must be trusted.

Standard library only, exact arithmetic only, no search: a certificate spells a proof out in lines, each names
a rule and the lines it rests on, and the rule computes what follows. docs/certificates.md has the format.
A theorem says: for every problem and all values of the parameters (real, or integers where so declared), if
the hypotheses hold, so does the conclusion. A measured letter (a risk, a mean, …) is a function of problem
and parameters; where one of these is replaced it remembers by what: ["@", letter, {parameter: value}].
Functions are total: where undefined they have values of which no rule speaks; roots, arcsines go on constant.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from fractions import Fraction as Q
from functools import wraps
from itertools import pairwise
from math import prod
from operator import is_
from time import process_time
from typing import Any

from oubli.theory.kernel import classes, families, members, objects, schemas
from oubli.theory.kernel.bounds import Bounds
from oubli.theory.kernel.objects import BINDERS, CUBE, DATA, DIRECTION, FRAME, INDEX, INNER, PLACE, mentions
from oubli.theory.kernel.poly import (
    BUDGET,
    EMPTY,
    FUNCTIONS,
    MINUS,
    NAME,
    ONE,
    ORDER,
    SECONDS,
    SEEN,
    WORK,
    Ast,
    Poly,
    Record,
    RejectedError,
    Theorem,
    minus,
    need,
    number,
    spend,
)

RULES = ("leaf", "positive", "combine", "instance", "cases", "induction", "rise", "mean", "expect", "average",
         "over", "reach", "couple", "layers", "tell", "spin", "fill", "sweep", "squeeze")  # fmt: skip
# What bound names are; nothing else may be called so.
RESERVED = (INDEX, DATA, objects.CLOCK)
BOUND = {
    INDEX: [True, False], DATA: [objects.PROBLEM], objects.CLOCK: [True, False], PLACE: [objects.POINT],
    **{name: [DIRECTION] for name in FRAME}, INNER[0]: [CUBE], INNER[1]: [False, False],
}  # fmt: skip
NOTHING: Record = {"letters": {}, "constant": [], "slopes": {}, "means": {}, "at": {}}


def about_objects(statement: Record) -> bool:
    """Whether a statement speaks of objects."""
    return any(kind[0] == "is" or len(kind) == 1 for kind in statement["letters"].values())


def class_of(letters: Record) -> list[Any]:
    """What a statement or a proof says of the class of its losses: ["class", name, digest], or nothing."""
    return [kind for kind in letters.values() if kind[0] == "class"]


def known(kind: Any) -> bool:
    """Whether a kind is [integer, measured], [a sort], ["is", what it abbreviates], or that of a class."""
    if len(kind) == 1:
        return kind[0] in objects.SORTS
    if kind[0] == "class":
        return len(kind) == 3
    return [*map(type, kind)] == [bool, bool] or (kind[0] == "is" and type(kind[1]) in (list, str, int))


def once(method: Any) -> Any:
    """A method of a proof on expressions, each computed once: asked again, it costs the same but no time."""

    @wraps(method)
    def asked(proof: Proof, node: Ast, of: Any) -> Any:
        key, left = (method, id(node), of if isinstance(of, str) else len(of) and id(of)), WORK[0]
        if key in proof.asked:
            spend(proof.asked[key][1])
        else:  # node and `of` are kept: no others get their identities
            proof.asked[key] = method(proof, node, of), left - WORK[0], node, of
        return proof.asked[key][0]

    return asked


def within(node: Ast) -> list[Ast]:
    """What an expression is built from; of a letter taken at values, the values."""
    return [*node[2].values()] if node[0] == "@" else node[1:]


class Proof:
    """Theorems reached line by line, from the lemmas that a certificate names."""

    def __init__(self, takes: Record) -> None:
        need(takes.keys() == NOTHING.keys(), "it takes something else for granted")
        self.letters, self.slopes, self.means = takes["letters"], takes["slopes"], takes["means"]
        self.constant = {(a, x) for a, x in takes["constant"] if x == "chance" or not self.letters[x][1]}
        self.reached: dict[int | str, Theorem] = {}
        self.known: dict[int | str, tuple[Ast, Poly, Any]] = {}
        self.asked: dict[Any, tuple[Any, Any, Ast, Any]] = {}
        self.sizes: dict[int | str, tuple[Ast, int]] = {}
        self.texts: dict[int, tuple[Ast, str]] = {}
        need(all(NAME.fullmatch(n) and known(kind) for n, kind in self.letters.items()), "not a letter")
        need(all(self.letters.get(n, kind) == kind for n, kind in BOUND.items()), "a reserved name")
        others = [kind for n, kind in self.letters.items() if n not in (*FRAME, *INNER)]
        need([DIRECTION] not in others and [CUBE] not in others, "a direction, or a point of the cube")
        need(not objects.WORDS & self.letters.keys(), "a reserved word")
        need(len(class_of(self.letters)) <= 1, "two classes")
        self.theory = classes.find(class_of(self.letters), schemas.OWN)

    def arbitrary(self) -> bool:
        """Whether the parameters that objects depend on are such, and stand for nothing: no statement about
        objects says what they are."""
        names = self.theory.parameters | {*schemas.NAMED}
        return all(self.letters[n] == [n == "d", False] for n in names & self.letters.keys())

    def measured(self, node: Ast) -> bool:
        """Whether a node is a letter that stands for something of the problem."""
        return isinstance(node, str) and self.letters.get(node) in ([False, True], [True, True])

    def sort(self, name: Ast) -> str:
        """The sort of a name that stands for an object; "" for any other."""
        kind = self.letters.get(name, [""])
        return str(kind[0]) if len(kind) == 1 else ""

    def meaning(self, name: Ast) -> Ast:
        """What a name abbreviates, or the name."""
        kind = self.letters.get(name) if isinstance(name, str) else None
        return self.meaning(kind[1]) if kind and kind[0] == "is" else name

    def whole(self, node: Ast) -> bool:
        """Whether an expression is a sum of products of integers."""
        gens = {gen for mono in self.read(node) for gen, _ in mono if gen[0] not in ("ceil", "time")}
        names = {gen[1] if gen[0] == "name" else "" for gen in gens}
        integers = all(c.denominator == 1 for c in self.read(node).values())
        return integers and all(self.letters.get(name, [False])[0] is True for name in names)

    def dimension(self, node: Ast) -> int:
        """The highest of the unit vectors in an expression: so many dimensions there must be."""
        if (key := node if isinstance(node, str) else id(node)) not in self.sizes:
            top, plain = 1, self.meaning(node)
            if isinstance(plain, list):
                top = int(plain[1]) if plain[0] == "e" else max([1, *map(self.dimension, within(plain))])
            self.sizes[key] = node, top + int(plain == FRAME[1])  # kept: no other gets its identity
        return self.sizes[key][1]

    def text(self, node: Ast) -> str:
        """An expression as text: the same for what is spelled alike, and for nothing else."""
        if id(node) not in self.texts:
            self.texts[id(node)] = node, repr(node)
        return self.texts[id(node)][1]

    def has_objects(self, node: Ast) -> bool:
        """Whether an expression speaks of objects."""
        node = self.meaning(node)
        return isinstance(node, list) and (self.builds(node[0]) or any(map(self.has_objects, within(node))))

    def builds(self, head: Ast) -> bool:
        """Whether a head builds an object, or a number from objects."""
        return head in objects.HEADS or head in self.theory.terms

    def named_rules(self, node: Ast) -> bool:
        """Whether an expression speaks of an arbitrary algorithm."""
        node = self.meaning(node)
        if isinstance(node, list):
            return any(map(self.named_rules, within(node)))
        return isinstance(node, str) and self.sort(node) in objects.ALGORITHMS

    def read(self, node: Ast) -> Poly:
        """The polynomial that an expression spells; to read it again costs the same, but takes no time."""
        key, left = node if isinstance(node, str) else id(node), WORK[0]
        if key in self.known:
            spend(self.known[key][2])
            return self.known[key][1]
        p = self.spelled(node)
        self.known[key] = node, p, left - WORK[0]  # the node is kept: no other gets its identity
        return p

    def spelled(self, node: Ast) -> Poly:
        """The polynomial that an expression spells, computed."""
        spend(1 + len(node) // 100 if isinstance(node, str) else 1)
        node = self.meaning(node) if isinstance(node, str) else node
        value = None if isinstance(node, list) else number(node)
        if value is not None or isinstance(node, str):
            if value is not None:
                return Poly({EMPTY: value} if value else {})
            need(len(self.letters.get(node, [])) == 2, f"no number {node!r:.60}")
            return Poly.of("name", node, EMPTY)
        head, args = node[0], node[1:]
        if head == "@":
            letter, at = args[0], {x: self.read(v) for x, v in args[1].items()}
            need(self.measured(letter) and not any(map(self.measured, at)), "only parameters are replaced")
            kept = [x for x, p in at.items() if p != self.read(x) and (letter, x) not in self.constant]
            return Poly.of("name", letter, frozenset((x, frozenset(at[x].items())) for x in kept))
        if head == "^":
            base, k = self.read(args[0]), Q(number(args[1]))
            need(len(args) == 2 and abs(k) <= 64 and k.denominator <= 2, "not a small half-integer power")
            return base ** int(k) if k.denominator == 1 else base.through("sqrt") ** int(2 * k)
        need(head not in ("E", "dE") or not self.depends(args[0], "chance"), "a mean of a measured letter")
        need(head not in ("sum", "cubed") or not self.depends(args[0], ""), "a total of a measured letter")
        if head in objects.NUMBERS or self.theory.terms.get(head, [""])[0] == "measure":
            return objects.number(self, node)
        parts = [self.read(arg) for arg in args]
        if head in ("+", "*"):
            return Poly.total(parts) if head == "+" else prod(parts, start=ONE)
        need(len(args) == (head != "pi") and head in ("pi", *FUNCTIONS), f"unknown function {head!r:.60}")
        return parts[0].through(head) if parts else Poly.of("pi")

    def same(self, a: Ast, b: Ast, using: Iterable[Any] = ()) -> bool:
        """Whether a = b where relations u > 0 (so u/u = 1) or u >= 0 (so sqrt(u)^2 = u) hold."""
        p, q = self.read(a), self.read(b)
        if p == q or not using:
            return p == q
        p += q * MINUS
        for rel, u in [(rel, self.read(expr)) for rel, expr in using]:
            p = p.cleared("sqrt", u)
            p = p.cleared("inv", u).cleared("inv", u * MINUS) if rel == ">" else p
        return not p

    def zero(self, node: Ast, using: Iterable[Any] = ()) -> bool:
        """Whether an expression is 0, where such relations hold."""
        return self.same(node, 0, using)

    @once
    def put(self, node: Ast, values: Record) -> Ast:
        """An expression with letters replaced; a measured one that stays remembers what parameters became."""
        spend(1 + len(values) // 8)
        node = self.meaning(node)
        if isinstance(node, list) and node[0] != "@":
            hole, own = BINDERS.get(node[0], (0, ()))
            inside = {x: v for x, v in values.items() if x not in own}
            caught = own and any(objects.free(self.put(v, {}), n) for v in inside.values() for n in own)
            need(not caught, "a name in what is put in is bound there")
            moving = own and any(self.depends(v, "") for v in inside.values())
            need(not moving, "a measured letter that is put in may change with a name that is bound there")
            put_in = [inside if i == hole else values for i in range(1, len(node))]
            parts = [node[0], *map(self.put, node[1:], put_in)]
            return node if all(map(is_, node, parts)) else parts  # one object: it is read once
        letter, taken = node[1:] if isinstance(node, list) else (node, {})
        if not self.measured(letter) or (letter in values and not taken):
            return values.get(letter, letter)
        at = {x: v for x, v in values.items() if not self.measured(x) and (letter, x) not in self.constant}
        at.update({x: self.put(v, values) for x, v in taken.items()})
        return ["@", letter, at] if at else letter

    @once
    def depends(self, node: Ast, x: str) -> bool:
        """Whether an expression may change with x, a parameter or chance."""
        if isinstance(node, list) and node[0] == "@":
            node = ["@", *([] if x in node[2] and self.measured(node[1]) else [node[1]]), *node[2].values()]
        spend(1)
        node = self.meaning(node)
        if isinstance(node, list):
            own = x in self.theory.parameters and self.builds(node[0])
            return own or any(self.depends(arg, x) for arg in node[1:])
        return (
            node == x
            or (x in self.theory.parameters and self.sort(node) != "")
            or (x in schemas.NAMED and self.sort(node) in objects.ALGORITHMS)
            or (self.measured(node) and (node, x) not in self.constant)
        )

    def slope(self, node: Ast, x: str, owed: list[Any]) -> Ast:
        """The derivative in x; to do: show positive what it needs, at ends too where continuity needs it."""
        node = self.meaning(node)
        if not self.depends(node, x) or node == x:
            return int(node == x)
        if isinstance(node, str):
            need(self.slopes.get(node, [""])[0] == x, f"{node} may depend on {x}")
            return self.slopes[node][1]
        head, args, u = node[0], node[1:], node[1]
        if head in ("+", "*"):
            spend(len(args) ** 2 // 20)
            up, rest = [self.slope(arg, x, owed) for arg in args], args if head == "*" else []
            return ["+", *(["*", *rest[:i], u, *rest[i + 1 :]] for i, u in enumerate(up))]
        if head == "P":
            name, T, u = self.meaning(args[0])
            need(name == "coins" and not self.depends(["+", T, args[1]], x), "no probability with a slope")
            return ["*", ["dP", *args], self.slope(u, x, owed)]
        if head == "E":
            return ["*", ["dE", u], self.slope(self.moved(u, x, owed), x, owed)]
        k, room = Q(number(args[1])) if head == "^" else Q(-1), minus(1, ["^", u, 2])
        if head == "asin" or (head in ("^", "log") and (k < 0 or k.denominator == 2)):
            owed.append((room, False) if head == "asin" else (u, k < 0))
        outer = {
            "^": ["*", str(k), ["^", u, str(k - 1)]], "exp": node, "log": ["^", u, -1],
            "atan": ["^", ["+", 1, ["^", u, 2]], -1], "asin": ["^", room, "-1/2"],
            "Phi": ["*", "1/2", ["^", 2, "1/2"], ["^", ["pi"], "-1/2"], ["exp", ["*", "-1/2", ["^", u, 2]]]],
        }  # fmt: skip
        return ["*", outer[head], self.slope(u, x, owed)]

    def released(self, node: Ast, x: str) -> list[Ast]:
        """What algorithms release in a number that changes with x in no other way."""
        node = self.meaning(node)
        if not self.depends(node, x):
            return []
        alone = isinstance(node, list) and node[0] not in self.theory.laws()
        need(alone, f"{x} is not in the law alone")
        return [node] if node[0] == "out" else [law for arg in node[1:] for law in self.released(arg, x)]

    def moved(self, node: Ast, x: str, owed: list[Any]) -> Ast:
        """The mean of the signs of the one hard problem that changes with x in a number; theta* does not."""
        (_, A, D, T), *others = laws = self.released(node, x)
        name, m, f = self.meaning(D)
        need(name == "signs" and others == laws[:1] * len(others), "not one hard problem")
        need(not any(mentions(self.put(D, {}), n) for n in objects.HIDDEN), "one problem for each index")
        need(isinstance(A, str) and self.sort(A) in objects.ALGORITHMS, "no named algorithm")
        need(not self.depends(["+", A, T], x), "more than the signs changes")
        if self.sort(A) == objects.LEARNER:  # It does not look at theta*.
            return m
        owed.append(("r", False))
        star = self.slope(["+", ["*", minus(1, "r"), m], ["*", "r", f]], x, owed)
        need(self.zero(star, [[">", "r"]]), "theta* moves")
        return m

    def leaf(self, line: Record) -> Theorem:
        """What is assumed, a schema at objects, a function of equals, the squared norm of a vector."""
        if "assume" in line:
            return Theorem([line["assume"]], *line["assume"])
        if "equal" in line:
            head, *sides = line["equal"]
            need(head in ("root", "spread", *FUNCTIONS), "not a function of a number")
            u, v = (["^", side, "1/2"] if head == "root" else [head, side] for side in sides)
            return Theorem([["=", minus(*sides)]], "=", minus(u, v))
        if "schema" in line:
            return schemas.instance(self, *line["schema"])
        if "square" in line:
            return Theorem([], ">=", ["in", line["square"], line["square"]])
        vector = line["norm"].items()
        spend(len(vector) ** 2)
        parts = [["*", c, k, f"<{min(a, b)},{max(a, b)}>"] for a, c in vector for b, k in vector]
        need(all(self.measured(p) and p.count(",") == 1 for *_, p in parts), "not a combination of vectors")
        return Theorem([], ">=", ["+", *parts])

    def positive(self, line: Record) -> Theorem:
        """What is bounded below on a box; even powers; roots; powers of what is positive; exp, Phi, …"""
        node = line["of"]
        if "box" in line:
            box = {x: (Q(number(lo)), Q(number(hi))) for x, (lo, hi) in line["box"].items()}
            need(16 <= line["bits"] <= 2000 and Bounds(line["bits"]).of(node, box)[0] > 0, "not positive")
            ends = [e for x, (lo, hi) in line["box"].items() for e in (minus(x, lo), minus(hi, x))]
            return Theorem([[">=", end] for end in ends], ">", node)
        if "even" in line:
            k = Q(number(node[2])) if isinstance(node, list) and node[0] == "^" else Q(-1)
            need(k > 0 and k % 2 != 1, "neither an even power nor a root")
            return Theorem([], ">=", node)
        need(isinstance(node, list) and node[0] in ("^", "pi", "exp", "Phi", "phi1", "phi2"), "not positive")
        return Theorem([[">", node[1]]] if node[0] == "^" else [], ">", node)

    def combine(self, line: Record) -> Theorem:
        """A sum of products of what is shown, each times a number > 0, or times anything if it is 0."""
        total, hyps, rels = list[Any](["+"]), list[Any](), list[str]()
        for factor, *cited in line["terms"]:
            shown = [self.reached[i] for i in cited]
            kinds = {t.rel for t in shown}
            spend(sum(len(t.hyps) for t in shown) // 20)
            need("=" in kinds or number(factor) > 0, "a factor is not positive")
            rels.append(min(kinds, key=ORDER.index, default=">"))
            total.append(["*", factor, *(t.expr for t in shown)])
            hyps += [h for t in shown for h in t.hyps]
        return Theorem(hyps, max(rels, key=ORDER.index, default="="), total)

    def chosen(self, names: set[str], speaks: list[Ast]) -> None:
        """Reject other values of parameters that the objects in some expressions depend on."""
        fixed = not self.theory.parameters & names or not any(map(self.has_objects, speaks))
        need(fixed, "the parameters of the class belong to its objects")
        fixed = not names & {*schemas.NAMED} or not any(map(self.named_rules, speaks))
        need(fixed, "fraction and budget belong to the algorithms")

    def squeeze(self, line: Record) -> Theorem:
        """What is at least 0 and at most 0 is 0."""
        one, other = (self.reached[i] for i in line["of"])
        need(self.zero(["+", one.expr, other.expr]), "not the opposite")
        return Theorem([*one.hyps, *other.hyps], "=", one.expr)

    def instance(self, line: Record) -> Theorem:
        """A theorem at other values of parameters; an integer becomes a sum of products of integers."""
        t, values, more = self.reached[line["of"]], line["with"], list[Any]()
        self.chosen({*values}, [t.expr, *(e for _, e in t.hyps)])
        for x, value in values.items():
            need(not self.measured(x) and self.meaning(x) == x, f"{x} is measured, it cannot be chosen")
            if self.sort(x):
                more += schemas.substitute(self, self.sort(x), value)
                continue
            need(x != INDEX and not mentions(self.put(value, {}), INDEX), "the index is bound")
            bound = any(mentions(self.put(value, {}), name) for name in (DATA, objects.CLOCK))
            need(not bound, "the data of a rule are bound")
            need(not self.letters[x][0] or self.whole(value), f"{x} is no integer")
        hyps = [[rel, self.put(e, values)] for rel, e in t.hyps]
        says = Theorem(more + hyps, t.rel, self.put(t.expr, values))
        if any(schemas.drawn_for(self, self.sort(x), value) for x, value in values.items()):
            means = any(mentions([says.expr, hyps], head) for head in self.theory.laws())
            need(not means, "a mean of something fixed, set at random")
        return says

    def cases(self, line: Record) -> Theorem:
        """What follows where `on` >= 0 (or > 0) and where -on >= 0 follows."""
        (one, other), on = (self.reached[i] for i in line["of"]), line["on"]
        need(one[1:] == other[1:], "the cases differ")
        hyps = [h for h in one.hyps if h not in ([">=", on], [">", on])]
        return Theorem(hyps + [h for h in other.hyps if h != [">=", ["*", -1, on]]], one.rel, one.expr)

    def induction(self, line: Record) -> Theorem:
        """What holds at 0, and at t + 1 if at t (and t < last), holds at every natural t (up to last)."""
        (base, step), t, (rel, expr) = (self.reached[i] for i in line["of"]), line["index"], line["shows"]
        need(self.letters[t] == [True, False], "an index is an integer")
        self.chosen({t}, [expr, *(e for part in (base, step) for _, e in part.hyps)])
        for (_, r, e), at in ((base, 0), (step, ["+", t, 1])):
            need(rel in (">=", r) and self.same(e, self.put(expr, {t: at})), f"not shown at {at}")
        inside, known = [[">=", minus(t, 0)]], [[rel, expr], [">=", minus(t, 0)]]
        if "last" in line:
            need(not self.depends(line["last"], t), "the end moves")
            inside.append([">=", minus(line["last"], t)])
            known.append([">=", minus(line["last"], ["+", t, 1])])
        hyps = [h for h in step.hyps if h not in known]
        need(not any(self.depends(e, t) for _, e in hyps), "a hypothesis holds at one time only")
        return Theorem([*base.hyps, *hyps, *inside], rel, expr)

    def rise(self, line: Record) -> Theorem:
        """f does not fall from a to b if its slope is not negative between, where x is held by ends alone."""
        x, f, (a, b), owed = line["variable"], line["function"], line["between"], list[Any]()
        theorems, hyps = [self.reached[i] for i in dict.fromkeys(line["of"])], [[">=", minus(b, a)]]
        need(self.letters[x] == [False, False] and not self.depends(["+", a, b], x), "no free real variable")
        need(self.same(theorems[0].expr, self.slope(f, x, owed)), "the slope is not shown")
        ends = [self.put(u, {x: end}) for u, also in owed if also for end in (a, b)]
        for u in [*(u for u, _ in owed), *ends]:
            need(any(t.rel == ">" and self.same(t.expr, u) for t in theorems), "not shown positive")
        for rel, expr in [h for t in theorems for h in t.hyps]:
            if self.depends(expr, x):
                low, end = expr[1] == x, expr[2][2] if expr[1] == x else expr[1]
                held = expr == (minus(x, end) if low else minus(end, x)) and not self.depends(end, x)
                need(held and rel != "=", "a hypothesis on the variable is no end")
                rel, expr = ">=", self.put(expr, {x: a if low else b})
            hyps.append([rel, expr])
        return Theorem(hyps, ">=", minus(self.put(f, {x: b}), self.put(f, {x: a})))

    def mean(self, line: Record) -> Theorem:
        """What is linear in random letters holds for means over an event, its probability in place of 1."""
        t, free = self.reached[line["of"]], line["free"]
        rows = [(c, m, *self.means[m]) for m, c in line["times"].items()]
        *_, event, mass = rows[0]
        need(all(self.measured(row[1]) and row[3:] == (event, mass) for row in rows), "not one event")
        fixed = [free, mass, *(row[0] for row in rows), *(expr for _, expr in t.hyps)]
        need(not any(self.depends(e, "chance") for e in fixed), "something else is random")
        need(self.same(t.expr, ["+", free, *(["*", c, y] for c, _, y, _, _ in rows)]), "not linear")
        total = ["+", ["*", mass, free], *(["*", c, m] for c, m, *_ in rows)]
        return Theorem([*t.hyps, [">=", mass], [">=", minus(1, mass)]], "=" if t.rel == "=" else ">=", total)

    def spin(self, line: Record) -> Theorem:
        """What holds for every two orthonormal vectors u_, e_ holds in the mean over them."""
        t = self.reached[line["of"]]
        fixed = [self.put(e, {}) for _, e in t.hyps]
        need(not any(mentions(e, name) for e in fixed for name in FRAME), "not for every direction")
        need(not any(self.depends(e, "") for e in [t.expr, *fixed]), "a measured letter")
        return Theorem(t.hyps, "=" if t.rel == "=" else ">=", ["spun", t.expr])

    def sweep(self, line: Record) -> Theorem:
        """If q >= p at b_ + c u_ wherever b_ and b_ + c u_ lie in the ball of radius A, and q, p >= 0 in it,
        the mean of q over it is at least s^d times that of p over the ball of radius s A <= A - c.

        From every place of the smaller ball a hop back by c u_ stays in the larger one, and translations
        keep volumes; s^d is the share of the smaller ball. Algorithms are kernels: means over data exist.
        """
        hop, more, less = shown = [self.reached[i] for i in line["of"]]
        A, B, s, (_, c, _) = (line[part] for part in ("radius", "smaller", "share", "shift"))
        q, p, there = more.expr, less.expr, ["v+", PLACE, line["shift"]]
        need(line["shift"] == ["v*", c, FRAME[0]], "not a hop along u_")
        need(self.same(hop.expr, minus(q, self.put(p, {PLACE: there}))), "not what is shown")
        begins, ends = (minus(["^", A, 2], members.square(x)) for x in (PLACE, there))
        known = [(hop, [begins, ends]), (more, [begins]), (less, [begins])]
        hyps = [[r, e] for t, held in known for r, e in t.hyps
                if r != ">=" or not any(self.same(e, h) for h in held)]  # fmt: skip
        fixed = [self.put(e, {}) for e in [A, B, s, c, *(e for _, e in hyps)]]
        need(not any(mentions(fixed, name) for name in (PLACE, *FRAME)), "not for every place and direction")
        need(not any(self.depends(e, "") for e in [*fixed, *(t.expr for t in shown)]), "a measured letter")
        need(not any(objects.random_number(self, e) for e in [q, p, *fixed]), "random")
        share = ["exp", ["*", "d", ["log", s]]]
        room = [[">", A], [">", s], ["=", minus(["*", s, A], B)], [">=", c], [">=", minus(minus(A, B), c)],
                [">=", minus("d", 1)]]  # fmt: skip
        part = ["*", share, ["inside", B, ["spun", p]]]
        return Theorem([*hyps, *room], ">=", minus(["inside", A, ["spun", q]], part))

    def fill(self, line: Record) -> Theorem:
        """What holds at every point w_ of the cube and every s_ in [-1, 1] holds in the mean over them."""
        t, end = self.reached[line["of"]], minus(1, ["^", INNER[1], 2])
        fixed = [[r, e] for r, e in t.hyps if r != ">=" or not self.same(e, end)]
        each = [self.put(e, {}) for _, e in fixed]
        need(not any(mentions(e, name) for e in each for name in INNER), "not for every point of the cube")
        need(not any(self.depends(e, "") for e in each), "a measured letter")
        return Theorem(fixed, "=" if t.rel == "=" else ">=", ["cubed", t.expr])

    def expect(self, line: Record) -> Theorem:
        """What holds for every outcome holds in the mean, if no hypothesis is random."""
        t = self.reached[line["of"]]
        need(not any(objects.random_number(self, e) for _, e in t.hyps), "random")
        need(not any(self.depends(e, "chance") for _, e in t.hyps), "a condition on a measured letter")
        return Theorem(t.hyps, "=" if t.rel == "=" else ">=", ["E", t.expr])

    def average(self, line: Record) -> Theorem:
        """Jensen: W f(mean of the iterates) <= sum of w_k f(x_k), where the weights w_k >= 0 sum to W > 0."""
        weight, (head, run, w, T), f = self.reached[line["of"]], line["average"], line["loss"]
        need(head == "average" and weight.rel != "=" and self.same(weight.expr, w), "no weights")
        index = [[">=", minus(INDEX, 0)], [">=", minus(T, INDEX)]]
        hyps = [h for h in weight.hyps if h not in index]
        need(not any(self.depends(e, INDEX) for _, e in hyps), "weights at one time only")
        _, D, start, _ = self.meaning(run)
        fixed = [objects.run(self, run), objects.frozen(objects.loss(self, f)), objects.time(self, T)]
        need(not any(mentions(part, INDEX) for part in fixed), "the index is bound")
        total, each = ["sum", w, T], ["val", f, ["iter", run, INDEX]]
        side = [*members.problem_members(self, D), *members.member(self, f), *members.in_ball(start)]
        side.append(members.CURVED)  # a member is convex only then
        more = [*hyps, *side, [">", total], [">=", T]]
        return Theorem(
            more, ">=", minus(["sum", ["*", w, each], T], ["*", total, ["val", f, line["average"]]])
        )

    def over(self, line: Record) -> Theorem:
        """What bounds a number at arbitrary objects bounds its supremum, or its infimum, over them."""
        t, term, bound, names = self.reached[line["of"]], line["term"], line["bound"], line["names"]
        each, side = schemas.bounded_by(self, term, names)
        gap = minus(bound, each) if side == 1 else minus(each, bound)
        need(self.same(t.expr, gap), "not a bound on it")
        free = [self.put(e, {}) for e in [bound, term, *(e for _, e in t.hyps)]]
        need(not any(mentions(e, name) for e in free for name in names), "a name is not arbitrary")
        need(not any(self.depends(e, "") for e in free), "a measured letter belongs to one problem")
        return Theorem(t.hyps, ">=", minus(bound, term) if side == 1 else minus(term, bound))

    def reach(self, line: Record) -> Theorem:
        """A bound on every T with which an arbitrary algorithm has worst risk <= e > 0 bounds the time."""
        t, term, bound, (A, T) = self.reached[line["of"]], line["term"], line["bound"], line["names"]
        goal = schemas.reached_by(self, term, A)
        need(self.letters[T] == [True, False] and T not in RESERVED, "not an arbitrary number of gradients")
        need(self.same(t.expr, minus(T, bound)), "not a bound on it")
        here = (minus(goal, ["worst", A, T]), T)
        hyps = [[r, e] for r, e in t.hyps if r != ">=" or not any(self.same(e, h) for h in here)]
        free = [self.put(e, {}) for e in [bound, term, *(e for _, e in hyps)]]
        need(not any(mentions(e, name) for e in free for name in (A, T)), "a name is not arbitrary")
        need(not any(self.depends(e, "") for e in free), "a measured letter belongs to one problem")
        # So there is an algorithm that reaches e, from scratch, and it unlearns within any budget.
        budget = [[">=", "epsilon"], [">=", "delta"]] if term[1] == objects.UNLEARNER else []
        return Theorem([*hyps, [">", goal], [">", "L"], [">", "mu"], *budget], ">=", minus(term, bound))

    def couple(self, line: Record) -> Theorem:
        """Le Cam: E f(X) + E g(Y) >= c (1 - TV(X, Y)) if f, g >= 0 and f(x) + g(x) >= c for every x."""
        shown, x, c = [self.reached[i] for i in line["of"]], line["point"], line["bound"]
        f, g = (self.put(node, {}) for node in line["numbers"])
        need(self.sort(x) == objects.POINT, "not an arbitrary vector")
        for t, node in zip(shown, (minus(["+", f, g], c), f, g), strict=True):
            need(self.same(t.expr, node), "not what is shown")
        free = [self.put(e, {}) for e in [c, *line["laws"], *(e for t in shown for _, e in t.hyps)]]
        need(not any(mentions(e, x) for e in free), "a name is not arbitrary")
        need(not any(mentions(free, name) for name in RESERVED), "a bound name")
        need(not any(self.depends(e, "") for e in [f, g, *free]), "a measured letter")
        need(not any(mentions([f, g], head) for head in objects.FIXED), "a mean inside")
        fixed = [f, g, c, *(e for t in shown for _, e in t.hyps)]
        need(not any(objects.is_random(gen) for e in fixed for m in self.read(e) for gen, _ in m), "random")
        means = [["E", self.put(node, {x: law})] for node, law in zip((f, g), line["laws"], strict=True)]
        total = minus(["+", *means], ["*", c, minus(1, ["tv", *line["laws"]])])
        return Theorem([h for t in shown for h in t.hyps], ">=", total)

    def layers(self, line: Record) -> Theorem:
        """Sum of c P(S) + b >= 0 at every event, so sum of c E g + b M >= 0 where 0 <= g <= M everywhere."""
        shown, S, x = [self.reached[i] for i in line["of"]], line["event"], line["point"]
        g, M, b = (self.put(line[part], {}) for part in ("number", "bound", "free"))
        laws = [[self.put(part, {}) for part in pair] for pair in line["laws"]]
        need(self.sort(S) == objects.EVENT and self.sort(x) == objects.POINT, "not arbitrary")
        events = ["+", b, *(["*", c, ["P", law, S]] for c, law in laws)]
        for t, node in zip(shown, (events, g, minus(M, g)), strict=True):
            need(self.zero(minus(t.expr, node)), "not what is shown")
        numbers = [M, b, *(c for c, _ in laws), *(self.put(e, {}) for t in shown for _, e in t.hyps)]
        fixed = [numbers, [law for _, law in laws]]
        need(not any(mentions(fixed, name) for name in (S, x, *RESERVED)), "a name is not arbitrary")
        need(not any(mentions(g, name) for name in (*RESERVED, *objects.FIXED)), "a mean inside")
        every = [g, *numbers, *(law for _, law in laws)]
        need(not any(self.depends(e, "") for e in every), "a measured letter")
        need(not any(objects.random_number(self, e) for e in [g, *numbers]), "random")
        total = ["+", ["*", b, M], *(["*", c, ["E", self.put(g, {x: law})]] for c, law in laws)]
        return Theorem([h for t in shown for h in t.hyps], ">=", total)

    def tell(self, line: Record) -> Theorem:
        """p E f(X) + q E g(Y) >= the sum over k of b(p P(k), q Q(k)), if v f(x) + w g(x) >= b(v, w) always.

        X and Y are released on two problems that T signs tell apart as well as T gradients do: of these k are
        1 with probability P(k) and Q(k), and where k are, X and Y have one law.
        """
        t, x, names = self.reached[line["of"]], line["point"], line["weights"]
        f, g, b, p, q = (self.put(e, {}) for e in [*line["numbers"], line["bound"], *line["shares"]])
        v, w = names
        A, D, E, T = line["problems"]
        given, signs = families.apart_by_signs(self, A, D, E, T)
        free = all(self.letters[n] == [False, False] for n in names)
        need(self.sort(x) == objects.POINT and v != w and free, "not an arbitrary vector and two numbers")
        self.chosen({v, w}, [t.expr, *(e for _, e in t.hyps)])
        need(self.zero(minus(t.expr, minus(["+", ["*", v, f], ["*", w, g]], b))), "not what is shown")
        hyps = [h for h in t.hyps if not (h[0] == ">=" and any(self.same(h[1], n) for n in names))]
        fixed = [p, q, *(self.put(e, {}) for e in [D, E, T, *(e for _, e in hyps)])]
        held = [([f, g, *fixed], [v, w]), ([b, *fixed], [x]), ([f, g, b, *fixed], RESERVED)]
        need(not any(mentions(part, n) for part, own in held for n in own), "a name is not arbitrary")
        need(not any(mentions([f, g], head) for head in objects.FIXED), "a mean inside")
        every = [f, g, b, p, q, *(e for _, e in hyps)]
        need(not any(self.depends(e, "") for e in every), "a measured letter")
        need(not any(objects.random_number(self, e) for e in every), "random")
        means = [["E", self.put(e, {x: ["out", A, P, T]})] for e, P in ((f, D), (g, E))]
        likely = [
            ["*", share, ["P", law, ["count", INDEX]]] for share, law in zip((p, q), signs, strict=True)
        ]
        each = self.put(b, dict(zip(names, likely, strict=True)))
        total = minus(["+", ["*", p, means[0]], ["*", q, means[1]]], ["sum", each, T])
        return Theorem([*hyps, *given, [">=", p], [">=", q]], ">=", total)

    def accept(self, line: Record, name: int) -> None:
        """Reach the theorem of a line: by its rule, written as it says, hypotheses met by other theorems."""
        allowed = line["by"] in self.theory.rules or line["by"] not in schemas.OWN.rules
        need(line["by"] in RULES and allowed, f"unknown rule {line['by']!r:.60}")
        hyps, rel, expr = getattr(self, line["by"])(line)
        spoken = [expr, *(e for _, e in hyps)]  # other words may hide what it speaks of
        if "says" in line:
            using, (r, e) = line.get("using", []), line["says"]
            need(rel in ORDER and r in (">=", rel) and self.same(e, expr, using), "it does not follow")
            hyps, rel, expr, spoken = [*hyps, *using], r, e, [*spoken, e, *(u for _, u in using)]
        if any(map(self.measured, self.letters)) and any(self.depends(e, "") for e in spoken):
            need(not any(map(self.has_objects, spoken)), "a measured letter beside objects")
        if (top := max(map(self.dimension, spoken))) > 1:
            hyps = [*hyps, [">=", minus("d", top)]]
        open_ = [(h, self.read(h[1])) for h in hyps]
        for more, r, e in [self.reached[i] for i in line.get("met", [])]:
            spend(1 + len(open_) // 20)
            p = self.read(e)
            open_ = [(h, q) for h, q in open_ if h[0] not in (">=", r) or q != p]
            open_ += [(h, self.read(h[1])) for h in more]
        hyps = [h for h, _ in open_]
        need(all(r in ORDER and self.read(e) is not None for r, e in [*hyps, [rel, expr]]), "odd relation")
        self.reached[name] = Theorem(list({(r, self.text(e)): [r, e] for r, e in hyps}.values()), rel, expr)

    def claim(self, statement: Record, takes: Record) -> Theorem:
        """What a statement says, its letters taken at values."""
        letters, at, (rel, expr) = statement["letters"], takes["at"], statement["says"]
        plain = Proof(
            {**NOTHING, "letters": {n: [False, False] if k[1:] == [True] else k for n, k in letters.items()}}
        )
        for r, e, *_ in [*statement["given"], statement["says"]]:
            need(r in ORDER and plain.read(e) is not None, "not a statement")
        alike = all(self.letters.get(n, k) == k for n, k in {**takes["letters"], **letters}.items())
        need(class_of(letters) == class_of(self.letters), "another class of losses")
        need(alike and not any(x in letters for where in at.values() for x in where), "two kinds, elsewhere")
        need(self.arbitrary(), "a parameter of the objects is not arbitrary")
        values = {letter: ["@", letter, where] for letter, where in at.items()}
        hyps = [[r, self.put(e, values)] for r, e, _ in statement["given"]]
        return Theorem(hyps, rel, self.put(expr, values))


def member(pieces: Any, L: Q, mu: Q) -> list[list[Q]]:
    """A member of the class on the line: a x^2 + b x + c from x to y for each piece [x, y, a, b, c]."""
    rows = [[Q(number(v)) for v in piece] for piece in pieces]
    slopes = [2 * a * end + b for x, y, a, b, _ in rows for end in (x, y)]
    ball = L > 0 and mu > 0 and -rows[0][0] == rows[-1][1] == L / (2 * mu)
    steep = slopes != sorted(slopes) or slopes[0] < -L or slopes[-1] > L
    need(ball and not steep and all(x < y and 2 * a >= mu for x, y, a, _, _ in rows), "not in the class")
    for (_, y, a, b, c), (x, _, d, e, f) in pairwise(rows):
        need(x == y and (a - d) * y * y + (b - e) * y + c == f, "not continuous")
    return rows


def observe(node: Ast, model: Record, raw: Record) -> Ast:
    """The expression with values and slopes of members, and distances of finite laws, replaced by numbers."""
    head, args = (node[0], [observe(a, model, raw) for a in node[1:]]) if isinstance(node, list) else ("", [])
    if head in ("value", "left", "right"):
        x, L, mu = (Q(number(v)) for v in (args[1], raw["L"], raw["mu"]))
        here = [row for row in member(model["members"][args[0]], L, mu) if row[0] <= x <= row[1]]
        _, _, a, b, c = next(row for row in here if head == "value" or x != row[head == "right"])
        return str(a * x * x + b * x + c if head == "value" else 2 * a * x + b)
    if head not in ("tv", "mass", "hockey"):
        return [head, *args] if head else node
    laws = [{k: Q(number(v)) for k, v in model["laws"][law].items()} for law in args[: 2 - (head == "mass")]]
    need(all(min(law.values()) >= 0 and sum(law.values()) == 1 for law in laws), "not a law")
    p, q, factor = laws[0], laws[-1], Q(number(args[2])) if head == "hockey" else Q(1)
    distance = sum((max(p.get(k, Q(0)) - factor * q.get(k, Q(0)), Q(0)) for k in {*p, *q}), Q(0))
    return str(p.get(str(args[1]), Q(0)) if head == "mass" else distance)


def at_instance(proof: Proof, statement: Record, witness: Record) -> None:
    """Accept values where all that is given holds and the conclusion fails, or holds if one is to exist."""
    spend((len(repr(witness)) // 20) ** 2)
    speaks = [e for _, e, *_ in [*statement["given"], statement["says"]]]
    need(not any(map(proof.has_objects, speaks)), "objects are shown in a model")
    letters, (rel, expr), raw = statement["letters"], statement["says"], witness["values"]
    values = {n: observe(node, witness.get("model", {}), raw) for n, node in raw.items() if n in letters}
    for n in [name for name in letters if name[0] == "<"]:
        a, b = ([Q(number(x)) for x in witness.get("model", {})["vectors"][v]] for v in n[1:-1].split(","))
        values[n] = str(sum((x * y for x, y in zip(a, b, strict=True)), Q(0)))
    need(all(Q(number(values[n])).denominator == 1 for n in values if letters[n][0]), "a value is no integer")
    fails = [[">=" if rel == ">" else ">", ["*", -1, expr]], *([[">", expr]] if rel == "=" else [])]
    goals = [*([[r, e]] for r, e, _ in statement["given"]), [[rel, expr]] if "exists" in statement else fails]
    for options, i in zip(goals, witness["shown"], strict=True):
        hyps, found, at = proof.reached[i]
        met = [r in (">=", found) and proof.same(at, proof.put(e, values)) for r, e in options]
        need(not hyps and any(met), f"not shown at the instance: {options!r:.80}")


def modelled(proof: Proof, statement: Record) -> Theorem:
    """What a lemma about objects says in a model: all that it is about is defined there, or arbitrary."""
    more = list[Any]()
    need(class_of(statement["letters"]) == class_of(proof.letters), "another class of losses")
    for n, kind in statement["letters"].items():
        own = proof.letters[n]
        need(kind[1:] != [True] and (own == kind or (own[0] == "is" != kind[0])), f"{n} is another letter")
        need(kind != [True, False] or proof.whole(n), f"{n} is no integer")
        more += stood_for(proof, statement, n) if len(kind) == 1 and own != kind else []
        need(own == kind or closed(proof, n), f"a bound name in {n}")
        need(own == kind or not schemas.drawn_for(proof, kind[0], n), f"{n} is random")
    return Theorem([*more, *([r, e] for r, e, _ in statement["given"])], *statement["says"])


def closed(proof: Proof, n: str) -> bool:
    """Whether what a letter stands for has no name that a sum, a mean or a rule around it would bind."""
    return not any(objects.free(proof.put(n, {}), name) for name in BOUND)


def stood_for(proof: Proof, statement: Record, n: str) -> list[Any]:
    """What has to hold for what a model defines to take the place of an object's name in a statement."""
    sort, A = statement["letters"][n][0], proof.meaning(n)
    if sort not in objects.ALGORITHMS or isinstance(A, str):
        return schemas.substitute(proof, sort, n)
    spoken = [e for _, e, *_ in [*statement["given"], statement["says"]]]
    spoken += [kind[1] for kind in statement["letters"].values() if kind[0] == "is"]
    return schemas.stands_for(proof, sort, A, [T for e in spoken for T in times(proof, e, A)])


def times(proof: Proof, node: Ast, A: Ast) -> list[Ast]:
    """The numbers of gradients at which an expression speaks of an explicit algorithm."""
    if not isinstance(node, list):
        return []
    own = node[0] in ("out", "worst") and proof.meaning(node[1]) == A
    return [*([node[-1]] if own else []), *(T for part in node[1:] for T in times(proof, part, A))]


def in_model(certificate: Record, lemmas: Record) -> None:
    """Accept definitions of all letters, objects by explicit ones of the class, where all that is given holds
    and the conclusion fails, or holds if one is to exist. The value of a term is computed, or bounded by a
    lemma, never typed."""
    statement, takes = certificate["statement"], certificate["takes"]
    (rel, expr), shown = statement["says"], certificate["witness"]["values"]
    proof, own, goals = Proof(takes), takes["letters"], list[Any]()
    need(takes == {**NOTHING, "letters": own}, "a model takes nothing for granted")
    need(class_of(own) == class_of(statement["letters"]), "another class of losses")
    need(all(own.get(n, ["is", v]) == ["is", v] for n, v in shown.items()), "other values are shown")
    for key, name in certificate["lemmas"].items():
        need(digest(lemmas[key]) == name and "exists" not in lemmas[key], f"stale, or it exists: {key}")
        proof.reached[key] = modelled(proof, lemmas[key])
    for i, line in enumerate(certificate["lines"]):
        proof.accept(line, i)
    for n, kind in statement["letters"].items():
        defined = own[n] == kind if kind[0] in ("is", "class") else own[n][0] == "is" and kind[1:] != [True]
        need(defined, f"{n} is not defined")
        need(kind != [True, False] or proof.whole(n), f"{n} is no integer")
        need(kind[0] == "is" or closed(proof, n), f"a bound name in {n}")
        need(kind[0] in ("is", "class") or not schemas.drawn_for(proof, kind[0], n), f"{n} is random")
        goals += [[h] for h in (stood_for(proof, statement, n) if len(kind) == 1 else [])]
    sizes = [Q(number(proof.meaning(n))) for n in proof.theory.parameters & own.keys()]
    need(all(size > 0 for size in sizes), "no class has such parameters")
    top = max(map(proof.dimension, own), default=1)
    need(top == 1 or Q(number(proof.meaning("d"))) >= top, "more unit vectors than dimensions")
    need("d" not in own or Q(number(proof.meaning("d"))).denominator == 1, "a dimension is a whole number")
    fails = [[">=" if rel == ">" else ">", ["*", -1, expr]], *([[">", expr]] if rel == "=" else [])]
    holds = [[rel, expr]] if "exists" in statement else fails
    goals += [*([[r, e]] for r, e, _ in statement["given"]), holds]
    for options, i in zip(goals, certificate["witness"]["shown"], strict=True):
        hyps, found, at = proof.reached[i]
        met = [r in (">=", found) and proof.same(at, e) for r, e in options]
        need(not hyps and any(met), f"not shown in the model: {options!r:.80}")


def digest(record: Any) -> str:
    """The name of a statement with what is assumed: change either and certificates are stale."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def accept_certificate(certificate: Record, lemmas: Record, assumed: Record) -> None:
    """Accept a proof, a witness or an evaluation; `assumed` is what lemmas' certificates assume."""
    WORK[:], i = [BUDGET, process_time() + SECONDS], 0
    SEEN.clear()
    try:
        statement, takes, kind = (certificate[part] for part in ("statement", "takes", "kind"))
        need(certificate["hash"] == digest({"statement": statement, "takes": takes}), "stale: it has changed")
        if kind == ("exact" if "exists" in statement else "witness") and about_objects(statement):
            return in_model(certificate, lemmas)
        proof = Proof(takes)
        for key, name in certificate["lemmas"].items():
            need(digest(lemmas[key]) == name and "exists" not in lemmas[key], f"stale, or it exists: {key}")
            proof.reached[key] = proof.claim(lemmas[key], assumed.get(key, NOTHING))
        for i, line in enumerate(certificate["lines"], 1):
            proof.accept(line, i - 1)
        claim, last = proof.claim(statement, takes), proof.reached[i - 1]
        if kind == ("exact" if "exists" in statement else "witness") and not takes["at"]:
            return at_instance(proof, statement, certificate["witness"])
        need(kind == "proof" and "exists" not in statement, "not the claim: another kind is asked for")
        need(claim.rel in (">=", last.rel) and proof.same(claim.expr, last.expr), "not the claim")
        need({*map(digest, last.hyps)} <= {*map(digest, claim.hyps)}, "it assumes more")
    except Exception as why:  # Whatever a malformed certificate runs into is a rejection.
        kind = "" if isinstance(why, RejectedError) else f"malformed: {type(why).__name__}: "
        raise RejectedError(f"line {i}: {kind}{why!s:.200}") from None
