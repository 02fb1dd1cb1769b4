"""Balls of starts: means over a ball, the rule that sweeps it, cones in all directions; false neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "a", "c", "s", "t", "k", "w", "A", "B"), R),
    **dict.fromkeys(("d", "T", "k_"), N), **{n: ["point"] for n in ("x", "y", "b_")}, "M": [False, True],
    "u_": ["direction"], "e_": ["direction"], "U": ["unlearner"], "X": ["random"], "S": ["event"],
}  # fmt: skip


def fresh(**more: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def square(u: Any) -> Any:
    return ["in", u, u]


def norm(u: Any) -> Any:
    return ["^", square(u), "1/2"]


def facts(proof: Proof, hyps: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(e).items())) for rel, e in hyps}


# --- means over a ball
ALONG = ["in", "b_", "x"]


def test_a_mean_over_a_ball_is_linear_and_takes_out_what_does_not_move() -> None:
    proof = fresh()
    assert proof.read(["inside", "A", less(["*", "a", ALONG], "c")]) == proof.read(
        less(["*", "a", ["inside", "A", ALONG]], "c")
    )
    assert proof.read(["inside", "A", ["^", ALONG, 2]]) != proof.read(["^", ["inside", "A", ALONG], 2])
    assert proof.read(["inside", "A", ALONG]) != proof.read(["inside", "B", ALONG])
    assert proof.read(["inside", "A", ["spun", ["in", "u_", "b_"]]]) != proof.read(
        ["spun", ["inside", "A", ["in", "u_", "b_"]]]
    )


def test_a_sum_does_not_bind_the_radius_of_a_ball_around_it() -> None:
    """The mean of a sum over a ball of radius k_ is no sum of means over balls of all radii."""
    proof, each = fresh(), ["^", ["+", "k_", ["^", ALONG, 2]], "1/2"]
    around = proof.read(["inside", "k_", ["sum", each, "T"]])
    assert around != proof.read(["sum", ["inside", "k_", each], "T"])


def test_what_a_mean_over_a_ball_binds() -> None:
    proof = fresh()
    assert proof.put(["inside", "A", ALONG], {"b_": "y"}) == ["inside", "A", ALONG]
    assert proof.put(["inside", ALONG, ALONG], {"b_": "y"}) == ["inside", ["in", "y", "x"], ALONG]
    with pytest.raises(RejectedError, match="bound there"):
        proof.put(["inside", "A", ALONG], {"x": "b_"})
    for kind in (["random"], ["is", "x"], ["direction"]):
        with pytest.raises(RejectedError, match="reserved"):
            fresh(b_=kind)


@pytest.mark.parametrize("number", [["^", ALONG, -1], ["log", square("b_")], ["^", norm("b_"), -1]])
@pytest.mark.parametrize(("head", "name"), [(["inside", "A"], "b_"), (["spun"], "u_"), (["spun"], "e_")])
def test_a_mean_that_may_be_infinite_is_none(head: list[Any], name: str, number: Any) -> None:
    proof = fresh()
    there = proof.put(number, {"b_": ["v+", name, "y"]})
    with pytest.raises(RejectedError, match="may not be finite"):
        proof.read([*head, there])
    proof.read([*head, ["*", ["^", "a", -1], ["log", "c"], ["in", name, "x"]]])


def test_a_ball_has_no_random_radius_and_what_is_random_no_mean_over_it() -> None:
    with pytest.raises(RejectedError, match="radius is random"):
        fresh().read(["inside", ["in", "X", "x"], ALONG])
    with pytest.raises(RejectedError, match="may not be random"):
        fresh().read(["inside", "A", ["in", "X", "b_"]])


# --- the rule
THERE = ["v+", "b_", ["v*", "c", "u_"]]


def p_at(b: Any) -> Any:
    """A number of a place: the mean distance of a release from it."""
    return ["E", norm(["v+", ["out", "U", ["tosses", b, ["zero"]], "T"], ["v*", -1, b]])]


Q = ["+", ["*", "a", ["^", ["in", "b_", "u_"], 2]], 1]
BEGINS, ENDS = [">=", less(["^", "A", 2], square("b_"))], [">=", less(["^", "A", 2], square(THERE))]
HOP = Theorem([BEGINS, ENDS, [">=", "t"]], ">=", less(Q, p_at(THERE)))
MORE = Theorem([BEGINS, [">", "k"]], ">=", Q)
LESS = Theorem([BEGINS, ["=", "w"]], ">=", p_at("b_"))
LINE = {"radius": "A", "smaller": "B", "share": "s", "shift": ["v*", "c", "u_"]}


def swept(shown: tuple[Theorem, ...] = (HOP, MORE, LESS), **line: Any) -> tuple[Proof, Theorem]:
    proof = fresh()
    proof.reached = dict(enumerate(shown))
    proof.accept({"by": "sweep", "of": [0, 1, 2], **LINE, **line}, 3)
    return proof, proof.reached[3]


def test_a_ball_that_is_swept() -> None:
    proof, found = swept()
    part = ["*", ["exp", ["*", "d", ["log", "s"]]], ["inside", "B", p_at("b_")]]
    says = less(["inside", "A", ["spun", Q]], part)
    assert (found.rel, proof.read(found.expr)) == (">=", proof.read(says))
    room = [[">", "A"], [">", "s"], ["=", less(["*", "s", "A"], "B")], [">=", "c"]]
    room += [[">=", less(less("A", "B"), "c")], [">=", "t"], [">", "k"], ["=", "w"], [">=", less("d", 1)]]
    assert facts(proof, found.hyps) == facts(proof, room)


def test_a_sweep_of_what_is_negative_somewhere_in_an_equation_is_none() -> None:
    assert swept((HOP._replace(rel="="), MORE._replace(rel=">"), LESS._replace(rel="=")))[1].rel == ">="
    proof = fresh()
    proof.reached = {0: HOP, 1: Theorem(MORE.hyps, ">=", ["*", -1, Q]), 2: LESS}
    with pytest.raises(RejectedError, match="not what is shown"):
        proof.accept({"by": "sweep", "of": [0, 1, 2], **LINE}, 3)


FAR_HOP = ["v+", "b_", ["v*", ALONG, "u_"]]
DRAWN = ["^", ["in", "X", "x"], 2]


def more(hyp: Any, of: Theorem) -> Theorem:
    return of._replace(hyps=[*of.hyps, hyp])


FALSE: dict[str, tuple[tuple[Theorem, ...], dict[str, Any], str]] = {
    "the end of another hop": ((HOP, MORE, LESS), {"shift": ["v*", "t", "u_"]}, "not what is shown"),
    "a hop that was shown from where it ends": (
        (HOP._replace(expr=less(Q, p_at("b_"))), MORE, LESS), {}, "not what is shown"),
    "a hop along another vector": ((HOP, MORE, LESS), {"shift": ["v*", "c", "e_"]}, "not a hop along u_"),
    "a hop along a vector that is no direction": (
        (HOP._replace(expr=less(Q, p_at(["v+", "b_", ["v*", "c", "x"]]))), MORE, LESS),
        {"shift": ["v*", "c", "x"]}, "not a hop along u_"),
    "a hop of two parts": (
        (HOP._replace(expr=less(Q, p_at(["v+", "b_", "u_"]))), MORE, LESS), {"shift": ["v+", "u_", "zero"]},
        "not a hop along u_|no vector"),
    "another ball": ((HOP, MORE, LESS), {"radius": "k"}, "every place"),
    "a place that is in a smaller ball": (
        (more([">=", less(["^", "B", 2], square("b_"))], HOP), MORE, LESS), {}, "every place"),
    "a place where it is positive, under a strict condition": (
        (HOP, MORE._replace(hyps=[[">", BEGINS[1]]]), LESS), {}, "every place"),
    "q >= 0 where the hop ends in the ball": ((HOP, more(ENDS, MORE), LESS), {}, "every place"),
    "p >= 0 where the hop ends in the ball": ((HOP, MORE, more(ENDS, LESS)), {}, "every place"),
    "a condition on the direction": ((more([">=", ["in", "u_", "x"]], HOP), MORE, LESS), {}, "direction"),
    "a condition on the other direction": (
        (HOP, more([">=", ["in", "e_", "x"]], MORE), LESS), {}, "direction"),
    "a condition on the place": ((HOP, MORE, more([">=", ALONG], LESS)), {}, "every place"),
    "a radius that the place sets": ((HOP, MORE, LESS), {"radius": norm("b_")}, "every place"),
    "a smaller ball that the place sets": ((HOP, MORE, LESS), {"smaller": norm("b_")}, "every place"),
    "a radius that the place sets, where it was shown so": (
        tuple(t._replace(hyps=[[">=", less(["^", ALONG, 2], square(x))] for x in at])
              for t, at in ((HOP, ("b_", THERE)), (MORE, ("b_",)), (LESS, ("b_",)))),
        {"radius": ALONG}, "every place"),
    "a hop that the place sets, where it was shown so": (
        (HOP._replace(hyps=[BEGINS, [">=", less(["^", "A", 2], square(FAR_HOP))]],
                      expr=less(Q, p_at(FAR_HOP))), MORE, LESS),
        {"shift": ["v*", ALONG, "u_"]}, "every place"),
    "a random number of the place where a hop ends": (
        (HOP._replace(expr=less(Q, DRAWN)), MORE, LESS._replace(expr=DRAWN)), {}, "random"),
    "a share that the place sets": ((HOP, MORE, LESS), {"share": ALONG}, "every place"),
    "a share that a direction sets": ((HOP, MORE, LESS), {"share": ["in", "e_", "x"]}, "direction"),
    "a hop as long as the place says": (
        (HOP._replace(expr=less(Q, p_at(["v+", "b_", ["v*", ALONG, "u_"]]))), MORE, LESS),
        {"shift": ["v*", ALONG, "u_"]}, "every place"),
    "a measured number": (
        (HOP._replace(expr=less(["+", Q, "M"], p_at(THERE))), MORE._replace(expr=["+", Q, "M"]), LESS), {},
        "measured"),
    "a measured condition": ((more([">=", "M"], HOP), MORE, LESS), {}, "measured"),
    "a measured share": ((HOP, MORE, LESS), {"share": "M"}, "measured"),
    "a random number": (
        (HOP._replace(expr=less(["^", ["in", "X", "x"], 2], p_at(THERE))),
         MORE._replace(expr=["^", ["in", "X", "x"], 2]), LESS), {}, "random"),
    "a random condition": ((more([">=", ["in", "X", "x"]], HOP), MORE, LESS), {}, "random"),
    "a random share": ((HOP, MORE, LESS), {"share": ["in", "X", "x"]}, "random"),
    "no direction in the hop, and one in q for it": ((HOP, LESS, MORE), {}, "not what is shown"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_sweep_a_ball(name: str) -> None:
    shown, line, why = FALSE[name]
    with pytest.raises(RejectedError, match=why):
        swept(shown, **line)


def test_one_ball_and_what_holds_at_each_place() -> None:
    """Without a hop: what is at least 0 everywhere is so in the mean; a part of the ball has a part of it."""
    nothing = Theorem([], "=", 0)
    proof, found = swept((LESS, LESS, nothing), smaller="A", share=1, shift=["v*", 0, "u_"])
    assert proof.read(found.expr) == proof.read(["inside", "A", p_at("b_")])
    proof, found = swept((nothing, LESS, LESS), shift=["v*", 0, "u_"])
    part = ["*", ["exp", ["*", "d", ["log", "s"]]], ["inside", "B", p_at("b_")]]
    assert proof.read(found.expr) == proof.read(less(["inside", "A", p_at("b_")], part))


def in_ball(rng: np.random.Generator, size: int, d: int, radius: float) -> np.ndarray:
    v = rng.standard_normal((size, d))
    return radius * rng.random((size, 1)) ** (1 / d) * v / np.linalg.norm(v, axis=1, keepdims=True)


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("c", [0.0, 0.2, 0.7])
def test_sweeps_by_simulation(d: int, c: float) -> None:
    """The least q that a hop allows, for numbers p that sit in the middle, at the rim, on one side."""
    rng, size, A = np.random.default_rng(d), 400_000, 1.3
    s = (A - c) / A
    b, inner = in_ball(rng, size, d, A), in_ball(rng, size, d, s * A)
    u = rng.standard_normal((size, d))
    ends = b + c * u / np.linalg.norm(u, axis=1, keepdims=True)
    kept = np.linalg.norm(ends, axis=1) <= A
    for p in (
        lambda x: np.exp(-9 * (x**2).sum(axis=1)),
        lambda x: ((x**2).sum(axis=1) > 0.8 * (s * A) ** 2) * 1.0,
        lambda x: (x[:, 0] > 0.2) * (1 + x[:, 0]),
    ):
        assert (kept * p(ends)).mean() >= s**d * p(inner).mean() - 0.01
    # A ball that is not smaller would have more of p = 1 than the hops that stay.
    assert s**d <= kept.mean() + 0.01
    assert c == 0 or kept.mean() < 0.95


# --- cones around all directions
OUT = ["v+", ["out", "U", ["tosses", "x", ["zero"]], "T"], ["v*", -1, "b_"]]


def pointed(o: Any) -> Any:
    """The test, its part across by Pythagoras."""
    aside = ["^", less(square(o), ["^", ["in", o, "u_"], 2]), "1/2"]
    x = less(["in", o, "u_"], ["*", "k", aside])
    return ["*", "1/2", ["+", x, ["^", ["^", x, 2], "1/2"]]]


def reached(name: str, *args: Any) -> tuple[Proof, Theorem]:
    proof = fresh()
    proof.accept({"by": "leaf", "schema": [name, *args]}, 0)
    return proof, proof.reached[0]


def test_a_cone_around_any_direction() -> None:
    proof, found = reached("free cone", OUT, "k")
    bend = less(["cap", "d", "k", 1], ["*", "k", ["cap", "d", "k", 2]])
    expr = less(["spun", ["E", pointed(OUT)]], ["*", bend, ["E", norm(OUT)]])
    assert (found.rel, proof.read(found.expr)) == ("=", proof.read(expr))
    assert facts(proof, found.hyps) == facts(proof, [[">=", "k"], [">=", less("d", 1)]])


def test_a_vector_that_is_pushed_in_any_direction() -> None:
    proof, found = reached("pushed cone", OUT, "t", "k", "w")
    P, C, S = (["cap", "d", "w", i] for i in range(3))
    seen = ["+", ["*", "t", P], ["*", less(C, ["*", "k", S]), ["E", norm(OUT)]]]
    expr = less(["spun", ["E", pointed(["v+", OUT, ["v*", "t", "u_"]])]], seen)
    assert (found.rel, proof.read(found.expr)) == (">=", proof.read(expr))
    assert facts(proof, found.hyps) == facts(proof, [[">=", less("d", 1)]])


FALSE_CALLS: dict[str, list[Any]] = {
    "a cone for a vector that knows its direction": ["free cone", ["v+", OUT, "u_"], "k"],
    "the same, through what it is released on": [
        "pushed cone", ["out", "U", ["tosses", ["v*", "a", "u_"], ["zero"]], "T"], "t", "k", "w"],
    "a cone for a vector that knows the other direction": ["free cone", ["v+", OUT, "e_"], "k"],
    "a push that depends on the direction": ["pushed cone", OUT, ["in", "u_", "x"], "k", "w"],
    "a cone that depends on the direction": ["pushed cone", OUT, "t", ["in", "u_", "x"], "w"],
    "a cap that depends on the direction": ["pushed cone", OUT, "t", "k", ["in", "u_", "x"]],
    "a random cotangent": ["free cone", OUT, ["in", "X", "x"]],
    "a random push": ["pushed cone", OUT, ["in", "X", "x"], "k", "w"],
    "a random cap": ["pushed cone", OUT, "t", "k", ["in", "X", "x"]],
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE_CALLS)
def test_what_no_cone_is_given(name: str) -> None:
    with pytest.raises(RejectedError, match=r"depends on a direction|not a number"):
        reached(*FALSE_CALLS[name])


def cap(n: int, k: float, omega: np.ndarray) -> np.ndarray:
    return np.cos(omega) >= k * np.sin(omega) if n > 1 else (omega < 1) | (k < 0)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
@pytest.mark.parametrize("seed", range(6))
def test_cones_by_simulation(d: int, seed: int) -> None:
    """Vectors of random length in a fixed direction, at many random directions, against means over caps."""
    rng, size = np.random.default_rng(100 * d + seed), 400_000
    u = rng.standard_normal((size, d))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    z = rng.standard_normal(d) * rng.exponential(size=(size, 1))
    k, w, t = rng.uniform(0, 2), rng.uniform(-2, 2), rng.uniform(-1, 1)
    omega = np.arccos(np.clip((u * z).sum(axis=1) / np.linalg.norm(z, axis=1), -1, 1))

    def means(k: float) -> tuple[float, ...]:
        return tuple(float((cap(d, k, omega) * f).mean()) for f in (1.0, np.cos(omega), np.sin(omega)))

    def test(o: np.ndarray, k: float) -> float:
        p = (o * u).sum(axis=1)
        rest = np.linalg.norm(o - p[:, None] * u, axis=1)
        return float(np.maximum(p - k * rest, 0).mean())

    length = np.linalg.norm(z, axis=1).mean()
    _, C, S = means(k)
    assert test(z, k) == pytest.approx((C - k * S) * length, abs=0.03 * length)
    for cone in (k, k - 1):  # the bound after a push holds for any cotangent
        P, C, S = means(w)
        assert test(z + t * u, cone) >= t * P + (C - cone * S) * length - 0.03 * length
