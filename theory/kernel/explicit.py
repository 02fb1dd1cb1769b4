"""Schemas of what is explicit: randomised responses, half spaces, one coin, data that all have one loss.

Part of what must be trusted: standard library only. See schemas.py for what a schema is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oubli.theory.kernel.members import apart, square
from oubli.theory.kernel.objects import POINT, Reads, chances, mentions, random_number, vector
from oubli.theory.kernel.poly import Ast, Theorem, minus, need


def coin_distance(proof: Reads, u: Ast, v: Ast) -> Theorem:
    """The total variation of one sign of mean u and one of mean v is (u - v)/2, for v <= u."""
    given = [[">=", ["+", 1, v]], [">=", minus(1, u)], [">=", minus(u, v)]]
    return Theorem(given, "=", minus(["tv", ["coins", 1, u], ["coins", 1, v]], ["*", "1/2", minus(u, v)]))


def equal(proof: Reads, u: Ast, v: Ast) -> Theorem:
    """The total variation of the laws of u and v is 0 if E|u - v|^2 <= 0: they are equal almost surely."""
    return Theorem([[">=", ["*", -1, ["E", square(apart(u, v))]]]], "=", ["tv", u, v])


def fixed(proof: Reads, *vectors: Ast) -> None:
    """Reject vectors that are random."""
    need(not any(chances(vector(proof, u)) for u in vectors), "a random vector")


def responses_apart(proof: Reads, p: Ast, w: Ast, s: Ast, u: Ast, v: Ast) -> Theorem:
    """Where w > 0 >= s, the answers u with probability p and 1 - p, v else, have total variation 2p - 1."""
    fixed(proof, u, v)
    two = [">", square(apart(u, v))]
    given = [[">", w], [">=", ["*", -1, s]], [">=", minus(p, "1/2")], [">=", minus(1, p)], two]
    answers = (["response", p, x, u, v] for x in (w, s))
    return Theorem(given, "=", minus(["tv", *answers], minus(["*", 2, p], 1)))


def response_mean(proof: Reads, p: Ast, w: Ast, u: Ast, v: Ast, x: str, g: Ast) -> Theorem:
    """E g(x) = p g(u) + (1 - p) g(v) where x is u with probability p, v else: w > 0."""
    need(proof.sort(x) == POINT, "not an arbitrary vector")
    fixed(proof, u, v)
    need(not random_number(proof, g), "another chance")
    need(not any(mentions(proof.put(g, {}), head) for head in proof.theory.laws()), "a mean inside")
    here, there = (proof.put(g, {x: y}) for y in (u, v))
    answer = ["E", proof.put(g, {x: ["response", p, w, u, v]})]
    given = [[">", w], [">=", p], [">=", minus(1, p)]]
    return Theorem(given, "=", minus(answer, ["+", ["*", p, here], ["*", minus(1, p), there]]))


def beyond(proof: Reads, z: Ast, u: Ast, h: Ast, c: Ast) -> Theorem:
    """P(<u + z, h> > c) = Phi((<u, h> - c)/s) for Gaussian z of scale s > 0 and |h| = 1."""
    head, law, s, _ = z = proof.meaning(z)
    need([head, law] == ["noise", "gauss"], "not Gaussian noise")
    fixed(proof, u, h)
    ahead = ["*", minus(["in", u, h], c), ["^", s, -1]]
    hit = ["P", ["v+", u, z], ["beyond", h, c]]
    return Theorem([[">", s], ["=", minus(square(h), 1)]], "=", minus(hit, ["Phi", ahead]))


def not_beyond(proof: Reads, z: Ast, u: Ast, h: Ast, c: Ast) -> Theorem:
    """P(<u + z, h> > c) = 0 for Gaussian z of scale 0, if <u, h> <= c."""
    head, law, s, _ = z = proof.meaning(z)
    need([head, law] == ["noise", "gauss"], "not Gaussian noise")
    # A random u makes the condition random, and nothing is said of a mean under such a one.
    hit = ["P", ["v+", u, z], ["beyond", h, c]]
    return Theorem([["=", s], [">=", minus(c, ["in", u, h])]], "=", hit)


SCHEMAS: dict[str, Callable[..., Any]] = {
    "coin distance": coin_distance,
    "equal": equal,
    "responses apart": responses_apart,
    "mean response": response_mean,
    "beyond": beyond,
    "not beyond": not_beyond,
}
