"""Schemas of laws: probabilities, total variation, coins, privacy, and a few functions.

Part of what must be trusted: standard library only. See schemas.py for what a schema is.
"""

from __future__ import annotations

from oubli.theory.kernel.members import problem_members
from oubli.theory.kernel.objects import LEARNER, UNLEARNER, Reads, figure, loss
from oubli.theory.kernel.poly import Ast, Theorem, minus, need


def probable(proof: Reads, law: Ast, S: Ast) -> Theorem:
    """A probability is at least 0; that of the complement says that it is at most 1."""
    return Theorem([], ">=", ["P", law, S])


def variation(proof: Reads, one: Ast, other: Ast, S: Ast) -> Theorem:
    """P(S) - Q(S) is at most the total variation."""
    return Theorem([], ">=", minus(["tv", one, other], minus(["P", one, S], ["P", other, S])))


def released(A: Ast, D: Ast, T: Ast, S: Ast) -> Ast:
    """The probability that what an algorithm releases after T gradients lies in S."""
    return ["P", ["out", A, D, T], S]


def unlearned(proof: Reads, A: Ast, D: Ast, E: Ast, T: Ast, S: Ast) -> Theorem:
    """P(S) <= e^eps Q(S) + delta for an unlearning algorithm on problems that share the retain data."""
    need(proof.sort(A) in (UNLEARNER, LEARNER), "not an unlearning algorithm")
    D, E = proof.meaning(D), proof.meaning(E)
    need(D[0] == E[0] and D[0] in ("problem", "signs"), "not two explicit problems")
    read = loss if D[0] == "problem" else figure
    need(read(proof, D[1]) == read(proof, E[1]), "the retain data differ")
    given = [*problem_members(proof, D), *problem_members(proof, E), [">=", T]]
    # There is an unlearning algorithm only if the budget is one.
    given += [[">=", "epsilon"], [">=", "delta"]]
    room = ["+", ["*", ["exp", "epsilon"], released(A, E, T, S)], "delta"]
    return Theorem(given, ">=", minus(room, released(A, D, T, S)))


def same_start(proof: Reads, A: Ast, D: Ast, E: Ast, T: Ast, S: Ast) -> Theorem:
    """On two problems of the hard family with the same theta* only T signs tell: P(S) - Q(S) <= their TV.

    The release is a function of theta*, of the T signs and of the algorithm's own randomness, and the signs
    tell no more than how many are 1. theta* is R ((1-r) m + r f) e_1; a learner does not look at it.
    """
    (head, m, f), (name, n, g) = proof.meaning(D), proof.meaning(E)
    need(head == name == "signs", "not two problems of the hard family")
    stars = [["+", ["*", minus(1, "r"), mean], ["*", "r", other]] for mean, other in ((m, f), (n, g))]
    same = [] if proof.sort(A) == LEARNER else [["=", minus(*stars)], [">=", "r"], [">=", minus(1, "r")]]
    apart = minus(released(A, D, T, S), released(A, E, T, S))
    given = [*same, *problem_members(proof, D), *problem_members(proof, E), [">=", T]]
    return Theorem(given, ">=", minus(["tv", ["coins", T, m], ["coins", T, n]], apart))


def score(proof: Reads, T: Ast, u: Ast, S: Ast) -> Theorem:
    """(1 - u^2) p'^2 <= T p (1 - p): the derivative of a probability is a covariance with the score of the
    signs, whose variance is T/(1 - u^2)."""
    coins = ["coins", T, u]
    p, slope = ["P", coins, S], ["dP", coins, S]
    room = minus(["*", T, p, minus(1, p)], ["*", minus(1, ["^", u, 2]), ["^", slope, 2]])
    return Theorem([[">", ["+", 1, u]], [">", minus(1, u)], [">=", T]], ">=", room)


def one_coin(proof: Reads, u: Ast, v: Ast, S: Ast) -> Theorem:
    """One sign of mean u and one of mean v differ by (u - v)/2 at most at any event, for v <= u."""
    given = [[">=", ["+", 1, v]], [">=", minus(1, u)], [">=", minus(u, v)]]
    p, q = (["P", ["coins", 1, x], S] for x in (u, v))
    return Theorem(given, ">=", minus(["*", "1/2", minus(u, v)], minus(p, q)))


def exponential(proof: Reads, x: Ast) -> Theorem:
    """e^x >= 1 + x."""
    return Theorem([], ">=", minus(["exp", x], ["+", 1, x]))


def logarithm(proof: Reads, x: Ast) -> Theorem:
    """ln x >= 1 - 1/x for x > 0."""
    return Theorem([[">", x]], ">=", minus(["log", x], minus(1, ["^", x, -1])))


def ceiling(proof: Reads, x: Ast) -> Theorem:
    """x <= ceil(x), the least integer that is."""
    return Theorem([], ">=", minus(["ceil", x], x))


def near_ceiling(proof: Reads, x: Ast) -> Theorem:
    """ceil(x) < x + 1."""
    return Theorem([], ">", minus(["+", x, 1], ["ceil", x]))


def whole(proof: Reads, n: Ast) -> Theorem:
    """An integer above -1 is at least 0."""
    need(proof.whole(n), "not an integer")
    return Theorem([[">", ["+", n, 1]]], ">=", n)


def power_series(proof: Reads, head: str, x: Ast) -> Theorem:
    """e^x = 1 + x phi1(x) and phi1(x) = 1 + x phi2(x), by the power series that these name."""
    after = {"exp": "phi1", "phi1": "phi2"}[head]
    return Theorem([], "=", minus([head, x], ["+", 1, ["*", x, [after, x]]]))


def mills(proof: Reads, x: Ast) -> Theorem:
    """x Phi(-x) < phi(x) for x > 0, phi the normal density (Gordon 1941)."""
    density = ["*", "1/2", ["^", 2, "1/2"], ["^", ["pi"], "-1/2"], ["exp", ["*", "-1/2", ["^", x, 2]]]]
    return Theorem([[">", x]], ">", minus(density, ["*", x, ["Phi", ["*", -1, x]]]))
