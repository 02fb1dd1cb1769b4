"""Whether a mutant that was accepted is a proof still: no line of it says more than the line that was there.

Expressions are compared by their values at random complex points, not by the checker's own algebra.
"""

import cmath
import random
from functools import lru_cache
from math import inf, prod
from typing import Any

from oubli.theory.kernel.checker import NOTHING, Proof, about_objects, modelled, observe
from oubli.theory.kernel.objects import CHANCE, DATA, FRAME, INDEX, INNER, NUMBERS, PLACE, WORDS
from oubli.theory.kernel.poly import BUDGET, WORK, Theorem, number
from tests.adversarial.places import CITING

FUNCTIONS = {
    "exp": cmath.exp,
    "log": cmath.log,
    "atan": cmath.atan,
    "asin": cmath.asin,
    # No rule knows more of these than that they are functions.
    "Phi": lambda x: cmath.sin(x / 3) + x,
    "phi1": lambda x: cmath.cos(x / 5),
    "phi2": lambda x: cmath.sin(x / 7) + 2,
    "ceil": lambda x: cmath.cos(x / 11) + 3,
}


SAYING = ("says", "using", "met")
VECTORS = ("zero", "e", "v+", "v*", "opt", "proj", "grad", "iter", "average", "out", "noise", "stair",
           "common", "axis", "cut", "response", "ones", "box", "set")  # fmt: skip


# A mean is one over these outcomes; a sum one over these places of the index, weighed as its end draws;
# a mean over orthonormal pairs, a cube or a ball, one over these; points of a ball are drawn for its radius.
OUTCOMES, PLACES, FRAMES, SPOTS = (1, 2, 3), (1, 2, 3), (1, 2, 3), (1, 2, 3)


@lru_cache(1 << 16)
def value_of(what: str) -> complex:
    """A number drawn for a name; to seed takes longer than to remember."""
    rng = random.Random(what)
    return complex(rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.4))


class Point:
    """Values of all letters; a measured letter has others where its parameters have.

    What is random has another value for each outcome, and the index of sums one for each place.
    """

    def __init__(self, proof: Proof, seed: int, **at: Any) -> None:
        self.proof, self.seed, self.at = proof, seed, at
        self.outcome, self.place, self.frame = (at.get(x, 0) for x in ("outcome", "place", "frame"))
        self.cell = at.get("cell", 0)
        self.spot = at.get("spot", "free")

    def moved(self, **at: Any) -> "Point":
        return Point(self.proof, self.seed, **{**self.at, **at})

    def at_outcome(self, outcome: int) -> "Point":
        return self.moved(outcome=outcome)

    def at_place(self, place: int) -> "Point":
        return self.moved(place=place)

    def letter(self, name: str, values: Any = ()) -> complex:
        values = (values, self.place) if name == INDEX and self.place else values
        values = (values, self.cell) if name in INNER and self.cell else values
        return value_of(repr((self.seed, name, values)))

    def of(self, node: Any) -> complex:
        kind = self.proof.letters.get(node, [""]) if isinstance(node, str) else [""]
        if kind[0] == "is":
            return self.of(kind[1])
        if not isinstance(node, list):
            known = number(node)
            return self.letter(node) if known is None else complex(known)
        head, args = node[0], node[1:]
        if head == "@":
            at = {x: self.of(v) for x, v in args[1].items() if (args[0], x) not in self.proof.constant}
            moved = [(x, v) for x, v in sorted(at.items()) if abs(v - self.letter(x)) > 1e-9]
            return self.letter(args[0], [(x, f"{v:.6g}") for x, v in moved])
        if head == "pi":
            return complex(cmath.pi)
        if head == "E":
            return sum(self.at_outcome(w).of(args[0]) for w in OUTCOMES) / len(OUTCOMES)
        if head == "dE":  # 0 for what is not random
            along = rounded([self.of(t) for t in args[1:]])
            shift = self.letter("dE", along) if along else 1
            found = [self.at_outcome(w).of(args[0]) for w in OUTCOMES]
            return shift * sum(c * x for c, x in zip((1, -3, 2), found, strict=True))
        if head == "sum":
            end = rounded([self.of(args[1])])
            return sum(self.letter("sum", (end, k)) * self.at_place(k).of(args[0]) for k in PLACES)
        if head == "spun":
            return sum(self.moved(frame=i).of(args[0]) for i in FRAMES) / len(FRAMES)
        if head == "inside":
            A = rounded([self.of(args[0])])
            return sum(self.moved(spot=(A, i)).of(args[1]) for i in SPOTS) / len(SPOTS)
        if head == "cubed":
            return sum(self.moved(cell=i).of(args[0]) for i in FRAMES) / len(FRAMES)
        if head in NUMBERS:
            return Objects(self).number(node)
        parts = [self.of(arg) for arg in args]
        if head == "+":
            return sum(parts)
        if head == "*":
            return prod(parts)
        return parts[0] ** float(parts[1].real) if head == "^" else FUNCTIONS[head](parts[0])

    def same(self, a: Any, b: Any) -> bool:
        one, other = self.of(a), self.of(b)
        return abs(one - other) <= 1e-6 * (1 + abs(one))


