"""Objects and the numbers that are built from them, each in one normal form: equal only if built alike.

Part of what must be trusted: standard library only. Letters stand for parameters (numbers anyone may choose),
for objects (losses, points, …, of a declared sort), or abbreviate a term. A vector is a combination of atoms,
a loss one of basic losses; inner products and values expand over them.

    vector   name · ["zero"] · ["e", i] · ["v+", u, …] · ["v*", c, u] · ["opt", f] · ["proj", u]
             ["grad", f, x] · ["grad", f, x, tag]
    loss     name · ["retain", D] · ["forget", D] · ["mix", r, f, g] · ["quad"] · ["lin", v] · ["cone", y]
             ["l+", f, …] · ["l*", c, f]
    problem  name · ["problem", retain loss, forget loss] · ["signs", m, f]: the hard family, each retain
             datum has the loss mu/2 |x|^2 - L/2 g <e_1, x> with a sign g = 1 or -1 of mean m, and so on
             the forget data with mean f
    number   ["in", u, v] · ["val", f, x]

    run      ["sgd", D, start, eta]: projected stochastic gradient descent on the retain loss of D, with step
             sizes eta in the index k_
    vector   ["iter", run, t]: its iterates · ["average", run, w, T]: their mean for t = 0 … T, weights w in
             k_ · ["out", A, D, T]: what A releases after T gradients · ["noise", law, scale, label]
    loss     ["draw", run, t]: the loss that is drawn at time t
    number   ["E", number]: the mean over all that is random · ["sum", number in k_, T]: over k_ = 0 … T

    algorithm  name · ["rule", vector in D_]: on the problem D_ it releases that vector
    number   ["worst", A, T]: the largest mean excess retain loss of A after T gradients, over the problems
             ["least", sort, r, eps, delta, T]: the infimum of that over the algorithms of a sort, where r is
             the forget fraction · ["spread", r]: the largest distance of the minimisers of two mixtures
             that share the retain loss · ["time", sort, r, eps, delta, e]: the least T with which some
             algorithm of a sort has worst risk at most e, 0 if there is none (there is one for e > 0)

    event    name · ["not", S]: a set of outcomes
    law      vector: its law · ["coins", T, u]: how many of T signs of mean u are 1
    number   ["P", law, S]: the probability · ["tv", law, law]: total variation, the largest P(S) - Q(S)
             ["dP", ["coins", T, u], S]: the derivative of the probability in u

["quad"] is mu/2 |x|^2, ["lin", v] is <v, x>, ["cone", y] is |x - y|. A gradient is a subgradient; different
tags may choose different ones, and the tag f belongs to the minimiser of f: see STATIONARY in schemas.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from typing import TYPE_CHECKING, Any, Protocol

from oubli.theory.kernel.poly import MINUS, ONE, Ast, Mono, Poly, need, spend

if TYPE_CHECKING:
    from oubli.theory.kernel.classes import Class

Atom = Any
Combination = dict[Atom, Poly]
Frozen = frozenset[Any]
SUPREMA = ("worst", "least", "spread", "time")
CHANCES = ("P", "dP", "tv")
NUMBERS = ("in", "val", "E", "sum", *SUPREMA, *CHANCES)
FIXED = ("E", "worst", *CHANCES)  # numbers of what is random that are not random themselves
CHANCE = ("random", "iter", "average", "draw", "out", "noise", "drawn")  # atoms that are random
VECTORS = ("zero", "e", "v+", "v*", "opt", "proj", "grad", "iter", "average", "out", "noise")
LOSSES = ("retain", "forget", "mix", "quad", "lin", "cone", "l+", "l*", "draw")
HEADS = (*NUMBERS, *VECTORS, *LOSSES, "problem", "signs", "sgd", "rule", "coins", "not")
POINT, RANDOM, LOSS, PROBLEM, EVENT = "point", "random", "loss", "problem", "event"
# Algorithms that see theta* and T gradients of the retain loss and release a point of the ball: any, those
# that are (epsilon, delta)-unlearning at forget fraction r, and those that do not look at theta*. Each of
# these is one of those before it.
ALGORITHMS = ALGORITHM, UNLEARNER, LEARNER = "algorithm", "unlearner", "learner"
SORTS = (POINT, RANDOM, LOSS, PROBLEM, EVENT, *ALGORITHMS)
WORDS = {*SORTS, "gauss", "radial"}  # no letter is called so: these stand inside terms
INDEX = "k_"  # the index of sums, weights and step sizes, which bind it
DATA = "D_"  # the problem that a rule is given, which it binds
HIDDEN = {INDEX: ".", DATA: ":"}
# Where each of them has what it binds a name in, and the name.
BINDERS = {"sum": (1, INDEX), "average": (2, INDEX), "sgd": (3, INDEX), "rule": (1, DATA)}


class Reads(Protocol):
    """What reads numbers and knows the sorts of names."""

    theory: Class

    def read(self, node: Ast) -> Poly:
        """The polynomial of an expression."""
        ...

    def sort(self, name: Ast) -> str:
        """The sort of a name that stands for an object."""
        ...

    def meaning(self, name: Ast) -> Ast:
        """What a name abbreviates, or the name."""
        ...

    def measured(self, node: Ast) -> bool:
        """Whether a node is a letter that stands for something of the problem."""
        ...

    def put(self, node: Ast, values: Mapping[str, Any]) -> Ast:
        """An expression with names replaced."""
        ...

    def whole(self, node: Ast) -> bool:
        """Whether an expression is a sum of products of integers."""
        ...


def add(total: Combination, atom: Atom, c: Poly) -> None:
    """Add a multiple of an atom."""
    new = total.get(atom, Poly()) + c
    if new:
        total[atom] = new
    else:
        total.pop(atom, None)


def combined(parts: list[tuple[Poly, Combination]]) -> Combination:
    """A sum of multiples."""
    out: Combination = {}
    for c, part in parts:
        spend(len(part))
        for atom, k in part.items():
            add(out, atom, c * k)
    return out


def frozen(combination: Combination) -> Frozen:
    """A combination as an atom's part."""
    return frozenset((atom, frozenset(c.items())) for atom, c in combination.items())


