"""Members of the class: what has to hold for losses and problems to be in it.

Part of what must be trusted: standard library only.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from oubli.theory.kernel.objects import Reads, loss, part_of, pieces
from oubli.theory.kernel.poly import ONE, Ast, minus, need

Hypotheses = list[Any]
R2 = ["*", "1/4", ["^", "L", 2], ["^", "mu", -2]]
CURVED = [">", "mu"]  # without it a loss need not have a minimiser, and no rule may speak of one


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
    subgradients on the ball have norm at most mu R + L/2 = L. To it may be added the largest of affine
    functions: the first one counts with v, and what each later one has to meet is in `on_its_cap`.
    """
    f = proof.meaning(f)
    loss(proof, f)
    if isinstance(f, list) and f[0] in ("retain", "forget"):
        part = part_of(proof, *f)
        return [] if part == [f[0], proof.meaning(f[1])] else member(proof, part)
    if isinstance(f, list) and f[0] == "draw":
        return problem_members(proof, proof.meaning(f[1])[1])
    if isinstance(f, str):
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
    tops = [t for t in scaled if t[2][0] == "max"]
    need(len(quads) == 1 and proof.read(quads[0][1]) == ONE, "not mu-strongly convex as written")
    need([proof.read(c) for _, c, _ in tops] in ([], [ONE]), "more than one maximum, or a multiple of one")
    need(len(quads) + len(cones) + len(lines) + len(tops) == len(scaled), "not an explicit loss")
    tilt = ["v+", *(["v*", c, t[1]] for _, c, t in lines)]
    room = minus(["*", "1/2", "L"], ["+", *(c for _, c, _ in cones)])
    listed = pieces(tops[0][2]) if tops else [(["zero"], 0, 0)]
    each = [(["v+", tilt, v], a, c) for v, a, c in listed]
    inside = [[">=", room], [">=", minus(["^", room, 2], square(each[0][0]))]]
    later = [h for k, g in pairwise(each) for h in on_its_cap(room, *k[:2], *g)]
    return [*inside, *([">=", c] for _, c, _ in cones), *later]


def on_its_cap(room: Ast, k: Ast, a: Ast, h: Ast, b: Ast, c: Ast) -> Hypotheses:
    """That |mu x + h| <= room + L/2 wherever |x| <= R and <h, x> + b >= <k, x> + a, by a multiplier c.

    |mu x + h|^2 <= (L/2)^2 + |h|^2 + 2 mu <h, x>, and there <h, x> <= <h + c (h - k), x> + c (b - a), where
    the inner product is at most R |h + c (h - k)| and 2 mu R = L.
    """
    turned = ["v+", h, ["v*", c, apart(h, k)]]
    left = ["+", ["*", 2, "mu", c, minus(a, b)], ["^", room, 2], ["*", room, "L"], ["*", -1, square(h)]]
    enough = minus(["^", left, 2], ["*", ["^", "L", 2], square(turned)])
    return [[">=", ["*", "mu", c]], [">=", left], [">=", enough]]


def coins(proof: Reads, u: Ast) -> Hypotheses:
    """That each coordinate of a vector is at most 1/sqrt(d) in size: a mean of a coin."""
    u = proof.meaning(u)
    if u[0] != "box":
        return [[">=", minus(1, ["*", "d", square(u)])]]
    _, a, b, _ = u
    low, high = (["*", ["^", "d", "1/2"], end] for end in (a, b))
    return [[">=", minus(b, a)], [">=", ["+", 1, low]], [">=", minus(1, high)]]


def problem_members(proof: Reads, D: Ast) -> Hypotheses:
    """What has to hold for the losses of a problem to be in the class."""
    D = proof.meaning(D)
    own = proof.theory.member is member
    need(own or D[0] not in ("signs", "tosses"), "a family of another class")
    if D[0] == "turns":
        _, m, n, _, f = D
        return [*problem_members(proof, ["signs", m, f]), [">=", ["+", 1, n]], [">=", minus(m, n)]]
    if D[0] == "signs":
        room = [[">=", end] for m in D[1:] for end in (["+", 1, m], minus(1, m))]
        return [*room, [">", "L"], [">", "mu"]]
    if D[0] == "tosses":
        _, u, f = D
        return [*coins(proof, u), [">=", minus(1, square(f))], [">=", minus("d", 1)], [">", "L"], [">", "mu"]]
    if D[0] == "rarely":
        _, a, f, before, h = D
        share = [[">=", a], [">=", minus(1, a)]]
        return [
            *share,
            *(e for g in (f, h) for e in proof.theory.member(proof, g)),
            *problem_members(proof, before),
        ]
    return [h for part in ("retain", "forget") for h in proof.theory.member(proof, part_of(proof, part, D))]
