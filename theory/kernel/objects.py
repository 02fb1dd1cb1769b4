"""Objects and the numbers that are built from them, each in one normal form: equal only if built alike.

Part of what must be trusted: standard library only. Letters stand for parameters (numbers anyone may choose),
for objects (losses, points, …, of a declared sort), or abbreviate a term. A vector is a combination of atoms,
a loss one of basic losses; inner products and values expand over them.

    vector   name · ["zero"] · ["e", i] · ["v+", u, …] · ["v*", c, u] · ["opt", f] · ["proj", u]
             ["grad", f, x] · ["grad", f, x, tag]
    loss     name · ["retain", D] · ["forget", D] · ["mix", r, f, g] · ["quad"] · ["lin", v] · ["cone", y]
             ["l+", f, …] · ["l*", c, f] · ["max", v, a, c, w, b, e, …]
    problem  name · ["problem", retain loss, forget loss]: all retain data have the one loss, all forget data
             the other · ["signs", m, f]: the hard family, each retain
             datum has the loss mu/2 |x|^2 - L/2 g <e_1, x> with a sign g = 1 or -1 of mean m, and so on
             the forget data with mean f · ["tosses", u, f]: each retain datum has the loss mu/2 |x|^2 -
             L/2 <s, x>, where the d coordinates of s are independent, 1/sqrt(d) or -1/sqrt(d), and E s = u,
             the forget data mu/2 |x|^2 - L/2 <f, x> · ["rarely", a, f, D, h]: a share a of the retain data
             of D has the loss f instead; the forget loss is h · ["turns", m, n, s, f]: ["signs", m, f], but
             where <e_1, x> > R s the signs have mean n <= m, R = L/(2 mu): a share (m - n)/2 of the retain
             data has the loss mu/2 |x|^2 + L/2 |<e_1, x> - R s|, which shows at its turn a slope of one side
    number   ["in", u, v] · ["val", f, x]

    run      ["sgd", D, start, eta]: projected stochastic gradient descent on the retain loss of D, with step
             sizes eta in the index k_
    vector   ["iter", run, t]: its iterates · ["average", run, w, T]: their mean for t = 0 … T, weights w in
             k_ · ["out", A, D, T]: what A releases after T gradients · ["noise", law, scale, label]
             ["stair", eps, s, q, label]: noise z of a density proportional to e^(-k eps), k = 0, 1, … least
             with |z| <= (q + k) s
             ["common", u, v]: a draw of its own from what the laws of u and v have in common, min(P, Q)/
             (1 - TV); from some law if they have nothing
             ["axis", t]: the unit vectors of the d coordinates, of period d in t
             ["cut", c, u]: the projection on the ball of radius c around 0 · ["ones"]: all coordinates are 1
             ["box", a, b, w]: each coordinate is a + (b - a) times that of w, a point of the cube [0, 1]^d
             ["set", w, t, c]: such a point with another coordinate t
             ["response", p, w, u, v]: u with probability p if w > 0, with 1 - p if not; else v
    loss     ["draw", run, t]: the loss that is drawn at time t
    number   ["E", number]: the mean over all that is random · ["sum", number in k_, T]: over k_ = 0 … T

    algorithm  name · ["rule", vector in D_, T_]: on the problem D_ it releases that vector after T_ gradients
    number   ["worst", A, T]: the largest mean excess retain loss of A after T gradients, over the problems
             ["least", sort, r, eps, delta, T]: the infimum of that over the algorithms of a sort, where r is
             the forget fraction · ["spread", r]: the largest distance of the minimisers of two mixtures
             that share the retain loss · ["time", sort, r, eps, delta, e]: the least T with which some
             algorithm of a sort has worst risk at most e, 0 if there is none (there is one for e > 0)

    u_, e_   any two orthonormal vectors · ["spun", number]: its mean over all such pairs, with the one law
             that rotations leave as it is, for d >= 2; for d = 1, of what has u_ alone, over u_ = 1 and -1
    b_       any vector · ["inside", A, number]: its mean over b_ in the ball of radius A around 0, by volume
    number   ["cap", n, k, i]: for the angle w of two independent directions in R^n, the mean of 1, cos(w),
             sin(w), i = 0, 1, 2, over the cap where cos(w) >= k sin(w); for n = 1 and k < 0 over everything

    number   ["shells", eps, q, n]: the sum of e^(-k eps) (q + k)^n over k = 0, 1, …

    w_, s_   any point of the cube [0, 1]^d, and a number · ["cubed", number]: its mean over the cube and over
             s_ in [-1, 1], both uniform and independent; the number is bounded

    event    name · ["not", S]: a set of outcomes · ["beyond", h, c]: the x with <x, h> > c
             ["count", k]: of signs, that k are 1
    law      vector: its law · ["coins", T, u]: how many of T signs of mean u are 1
    number   ["P", law, S]: the probability · ["tv", law, law]: total variation, the largest P(S) - Q(S)
             ["dP", ["coins", T, u], S]: the derivative of the probability in u
             ["dE", number]: for what is released on one hard problem, the derivative of the mean in the
             mean of the signs of the retain data, while those of the forget data keep theta* where it is
             if the algorithm looks at it · ["dE", number, t]: the same for coordinate t of the mean of coins
             ["info", a, b, w, t]: 1/(1 - d u^2) for coordinate t of ["box", a, b, w] if d a^2 < 1 and
             d b^2 < 1, else 0

["quad"] is mu/2 |x|^2, ["lin", v] is <v, x>, ["cone", y] is |x - y|, ["max", …] the largest of <v, x> + a,
<w, x> + b, … (c, e, … are multipliers for members.py alone). A gradient is a subgradient; different tags may
choose different ones, and the tag f belongs to the minimiser of f: see STATIONARY in schemas.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from oubli.theory.kernel.poly import MINUS, ONE, Ast, Exact, Mono, Poly, need, spend

if TYPE_CHECKING:
    from oubli.theory.kernel.classes import Class

Atom = Any
Combination = dict[Atom, Poly]
Frozen = frozenset[Any]
once = lru_cache(1 << 15)  # parts never change and come again and again: what is found out about them is kept
SUPREMA = ("worst", "least", "spread", "time")
CHANCES = ("P", "dP", "tv")
NUMBERS = ("in", "val", "E", "dE", "sum", "spun", "cubed", "inside", "cap", "info", "shells",
           *SUPREMA, *CHANCES)  # fmt: skip
WILD = ("inv", "log", "noise", "stair", "shells", *SUPREMA)  # what need not be bounded
FIXED = ("E", "dE", "worst", *CHANCES)  # numbers of what is random that are not random themselves
# Atoms that are random.
CHANCE = ("random", "iter", "average", "draw", "out", "noise", "stair", "common", "drawn", "response")
ANYWHERE = ("random", "noise", "stair", "drawn")  # those that are not bounded
# How many arguments a head may take; a sum and a maximum any number.
ARITY = {
    **dict.fromkeys(("zero", "quad", "ones"), (0,)),
    **dict.fromkeys(("E", "spun", "cubed", "spread", "e", "opt", "proj", "axis", "retain", "forget", "lin",
                     "cone", "rule", "not", "count"), (1,)),
    **dict.fromkeys(("in", "val", "sum", "worst", *CHANCES, "v*", "iter", "common", "cut", "l*", "draw",
                     "problem", "signs", "tosses", "coins", "beyond", "inside"), (2,)),
    **dict.fromkeys(("cap", "shells", "average", "out", "noise", "mix", "sgd", "box", "set"), (3,)),
    **dict.fromkeys(("stair", "rarely", "turns", "response", "info"), (4,)),
    **dict.fromkeys(("least", "time"), (5,)), "dE": (1, 2), "grad": (2, 3),
}  # fmt: skip
HEADS = (*ARITY, "v+", "l+", "max")
POINT, RANDOM, LOSS, PROBLEM, EVENT = "point", "random", "loss", "problem", "event"
# Algorithms that see theta* and T gradients of the retain loss and release a point of the ball: any, those
# that are (epsilon, delta)-unlearning at forget fraction r, and those that do not look at theta*. Each of
# these is one of those before it.
ALGORITHMS = ALGORITHM, UNLEARNER, LEARNER = "algorithm", "unlearner", "learner"
DIRECTION, CUBE = "direction", "cube"  # u_ and e_ alone; w_ alone
SORTS = (POINT, RANDOM, LOSS, PROBLEM, EVENT, *ALGORITHMS, DIRECTION, CUBE)
WORDS = {*SORTS, "gauss", "radial"}  # no letter is called so: these stand inside terms
INDEX = "k_"  # the index of sums, weights and step sizes, which bind it
DATA, CLOCK = "D_", "T_"  # the problem that a rule is given, and how many gradients: it binds both
FRAME = ("u_", "e_")  # what a mean over orthonormal pairs binds
INNER = ("w_", "s_")  # what a mean over the cube binds
PLACE = "b_"  # what a mean over a ball binds
MOVING = (*FRAME, *INNER, PLACE)  # what means over places bind
HIDDEN = {INDEX: ".", DATA: ":", CLOCK: ".:", "u_": "..", "e_": "::", "w_": "...", "s_": ":::", PLACE: "::::"}
# Where each of them has what it binds names in, and the names.
BINDERS = {
    "sum": (1, (INDEX,)), "average": (2, (INDEX,)), "sgd": (3, (INDEX,)), "rule": (1, (DATA, CLOCK)),
    "spun": (1, FRAME), "cubed": (1, INNER), "inside": (2, (PLACE,)),
}  # fmt: skip


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


def term(proof: Reads, node: Ast) -> Ast:
    """What a name abbreviates, or a term, which has as many arguments as its head takes."""
    node = proof.meaning(node)
    if isinstance(node, list):
        count = len(node) - 1
        need(count in ARITY.get(node[0], (count,)), f"not the arguments of {node[0]!r:.60}")
    return node


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
    node = term(proof, node)
    if isinstance(node, str):
        need(proof.sort(node) in (POINT, RANDOM, DIRECTION, CUBE), f"{node!r:.60} is no vector")
        return {(proof.sort(node), node): ONE}
    head, args = node[0], node[1:]
    if head == "ones":
        return {("ones",): ONE}
    if head == "v+" or head == "zero":
        return combined([(ONE, vector(proof, u)) for u in args])
    if head == "e":
        need(type(args[0]) is int and args[0] > 0, "not a basis vector")
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
    if head == "cut":
        c, u = args
        return {("cut", figure(proof, c), frozen(vector(proof, u))): ONE}
    if head == "axis":
        (t,) = args
        return {("axis", time(proof, t)): ONE}
    if head in ("box", "set"):
        return (boxed if head == "box" else placed)(proof, *args)
    if head == "out":
        return output(proof, *args)
    if head in proof.theory.terms:
        need(proof.theory.terms[head][0] != "measure", f"{head!r:.60} is no vector")
        return {built(proof, *node): ONE}
    if head in CHANCE:
        return {process(proof, head, *args): ONE}
    need(head == "grad", f"unknown vector {head!r:.60}")
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
    node = term(proof, node)
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
    if head == "max":
        return {
            ("max", frozenset((frozen(vector(proof, v)), figure(proof, a)) for v, a, _ in pieces(node))): ONE
        }
    need(head in ("quad", "cone"), f"unknown loss {head!r:.60}")
    return {("cone", frozen(vector(proof, args[0]))): ONE} if args else {("quad",): ONE}


def pieces(node: Ast) -> list[tuple[Ast, Ast, Ast]]:
    """The affine functions of which a loss is the largest: <v, x> + a and a multiplier, for each."""
    found = list(zip(*[iter(node[1:])] * 3, strict=True))
    need(node[0] == "max" and found, "not the largest of affine functions")
    return found


def part_of(proof: Reads, head: str, D: Ast) -> Ast:
    """The retain or the forget loss of a problem: its own where it is explicit."""
    D = term(proof, D)
    if isinstance(D, str):
        need(proof.sort(D) == PROBLEM, f"{D!r:.60} is no problem")
        return [head, D]
    if D[0] == "rarely":
        _, a, f, before, h = D
        return ["mix", a, f, ["retain", before]] if head == "retain" else proof.meaning(h)
    if D[0] == "turns":
        return turned(*D[1:]) if head == "retain" else hard(["v*", D[4], ["e", 1]])
    name, retained, forgotten = D
    need(name in ("problem", "signs", "tosses"), "not a problem")
    part = proof.meaning(retained if head == "retain" else forgotten)
    return part if name == "problem" else hard(["v*", part, ["e", 1]] if name == "signs" else part)


def hard(u: Ast) -> Ast:
    """The mean loss of the hard families where the signs have mean u."""
    return ["l+", ["quad"], ["l*", -1, ["lin", ["v*", ["*", "1/2", "L"], u]]]]


def turned(m: Ast, n: Ast, s: Ast, f: Ast) -> Ast:
    """The mean retain loss where the signs have mean m up to a turn, and n beyond it."""
    falls = ["*", "1/2", "L", ["+", m, ["*", -1, n]]]
    beyond = ["v*", falls, ["e", 1]], ["*", "-1/2", "L", ["^", "mu", -1], s, falls], 0
    return [*hard(["v*", m, ["e", 1]]), ["max", ["zero"], 0, 0, *beyond]]


def inner(u: Combination, v: Combination) -> Poly:
    """The inner product of two combinations."""
    out = Poly()
    for a, c in u.items():
        for b, k in v.items():
            out += c * k * product(a, b)
    return out


def boxed(proof: Reads, a: Ast, b: Ast, w: Ast) -> Combination:
    """The point of the cube [a, b]^d that lies as w does in [0, 1]^d."""
    low, side = proof.read(a), proof.read(b) + proof.read(a) * MINUS
    return combined([(low, {("ones",): ONE}), (side, cell(proof, w))])


def placed(proof: Reads, w: Ast, t: Ast, c: Ast) -> Combination:
    """A point of the cube with another coordinate t."""
    there, place = cell(proof, w), {("axis", time(proof, t)): ONE}
    need(c in (0, 1), "not an end of the cube")
    return combined([(ONE, there), (proof.read(c) + MINUS * inner(there, place), place)])


def cell(proof: Reads, w: Ast) -> Combination:
    """A point of the cube [0, 1]^d: the arbitrary one, or with a coordinate set."""
    w = proof.meaning(w)
    need(proof.sort(w) == CUBE if isinstance(w, str) else w[0] == "set", "not a point of the cube")
    return vector(proof, w)


def product(a: Atom, b: Atom) -> Poly:
    """The inner product of two atoms: those of the basis are orthonormal."""
    if {a[0], b[0]} == {"axis", "ones"}:
        return ONE
    if a[0] == b[0] in ("e", DIRECTION) or (a == b and a[0] == "axis"):
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
    if head == "response":
        p, w, u, v = args
        decides = figure(proof, p), figure(proof, w)
        need(not any(map(is_random, decides)), "what decides is random")
        return (head, *decides, frozen(vector(proof, u)), frozen(vector(proof, v)))
    if head == "common":
        one, other = args
        return (head, frozenset(frozen(vector(proof, u)) for u in (one, other)))
    if head == "stair":
        *sizes, label = args
        eps, s, q = (figure(proof, x) for x in sizes)
        need(type(label) is int and not any(map(is_random, (eps, s, q))), "not a staircase of fixed size")
        return (head, eps, s, q, label)
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
        return vector(proof, proof.put(body(A), {DATA: D, CLOCK: T}))
    need(proof.sort(A) in ALGORITHMS, f"{A!r:.60} is no algorithm")
    return {("out", A, given, steps): ONE}


def body(A: Ast) -> Ast:
    """What an explicit rule releases."""
    need(A[0] == "rule" and len(A) == 2, f"unknown algorithm {A[0]!r:.60}")
    return A[1]


def after(proof: Reads, A: Ast, T: Ast) -> Ast:
    """An algorithm as it is after T gradients: an explicit rule may release something else at each time."""
    time(proof, T)  # no random number, and none of the data
    return ["rule", proof.put(body(A), {CLOCK: T})] if isinstance(A, list) else A


def algorithm(proof: Reads, A: Ast) -> Any:
    """An algorithm as an atom's part."""
    A = proof.meaning(A)
    if isinstance(A, list):
        return ("rule", bound(bound(frozen(vector(proof, body(A))), DATA), CLOCK))
    need(proof.sort(A) in ALGORITHMS, f"{A!r:.60} is no algorithm")
    return A


