"""The checker: accepts or rejects certificates of proofs and of witnesses. This file is what must be trusted.

Standard library only, exact arithmetic only, no code shared with the engines: an engine that lies gets no
verdict past it. The format of certificates is documented in docs/certificates.md.

An expression is an integer, a fraction "p/q", a name, `["pi"]`, `["+", …]`, `["*", …]`, `["^", base, "k/2"]`
or a function of one argument; a relation `[">=" | ">" | "=", expression]` is read against 0. A statement has
`quantities` (name: [lower, open, upper, open, integer, measured]), `given` (relations with their reason) and
`says`. A measured letter stands for something (a risk, a mean, …) and may be renamed, never chosen.
"""
from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from functools import wraps
from itertools import pairwise
from math import ceil, floor, isqrt
from typing import Any

Ast = Any
Record = Mapping[str, Any]
Mono = frozenset[tuple[tuple[str, Any], int | Q]]
Poly = dict[Mono, Q]
Interval = tuple[Q, Q]

# No parentheses: a name can never be taken for a function.
NAME = re.compile(r"[A-Za-z_<][A-Za-z0-9_<>,.'-]{0,59}")
FUNCTIONS = ("exp", "log", "atan", "asin", "Phi", "phi1", "phi2")
ARITY = {"+": (1, 400), "*": (1, 400), "^": (2, 2), "pi": (0, 0), **dict.fromkeys(FUNCTIONS, (1, 1))}
MODEL_FUNCTIONS = ("value", "left", "right", "tv", "mass", "hockey")
# The reasons a hypothesis may have; `given` is a printed one. Anything else is refused here, whoever asks.
REASONS = {
    "given", "strong convexity", "Lipschitz", "stationarity", "line", "ball", "definition", "privacy",
    "Cauchy-Schwarz", "Jensen", "coupling", "triangle", "data processing", "projection", "normal cone",
    "Gaussian privacy", "Mills", "exponential", "moments", "function",
}  # fmt: skip
NATURAL = [0, False, None, False, True, False]
EMPTY: Mono = frozenset()
ONE: Poly = {EMPTY: Q(1)}
# About three times what the longest proof of the ledger needs.
BUDGET = 800_000


class Rejected(Exception):
    """The certificate does not show what it says; the message says why."""


def need(condition: object, why: str) -> None:
    """Reject, saying why, unless the condition holds."""
    if not condition:
        raise Rejected(why)


class Work:
    """What one acceptance may still cost: products of monomials and bits of series, not seconds."""

    left = 10**30


def spend(amount: int) -> None:
    """Reject when the budget is used up: no certificate computes for ever."""
    Work.left -= amount
    need(Work.left >= 0, "the certificate takes too long to check")


# ---- expressions


def number(node: Ast) -> Q | None:
    """The rational that a node spells, or None."""
    need(not isinstance(node, bool), "a truth value is no number")
    if isinstance(node, int) or (isinstance(node, str) and re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*)?", node)):
        size = node.bit_length() // 2 if isinstance(node, int) else len(node)
        need(size <= 4000, "a number is too long")
        return Q(node)
    return None


def wellformed(node: Ast, depth: int = 0) -> None:
    """Reject anything that is not an expression of the grammar."""
    need(depth <= 60, "an expression is nested too deeply")
    if number(node) is None and isinstance(node, str):
        need(NAME.fullmatch(node) and node != "pi", f"not a name: {node[:60]!r}")
    elif number(node) is None:
        need(isinstance(node, list) and node and isinstance(node[0], str), "not an expression")
        need(node[0] in ARITY, f"unknown function {node[0][:60]}")
        fewest, most = ARITY[node[0]]
        need(fewest <= len(node) - 1 <= most, f"bad arity of {node[0]}")
        for arg in node[1:]:
            wellformed(arg, depth + 1)
        k = number(node[2]) if node[0] == "^" else Q(1)
        need(k is not None and abs(k) <= 64 and k.denominator <= 2, "an exponent is no small half-integer")


def names(node: Ast) -> set[str]:
    """The free names of an expression."""
    if isinstance(node, list):
        return set[str]().union(*(names(a) for a in node[1:]))
    return {node} if isinstance(node, str) and number(node) is None else set()


def substitute(node: Ast, values: Record) -> Ast:
    """The expression with names replaced, all at once."""
    if isinstance(node, list):
        return [node[0], *(substitute(a, values) for a in node[1:])]
    return values.get(node, node) if isinstance(node, str) and number(node) is None else node


def minus(a: Ast, b: Ast) -> Ast:
    """a - b."""
    return ["+", a, ["*", -1, b]]


def derivative(node: Ast, x: str) -> Ast:
    """The derivative of an expression in the name x, by the textbook rules."""
    if x not in names(node) or node == x:
        return 1 if node == x else 0
    head, args, u = node[0], node[1:], node[1]
    spend(len(args) ** 2)
    if head == "+":
        return ["+", *(derivative(a, x) for a in args)]
    if head == "*":
        return ["+", *(["*", *args[:i], derivative(a, x), *args[i + 1 :]] for i, a in enumerate(args))]
    outer = {
        "^": ["*", args[-1], ["^", u, str((number(args[-1]) or Q(0)) - 1)]] if head == "^" else 0,
        "exp": ["exp", u],
        "log": ["^", u, -1],
        "atan": ["^", ["+", 1, ["^", u, 2]], -1],
        "asin": ["^", minus(1, ["^", u, 2]), "-1/2"],
        "Phi": ["*", ["^", ["*", 2, ["pi"]], "-1/2"], ["exp", ["*", "-1/2", ["^", u, 2]]]],
    }
    need(head in outer, f"no derivative rule for {head}")
    return ["*", outer[head], derivative(u, x)]


# ---- exact identities: quotients of polynomials in names, roots and functions


def generator(head: str, payload: Any = None) -> Poly:
    """A name, a root or a function as a polynomial."""
    return {frozenset({((head, payload), 1)}): Q(1)}


def constant(p: Poly) -> Q | None:
    """The value of a constant polynomial, or None."""
    return p.get(EMPTY, Q(0)) if p.keys() <= {EMPTY} else None


def weight(p: Poly, q: Poly) -> int:
    """What one product of two terms costs: one, more for long numbers and for many letters."""
    letters = max((len(m) for x in (p, q) for m in x), default=0)
    return 1 + longest(p) * longest(q) // 4_000_000 + letters // 20


def longest(p: Poly) -> int:
    """The length of the longest coefficient in bits."""
    return max((c.numerator.bit_length() + c.denominator.bit_length() for c in p.values()), default=0)


