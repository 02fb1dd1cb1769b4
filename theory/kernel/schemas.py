"""Schemas: the mathematics that is trusted. Each computes from objects a theorem that holds for all of them.

Part of what must be trusted: standard library only. Side conditions (the point lies in the ball, the weights
are weights, the explicit loss is a member) are hypotheses of the theorem, which other lines must show.
The class: losses that are mu-strongly convex with subgradients of norm at most L on the ball of radius
R = L/(2 mu) around 0; minimisers and projections are over that ball.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oubli.theory.kernel.objects import (
    CHANCE,
    INDEX,
    LOSS,
    POINT,
    PROBLEM,
    Reads,
    frozen,
    loss,
    mentions,
    part_of,
    problem,
    time,
    vector,
)
from oubli.theory.kernel.poly import ONE, Ast, Theorem, minus, need

Hypotheses = list[Any]
R2 = ["*", "1/4", ["^", "L", 2], ["^", "mu", -2]]


def apart(x: Ast, y: Ast) -> Ast:
    """x - y."""
    return ["v+", x, ["v*", -1, y]]


def square(u: Ast) -> Ast:
    """|u|^2."""
    return ["in", u, u]


def norm(u: Ast) -> Ast:
    """|u|."""
    return ["^", square(u), "1/2"]


def in_ball(*points: Ast) -> Hypotheses:
    """|x| <= R for each point."""
    return [[">=", minus(R2, square(x))] for x in points]


def member(proof: Reads, f: Ast) -> Hypotheses:
    """What has to hold for a loss to be in the class; RejectedError for one that is not of a known form.

    Names of losses, retain and forget losses are members, and so are mixtures of members. The loss
    mu/2 |x|^2 + <v, x> + sum of c_i |x - y_i| is one if c_i >= 0 and |v| + sum of c_i <= L/2: then its
    subgradients on the ball have norm at most mu R + L/2 = L.
    """
    f = proof.meaning(f)
    if isinstance(f, list) and f[0] in ("retain", "forget"):
        f = part_of(proof, *f)
    if isinstance(f, str) or f[0] in ("retain", "forget", "draw"):
        loss(proof, f)
        return []
    if f[0] == "mix":
        weights = [[">=", f[1]], [">=", minus(1, f[1])]]
        return [*weights, *member(proof, f[2]), *member(proof, f[3])]
    return explicit(proof, f)


def explicit(proof: Reads, f: Ast) -> Hypotheses:
    """The conditions for an explicit loss, written as a sum, to be in the class."""
    terms = f[1:] if f[0] == "l+" else [f]
    scaled = [t if t[0] == "l*" else ["l*", 1, t] for t in terms]
    quads = [t for t in scaled if t[2] == ["quad"]]
    cones = [t for t in scaled if t[2][0] == "cone"]
    lines = [t for t in scaled if t[2][0] == "lin"]
    need(len(quads) == 1 and proof.read(quads[0][1]) == ONE, "not mu-strongly convex as written")
    need(len(quads) + len(cones) + len(lines) == len(scaled), "not an explicit loss")
    loss(proof, f)
    tilt = norm(["v+", *(["v*", c, t[1]] for _, c, t in lines)])
    room = minus(["*", "1/2", "L"], ["+", tilt, *(c for _, c, _ in cones)])
    return [[">=", room], *([">=", c] for _, c, _ in cones)]


def strong_convexity(proof: Reads, f: Ast, x: Ast, y: Ast, *tag: Ast) -> Theorem:
    """f(y) >= f(x) + <grad f(x), y - x> + mu/2 |y - x|^2 for a member and points of the ball (l.233)."""
    step = apart(y, x)
    rise = minus(["val", f, y], ["val", f, x])
    bend = ["+", ["in", ["grad", f, x, *tag], step], ["*", "1/2", "mu", square(step)]]
    return Theorem([*member(proof, f), *in_ball(x, y)], ">=", minus(rise, bend))


def lipschitz(proof: Reads, f: Ast, x: Ast, *tag: Ast) -> Theorem:
    """|grad f(x)| <= L for a member and a point of the ball (l.228)."""
    bound = minus(["^", "L", 2], square(["grad", f, x, *tag]))
    return Theorem([*member(proof, f), *in_ball(x)], ">=", bound)


def normal_cone(proof: Reads, f: Ast, y: Ast) -> Theorem:
    """<grad f(o), y - o> >= 0 at the minimiser o of a member over the ball, for every y of the ball."""
    slope = ["in", ["grad", f, ["opt", f], f], apart(y, ["opt", f])]
    return Theorem([*member(proof, f), *in_ball(y)], ">=", slope)


def stationary(proof: Reads, f: Ast, h: Ast) -> Theorem:
    """<grad f(o), h> = 0 at the minimiser o of a member: by setup.stationary the ball does not bind."""
    return Theorem(member(proof, f), "=", ["in", ["grad", f, ["opt", f], f], h])


def in_the_ball(proof: Reads, x: Ast) -> Theorem:
    """|x| <= R for a minimiser of a member, a projection, and 0."""
    x = proof.meaning(x)
    need(isinstance(x, list) and x[0] in ("opt", "proj", "zero", "iter"), "not known to lie in the ball")
    given = member(proof, x[1]) if x[0] == "opt" else []
    if x[0] == "iter":
        given = [
            *problem_members(proof, proof.meaning(x[1])[1]),
            *in_ball(proof.meaning(x[1])[2]),
            [">=", x[2]],
        ]
    return Theorem([*given, [">", "L"], [">", "mu"]], *in_ball(x)[0])


def projection(proof: Reads, u: Ast, y: Ast) -> Theorem:
    """|P(u) - y|^2 <= |u - y|^2 for the projection P on the ball and a point y of it."""
    nearer = minus(square(apart(u, y)), square(apart(["proj", u], y)))
    return Theorem(in_ball(y), ">=", nearer)


def cauchy_schwarz(proof: Reads, u: Ast, v: Ast) -> Theorem:
    """<u, v> <= |u| |v|."""
    return Theorem([], ">=", minus(["*", norm(u), norm(v)], ["in", u, v]))


def line(proof: Reads, u: Ast, h: Ast) -> Theorem:
    """In one dimension <u, h> = <u, e><e, h>, where e is the unit vector."""
    e = ["e", 1]
    product = ["*", ["in", u, e], ["in", e, h]]
    return Theorem([["=", minus("d", 1)]], "=", minus(["in", u, h], product))


def tilted(proof: Reads, v: Ast, h: Ast) -> Theorem:
    """The minimiser of mu/2 |x|^2 - <v, x> is v/mu, if |v| <= L/2."""
    f = ["l+", ["quad"], ["l*", -1, ["lin", v]]]
    away = apart(["opt", f], ["v*", ["^", "mu", -1], v])
    return Theorem(member(proof, f), "=", ["in", away, h])


def problem_members(proof: Reads, D: Ast) -> Hypotheses:
    """What has to hold for the losses of a problem to be in the class."""
    return [h for part in ("retain", "forget") for h in member(proof, part_of(proof, part, D))]


def start(proof: Reads, run: Ast, h: Ast) -> Theorem:
    """The first iterate is the start."""
    return Theorem([], "=", ["in", apart(["iter", run, 0], proof.meaning(run)[2]), h])


def step(proof: Reads, run: Ast, t: Ast, h: Ast) -> Theorem:
    """x_{t+1} = P(x_t - eta_t g_t), g_t the gradient at x_t of the loss that is drawn at time t."""
    eta = proof.put(proof.meaning(run)[3], {INDEX: t})
    moved = apart(["iter", run, t], ["v*", eta, drawn(run, t)])
    ahead = apart(["iter", run, ["+", t, 1]], ["proj", moved])
    return Theorem([[">=", t]], "=", ["in", ahead, h])


def drawn(run: Ast, t: Ast) -> Ast:
    """The stochastic gradient at time t."""
    return ["grad", ["draw", run, t], ["iter", run, t]]


def tower(proof: Reads, run: Ast, t: Ast, h: Ast) -> Theorem:
    """E<g_t, h> = E<grad F(x_t), h>, F the retain loss, for an h that is known before the draw at time t."""
    before = {*vector(proof, ["iter", run, t]), *chances(vector(proof, proof.meaning(run)[2]))}
    need(chances(vector(proof, h)) <= before, "the direction is not known before the draw")
    whole = ["grad", ["retain", proof.meaning(run)[1]], ["iter", run, t]]
    return Theorem([[">=", t]], "=", ["E", ["in", apart(drawn(run, t), whole), h]])


def chances(part: Any) -> set[Any]:
    """The random atoms in a vector, or in a part of one."""
    if isinstance(part, dict):
        part = frozen(part)
    if isinstance(part, tuple) and part[:1] and part[0] in CHANCE:
        return {part}
    return set[Any]().union(*map(chances, part)) if isinstance(part, (tuple, frozenset)) else set()


def centred(proof: Reads, z: Ast, h: Ast) -> Theorem:
    """E<z, h> = 0 for noise z and a vector h that is not random."""
    need(proof.meaning(z)[0] == "noise" and not chances(vector(proof, h)), "not noise and a fixed vector")
    return Theorem([], "=", ["E", ["in", z, h]])


def moment(proof: Reads, z: Ast) -> Theorem:
    """E|z|^2: d s^2 for Gaussian noise of scale s, d(d+1)/a^2 for a density proportional to exp(-a |z|)."""
    head, law, scale, _ = proof.meaning(z)
    need(head == "noise", "not noise")
    size = {"gauss": ["*", "d", ["^", scale, 2]], "radial": ["*", "d", ["+", "d", 1], ["^", scale, -2]]}[law]
    return Theorem([[">", scale]], "=", minus(["E", square(z)], size))


def sum_empty(proof: Reads, of: Ast) -> Theorem:
    """A sum over nothing is 0."""
    return Theorem([], "=", ["sum", of, -1])


def sum_step(proof: Reads, of: Ast, last: Ast) -> Theorem:
    """A sum up to T + 1 is the sum up to T and one more term, for T >= -1."""
    after = ["+", last, 1]
    need(not mentions(time(proof, last), INDEX), "the index is bound")
    more = ["+", ["sum", of, last], proof.put(of, {INDEX: after})]
    return Theorem([[">=", after]], "=", minus(["sum", of, after], more))


SCHEMAS: dict[str, Callable[..., Theorem]] = {
    "strong convexity": strong_convexity,
    "Lipschitz": lipschitz,
    "normal cone": normal_cone,
    "stationary": stationary,
    "ball": in_the_ball,
    "projection": projection,
    "Cauchy-Schwarz": cauchy_schwarz,
    "line": line,
    "tilted": tilted,
    "start": start,
    "step": step,
    "tower": tower,
    "centred": centred,
    "moment": moment,
    "empty sum": sum_empty,
    "sum step": sum_step,
}


def instance(proof: Reads, name: str, *args: Ast) -> Theorem:
    """A schema at objects; RejectedError unless these are of the sorts it asks for."""
    need(name in SCHEMAS, f"unknown schema {name!r:.60}")
    return SCHEMAS[name](proof, *args)


def parts(proof: Reads, sort: str, value: Ast) -> Any:
    """An object for a name of a sort, over its atoms."""
    return {LOSS: loss, PROBLEM: problem}.get(sort, vector)(proof, value)


def substitute(proof: Reads, sort: str, value: Ast) -> Hypotheses:
    """What has to hold for an object to take the place of a name of a sort."""
    inside = parts(proof, sort, value)
    atoms = frozen(inside) if isinstance(inside, dict) else inside
    need(not mentions(atoms, INDEX), "the index is bound")
    if sort == LOSS:
        return member(proof, value)
    return problem_members(proof, value) if sort == PROBLEM else []


def drawn_for(proof: Reads, sort: str, value: Ast) -> bool:
    """Whether an object for the name of something fixed is random: what holds for each outcome is no mean."""
    return sort in (POINT, LOSS, PROBLEM) and bool(chances(parts(proof, sort, value)))