def supremum(proof: Reads, head: str, *args: Ast) -> Poly:
    """A supremum or infimum over the class."""
    if head == "worst":
        A, T = args
        return Poly.of(head, algorithm(proof, after(proof, proof.meaning(A), T)), time(proof, T))
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


@once
def bound(part: Any, name: str) -> Any:
    """A part with a bound name hidden: from outside it is no letter."""
    if isinstance(part, (tuple, frozenset)):
        return type(part)(bound(p, name) for p in part)
    return HIDDEN[name] if part == name else part


def time(proof: Reads, node: Ast) -> Frozen:
    """A whole number that is not random as an atom's part."""
    need(proof.whole(node), "a time is no integer")
    found = figure(proof, node)
    need(not is_random(found), "a time is random")
    return found


def run(proof: Reads, node: Ast) -> Atom:
    """A run as an atom's part."""
    head, D, start, eta = term(proof, node)
    need(head == "sgd", f"unknown run {head!r:.60}")
    return (head, problem(proof, D), frozen(vector(proof, start)), bound(figure(proof, eta), INDEX))


def problem(proof: Reads, D: Ast) -> Atom:
    """A problem as an atom's part: by its name, by its two losses, or as one of the hard family.

    A name may stand for random data: it is not the problem whose data all have the mean loss of these.
    """
    D = term(proof, D)
    if isinstance(D, str):
        need(proof.sort(D) == PROBLEM, f"{D!r:.60} is no problem")
        return (PROBLEM, D)
    if D[0] in ("signs", "turns"):
        return (D[0], *(figure(proof, m) for m in D[1:]))
    if D[0] == "tosses":
        return ("tosses", *(frozen(vector(proof, u)) for u in D[1:]))
    if D[0] == "rarely":
        _, a, f, before, h = D
        parts = figure(proof, a), frozen(loss(proof, f)), problem(proof, before), frozen(loss(proof, h))
        return ("rarely", *parts)
    return tuple(frozen(loss(proof, [head, D])) for head in ("retain", "forget"))


