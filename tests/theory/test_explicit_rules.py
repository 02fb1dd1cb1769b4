"""Explicit rules that take the place of an algorithm's name, randomised responses, half spaces, one coin."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging.judge import InstanceError, judge, lemmas_of
from oubli.theory.kernel import schemas
from oubli.theory.kernel.checker import NOTHING, Proof, accept_certificate, digest, times
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from oubli.theory.paper.lecam import sign_response
from oubli.theory.paper.ledger import ledger
from oubli.theory.paper.letters import old_optimum
from oubli.theory.paper.two_starts import by_its_start
from oubli.theory.records.objects import (
    ZERO,
    beyond,
    given_data,
    inner,
    iterate,
    numeric,
    proj,
    response,
    rule,
    sgd,
    tilt,
    unit,
)
from oubli.theory.records.verdict import Status
from tests.adversarial.written import less

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "p", "s", "u", "v", "w", "c"), R),
    **dict.fromkeys(("d", "T", "k_"), N),
    "x": ["point"], "y": ["point"], "z": ["point"], "h": ["point"], "X": ["random"], "S": ["event"],
    "A": ["algorithm"], "U": ["unlearner"], "W": ["learner"], "D_": ["problem"], "D": ["problem"],
    "m": [False, True],
}  # fmt: skip
STAR = ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]
NOISE, RADIAL = ["noise", "gauss", "s", 1], ["noise", "radial", "s", 1]
ANSWER = ["response", "p", "w", "x", "y"]
AHEAD = ["in", STAR, ["e", 1]]
TOLD = ["response", "p", AHEAD, ["e", 1], ["v*", -1, ["e", 1]]]
DRAWN = ["response", "delta", 1, STAR, ["zero"]]
CHANCE = [[">=", "p"], [">=", less(1, "p")]]
BALL = ["*", "1/4", ["^", "L", 2], ["^", "mu", -2]]
HIT = ["P", ["v+", "x", NOISE], ["beyond", "h", "c"]]
OFF = ["v+", "X", ["v*", -1, NOISE]]
THEOREMS: dict[str, tuple[list[Any], list[Any], str, Any]] = {
    "two coins": (
        ["coin distance", "u", "v"], [[">=", ["+", 1, "v"]], [">=", less(1, "u")], [">=", less("u", "v")]],
        "=",
        ["+", ["tv", ["coins", 1, "u"], ["coins", 1, "v"]], ["*", "-1/2", "u"], ["*", "1/2", "v"]]),
    "two equal releases": (
        ["equal", "X", NOISE],
        [[">=", ["*", -1, ["E", ["in", OFF, OFF]]]]],
        "=", ["tv", "X", NOISE]),
    "two responses, one to each side": (
        ["responses apart", "p", "w", "s", "x", "y"],
        [[">", "w"], [">=", ["*", -1, "s"]], [">=", less("p", "1/2")], [">=", less(1, "p")],
         [">", ["+", ["in", "x", "x"], ["*", -2, ["in", "x", "y"]], ["in", "y", "y"]]]], "=",
        ["+", ["tv", ANSWER, ["response", "p", "s", "x", "y"]], ["*", -2, "p"], 1]),
    "the mean of a response": (
        ["mean response", "p", "w", "x", "y", "z", ["^", ["in", "z", "h"], 2]], [[">", "w"], *CHANCE], "=",
        ["+", ["E", ["^", ["in", ANSWER, "h"], 2]], ["*", -1, "p", ["^", ["in", "x", "h"], 2]],
         ["*", ["+", "p", -1], ["^", ["in", "y", "h"], 2]]]),
    "a Gaussian beyond a half space": (
        ["beyond", NOISE, "x", "h", "c"], [[">", "s"], ["=", less(["in", "h", "h"], 1)]], "=",
        less(HIT, ["Phi", ["*", less(["in", "x", "h"], "c"), ["^", "s", -1]]])),
    "a point that is not beyond": (
        ["not beyond", NOISE, "x", "h", "c"], [["=", "s"], [">=", less("c", ["in", "x", "h"])]], "=", HIT),
}  # fmt: skip


def fresh(**more: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def relations(proof: Proof, items: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(expr).items())) for rel, expr in items}


@pytest.mark.parametrize("name", THEOREMS)
def test_a_schema_is_the_theorem_that_was_meant(name: str) -> None:
    schema, hyps, rel, expr = THEOREMS[name]
    proof = fresh()
    proof.accept({"by": "leaf", "schema": schema}, 0)
    found = proof.reached[0]
    assert found.rel == rel
    assert proof.read(found.expr) == proof.read(expr)
    assert relations(proof, found.hyps) == relations(proof, hyps)


HELD, HELD_Z = ["in", NOISE, "h"], ["in", "z", "h"]
REFUSED: dict[str, tuple[list[Any], str]] = {
    "responses with a random answer": (["responses apart", "p", "w", "s", "X", "y"], "random vector"),
    "a response that noise decides": (["responses apart", "p", HELD, "s", "x", "y"], "random"),
    "a response of random chance": (["responses apart", HELD, "w", "s", "x", "y"], "random"),
    "the mean of a response with a random answer": (
        ["mean response", "p", "w", "x", NOISE, "z", ["in", "z", "h"]], "random vector"),
    "a mean with another chance in it": (
        ["mean response", "p", "w", "x", "y", "z", ["in", "z", NOISE]], "another chance"),
    "a distance of laws is no mean": (
        ["mean response", "p", "w", "x", "y", "z", ["tv", "z", NOISE]], "a mean inside"),
    "the square of a mean is no mean": (
        ["mean response", "p", "w", "x", "y", "z", ["^", ["E", ["in", "z", NOISE]], 2]], "a mean inside"),
    "at a random vector": (["mean response", "p", "w", "x", "y", "X", ["in", "X", "h"]], "not an arbitrary"),
    "a mean that need not be finite": (
        ["mean response", "p", "w", "x", "y", "z", ["^", ["in", "z", "h"], -1]], "finite"),
    "the mean of a measured letter": (
        ["mean response", "p", "w", "x", "y", "z", ["*", "m", ["in", "z", "h"]]], "measured"),
    "radial noise is not Gaussian": (["beyond", RADIAL, "x", "h", "c"], "not Gaussian"),
    "nor of rate 0": (["not beyond", RADIAL, "x", "h", "c"], "not Gaussian"),
    "beyond, from a random vector": (["beyond", NOISE, "X", "h", "c"], "random vector"),
    "beyond, along a random vector": (["beyond", NOISE, "x", "X", "c"], "random vector"),
    "beyond a random distance": (["beyond", NOISE, "x", "h", ["in", "X", "h"]], "random event"),
    "beyond, of a number of coins": (["chance", ["coins", "T", "u"], ["beyond", "h", "c"]], "another law"),
    "another event": (["chance", "x", ["behind", "h", "c"]], "no event"),
    "not beyond, from a random vector": (["not beyond", NOISE, "X", "h", "c"], "random condition"),
    "not beyond, along a random vector": (["not beyond", NOISE, "x", "X", "c"], "random condition"),
    "a sum that has the index of an answer": (
        ["mean response", "p", "w", ["v*", "k_", "x"], "y", "z", ["sum", HELD_Z, "T"]], "bound there"),
    "the same, of the other answer": (
        ["mean response", "p", "w", "x", ["v*", "k_", "y"], "z", ["sum", HELD_Z, "T"]], "bound there"),
    "two coins in each": (["coin distance", "u"], "malformed|argument"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_schema_refuses(name: str) -> None:
    schema, why = REFUSED[name]
    with pytest.raises((RejectedError, TypeError), match=why):
        fresh().accept({"by": "leaf", "schema": schema}, 0)


@pytest.mark.parametrize(
    "known",
    [
        ["E", ["in", ["v+", "X", ["v*", -1, NOISE]], "h"]],
        less(["E", ["in", "X", "X"]], ["E", ["in", NOISE, NOISE]]),
        ["in", ["v+", "x", ["v*", -1, "y"]], ["v+", "x", ["v*", -1, "y"]]],
    ],
    ids=["along one direction", "with one second moment", "two other vectors"],
)
def test_only_what_is_equal_almost_surely_has_one_law(known: Any) -> None:
    proof = fresh()
    proof.accept({"by": "leaf", "assume": [">=", ["*", -1, known]]}, 0)
    proof.accept({"by": "leaf", "schema": ["equal", "X", NOISE], "met": [0]}, 1)
    open_ = relations(proof, proof.reached[1].hyps)
    assert relations(proof, [[">=", ["*", -1, ["E", ["in", OFF, OFF]]]]]) <= open_


def test_a_response_is_random_and_not_its_mean() -> None:
    proof = fresh()
    assert proof.read(["E", ["^", ["in", ANSWER, "h"], 2]]) != proof.read(
        ["^", ["E", ["in", ANSWER, "h"]], 2]
    )
    assert proof.read(["in", ANSWER, "h"]) != proof.read(["E", ["in", ANSWER, "h"]])
    assert proof.read(["tv", ANSWER, ANSWER]) == proof.read(0)
    assert proof.read(["tv", ANSWER, ["response", "p", "s", "x", "y"]]) != proof.read(0)


# Of each: the sort, what the rule releases, the times, and what has to hold beside 0 <= r <= 1.
PAYS = [[">=", "epsilon"], [">=", "delta"]]
KEPT = ["+", ["*", ["exp", "epsilon"], less(1, "p")], "delta", ["*", -1, "p"]]
WITHIN = [[">=", less(BALL, 1)]]
RUN = ["iter", ["sgd", "D_", ["zero"], "s"], 1]
STANDS: dict[str, tuple[str, Any, list[Any], list[Any]]] = {
    "nothing is released of the data": ("unlearner", ["zero"], ["T"], [[">=", "T"], *PAYS]),
    "nothing, by a learner": ("learner", ["zero"], ["T"], [[">=", "T"]]),
    "theta* itself, by any algorithm": ("algorithm", STAR, [0], [[">=", 0]]),
    "one gradient, at two times": ("learner", RUN, ["d", "T"], [[">=", less("d", 1)], [">=", less("T", 1)]]),
    "a response to theta*": (
        "unlearner", TOLD, ["T"],
        [[">=", "T"], *CHANCE, *WITHIN, [">=", less("p", "1/2")], [">=", KEPT], *PAYS]),
    "theta* with a small probability": (
        "unlearner", ["response", "p", 1, STAR, ["zero"]], [0],
        [[">=", 0], [">=", "p"], [">=", less(1, "p")], [">", 1], [">=", less("delta", "p")], *PAYS]),
    "theta* with a small probability, if it is decided so": (
        "unlearner", ["response", "p", "w", STAR, ["zero"]], [0],
        [[">=", 0], [">=", "p"], [">=", less(1, "p")], [">", "w"], [">=", less("delta", "p")], *PAYS]),
    "one gradient or none": (
        "algorithm", ["response", "p", 1, RUN, ["zero"]], ["T"],
        [[">=", less("T", 1)], [">=", "T"], *CHANCE]),
}  # fmt: skip
SHARE = [[">=", "r"], [">=", less(1, "r")]]


@pytest.mark.parametrize("name", STANDS)
def test_what_has_to_hold_for_a_rule_to_stand_for_a_name(name: str) -> None:
    sort, body, at, needed = STANDS[name]
    proof = fresh()
    found = [[rel, expr] for rel, expr in schemas.stands_for(proof, sort, ["rule", body], at)]
    trivial = {(rel, frozenset(proof.read(n).items())) for rel in (">=", ">") for n in (0, 1, 2)}
    assert relations(proof, found) - trivial == relations(proof, [*SHARE, *needed]) - trivial


MAY_NOT: dict[str, tuple[str, Any, list[Any], str]] = {
    "theta* for an unlearner": ("unlearner", STAR, [0], "without noise"),
    "theta* for a learner": ("learner", STAR, [0], "theta\\* is used"),
    "a response to theta* for a learner": ("learner", TOLD, [0], "theta\\* is used"),
    "a lottery of theta* for a learner": ("learner", DRAWN, [0], "theta\\* is used"),
    "theta* in either answer": (
        "unlearner", ["response", "delta", 1, STAR, ["v*", "1/2", STAR]], [0], "both answers"),
    "theta* in the likely answer": (
        "unlearner", ["response", "delta", 1, ["zero"], STAR], [0], "both answers"),
    "theta* decides whether theta* is released": (
        "unlearner", ["response", "delta", AHEAD, STAR, ["zero"]], [0], "depends on the data"),
    "a chance that tells of the data": (
        "unlearner", ["response", ["in", STAR, STAR], 1, ["e", 1], ["zero"]], [0], "depends on the data"),
    "another optimum decides": (
        "unlearner", ["response", "p", ["in", ["opt", ["retain", "D_"]], ["e", 1]], ["e", 1], ["zero"]], [0],
        "cannot release"),
    "the data of another problem": ("algorithm", ["opt", ["retain", "D"]], [0], "cannot release"),
    "theta* of another fraction": (
        "algorithm", ["opt", ["mix", "1/2", ["forget", "D_"], ["retain", "D_"]]], [0], "cannot release"),
    "a measured chance": ("algorithm", ["response", "m", 1, ["e", 1], ["zero"]], [0], "measured"),
    "gradients decide": (
        "algorithm", ["response", "p", ["in", RUN, ["e", 1]], ["e", 1], ["zero"]], ["T"],
        "gradient decides|decides is random"),
    "not in the ball": ("algorithm", ["v+", STAR, ["e", 1]], [0], "lie in the ball"),
    "an answer that may lie anywhere": (
        "algorithm", ["response", "p", 1, ["v+", STAR, ["e", 1]], ["zero"]], [0], "lie in the ball"),
    "the other answer anywhere": (
        "algorithm", ["response", "p", 1, ["zero"], ["v+", STAR, ["e", 1]]], [0], "lie in the ball"),
    "noise, which lies anywhere": ("algorithm", NOISE, [0], "lie in the ball"),
    "theta* for a learner, where public vectors decide": (
        "learner", ["response", "p", ["in", ["e", 1], ["e", 1]], STAR, ["zero"]], [0], "theta\\* is used"),
    "the loss of the data decides": (
        "algorithm", ["response", "p", ["val", ["retain", "D_"], ["zero"]], ["e", 1], ["zero"]], [0],
        "depends on the data"),
    "another rule at each index": ("algorithm", ["proj", ["v*", "k_", ["e", 1]]], [0], "index"),
    "at each index of a sum": ("algorithm", ["zero"], ["k_"], "index"),
    "a random vector": ("algorithm", "X", [0], "no public vector"),
}  # fmt: skip


@pytest.mark.parametrize("name", MAY_NOT)
def test_what_may_not_stand_for_a_name(name: str) -> None:
    sort, body, at, why = MAY_NOT[name]
    with pytest.raises(RejectedError, match=why):
        schemas.stands_for(fresh(), sort, ["rule", body], at)


def test_every_number_of_gradients_is_found() -> None:
    zero = ["rule", ["zero"]]
    proof = fresh(B=["is", zero], C=["is", "B"], t=["is", ["in", ["out", "C", "D", 7], "h"]])
    said = ["+", ["worst", "B", 3], ["in", ["out", "C", "D", 5], ["out", zero, "D", "T"]], ["worst", "A", 9]]
    assert times(proof, said, zero) == [3, 5, "T"]
    assert times(proof, proof.letters["t"][1], zero) == [7]


# --- whole witnesses: the claims of the ledger with another rule
KNOWN = {key: claim.statement for key, claim in ledger().claims.items() if claim.statement}
e_1 = unit(1)


def judged(key: str, released: Any, **values: Any) -> Status:
    """The verdict where the witness has another rule, and other values of parameters."""
    claim = ledger().claims[key]
    rest = {} if released is None else {"objects": dict.fromkeys(claim.instances[0].objects, released)}
    chosen = {**claim.instances[0].values, **{sp.Symbol(k, real=True): v for k, v in values.items()}}
    other = replace(claim.instances[0], **rest, values=chosen)
    return judge(replace(claim, instances=(other,)), KNOWN).status


def lottery(p: Any, other: Any = ZERO) -> Any:
    return rule(response(p, numeric(1), old_optimum, other))


stepped = iterate(sgd(given_data, ZERO, 1), 1)
ACCEPTED = {
    "randomised response, less sure": ("tv_bound", sign_response(Fraction(3, 4)), {}),
    "the optimum at once": ("tv_bound.processing", rule(ZERO), {}),
    "the same at any time": ("tv_bound.processing", rule(ZERO), {"epsilon": 3}),
}
REJECTED = {
    "randomised response, too sure for its budget": ("tv_bound", sign_response(Fraction(9, 10)), {}),
    "randomised response, for a smaller budget": (
        "tv_bound", sign_response(Fraction(4, 5)), {"epsilon": sp.log(3)}),
    "theta* itself": ("tv_bound", rule(old_optimum), {}),
    "more of theta* than delta allows": ("inefficient", lottery(Fraction(1, 50)), {}),
    "an answer beyond the ball": (
        "tv_bound", rule(response(Fraction(4, 5), inner(old_optimum, e_1), 2 * e_1, -e_1)), {}),
    "a gradient where there is none": (
        "inefficient", rule(response(Fraction(1, 100), numeric(1), stepped, ZERO)), {}),
    "a lottery that no lemma bounds": ("inefficient", lottery(Fraction(1, 200)), {}),
    "the projection of what lies outside": ("tv_bound", rule(proj(old_optimum)), {}),
}  # fmt: skip


AFTER_A_STEP = iterate(sgd(given_data, -e_1, 1), 1)
NO_WITNESS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "one step alone, which is the same from every start": ("two_point", rule(proj(AFTER_A_STEP)), {}),
    "less of where it starts": ("two_point", rule(proj(AFTER_A_STEP - old_optimum)), {}),
    "from a start where the gradient tells nothing": (
        "two_point", rule(proj(iterate(sgd(given_data, ZERO, 1), 1) - 2 * old_optimum)), {}),
    "a step for which no gradient is left": ("two_point", by_its_start, {"T": 0}),
    "another theta* for the second problem": ("two_point", by_its_start, {"f_3": 0}),
    "problems of other signs": ("two_point", by_its_start, {"m_1": Fraction(1, 2), "f_1": Fraction(-1, 2)}),
    "a larger number than both risks need": ("two_point", by_its_start, {"M_sup": 1}),
    "a first step that surely passes": ("experiment.time", None, {"p_pass": 1, "t_passage": 1}),
    "a mean that passes too": ("experiment.time", None, {"e": Fraction(1, 5)}),
    "a start that has passed": ("experiment.time", None, {"e": Fraction(1, 8)}),
    "noise of a smaller scale": ("trivial.step2", None, {"kappa": 10}),
    "a shorter step": ("sgd.constant_step", None, {"gamma_step": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_WITNESS)
def test_what_does_not_refute(name: str) -> None:
    """Either something given is not shown, or the conclusion is not contradicted."""
    key, released, values = NO_WITNESS[name]
    try:
        found = judged(key, released, **values)
    except InstanceError:
        return
    assert found is Status.OPEN


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_witness_by_an_explicit_rule(name: str) -> None:
    key, released, values = ACCEPTED[name]
    assert judged(key, released, **values) is Status.REFUTED


@pytest.mark.parametrize("name", REJECTED)
def test_no_witness_by_a_rule_that_is_not_allowed(name: str) -> None:
    key, released, values = REJECTED[name]
    with pytest.raises(InstanceError):
        judged(key, released, **values)


def test_the_kernel_rejects_another_rule_in_a_certificate() -> None:
    claim = ledger().claims["tv_bound"]
    certificate = copy.deepcopy(judge(claim, KNOWN).witness)
    accept_certificate(certificate, lemmas_of(claim, KNOWN), {})
    for where in (
        certificate["takes"]["letters"]["A_private"],
        certificate["witness"]["values"]["A_private"],
    ):
        body = where[1] if where[0] == "is" else where
        body[1][1] = "9/10"
    sealed = {part: certificate[part] for part in ("statement", "takes")}
    with pytest.raises(RejectedError, match=r"shown|follow"):
        accept_certificate({**certificate, "hash": digest(sealed)}, lemmas_of(claim, KNOWN), {})


@pytest.mark.parametrize(
    ("objects", "delta", "refuted"),
    [
        ({}, Fraction(1, 100), True),
        ({}, Fraction(2, 5), True),
        (
            {"S_any": beyond(-e_1, 0)},
            Fraction(1, 100),
            True,
        ),
        ({"S_any": beyond(e_1, Fraction(-1, 4))}, Fraction(1, 100), False),  # theta_r* itself is beyond
        ({"S_any": beyond(2 * e_1, 0)}, Fraction(1, 100), False),  # no unit vector
        ({"f_one": tilt(2 * e_1)}, Fraction(1, 100), False),  # no member of the class
        ({}, Fraction(99, 100), False),  # more is allowed than happens
    ],
)
def test_noise_of_scale_0_is_seen_at_a_half_space(objects: Any, delta: Fraction, refuted: bool) -> None:
    claim = ledger().claims["gauss.sensitivity"]
    instance = claim.instances[0]
    chosen = {
        **instance.values,
        sp.Symbol("delta", real=True): delta,
        sp.Symbol("kappa", real=True): sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)),
    }
    other = replace(instance, objects={**instance.objects, **objects}, values=chosen)
    try:
        found = judge(replace(claim, instances=(other,)), KNOWN).status is Status.REFUTED
    except InstanceError:
        found = False
    assert found is refuted