def vector(proof: Reads, node: Ast) -> Combination:
    """A vector over its atoms."""
    spend(1)
    node = proof.meaning(node)
    if isinstance(node, str):
        need(proof.sort(node) in (POINT, RANDOM), f"{node!r:.60} is no vector")
        return {(proof.sort(node), node): ONE}
    head, args = node[0], node[1:]
    if head == "v+" or head == "zero":
        return combined([(ONE, vector(proof, u)) for u in args])
    if head == "e":
        need(type(args[0]) is int and args[0] > 0 and not args[1:], "not a basis vector")
        return {("e", args[0]): ONE}
    if head == "v*":
        c, u = args
        return combined([(proof.read(c), vector(proof, u))])
    if head == "opt":
        (f,) = args
        return {("opt", frozen(loss(proof, f))): ONE}
    if head == "proj":
        (u,) = args
        return {("proj", frozen(vector(proof, u))): ONE}
    if head == "out":
        return output(proof, *args)
    if head in proof.theory.terms:
        need(proof.theory.terms[head][0] != "measure", f"{head!r:.60} is no vector")
        return {built(proof, *node): ONE}
    if head in CHANCE:
        return {process(proof, head, *args): ONE}
    need(head == "grad" and len(args) in (2, 3), f"unknown vector {head!r:.60}")
    tag = frozen(loss(proof, args[2])) if args[2:] else None
    return gradient(proof, loss(proof, args[0]), vector(proof, args[1]), tag)


def gradient(proof: Reads, parts: Combination, x: Combination, tag: Frozen | None) -> Combination:
    """The gradient of a loss, basic loss by basic loss."""
    out: list[tuple[Poly, Combination]] = []
    for atom, c in parts.items():
        if atom == ("quad",):
            out.append((c * proof.read("mu"), x))
        elif atom[0] == "lin":
            out.append((c, {atom[1]: ONE}))
        else:
            out.append((c, {("grad", atom, frozen(x), tag): ONE}))
    return combined(out)


def loss(proof: Reads, node: Ast) -> Combination:
    """A loss over basic losses."""
    spend(1)
    node = proof.meaning(node)
    if isinstance(node, str):
        need(proof.sort(node) == LOSS, f"{node!r:.60} is no loss")
        return {(LOSS, node): ONE}
    head, args = node[0], node[1:]
    if head in ("retain", "forget"):
        part = part_of(proof, *node)
        named = part == [head, proof.meaning(args[0])]
        return {(head, part[1]): ONE} if named else loss(proof, part)
    if head == "draw":
        return {process(proof, *node): ONE}
    if head == "l+":
        return combined([(ONE, loss(proof, f)) for f in args])
    if head == "l*":
        c, f = args
        return combined([(proof.read(c), loss(proof, f))])
    if head == "mix":
        r, f, g = args
        weight = proof.read(r)
        return combined([(weight, loss(proof, f)), (ONE + weight * MINUS, loss(proof, g))])
    if head == "lin":
        (v,) = args
        return {("lin", atom): c for atom, c in vector(proof, v).items()}
    need(head in ("quad", "cone") and len(args) == (head == "cone"), f"unknown loss {head!r:.60}")
    return {("cone", frozen(vector(proof, args[0]))): ONE} if args else {("quad",): ONE}