def law(proof: Reads, node: Ast) -> Atom:
    """A law as an atom's part."""
    node = term(proof, node)
    if node[0] == "coins":
        _, T, u = node
        mean_of_a_sign = figure(proof, u)
        need(not is_random(mean_of_a_sign), "the mean of a sign is random")
        return ("coins", time(proof, T), mean_of_a_sign)
    return frozen(vector(proof, node))


def chance(proof: Reads, head: str, first: Ast, second: Ast) -> Poly:
    """The probability of an event, its derivative, or a total variation, which is 0 from a law to itself."""
    one = law(proof, first)
    if head == "tv":
        return Poly.of(head, pair) if len(pair := frozenset({one, law(proof, second)})) == 2 else Poly()
    need(head == "P" or one[:1] == ("coins",), "no law with a parameter")
    S = term(proof, second)
    if S[0] == "not":
        return (ONE if head == "P" else Poly()) + MINUS * chance(proof, head, first, *S[1:])
    if isinstance(S, list):
        need(isinstance(one, tuple if S[0] == "count" else frozenset), "an event for another law")
        return Poly.of(
            head, one, ("count", time(proof, *S[1:])) if S[0] == "count" else half_space(proof, *S)
        )
    need(proof.sort(S) == EVENT, f"{S!r:.60} is no event")
    return Poly.of(head, one, S)