# As many as the largest witness has, and zeros beside the first four of an axis.
DIMENSIONS = 6
REST = [0j] * (DIMENSIONS - 4)
ONES = [1 + 0j, 0j, 0j, 0j, *REST]


class Objects:
    """Values of objects at a point: vectors by coordinates, losses by multiples of basic ones.

    What nothing is known of (a minimiser, a gradient) has coordinates drawn for what it is built from.
    """

    def __init__(self, at: Point) -> None:
        self.at = at

    def meaning(self, node: Any) -> Any:
        kind = self.at.proof.letters.get(node, [""]) if isinstance(node, str) else [""]
        return self.meaning(kind[1]) if kind[0] == "is" else node

    def drawn(self, *parts: Any) -> list[complex]:
        return [self.at.letter(repr(parts), i) for i in range(DIMENSIONS)]

    def vector(self, node: Any) -> list[complex]:
        node = self.meaning(node)
        if isinstance(node, str):
            if node == INNER[0]:
                return self.drawn("cube", self.at.cell)
            where = [self.at.spot] if node == PLACE else []
            return self.pair()[FRAME.index(node)] if node in FRAME else self.drawn("name", node, *where)
        head, *args = node
        if head in ("v+", "zero"):
            columns = zip([0j] * DIMENSIONS, *map(self.vector, args), strict=True)
            return [sum(column, 0j) for column in columns]
        if head == "v*":
            return [self.at.of(args[0]) * x for x in self.vector(args[1])]
        if head == "e":
            return [complex(i + 1 == args[0]) for i in range(DIMENSIONS)]
        if head == "opt":
            return self.drawn("opt", self.known(args[0]))
        if head == "proj":
            return self.drawn("proj", rounded(self.vector(args[0])))
        if head == "cut":
            return self.drawn("cut", rounded([self.at.of(args[0]), *self.vector(args[1])]))
        if head == "axis":
            return self.axis(args[0])
        if head == "ones":
            return ONES
        if head == "box":
            a, b = map(self.at.of, args[:2])
            return [a * x + (b - a) * y for x, y in zip(ONES, self.vector(args[2]), strict=True)]
        if head == "set":
            w, e = self.vector(args[0]), self.axis(args[1])
            c = args[2] - sum(x * y for x, y in zip(w, e, strict=True))
            return [x + c * y for x, y in zip(w, e, strict=True)]
        if head == "out" and isinstance(rule := self.meaning(args[0]), list):
            return self.vector(replaced(rule[1], self.meaning(args[1])))
        if head in CHANCE:
            return self.drawn(head, self.described(node), self.at.outcome)
        assert head == "grad", head
        return self.gradient(*args)

    def axis(self, t: Any) -> list[complex]:
        """A vector of length 1 whose product with the vector of ones is 1."""
        _, u, v, *_ = self.drawn("axis", *rounded([self.at.of(t)]))
        return [1 + 0j, u, v, 1j * cmath.sqrt(u * u + v * v), *REST]

    def unit(self, *parts: Any) -> list[complex]:
        """A vector of length 1."""
        u = self.drawn(*parts)
        return [x / cmath.sqrt(sum(y * y for y in u)) for x in u]

    def pair(self) -> tuple[list[complex], list[complex]]:
        """Two orthonormal vectors."""
        u, v = (self.unit("pair", i, self.at.frame) for i in (1, 2))
        c = sum(x * y for x, y in zip(u, v, strict=True))
        return u, [(y - c * x) / cmath.sqrt(1 - c * c) for x, y in zip(u, v, strict=True)]

    def described(self, node: Any) -> Any:
        """What something random is built from, each part by its values."""
        node = self.meaning(node)
        if isinstance(node, (str, int)):
            return node if isinstance(node, int) or self.at.proof.sort(node) else rounded([self.at.of(node)])
        head, *args = node
        if head in ("sgd", "iter", "average", "draw", "out"):
            return head, [self.described(arg) for arg in args]
        if head == "problem":
            return [self.known(f) for f in args]
        if head in ("signs", "turns"):
            return head, rounded([self.at.of(m) for m in args])
        if head == "tosses":
            return head, [rounded(self.vector(u)) for u in args]
        if head == "rarely":
            a, f, before, h = args
            return head, rounded([self.at.of(a)]), self.known(f), self.described(before), self.known(h)
        if head == "stair":
            return head, rounded([self.at.of(x) for x in args[:3]]), args[3]
        if head == "response":
            p, w, *ends = args
            return head, rounded([self.at.of(p), self.at.of(w)]), [rounded(self.vector(u)) for u in ends]
        if head == "common":
            return head, sorted(repr(self.law(u)) for u in args)
        if head == "noise":
            return args[0], rounded([self.at.of(args[1])]), args[2]
        if head in VECTORS:
            return rounded(self.vector(node))
        return [rounded([self.at.at_place(k).of(node)]) for k in PLACES]

    def gradient(self, f: Any, x: Any, *tag: Any) -> list[complex]:
        at, which = self.vector(x), [self.known(g) for g in tag]
        parts = [[c * y for y in self.slope(atom, at, which)] for atom, c in self.loss(f).items()]
        return [sum(column, 0j) for column in zip(*parts, strict=True)]

    def slope(self, atom: Any, x: list[complex], which: Any) -> list[complex]:
        if atom == "quad":
            return [self.at.letter("mu") * y for y in x]
        return list(atom[1]) if atom[0] == "lin" else self.drawn("grad", atom, rounded(x), which)

    def loss(self, node: Any) -> dict[Any, complex]:
        node = self.meaning(node)
        if isinstance(node, str):
            return {("name", node): 1}
        head, *args = node
        if head in ("retain", "forget"):
            data = self.meaning(args[0])
            if isinstance(data, str):
                return {node_of(node): 1}
            if data[0] == "rarely":
                _, a, f, before, h = data
                return self.loss(["mix", a, f, ["retain", before]] if head == "retain" else h)
            if data[0] == "turns":
                _, m, n, s, f = data
                kept = self.hard(["v*", m if head == "retain" else f, ["e", 1]])
                return kept if head == "forget" else added([(1, kept), (1, self.loss(turn(m, n, s)))])
            part = data[1 + (head == "forget")]
            if data[0] == "problem":
                return self.loss(part)
            return self.hard(["v*", part, ["e", 1]] if data[0] == "signs" else part)
        if head == "mix":
            r = self.at.of(args[0])
            return added([(r, self.loss(args[1])), (1 - r, self.loss(args[2]))])
        if head == "l+":
            return added([(1, self.loss(f)) for f in args])
        if head == "l*":
            return added([(self.at.of(args[0]), self.loss(args[1]))])
        if head == "lin":
            return {("lin", tuple(self.vector(args[0]))): 1}
        if head == "cone":
            return {("cone", tuple(self.vector(args[0]))): 1}
        if head == "max":
            tops = zip(*[iter(args)] * 3, strict=True)  # <v, x> + a, and a multiplier that changes no value
            return {
                ("max", *sorted((*rounded(self.vector(v)), *rounded([self.at.of(a)])) for v, a, _ in tops)): 1
            }
        if head == "draw":
            return {("draw", repr((self.described(node), self.at.outcome))): 1}
        assert head == "quad", head
        return {"quad": 1}

    def hard(self, u: Any) -> dict[Any, complex]:
        """mu/2 |x|^2 - (L/2) <u, x>."""
        return {"quad": 1, ("lin", tuple(-self.at.letter("L") / 2 * x for x in self.vector(u))): 1}

    def law(self, node: Any) -> Any:
        """A law by what it is built from: by its values at every outcome."""
        node = self.meaning(node)
        if node[0] == "coins":
            return "coins", rounded([self.at.of(x) for x in node[1:]])
        return [rounded(Objects(self.at.at_outcome(w)).vector(node)) for w in OUTCOMES]

    def chance(self, head: str, law: Any, S: Any) -> complex:
        S = self.meaning(S)
        if S[0] == "not":
            return (head == "P") - self.chance(head, law, S[1])
        if S[0] == "count":
            return self.drawn(head, self.law(law), rounded([self.at.of(S[1])]))[0]
        return self.drawn(head, self.law(law), S)[0]

    def known(self, f: Any) -> Any:
        return sorted((repr(atom), *rounded([c])) for atom, c in self.loss(f).items())

    def number(self, node: Any) -> complex:
        if node[0] == "worst":
            rule = self.meaning(node[1])
            every = [Objects(self.at.at_outcome(w)) for w in OUTCOMES]
            what = rule if isinstance(rule, str) else [rounded(o.vector(rule[1])) for o in every]
            return self.drawn("worst", what, rounded([self.at.of(node[2])]))[0]
        if node[0] in ("P", "dP"):
            return self.chance(*node)
        if node[0] == "info":
            a, b, w, t = node[1:]
            return self.drawn("info", rounded([*map(self.at.of, (a, b, t)), *self.vector(w)]))[0]
        if node[0] in ("cap", "shells"):
            return self.drawn(node[0], rounded([self.at.of(x) for x in node[1:]]))[0]
        if node[0] == "tv":
            one, other = sorted((self.law(law) for law in node[1:]), key=repr)
            return 0j if one == other else self.drawn("tv", one, other)[0]
        if node[0] in ("least", "spread", "time"):
            words = [arg for arg in node[1:] if arg in WORDS]
            return self.drawn(*words, rounded([self.at.of(x) for x in node[1:] if x not in WORDS]))[0]
        if node[0] == "in":
            return sum((a * b for a, b in zip(*map(self.vector, node[1:]), strict=True)), 0j)
        x = self.vector(node[2])
        return sum((c * self.value(atom, x) for atom, c in self.loss(node[1]).items()), 0j)

    def value(self, atom: Any, x: list[complex]) -> complex:
        if atom == "quad":
            return self.at.letter("mu") / 2 * sum(y * y for y in x)
        if atom[0] == "lin":
            return sum((a * b for a, b in zip(atom[1], x, strict=True)), 0j)
        if atom[0] == "cone":
            return cmath.sqrt(sum((a - b) ** 2 for a, b in zip(x, atom[1], strict=True)))
        return self.drawn("val", atom, rounded(x))[0]


