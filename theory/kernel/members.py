"""Members of the class: what has to hold for losses and problems to be in it.

Part of what must be trusted: standard library only.
"""

from __future__ import annotations

from typing import Any

from oubli.theory.kernel.objects import Reads, loss, part_of
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
    subgradients on the ball have norm at most mu R + L/2 = L.
    """
    f = proof.meaning(f)
    if isinstance(f, list) and f[0] in ("retain", "forget"):
        f = part_of(proof, *f)
    if isinstance(f, list) and f[0] == "draw":
        return problem_members(proof, proof.meaning(f[1])[1])
    if isinstance(f, str) or f[0] in ("retain", "forget"):
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
    tilt = square(["v+", *(["v*", c, t[1]] for _, c, t in lines)])
    room = minus(["*", "1/2", "L"], ["+", *(c for _, c, _ in cones)])
    return [[">=", room], [">=", minus(["^", room, 2], tilt)], *([">=", c] for _, c, _ in cones)]


def problem_members(proof: Reads, D: Ast) -> Hypotheses:
    """What has to hold for the losses of a problem to be in the class."""
    D = proof.meaning(D)
    if D[0] == "signs":
        room = [[">=", end] for m in D[1:] for end in (["+", 1, m], minus(1, m))]
        return [*room, [">", "L"], [">", "mu"]]
    return [h for part in ("retain", "forget") for h in proof.theory.member(proof, part_of(proof, part, D))]
