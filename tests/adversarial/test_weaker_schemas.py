"""Every schema of the kernel, changed so that it claims more, is caught by the test that has it by hand.

A condition is dropped or includes its end, the relation becomes strict, a number moves by one per cent, the
bound by 1: each time the test of that name (in tests/theory, or here on MORE) fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError, Theorem, number
from oubli.theory.kernel.schemas import SCHEMAS
from tests.adversarial.written import less
from tests.theory import test_ball_schemas as balls
from tests.theory import test_cube_schemas as cubes
from tests.theory import test_explicit_rules as explicit
from tests.theory import test_family_schemas as families
from tests.theory import test_kernel_means as means
from tests.theory import test_kernel_schemas as by_hand
from tests.theory import test_law_schemas as laws
from tests.theory import test_priors as priors
from tests.theory.test_kernel_schemas import CURVED, THEOREMS, TIME, WEIGHT, apart, ball, size, square

LETTERS = {
    **by_hand.LETTERS, **dict.fromkeys(("r", "epsilon", "delta", "c", "w", "kappa"), by_hand.R),
    "U": ["unlearner"], "G": ["problem"], "D_": ["problem"], "S": ["event"],
}  # fmt: skip
KINK = ["l+", ["quad"], ["l*", -1, ["lin", "x"]], ["l*", "c", ["cone", "y"]]]
STAR = ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]
HIDDEN = ["rule", ["proj", ["v+", STAR, ["noise", "gauss", "s", 1]]]]
ROOM = less(["*", "1/2", "L"], "c")
STARS = [["opt", ["mix", "r", ["forget", P], ["retain", P]]] for P in ("D", "G")]
SHARES = [[">=", "r"], [">=", less(1, "r")]]


def risk(A: Any, D: Any, T: Any) -> Any:
    f = ["retain", D]
    return ["E", less(["val", f, ["out", A, D, T]], ["val", f, ["opt", f]])]


def private_delta() -> Any:
    """Phi(1/(2 kappa) - eps kappa) - e^eps Phi(-1/(2 kappa) - eps kappa)."""
    half, far = ["*", "1/2", ["^", "kappa", -1]], ["*", "epsilon", "kappa"]
    return less(["Phi", less(half, far)], ["*", ["exp", "epsilon"], ["Phi", less(["*", -1, half], far)]])


NORMAL, RADIAL = ["noise", "gauss", "s", 1], ["noise", "radial", "s", 1]
NEAR = [[">=", less("w", size(apart("x", "y")))], [">", "w"], [">", "epsilon"], [">=", "delta"]]


def hidden(z: Any) -> Any:
    """e^eps P(y + z in S) + delta - P(x + z in S)."""
    here, there = (["P", ["v+", u, z], "S"] for u in ("x", "y"))
    return less(["+", ["*", ["exp", "epsilon"], there], "delta"], here)


MORE: dict[str, tuple[list[Any], list[Any], str, Any]] = {
    "the worst risk is at least that on one problem": (
        ["worst", "A", "r", "T", "D"], TIME, ">=", less(["worst", "A", "T"], risk("A", "D", "T"))),
    "the least is at most that of one unlearner": (
        ["least", "unlearner", "U", "r", "T", "epsilon", "delta"],
        [*TIME, [">=", "epsilon"], [">=", "delta"]], ">=",
        less(["worst", "U", "T"], ["least", "unlearner", "r", "epsilon", "delta", "T"])),
    "the least is at most that of projected noise, if it is enough": (
        ["least", "unlearner", HIDDEN, "r", 0, "epsilon", "delta", "w", "kappa"],
        [*SHARES, [">=", 0], [">=", less("w", ["spread", "r"])], [">", "w"], [">", "epsilon"],
         [">=", "delta"], ["=", less("s", ["*", "kappa", "w"])], [">", "kappa"],
         [">=", less("delta", private_delta())]], ">=",
        less(["worst", HIDDEN, 0], ["least", "unlearner", "r", "epsilon", "delta", 0])),
    "Gaussian noise hides a shift, if it is enough": (
        ["noise", NORMAL, "x", "y", "S", "epsilon", "delta", "w", "kappa"],
        [*NEAR, ["=", less("s", ["*", "kappa", "w"])], [">", "kappa"],
         [">=", less("delta", private_delta())]],
        ">=", hidden(NORMAL)),
    "radial noise hides a shift, if its rate is small": (
        ["noise", RADIAL, "x", "y", "S", "epsilon", "delta", "w"],
        [*NEAR, [">", "s"], [">=", less("epsilon", ["*", "s", "w"])]], ">=", hidden(RADIAL)),
    "the spread is at least one distance": (
        ["spread", "s", "f", "g", "f"], WEIGHT, ">=",
        less(["spread", "s"], size(apart(["opt", ["mix", "s", "f", "f"]], ["opt", ["mix", "s", "g", "f"]])))),
    "without gradients only theta* counts": (
        ["no gradient", "A", "D", "G", "h", ["in", "h", "x"]], [["=", square(apart(*STARS))], *SHARES], "=",
        less(*[["E", ["in", ["out", "A", P, 0], "x"]] for P in ("D", "G")])),
    "a kink holds the minimiser": (
        ["kinked", "y", "x", "c", "h"],
        [[">=", ROOM], [">=", less(["^", ROOM, 2], square("x"))], [">=", "c"], ball("y"),
         [">=", less(["^", "c", 2], square(apart(["v*", "mu", "y"], "x")))], CURVED], "=",
        ["in", apart(["opt", KINK], "y"), "h"]),
    "the exponential of a logarithm": (
        ["exp of log", "s"], [[">", "s"]], "=", less(["exp", ["log", "s"]], "s")),
}  # fmt: skip
EVERY = {**THEOREMS, **MORE}


def fresh() -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": LETTERS})


def as_meant(name: str) -> bool:
    """Whether a schema is the theorem that is written by hand: what the named test asserts."""
    schema, hyps, rel, expr = EVERY[name]
    proof = fresh()
    proof.accept({"by": "leaf", "schema": schema}, 0)
    found = proof.reached[0]
    same = found.rel == rel and proof.read(found.expr) == proof.read(expr)
    return same and by_hand.facts(proof, found.hyps) == by_hand.facts(proof, hyps)


@pytest.mark.parametrize("name", MORE)
def test_a_schema_is_the_theorem_that_was_meant(name: str) -> None:
    assert as_meant(name)


def moved(node: Any) -> Iterator[Any]:
    """The expression with one number moved by one per cent, but no exponent."""
    if not isinstance(node, list):
        if number(node):
            yield str(Fraction(number(node)) * 101 / 100)
        return
    fixed = ("e", "noise", "iter", "draw", "average", "out", "sum", "worst", "least")  # times, labels, sizes
    for i in range(1, {"^": 2}.get(node[0], 1 if node[0] in fixed else len(node))):
        yield from ([*node[:i], part, *node[i + 1 :]] for part in moved(node[i]))


def weaker(t: Theorem) -> Iterator[Theorem]:
    """The theorem, claiming more in one place."""
    for i, (rel, _) in enumerate(t.hyps):
        yield t._replace(hyps=[*t.hyps[:i], *t.hyps[i + 1 :]])
        if rel == ">":
            yield t._replace(hyps=[*t.hyps[:i], [">=", t.hyps[i][1]], *t.hyps[i + 1 :]])
    if t.rel == ">=":
        yield t._replace(rel=">")
    yield t._replace(expr=less(t.expr, 1))
    for expr in moved(t.expr):
        yield t._replace(expr=expr)


@pytest.mark.parametrize("name", EVERY)
def test_a_weaker_schema_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (key, *args), proof = EVERY[name][0], fresh()
    true = SCHEMAS[key](proof, *args)
    changed = [t for t in weaker(true) if different(proof, true, t)]
    assert changed
    for t in changed:
        monkeypatch.setitem(SCHEMAS, key, lambda _proof, *_args, t=t: t)
        assert not as_meant(name), (key, t)


def different(proof: Proof, true: Theorem, changed: Theorem) -> bool:
    """Whether a change changes what is said: 1.01 · 0 is 0, and a condition may be there twice.

    A time or a size that is no integer any more says nothing.
    """
    try:
        hyps = by_hand.facts(proof, true.hyps) != by_hand.facts(proof, changed.hyps)
        return hyps or true.rel != changed.rel or proof.read(true.expr) != proof.read(changed.expr)
    except RejectedError:
        return False


# The other schemas: where the letters are, the schema at objects, and the test that has its theorem by hand.
ELSEWHERE: dict[str, tuple[Any, list[Any], Callable[[], None]]] = {
    **{
        f"{part.__name__}: {name}": (
            part,
            row[0],
            lambda part=part, name=name: part.test_a_schema_is_the_theorem_that_was_meant(name),
        )
        for part in (laws, explicit)
        for name, row in part.THEOREMS.items()
    },
    "coordinates": (families, ["Parseval", "x"], families.test_coordinates),
    "a cut": (families, ["cut", "c", "x", "y"], families.test_cuts),
    "the length of a cut": (families, ["cut length", "c", "x"], families.test_cuts),
    "where a hop begins": (
        families,
        ["cone", families.OUT, "k"],
        families.test_the_cone_test_where_a_hop_begins,
    ),
    "where a hop ends": (
        families,
        ["turned cone", families.OUT, "c", "s", "k", "w"],
        families.test_the_cone_test_where_a_hop_ends,
    ),
    "coins": (
        families,
        ["likelihood", "A", families.ONE, families.OTHER, "T", "S", "b", "s"],
        families.test_coins_of_other_means_at_one_start,
    ),
    "rare losses": (families, ["rare", "A", families.RARE, "T", "S"], families.test_rare_losses),
    "a free cone": (balls, ["free cone", balls.OUT, "k"], balls.test_a_cone_around_any_direction),
    "a pushed cone": (
        balls,
        ["pushed cone", balls.OUT, "t", "k", "w"],
        balls.test_a_vector_that_is_pushed_in_any_direction,
    ),
    "a point of the cube": (cubes, ["cube", "w_", "t"], cubes.test_a_point_of_the_cube),
    "information": (cubes, ["information", "a", "b", "w_", "t"], cubes.test_the_information_of_a_coin),
    "all information": (
        cubes,
        ["total information", "a", "b", "t"],
        cubes.test_the_information_over_the_cube,
    ),
    "the score of a coin": (
        cubes,
        ["score of a coin", "A", cubes.HERE, "T", "t", "x", less(cubes.G, ["in", cubes.BOX, ["axis", "t"]])],
        cubes.test_the_score_of_a_coin,
    ),
    "the flow": (
        cubes,
        ["flow", "A", "T", "a", "b", "t", "x", cubes.G],
        cubes.test_what_flows_through_the_cube,
    ),
    "the score of a mean": (
        means,
        ["score of a mean", "A", means.HERE, "T", "x", less(["in", "x", means.E1], "a")],
        means.test_the_score_of_a_mean,
    ),
    "a prior": (
        priors,
        ["prior", "A", "T", 3, "1/20", [], priors.COIN],
        priors.test_the_theorem_has_its_conditions,
    ),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_weaker_schema_is_caught_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part, (key, *args), as_it_is = ELSEWHERE[name]
    WORK[:] = [BUDGET, float("inf")]
    proof = Proof({**NOTHING, "letters": part.LETTERS})
    true = SCHEMAS[key](proof, *args)
    changed = [t for t in weaker(true) if different(proof, true, t)]
    assert changed
    as_it_is()
    for t in changed:
        monkeypatch.setitem(SCHEMAS, key, lambda _proof, *_args, t=t: t)
        with pytest.raises((AssertionError, RejectedError)):
            as_it_is()


def test_the_schemas_that_are_weakened() -> None:
    """All of them."""
    rows = [schema for schema, *_ in EVERY.values()] + [schema for _, schema, _ in ELSEWHERE.values()]
    assert {name for name, *_ in rows} >= SCHEMAS.keys()