def turn(m: Any, n: Any, s: Any) -> Any:
    """What a turn at R s adds: the larger of 0 and (L/2) (m - n) (<e_1, x> - R s)."""
    slope = ["*", "1/2", "L", ["+", m, ["*", -1, n]]]
    return ["max", ["zero"], 0, 0, ["v*", slope, ["e", 1]], ["*", slope, s, "-1/2", "L", ["^", "mu", -1]], 0]


def replaced(node: Any, data: Any) -> Any:
    """What a rule releases, for a problem."""
    if isinstance(node, list):
        return [node[0], *(replaced(part, data) for part in node[1:])]
    return data if node == DATA else node


def node_of(node: Any) -> Any:
    return tuple(map(node_of, node)) if isinstance(node, list) else node


def rounded(x: list[complex]) -> list[str]:
    """Coordinates to six digits, so that equal ones are equal."""
    return [f"{complex(y):.6g}" for y in x]


def added(parts: list[tuple[complex, dict[Any, complex]]]) -> dict[Any, complex]:
    out: dict[Any, complex] = {}
    for c, part in parts:
        for atom, k in part.items():
            out[atom] = out.get(atom, 0) + c * k
    return out


def theorems(certificate: Any, lemmas: Any, assumed: Any) -> tuple[Proof, list[Theorem]]:
    """What each line of an accepted certificate says."""
    WORK[:] = [BUDGET, inf]
    proof = Proof(certificate["takes"])
    model = certificate["kind"] != "proof" and about_objects(certificate["statement"])
    for key in certificate["lemmas"]:
        said = modelled(proof, lemmas[key]) if model else proof.claim(lemmas[key], assumed.get(key, NOTHING))
        proof.reached[key] = said
    for i, line in enumerate(certificate["lines"]):
        proof.accept(line, i)
    return proof, [proof.reached[i] for i in range(len(certificate["lines"]))]


