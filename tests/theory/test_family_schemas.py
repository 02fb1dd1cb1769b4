"""Families of starts: coins, rare losses, cuts and cones, as they were meant, and false neighbours."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "a", "b", "c", "s", "k", "w"), R),
    **dict.fromkeys(("d", "T", "t", "k_"), N), **{n: ["point"] for n in "uvfgxy"},
    "u_": ["direction"], "e_": ["direction"], "A": ["algorithm"], "U": ["unlearner"], "W": ["learner"],
    "S": ["event"], "h": ["loss"], "X": ["random"], "D": ["problem"],
    "D_": ["problem"], "B": ["is", ["rule", ["opt", ["retain", "D_"]]]],
}  # fmt: skip
ONE, OTHER = ["tosses", "u", "f"], ["tosses", "v", "g"]
SCALE = [[">", "L"], [">", "mu"]]
LAST = less("d", 1)


def fresh() -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": LETTERS})


def square(u: Any) -> Any:
    return ["in", u, u]


def reached(name: str, *args: Any) -> tuple[Proof, Theorem]:
    proof = fresh()
    proof.accept({"by": "leaf", "schema": [name, *args]}, 0)
    return proof, proof.reached[0]


def facts(proof: Proof, hyps: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(e).items())) for rel, e in hyps}


def in_problem(u: Any, f: Any) -> list[Any]:
    room = [[">=", less(1, ["*", "d", square(u)])], [">=", less(1, square(f))]]
    return [*room, [">=", LAST], *SCALE]


def star(u: Any, f: Any) -> Any:
    return ["v+", ["v*", less(1, "r"), u], ["v*", "r", f]]


SAME = [["=", square(["v+", star("u", "f"), ["v*", -1, star("v", "g")]])], [">=", "r"], [">=", less(1, "r")]]


def test_the_means_of_coins_that_a_problem_may_have() -> None:
    proof, found = reached("worst", "A", "r", "T", ONE)
    assert facts(proof, found.hyps) == facts(proof, [[">=", "T"], *in_problem("u", "f")])


def test_coins_of_other_means_at_one_start() -> None:
    proof, found = reached("likelihood", "A", ONE, OTHER, "T", "S", "b", "s")
    inside = [[">", less(1, ["*", "d", square(w)])] for w in ("u", "v")]
    hyps = [*SAME, *in_problem("u", "f"), *in_problem("v", "g"), *inside, [">=", "T"], [">=", "s"]]
    assert facts(proof, found.hyps) == facts(proof, hyps)
    p, q = (["*", ["^", "d", "1/2"], ["in", w, ["axis", "k_"]]] for w in ("u", "v"))
    more, fewer = (less(["log", ["+", 1, ["*", i, p]]], ["log", ["+", 1, ["*", i, q]]]) for i in (1, -1))
    K = ["sum", ["*", "1/2", ["+", ["*", ["+", 1, p], more], ["*", less(1, p), fewer]]], LAST]
    V = ["sum", ["*", "1/4", ["^", less(more, fewer), 2]], LAST]
    tail = ["exp", ["+", ["*", "s", "T", K], ["*", -1, "s", "b"], ["*", "1/2", "s", "s", "T", V]]]
    chances = [["P", ["out", "A", D, "T"], "S"] for D in (ONE, OTHER)]
    assert found.rel == ">="
    assert proof.read(found.expr) == proof.read(
        less(["+", ["*", ["exp", "b"], chances[1]], tail], chances[0])
    )


def test_a_learner_does_not_look_at_the_start() -> None:
    for name, args in (("likelihood", ("W", ONE, OTHER, "T", "S", "b", "s")),
                       ("rare", ("W", ["rarely", "a", "h", ONE, "h"], "T", "S"))):  # fmt: skip
        assert not any(rel == "=" for rel, _ in reached(name, *args)[1].hyps)


@pytest.mark.parametrize("seed", range(60))
def test_the_tail_of_the_likelihood_ratio_by_enumeration(seed: int) -> None:
    """P(S) - e^x Q(S) is largest where the likelihood ratio is above e^x, for any means, x and s >= 0."""
    rng = np.random.default_rng(seed)
    d, T = int(rng.integers(1, 4)), int(rng.integers(0, 4))
    p, q = (rng.uniform(-1, 1, d) * rng.choice([0.2, 0.9, 0.9999]) for _ in range(2))
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=d * T)))
    signs = signs.reshape(2 ** (d * T), T, d)
    P, Q = (((1 + signs * m) / 2).prod(axis=(1, 2)) for m in (p, q))
    K = ((1 + p) / 2 * np.log((1 + p) / (1 + q)) + (1 - p) / 2 * np.log((1 - p) / (1 - q))).sum()
    V = ((np.arctanh(p) - np.arctanh(q)) ** 2).sum()
    for x in rng.uniform(-2, 6, 5):
        worst = np.maximum(P - math.exp(x) * Q, 0).sum()
        for s in (0.0, *rng.exponential(2, 5), max((x - T * K) / max(T * V, 1e-9), 0)):
            assert worst <= math.exp(min(s * (T * K - x) + s**2 * T * V / 2, 50)) * (1 + 1e-9)


def test_half_of_the_variance_would_not_do() -> None:
    """With s^2 T V/4 in the exponent, a coin with a small bias breaks the bound."""
    p, q, T = 0.0, 0.3, 200
    k = np.arange(T + 1)
    log_p = np.array([math.lgamma(T + 1) - math.lgamma(i + 1) - math.lgamma(T - i + 1) for i in k])
    P, Q = (np.exp(log_p + k * math.log((1 + m) / 2) + (T - k) * math.log((1 - m) / 2)) for m in (p, q))
    K, V = -0.5 * math.log(1 - q**2), math.atanh(q) ** 2

    def broken(share: float) -> bool:
        xs = T * K + math.sqrt(T * V) * np.linspace(0.5, 6, 60)
        tails = [np.exp(-((x - T * K) ** 2) / (4 * share * T * V)) for x in xs]
        return any(np.maximum(P - math.exp(x) * Q, 0).sum() > t for x, t in zip(xs, tails, strict=True))

    assert broken(1 / 16)
    assert not broken(1 / 2)


RARE = ["rarely", "a", "h", ONE, "h"]


def test_rare_losses() -> None:
    proof, found = reached("rare", "A", RARE, "T", "S")
    stars = [["opt", ["mix", "r", ["forget", D], ["retain", D]]] for D in (RARE, ONE)]
    same = [["=", square(["v+", stars[0], ["v*", -1, stars[1]]])], *SAME[1:]]
    share = [[">=", "a"], [">=", less(1, "a")], [">", less(1, "a")], [">=", "T"]]
    assert facts(proof, found.hyps) == facts(proof, [*same, *share, *in_problem("u", "f")])
    chances = [["P", ["out", "A", D, "T"], "S"] for D in (RARE, ONE)]
    unseen = ["exp", ["*", "T", ["log", less(1, "a")]]]
    seen = less(chances[0], ["*", unseen, chances[1]])
    assert (found.rel, proof.read(found.expr)) == (">=", proof.read(seen))


def test_rare_losses_and_those_to_forget_are_members() -> None:
    f, h = (["l+", ["quad"], ["l*", c, ["cone", "x"]]] for c in ("b", "c"))
    proof, found = reached("rare", "W", ["rarely", "a", f, ONE, h], "T", "S")
    assert facts(proof, [[">=", "b"], [">=", "c"]]) <= facts(proof, found.hyps)


def test_the_losses_of_a_problem_with_rare_ones() -> None:
    proof = fresh()
    means = [["val", ["retain", RARE], "x"], ["val", ["forget", RARE], "x"]]
    tilt = ["l+", ["quad"], ["l*", -1, ["lin", ["v*", ["*", "1/2", "L"], "u"]]]]
    assert proof.read(means[0]) == proof.read(["val", ["mix", "a", "h", tilt], "x"])
    assert proof.read(means[1]) == proof.read(["val", "h", "x"])


def test_coordinates() -> None:
    proof, found = reached("Parseval", "x")
    whole = ["sum", ["^", ["in", "x", ["axis", "k_"]], 2], LAST]
    assert (found.rel, proof.read(found.expr)) == ("=", proof.read(less(whole, square("x"))))
    assert facts(proof, found.hyps) == facts(proof, [[">=", LAST]])
    assert proof.read(square(["axis", "t"])) == proof.read(1)
    assert proof.read(["in", ["axis", "t"], ["axis", 0]]) not in (proof.read(0), proof.read(1))


def test_cuts() -> None:
    proof, found = reached("cut", "c", "x", "y")
    assert facts(proof, found.hyps) == facts(proof, [[">=", "c"], [">=", less(["^", "c", 2], square("y"))]])

    def far(z: Any) -> Any:
        return ["^", square(["v+", z, ["v*", -1, "y"]]), "1/2"]

    assert (found.rel, proof.read(found.expr)) == (
        ">=",
        proof.read(less(far("x"), far(["cut", "c", "x"]))),
    )
    proof, found = reached("cut length", "c", "x")
    assert facts(proof, found.hyps) == facts(proof, [[">=", "c"]])
    inside = less(["^", "c", 2], square(["cut", "c", "x"]))
    assert (found.rel, proof.read(found.expr)) == (">=", proof.read(inside))


# --- cones
OUT = ["out", "U", ["tosses", ["v*", "a", "u_"], ["zero"]], "T"]
TURN = ["v+", ["v*", "c", "u_"], ["v*", "s", "e_"]]
OUT_THERE = ["out", "U", ["tosses", ["v*", "a", TURN], ["zero"]], "T"]


def rest(o: Any) -> Any:
    """|o - <o, u_> u_|, by Pythagoras."""
    return ["^", less(square(o), ["^", ["in", o, "u_"], 2]), "1/2"]


def cone_test(o: Any) -> Any:
    part = [
        "^",
        ["+", square(o), ["*", -1, ["^", ["in", o, "u_"], 2]], ["*", -1, ["^", ["in", o, "e_"], 2]]],
        "1/2",
    ]
    x = less(["in", o, "e_"], ["*", "k", part])
    return ["*", "1/2", ["+", x, ["^", ["^", x, 2], "1/2"]]]


def test_the_cone_test_where_a_hop_begins() -> None:
    proof, found = reached("cone", OUT, "k")
    bend = less(["cap", LAST, "k", 1], ["*", "k", ["cap", LAST, "k", 2]])
    expr = less(["spun", ["E", cone_test(OUT)]], ["*", bend, ["spun", ["E", rest(OUT)]]])
    assert (found.rel, proof.read(found.expr)) == ("=", proof.read(expr))
    assert facts(proof, found.hyps) == facts(proof, [[">=", "k"], [">=", less("d", 2)]])


def test_the_cone_test_where_a_hop_ends() -> None:
    proof, found = reached("turned cone", OUT, "c", "s", "k", "w")
    P, C, S = (["cap", LAST, "w", i] for i in range(3))
    seen = ["+", ["*", "s", P, ["spun", ["E", ["in", OUT, "u_"]]]],
            ["*", less(["*", "c", C], ["*", "k", S]), ["spun", ["E", rest(OUT)]]]]  # fmt: skip
    assert proof.read(found.expr) == proof.read(less(["spun", ["E", cone_test(OUT_THERE)]], seen))
    rooted = ["=", less(1, ["+", ["^", "c", 2], ["^", "s", 2]])]
    assert found.rel == ">="
    assert facts(proof, found.hyps) == facts(proof, [rooted, [">=", less("d", 2)]])


def cap(n: int, k: float, omega: np.ndarray) -> np.ndarray:
    return np.cos(omega) >= k * np.sin(omega) if n > 1 else (omega < 1) | (k < 0)


@pytest.mark.parametrize("d", [2, 3, 6])
@pytest.mark.parametrize("seed", range(6))
def test_cones_by_simulation(d: int, seed: int) -> None:
    """Releases that follow their start in part, at many random frames, against means over caps."""
    rng, size = np.random.default_rng(100 * d + seed), 200_000
    frames = rng.standard_normal((size, 2, d))
    u = frames[:, 0] / np.linalg.norm(frames[:, 0], axis=1, keepdims=True)
    e = frames[:, 1] - (frames[:, 1] * u).sum(axis=1, keepdims=True) * u
    e /= np.linalg.norm(e, axis=1, keepdims=True)
    angle, k, w = rng.uniform(-math.pi, math.pi), rng.uniform(0, 2), rng.uniform(-2, 2)
    c, s = math.cos(angle), math.sin(angle)
    noise = rng.standard_normal((size, d)) * rng.uniform(0.1, 1)
    k0 = k if seed % 2 else k - 1  # the bound where a hop ends holds for any cotangent

    def released(v: np.ndarray) -> np.ndarray:
        return v * rng_scale + noise

    def test(o: np.ndarray, k: float) -> np.ndarray:
        p, a = (o * u).sum(axis=1), (o * e).sum(axis=1)
        return np.maximum(a - k * np.sqrt(np.maximum((o**2).sum(axis=1) - p**2 - a**2, 0)), 0)

    rng_scale = rng.uniform(-1, 2)
    o = released(u)
    p = (o * u).sum(axis=1)
    q = np.sqrt((o**2).sum(axis=1) - p**2)
    n = d - 1
    other = rng.standard_normal((size, n))
    omega = np.arccos(other[:, 0] / np.linalg.norm(other, axis=1))
    P, C, S = (float((cap(n, w, omega) * f).mean()) for f in (1.0, np.cos(omega), np.sin(omega)))
    bound = s * P * p.mean() + (c * C - k0 * S) * q.mean()
    assert test(released(c * u + s * e), k0).mean() >= bound - 0.02
    C, S = (float((cap(n, k, omega) * f).mean()) for f in (np.cos(omega), np.sin(omega)))
    assert test(o, k).mean() == pytest.approx((C - k * S) * q.mean(), abs=0.02)


FALSE_CALLS: dict[str, tuple[list[Any], str]] = {
    "a cone for a release that depends on e_": (["cone", ["v+", OUT, "e_"], "k"], "depends on e_"),
    "the same, through what it is released on": (
        ["turned cone", ["out", "U", ["tosses", ["v*", "a", "e_"], ["zero"]], "T"], "c", "s", "k", "w"],
        "depends on e_"),
    "a turn that depends on a direction": (
        ["turned cone", OUT, ["in", "u_", "x"], "s", "k", "w"], "not a number"),
    "a random cotangent": (["cone", OUT, ["in", "X", "x"]], "not a number"),
    "coins against one-dimensional signs": (
        ["likelihood", "A", ONE, ["signs", 0, 0], "T", "S", "b", "s"], "two problems|unpack"),
    "a rule that sees more, under a name": (
        ["likelihood", "B", ONE, OTHER, "T", "S", "b", "s"], "named algorithm"),
    "the same, and rare losses": (["rare", "B", RARE, "T", "S"], "named algorithm"),
    "a random threshold": (
        ["likelihood", "A", ONE, OTHER, "T", "S", ["in", "X", "x"], "s"], "random"),
    "random means of coins": (
        ["likelihood", "A", ["tosses", "X", "f"], OTHER, "T", "S", "b", "s"], "random"),
    "means that a sum binds": (
        ["likelihood", "A", ["tosses", ["axis", "k_"], "f"], OTHER, "T", "S", "b", "s"], "index is bound"),
    "squares of coordinates that change with the index": (["Parseval", ["axis", "k_"]], "index is bound"),
    "rare losses in a problem without them": (["rare", "A", ONE, "T", "S"], "rare losses"),
    "a random share": (["rare", "A", ["rarely", ["in", "X", "x"], "h", ONE, "h"], "T", "S"], "rare losses"),
    "privacy between problems with other coins": (["unlearning", "U", ONE, OTHER, "T", "S"], "differ"),
    "privacy between a problem with rare losses and itself": (
        ["unlearning", "U", RARE, RARE, "T", "S"], "explicit problems"),
    "a fourth mean over a cap": (["ball", ["proj", ["v*", ["cap", "d", "k", 3], "x"]]], "mean over a cap"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE_CALLS)
def test_what_no_schema_is_given(name: str) -> None:
    call, why = FALSE_CALLS[name]
    with pytest.raises((RejectedError, ValueError), match=why):
        reached(*call)


# --- directions
def test_u_and_e_are_orthonormal_in_any_plane() -> None:
    proof = fresh()
    assert proof.read(square("u_")) == proof.read(square("e_")) == proof.read(1)
    assert proof.read(["in", "u_", "e_"]) == proof.read(0)
    proof.accept({"by": "leaf", "square": ["v+", "u_", "e_"]}, 0)
    assert proof.reached[0].hyps == [[">=", less("d", 2)]]


def test_a_mean_over_directions_is_linear_and_takes_out_what_does_not_move() -> None:
    proof = fresh()
    along = ["in", "u_", "x"]
    assert proof.read(["spun", less(["*", "a", along], "b")]) == proof.read(
        less(["*", "a", ["spun", along]], "b")
    )
    assert proof.read(["spun", ["^", along, 2]]) != proof.read(["^", ["spun", along], 2])


SPUN = ["spun", ["^", ["in", "u_", "y"], 2]]
FALSE_LINES: dict[str, tuple[Theorem, dict[str, Any], str]] = {
    "the mean over directions under a condition on one": (
        Theorem([[">=", ["in", "u_", "x"]]], ">=", ["in", "u_", "y"]), {"by": "spin", "of": 0},
        "not for every direction"),
    "one direction in place of any": (
        Theorem([], ">=", ["in", "u_", "y"]), {"by": "instance", "of": 0, "with": {"u_": "x"}},
        "every direction"),
    "a vector that the mean binds": (
        Theorem([], "=", less(SPUN, "b")), {"by": "instance", "of": 0, "with": {"y": "u_"}},
        "bound there"),
    "the supremum over directions as over points": (
        Theorem([], ">=", less("b", ["in", "u_", "y"])),
        {"by": "couple", "of": [0, 0, 0], "point": "u_", "numbers": [0, 0], "bound": 0, "laws": [OUT, OUT]},
        "not an arbitrary vector"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE_LINES)
def test_no_line_misuses_directions(name: str) -> None:
    theorem, line, why = FALSE_LINES[name]
    proof = fresh()
    proof.reached[0] = theorem
    with pytest.raises(RejectedError, match=why):
        proof.accept(line, 1)


@pytest.mark.parametrize(
    ("letters", "why"),
    [
        ({"u_": ["point"]}, "reserved"),
        ({"e_": ["is", "x"]}, "reserved"),
        ({"z": ["direction"]}, "a direction"),
    ],
)
def test_directions_are_u_and_e_alone(letters: Any, why: str) -> None:
    with pytest.raises(RejectedError, match=why):
        Proof({**NOTHING, "letters": {**LETTERS, **letters}})


def test_what_holds_for_every_pair_holds_in_the_mean() -> None:
    proof = fresh()
    proof.reached[0] = Theorem([[">=", "a"]], ">=", ["*", "a", ["in", "u_", "y"]])
    proof.accept({"by": "spin", "of": 0}, 1)
    assert proof.reached[1] == Theorem([[">=", "a"]], ">=", ["spun", ["*", "a", ["in", "u_", "y"]]])


COINS_OF = ["A", ONE, OTHER, "T", "S", "b", "s"]
NOT_COINS = {
    "signs for coins": ({1: ["signs", "a", "b"], 2: ["signs", "a", "c"]}, "problems with coins"),
    "signs against coins": ({1: ["signs", "a", "b"]}, "problems with coins"),
    "an index in the other means": ({2: ["tosses", ["v*", "k_", "v"], "g"]}, "index is bound"),
    "random other means": ({2: ["tosses", "X", "g"]}, "random means"),
    "an index in the level": ({5: "k_"}, "index is bound"),
    "an index in the exponent": ({6: "k_"}, "index is bound"),
    "a random exponent": ({6: ["in", "X", "y"]}, "random means"),
}


@pytest.mark.parametrize("name", NOT_COINS)
def test_no_likelihood_of_coins(name: str) -> None:
    changes, why = NOT_COINS[name]
    with pytest.raises(RejectedError, match=why):
        reached("likelihood", *[changes.get(i, part) for i, part in enumerate(COINS_OF)])


def test_bounds_that_are_attained_are_not_strict() -> None:
    for name, *args in (
        ("rare", "A", ["rarely", "a", "h", ONE, "h"], "T", "S"), ("cut", "c", "x", "y"),
        ("cut length", "c", "x"),
    ):  # fmt: skip
        assert reached(name, *args)[1].rel == ">="
