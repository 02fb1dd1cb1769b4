"""Objects of records: losses, points, problems, and the numbers built from them.

A record names objects and builds terms from them; the kernel computes what holds for them
(`theory/kernel/schemas.py`). `term` makes a number a letter of formulas: an abbreviation, nothing else.

>>> D = problem("D_shown")
>>> theta = opt(mix(sp.Rational(1, 2), forget(D), retain(D)))
>>> (theta - point("x_shown")).node
['v+', ['opt', ['mix', '1/2', ['forget', 'D_shown'], ['retain', 'D_shown']]], ['v*', -1, 'x_shown']]
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy as sp

from oubli.theory.kernel.classes import load
from oubli.theory.kernel.expressions import expression
from oubli.theory.kernel.symbols import NATURAL, declare_kind, parameter


@dataclass(frozen=True)
class Object:
    """A term over objects, as the kernel reads it."""

    node: Any

    def __add__(self, other: Object) -> Object:
        return Object(["v+", self.node, other.node])

    def __sub__(self, other: Object) -> Object:
        return self + (-other)

    def __neg__(self) -> Object:
        return self.__rmul__(-1)

    def __rmul__(self, factor: Any) -> Object:
        return Object(["v*", expression(sp.sympify(factor)), self.node])


def losses_of(path: Path) -> sp.Symbol:
    """The class of losses that a file of a paper defines, as a letter: every statement about it has it.

    Args:
        path: The file; `theory/kernel/classes.py` says what it defines.

    Returns:
        The letter, for `also` of statements.
    """
    kind, lines = load(path), len(path.read_text(encoding="utf-8").splitlines())
    trusted = f"trusted for this paper: {path.name}, {lines} lines, SHA-256 {kind[2][:16]}"
    return declare_kind(f"class_{kind[1].replace(' ', '_')}", kind, f"the losses are {kind[1]}; {trusted}")


def built(head: str, *parts: Any) -> Object:
    """A term of the class of a paper, from objects and numbers."""
    nodes = [part.node if isinstance(part, Object) else expression(sp.sympify(part)) for part in parts]
    return Object([head, *nodes])


def named(name: str, sort: str) -> Object:
    """An arbitrary object of a sort."""
    declare_kind(name, [sort])
    return Object(name)


def problem(name: str) -> Object:
    """An arbitrary problem: a retain and a forget loss of the class."""
    return named(name, "problem")


def loss(name: str) -> Object:
    """An arbitrary loss of the class."""
    return named(name, "loss")


def point(name: str) -> Object:
    """An arbitrary vector."""
    return named(name, "point")


def retain(D: Object) -> Object:
    """The mean loss of the retain data."""
    return Object(["retain", D.node])


def forget(D: Object) -> Object:
    """The mean loss of the forget data."""
    return Object(["forget", D.node])


def mix(r: Any, f: Object, g: Object) -> Object:
    """r f + (1 - r) g."""
    return Object(["mix", expression(sp.sympify(r)), f.node, g.node])


def opt(f: Object) -> Object:
    """The minimiser over the ball."""
    return Object(["opt", f.node])


def grad(f: Object, x: Object, *tag: Object) -> Object:
    """A subgradient; the tag g chooses the one that belongs to the minimiser of g."""
    return Object(["grad", f.node, x.node, *(g.node for g in tag)])


def proj(u: Object) -> Object:
    """The projection on the ball."""
    return Object(["proj", u.node])


ZERO = Object(["zero"])


def unit(i: int) -> Object:
    """The i-th unit vector."""
    return Object(["e", i])


def tilt(v: Object) -> Object:
    """mu/2 |x|^2 - <v, x>."""
    return Object(["l+", ["quad"], ["l*", -1, ["lin", v.node]]])


def inner(u: Object, v: Object) -> Object:
    """<u, v>."""
    return Object(["in", u.node, v.node])


def norm(u: Object) -> Object:
    """|u|."""
    return Object(["^", ["in", u.node, u.node], "1/2"])


def value(f: Object, x: Object) -> Object:
    """f(x)."""
    return Object(["val", f.node, x.node])


def excess(f: Object, x: Object) -> Object:
    """f(x) - min f."""
    return Object(["+", ["val", f.node, x.node], ["*", -1, ["val", f.node, ["opt", f.node]]]])


def term(name: str, number: Object, meaning: str = "") -> sp.Symbol:
    """A letter that abbreviates a number built from objects."""
    return declare_kind(name, ["is", number.node], meaning)


def sgd(D: Object, start: Object, eta: Any) -> Object:
    """Projected stochastic gradient descent on the retain loss of D with step sizes eta, in the index k_."""
    return Object(["sgd", D.node, start.node, expression(sp.sympify(eta))])


def iterate(run: Object, t: Any) -> Object:
    """The t-th iterate."""
    return Object(["iter", run.node, expression(sp.sympify(t))])


def drawn(run: Object, t: Any) -> Object:
    """The loss that a run draws at time t."""
    return Object(["draw", run.node, expression(sp.sympify(t))])


def average(run: Object, w: Any, T: Any) -> Object:
    """The mean of the iterates 0 … T with weights w, in the index k_."""
    return Object(["average", run.node, expression(sp.sympify(w)), expression(sp.sympify(T))])


def mean(number: Object) -> Object:
    """The mean over all that is random."""
    return Object(["E", number.node])


def total(number: Any, T: Any) -> Object:
    """The sum over k_ = 0 … T."""
    node = number.node if isinstance(number, Object) else expression(sp.sympify(number))
    return Object(["sum", node, expression(sp.sympify(T))])


def scaled(factor: Any, number: Object) -> Object:
    """A multiple of a number."""
    return Object(["*", expression(sp.sympify(factor)), number.node])


def minus(a: Object, b: Object) -> Object:
    """a - b, of numbers."""
    return Object(["+", a.node, ["*", -1, b.node]])


def random(name: str) -> Object:
    """An arbitrary random vector, independent of what runs draw."""
    return named(name, "random")


def algorithm(name: str) -> Object:
    """An arbitrary algorithm that releases a point of the ball."""
    return named(name, "algorithm")


def unlearner(name: str) -> Object:
    """An arbitrary (epsilon, delta)-unlearning algorithm at forget fraction r."""
    return named(name, "unlearner")


# The problem that a rule is given, and how many gradients.
given_data = named("D_", "problem")
given_time = parameter("T_", NATURAL, "how many gradients a rule is given")


def rule(released: Object) -> Object:
    """The algorithm that releases a vector, built from the problem `given_data` and from `given_time`."""
    return Object(["rule", released.node])


def out(A: Object, D: Object, T: Any) -> Object:
    """What an algorithm releases after T gradients."""
    return Object(["out", A.node, D.node, expression(sp.sympify(T))])


def gaussian(scale: Any, label: int = 1) -> Object:
    """Gaussian noise with this standard deviation in each coordinate."""
    return Object(["noise", "gauss", expression(sp.sympify(scale)), label])


def radial(rate: Any, label: int = 1) -> Object:
    """Noise with a density proportional to exp(-rate |z|)."""
    return Object(["noise", "radial", expression(sp.sympify(rate)), label])


def staircase(eps: Any, width: Any, q: Any, label: int = 1) -> Object:
    """Noise of a density proportional to e^(-k eps) where |z| <= (q + k) width, k as small as possible."""
    return Object(["stair", *(expression(sp.sympify(x)) for x in (eps, width, q)), label])


def shells(eps: Any, q: Any, n: Any) -> Object:
    """The sum of e^(-k eps) (q + k)^n over k = 0, 1, …"""
    return Object(["shells", *(expression(sp.sympify(x)) for x in (eps, q, n))])


def common(u: Object, v: Object) -> Object:
    """A draw from what the laws of two vectors have in common: min(P, Q)/(1 - TV)."""
    return Object(["common", u.node, v.node])


def cone(y: Object, weight: Any) -> Object:
    """mu/2 |x|^2 + weight |x - y|."""
    return Object(["l+", ["quad"], ["l*", expression(sp.sympify(weight)), ["cone", y.node]]])


def largest(*pieces: tuple[Object, Any, Any]) -> Object:
    """The largest of <v, x> + a over pieces (v, a, c); c is the multiplier that shows it a member."""
    parts = [(v.node, *(expression(sp.sympify(x)) for x in (a, c))) for v, a, c in pieces]
    return Object(["max", *(x for part in parts for x in part)])


def plus(*losses: Object) -> Object:
    """mu/2 |x|^2 and these losses."""
    return Object(["l+", ["quad"], *(f.node for f in losses)])


def worst(A: Object, T: Any) -> Object:
    """The largest mean excess retain loss of an algorithm after T gradients, over the problems."""
    return Object(["worst", A.node, expression(sp.sympify(T))])


def least(sort: str, T: Any, r: Any, epsilon: Any = 0, delta: Any = 0) -> Object:
    """The infimum of the worst risk over the algorithms of a sort."""
    budget = (expression(sp.sympify(x)) for x in (r, epsilon, delta, T))
    return Object(["least", sort, *budget])


def time(sort: str, target: Any, r: Any = 0, epsilon: Any = 0, delta: Any = 0) -> Object:
    """The least number of gradients with which some algorithm of a sort has worst risk at most the target."""
    return Object(["time", sort, *(expression(sp.sympify(x)) for x in (r, epsilon, delta, target))])


def spread(r: Any) -> Object:
    """The largest distance of the minimisers of two mixtures that share the retain loss."""
    return Object(["spread", expression(sp.sympify(r))])


def numeric(value: Any) -> Object:
    """A number as an argument of a schema."""
    return Object(expression(sp.sympify(value)))


def learner(name: str) -> Object:
    """An arbitrary algorithm that does not look at theta*."""
    return named(name, "learner")


def event(name: str) -> Object:
    """An arbitrary set of outcomes."""
    return named(name, "event")


def beyond(h: Object, c: Any) -> Object:
    """The half space of the x with <x, h> > c."""
    return Object(["beyond", h.node, expression(sp.sympify(c))])


def response(p: Any, decides: Object, u: Object, v: Object) -> Object:
    """A randomised response: u with probability p if a number is positive, with 1 - p if not; else v."""
    return Object(["response", expression(sp.sympify(p)), decides.node, u.node, v.node])


def complement(S: Object) -> Object:
    """All other outcomes."""
    return Object(["not", S.node])


def hard_problem(m: Any, f: Any) -> Object:
    """The hard problem whose signs have mean m on the retain data and f on the forget data."""
    return Object(["signs", expression(sp.sympify(m)), expression(sp.sympify(f))])


def turned_problem(m: Any, n: Any, s: Any, f: Any) -> Object:
    """The hard problem whose retain data have signs of mean m, of mean n where <e_1, x> > R s."""
    return Object(["turns", *(expression(sp.sympify(x)) for x in (m, n, s, f))])


# Any two orthonormal vectors.
AHEAD, ASIDE = named("u_", "direction"), named("e_", "direction")


def spun(number: Object) -> Object:
    """The mean over all pairs of orthonormal vectors AHEAD, ASIDE."""
    return Object(["spun", number.node])


# Any vector: what means over balls bind.
PLACE = named("b_", "point")


def inside(radius: Any, number: Object) -> Object:
    """The mean over all PLACE in the ball of a radius around 0."""
    return Object(["inside", expression(sp.sympify(radius)), number.node])


# Any point of the cube [0, 1]^d, and a number between -1 and 1 that means over the cube are over too.
ANYWHERE = named("w_", "cube")


def cubed(number: Object) -> Object:
    """The mean over the points ANYWHERE of the cube and over s_ in [-1, 1]."""
    return Object(["cubed", number.node])


def box(a: Any, b: Any, w: Object) -> Object:
    """The point of the cube [a, b]^d that lies as w does in [0, 1]^d."""
    return Object(["box", expression(sp.sympify(a)), expression(sp.sympify(b)), w.node])


def placed(w: Object, t: Any, end: int) -> Object:
    """A point of the cube with another coordinate t: 0 or 1."""
    return Object(["set", w.node, expression(sp.sympify(t)), end])


def information(a: Any, b: Any, w: Object, t: Any) -> Object:
    """1/(1 - v^2), v the mean of coin t of a box."""
    return Object(["info", *(expression(sp.sympify(x)) for x in (a, b)), w.node, expression(sp.sympify(t))])


def cap(n: Any, k: Any, i: int) -> Object:
    """The mean of 1, cos(w), sin(w), i = 0, 1, 2, over cos(w) >= k sin(w), w the angle of two directions."""
    return Object(["cap", *(expression(sp.sympify(x)) for x in (n, k)), i])


def axis(t: Any) -> Object:
    """The unit vector of coordinate t, counted from 0."""
    return Object(["axis", expression(sp.sympify(t))])


def cut(radius: Any, u: Object) -> Object:
    """The projection on a ball around 0."""
    return Object(["cut", expression(sp.sympify(radius)), u.node])


def coin_problem(u: Object, f: Object) -> Object:
    """The problem with coins of means u sqrt(d) on the retain data, and f for the forget data."""
    return Object(["tosses", u.node, f.node])


def rarely(share: Any, f: Object, D: Object, forgotten: Object) -> Object:
    """A problem with a loss in place of a share of its retain data, and a forget loss."""
    return Object(["rarely", expression(sp.sympify(share)), f.node, D.node, forgotten.node])


def added(*numbers: Object) -> Object:
    """A sum of numbers."""
    return Object(["+", *(number.node for number in numbers)])


def count(k: Any) -> Object:
    """The event that k of some signs are 1."""
    return Object(["count", expression(sp.sympify(k))])


def coins(T: Any, u: Any) -> Object:
    """The law of the number of ones among T signs of mean u."""
    return Object(["coins", expression(sp.sympify(T)), expression(sp.sympify(u))])


def chance(law: Object, S: Object) -> Object:
    """P(S) under a law, which a random vector may stand for."""
    return Object(["P", law.node, S.node])


def chance_slope(law: Object, S: Object) -> Object:
    """The derivative of P(S) in the mean of the signs."""
    return Object(["dP", law.node, S.node])


def mean_slope(number: Object, *coordinate: Any) -> Object:
    """The derivative of a mean in the mean of signs, or a coordinate of that of coins, at a fixed theta*."""
    return Object(["dE", number.node, *(expression(sp.sympify(t)) for t in coordinate)])


def variation(law: Object, other: Object) -> Object:
    """The total variation of two laws."""
    return Object(["tv", law.node, other.node])


def explicit_problem(retained: Object, forgotten: Object) -> Object:
    """The problem with these retain and forget losses."""
    return Object(["problem", retained.node, forgotten.node])
