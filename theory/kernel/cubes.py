"""Schemas of a cube of means of coins: its points, the coins' information, and the flow at a fixed theta*.

Part of what must be trusted: standard library only. See schemas.py for what a schema is.
"""

from __future__ import annotations

from typing import Any

from oubli.theory.kernel.members import Hypotheses, problem_members
from oubli.theory.kernel.objects import (
    ALGORITHMS,
    DATA,
    FIXED,
    INDEX,
    INNER,
    POINT,
    Reads,
    cell,
    figure,
    is_random,
    mentions,
    problem,
    random_number,
)
from oubli.theory.kernel.poly import Ast, Theorem, minus, need

W, S = INNER


def inside(proof: Reads, w: Ast, t: Ast) -> Theorem:
    """y (1 - y) >= 0 for each coordinate y of a point of the cube [0, 1]^d: 0 <= y <= 1."""
    cell(proof, w)
    y = ["in", w, ["axis", t]]
    return Theorem([], ">=", ["*", y, minus(1, y)])


def coin(u: Ast, t: Ast) -> Ast:
    """The mean of the coin of coordinate t."""
    return ["*", ["^", "d", "1/2"], ["in", u, ["axis", t]]]


def free(proof: Reads, *numbers: Ast) -> None:
    """Reject numbers that are random, or change in the cube."""
    fixed = [figure(proof, x) for x in numbers]
    need(not any(is_random(x) or mentions(x, name) for x in fixed for name in INNER), "not a fixed number")


def open_box(a: Ast, b: Ast) -> Hypotheses:
    """That all coins of a box have means between -1 and 1, these excluded."""
    low, high = (["*", ["^", "d", "1/2"], end] for end in (a, b))
    return [[">=", minus(b, a)], [">", ["+", 1, low]], [">", minus(1, high)], [">=", minus("d", 1)]]


def information(_proof: Reads, a: Ast, b: Ast, w: Ast, t: Ast) -> Theorem:
    """The information of a coin of mean v is 1/(1 - v^2)."""
    each = ["*", minus(1, ["^", coin(["box", a, b, w], t), 2]), ["info", a, b, w, t]]
    return Theorem(open_box(a, b), "=", minus(each, 1))


def total_information(proof: Reads, a: Ast, b: Ast, t: Ast) -> Theorem:
    """Over means that are uniform between two ends, 1/(1 - v^2) has the integral artanh, from end to end."""
    free(proof, a, b, t)
    ends = (["*", ["^", "d", "1/2"], end] for end in (a, b))
    low, high = (["*", "1/2", minus(["log", ["+", 1, v]], ["log", minus(1, v)])] for v in ends)
    mean = ["*", ["^", "d", "1/2"], minus(b, a), ["cubed", ["info", a, b, W, t]]]
    return Theorem(open_box(a, b), "=", minus(mean, minus(high, low)))


def asked(proof: Reads, A: Ast, D: Ast, x: Ast, g: Ast) -> None:
    """Reject what is no named algorithm, a number that is random besides, and problems with bound names."""
    need(proof.sort(A) in ALGORITHMS, "no named algorithm")
    need(proof.sort(x) == POINT and not random_number(proof, g), "another chance")
    found = problem(proof, D)
    need(not any(mentions(found, word) for word in (INDEX, DATA)), "a bound name in a problem")
    need(not is_random(found), "a random problem")


def score_of_a_coin(proof: Reads, A: Ast, D: Ast, T: Ast, t: Ast, x: Ast, g: Ast) -> Theorem:
    """(1 - v^2) E'^2 <= d T E g(x)^2 for what is released on a problem with coins, v the mean of one of them.

    E' is the derivative of E g(x) in v/sqrt(d), coordinate t of the vector of their means. At a fixed theta*
    it is the covariance of g(x) with the score of T tosses of that coin, of variance d T/(1 - v^2).
    """
    D = proof.meaning(D)
    need(proof.meaning(D[1])[0] == "box", "not a problem with coins of a box")
    asked(proof, A, D, x, g)
    _, a, b, _ = u = proof.meaning(D[1])
    found = proof.put(g, {x: ["out", A, D, T]})
    slope = ["*", minus(1, ["^", coin(u, t), 2]), ["^", ["dE", found, t], 2]]
    room = minus(["*", "d", T, ["E", ["^", found, 2]]], slope)
    return Theorem([*problem_members(proof, D), *open_box(a, b), [">=", T]], ">=", room)


def flow(proof: Reads, A: Ast, T: Ast, a: Ast, b: Ast, t: Ast, x: Ast, g: Ast) -> Theorem:
    """The divergence theorem for E g(x), x the release on coins of mean u and forget data of mean s_ e_t.

    At a fixed theta* = R ((1-r) u + r s_ e_t) coordinate t of u rises by r/(1-r) times what s_ falls by. In
    the mean over u in the cube [a, b]^d and s_ in [-1, 1], E g(x) at u_t = b is larger than at u_t = a by
    b - a times its derivative in u_t at a fixed theta*, and by (b - a)(1-r)/(2r) times what it is larger by
    at s_ = 1 than at s_ = -1.
    """
    free(proof, a, b, t, T)
    whole = proof.put(g, {})
    need(not any(mentions(whole, name) for name in (*INNER, INDEX, DATA, *FIXED)), "another number for each")

    def released(w: Ast, s: Ast) -> Ast:
        D = ["tosses", ["box", a, b, w], ["v*", s, ["axis", t]]]
        asked(proof, A, D, x, g)
        return proof.put(g, {x: ["out", A, D, T]})

    def mean(w: Ast, s: Ast) -> Ast:
        return ["cubed", ["E", released(w, s)]]

    along = ["*", minus(b, a), ["cubed", ["dE", released(W, S), t]]]
    over = ["*", "1/2", minus(b, a), minus(1, "r"), ["^", "r", -1], minus(mean(W, 1), mean(W, -1))]
    out = minus(mean(["set", W, t, 1], S), mean(["set", W, t, 0], S))
    given = problem_members(proof, ["tosses", ["box", a, b, W], ["zero"]])
    given += [[">", "r"], [">=", minus(1, "r")], [">=", T]]
    return Theorem(given, "=", minus(out, ["+", along, over]))


SCHEMAS: dict[str, Any] = {
    "cube": inside,
    "information": information,
    "total information": total_information,
    "score of a coin": score_of_a_coin,
    "flow": flow,
}