def half_space(proof: Reads, head: str, h: Ast, c: Ast) -> Atom:
    """A half space as an atom's part."""
    need(head == "beyond", f"{head!r:.60} is no event")
    part = (head, frozen(vector(proof, h)), figure(proof, c))
    need(not is_random(part), "a random event")
    return part


def mean(p: Poly) -> Poly:
    """The mean of a polynomial: what is not random is taken out."""
    out = Poly()
    for mono, c in p.items():
        chance = frozenset((gen, k) for gen, k in mono if is_random(gen))
        out += Poly({mono - chance: c}) * (averaged(chance) if chance else ONE)
    return out


def drift(p: Poly, *coordinate: Frozen) -> Poly:
    """The derivative of a mean: that of what is not random is 0."""
    out, family = Poly(), "tosses" if coordinate else "signs"
    for mono, c in p.items():
        chance = frozenset((gen, k) for gen, k in mono if is_random(gen))
        laws = chances(chance)
        hard = [law for law in laws if law[0] == "out" and law[2][0] == family]
        one = len(laws) == len(hard) == 1 and bounded(chance)
        need(one or not chance, "not a bounded number of what one hard problem gives")
        out += Poly({mono - chance: c}) * Poly.of("dE", chance, *coordinate) if chance else Poly()
    return out


