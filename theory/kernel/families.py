"""Schemas of families of starts: coins with d coordinates, rare losses, and the test of a release by a cone.

Part of what must be trusted: standard library only. See schemas.py for what a schema is.
"""

from __future__ import annotations

from typing import Any

from oubli.theory.kernel.laws import released
from oubli.theory.kernel.members import apart, norm, problem_members, square
from oubli.theory.kernel.objects import (
    ALGORITHMS,
    FRAME,
    INDEX,
    LEARNER,
    Reads,
    figure,
    frozen,
    is_random,
    mentions,
    problem,
    vector,
)
from oubli.theory.kernel.poly import Ast, Theorem, minus, need

LAST = minus("d", 1)  # the number of the last coordinate


def parseval(proof: Reads, v: Ast) -> Theorem:
    """The squares of the coordinates of a vector sum to |v|^2."""
    need(not mentions(frozen(vector(proof, v)), INDEX), "the index is bound")
    return Theorem([[">=", LAST]], "=", minus(["sum", ["^", ["in", v, ["axis", INDEX]], 2], LAST], square(v)))


def tossed(u: Ast) -> Ast:
    """The mean of the coin of one coordinate."""
    return ["*", ["^", "d", "1/2"], ["in", u, ["axis", INDEX]]]


def logarithms(u: Ast, v: Ast) -> tuple[Ast, Ast]:
    """For the coins of one coordinate: ln of the ratio of the probabilities of 1, and of -1."""
    a, b = tossed(u), tossed(v)
    ahead = minus(["log", ["+", 1, a]], ["log", ["+", 1, b]])
    return ahead, minus(["log", minus(1, a)], ["log", minus(1, b)])


def same_start(proof: Reads, A: Ast, one: Ast, other: Ast) -> list[Any]:
    """That theta* is the same, for an algorithm that looks at it."""
    need(proof.sort(A) in ALGORITHMS, "no named algorithm: a rule may release more than it may see")
    fraction = [[">=", "r"], [">=", minus(1, "r")]]
    return [] if proof.sort(A) == LEARNER else [["=", square(apart(one, other))], *fraction]


def apart_by_signs(proof: Reads, A: Ast, D: Ast, E: Ast, T: Ast) -> tuple[list[Any], list[Ast]]:
    """Laws of T signs, one for each of two problems, that tell the problems apart as well as T gradients do.

    D is of the hard family; so is E, or its signs have the mean of D up to a turn. Theta* is the same. Then a
    query before the turn shows a sign of one mean in both: an algorithm that is given T signs of the mean
    beyond the turn, on E, or of that on D, can draw such signs itself, and releases what it does on E, or D.
    """
    D, E = proof.meaning(D), proof.meaning(E)
    need(D[0] == "signs" and E[0] in ("signs", "turns"), "not two problems of the hard family")
    need(E[0] == "signs" or figure(proof, E[1]) == figure(proof, D[1]), "another mean before the turn")
    parts = [problem(proof, P) for P in (D, E)]
    need(not any(is_random(part) or mentions(part, INDEX) for part in parts), "not two fixed problems")
    stars = [["opt", ["mix", "r", ["forget", P], ["retain", P]]] for P in (D, E)]
    same = same_start(proof, A, *stars)
    given = [*same, *problem_members(proof, D), *problem_members(proof, E), [">=", T]]
    return given, [["coins", T, u] for u in (D[1], E[2 if E[0] == "turns" else 1])]


def turn(proof: Reads, A: Ast, D: Ast, E: Ast, T: Ast, S: Ast) -> Theorem:
    """P(S) - Q(S) <= the total variation of T signs, for two problems that no more than these tell apart."""
    given, signs = apart_by_signs(proof, A, D, E, T)
    apart = minus(released(A, D, T, S), released(A, E, T, S))
    return Theorem(given, ">=", minus(["tv", *signs], apart))