def still_valid(mutant: Any, certificate: Any, lemmas: Any, assumed: Any) -> str:
    """Why a mutant of a certificate is a proof of the same from the same; "" if it is not seen to be one."""
    if any(mutant[part] != certificate[part] for part in ("statement", "kind", "claim", "lemmas")):
        return ""
    proof, before = theorems(certificate, lemmas, assumed)
    points = [Point(proof, seed) for seed in (1, 2)]
    if mutant["takes"] != certificate["takes"]:
        claims = [proof.claim(c["statement"], c["takes"]) for c in (mutant, certificate)]
        same = claims[0] == claims[1] and mutant["lines"] == certificate["lines"]
        return "takes less" if same and fewer(mutant["takes"], certificate["takes"]) else ""
    if mutant["lines"] == certificate["lines"]:
        return witness_still(mutant, certificate, before, points)
    pairs = list(zip(mutant["lines"], certificate["lines"], strict=False))
    now = theorems(mutant, lemmas, assumed)[1]
    if all(new == old for new, old in pairs):
        return "the end of it is not needed" if no_more(now[-1], before[-1], points) else ""
    i = next(n for n, (new, old) in enumerate(pairs) if new != old)
    rest = [j for j in range(len(now)) if j != i]
    if len(now) != len(before) or not all(no_more(now[j], before[j], points) for j in rest):
        return ""
    if mutant["lines"][i] == {"by": "combine", "terms": [[1]], "says": [">", 1]}:
        return "a line that is not needed"
    if no_more(now[i], before[i], points) and all(h in now[i].hyps for h in before[i].hyps):
        return "the line says no more"
    return "the line is right" if right(proof, *pairs[i], now[i], points) else ""