@once
def bounded(part: Any) -> bool:
    """Whether nothing random is divided by, in a logarithm or a supremum: in the ball it is bounded.

    Noise and a random name lie anywhere: their polynomials have a mean, their exponential need not have one.
    """
    if isinstance(part, tuple) and part[:1] and part[0] in ("inv", "log", *SUPREMA) and is_random(part):
        return False
    if isinstance(part, tuple) and part[:1] in (("phi1",), ("phi2",)) and anywhere(part):
        return False
    if isinstance(part, frozenset) and not steady(part):
        return False
    return not isinstance(part, (tuple, frozenset)) or all(map(bounded, part))


def anywhere(part: Any) -> bool:
    """Whether a part speaks of something random that is not bounded."""
    return any(mentions(part, head) for head in ANYWHERE)


def steady(part: Frozen) -> bool:
    """Whether the exponentials in a product stay bounded: multiples of distances from z, which sum to 0."""
    growth = dict[Any, Exact]()
    for gen, k in [x for x in part if len(x) == 2 and isinstance(x[0], tuple) and x[0][:1] == ("exp",)]:
        if anywhere(gen):
            far = distance(gen[1])
            growth[far] = growth.get(far, 0) + k
    return None not in growth and not any(growth.values())


def distance(mono: Mono) -> Any:
    """The random z and the factor c of c |z + u|, c and u not random; None for anything else."""
    factor = frozenset((gen, k) for gen, k in mono if not is_random(gen))
    (root, k), *more = mono - factor
    if more or k != 1 or root[0] != "sqrt":
        return None
    found = [m for m, _ in root[1] if is_random(m)]
    atoms = frozenset(chances(root[1]))
    square = frozenset({(("in", atoms), 1)})
    near = all(m == square or along(m, atoms) for m in found)
    return (atoms, factor) if len(atoms) == 1 and near and (square, 1) in root[1] else None


