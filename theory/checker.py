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
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction as Q
from itertools import pairwise
from math import ceil, floor, inf, isqrt, prod
from time import process_time
from typing import Any, NamedTuple

Ast = Any
Record = Mapping[str, Any]
# A power of each generator: ("pi",), ("name", letter, values), ("exp", monomial) or (function, argument).
Mono = frozenset[tuple[Any, Q]]
# If the hypotheses, each [relation, expression], hold, then so does the conclusion; all relations are to 0.
Theorem = NamedTuple("Theorem", [("hyps", list[Any]), ("rel", str), ("expr", Any)])  # noqa: UP014
EMPTY: Mono = frozenset()
SEEN: dict[Any, Any] = {}  # generators, so that equal ones are one object and compared at once
NUMBER = re.compile(r"-?[0-9]{1,4000}(/0*[1-9][0-9]{0,3999})?")
NAME = re.compile(r"(?!chance$)[A-Za-z_<][A-Za-z0-9_<>,.'-]{0,59}")
ORDER = ("=", ">=", ">")
RULES = ("leaf", "positive", "combine", "instance", "cases", "induction", "rise", "mean")
FUNCTIONS = ("exp", "log", "atan", "asin", "Phi", "phi1", "phi2")
MATHEMATICS = ("exponential", "Mills")  # reasons of facts that speak of no problem
NOTHING: Record = {"letters": {}, "constant": [], "slopes": {}, "means": {}, "facts": [], "at": {}}
# What one acceptance may cost, in products of monomials and the like, and of the processor; what is left.
BUDGET, SECONDS, WORK = 250_000, 10, [inf, inf]


class Rejected(Exception):
    """The certificate does not show what it says; the message says why."""


def need(condition: object, why: str) -> None:
    """Reject, saying why, unless the condition holds."""
    if not condition:
        raise Rejected(why)


def spend(amount: int) -> None:
    """Reject when the budget or the time is used up."""
    WORK[0] -= amount
    need(WORK[0] >= 0 and process_time() < WORK[1], "the certificate takes too long to check")


def number(node: Ast) -> Any:
    """The rational that a node spells, or None, of which Q makes an error."""
    short = type(node) is int and node.bit_length() <= 13_000
    return Q(node) if short or (isinstance(node, str) and NUMBER.fullmatch(node)) else None