def right(proof: Proof, new: Any, old: Any, reached: Theorem, points: list[Point]) -> bool:
    """Whether a changed line follows as the one did that was there, from the same earlier lines."""
    WORK[:] = [BUDGET, inf]
    bare, was = (derived(proof, {k: v for k, v in x.items() if k not in SAYING}) for x in (new, old))
    if not (no_more(bare, was, points) and all(h in bare.hyps for h in was.hyps)):
        # Unless another line is cited that says the same.
        cited = [[proof.reached[n] for n in references(line)] for line in (new, old)]
        if len(cited[0]) != len(cited[1]) or not all(
            no_more(a, b, points) for a, b in zip(*cited, strict=True)
        ):
            return False
    said = Theorem([], *new.get("says", [bare.rel, bare.expr]))
    using = new.get("using", [])
    if not no_more(said, bare, points) or any(h not in using for h in old.get("using", [])):
        return False
    shown = [proof.reached[n] for n in new.get("met", [])]
    return all(h in reached.hyps or discharged(h, shown, reached, points) for h in [*bare.hyps, *using])


def discharged(h: Any, shown: list[Theorem], reached: Theorem, points: list[Point]) -> bool:
    """Whether a theorem shows a hypothesis, under what is assumed still."""
    fits = [t for t in shown if no_more(Theorem([], *h), t, points)]
    return any(all(g in reached.hyps or discharged(g, shown, reached, points) for g in t.hyps) for t in fits)


def derived(proof: Proof, line: Any) -> Theorem:
    """What a rule makes of a line."""
    return getattr(proof, line["by"])(line)  # type: ignore[no-any-return]


def references(line: Any) -> list[Any]:
    """The lines and lemmas that the rule of a line reads."""
    of = line.get("of") if line["by"] in CITING else []
    terms = [i for term in line.get("terms", []) for i in term[1:]]
    return [*(of if isinstance(of, list) else [of]), *terms]


def fewer(takes: Any, before: Any) -> bool:
    """Whether no more is assumed than before."""
    constant = all(pair in before["constant"] for pair in takes["constant"])
    tables = ("letters", "slopes", "means", "at")
    return constant and all(takes[t].keys() <= before[t].keys() for t in tables)


def no_more(new: Theorem, old: Theorem, points: list[Point]) -> bool:
    """Whether a theorem concludes the same as another one, or less."""
    return new.rel in (">=", old.rel) and all(p.same(new.expr, old.expr) for p in points)


def witness_still(mutant: Any, certificate: Any, shown: list[Theorem], points: list[Point]) -> str:
    """A witness all whose values are the same, or shown by lines that say the same."""
    new, old = mutant["witness"], certificate["witness"]
    if new["shown"] != old["shown"]:
        pairs = zip(new["shown"], old["shown"], strict=True)
        alike = all(no_more(shown[b], shown[a], points) and not shown[a].hyps for a, b in pairs)
        return "a reference to a line that says the same" if alike else ""
    assumed = [values(witness, certificate["statement"]) for witness in (new, old)]
    same = all(p.same(assumed[0][x], assumed[1][x]) for p in points for x in assumed[1])
    return "the witness has the same values" if same and assumed[0].keys() == assumed[1].keys() else ""


def values(witness: Any, statement: Any) -> dict[str, Any]:
    """The values of the letters of a statement."""
    model, assumed = witness.get("model", {}), witness["values"]
    # The checker itself compares the objects of a model with what is shown of it.
    numbers = [x for x, kind in statement["letters"].items() if len(kind) == 2 and x in assumed]
    found = {x: observe(assumed[x], model, assumed) for x in numbers}
    for letter in [x for x in statement["letters"] if x[0] == "<"]:
        a, b = (map(number, model["vectors"][name]) for name in letter[1:-1].split(","))
        found[letter] = str(sum(x * y for x, y in zip(a, b, strict=True)))
    return found