def along(mono: Mono, atoms: Frozen) -> bool:
    """Whether the random part of a product is <z, u>, where u is not random."""
    (gen, k), *more = [(gen, k) for gen, k in mono if is_random(gen)]
    fixed = gen[0] == "in" and len(gen[1]) == 2 and not any(map(is_random, gen[1] - atoms))
    return fixed and k == 1 and not more


def chances(part: Any) -> set[Any]:
    """The random atoms in a vector, or in a part of one."""
    if isinstance(part, dict):
        part = frozen(part)
    if isinstance(part, tuple) and part[:1] and part[0] in CHANCE:
        return {part}
    return set[Any]().union(*map(chances, part)) if isinstance(part, (tuple, frozenset)) else set()


def averaged(chance: Mono) -> Poly:
    """The mean of a random monomial: that of a sum is the sum of the means."""
    need(bounded(chance), "a mean that need not be finite")
    ((gen, k), *more) = chance
    if gen[0] == "sum" and k == 1 and not more:
        return total(mean(Poly(dict(gen[1]))), gen[2])
    return Poly.of("E", chance)


def total(p: Poly, last: Frozen) -> Poly:
    """The sum of a polynomial over the index: what does not depend on it is taken out."""
    out = Poly()
    for mono, c in p.items():
        moving = frozenset((gen, k) for gen, k in mono if mentions(gen, INDEX))
        out += Poly({mono - moving: c}) * Poly.of("sum", frozenset({(moving, 1)}), last)
    return out


def uniform(p: Poly, head: tuple[Any, ...], names: tuple[str, ...]) -> Poly:
    """The mean of a polynomial over all that some names may be: what does not depend on them is taken out."""
    out = Poly()
    for mono, c in p.items():
        moving = frozenset((gen, k) for gen, k in mono if any(mentions(gen, name) for name in names))
        out += Poly({mono - moving: c}) * (uniform_part(moving, head, names) if moving else ONE)
    return out