class Poly(dict[Mono, Q]):
    """A polynomial in letters, inverses, roots and functions, by its monomials."""

    @staticmethod
    def of(*gen: Any) -> Poly:
        """One generator."""
        return Poly({frozenset({(SEEN.setdefault(gen, gen), Q(1))}): Q(1)})

    def weight(self) -> int:
        """What a term costs: more for long numbers and many letters."""
        bits = [c.numerator.bit_length() + c.denominator.bit_length() for c in self.values()]
        return 1 + max(bits, default=0) // 1000 + max(map(len, self), default=0) // 10

    def __add__(self, other: Poly) -> Poly:
        out = dict(self)
        spend((1 + len(out) // 20) * self.weight() * other.weight())
        for mono, c in other.items():
            out[mono] = out.get(mono, Q(0)) + c
        return Poly({mono: c for mono, c in out.items() if c})

    def __mul__(self, other: Poly) -> Poly:
        spend(len(self) * len(other) * self.weight() * other.weight())
        out: dict[Mono, Q] = {}
        for m, c in self.items():
            for n, k in other.items():
                powers = dict(m)
                for gen, j in n:
                    powers[gen] = powers.get(gen, Q(0)) + j
                mono = frozenset((gen, j) for gen, j in powers.items() if j)
                out[mono] = out.get(mono, Q(0)) + c * k
                spend(out[mono].denominator.bit_length() // 2000)
        return Poly({mono: c for mono, c in out.items() if c})

    def __pow__(self, k: int) -> Poly:
        return prod([self if k >= 0 else self.through("inv")] * abs(k), start=ONE)

    def cleared(self, head: str, u: Poly) -> Poly:
        """With the root of u squared; or, times a power of u, without 1/u: 0 only if it was, or u is 0."""
        gen, out = SEEN.setdefault(g := (head, frozenset(u.items())), g), Poly()
        top = max((int(j) for mono in self for g, j in mono if g == gen), default=0)
        for mono, c in self.items() if top else ():
            j, rest = int(dict(mono).get(gen, 0)), Poly({frozenset((g, k) for g, k in mono if g != gen): c})
            out += rest * u ** (top - j) if head == "inv" else rest * u ** (j // 2) * Poly.of(*gen) ** (j % 2)
        return out if top else self

    def through(self, head: str) -> Poly:
        """A function of it: its value where that is known, the exponential of a sum as a product."""
        c = self.get(EMPTY, Q(0)) if self.keys() <= {EMPTY} else None
        if head == "exp":
            return Poly({frozenset((SEEN.setdefault(g := ("exp", m), g), k) for m, k in self.items()): Q(1)})
        if head == "inv" and c is not None:
            return Poly({EMPTY: 1 / c})
        if head == "sqrt" and c is not None and 0 <= c == (root := Q(*map(isqrt, c.as_integer_ratio()))) ** 2:
            return Poly({EMPTY: root} if root else {})
        if (c == 0 and head in ("atan", "asin")) or (c == 1 and head == "log"):
            return Poly()
        return HALF * Poly.of("pi") if c == 1 and head == "asin" else Poly.of(head, frozenset(self.items()))


ONE, MINUS, HALF = (Poly({EMPTY: Q(c)}) for c in ("1", "-1", "1/2"))


class Bounds(NamedTuple):
    """Rational bounds of expressions, at a precision of so many bits; every function increases."""
    bits: int

    def outward(self, lo: Q, hi: Q, bits: int = 0) -> tuple[Q, Q]:
        """The interval, widened to ends with fewer digits."""
        size = max(abs(lo), abs(hi))
        unit = Q(2) ** ((bits or self.bits) - size.numerator.bit_length() + size.denominator.bit_length())
        return floor(lo * unit) / unit, ceil(hi * unit) / unit

    def series(self, term: Q, ratio: Callable[[int], Q]) -> tuple[Q, Q]:
        """Sum of positive terms, term k+1 = ratio(k) term k, where ratios stay <= 1/2 once one is."""
        need(term >= 0 <= ratio(0) and ratio(40 * self.bits) <= Q(1, 2), "a series that does not settle")
        total, k, small = Q(0), 0, Q(1, 1 << (self.bits + 4))
        while k == 0 or ratio(k) > Q(1, 2) or term > small * max(total, small):
            spend(self.bits // 8)
            total, term, k = total + term, self.outward(term * ratio(k), Q(0), 2 * self.bits)[0], k + 1
        # Each term was rounded down by less than 2^-2bits of itself: the slack covers that too.
        return total, total + 4 * term + total * Q(k, 1 << (2 * self.bits - 2))

    def at(self, head: str, x: Q) -> tuple[Q, Q]:
        """A function at a rational point: exp, atan, asin, Phi reflected to x >= 0, log to x >= 1."""
        if x < (head == "log") and head not in ("phi1", "phi2"):
            need(head != "log" or x > 0, "a logarithm of a number that is not positive")
            (lo, hi), both = self.at(head, 1 / x if head == "log" else -x), head == "Phi"
            return self.outward(1 / hi, 1 / lo) if head == "exp" else (both - hi, both - lo)
        if head == "log":  # 2 artanh z + 2 k artanh 1/3, where z = (m - 1)/(m + 1), m = x/2^k
            k = floor(x).bit_length() - 1
            logs = [self.series(y, lambda n, y=y: y * y * Q(2 * n + 1, 2 * n + 3))  # type: ignore[misc]
                    for y in ((x - 2**k) / (x + 2**k), Q(1, 3))]  # fmt: skip
            return self.outward(2 * logs[0][0] + 2 * k * logs[1][0], 2 * logs[0][1] + 2 * k * logs[1][1])
        if head == "atan" and x <= 1:  # Euler's series
            y = x * x / (1 + x * x)
            return self.outward(*self.series(x / (1 + x * x), lambda n: y * Q(2 * n + 2, 2 * n + 3)))
        if head == "atan":
            return self.of(["+", ["*", "1/2", ["pi"]], ["*", -1, ["atan", str(1 / x)]]], {})
        if head == "asin":
            cosine = ["^", str(1 - x * x), "1/2"]
            return self.of(["*", 2, ["atan", ["*", str(x), ["^", ["+", 1, cosine], -1]]]], {})
        if head == "Phi":  # 1/2 + exp(-x^2/2)/sqrt(2 pi) (x + x^3/3 + x^5/15 + …)
            density = ["*", ["exp", str(-x * x / 2)], ["^", ["*", 2, ["pi"]], "-1/2"], "sum"]
            return self.of(["+", "1/2", density], {"sum": self.series(x, lambda n: x * x / (2 * n + 3))})
        shift = ("exp", "phi1", "phi2").index(head)  # e^x, (e^x - 1)/x, (e^x - 1 - x)/x^2: x^n/(n + shift)!
        return self.outward(*self.series(Q(1, max(1, shift)), lambda n: x / (n + 1 + shift)))

    def power(self, lo: Q, hi: Q, k: Q) -> tuple[Q, Q]:
        """A power of an interval."""
        if k.denominator == 2:
            need(lo >= 0, "a root of a negative number")
            low, high = (Q(isqrt(floor(end * 16**self.bits)), 4**self.bits) for end in (lo, hi))
            lo, hi, k = low, high + Q(1, 4**self.bits), 2 * k
        if k < 0:
            need(lo > 0 or hi < 0, "a division by an interval around 0")
            lo, hi, k = 1 / hi, 1 / lo, -k
        need(Poly({EMPTY: lo}).weight() * Poly({EMPTY: hi}).weight() * k <= 10_000, "a power is too long")
        ends = [lo ** int(k), hi ** int(k)]
        return self.outward(Q(0) if k % 2 == 0 < k and lo <= 0 <= hi else min(ends), max(ends))

    def of(self, node: Ast, box: Mapping[str, tuple[Q, Q]]) -> tuple[Q, Q]:
        """Contains the expression at every point of the box; Rejected where it has no value."""
        spend(1)
        if not isinstance(node, list):
            return box[node] if node in box else (Q(number(node)), Q(number(node)))
        head, args = node[0], node[1:]
        if head == "pi":  # Machin: pi = 16 atan(1/5) - 4 atan(1/239).
            return self.of(["+", ["*", 16, ["atan", "1/5"]], ["*", -4, ["atan", "1/239"]]], {})
        lo, hi = self.outward(*self.of(args[0], box))
        if head in FUNCTIONS:
            return self.at(head, lo)[0], self.at(head, hi)[1]
        if head == "^":
            return self.power(lo, hi, Q(number(args[1])))
        need(head in ("+", "*"), f"unknown function {head!r:.60}")
        for a, b in [self.of(arg, box) for arg in args[1:]]:
            ends = [lo + a, hi + b] if head == "+" else [lo * a, lo * b, hi * a, hi * b]
            lo, hi = self.outward(min(ends), max(ends))
        return lo, hi


def minus(a: Ast, b: Ast) -> Ast:
    """a - b."""
    return ["+", a, ["*", -1, b]]


class Proof:
    """Theorems reached line by line, from what a certificate takes for granted and the lemmas it names."""

    def __init__(self, takes: Record) -> None:
        self.letters, self.slopes, self.means = takes["letters"], takes["slopes"], takes["means"]
        self.facts = [Theorem(given, rel, expr) for rel, expr, _why, given in takes["facts"]]
        self.constant = {(a, x) for a, x in takes["constant"] if x == "chance" or not self.letters[x][1]}
        self.reached: dict[int | str, Theorem] = {}
        good = [NAME.fullmatch(n) and [*map(type, kind)] == [bool, bool] for n, kind in self.letters.items()]
        need(all(good), "not a letter")
        loose = {why for _, expr, why, _ in takes["facts"] if not self.depends(expr, "")}
        need(loose <= set(MATHEMATICS), "a fact binds parameters alone")

    def measured(self, node: Ast) -> bool:
        """Whether a node is a letter that stands for something of the problem."""
        return isinstance(node, str) and node in self.letters and self.letters[node][1] is not False

    def read(self, node: Ast) -> Poly:
        """The polynomial that an expression spells."""
        spend(1 + len(node) // 100 if isinstance(node, str) else 1)
        value = number(node)
        if value is not None or isinstance(node, str):
            need(value is not None or node in self.letters, f"undeclared name {node!r:.60}")
            return Poly.of("name", node, EMPTY) if value is None else Poly({EMPTY: value} if value else {})
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
        parts = [self.read(arg) for arg in args]
        if head in ("+", "*"):
            return sum(parts, start=Poly()) if head == "+" else prod(parts, start=ONE)
        need(len(args) == (head != "pi") and head in ("pi", *FUNCTIONS), f"unknown function {head!r:.60}")
        return parts[0].through(head) if parts else Poly.of("pi")

    def zero(self, node: Ast, using: Iterable[Any] = ()) -> bool:
        """Whether an expression is 0 where relations u > 0 (so u/u = 1) or u >= 0 (so sqrt(u)^2 = u) hold."""
        p = self.read(node)
        for rel, u in [(rel, self.read(expr)) for rel, expr in using]:
            p = p.cleared("sqrt", u)
            p = p.cleared("inv", u).cleared("inv", u * MINUS) if rel == ">" else p
        return not p

    def put(self, node: Ast, values: Record) -> Ast:
        """An expression with letters replaced; a measured one that stays remembers what parameters became."""
        spend(1 + len(values) // 8)
        if isinstance(node, list) and node[0] != "@":
            return [node[0], *(self.put(arg, values) for arg in node[1:])]
        letter, taken = node[1:] if isinstance(node, list) else (node, {})
        if not self.measured(letter) or (letter in values and not taken):
            return values.get(letter, letter)
        at = {x: v for x, v in values.items() if not self.measured(x) and (letter, x) not in self.constant}
        at.update({x: self.put(v, values) for x, v in taken.items()})
        return ["@", letter, at] if at else letter

    def depends(self, node: Ast, x: str) -> bool:
        """Whether an expression may change with x, a parameter or chance."""
        if isinstance(node, list) and node[0] == "@":
            node = ["@", *([] if x in node[2] and self.measured(node[1]) else [node[1]]), *node[2].values()]
        spend(1)
        if isinstance(node, list):
            return any(self.depends(arg, x) for arg in node[1:])
        return node == x or (self.measured(node) and (node, x) not in self.constant)

    def slope(self, node: Ast, x: str, owed: list[Any]) -> Ast:
        """The derivative in x; to do: show positive what it needs, at ends too where continuity needs it."""
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
        k, room = Q(number(args[1])) if head == "^" else Q(-1), minus(1, ["^", u, 2])
        if head == "asin" or (head in ("^", "log") and (k < 0 or k.denominator == 2)):
            owed.append((room, False) if head == "asin" else (u, k < 0))
        outer = {
            "^": ["*", str(k), ["^", u, str(k - 1)]], "exp": node, "log": ["^", u, -1],
            "atan": ["^", ["+", 1, ["^", u, 2]], -1], "asin": ["^", room, "-1/2"],
            "Phi": ["*", "1/2", ["^", 2, "1/2"], ["^", ["pi"], "-1/2"], ["exp", ["*", "-1/2", ["^", u, 2]]]],
        }  # fmt: skip
        return ["*", outer[head], self.slope(u, x, owed)]

    def leaf(self, line: Record) -> Theorem:
        """What is assumed, a fact taken for granted, a function of equals, the squared norm of a vector."""
        if "assume" in line:
            return Theorem([line["assume"]], *line["assume"])
        if "fact" in line:
            return self.facts[line["fact"]]
        if "equal" in line:
            head, u, v = line["equal"]
            return Theorem([["=", minus(u, v)]], "=", minus([head, u], [head, v]))
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
            need("=" in kinds or Q(number(factor)) > 0, "a factor is not positive")
            rels.append(min(kinds, key=ORDER.index, default=">"))
            total.append(["*", factor, *(t.expr for t in shown)])
            hyps += [h for t in shown for h in t.hyps]
        return Theorem(hyps, max(rels, key=ORDER.index, default="="), total)

    def instance(self, line: Record) -> Theorem:
        """A theorem at other values of parameters; an integer becomes a sum of products of integers."""
        t, values = self.reached[line["of"]], line["with"]
        for x, value in values.items():
            need(not self.measured(x), f"{x} is measured, it cannot be chosen")
            for mono, c in self.read(value).items() if self.letters[x][0] else ():
                whole = all(gen[0] == "name" and self.letters[gen[1]][0] for gen, _ in mono)
                need(whole and c.denominator == 1, f"{x} is no integer")
        return Theorem([[rel, self.put(e, values)] for rel, e in t.hyps], t.rel, self.put(t.expr, values))

    def cases(self, line: Record) -> Theorem:
        """What follows where `on` >= 0 (or > 0) and where -on >= 0 follows."""
        (one, other), on = (self.reached[i] for i in line["of"]), line["on"]
        need(one[1:] == other[1:], "the cases differ")
        hyps = [h for h in one.hyps if h not in ([">=", on], [">", on])]
        return Theorem(hyps + [h for h in other.hyps if h != [">=", ["*", -1, on]]], one.rel, one.expr)

    def induction(self, line: Record) -> Theorem:
        """What holds at 0, and at t + 1 if at t, holds at every natural t."""
        (base, step), t, (rel, expr) = (self.reached[i] for i in line["of"]), line["index"], line["shows"]
        need(self.letters[t] == [True, False], "an index is an integer")
        for (_, r, e), at in ((base, 0), (step, ["+", t, 1])):
            need(rel in (">=", r) and self.zero(minus(e, self.put(expr, {t: at}))), f"not shown at {at}")
        hyps = [h for h in step.hyps if h not in ([rel, expr], [">=", minus(t, 0)])]
        need(not any(self.depends(e, t) for _, e in hyps), "a hypothesis holds at one time only")
        return Theorem([*base.hyps, *hyps, [">=", minus(t, 0)]], rel, expr)

    def rise(self, line: Record) -> Theorem:
        """f does not fall from a to b if its slope is not negative between, where x is held by ends alone."""
        x, f, (a, b), owed = line["variable"], line["function"], line["between"], list[Any]()
        theorems, hyps = [self.reached[i] for i in dict.fromkeys(line["of"])], [[">=", minus(b, a)]]
        need(self.letters[x] == [False, False] and not self.depends(["+", a, b], x), "no free real variable")
        need(self.zero(minus(theorems[0].expr, self.slope(f, x, owed))), "the slope is not shown")
        ends = [self.put(u, {x: end}) for u, also in owed if also for end in (a, b)]
        for u in [*(u for u, _ in owed), *ends]:
            need(any(t.rel == ">" and self.zero(minus(t.expr, u)) for t in theorems), "not shown positive")
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
        need(self.zero(minus(t.expr, ["+", free, *(["*", c, y] for c, _, y, _, _ in rows)])), "not linear")
        total = ["+", ["*", mass, free], *(["*", c, m] for c, m, *_ in rows)]
        return Theorem([*t.hyps, [">=", mass], [">=", minus(1, mass)]], "=" if t.rel == "=" else ">=", total)

    def accept(self, line: Record, name: int) -> None:
        """Reach the theorem of a line: by its rule, written as it says, hypotheses met by other theorems."""
        need(line["by"] in RULES, f"unknown rule {line['by']!r:.60}")
        hyps, rel, expr = getattr(self, line["by"])(line)
        if "says" in line:
            using, (r, e) = line.get("using", []), line["says"]
            need(rel in ORDER and r in (">=", rel) and self.zero(minus(e, expr), using), "it does not follow")
            hyps, rel, expr = [*hyps, *using], r, e
        for more, r, e in [self.reached[i] for i in line.get("met", [])]:
            spend(len(hyps) // 20)
            hyps = [h for h in hyps if h[0] not in (">=", r) or not self.zero(minus(h[1], e))] + more
        need(all(r in ORDER and self.read(e) is not None for r, e in [*hyps, [rel, expr]]), "odd relation")
        self.reached[name] = Theorem(list({json.dumps(h): list(h) for h in hyps}.values()), rel, expr)

    def claim(self, statement: Record, takes: Record) -> Theorem:
        """What a statement says, its letters taken at values; facts of the problem are no hypotheses."""
        letters, at, (rel, expr) = statement["letters"], takes["at"], statement["says"]
        plain = Proof({**NOTHING, "letters": {name: [False, False] for name in letters}})
        for r, e, *_ in [*statement["given"], statement["says"]]:
            need(r in ORDER and plain.read(e) is not None, "not a statement")
        alike = all(self.letters.get(n, k) == k for n, k in {**takes["letters"], **letters}.items())
        need(alike and not any(x in letters for where in at.values() for x in where), "two kinds, elsewhere")
        values = {letter: ["@", letter, where] for letter, where in at.items()}
        hyps = [[r, self.put(e, values)] for r, e, why in statement["given"]
                if why == "given" or (why not in MATHEMATICS and not self.depends(e, ""))]  # fmt: skip
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
        met = [r in (">=", found) and proof.zero(minus(at, proof.put(e, values))) for r, e in options]
        need(not hyps and any(met), f"not shown at the instance: {options!r:.80}")


def digest(record: Any) -> str:
    """The name of a statement with what is taken for granted: change either and certificates are stale."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def accept_certificate(certificate: Record, lemmas: Record, told: Record) -> None:
    """Accept a proof, a witness or an evaluation; `told` is what lemmas' certificates take for granted."""
    WORK[:], i = [BUDGET, process_time() + SECONDS], 0
    SEEN.clear()
    try:
        statement, takes, kind = (certificate[part] for part in ("statement", "takes", "kind"))
        need(certificate["hash"] == digest({"statement": statement, "takes": takes}), "stale: it has changed")
        proof = Proof(takes)
        for key, name in certificate["lemmas"].items():
            need(digest(lemmas[key]) == name and "exists" not in lemmas[key], f"stale, or it exists: {key}")
            proof.reached[key] = proof.claim(lemmas[key], told.get(key, NOTHING))
        for i, line in enumerate(certificate["lines"], 1):
            proof.accept(line, i - 1)
        claim, last = proof.claim(statement, takes), proof.reached[i - 1]
        if kind == ("exact" if "exists" in statement else "witness") and not takes["at"]:
            return at_instance(proof, statement, certificate["witness"])
        need(kind == "proof" and "exists" not in statement, "not the claim: another kind is asked for")
        need(claim.rel in (">=", last.rel) and proof.zero(minus(claim.expr, last.expr)), "not the claim")
        need({*map(digest, last.hyps)} <= {*map(digest, claim.hyps)}, "it assumes more")
    except Exception as why:  # Whatever a malformed certificate runs into is a rejection.
        kind = "" if isinstance(why, Rejected) else f"malformed: {type(why).__name__}: "
        raise Rejected(f"line {i}: {kind}{why!s:.200}") from None