def likelihood(proof: Reads, A: Ast, D: Ast, E: Ast, T: Ast, S: Ast, x: Ast, s: Ast) -> Theorem:
    """P(S) <= e^x Q(S) + exp(s (T K - x) + s^2 T V/2), s >= 0, for two vectors of means of coins, one theta*.

    The release is a function of theta*, of the T vectors of signs and of the algorithm's own randomness. The
    likelihood ratio of the signs exceeds e^x with at most that probability: its logarithm is a sum of T d
    independent terms, of mean T K; a sign of coordinate k adds t_k or -t_k to it, and V is the sum of t_k^2
    (Markov for e^(s times it), Hoeffding's lemma for each term).
    """
    (head, u, f), (name, v, g) = D, E = proof.meaning(D), proof.meaning(E)
    need(head == name == "tosses", "not two problems with coins")
    parts = [frozen(vector(proof, w)) for w in (u, v)] + [figure(proof, e) for e in (x, s)]
    need(not any(mentions(part, INDEX) for part in parts), "the index is bound")
    need(not any(map(is_random, parts)), "random means, or a random number")
    stars = [["v+", ["v*", minus(1, "r"), w], ["v*", "r", h]] for w, h in ((u, f), (v, g))]
    same = same_start(proof, A, *stars)
    inside = [[">", minus(1, ["*", "d", square(w)])] for w in (u, v)]
    given = [*same, *problem_members(proof, D), *problem_members(proof, E), *inside, [">=", T], [">=", s]]
    ahead, back = logarithms(u, v)
    half = [["*", "1/2", ["+", 1, ["*", sign, tossed(u)]]] for sign in (1, -1)]
    K = ["sum", ["+", ["*", half[0], ahead], ["*", half[1], back]], LAST]
    V = ["sum", ["^", ["*", "1/2", minus(ahead, back)], 2], LAST]
    tail = ["exp", ["+", ["*", s, minus(["*", T, K], x)], ["*", "1/2", ["^", s, 2], T, V]]]
    room = ["+", ["*", ["exp", x], released(A, E, T, S)], tail]
    return Theorem(given, ">=", minus(room, released(A, D, T, S)))


def rare(proof: Reads, A: Ast, D: Ast, T: Ast, S: Ast) -> Theorem:
    """P(S) >= (1 - a)^T Q(S) where a share a of the retain data has another loss and theta* is the same.

    With probability (1 - a)^T no such loss is drawn; then the release is that of the problem without them.
    """
    D = proof.meaning(D)
    need(D[0] == "rarely" and not is_random(problem(proof, D)), "not a problem with rare losses")
    _, a, _, before, _ = D
    stars = [["opt", ["mix", "r", ["forget", P], ["retain", P]]] for P in (D, before)]
    same = same_start(proof, A, *stars)
    given = [*same, *problem_members(proof, D), [">", minus(1, a)], [">=", T]]
    unseen = ["exp", ["*", T, ["log", minus(1, a)]]]
    return Theorem(given, ">=", minus(released(A, D, T, S), ["*", unseen, released(A, before, T, S)]))


def cut(proof: Reads, c: Ast, u: Ast, y: Ast) -> Theorem:
    """|Q(u) - y| <= |u - y| for the projection Q on the ball of radius c around 0 and a point y of it."""
    nearer = minus(norm(apart(u, y)), norm(apart(["cut", c, u], y)))
    return Theorem([[">=", c], [">=", minus(["^", c, 2], square(y))]], ">=", nearer)


def cut_length(proof: Reads, c: Ast, u: Ast) -> Theorem:
    """|Q(u)| <= c for the projection on the ball of radius c."""
    return Theorem([[">=", c]], ">=", minus(["^", c, 2], square(["cut", c, u])))


def positive_part(x: Ast) -> Ast:
    """The larger of x and 0."""
    return ["*", "1/2", ["+", x, ["^", ["^", x, 2], "1/2"]]]


def across(o: Ast, *directions: str) -> Ast:
    """The length of a vector's part orthogonal to some of u_, e_."""
    return norm(["v+", o, *(["v*", ["*", -1, ["in", o, name]], name] for name in directions)])


def test(o: Ast, k: Ast) -> Ast:
    """(<o, e_> - k |o - <o, u_> u_ - <o, e_> e_|)_+: how far a vector lies in a cone around e_."""
    return positive_part(minus(["in", o, FRAME[1]], ["*", k, across(o, *FRAME)]))


def alone(proof: Reads, o: Ast, *numbers: Ast) -> None:
    """Reject a vector that depends on e_, and numbers that depend on a direction or are random."""
    vector(proof, o)
    # As it is written: where another vector is put for u_, <u_, e_> is no longer 0.
    need(not mentions(proof.put(o, {}), FRAME[1]), "the vector depends on e_")
    fixed = [figure(proof, x) for x in numbers]
    need(not any(is_random(x) or mentions(x, name) for x in fixed for name in FRAME), "not a number")


