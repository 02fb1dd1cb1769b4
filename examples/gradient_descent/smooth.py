"""The class of this paper: convex losses on R^d with a beta-Lipschitz gradient and a minimiser.

Trusted for this paper, beside the core of the kernel: each schema is a fact of the class, of an algorithm or
of a law, computed from objects; its side conditions are hypotheses. Terms of the class:

    ["descent", f, x, eta, t]       the t-th iterate of gradient descent on f from x with the step size eta
    ["noisy", f, x, eta, s, t]      the same where Gaussian noise of scale s is added to each gradient
    ["shock", f, x, eta, s, t]      the noise of that run at time t, drawn after its t-th iterate
    ["averaged", f, x, eta, s, T]   the mean of its iterates 0 … T - 1
    ["excess", u, v, z, eps]        the largest P(u + z in S) - e^eps P(v + z in S) over the events S
"""

from __future__ import annotations

from typing import Any

from oubli.theory.kernel.objects import INDEX, Reads, frozen, is_random, loss, mentions, vector
from oubli.theory.kernel.poly import ONE, Ast, Theorem, minus, need
from oubli.theory.kernel.schemas import apart, chances, square

NAME = "smooth convex"
PARAMETERS = ("beta", "mu", "d")
_NOISY = ("loss", "vector", "number", "number", "time")
TERMS = {
    "descent": ("made", "loss", "vector", "number", "time"),
    "noisy": ("drawn", *_NOISY),
    "shock": ("drawn", *_NOISY),
    "averaged": ("drawn", *_NOISY),
    "excess": ("measure", "vector", "vector", "vector", "number"),
}


def member(proof: Reads, f: Ast) -> list[Any]:
    """A name is a member, if beta > 0: there are none otherwise; mu/2 |x|^2 + <v, x> is if 0 < mu <= beta."""
    parts = loss(proof, f)
    if isinstance(proof.meaning(f), str):
        return [[">", "beta"]]
    need(parts.get(("quad",)) == ONE, "not known to have a minimiser")
    need(all(atom == ("quad",) or atom[0] == "lin" for atom in parts), "not known to be smooth")
    return [[">", "mu"], [">=", minus("beta", "mu")]]


def convexity(proof: Reads, f: Ast, x: Ast, y: Ast) -> Theorem:
    """f(y) >= f(x) + <grad f(x), y - x>."""
    rise = minus(["val", f, y], ["val", f, x])
    return Theorem(member(proof, f), ">=", minus(rise, ["in", ["grad", f, x], apart(y, x)]))


def smoothness(proof: Reads, f: Ast, x: Ast, y: Ast) -> Theorem:
    """f(y) <= f(x) + <grad f(x), y - x> + beta/2 |y - x|^2."""
    rise = minus(["val", f, y], ["val", f, x])
    bend = ["+", ["in", ["grad", f, x], apart(y, x)], ["*", "1/2", "beta", square(apart(y, x))]]
    return Theorem(member(proof, f), ">=", minus(bend, rise))


def stationary(proof: Reads, f: Ast, h: Ast) -> Theorem:
    """<grad f(o), h> = 0 at a minimiser o."""
    return Theorem(member(proof, f), "=", ["in", ["grad", f, ["opt", f]], h])


def tilted(proof: Reads, v: Ast, h: Ast) -> Theorem:
    """The minimiser of mu/2 |x|^2 - <v, x> is v/mu."""
    f = ["l+", ["quad"], ["l*", -1, ["lin", v]]]
    return Theorem(member(proof, f), "=", ["in", apart(["opt", f], ["v*", ["^", "mu", -1], v]), h])


def start(proof: Reads, x: Ast, h: Ast) -> Theorem:
    """The first iterate of a run is its start."""
    head, _, begin, *_, t = proof.meaning(x)
    need(head in ("descent", "noisy") and not proof.read(t), "not a first iterate")
    return Theorem([], "=", ["in", apart(x, begin), h])