def part_of(proof: Reads, head: str, D: Ast) -> Ast:
    """The retain or the forget loss of a problem: its own where it is explicit."""
    D = proof.meaning(D)
    if isinstance(D, str):
        need(proof.sort(D) == PROBLEM, f"{D!r:.60} is no problem")
        return [head, D]
    name, retained, forgotten = D
    need(name in ("problem", "signs"), "not a problem")
    part = proof.meaning(retained if head == "retain" else forgotten)
    return part if name == "problem" else hard(part)


def hard(m: Ast) -> Ast:
    """The mean loss of the hard family where the signs have mean m."""
    return ["l+", ["quad"], ["l*", -1, ["lin", ["v*", ["*", "1/2", "L", m], ["e", 1]]]]]


def inner(u: Combination, v: Combination) -> Poly:
    """The inner product of two combinations."""
    out = Poly()
    for a, c in u.items():
        for b, k in v.items():
            out += c * k * product(a, b)
    return out


def product(a: Atom, b: Atom) -> Poly:
    """The inner product of two atoms: those of the basis are orthonormal."""
    if a[0] == b[0] == "e":
        return ONE if a == b else Poly()
    return Poly.of("in", frozenset({a, b}))


def process(proof: Reads, head: str, *args: Ast) -> Atom:
    """A random vector or loss as an atom."""
    if head in ("iter", "draw"):
        at, t = args
        return (head, run(proof, at), time(proof, t))
    if head == "average":
        at, w, T = args
        return (head, run(proof, at), bound(figure(proof, w), INDEX), time(proof, T))
    law, scale, label = args
    need(head == "noise" and law in ("gauss", "radial") and type(label) is int, f"unknown noise {law!r:.60}")
    size = figure(proof, scale)
    need(not is_random(size), "the scale of the noise is random")
    return (head, law, size, label)


def built(proof: Reads, head: str, *args: Ast) -> Atom:
    """A vector ("made", or "drawn" if random) or a number of the class, by what it is built from."""
    kind, *asked = proof.theory.terms[head]
    return (kind, head, *((a, part(proof, a, x)) for a, x in zip(asked, args, strict=True)))


def part(proof: Reads, sort: str, node: Ast) -> Frozen:
    """A loss, vector, number or time as an atom's part."""
    if sort in ("loss", "vector"):
        return frozen(loss(proof, node) if sort == "loss" else vector(proof, node))
    return time(proof, node) if sort == "time" else figure(proof, node)


def output(proof: Reads, A: Ast, D: Ast, T: Ast) -> Combination:
    """What an algorithm releases: an explicit rule, the vector that it says."""
    A, given, steps = proof.meaning(A), problem(proof, D), time(proof, T)
    if isinstance(A, list):
        need(not mentions(given, INDEX), "the index is bound")
        return vector(proof, proof.put(body(A), {DATA: D}))
    need(proof.sort(A) in ALGORITHMS, f"{A!r:.60} is no algorithm")
    return {("out", A, given, steps): ONE}


def body(A: Ast) -> Ast:
    """What an explicit rule releases."""
    need(A[0] == "rule" and len(A) == 2, f"unknown algorithm {A[0]!r:.60}")
    return A[1]


def algorithm(proof: Reads, A: Ast) -> Any:
    """An algorithm as an atom's part."""
    A = proof.meaning(A)
    if isinstance(A, list):
        return ("rule", bound(frozen(vector(proof, body(A))), DATA))
    need(proof.sort(A) in ALGORITHMS, f"{A!r:.60} is no algorithm")
    return A


def supremum(proof: Reads, head: str, *args: Ast) -> Poly:
    """A supremum or infimum over the class."""
    if head == "worst":
        A, T = args
        return Poly.of(head, algorithm(proof, A), time(proof, T))
    if head == "spread":
        (r,) = args
        return Poly.of(head, figure(proof, r))
    sort, r, eps, delta, last = args
    need(sort in ALGORITHMS, f"unknown sort {sort!r:.60}")
    end = figure(proof, last) if head == "time" else time(proof, last)
    return Poly.of(head, sort, *(figure(proof, x) for x in (r, eps, delta)), end)


def figure(proof: Reads, node: Ast) -> Frozen:
    """A number as an atom's part."""
    return frozenset(proof.read(node).items())


def bound(part: Any, name: str) -> Any:
    """A part with a bound name hidden: from outside it is no letter."""
    if isinstance(part, (tuple, frozenset)):
        return type(part)(bound(p, name) for p in part)
    return HIDDEN[name] if part == name else part


def time(proof: Reads, node: Ast) -> Frozen:
    """A whole number as an atom's part."""
    need(proof.whole(node), "a time is no integer")
    return figure(proof, node)


