"""Schemas of laws: probabilities, total variation, coins, privacy, and a few functions.

Part of what must be trusted: standard library only. See schemas.py for what a schema is.
"""

from __future__ import annotations

from oubli.theory.kernel.members import apart, norm, problem_members, square
from oubli.theory.kernel.objects import (
    ALGORITHMS,
    DATA,
    INDEX,
    LEARNER,
    UNLEARNER,
    Reads,
    chances,
    figure,
    loss,
    mentions,
    problem,
    random_number,
    vector,
)
from oubli.theory.kernel.poly import Ast, Theorem, minus, need
from oubli.theory.kernel.rules import budget, enough


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
    need(D[0] == E[0] and D[0] in ("problem", "signs", "tosses"), "not two explicit problems")
    read = {"problem": loss, "signs": figure, "tosses": vector}[D[0]]
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
    need(proof.sort(A) in ALGORITHMS, "no named algorithm: a rule may release more than it may see")
    stars = [["+", ["*", minus(1, "r"), mean], ["*", "r", other]] for mean, other in ((m, f), (n, g))]
    same = [] if proof.sort(A) == LEARNER else [["=", minus(*stars)], [">=", "r"], [">=", minus(1, "r")]]
    apart = minus(released(A, D, T, S), released(A, E, T, S))
    given = [*same, *problem_members(proof, D), *problem_members(proof, E), [">=", T]]
    return Theorem(given, ">=", minus(["tv", ["coins", T, m], ["coins", T, n]], apart))


def noisy(
    proof: Reads, z: Ast, u: Ast, v: Ast, S: Ast, eps: Ast, delta: Ast, width: Ast, kappa: Ast = 0
) -> Theorem:  # fmt: skip
    """P(u + z in S) <= e^eps P(v + z in S) + delta for noise z that hides shifts as long as u - v.

    It hides them within the budget by the exact law of Gaussian noise, or by the density of radial noise.
    """
    z = proof.meaning(z)
    need(not chances(vector(proof, u)) | chances(vector(proof, v)), "not two fixed vectors")
    here, there = (["P", ["v+", x, z], S] for x in (u, v))
    near = [[">=", minus(width, norm(apart(u, v)))], *budget(eps, delta, width)]
    room = minus(["+", ["*", ["exp", eps], there], delta], here)
    return Theorem([*near, *enough(z, eps, delta, width, kappa)], ">=", room)


def staircase(proof: Reads, z: Ast) -> Theorem:
    """E|z|^2 = s^2 d/(d+2) S_{d+2}/S_d for staircase noise z, S_n the sum of e^(-k eps) (q + k)^n.

    It is a point of a ball of radius (q + k) s, chosen with probability proportional to e^(-k eps) (q + k)^d:
    |z| over the radius has the density d x^(d-1).
    """
    head, eps, s, q, _ = proof.meaning(z)
    need(head == "stair", "not staircase noise")
    below, above = (["shells", eps, q, n] for n in ("d", ["+", "d", 2]))
    size = ["*", "d", ["^", ["+", "d", 2], -1], ["^", s, 2], above, ["^", below, -1]]
    given = [[">", eps], [">", s], [">", q], [">=", minus("d", 1)]]
    return Theorem(given, "=", minus(["E", square(z)], size))


def common(proof: Reads, u: Ast, v: Ast, y: Ast) -> Theorem:
    """E|u - y|^2 >= (1 - TV) E|w - y|^2 for a fixed y, w drawn from what the laws of u and v have in common.

    (1 - TV) times the law of w is min(P, Q), which is at most P.
    """
    need(not chances(vector(proof, y)), "not a fixed vector")
    away, shared = (["E", square(apart(w, y))] for w in (u, ["common", u, v]))
    return Theorem([], ">=", minus(away, ["*", minus(1, ["tv", u, v]), shared]))


def score(proof: Reads, T: Ast, u: Ast, S: Ast) -> Theorem:
    """(1 - u^2) p'^2 <= T p (1 - p): the derivative of a probability is a covariance with the score of the
    signs, whose variance is T/(1 - u^2)."""
    coins = ["coins", T, u]
    p, slope = ["P", coins, S], ["dP", coins, S]
    room = minus(["*", T, p, minus(1, p)], ["*", minus(1, ["^", u, 2]), ["^", slope, 2]])
    return Theorem([[">", ["+", 1, u]], [">", minus(1, u)], [">=", T]], ">=", room)


def score_of_a_mean(proof: Reads, A: Ast, D: Ast, T: Ast, x: Ast, g: Ast) -> Theorem:
    """(1 - m^2) E'^2 <= T E g(x)^2 for what is released on a hard problem, E' the derivative of E g(x) in m.

    At a fixed theta* that is the covariance of g(x) with the score of the T signs, of variance T/(1 - m^2).
    """
    _, m, _ = D = proof.meaning(D)
    need(proof.sort(A) in ALGORITHMS, "no named algorithm")
    need(not random_number(proof, g), "another chance")
    need(not any(mentions(problem(proof, D), word) for word in (INDEX, DATA)), "a bound name in a problem")
    found = proof.put(g, {x: ["out", A, D, T]})
    most = ["*", T, ["E", ["^", found, 2]]]
    room = minus(most, ["*", minus(1, ["^", m, 2]), ["^", ["dE", found], 2]])
    open_ended = [[">", ["+", 1, m]], [">", minus(1, m)]]
    return Theorem([*problem_members(proof, D), *open_ended, [">=", T]], ">=", room)


def counts(proof: Reads, T: Ast, u: Ast) -> Theorem:
    """Of T signs 0, 1, … or T are 1: these probabilities sum to 1."""
    need(not mentions([figure(proof, u), figure(proof, T)], INDEX), "the index is bound")
    given = [[">=", ["+", 1, u]], [">=", minus(1, u)], [">=", T]]
    return Theorem(given, "=", minus(["sum", ["P", ["coins", T, u], ["count", INDEX]], T], 1))


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