def step(proof: Reads, x: Ast, h: Ast) -> Theorem:
    """x_t = x_{t-1} - eta g, where g is the gradient at x_{t-1}, and its noise, for t >= 1."""
    head, f, begin, eta, *scale, t = proof.meaning(x)
    need(head in ("descent", "noisy"), "not an iterate")
    last = ["+", t, -1]
    before = [head, f, begin, eta, *scale, last]
    gradient = ["v+", ["grad", f, before], *([["shock", *before[1:]]] if head == "noisy" else [])]
    moved = apart(before, ["v*", eta, gradient])
    return Theorem([*member(proof, f), [">=", last]], "=", ["in", apart(x, moved), h])


def fixed_run(proof: Reads, x: Ast) -> list[Ast]:
    """The noisy run of an iterate, if nothing that it is given is random."""
    head, *run = proof.meaning(x)
    need(head == "noisy", "not an iterate of a noisy run")
    ((_, _, *given),) = vector(proof, x)
    need(not any(map(is_random, given)), "the run is given something random")
    return run


def unseen(proof: Reads, x: Ast, h: Ast) -> Theorem:
    """E<z_t, h> = 0 for the noise z_t at the t-th iterate, and a vector h that is built from that iterate."""
    run = fixed_run(proof, x)
    need(chances(vector(proof, h)) <= {*vector(proof, x)}, "the direction is not known before the draw")
    return Theorem([[">=", run[-1]]], "=", ["E", ["in", ["shock", *run], h]])


def variance(proof: Reads, x: Ast) -> Theorem:
    """E|z_t|^2 = d s^2 for the noise z_t at the t-th iterate."""
    run = fixed_run(proof, x)
    scale, t = run[-2:]
    size = minus(["E", square(["shock", *run])], ["*", "d", ["^", scale, 2]])
    return Theorem([[">=", scale], [">=", t], [">=", minus("d", 1)]], "=", size)


def jensen(proof: Reads, f: Ast, mean: Ast) -> Theorem:
    """T f(mean) <= f(x_0) + … + f(x_{T-1})."""
    head, *run, T = proof.meaning(mean)
    need(head == "averaged", "not a mean of iterates")
    need(not any(mentions(frozen(part), INDEX) for part in (vector(proof, mean), loss(proof, f))), "index")
    each = ["sum", ["val", f, ["noisy", *run, INDEX]], ["+", T, -1]]
    return Theorem([*member(proof, f), [">=", minus(T, 1)]], ">=", minus(each, ["*", T, ["val", f, mean]]))


def laplace(proof: Reads, u: Ast, v: Ast, z: Ast, eps: Ast) -> Theorem:
    """No event tells u from v by more than e^eps, if z has density c exp(-a |z|) and a |u - v| <= eps."""
    head, law, rate, _ = proof.meaning(z)
    need((head, law) == ("noise", "radial"), "not this noise")
    fixed(proof, u, v)
    room = [">=", minus(["^", eps, 2], ["*", ["^", rate, 2], square(apart(u, v))])]
    return Theorem([[">", rate], [">=", eps], room], "=", ["excess", u, v, z, eps])


def gaussian(proof: Reads, u: Ast, v: Ast, z: Ast, eps: Ast, width: Ast) -> Theorem:
    """The exact excess of Gaussian noise where |u - v| = width (Balle and Wang 2018, Theorem 8)."""
    head, law, scale, _ = proof.meaning(z)
    need((head, law) == ("noise", "gauss"), "not this noise")
    fixed(proof, u, v)
    tied = ["=", minus(["^", width, 2], square(apart(u, v)))]
    half, far = ["*", "1/2", width, ["^", scale, -1]], ["*", eps, scale, ["^", width, -1]]
    exact = minus(["Phi", minus(half, far)], ["*", ["exp", eps], ["Phi", minus(["*", -1, half], far)]])
    return Theorem([[">", scale], [">", width], tied], "=", minus(["excess", u, v, z, eps], exact))


def fixed(proof: Reads, *vectors: Ast) -> None:
    """Reject what is random."""
    need(not any(chances(vector(proof, u)) for u in vectors), "a value that is random")


SCHEMAS = {
    "convexity": convexity,
    "smoothness": smoothness,
    "stationary": stationary,
    "tilted": tilted,
    "start": start,
    "step": step,
    "unseen": unseen,
    "variance": variance,
    "mean of iterates": jensen,
    "Laplace": laplace,
    "Gaussian": gaussian,
}