def run(proof: Reads, node: Ast) -> Atom:
    """A run as an atom's part."""
    head, D, start, eta = proof.meaning(node)
    need(head == "sgd", f"unknown run {head!r:.60}")
    return (head, problem(proof, D), frozen(vector(proof, start)), bound(figure(proof, eta), INDEX))


def problem(proof: Reads, D: Ast) -> Atom:
    """A problem as an atom's part: by its two losses, or as one of the hard family."""
    D = proof.meaning(D)
    if D[0] == "signs":
        return ("signs", *(figure(proof, m) for m in D[1:]))
    return tuple(frozen(loss(proof, [head, D])) for head in ("retain", "forget"))


def law(proof: Reads, node: Ast) -> Atom:
    """A law as an atom's part."""
    node = proof.meaning(node)
    if node[0] == "coins":
        _, T, u = node
        return ("coins", time(proof, T), figure(proof, u))
    return frozen(vector(proof, node))


def chance(proof: Reads, head: str, first: Ast, second: Ast) -> Poly:
    """The probability of an event, its derivative, or a total variation, which is 0 from a law to itself."""
    one = law(proof, first)
    if head == "tv":
        return Poly.of(head, pair) if len(pair := frozenset({one, law(proof, second)})) == 2 else Poly()
    need(head == "P" or one[:1] == ("coins",), "no law with a parameter")
    S = proof.meaning(second)
    if S[0] == "not":
        return (ONE if head == "P" else Poly()) + MINUS * chance(proof, head, first, *S[1:])
    need(proof.sort(S) == EVENT, f"{S!r:.60} is no event")
    return Poly.of(head, one, S)


def mean(p: Poly) -> Poly:
    """The mean of a polynomial: what is not random is taken out."""
    out = Poly()
    for mono, c in p.items():
        chance = frozenset((gen, k) for gen, k in mono if is_random(gen))
        out += Poly({mono - chance: c}) * (averaged(chance) if chance else ONE)
    return out


def averaged(chance: Mono) -> Poly:
    """The mean of a random monomial: that of a sum is the sum of the means."""
    ((gen, k), *more) = chance
    if gen[0] == "sum" and k == 1 and not more:
        return total(mean(Poly(dict(gen[1]))), gen[2])
    return Poly.of("E", chance)


def total(p: Poly, last: Frozen) -> Poly:
    """The sum of a polynomial over the index: what does not depend on it is taken out."""
    out = Poly()
    for mono, c in p.items():
        moving = frozenset((gen, k) for gen, k in mono if mentions(gen, INDEX))
        out += Poly({mono - moving: c}) * Poly.of("sum", frozenset({(moving, Q(1))}), last)
    return out


def mentions(part: Any, name: str) -> bool:
    """Whether a generator, or a part of one, has a name in it."""
    return part == name or (
        isinstance(part, tuple | frozenset | list) and any(mentions(p, name) for p in part)
    )


def is_random(part: Any) -> bool:
    """Whether a generator, or a part of one, speaks of something random; a mean or a chance does not."""
    if isinstance(part, tuple) and part[:1] and part[0] in FIXED:
        return False
    if isinstance(part, tuple) and part[:1] and part[0] in CHANCE:
        return True
    return isinstance(part, (tuple, frozenset)) and any(map(is_random, part))


def number(proof: Reads, node: Ast) -> Poly:
    """An inner product, the value of a loss, a mean, a sum, a supremum or a chance, over atoms."""
    if node[0] in proof.theory.terms:
        return Poly.of(*built(proof, *node))
    if node[0] in SUPREMA:
        return supremum(proof, *node)
    if node[0] in CHANCES:
        return chance(proof, *node)
    if node[0] == "E":
        (of,) = node[1:]
        return mean(proof.read(of))
    if node[0] == "sum":
        of, last = node[1:]
        return total(proof.read(of), time(proof, last))
    head, first, second = node
    if head == "in":
        return inner(vector(proof, first), vector(proof, second))
    x, out = vector(proof, second), Poly()
    for atom, c in loss(proof, first).items():
        out += c * value(proof, atom, x)
    return out


def value(proof: Reads, atom: Atom, x: Combination) -> Poly:
    """A basic loss at a point."""
    if atom == ("quad",):
        return proof.read(["*", "1/2", "mu"]) * inner(x, x)
    if atom[0] == "lin":
        return inner({atom[1]: ONE}, x)
    if atom[0] == "cone":
        apart = combined([(ONE, x), (MINUS, {a: Poly(dict(c)) for a, c in atom[1]})])
        return inner(apart, apart).through("sqrt")
    return Poly.of("val", atom, frozen(x))