def turned(proof: Reads, o: Ast, c: Ast, s: Ast, k: Ast, cap: Ast) -> Theorem:
    """The mean test of o' is at least that of s P <o, u_> + (c C - k S) |o - <o, u_> u_|, where o' is o with
    c u_ + s e_ in place of u_, c^2 + s^2 = 1, and P, C, S are the means over any cap.

    c u_ + s e_ and c e_ - s u_ are an orthonormal pair as u_ and e_ are; o' does not depend on the second,
    whose angle with the part of o' orthogonal to the first is that of two directions in R^(d-1). A positive
    part is at least what it is part of on the cap, and at least 0 elsewhere.
    """
    alone(proof, o, c, s, k, cap)
    P, C, S = (["cap", LAST, cap, i] for i in range(3))
    there = proof.put(o, {FRAME[0]: ["v+", ["v*", c, FRAME[0]], ["v*", s, FRAME[1]]]})
    along, aside = ["*", s, P, ["in", o, FRAME[0]]], minus(["*", c, C], ["*", k, S])
    seen = ["+", along, ["*", aside, across(o, FRAME[0])]]
    rooted = minus(1, ["+", ["^", c, 2], ["^", s, 2]])
    return Theorem([["=", rooted]], ">=", minus(["spun", ["E", test(there, k)]], ["spun", ["E", seen]]))


def pointed(o: Ast, k: Ast) -> Ast:
    """(<o, u_> - k |o - <o, u_> u_|)_+: how far a vector lies in a cone around u_."""
    return positive_part(minus(["in", o, FRAME[0]], ["*", k, across(o, FRAME[0])]))


def unturned(proof: Reads, o: Ast, *numbers: Ast) -> tuple[Ast, ...]:
    """The means over a cap of directions in R^d, the last of the numbers its cotangent; reject a vector and
    numbers that depend on a direction, and numbers that are random."""
    fixed = [figure(proof, x) for x in numbers]
    parts = [frozen(vector(proof, o)), *fixed]
    need(not any(mentions(part, name) for part in parts for name in FRAME), "it depends on a direction")
    need(not any(map(is_random, fixed)), "not a number")
    return tuple(["cap", "d", numbers[-1], i] for i in range(3))


def free_cone(proof: Reads, o: Ast, k: Ast) -> Theorem:
    """The mean of the test of o around all directions is E|o| E(cos - k sin)_+, as o depends on none."""
    _, C, S = unturned(proof, o, k)
    seen = ["*", minus(C, ["*", k, S]), ["E", norm(o)]]
    return Theorem([[">=", k], [">=", LAST]], "=", minus(["spun", ["E", pointed(o, k)]], seen))


def pushed_cone(proof: Reads, o: Ast, t: Ast, k: Ast, cap: Ast) -> Theorem:
    """The mean of the test of o + t u_ around all directions u_ is at least that of t P + (C - k S) |o|, with
    the means P, C, S over any cap: a positive part is at least what it is part of there, and 0 elsewhere."""
    P, C, S = unturned(proof, o, t, k, cap)
    there = ["v+", o, ["v*", t, FRAME[0]]]
    seen = ["+", ["*", t, P], ["*", minus(C, ["*", k, S]), ["E", norm(o)]]]
    return Theorem([[">=", LAST]], ">=", minus(["spun", ["E", pointed(there, k)]], seen))


def straight(proof: Reads, o: Ast, k: Ast) -> Theorem:
    """The mean test of o is that of |o - <o, u_> u_| times E(cos - k sin)_+, as o does not depend on e_."""
    alone(proof, o, k)
    _, C, S = (["cap", LAST, k, i] for i in range(3))
    seen = ["*", minus(C, ["*", k, S]), ["spun", ["E", across(o, FRAME[0])]]]
    return Theorem([[">=", k]], "=", minus(["spun", ["E", test(o, k)]], seen))


SCHEMAS: dict[str, Any] = {
    "Parseval": parseval,
    "turn": turn,
    "likelihood": likelihood,
    "rare": rare,
    "cut": cut,
    "cut length": cut_length,
    "turned cone": turned,
    "cone": straight,
    "free cone": free_cone,
    "pushed cone": pushed_cone,
}