def add(p: Poly, q: Poly, factor: Q = Q(1)) -> Poly:
    """p + factor q."""
    spend(weight(p, q) - 1 + len(q) // 8)
    out = dict(p)
    for m, c in q.items():
        out[m] = out.get(m, Q(0)) + factor * c
    return {m: c for m, c in out.items() if c}


def mul(p: Poly, q: Poly) -> Poly:
    """p q, where a root squared is its radicand."""
    spend(len(p) * len(q) * weight(p, q))
    out: Poly = {}
    for m, c in p.items():
        for n, k in q.items():
            powers = dict(m)
            for gen, power in n:
                powers[gen] = powers.get(gen, 0) + power
            squares = [gen for gen, j in powers.items() if gen[0] == "sqrt" and j >= 2]
            powers.update({gen: powers[gen] - 2 for gen in squares})
            rest: Poly = {frozenset((gen, j) for gen, j in powers.items() if j): c * k}
            for gen in squares:
                rest = mul(rest, dict(gen[1]))
            for mono, coefficient in rest.items():
                out[mono] = out.get(mono, Q(0)) + coefficient
    return {m: c for m, c in out.items() if c}


def power(p: Poly, k: int) -> Poly:
    """p to a natural power."""
    need(longest(p) * k <= 400_000, "a power is too long")
    out = ONE
    for _ in range(k):
        out = mul(out, p)
    return out


def quotient(node: Ast) -> tuple[Poly, Poly]:
    """(numerator, denominator) of an expression."""
    value = number(node)
    if value is not None:
        return ({EMPTY: value} if value else {}), ONE
    if isinstance(node, str):
        return generator("name", node), ONE
    head, args = node[0], node[1:]
    if head == "^":
        return raised(*quotient(args[0]), number(args[1]) or Q(0))
    if head not in ("+", "*"):
        return function(head, args), ONE
    num, den = quotient(args[0])
    for n, d in map(quotient, args[1:]):
        if head == "*":
            num, den = mul(num, n), mul(den, d)
        elif d == den:
            num = add(num, n)
        else:
            num, den = add(mul(num, d), mul(n, den)), mul(den, d)
    return num, den


def raised(num: Poly, den: Poly, k: Q) -> tuple[Poly, Poly]:
    """A quotient to an integer or half-integer power."""
    if k.denominator == 2:
        c = constant(den)
        need(c, "a root of a quotient")
        num, den = root(add({}, num, 1 / (c or Q(1)))), ONE
    num, den = power(num, abs(k.numerator)), power(den, abs(k.numerator))
    need(k >= 0 or num, "a division by 0")
    return (num, den) if k >= 0 else (den, num)


def root(p: Poly) -> Poly:
    """The square root of a polynomial: a number where it is one, else a generator that squares to p."""
    c, ((pi, _),) = constant(p) or Q(-1), generator("pi").items()
    exact_root = Q(isqrt(max(c.numerator, 0)), isqrt(c.denominator))
    if not p or exact_root**2 == c:
        return {EMPTY: exact_root} if p else {}
    if p.keys() == {pi} and 0 < p[pi] != 1:
        return mul(root({EMPTY: p[pi]}), root(generator("pi")))
    return generator("sqrt", frozenset(p.items()))


def function(head: str, args: list[Ast]) -> Poly:
    """A function of one argument; exponentials of sums multiply."""
    if head == "pi":
        return generator("pi")
    num, den = quotient(args[0])
    if c := constant(den):
        num, den = add({}, num, 1 / c), ONE
    if head == "exp" and len(den) == 1:
        # One positive generator for each monomial, raised to its coefficient.
        ((below, k),) = den.items()
        pieces = mul(num, {frozenset((g, -j) for g, j in below): 1 / k})
        return {frozenset((("exp", m), c) for m, c in pieces.items()): Q(1)}
    if (head in ("atan", "asin") and not num) or (head == "log" and num == den):
        return {}
    if head == "asin" and num == den:
        return add({}, generator("pi"), Q(1, 2))
    return generator(head, (frozenset(num.items()), frozenset(den.items())))


def vanishes(node: Ast) -> bool:
    """True only if the expression is 0 as a quotient of polynomials in its names and functions."""
    wellformed(node)
    return not quotient(node)[0]


def same(a: Ast, b: Ast) -> bool:
    """True only if two expressions are identically equal."""
    return a == b or vanishes(minus(a, b))


# ---- rational interval bounds


def down(x: Q, bits: int) -> Q:
    """A dyadic number at most x, about `bits` significant bits long."""
    shift = bits - x.numerator.bit_length() + x.denominator.bit_length()
    if x == 0 or (x.denominator == 1 and shift >= 0):
        return x
    return Q(x * Q(2) ** shift // 1) / Q(2) ** shift


def outward(lo: Q, hi: Q, bits: int) -> Interval:
    """The interval, widened to short end points."""
    return down(lo, bits), -down(-hi, bits)


def series(term: Q, ratio: Callable[[int], Q], bits: int) -> Interval:
    """Sum of positive terms, term k+1 = ratio(k) term k, where ratios stay <= 1/2 once one is."""
    need(term >= 0 and ratio(0) >= 0, "a series of terms that are not positive")
    total, k, small = Q(0), 0, Q(1, 1 << (bits + 4))
    while k < 40 * bits:
        spend(bits // 8)
        total, term, k = total + term, down(term * ratio(k), 2 * bits), k + 1
        if ratio(k) <= Q(1, 2) and term <= small * max(total, small):
            # Each term was rounded down by less than 2^-2bits of itself: the slack covers that too.
            return total, total + 4 * term + total * Q(k, 1 << (2 * bits - 2))
    raise Rejected("a series does not settle")


def pi_bounds(bits: int) -> Interval:
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""
    (a, b), (c, d) = at_point("atan", Q(1, 5), bits), at_point("atan", Q(1, 239), bits)
    return 16 * a - 4 * d, 16 * b - 4 * c


def root_bounds(x: Q, bits: int) -> Interval:
    """Bounds of the square root of x >= 0."""
    need(x >= 0, "a root of a negative number")
    scaled = x * 16**bits
    low = Q(isqrt(scaled // 1), 4**bits)
    return low, low if low * low == x else low + Q(1, 4**bits)


def log_bounds(x: Q, bits: int) -> Interval:
    """log x = k log 2 + 2 artanh z, z = (m - 1)/(m + 1), m = x/2^k; log 2 = 2 artanh 1/3."""
    need(x > 0, "a logarithm of a number that is not positive")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    z, ends = (x - Q(2) ** k) / (x + Q(2) ** k), []
    for y, times in ((abs(z), 2 if z >= 0 else -2), (Q(1, 3), 2 * k)):
        lo, hi = series(y, lambda n, y=y: y * y * Q(2 * n + 1, 2 * n + 3), bits)  # type: ignore[misc]
        ends.append(sorted((times * lo, times * hi)))
    return ends[0][0] + ends[1][0], ends[0][1] + ends[1][1]


def exp_bounds(x: Q, bits: int) -> Interval:
    """The series at x/2^k, squared k times, for x >= 0."""
    need(x <= 20_000, "an exponent is too large")
    k = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 4)
    work = bits + 2 * k + 16
    lo, hi = outward(*series(Q(1), lambda n: x / (1 << k) / (n + 1), work), work)
    for _ in range(k):
        lo, hi = outward(lo * lo, hi * hi, work)
    return lo, hi


def atan_bounds(x: Q, bits: int) -> Interval:
    """Euler's series for 0 <= x <= 1, and pi/2 - atan 1/x beyond."""
    if x > 1:
        (lo, hi), (p, q) = atan_bounds(1 / x, bits), pi_bounds(bits)
        return p / 2 - hi, q / 2 - lo
    y = x * x / (1 + x * x)
    return series(x / (1 + x * x), lambda n: y * Q(2 * n + 2, 2 * n + 3), bits)


def asin_bounds(x: Q, bits: int) -> Interval:
    """asin x = atan(x/sqrt(1 - x^2)) for 0 <= x < 1."""
    if x == 1:
        p, q = pi_bounds(bits)
        return p / 2, q / 2
    lo, hi = root_bounds(1 - x * x, bits)
    return atan_bounds(down(x / hi, 2 * bits), bits)[0], atan_bounds(-down(-x / lo, 2 * bits), bits)[1]


def normal_bounds(x: Q, bits: int) -> Interval:
    """1/2 + exp(-x^2/2)/sqrt(2 pi) (x + x^3/3 + x^5/15 + …) for x >= 0."""
    (a, b), (c, d) = exp_bounds(x * x / 2, bits), pi_bounds(bits)
    e, f = root_bounds(2 * c, bits)[0], root_bounds(2 * d, bits)[1]
    p, q = series(x, lambda n: x * x / (2 * n + 3), bits)
    return Q(1, 2) + p / (b * f), Q(1, 2) + q / (a * e)


BOUNDS: dict[str, Callable[[Q, int], Interval]] = {
    "exp": exp_bounds,
    "log": log_bounds,
    "atan": atan_bounds,
    "asin": asin_bounds,
    "Phi": normal_bounds,
    "phi1": lambda x, bits: series(Q(1), lambda n: x / (n + 2), bits),  # (e^x - 1)/x for x >= 0
    "phi2": lambda x, bits: series(Q(1, 2), lambda n: x / (n + 3), bits),  # (e^x - 1 - x)/x^2 for x >= 0
}


def at_point(head: str, x: Q, bits: int) -> Interval:
    """Bounds of a function at a rational point; exp, atan, asin and Phi are reflected to x >= 0."""
    if x >= 0 or head not in ("exp", "atan", "asin", "Phi"):
        return BOUNDS[head](x, bits)
    lo, hi = BOUNDS[head](-x, bits)
    sum_of_both = 1 if head == "Phi" else 0
    return outward(1 / hi, 1 / lo, bits) if head == "exp" else (sum_of_both - hi, sum_of_both - lo)


def bounds(node: Ast, box: Mapping[str, Interval], bits: int) -> Interval:
    """An interval that contains the expression at every point of the box."""
    value = number(node)
    if value is not None or isinstance(node, str):
        need(value is not None or node in box, f"no value for {node}")
        return box[node] if value is None else (value, value)
    head, args = node[0], node[1:]
    if head == "pi":
        return pi_bounds(bits)
    lo, hi = bounds(args[0], box, bits)
    if head == "^":
        return power_bounds(lo, hi, number(args[1]) or Q(0), bits)
    if head in BOUNDS:
        # Every function of the grammar increases.
        return outward(at_point(head, lo, bits)[0], at_point(head, hi, bits)[1], bits)
    for a, b in [bounds(arg, box, bits) for arg in args[1:]]:
        ends = (lo + a, hi + b) if head == "+" else (lo * a, lo * b, hi * a, hi * b)
        lo, hi = outward(min(ends), max(ends), bits)
    return lo, hi


def power_bounds(lo: Q, hi: Q, k: Q, bits: int) -> Interval:
    """Bounds of a power."""
    if k.denominator == 2:
        lo, hi, k = root_bounds(lo, bits)[0], root_bounds(hi, bits)[1], 2 * k
    if k < 0:
        need(lo > 0 or hi < 0, "a division by an interval around 0")
        lo, hi, k = 1 / hi, 1 / lo, -k
    need(max(longest({EMPTY: lo}), longest({EMPTY: hi})) * k <= 400_000, "a power is too long")
    ends = (lo ** int(k), hi ** int(k))
    return outward(Q(0) if k % 2 == 0 < k and lo <= 0 <= hi else min(ends), max(ends), bits)


def positive_constant(node: Ast, strict: bool) -> bool:
    """True only if a closed expression is > 0 (or is 0 exactly, where that is enough)."""
    return (not strict and vanishes(node)) or any(bounds(node, {}, bits)[0] > 0 for bits in (64, 160, 400))


# ---- signs that follow from domains and hypotheses by sums, products and powers


def domain_relations(statement: Record) -> list[tuple[Ast, bool]]:
    """The relations (expression, strict) that the domains of the quantities give."""
    out: list[tuple[Ast, bool]] = []
    for name, (lower, lower_open, upper, upper_open, *_) in statement["quantities"].items():
        out += [(minus(name, lower), lower_open)] if lower is not None else []
        out += [(minus(upper, name), upper_open)] if upper is not None else []
        if lower is not None and upper is not None and (gap := Q(lower) + Q(upper)) >= 0:
            # -upper <= lower <= name, so name + upper >= 0; strictly if either end is left out.
            out.append((["+", name, upper], gap > 0 or lower_open))
    return out


def same_sign(node: Ast) -> Poly:
    """Numerator times denominator: a polynomial with the sign of the quotient."""
    num, den = quotient(node)
    return num if den == ONE else mul(num, den)


def ray(p: Poly) -> frozenset[tuple[Mono, Q]]:
    """A polynomial up to a positive factor."""
    lead = max(map(abs, p.values()), default=Q(1))
    return frozenset((m, c / lead) for m, c in p.items())


class Signs:
    """What is known to be nonnegative: domains, given relations, and products of two of these."""

    def __init__(self, statement: Record) -> None:
        given = [(expr, rel == ">") for rel, expr, _ in statement["given"] if rel != "="]
        relations = [(same_sign(expr), strict) for expr, strict in [*domain_relations(statement), *given]]
        self.statement, self.known = statement, dict[Any, bool]()
        # a m - b >= 0 with a, b > 0 makes the monomial m positive.
        pairs = [p for p, _ in relations if len(p) == 2 and p.get(EMPTY, Q(0)) < 0]
        positive: list[Poly] = [{m: Q(1)} for p in pairs for m in p if p[m] > 0]
        self.base = [(ONE, True), *((p, s) for p, s in relations if p), *((p, True) for p in positive)]
        for p, s in self.base[:40]:
            for q, t in self.base[:40]:
                product = ray(mul(p, q))
                self.known[product] = self.known.get(product, False) or (s and t)

    def holds(self, node: Ast, strict: bool) -> bool:
        """True only if node >= 0 (or > 0) follows."""
        if not names(node):
            return positive_constant(node, strict)
        p = same_sign(node)
        return self.listed(p, strict) or self.above(p, strict) or self.by_shape(node, strict)

    def listed(self, p: Poly, strict: bool) -> bool:
        return self.known.get(ray(p), None) in ((True,) if strict else (True, False))

    def above(self, p: Poly, strict: bool) -> bool:
        """True only if p is a positive multiple of one known relation plus monomials that are nonnegative."""
        for atom, positive in self.base:
            for factor in {p.get(m, Q(0)) / atom[m] for m in atom}:
                rest = add(p, atom, -factor).items()
                enough = not strict or positive or any(self.monomial(m, c, True) for m, c in rest)
                if factor > 0 and enough and all(self.monomial(m, c, False) for m, c in rest):
                    return True
        return False

    def monomial(self, m: Mono, c: Q, strict: bool) -> bool:
        """Whether one term is nonnegative (or positive): its generators are, or are squared."""
        return c > 0 and all(self.positive(g, strict) or (k % 2 == 0 and not strict) for g, k in m)

    def positive(self, gen: tuple[str, Any], strict: bool) -> bool:
        if gen[0] in ("pi", "exp", "Phi", "phi1", "phi2") or (gen[0] == "sqrt" and not strict):
            return True
        return self.listed(generator(*gen), strict)

    def by_shape(self, node: Ast, strict: bool) -> bool:
        if isinstance(node, str):
            return False
        head, args = node[0], node[1:]
        if head == "+":
            some = not strict or any(self.holds(a, True) for a in args)
            return some and all(self.holds(a, False) for a in args)
        if head == "^":
            k = number(args[1]) or Q(0)
            return (k >= 0 and k % 2 == 0 and not strict) or self.holds(args[0], strict or k < 0)
        factors = head == "*" and all(self.holds(a, strict) for a in args)
        return factors or head in ("exp", "Phi", "phi1", "phi2")

    def safe(self, node: Ast) -> None:
        """Reject unless every divisor is shown nonzero and every radicand nonnegative."""
        wellformed(node)
        for arg in node[1:] if isinstance(node, list) else []:
            self.safe(arg)
        head, arg, k = (*node, 0, 0)[:3] if isinstance(node, list) else ("", 0, 0)
        if head == "^" and (number(k) or Q(0)) < 0:
            nonzero = self.holds(arg, True) or self.holds(["*", -1, arg], True)
            need(nonzero, f"a divisor is not shown to be nonzero: {arg}")
        if head == "^" and (number(k) or Q(0)).denominator == 2:
            need(self.holds(arg, False), f"a radicand is not shown to be nonnegative: {arg}")
        need(head != "log" or self.holds(arg, True), "a logarithm of what is not shown to be positive")
        inside = head != "asin" or (self.holds(["+", 1, arg], False) and self.holds(minus(1, arg), False))
        need(inside, "arcsine outside [-1, 1]")

    def integral(self, node: Ast) -> bool:
        """True only if the expression is an integer: built from integers by sums and products."""
        value = number(node)
        if value is not None:
            return value.denominator == 1
        if isinstance(node, str):
            return self.statement["quantities"][node][4] is True
        return node[0] in ("+", "*") and all(self.integral(a) for a in node[1:])


# ---- the rules by which a step of a proof is accepted; each returns what it cites, and at which values

Cited = list[tuple[Record, Record]]


def measured(statement: Record, name: Ast) -> bool:
    """Whether a node is a measured letter of a statement."""
    return isinstance(name, str) and name in statement["quantities"] and statement["quantities"][name][5]


def wellformed_statement(statement: Record) -> None:
    """Reject a statement with undeclared names, empty domains, unknown relations or unknown reasons."""
    for name, (lower, lower_open, upper, upper_open, integer, _measured) in statement["quantities"].items():
        pair = name[1:-1].split(",")
        need(NAME.fullmatch(name) and (name[0] != "<" or name == inner(*pair)), f"not a name: {name!r}")
        ends = [number(end) for end in (lower, upper) if end is not None]
        need(None not in ends, f"an end of the domain of {name} is no number")
        if len(ends) == 2:
            low, high = ends[0] or Q(0), ends[1] or Q(0)
            inside = low <= high if not (lower_open or upper_open) else low < high
            whole = floor(low) + 1 if lower_open else ceil(low)
            filled = whole < high or (whole == high and not upper_open)
            need(filled if integer else inside, f"the domain of {name} is empty")
    for rel, expr, *why in [*statement["given"], statement["says"]]:
        need(rel in (">=", ">", "="), f"unknown relation {rel}")
        need(not why or why[0] in REASONS, f"unknown reason {why}")
        wellformed(expr)
        loose = names(expr) - set(statement["quantities"])
        need(not loose, f"undeclared names: {sorted(loose)}")


def identity(statement: Record, _by: Record, _known: Record) -> Cited:
    """says is an equation whose two sides are the same quotient of polynomials."""
    Signs(statement).safe(statement["says"][1])
    need(statement["says"][0] == "=" and vanishes(statement["says"][1]), "the two sides differ")
    return []


def combination(statement: Record, by: Record, known: Record) -> Cited:
    """says = sum of nonnegative multipliers times relations known to hold, as an exact identity."""
    signs, (relation, goal), total, strict = Signs(statement), statement["says"], list[Ast](["+", 0]), False
    cited: Cited = []
    signs.safe(goal)
    need(isinstance(by["terms"], list), "the terms of a combination are a list")
    for term in by["terms"]:
        rel, expr = source_of(term, known, signs, cited)
        signs.safe(term["times"])
        if rel != "=":
            need(relation != "=", "an equation cannot rest on an inequality")
            need(signs.holds(term["times"], False), f"a multiplier is not shown nonnegative: {term['times']}")
            strict = strict or (rel == ">" and signs.holds(term["times"], True))
        total.append(["*", term["times"], expr])
    need(relation != ">" or strict, "a strict conclusion needs a strict term")
    need(vanishes(minus(goal, total)), "the combination is not the conclusion")
    return cited


def letters(statement: Record) -> list[str]:
    """The measured letters that a statement says something about, or assumes something of."""
    relations = [statement["says"], *statement["given"]]
    return sorted({name for _, expr, *_ in relations for name in names(expr) if measured(statement, name)})


def taken(statement: Record, cited: Cited) -> dict[tuple[str, str], Ast]:
    """At which value of each parameter the measured letters are taken; two different values are refused.

    A total S up to T, cited at T = 5, is S up to 5 from then on, whatever letters the next step declares.
    """
    seen: dict[tuple[str, str], Ast] = {}
    for source, values in [(statement, {}), *cited]:
        parameters = [name for name, domain in source["quantities"].items() if not domain[5]]
        own: dict[tuple[str, str], Ast] = {(a, p): p for a in letters(source) for p in parameters}
        for (letter, parameter), value in {**own, **source.get("taken", {})}.items():
            here = substitute(value, values)
            first = seen.setdefault((values.get(letter, letter), parameter), here)
            need(same(first, here), f"{letter} is taken at two values of {parameter}")
    # f at x = g and g at y = f would define both by one another: no reading does.
    above = {a: {n for (b, _), v in seen.items() if a == b for n in names(v)} for a, _ in seen}
    # A parameter set to an expression in a letter: that the letter does not depend on it is disclosed.
    told = {p for (a, p), v in seen.items() if isinstance(v, list) and a in names(v)}
    ways = [(a, names(v)) for (a, p), v in seen.items() if p not in told]
    edges = {a: set[str]().union(*(found for b, found in ways if a == b)) for a in above}
    for start in above:
        need(start not in reach(edges, start), f"{start} is taken at a value that depends on it")
    # What the values themselves are taken at is kept too.
    kept = set(letters(statement))
    kept |= {n for a in kept & set(above) for n in reach(above, a)}
    declared = statement["quantities"]
    return {(a, p): v for (a, p), v in seen.items() if a in kept and (v != p or p not in declared)}


def reach(above: Record, start: str) -> set[str]:
    """All names that the values of a letter depend on."""
    reached, fresh = set[str](), set(above[start])
    while fresh:
        reached |= fresh
        fresh = set[str]().union(*(above.get(n, set()) for n in fresh)) - reached
    return reached


def inner(a: str, b: str) -> str:
    """The name of the inner product of two vectors."""
    return f"<{min(a, b)},{max(a, b)}>"


def source_of(term: Record, known: Record, signs: Signs, cited: Cited) -> tuple[str, Ast]:
    """The relation (sign, expression) that a term of a combination multiplies."""
    given = signs.statement["given"]
    for node in [term.get("square", 0), *term.get("norm", {}).values(), *term.get("with", {}).values()]:
        signs.safe(node)
    if "given" in term:
        need(type(term["given"]) is int and 0 <= term["given"] < len(given), "no such hypothesis")
        return given[term["given"]][0], given[term["given"]][1]
    if "square" in term:
        return ">=", ["^", term["square"], 2]
    if "norm" in term:
        vector = term["norm"].items()
        products = {inner(a, b) for a in term["norm"] for b in term["norm"]}
        need(all(measured(signs.statement, p) for p in products), "an inner product is a measured letter")
        return ">=", ["+", 0, *(["*", c, k, inner(a, b)] for a, c in vector for b, k in vector)]
    if "lemma" in term:
        return lemma(term, known, signs, cited)
    need("one" in term, "a term of a combination names no source")
    return ">", 1


def renamed(key: str, source: Record, statement: Record, values: Record) -> None:
    """Reject unless measured letters go to measured letters, no two to one, and vectors to vectors."""
    for name, value in values.items():
        allowed = not measured(source, name) or measured(statement, value)
        need(allowed, f"{key}: {name} is measured, it cannot be set to {value}")
    shown = {**source, "given": [fact for fact in source["given"] if fact[2] == "given"]}
    pairs, vectors = {name: values.get(name, name) for name in letters(shown)}, dict[str, str]()
    need(len(set(pairs.values())) == len(pairs), f"{key}: two letters are taken for one")
    for old, new in [(old, new) for old, new in pairs.items() if old[0] == "<" or new[0] == "<"]:
        (a, b), (c, d) = old[1:-1].split(","), new[1:-1].split(",")
        ways = [{a: c, b: d}, {b: c, a: d}]
        fits = [w for w in ways if inner(w[a], w[b]) == new and all(vectors.get(v, w[v]) == w[v] for v in w)]
        need(fits and old[0] == new[0], f"{key}: inner products of other vectors")
        vectors.update(fits[0])


def lemma(term: Record, known: Record, signs: Signs, cited: Cited) -> tuple[str, Ast]:
    """The conclusion of a known statement under a substitution that meets its domains and hypotheses."""
    key, values, statement = term["lemma"], term["with"], signs.statement
    need(key in known, f"the lemma {key} is not known here")
    source = known[key]
    need("exists" not in source, f"{key} says that something exists, not which")
    need(set(values) <= set(source["quantities"]), f"{key} has no such letters")
    renamed(key, source, statement, values)
    cited.append((source, values))
    # What occurs in no printed hypothesis nor in the conclusion is internal to the lemma's own proof.
    printed = [(i, rel, expr) for i, (rel, expr, why) in enumerate(source["given"]) if why == "given"]
    seen = names(source["says"][1]).union(values, *(names(expr) for _, _, expr in printed))
    for name in seen:
        whole = not source["quantities"][name][4] or signs.integral(values.get(name, name))
        need(whole, f"{key}: {name} is no integer")
    for expr, strict in domain_relations(source):
        met = not names(expr) <= seen or signs.holds(substitute(expr, values), strict)
        need(met, f"{key}: a domain is not met: {expr}")
    for index, rel, original in printed:
        expr = substitute(original, values)
        if expr not in [e for _, e, _ in statement["given"]]:
            signs.safe(expr)
        if str(index) in term.get("because", {}):
            shown = {**statement, "says": [rel, expr]}
            cited.extend(combination(shown, {"terms": term["because"][str(index)]}, known))
        elif rel == "=":
            stands = any(same(expr, e) for r, e, _ in [("=", 0, ""), *statement["given"]] if r == "=")
            need(stands, f"{key}: a hypothesis is not met: {expr}")
        else:
            need(signs.holds(expr, rel == ">"), f"{key}: a hypothesis is not met: {expr}")
    return source["says"][0], substitute(source["says"][1], values)


def subdivision(statement: Record, by: Record, _known: Record) -> Cited:
    """says holds on every box of a bisection of the domain."""
    (relation, goal), signs, box = statement["says"], Signs(statement), dict[str, Interval]()
    need(relation != "=", "a subdivision shows an inequality")
    need(type(by["bits"]) is int and 16 <= by["bits"] <= 2000, "a precision is between 16 and 2000 bits")
    for name, (lower, upper) in by["box"].items():
        whole = signs.holds(minus(name, lower), False) and signs.holds(minus(upper, name), False)
        need(whole, f"{name} is not shown to stay in its box")
        box[name] = exact(lower), exact(upper)
    cover(goal, box, by["tree"], by["bits"])
    return []


def cover(goal: Ast, box: dict[str, Interval], tree: Any, bits: int) -> None:
    """Accept a tree of boxes: "positive", or [name, where to split, tree below, tree above]."""
    if tree == "positive":
        return need(bounds(goal, box, bits)[0] > 0, f"not positive on {box}")
    name, where, below, above = tree
    (lo, hi), cut = box[name], number(where) or Q(0)
    need(lo < cut < hi, "a split outside its box")
    cover(goal, {**box, name: (lo, cut)}, below, bits)
    cover(goal, {**box, name: (cut, hi)}, above, bits)


def within(small: Record, large: Record, extra: list[Any]) -> None:
    """Reject unless every printed hypothesis and every domain of `small` stands in `large` (or in extra)."""
    pool = [*((r, e) for r, e, _ in large["given"]), *extra]
    signs = Signs({**large, "quantities": {**small["quantities"], **large["quantities"]}})
    for rel, expr in [(r, e) for r, e, why in small["given"] if why == "given" and (r, e) not in pool]:
        # Equal where both are defined: that the one assumed is defined must be shown.
        signs.safe(expr)
        need(any(r == rel and same(e, expr) for r, e in pool), f"a case assumes more: {expr}")
    for name, domain in small["quantities"].items():
        need(large["quantities"].get(name, domain) == domain, f"a case restricts {name}")


def states(statement: Record, expr: Ast, why: str) -> None:
    """Reject unless a statement says that the expression is >= 0."""
    need(statement["says"][0] == ">=" and same(statement["says"][1], expr), why)


def cases(statement: Record, by: Record, known: Record) -> Cited:
    """says holds where `on` >= 0 and where `on` <= 0."""
    need(names(by["on"]) <= set(statement["quantities"]), "the cases split on a name that is not there")
    Signs(statement).safe(by["on"])
    for key, condition in ((by["nonnegative"], by["on"]), (by["nonpositive"], ["*", -1, by["on"]])):
        need(known[key]["says"][0] == statement["says"][0], "a case has another relation")
        need(same(known[key]["says"][1], statement["says"][1]), "a case has another conclusion")
        within(known[key], statement, [(">=", condition)])
    return [(known[by["nonnegative"]], {}), (known[by["nonpositive"]], {})]


def induction(statement: Record, by: Record, known: Record) -> Cited:
    """An invariant holds at 0 and passes from t to t+1, so it holds at every T."""
    t, invariant, signs = by["index"], by["invariant"], Signs(statement)
    base, step = known[by["base"]], known[by["step"]]
    natural = signs.integral(by["end"]) and signs.holds(by["end"], False)
    need(natural, "the end of an induction is no natural number")
    need(step["quantities"].get(t, NATURAL) == NATURAL, "the index must run over all of 0, 1, 2, …")
    need(t not in names(statement["says"][1]), "the index of an induction is left in its conclusion")
    moving = set(by["next"])
    state = all(measured(step, letter) for letter in moving) and moving >= set(by["start"])
    need(state, "a state is a measured letter")
    need(not moving & names(by["end"]), "the end of an induction moves")
    printed = set[str]().union(*(names(expr) for _, expr, why in statement["given"] if why == "given"))
    need(t not in statement["quantities"] and not moving & printed, "a hypothesis holds at one time only")
    states(base, substitute(invariant, {t: 0, **by["start"]}), "the base is not the invariant at 0")
    later = substitute(invariant, {t: ["+", t, 1], **by["next"]})
    states(step, later, "the step is not the invariant at t+1")
    states(statement, substitute(invariant, {t: by["end"]}), "not the invariant at the end")
    within(base, statement, [])
    within(step, statement, [(">=", invariant)])
    # What moves is meant at the end; what is told to stay (a disclosed fact) depends on no time.
    still, moves = moving | set(by.get("fixed", [])), moving.union({t}, *map(names, by["next"].values()))
    entries = step.get("taken", {}).items()
    held = {key: value for key, value in entries if key[0] not in still or not names(value) & moves}
    return [(base, {}), ({**without(step, t), "taken": held}, {})]


def without(step: Record, variable: str) -> Record:
    """A step whose letters are told (a disclosed fact) not to depend on a variable that is bound."""
    return {**step, "quantities": {n: d for n, d in step["quantities"].items() if n != variable}}


def integrate(statement: Record, by: Record, known: Record) -> Cited:
    """f' >= slope from `from` to `to`, hence f(to) - f(from) >= the rise of what has that slope."""
    x, f, step = by["variable"], by["function"], known[by["step"]]
    need(("rise" in by) == ("slope" in by), "a slope and its rise come together")
    if "rise" in by:
        old = set(step["quantities"]).union(*(names(by[part]) for part in ("function", "from", "to")))
        need(by["rise"] not in old, "a rise is a new letter")
        need(measured(step, by["slope"]) and measured(statement, by["rise"]), "a rise is a measured letter")
        free = all(by["rise"] not in names(expr) for _, expr, _ in statement["given"])
        need(free, "the rise is bound by a hypothesis")
    slope = derivative(f, x)
    shown = step["says"][0] != "=" and same(step["says"][1], minus(slope, by.get("slope", 0)))
    need(shown, "the step does not show the slope")
    start, end = smooth(statement, step, x, [f, slope], [by["from"], by["to"]])
    states(statement, minus(minus(end, start), by.get("rise", 0)), "not the rise of the function")
    return [(without(step, x), {by["slope"]: by["rise"]} if "rise" in by else {})]


def convex(statement: Record, by: Record, known: Record) -> Cited:
    """f'' >= 0 from `from` to `to`, hence f lies below its chord `at` a point between."""
    x, f, step, a, at, b = by["variable"], by["function"], known[by["step"]], by["from"], by["at"], by["to"]
    slope = derivative(f, x)
    curvature = derivative(slope, x)
    need(step["says"][0] != "=" and same(step["says"][1], curvature), "the step does not show the curvature")
    start, middle, end = smooth(statement, step, x, [f, slope, curvature], [a, at, b])
    chord = ["+", ["*", minus(b, at), start], ["*", minus(at, a), end], ["*", minus(a, b), middle]]
    states(statement, chord, "not the chord of the function")
    return [(without(step, x), {})]


def smooth(statement: Record, step: Record, x: str, parts: list[Ast], points: list[Ast]) -> list[Ast]:
    """The values of a function, shown to be smooth where the step holds, at points in order there."""
    lower, _, upper, _, integer, _ = step["quantities"][x]
    free = all(x not in names(e) for _, e, why in step["given"] if why == "given")
    need(free and not integer and not measured(step, x), "the step assumes more of its variable")
    need(all(point is not None for point in points), "an end of an interval is missing")
    inside, signs, values = Signs(step), Signs(statement), [substitute(parts[0], {x: p}) for p in points]
    for where, nodes in ((inside, parts), (signs, values)):
        for node in nodes:
            where.safe(node)
    # A bound on the open interval extends to its ends: f is continuous there.
    for least, most in pairwise([lower, *points, upper]):
        ordered = least is None or most is None or signs.holds(minus(most, least), False)
        need(ordered, "the points are not shown to be in order within the domain")
    varies = any(x in names(value) for value in step.get("taken", {}).values())
    need(not varies, "a letter is taken at the variable")
    within(without(step, x), statement, [])
    return values


def expectation(statement: Record, by: Record, known: Record) -> Cited:
    """A pointwise relation, linear in the random names, holds for means over an event of given mass."""
    step, means, signs = known[by["step"]], by["means"], Signs(statement)
    expr = step["says"][1]
    probable = signs.holds(by["mass"], False) and signs.holds(minus(1, by["mass"]), False)
    need(probable, "a mass is not shown to be a probability")
    random = all(measured(step, y) and measured(statement, m) for y, m in means.items())
    need(random, "a mean is a measured letter")
    printed = set[str]().union(*(names(e) for _, e, why in step["given"] if why == "given"))
    need(not printed & set(means), "a printed hypothesis on what is random")
    need(not set(means.values()) & set(step["quantities"]), "a mean is a new letter")
    nothing = dict.fromkeys(means, 0)
    free = substitute(expr, nothing)
    slopes = {y: minus(substitute(expr, {**nothing, y: 1}), free) for y in means}
    linear = same(expr, ["+", free, *(["*", c, y] for y, c in slopes.items())])
    need(linear and step["says"][0] == ">=", "not linear in what is averaged")
    goal = ["+", ["*", by["mass"], free], *(["*", c, means[y]] for y, c in slopes.items())]
    states(statement, goal, "not the mean of the step")
    within(step, statement, [])
    chance = any(names(value) & set(means) for value in step.get("taken", {}).values())
    need(not chance, "a letter is taken at a random value")
    return [(step, means)]


def summation(statement: Record, by: Record, _known: Record) -> Cited:
    """closed(last) = total, where the letter total stands for the sum of term over first … last."""
    n, closed, term, signs = by["index"], by["closed"], by["term"], Signs(statement)
    free = statement["quantities"].get(by["total"]) == [None, False, None, False, False, True]
    need(free and not statement["given"], "the total of a sum is a measured letter, bound by nothing else")
    parts = set[str]().union(*(names(by[part]) for part in ("term", "closed", "first", "last")))
    need(not any(measured(statement, name) for name in parts), "a sum of measured letters")
    signs.safe(statement["says"][1])
    length = minus(by["last"], by["first"])
    need(signs.integral(length) and signs.holds(["+", length, 1], False), "a sum over no range of integers")
    first, later = {n: by["first"]}, {n: ["+", n, 1]}
    need(same(substitute(closed, first), substitute(term, first)), "the closed form starts wrongly")
    grows = same(minus(substitute(closed, later), closed), substitute(term, later))
    need(grows, "the closed form does not grow by the term")
    goal = minus(substitute(closed, {n: by["last"]}), by["total"])
    need(statement["says"][0] == "=" and same(statement["says"][1], goal), "not the sum in question")
    return []


RULES = {
    "identity": identity, "sum": summation, "combination": combination, "subdivision": subdivision,
    "cases": cases, "induction": induction, "integrate": integrate, "convex": convex,
    "expectation": expectation,
}  # fmt: skip


# ---- small exact models for witnesses: members of the class on the line, and finite laws


def exact(node: Ast) -> Q:
    """A closed rational expression as a fraction."""
    wellformed(node)
    num, den = map(constant, quotient(node))
    need(num is not None and den, f"not a rational number: {node}")
    return (num or Q(0)) / (den or Q(1))


def members(model: Record) -> dict[str, list[Interval]]:
    """The members of the class, each by the knots of h, l'(x) = mu x + h(x), which jumps at double knots.

    If h never decreases and stays in [-L/2, L/2], then l is L-Lipschitz and mu-strongly convex on [-R, R].
    """
    out = {name: [(exact(x), exact(h)) for x, h in raw] for name, raw in model.get("members", {}).items()}
    for name, knots in out.items():
        L, mu, (first, low), (last, high) = exact(model["L"]), exact(model["mu"]), knots[0], knots[-1]
        need(L > 0 and mu > 0 and -first == last == L / (2 * mu), f"{name} does not span the ball")
        rising = all(x <= y and h <= k for (x, h), (y, k) in pairwise(knots))
        need(rising and low >= -L / 2 and high <= L / 2, f"{name} is not in the class")
    return out


def laws(model: Record) -> dict[str, dict[str, Q]]:
    """The finite laws, each shown to be one."""
    out = {name: {k: exact(v) for k, v in raw.items()} for name, raw in model.get("laws", {}).items()}
    for name, law in out.items():
        need(min(law.values()) >= 0 and sum(law.values()) == 1, f"{name} is not a law")
    return out


def height(knots: list[Interval], x: Q, right: bool) -> Q:
    """h(x+) or h(x-); at the ends of the ball the only one there is."""
    at = [h for y, h in knots if y == x]
    between = [h + (k - h) * (x - a) / (b - a) for (a, h), (b, k) in pairwise(knots) if a < x < b]
    need(at or between, f"{x} lies outside the ball")
    return (at or between)[-1 if right else 0]


def area(knots: list[Interval], x: Q) -> Q:
    """The integral of h from the first knot to x."""
    cut = [*((y, h) for y, h in knots if y < x), (x, height(knots, x, False))]
    return sum(((h + k) / 2 * (b - a) for (a, h), (b, k) in pairwise(cut)), Q(0))


def observe(node: Ast, model: Record) -> Ast:
    """The expression with every model function replaced by its exact value."""
    if not isinstance(node, list) or not node or node[0] not in MODEL_FUNCTIONS:
        return [node[0], *(observe(a, model) for a in node[1:])] if isinstance(node, list) else node
    head, args = node[0], node[1:]
    if head in ("value", "left", "right"):
        knots, x, mu = members(model)[args[0]], exact(observe(args[1], model)), exact(model["mu"])
        at = mu * x * x / 2 + area(knots, x) - area(knots, Q(0))
        return str(at if head == "value" else mu * x + height(knots, x, head == "right"))
    p = laws(model)[args[0]]
    if head == "mass":
        return str(p.get(str(args[1]), Q(0)))
    q, factor = laws(model)[args[1]], exact(args[2]) if head == "hockey" else Q(1)
    return str(sum((max(p.get(k, Q(0)) - factor * q.get(k, Q(0)), Q(0)) for k in {*p, *q}), Q(0)))


def semidefinite(matrix: list[list[Q]]) -> bool:
    """Whether a symmetric matrix of fractions is positive semidefinite, by exact elimination."""
    if not matrix:
        return True
    (pivot, *row), rest = matrix[0], matrix[1:]
    if pivot < 0 or (pivot == 0 and any(row)):
        return False
    ratios = [y / (pivot or 1) for y in row]
    return semidefinite([[x - r[0] * y for x, y in zip(r[1:], ratios, strict=True)] for r in rest])


# ---- acceptance


MALFORMED = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError,
)  # fmt: skip


def guarded(accept: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with every accident of a malformed certificate turned into a rejection."""

    @wraps(accept)
    def run(*arguments: Any) -> Any:
        outer, Work.left = Work.left, min(Work.left, BUDGET)
        try:
            return accept(*arguments)
        except MALFORMED as accident:
            raise Rejected(f"malformed: {type(accident).__name__}: {str(accident)[:80]}") from None
        finally:
            Work.left = outer

    return run


def digest(statement: Record) -> str:
    """The name of a statement with its hypotheses: change either and certificates for it are stale."""
    return hashlib.sha256(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def meanings(statement: Record, by: Record) -> list[Any]:
    """What a step takes its letters to stand for: new ones, constant ones, those that move, those renamed."""
    rule, out = by["rule"], list[Any]()
    held = set(letters(statement))
    shown = [e for _, e, why in statement["given"] if why == "given"]
    printed = set[str]().union(*map(names, shown))
    if rule == "sum":
        out = [["is", by["total"], ["sum", *(by[k] for k in ("term", "index", "first", "last"))]]]
    if rule in ("integrate", "convex"):
        held = (held & (names(by["function"]) | printed)) - {by.get("rise")}
        out = [["constant", letter, by["variable"]] for letter in held]
    if rule == "integrate" and "rise" in by:
        out.append(["is", by["rise"], ["integral", *(by[k] for k in ("slope", "variable", "from", "to"))]])
    if rule == "expectation":
        held &= (names(statement["says"][1]) | printed) - set(by["means"].values())
        out = [["constant", letter, sorted(by["means"])] for letter in held]
        out += [["is", mean, ["mean", y, by["mass"]]] for y, mean in by["means"].items()]
    if rule == "induction":
        out = [["state", a, [by["index"], by["start"].get(a), b]] for a, b in by["next"].items()]
        stays = {n for n in names(by["invariant"]) | printed if measured(statement, n)} - set(by["next"])
        out += [["constant", letter, by["index"]] for letter in stays.union(by.get("fixed", []))]
    return out + written(statement, by.get("terms", []))


def written(statement: Record, terms: list[Any]) -> list[Any]:
    """The letters that are written for others in what is cited, whether or not they are left at the end."""
    pairs = [(a, b) for _, a, b in renamings(terms) if isinstance(b, list)]
    still = [["constant", n, a] for a, b in pairs for n in sorted(names(b)) if measured(statement, n)]
    return still + [["as", b, [key, a]] for key, a, b in renamings(terms) if measured(statement, b)]


def renamings(terms: list[Any]) -> list[tuple[str, str, Ast]]:
    """Which lemma's letter is written as what, hypotheses of lemmas included."""
    out = [(t["lemma"], a, b) for t in terms if "lemma" in t for a, b in t["with"].items() if a != b]
    return out + [r for t in terms for shown in t.get("because", {}).values() for r in renamings(shown)]


def facts_of(certificate: Record) -> list[Any]:
    """All that a proof takes for granted: facts not printed, where letters range, what new letters mean."""
    steps = certificate.get("steps", [])
    found = [fact for s in steps for fact in s["statement"]["given"] if fact[2] != "given"]
    found += [["in", name, domain] for s in steps for name, domain in s["statement"]["quantities"].items()]
    found += [meaning for s in steps for meaning in meanings(s["statement"], s["by"])]
    # A parameter that is set to what moves: states are taken along it.
    ways = [s["by"] for s in steps if s["by"]["rule"] == "induction"]
    moves = set[str]().union(*(names(["+", by["index"], *by["next"], *by["next"].values()]) for by in ways))
    cited = [r for s in steps for r in renamings(s["by"].get("terms", []))]
    found += [["along", a, [key, b]] for key, a, b in cited if names(b) & moves]
    if certificate.get("witness"):
        found += written(certificate["statement"], certificate["witness"].get("terms", []))
    return sorted({json.dumps(fact): fact for fact in found}.values(), key=json.dumps)


def placed(statement: Record, at: list[Any]) -> Record:
    """A claim with what its certificate tells: values of parameters, and domains of those not in it ("")."""
    values, gone = {(a, p): v for a, p, v in at if p}, {a: v for a, p, v in at if not p}
    return {**statement, "taken": values, "gone": gone}


@guarded
def accept_certificate(certificate: Record, lemmas: Record, at: Record) -> Any:
    """Accept a proof, a witness or an evaluation whose statement, facts and lemmas are those it names.

    `at` tells, of each lemma, at which values its letters are taken; what comes back tells it of this claim.
    """
    need(certificate["facts"] == facts_of(certificate), "the facts are not those that the steps use")
    named = {"statement": certificate["statement"], "facts": certificate["facts"]}
    need(certificate["hash"] == digest(named), "stale: the statement or its facts are not those certified")
    for key, name in certificate["lemmas"].items():
        need(key in lemmas and digest(lemmas[key]) == name, f"stale: the lemma {key} has changed")
    kinds = {"proof": accept_proof, "witness": accept_witness, "exact": accept_instance}
    used = {key: placed(lemmas[key], at.get(key, [])) for key in certificate["lemmas"]}
    return kinds[certificate["kind"]](certificate, used)


@guarded
def accept_proof(certificate: Record, lemmas: Record) -> list[Any]:
    """Accept the steps in order, the last of which states the claim; the values its letters are taken at."""
    known, domains = dict(lemmas), dict[str, Any]()
    for statement in [*lemmas.values(), *(step["statement"] for step in certificate["steps"])]:
        for name, domain in [*statement["quantities"].items(), *statement.get("gone", {}).items()]:
            need(domains.setdefault(name, domain) == domain, f"{name} has two domains")
    meant = [fact[1] for fact in facts_of(certificate) if fact[0] == "is"]
    need(len(meant) == len(set(meant)), "a letter has two meanings")
    for step in certificate["steps"]:
        wellformed_statement(step["statement"])
        need("exists" not in step["statement"], "a step says that something exists")
        need(step["by"]["rule"] in RULES, f"unknown rule {step['by']['rule']}")
        need(step["name"] not in known, f"the name {step['name']} is used twice")
        try:
            cited = RULES[step["by"]["rule"]](step["statement"], step["by"], known)
            some = any("exists" in source for source, _ in cited)
            need(not some, "what is cited says that something exists")
            if step["by"]["rule"] != "subdivision":
                Signs(step["statement"]).safe(step["statement"]["says"][1])
            values = taken(step["statement"], cited)
            # A lemma holds at every value of its own parameters; what a join binds is no such value.
            declared = set(step["statement"]["quantities"])
            gone = [v for (_, p), v in values.items() if v != p and not names(v) <= declared]
            bound = gone and step["by"]["rule"] != "combination"
            need(not bound, f"a letter is taken at a value that is gone: {gone[:1]}")
            known[step["name"]] = {**step["statement"], "taken": values}
        except Rejected as reason:
            raise Rejected(f"{step['name']}: {reason}") from None
    last = certificate["steps"][-1]
    need(last["statement"] == certificate["statement"], "the last step does not state the claim")
    values = known[last["name"]]["taken"]
    lost = set[str]().union(*map(names, values.values())) - set(last["statement"]["quantities"])
    told = [[a, p, v] for (a, p), v in values.items()] + [[name, "", domains[name]] for name in lost]
    return sorted(told, key=json.dumps)


def truth(relation: str, expr: Ast) -> bool:
    """Whether a closed relation holds; Rejected if no precision decides it."""
    Signs({"quantities": {}, "given": []}).safe(expr)
    if vanishes(expr):
        return relation != ">"
    positive = positive_constant(expr, True)
    need(positive or positive_constant(["*", -1, expr], True), f"cannot decide the sign of {expr}")
    return positive and relation != "="


def settled(expr: Ast, witness: Record) -> Ast:
    """The expression at the witness: values put in, model functions evaluated."""
    out = observe(substitute(expr, witness["values"]), witness.get("model", {}))
    wellformed(out)
    return out


def check_instance(statement: Record, witness: Record) -> set[str]:
    """Reject unless the instance lies in the domains and meets the hypotheses; names left open."""
    wellformed_statement(statement)
    model, values, quantities = witness.get("model", {}), witness["values"], statement["quantities"]
    members(model)
    laws(model)
    for name in {"L", "mu"} & set(model) & set(values):
        need(same(settled(name, witness), model[name]), f"the model has another {name}")
    left_open = set(quantities) - set(values)
    for expr, strict in [item for item in domain_relations(statement) if not names(item[0]) & left_open]:
        need(truth(">" if strict else ">=", settled(expr, witness)), f"outside the domain: {expr} >= 0")
    for name in [n for n in values if n in quantities and quantities[n][4]]:
        need(exact(settled(name, witness)).denominator == 1, f"{name} is no integer")
    basis = sorted({vector for n in values if n.startswith("<") for vector in n[1:-1].split(",")})
    gram = [[exact(settled(values.get(inner(a, b), 0), witness)) for b in basis] for a in basis]
    need(semidefinite(gram), "the inner products belong to no vectors")
    for rel, expr, why in statement["given"]:
        need(not names(expr) & left_open, f"a hypothesis is left open: {expr}")
        need(truth(rel, settled(expr, witness)), f"a hypothesis fails ({why}): {expr}")
    return left_open


@guarded
def accept_witness(certificate: Record, lemmas: Record) -> None:
    """Accept an instance inside the hypotheses at which the conclusion is false."""
    statement, witness = certificate["statement"], certificate["witness"]
    left_open, (relation, expr) = check_instance(statement, witness), statement["says"]
    failing = settled(expr, witness)
    need("exists" not in statement, "one instance does not refute that another exists")
    if not names(failing):
        return need(not truth(relation, failing), "the conclusion holds at the witness")
    # A quantity that only a lemma bounds: the negated conclusion is shown by a combination.
    need(relation == ">=", "only an inequality is refuted through a lemma")
    quantities = {name: statement["quantities"][name] for name in left_open}
    negated = {"quantities": quantities, "given": [], "says": [">", ["*", -1, failing]]}
    cited = combination(negated, {"terms": witness.get("terms", [])}, lemmas)
    for (_, name), value in taken(negated, cited).items():
        here = name not in witness["values"] or same(value, settled(name, witness))
        need(here, f"a lemma is taken at another {name} than the witness")
    for source, values in cited:
        need("exists" not in source, "what is cited says that something exists")
        for name in set(source["quantities"]) & set(witness["values"]):
            here = same(values.get(name, name), settled(name, witness))
            need(here, f"a lemma is taken at another {name} than the witness")


@guarded
def accept_instance(certificate: Record, _lemmas: Record) -> None:
    """Accept an instance inside the hypotheses at which the conclusion is true (a closed claim)."""
    statement, witness = certificate["statement"], certificate["witness"]
    need(statement.get("exists") is True, "one instance does not show a statement about all")
    need(not check_instance(statement, witness), "a quantity is left open")
    need(truth(statement["says"][0], settled(statement["says"][1], witness)), "the conclusion fails")
