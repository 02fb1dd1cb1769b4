"""Schemas: the mathematics that is trusted. Each computes from objects a theorem that holds for all of them.

Part of what must be trusted: standard library only. Side conditions (the point lies in the ball, the weights
are weights, the explicit loss is a member) are hypotheses of the theorem, which other lines must show.
The class: losses that are mu-strongly convex with subgradients of norm at most L on the ball of radius
R = L/(2 mu) around 0; minimisers and projections are over that ball.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oubli.theory.kernel import cubes, explicit, families, laws, priors
from oubli.theory.kernel.classes import Class
from oubli.theory.kernel.members import (
    CURVED,
    Hypotheses,
    apart,
    in_ball,
    member,
    norm,
    problem_members,
    square,
)
from oubli.theory.kernel.objects import (
    ALGORITHMS,
    CLOCK,
    CUBE,
    DATA,
    DIRECTION,
    EVENT,
    INDEX,
    LEARNER,
    LOSS,
    POINT,
    PROBLEM,
    SORTS,
    UNLEARNER,
    Reads,
    algorithm,
    body,
    cell,
    chance,
    chances,
    figure,
    frozen,
    is_random,
    loss,
    mentions,
    pieces,
    problem,
    random_number,
    time,
    vector,
)
from oubli.theory.kernel.poly import Ast, Theorem, minus, need
from oubli.theory.kernel.rules import admitted, private, uses


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
    return Theorem([*member(proof, f), *in_ball(y), CURVED], ">=", slope)


def stationary(proof: Reads, f: Ast, h: Ast) -> Theorem:
    """<grad f(o), h> = 0 at the minimiser o of a member: by setup.stationary the ball does not bind."""
    return Theorem([*member(proof, f), CURVED], "=", ["in", ["grad", f, ["opt", f], f], h])


def in_the_ball(proof: Reads, x: Ast) -> Theorem:
    """|x| <= R for a minimiser of a member, a projection, 0, an iterate, and what an algorithm releases."""
    x = proof.meaning(x)
    known = isinstance(x, list) and x[0] in ("opt", "proj", "zero", "iter", "out")
    named = known and (x[0] != "out" or isinstance(proof.meaning(x[1]), str))
    need(named, "not known to lie in the ball")
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
    return Theorem([*member(proof, f), CURVED], "=", ["in", away, h])


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
    """E<g_t, h> = E<grad F(x_t), h>, F the retain loss, for an h that is known before the draw at time t.

    What a start knows is no such h: the run from c times what another one draws is that other one at c = 0.
    """
    known = {*vector(proof, ["iter", run, t])}
    need(chances(vector(proof, h)) <= known, "the direction is not known before the draw")
    whole = ["grad", ["retain", proof.meaning(run)[1]], ["iter", run, t]]
    return Theorem([[">=", t]], "=", ["E", ["in", apart(drawn(run, t), whole), h]])


def centred(proof: Reads, z: Ast, h: Ast) -> Theorem:
    """E<z, h> = 0 for noise z and a vector h that is not random."""
    need(proof.meaning(z)[0] == "noise" and not chances(vector(proof, h)), "not noise and a fixed vector")
    return Theorem([], "=", ["E", ["in", z, h]])


def moment(proof: Reads, z: Ast) -> Theorem:
    """E|z|^2: d s^2 for Gaussian noise of scale s, d(d+1)/a^2 for a density proportional to exp(-a |z|)."""
    head, law, scale, _ = proof.meaning(z)
    need(head == "noise", "not noise")
    size = {"gauss": ["*", "d", ["^", scale, 2]], "radial": ["*", "d", ["+", "d", 1], ["^", scale, -2]]}[law]
    given = [[">=" if law == "gauss" else ">", scale], [">=", minus("d", 1)]]
    return Theorem(given, "=", minus(["E", square(z)], size))


def sum_empty(proof: Reads, of: Ast) -> Theorem:
    """A sum over nothing is 0."""
    return Theorem([], "=", ["sum", of, -1])


def sum_step(proof: Reads, of: Ast, last: Ast) -> Theorem:
    """A sum up to T + 1 is the sum up to T and one more term, for T >= -1."""
    after = ["+", last, 1]
    need(not mentions(time(proof, last), INDEX), "the index is bound")
    more = ["+", ["sum", of, last], proof.put(of, {INDEX: after})]
    return Theorem([[">=", after]], "=", minus(["sum", of, after], more))


def risk(A: Ast, D: Ast, T: Ast) -> Ast:
    """The mean excess retain loss of what an algorithm releases after T gradients."""
    f = ["retain", D]
    return ["E", minus(["val", f, ["out", A, D, T]], ["val", f, ["opt", f]])]


def at_worst(proof: Reads, A: Ast, r: Ast, T: Ast, D: Ast) -> Theorem:
    """The worst risk of an algorithm is at least that on one problem, which no chance chooses."""
    need(not is_random(problem(proof, D)), "a random problem")
    A, r = proof.put(A, {}), proof.put(r, {})
    given = [*admitted(proof, A, r, T), *problem_members(proof, D)]
    return Theorem(given, ">=", minus(["worst", A, T], risk(A, D, T)))


def at_best(
    proof: Reads, sort: str, A: Ast, r: Ast, T: Ast,
    eps: Ast = 0, delta: Ast = 0, width: Ast = 0, kappa: Ast = 0,
) -> Theorem:  # fmt: skip
    """The least worst risk of the algorithms of a sort is at most the worst risk of one of them."""
    A, r = proof.put(A, {}), proof.put(r, {})
    given = admitted(proof, A, r, T)
    if isinstance(A, str):
        named = sort == LEARNER or [r, eps, delta] == NAMED
        need(proof.sort(A) == sort and named, "not an algorithm of that sort")
        # There is one to stand for the name only if the budget is one.
        given += [[">=", "epsilon"], [">=", "delta"]] if sort == UNLEARNER else []
    elif sort == UNLEARNER:
        given += private(proof, A, r, eps, delta, width, kappa)
    elif sort == LEARNER:
        need(not any(use.star for use in uses(proof, body(A), r)), "theta* is used")
    return Theorem(given, ">=", minus(["worst", A, T], ["least", sort, r, eps, delta, T]))


def in_time(
    proof: Reads, sort: str, A: Ast, r: Ast, T: Ast, e: Ast,
    eps: Ast = 0, delta: Ast = 0, width: Ast = 0, kappa: Ast = 0,
) -> Theorem:  # fmt: skip
    """The time to reach e is at most T if some algorithm of the sort has worst risk at most e with T."""
    found = at_best(proof, sort, A, r, T, eps, delta, width, kappa)
    enough = [">=", minus(e, found.expr[1])]
    return Theorem([*found.hyps, enough], ">=", minus(T, ["time", sort, r, eps, delta, e]))


def natural_time(proof: Reads, *term: Ast) -> Theorem:
    """A time is at least 0."""
    need(term[0] == "time", "not a time")
    return Theorem([], ">=", list(term))


def at_most_apart(proof: Reads, r: Ast, f: Ast, g: Ast, h: Ast) -> Theorem:
    """Two minimisers of mixtures that share the retain loss h lie no farther apart than the spread."""
    one, other = ["mix", r, f, h], ["mix", r, g, h]
    away = norm(apart(["opt", one], ["opt", other]))
    return Theorem([*member(proof, one), *member(proof, g)], ">=", minus(["spread", r], away))


def idle(proof: Reads, A: str, D: Ast, E: Ast, x: str, number: Ast) -> Theorem:
    """Without gradients an algorithm releases the same law on two problems with the same theta*."""
    need(proof.sort(A) in ALGORITHMS and proof.sort(x) == POINT, "not an algorithm and a vector")
    bound = [mentions(problem(proof, P), name) for P in (D, E) for name in (INDEX, DATA)]
    need(not any(bound), "a bound name in a problem")
    need(not chances(figure(proof, number)), "another chance")  # nor in a mean: one law, not one draw
    stars = [["opt", ["mix", "r", ["forget", P], ["retain", P]]] for P in (D, E)]
    same = [["=", square(apart(*stars))], [">=", "r"], [">=", minus(1, "r")]]
    means = [["E", proof.put(number, {x: ["out", A, P, 0]})] for P in (D, E)]
    return Theorem([*same, *problem_members(proof, D), *problem_members(proof, E)], "=", minus(*means))


def kinked(proof: Reads, y: Ast, v: Ast, c: Ast, h: Ast) -> Theorem:
    """The minimiser of mu/2 |x|^2 - <v, x> + c |x - y| is y, if |mu y - v| <= c and y lies in the ball."""
    f = ["l+", ["quad"], ["l*", -1, ["lin", v]], ["l*", c, ["cone", y]]]
    held = minus(["^", c, 2], square(apart(["v*", "mu", y], v)))
    held_there = [*member(proof, f), *in_ball(y), [">=", held], CURVED]
    return Theorem(held_there, "=", ["in", apart(["opt", f], y), h])


def flat(proof: Reads, f: Ast, y: Ast, h: Ast) -> Theorem:
    """The minimiser of a member is y, a point of the ball, if its gradient there is 0."""
    there = [*member(proof, f), *in_ball(y), ["=", square(["grad", f, y])], CURVED]
    return Theorem(there, "=", ["in", apart(["opt", f], y), h])


def largest(proof: Reads, f: Ast, i: int, x: Ast) -> Theorem:
    """The largest of affine functions is the i-th of them where no other one is larger."""
    own, *others = ranked(proof, f, i, x)
    return Theorem([[">=", minus(own, other)] for other in others], "=", minus(["val", f, x], own))


def largest_slope(proof: Reads, f: Ast, i: int, x: Ast, h: Ast, *tag: Ast) -> Theorem:
    """The gradient of the largest of affine functions where the i-th is larger than all others."""
    own, *others = ranked(proof, f, i, x)
    slope = apart(["grad", f, x, *tag], pieces(proof.meaning(f))[i][0])
    return Theorem([[">", minus(own, other)] for other in others], "=", ["in", slope, h])


def ranked(proof: Reads, f: Ast, i: int, x: Ast) -> list[Ast]:
    """The values of affine functions at x, the i-th first, counted from 0."""
    found: list[Ast] = [["+", ["in", v, x], a] for v, a, _ in pieces(proof.meaning(f))]
    need(type(i) is int and 0 <= i < len(found), "no such function")
    return [found[i], *found[:i], *found[i + 1 :]]


def exp_of_log(proof: Reads, x: Ast) -> Theorem:
    """exp(ln x) = x for x > 0."""
    return Theorem([[">", x]], "=", minus(["exp", ["log", x]], x))


# What the names of algorithms are named at.
NAMED = ["r", "epsilon", "delta"]


def reached_by(proof: Reads, term: Ast, A: str) -> Ast:
    """The target of a time, for an arbitrary algorithm of its sort."""
    head, sort, *named, e = term
    need(head == "time" and proof.sort(A) == sort, "not an algorithm of that sort")
    need(sort == LEARNER or named == NAMED, "not named at that budget")
    return e


def bounded_by(proof: Reads, term: Ast, names: Any) -> tuple[Ast, int]:
    """What a supremum (1) or an infimum (-1) is one of, at arbitrary objects with these names."""
    head, *args = term
    sorts = [proof.sort(name) for name in names]
    need(len({*names}) == len(names), "names are not distinct")
    if head == "worst":
        A, T = args
        need(sorts == [PROBLEM], "not a problem")
        return risk(A, names[0], T), 1
    if head == "tv":
        need(sorts == [EVENT], "not an event")
        one, other = (["P", law, names[0]] for law in args)
        return minus(one, other), 1
    if head == "spread":
        need(sorts == [LOSS] * 3, "not three losses")
        f, g, h = names
        (r,) = args
        return norm(apart(["opt", ["mix", r, f, h]], ["opt", ["mix", r, g, h]])), 1
    need(head == "least" and sorts == [args[0]] and args[1:4] == NAMED, "not an algorithm of that sort")
    return ["worst", names[0], args[4]], -1


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
    "worst": at_worst,
    "least": at_best,
    "time": in_time,
    "natural time": natural_time,
    "spread": at_most_apart,
    "no gradient": idle,
    "kinked": kinked,
    "flat": flat,
    "largest": largest,
    "largest slope": largest_slope,
    "exp of log": exp_of_log,
    "prior": priors.against,
    "chance": laws.probable,
    "total variation": laws.variation,
    "unlearning": laws.unlearned,
    "noise": laws.noisy,
    "staircase": laws.staircase,
    "common": laws.common,
    "same start": laws.same_start,
    "score": laws.score,
    "score of a mean": laws.score_of_a_mean,
    "counts": laws.counts,
    "one coin": laws.one_coin,
    "exponential": laws.exponential,
    "logarithm": laws.logarithm,
    "ceiling": laws.ceiling,
    "near ceiling": laws.near_ceiling,
    "whole": laws.whole,
    "power series": laws.power_series,
    "Mills": laws.mills,
    **families.SCHEMAS,
    **cubes.SCHEMAS,
    **explicit.SCHEMAS,
}


# What holds whatever the losses are: schemas that every class may use.
CORE = ("Cauchy-Schwarz", "line", "centred", "moment", "empty sum", "sum step", "exp of log")
OWN = Class(
    "unlearning", frozenset({"L", "mu", "d"}), {}, SCHEMAS, member,
    ("average", "over", "reach", "couple", "layers", "tell", "spin", "fill", "sweep"),
)  # fmt: skip


def instance(proof: Reads, name: str, *args: Ast) -> Theorem:
    """A schema at objects; RejectedError unless these are of the sorts it asks for."""
    known = {**{name: SCHEMAS[name] for name in CORE}, **proof.theory.schemas}
    need(name in known, f"unknown schema {name!r:.60}")
    found = known[name](proof, *args)
    if any(random_number(proof, e) for _, e in found.hyps):
        means = any(mentions([found.expr, found.hyps], head) for head in proof.theory.laws())
        need(not means, "a mean under a random condition")
    return found


def parts(proof: Reads, sort: str, value: Ast) -> Any:
    """An object for a name of a sort, over its atoms."""
    readers = {LOSS: loss, PROBLEM: problem, EVENT: event, **dict.fromkeys(ALGORITHMS, algorithm)}
    return readers.get(sort, vector)(proof, value)


def event(proof: Reads, S: Ast) -> Any:
    """An event by its probability under a law."""
    return frozenset(chance(proof, "P", ["zero"], S).items())


def substitute(proof: Reads, sort: str, value: Ast) -> Hypotheses:
    """What has to hold for an object to take the place of a name of a sort."""
    inside = parts(proof, sort, value)
    atoms = frozen(inside) if isinstance(inside, dict) else inside
    need(not mentions(atoms, INDEX), "the index is bound")
    need(not any(mentions(atoms, name) for name in (DATA, CLOCK)), "the data of a rule are bound")
    need(sort != DIRECTION, "every direction is meant")
    if sort in ALGORITHMS:
        special = ALGORITHMS[ALGORITHMS.index(sort) :]
        need(isinstance(value, str) and proof.sort(value) in special, "an algorithm is a name")
    if sort == CUBE:
        cell(proof, value)
    if sort == LOSS:
        return proof.theory.member(proof, value)
    return problem_members(proof, value) if sort == PROBLEM else []


def stands_for(proof: Reads, sort: str, A: Ast, times: list[Ast]) -> Hypotheses:
    """What has to hold for an explicit rule to take the place of an algorithm's name at some times."""
    times = [proof.put(T, {}) for T in times]
    need(not mentions([algorithm(proof, A), times], INDEX), "the index is bound")
    A, (r, eps, delta) = proof.put(A, {}), (proof.put(x, {}) for x in NAMED)
    needs = [h for T in times for h in admitted(proof, A, r, T)]
    if sort == LEARNER:
        need(not any(use.star for use in uses(proof, body(A), r)), "theta* is used")
    return needs + (private(proof, A, r, eps, delta, 0, 0) if sort == UNLEARNER else [])


def drawn_for(proof: Reads, sort: str, value: Ast) -> bool:
    """Whether an object for the name of something fixed is random: what holds for each outcome is no mean."""
    if sort in (POINT, LOSS, PROBLEM):
        return bool(chances(parts(proof, sort, value)))
    return sort not in SORTS and random_number(proof, value)
