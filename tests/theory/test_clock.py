"""Rules that release something else at each time: what they are, what they cost, what they may not be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging.judge import InstanceError, judge
from oubli.theory.kernel import schemas
from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from oubli.theory.paper.ledger import ledger
from oubli.theory.paper.letters import old_optimum
from oubli.theory.paper.walk import walk
from oubli.theory.records.objects import ZERO, given_data, given_time, iterate, proj, rule, sgd, unit
from oubli.theory.records.verdict import Status
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "s"), R), **dict.fromkeys(("d", "T", "k_", "T_"), N),
    "h": ["point"], "D_": ["problem"], "D": ["problem"],
}  # fmt: skip
E1, STAR = ["e", 1], ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]
MOVED = ["rule", ["v*", "T_", E1]]
BALL = ["*", "1/4", ["^", "L", 2], ["^", "mu", -2]]
SHARE = [[">=", "r"], [">=", less(1, "r")]]


def fresh(**more: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def relations(proof: Proof, items: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(expr).items())) for rel, expr in items}


def steps(t: Any) -> Any:
    return ["rule", ["iter", ["sgd", "D_", ["zero"], "s"], t]]


def released(T: Any) -> Any:
    return ["in", ["out", MOVED, "D", T], "h"]


def test_what_is_released_is_that_of_the_time() -> None:
    proof = fresh()
    assert proof.read(released(3)) == proof.read(["*", 3, ["in", E1, "h"]])
    assert proof.read(released(["+", "T", 1])) == proof.read(["*", ["+", "T", 1], ["in", E1, "h"]])
    assert proof.read(released(3)) != proof.read(released(4))


def test_a_rule_has_the_worst_risk_of_its_release_at_the_time() -> None:
    proof = fresh()
    at_3 = ["rule", ["v*", 3, E1]]
    assert proof.read(["worst", MOVED, 3]) == proof.read(["worst", at_3, 3])
    assert proof.read(["worst", MOVED, 4]) != proof.read(["worst", at_3, 4])
    assert proof.read(["worst", MOVED, 3]) != proof.read(["worst", at_3, 4])


def test_at_each_time_the_release_lies_in_the_ball() -> None:
    proof = fresh()
    found = [[rel, e] for rel, e in schemas.stands_for(proof, "learner", MOVED, [3, "T"])]
    inside = [[">=", less(BALL, 9)], [">=", less(BALL, ["^", "T", 2])]]
    assert relations(proof, found) == relations(proof, [*SHARE, *inside, [">=", 3], [">=", "T"]])


@pytest.mark.parametrize(("more", "left"), [(0, 0), (1, -1)], ids=["all it is given", "one more"])
def test_a_rule_may_take_the_gradients_it_is_given(more: int, left: int) -> None:
    """The condition that one more gradient leaves is -1 >= 0."""
    proof = fresh()
    A = steps(["+", "T_", more] if more else "T_")
    found = [[rel, e] for rel, e in schemas.stands_for(proof, "learner", A, ["T"])]
    known = relations(proof, [*SHARE, [">=", left], [">=", "T"], [">=", ["+", "T", more]]])
    assert relations(proof, found) <= known
    assert relations(proof, [[">=", left]]) <= relations(proof, found)


REFUSED: dict[str, tuple[str, Any, Any, str]] = {
    "theta* for a learner, later": ("learner", ["v*", "T_", STAR], 3, "theta\\* is used"),
    "privacy at one time": ("unlearner", ["v*", "T_", E1], 3, "one release at all times"),
    "the same behind a letter": ("unlearner", "u", 3, "one release at all times"),
    "a time that tells of the data": ("learner", ["v*", "T_", E1], ["in", STAR, E1], "no integer"),
    "a time that is none": ("learner", ["v*", "T_", E1], "s", "no integer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_not_stand_for_a_name(name: str) -> None:
    sort, body, T, why = REFUSED[name]
    proof = fresh(u=["is", ["v*", "T_", E1]])
    with pytest.raises(RejectedError, match=why):
        schemas.stands_for(proof, sort, ["rule", body], [T])


def test_the_least_worst_risk_of_unlearners_is_not_that_of_a_rule_with_a_clock() -> None:
    with pytest.raises(RejectedError, match="one release at all times"):
        schemas.at_best(fresh(), "unlearner", MOVED, "r", 3, "epsilon", "delta")


def test_no_letter_becomes_the_time_that_a_rule_is_given() -> None:
    """The worst risk of s e_1 at T is a number for each s; with T_ for s it would be of another rule."""
    for rule_of, x in ((["rule", ["v*", "s", E1]], "s"), (["rule", ["v*", "T", E1]], "T")):
        proof = fresh()
        proof.accept({"by": "leaf", "assume": [">=", ["worst", rule_of, "T"]]}, 0)
        with pytest.raises(RejectedError, match="bound"):
            proof.accept({"by": "instance", "of": 0, "with": {x: "T_"}}, 1)
        with pytest.raises(RejectedError, match="bound there"):
            proof.put(rule_of, {x: "T_"})


# --- the claim about the order of T_e with other walks, and at other times
CLAIM = ledger().claims["def.time.order"]
KNOWN = {key: claim.statement for key, claim in ledger().claims.items() if claim.statement}
WALK = walk(sp.Integer(100), sp.Integer(1))
e_1 = unit(1)
NO_WITNESS: dict[str, tuple[Any, dict[str, Any]]] = {
    "both problems at one time": (WALK, {"T_plus": 50, "T_minus": 50}),
    "each at the time of the other": (WALK, {"T_plus": 48, "T_minus": 52}),
    "a release that is the same at all times": (rule(Fraction(21, 500) * e_1), {}),
    "a walk in larger steps": (walk(sp.Integer(30), sp.Integer(1)), {}),
    "a walk that looks at theta*": (rule(proj(old_optimum + (given_time / 50 - 1) * e_1)), {}),
    "a walk that leaves the ball": (rule((given_time / 5 - 9) * e_1), {}),
    "a run of more gradients than it is given": (
        rule(iterate(sgd(given_data, ZERO, 1), given_time + 1)), {}),
    "a target for which as many gradients are needed": (WALK, {"e": Fraction(1, 20)}),
    "a smaller T than a time": (WALK, {"T": 50}),
}  # fmt: skip


def judged(A: Any, values: dict[str, Any]) -> Status:
    (stored,) = CLAIM.instances
    chosen = {**stored.values, **{sp.Symbol(k, real=True): v for k, v in values.items()}}
    other = replace(stored, objects={"A_scratch": A}, values=chosen)
    return judge(replace(CLAIM, instances=(other,)), KNOWN).status


def test_the_walk_refutes() -> None:
    assert judged(WALK, {}) is Status.REFUTED
    assert judged(WALK, {"T_plus": 53, "e": Fraction(1, 5000)}) is Status.REFUTED


@pytest.mark.parametrize("name", NO_WITNESS)
def test_what_does_not_refute(name: str) -> None:
    try:
        found = judged(*NO_WITNESS[name])
    except InstanceError:
        return
    assert found is Status.OPEN