def uniform_part(moving: Mono, head: tuple[Any, ...], names: tuple[str, ...]) -> Poly:
    """The same for a monomial: over the cube that of a sum of fixed length is the sum of the means."""
    need(tame(moving, names), "a mean that may not be finite")
    need(not is_random(moving), "a mean over places that may not be random")
    ((gen, k), *more) = moving
    fixed = gen[0] == "sum" and not any(mentions(gen[2], name) for name in names)
    if head == ("cubed",) and fixed and k == 1 and not more:
        return total(uniform(Poly(dict(gen[1])), head, names), gen[2])
    part = frozenset({(moving, 1)})
    for name in names:
        part = bound(part, name)
    return Poly.of(*head, part)


@once
def tame(part: Any, names: tuple[str, ...]) -> bool:
    """Whether nothing with one of these names is divided by, in a logarithm, a noise or a supremum."""
    if isinstance(part, tuple) and part[:1] and part[0] in WILD:
        return not any(mentions(part, name) for name in names)
    return not isinstance(part, (tuple, frozenset)) or all(tame(p, names) for p in part)


def mentions(part: Any, name: str) -> bool:
    """Whether a generator or an expression, or a part of one, has a name in it."""
    part = [*part.values()] if isinstance(part, dict) else part  # the values at which a letter is taken
    return any(mentions(p, name) for p in part) if isinstance(part, list) else name in words(part)


@once
def words(part: Any) -> frozenset[str]:
    """All names in a generator, or in a part of one."""
    if isinstance(part, (tuple, frozenset)):
        return frozenset[str]().union(*map(words, part))
    return frozenset({part} if isinstance(part, str) else ())


def free(node: Ast, name: str) -> bool:
    """Whether an expression without abbreviations has a name in it where nothing binds it."""
    if isinstance(node, dict):
        return any(free(part, name) for part in node.values())
    if not isinstance(node, list):
        return bool(node == name)
    hole, own = BINDERS.get(node[0], (0, ()))
    return any(free(part, name) for i, part in enumerate(node) if i and not (i == hole and name in own))


@once
def is_random(part: Any) -> bool:
    """Whether a generator, or a part of one, speaks of something random; a mean or a chance does not."""
    if isinstance(part, tuple) and part[:1] and part[0] in FIXED:
        return False
    if isinstance(part, tuple) and part[:1] and part[0] in CHANCE:
        return True
    return isinstance(part, (tuple, frozenset)) and any(map(is_random, part))


def random_number(proof: Reads, node: Ast) -> bool:
    """Whether a number is random."""
    return any(is_random(gen) for mono in proof.read(node) for gen, _ in mono)


def number(proof: Reads, node: Ast) -> Poly:
    """An inner product, the value of a loss, a mean, a sum, a supremum or a chance, over atoms."""
    term(proof, node)
    if node[0] in proof.theory.terms:
        return Poly.of(*built(proof, *node))
    if node[0] in SUPREMA:
        return supremum(proof, *node)
    if node[0] in CHANCES:
        return chance(proof, *node)
    if node[0] == "E":
        (of,) = node[1:]
        return mean(proof.read(of))
    if node[0] == "dE":
        of, *coordinate = node[1:]
        return drift(proof.read(of), *(time(proof, t) for t in coordinate[:1]))
    if node[0] == "sum":
        of, last = node[1:]
        return total(proof.read(of), time(proof, last))
    if node[0] in ("spun", "cubed"):
        (of,) = node[1:]
        return uniform(proof.read(of), (node[0],), FRAME if node[0] == "spun" else INNER)
    if node[0] == "inside":
        A, of = node[1:]
        radius = figure(proof, A)
        need(not is_random(radius), "the radius is random")
        return uniform(proof.read(of), ("inside", radius), (PLACE,))
    if node[0] == "info":
        a, b, w, t = node[1:]
        ends = figure(proof, a), figure(proof, b)
        need(not any(mentions(ends, name) for name in (*MOVING, *CHANCE)), "an end that changes in the cube")
        return Poly.of("info", *ends, frozen(cell(proof, w)), time(proof, t))
    if node[0] == "cap":
        n, k, i = node[1:]
        need(type(i) is int and 0 <= i <= 2, "not a mean over a cap")
        return Poly.of("cap", time(proof, n), figure(proof, k), i)
    if node[0] == "shells":
        *sizes, n = node[1:]
        eps, q = (figure(proof, x) for x in sizes)
        need(not is_random(eps) and not is_random(q), "random shells")
        return Poly.of("shells", eps, q, time(proof, n))
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
