"""Explicit algorithms: which vectors a rule may release, what they cost, and when they are private.

Part of what must be trusted: standard library only. A rule sees the old optimum theta* of its problem and
gradients of the retain loss at the iterates of stochastic gradient descent, and nothing else of the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from oubli.theory.kernel.members import in_ball
from oubli.theory.kernel.objects import (
    ALGORITHMS,
    CLOCK,
    DATA,
    HEADS,
    INDEX,
    Reads,
    after,
    body,
    chances,
    figure,
    mentions,
    process,
    vector,
)
from oubli.theory.kernel.poly import EMPTY, Ast, minus, need

Hypotheses = list[Any]


class Use(NamedTuple):
    """One use of the old optimum, with the noise that is added to it at once, or of a noise alone."""

    star: bool
    noise: Ast
    atom: Any


def old_optimum(r: Ast) -> Ast:
    """theta*, the minimiser of the loss on all data of the problem, of which a fraction r is to forget."""
    return ["opt", ["mix", r, ["forget", DATA], ["retain", DATA]]]


def public(proof: Reads, *numbers: Ast) -> None:
    """Reject numbers that may depend on the data, or on anything random: they are built from parameters."""
    for x in numbers:
        full, gens = proof.put(x, {}), [gen for mono in proof.read(x) for gen, _ in mono]
        need(not any(mentions(full, word) for word in (DATA, "@", *HEADS)), "a number depends on the data")
        need(not any(gen[0] == "name" and proof.measured(gen[1]) for gen in gens), "a number is measured")


def noisy(proof: Reads, star: bool, noise: Ast) -> Use:
    """The use of a noise."""
    public(proof, noise[2])
    return Use(star, noise, process(proof, *noise))


def uses(proof: Reads, node: Ast, r: Ast) -> Iterator[Use]:
    """What a vector uses of the data and of noise: theta* and gradient steps, or RejectedError."""
    node = proof.meaning(node)
    if isinstance(node, str):
        need(proof.sort(node) == "point", f"{node!r:.60} is no public vector")
    elif node == old_optimum(r):
        yield Use(True, None, None)
    elif node[0] == "noise":
        yield noisy(proof, False, node)
    elif node[0] == "v+" and len(node) == 3 and node[1] == old_optimum(r) and node[2][0] == "noise":
        yield noisy(proof, True, node[2])
    elif node[0] == "e":
        return
    elif node[0] in ("v+", "zero"):
        for part in node[1:]:
            yield from uses(proof, part, r)
    elif node[0] == "v*":
        public(proof, node[1])
        yield from uses(proof, node[2], r)
    elif node[0] == "proj":
        yield from uses(proof, node[1], r)
    elif node[0] == "response":
        _, p, w, *answers = node
        public(proof, p)
        w = proof.meaning(w)
        if isinstance(w, list) and w[0] == "in":  # What decides is public, or tells of public vectors.
            answers = [*answers, *w[1:]]
        else:
            public(proof, w)
        for part in answers:
            yield from uses(proof, part, r)
    else:
        yield from uses_of_a_run(proof, r, *node)


def uses_of_a_run(proof: Reads, r: Ast, head: str, run: Ast, *rest: Ast) -> Iterator[Use]:
    """The same for an iterate, or an average of iterates, of gradient descent on the retain loss."""
    need(head in ("iter", "average"), f"a rule cannot release {head!r:.60}")
    name, D, start, eta = proof.meaning(run)
    need(name == "sgd" and D == DATA, "not a run on the rule's own problem")
    public(proof, eta, *rest)
    yield from uses(proof, start, r)


def cost(proof: Reads, node: Ast, T: Ast) -> Hypotheses:
    """That T gradients are enough: the t-th iterate takes t, a run that starts from another one more."""
    node = proof.meaning(node)
    if isinstance(node, str) or node == ["v+"] or node[0] in ("opt", "noise", "zero", "e"):
        return [[">=", T]]
    if node[0] in ("v+", "v*", "proj"):
        vectors = node[1 + (node[0] == "v*") :]
        need(sum(mentions(part, "sgd") for part in vectors) <= 1, "two runs in one sum")
        return [h for part in vectors for h in cost(proof, part, T)]
    if node[0] == "response":  # One of the answers is released, and no gradient decides which.
        need(not mentions(proof.put(node[2], {}), "sgd"), "a gradient decides")
        return [h for part in node[3:] for h in cost(proof, part, T)]
    start = proof.meaning(node[1])[2]
    return [[">=", node[-1]], *cost(proof, start, minus(T, node[-1]))]


def confined(proof: Reads, node: Ast, r: Ast) -> Hypotheses:
    """What has to hold for a release to lie in the ball, whatever the problem, or RejectedError."""
    node = proof.meaning(node)
    if node in (old_optimum(r), ["zero"]) or node[0] == "proj":
        return []
    if is_public(proof, node):
        return in_ball(node)
    if node[0] == "v*":
        return [[">=", node[1]], [">=", minus(1, node[1])], *confined(proof, node[2], r)]
    if node[0] == "response":
        _, p, _, u, v = node
        return [[">=", p], [">=", minus(1, p)], *confined(proof, u, r), *confined(proof, v, r)]
    need(node[0] in ("iter", "average"), "not known to lie in the ball")
    if node[0] == "average":
        weights_positive(proof, node[2])
    return confined(proof, proof.meaning(node[1])[2], r)


def is_public(proof: Reads, node: Ast) -> bool:
    """Whether a vector is the same for all data, and not random."""
    return not mentions(proof.put(node, {}), DATA) and not chances(vector(proof, node))


def weights_positive(proof: Reads, w: Ast) -> None:
    """Reject weights other than sums of powers of the index with positive coefficients, one a constant."""
    p = dict(figure(proof, w))
    plain = all(gen == ("name", INDEX, EMPTY) for mono in p for gen, _ in mono)
    need(plain and EMPTY in p and min(p.values()) > 0, "weights that may not be positive")


def admitted(proof: Reads, A: Ast, r: Ast, T: Ast) -> Hypotheses:
    """What has to hold for an algorithm to be one that releases a point of the ball after T gradients."""
    if isinstance(A, str):
        need(proof.sort(A) in ALGORITHMS, "not an algorithm")
        return [[">=", T]]
    bound = any(mentions(proof.put(r, {}), name) for name in (DATA, CLOCK))
    need(not bound, "the fraction is bound: inside the rule it is another one")
    list(uses(proof, body(A), r))
    A = after(proof, A, T)
    weights = [[">=", r], [">=", minus(1, r)]]
    return [*weights, *cost(proof, body(A), T), *confined(proof, body(A), r)]


def hockey_stick(eps: Ast, kappa: Ast) -> Ast:
    """The exact delta of Gaussian noise, kappa per unit of sensitivity (Balle and Wang 2018, Theorem 8)."""
    half, far = ["*", "1/2", ["^", kappa, -1]], ["*", -1, eps, kappa]
    upper, lower = ["Phi", ["+", half, far]], ["Phi", ["+", ["*", -1, half], far]]
    return minus(upper, ["*", ["exp", eps], lower])


def private(proof: Reads, A: Ast, r: Ast, eps: Ast, delta: Ast, width: Ast, kappa: Ast) -> Hypotheses:
    """What has to hold for a rule to be (eps, delta)-unlearning.

    The optima for two forget distributions lie within `width`, and all that is ever used of theta* is theta*
    with one noise added that hides such a shift: Gaussian of scale kappa width, or radial.
    """
    need(not mentions(proof.put(body(A), {}), CLOCK), "privacy is shown for one release at all times")
    released = proof.meaning(body(A))
    if released[0] == "response":
        return answered(proof, eps, delta, *released[1:])
    found = list(uses(proof, body(A), r))
    copies = [use for use in found if use.star]
    need(None not in [use.atom for use in copies], "theta* is released without noise")
    hiding = {use.atom for use in copies}
    # By the label: two noises with one label are one noise where their scales are equal.
    apart = not {use.noise[3] for use in copies} & {use.noise[3] for use in found if not use.star}
    need(len(hiding) <= 1 and apart, "the noise is used twice")
    if not copies:  # It does not look at theta*, and the retain data are shared.
        return [[">=", eps], [">=", delta]]
    near = [[">=", minus(width, ["spread", r])], *budget(eps, delta, width)]
    return [*near, *(h for use in copies[:1] for h in enough(use.noise, eps, delta, width, kappa))]


def answered(proof: Reads, eps: Ast, delta: Ast, p: Ast, w: Ast, u: Ast, v: Ast) -> Hypotheses:
    """What has to hold for an answer to be private, u with probability p where w > 0 and 1 - p where not.

    If w > 0 is public and so is v, then only u may tell of the data, and is released with probability p.
    If both answers are public, then only which of them is released tells of the data.
    """
    pays = [[">=", eps], [">=", delta]]
    need(is_public(proof, v), "both answers tell of the data")
    if not is_public(proof, u):
        public(proof, w)
        return [[">", w], [">=", minus(delta, p)], *pays]
    kept = minus(["+", ["*", ["exp", eps], minus(1, p)], delta], p)
    return [[">=", minus(p, "1/2")], [">=", kept], *pays]


def budget(eps: Ast, delta: Ast, width: Ast) -> Hypotheses:
    """What is asked of a budget and of a width."""
    return [[">", width], [">", eps], [">=", delta]]


def enough(noise: Ast, eps: Ast, delta: Ast, width: Ast, kappa: Ast) -> Hypotheses:
    """That a noise hides a shift of a given width: Gaussian noise of scale kappa width, or radial noise."""
    need(noise[0] == "noise", "not noise")
    _, law, scale, _ = noise
    if law == "radial":
        return [[">", scale], [">=", minus(eps, ["*", scale, width])]]
    tied = ["=", minus(scale, ["*", kappa, width])]
    return [tied, [">", kappa], [">=", minus(delta, hockey_stick(eps, kappa))]]
