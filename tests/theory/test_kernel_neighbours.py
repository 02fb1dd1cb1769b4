"""Explicit rules, suprema, joins and classes: a false neighbour for each condition, or one that holds.

What is refused here would, without the one condition that is named, be accepted; what is accepted here is
what a condition that is too strict would lose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oubli.theory.kernel import classes, objects, schemas, symbols
from oubli.theory.kernel.checker import NOTHING, Proof, accept_certificate, digest, known, modelled
from oubli.theory.kernel.encoding import domain_relations
from oubli.theory.kernel.members import member, problem_members
from oubli.theory.kernel.poly import BUDGET, MINUS, WORK, RejectedError, Theorem
from tests.adversarial.written import leaf, less, lined, positive

R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("L", "mu", "r", "epsilon", "delta", "kappa", "s", "b", "c", "e", "m", "f", "n", "g", "u",
                     "v"), R),
    **dict.fromkeys(("d", "T", "K", "k", "k_"), N), "M": [False, True],
    "D_": ["problem"], "D": ["problem"], "h": ["loss"], "p": ["loss"], "q": ["loss"], "x": ["point"],
    "y": ["point"], "X": ["random"], "S": ["event"], "Z": ["event"],
    "A": ["algorithm"], "U": ["unlearner"], "W": ["learner"], "u_": ["direction"], "e_": ["direction"],
    "b_": ["point"], "w_": ["cube"], "s_": R,
}  # fmt: skip
STAR = ["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]]
NOISE = ["noise", "gauss", ["*", "kappa", "b"], 1]
OTHER_NOISE = ["noise", "gauss", "s", 2]
NOISY = ["v+", STAR, NOISE]
HERE, THERE = ["signs", "m", "f"], ["signs", "n", "g"]
NAMED = ["r", "epsilon", "delta"]
RUN = ["sgd", "D_", ["zero"], "s"]


def fresh(**more: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": {**LETTERS, **more}})


def schema(*args: Any, **more: Any) -> Theorem:
    return schemas.instance(fresh(**more), *args)


def released(body: Any, sort: str = "algorithm", T: Any = 0) -> Theorem:
    return schema("least", sort, ["rule", body], "r", T, "epsilon", "delta", "b", "kappa")


# --- explicit rules

PRIVATE = {
    "theta* beside its noisy copy": (["proj", ["v+", STAR, NOISE, STAR]], "without noise"),
    "noise times theta*, as a number": (["proj", ["v*", STAR, NOISE]], "no number"),
    "noise whose scale is a loss of the data": (
        ["proj", ["v+", STAR, ["noise", "gauss", ["val", ["retain", "D_"], ["zero"]], 1]]], "on the data"),
    "noise whose scale is measured": (["proj", ["noise", "gauss", "M", 1]], "is measured"),
    "a run of another kind": (["average", ["adam", "D_", ["zero"], "s"], 1, "T"], "own problem"),
    "a multiple of a release that is anywhere": (["v*", "s", NOISY], "lie in the ball"),
    "weights that a parameter may make negative": (["average", RUN, ["+", 1, "s"], "T"], "not be positive"),
}  # fmt: skip


@pytest.mark.parametrize("name", PRIVATE)
def test_no_rule(name: str) -> None:
    body, why = PRIVATE[name]
    with pytest.raises(RejectedError, match=why):
        released(body, "unlearner", "T")


def test_rules_of_every_form() -> None:
    for body, T in (
        (["proj", "x"], 0), (["proj", ["e", 1]], 0), (STAR, 0), (["iter", RUN, "T"], "T"),
        (["average", RUN, ["+", 1, "k_"], "T"], "T"), (["proj", ["v+", ["iter", RUN, "T"], ["e", 1]]], "T"),
    ):  # fmt: skip
        assert released(body, "algorithm", T).expr == less(
            ["worst", ["rule", body], T], ["least", "algorithm", *NAMED, T]
        )
    # Another noise beside it, and a vector that everyone knows, do no harm to a rule that is private.
    for more in (OTHER_NOISE, ["e", 1]):
        assert released(["proj", ["v+", NOISY, more]], "unlearner").rel == ">="
    weights = [[">=", "r"], [">=", less(1, "r")]]
    assert released(["v*", "s", STAR]).hyps == [*weights, [">=", 0], [">=", "s"], [">=", less(1, "s")]]
    # A vector that everyone knows lies in the ball, or does not: that is to be shown.
    known, R2 = ["v*", "s", ["e", 1]], ["*", "1/4", ["^", "L", 2], ["^", "mu", -2]]
    assert released(known).hyps == [*weights, [">=", 0], [">=", less(R2, ["in", known, known])]]


def test_a_named_unlearner_is_one_where_there_is_a_budget() -> None:
    assert schema("least", "unlearner", "U", "r", "T", "epsilon", "delta").hyps == [
        [">=", "T"], [">=", "epsilon"], [">=", "delta"]
    ]  # fmt: skip
    for sort, name in (("algorithm", "A"), ("learner", "W")):
        assert schema("least", sort, name, "r", "T", "epsilon", "delta").hyps == [[">=", "T"]]


def test_a_learner_is_one_at_every_budget() -> None:
    assert schema("least", "learner", "W", "1/2", 0, 0, 0).rel == ">="
    term = ["time", "learner", "1/2", 0, 0, "e"]
    late = Theorem([[">=", less("e", ["worst", "W", "T"])]], ">=", less("T", "b"))
    found = ruled("reach", [late], of=0, term=term, bound="b", names=["W", "T"])
    assert found.expr == less(term, "b")


# --- the ball, the spread, a start without gradients


def test_what_lies_in_the_ball() -> None:
    assert schema("ball", ["out", "A", "D", "T"]).rel == ">="
    with pytest.raises(RejectedError, match="not known to lie in the ball"):
        schema("ball", ["out", ["rule", ["v*", 2, ["e", 1]]], "D", 0])


def test_the_spread_is_over_members() -> None:
    steep = ["l+", ["quad"], ["l*", "s", ["cone", "x"]]]
    found, proof = schema("spread", "r", "h", steep, "p"), fresh()
    assert found.hyps == [[">=", "r"], [">=", less(1, "r")], *member(proof, steep)]


def test_without_gradients_both_problems_are_in_the_class() -> None:
    found = schema("no gradient", "A", HERE, THERE, "x", ["in", "x", "x"])
    for name in ("m", "f", "n", "g"):
        assert [">=", ["+", 1, name]] in found.hyps


REFUSED = {
    "a number for the vector that is released": (["no gradient", "A", HERE, THERE, "b", "b"], "a vector"),
    "the index in one of two problems": (
        ["no gradient", "A", HERE, ["signs", "k_", "g"], "x", ["in", "x", "x"]], "bound name"),
    "the data of a rule in a hard problem": (
        ["score of a mean", "A", ["signs", ["val", ["retain", "D_"], "y"], "f"], "T", "x", ["in", "x", "x"]],
        "bound name"),
    "the index in a hard problem": (
        ["score of a mean", "A", ["signs", "k_", "f"], "T", "x", ["in", "x", "x"]], "bound name"),
    "noise on a random vector": (["noise", NOISE, "y", "X", "S", "epsilon", "delta", "u", "v"], "two fixed"),
    "a sum for a maximum": (["largest", ["l+", "x", 0, 0], 0, "y"], "not the largest"),
    "a number that is no time": (["natural time", "+", -1], "not a time"),
    "a problem of losses that is no hard one": (
        ["same start", "A", ["problem", "h", "p"], THERE, "T", "S"], "hard family"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_no_schema(name: str) -> None:
    asked, why = REFUSED[name]
    with pytest.raises(RejectedError, match=why):
        schema(*asked)


# --- joins: rules that bound suprema, means and times


def ruled(rule: str, shown: list[Theorem], **line: Any) -> Theorem:
    """What a rule reaches from theorems, through the one door of the checker."""
    proof = fresh()
    proof.reached = dict(enumerate(shown))
    proof.accept({"by": rule, **line}, 9)
    return proof.reached[9]


COINS, LESS = ["coins", "T", "u"], ["coins", "T", "v"]
GAP = less(["P", COINS, "S"], ["P", LESS, "S"])
TIME, LEAST = ["time", "unlearner", *NAMED, "e"], ["least", "unlearner", *NAMED, "T"]
REACHES = [">=", less("e", ["worst", "U", "T"])]
LATE = Theorem([REACHES], ">=", less("T", "b"))
SQUARE, BACK = ["in", "y", "y"], ["in", ["v+", "y", ["e", 1]], ["v+", "y", ["e", 1]]]
OUT, OUT_TOO = ["out", "A", HERE, "T"], ["out", "A", THERE, "T"]
RANDOM = ["in", "X", "X"]


def test_what_bounds_every_event_bounds_total_variation() -> None:
    found = ruled(
        "over", [Theorem([], ">=", less("b", GAP))], of=0, term=["tv", COINS, LESS], bound="b", names=["S"]
    )
    assert found == Theorem([], ">=", less("b", ["tv", COINS, LESS]))
    for term, names, why in (
        (["tv", COINS, LESS], ["x"], "not an event"),
        (TIME, ["U"], "of that sort"),
    ):
        with pytest.raises(RejectedError, match=why):
            schemas.bounded_by(fresh(), term, names)


def test_the_rule_of_a_worst_risk_is_not_chosen_for_each_problem() -> None:
    knows = ["rule", ["opt", ["retain", "D"]]]  # on D itself its risk is 0
    perfect = Theorem([], ">=", less("b", schemas.risk(knows, "D", 0)))
    with pytest.raises(RejectedError, match="not arbitrary"):
        ruled("over", [perfect], of=0, term=["worst", knows, 0], bound="b", names=["D"])


def reached(shown: Theorem = LATE, **more: Any) -> Theorem:
    return ruled("reach", [shown], **{"of": 0, "term": TIME, "bound": "b", "names": ["U", "T"], **more})


def test_a_bound_on_a_time() -> None:
    assert reached().rel == ">="
    for shown, more, why in (
        (LATE, {"term": ["least", *TIME[1:]]}, "of that sort"),
        (Theorem([[">", REACHES[1]]], ">=", less("T", "b")), {}, "not arbitrary"),
        (Theorem([[">=", less("e", ["worst", "U", "k_"])]], ">=", less("k_", "b")), {"names": ["U", "k_"]},
         "number of gradients"),
        (Theorem([REACHES], ">=", less("T", "M")), {"bound": "M"}, "measured letter"),
        (Theorem([[">=", less(["worst", "U", 0], ["worst", "U", "T"])]], ">=", less("T", "b")),
         {"term": [*TIME[:5], ["worst", "U", 0]]}, "not arbitrary"),
    ):  # fmt: skip
        with pytest.raises(RejectedError, match=why):
            reached(shown, **more)


def coupled(f: Any = SQUARE, g: Any = BACK, c: Any = "1/2", hyps: Any = (), **more: Any) -> Theorem:
    """Le Cam's line, where f, g >= 0 and f + g >= c are shown."""
    shown = [Theorem([], ">=", less(["+", f, g], c)), Theorem([*hyps], ">=", f), Theorem([], ">=", g)]
    line = {"of": [0, 1, 2], "point": "y", "numbers": [f, g], "bound": c, "laws": [OUT, OUT_TOO], **more}
    return ruled("couple", shown, **line)


def test_le_cam_asks_of_both_numbers() -> None:
    assert coupled().rel == ">="
    for found, why in (
        ({"f": ["*", "M", SQUARE]}, "^a measured letter"),
        ({"g": ["*", "M", BACK]}, "^a measured letter"),
        ({"g": ["*", ["E", RANDOM], BACK]}, "a mean inside"),
        ({"g": ["*", RANDOM, BACK]}, "random"),
        ({"c": RANDOM}, "random"),
        ({"hyps": [[">=", RANDOM]]}, "random"),
    ):
        with pytest.raises(RejectedError, match=why):
            coupled(**found)
    # Neither number is shown to be at least 0; three laws.
    for more in ({"of": [0]}, {"laws": [OUT, OUT_TOO, OUT]}):
        with pytest.raises(ValueError, match="zip"):
            coupled(**more)


def test_an_event_bounds_a_number_by_layers() -> None:
    events = ["+", "b", ["*", -1, ["P", OUT, "S"]]]
    shown = [Theorem([], ">=", e) for e in (events, SQUARE, less("c", SQUARE))]
    line = {"event": "S", "point": "y", "number": SQUARE, "bound": "c", "free": "b", "laws": [[-1, OUT]]}
    assert ruled("layers", shown, of=[0, 1, 2], **line).rel == ">="
    with pytest.raises(ValueError, match="zip"):
        ruled("layers", shown, of=[0], **line)


def test_jensen_has_no_end_that_moves() -> None:
    weight = Theorem([], ">=", ["^", "s", 2])
    line: dict[str, Any] = {
        "of": 0,
        "loss": "h",
        "average": ["average", ["sgd", "D", "x", "s"], ["^", "s", 2], "T"],
    }
    assert ruled("average", [weight], **line).rel == ">="
    with pytest.raises(RejectedError, match="the index is bound"):
        ruled("average", [weight], **{**line, "average": [*line["average"][:3], "k_"]})


ALONG = ["in", "u_", "y"]


def test_a_mean_over_directions() -> None:
    assert fresh().put(["spun", ALONG], {"u_": "x"}) == ["spun", ALONG]
    assert not objects.mentions(frozenset(fresh().read(["spun", ["^", ALONG, 2]]).items()), "u_")
    for rel in ("=", ">="):
        found = ruled("spin", [Theorem([[rel, "b"]], rel, ["*", "b", ALONG])], of=0)
        assert (found.hyps[0], found.rel) == ([rel, "b"], rel)
    for hyps, expr in (([], ["*", "M", ALONG]), ([[">=", "M"]], ALONG)):
        with pytest.raises(RejectedError, match="a measured letter"):
            ruled("spin", [Theorem(hyps, ">=", expr)], of=0)
    assert instance(Theorem([], ">=", ["spun", ["*", "b", ALONG]]), b=1, y="x").expr == [
        "spun", ["*", 1, ["in", "u_", "x"]]
    ]  # fmt: skip


def test_no_mean_where_one_of_the_hypotheses_is_measured_or_random() -> None:
    for about in ("M", RANDOM):
        with pytest.raises(RejectedError, match=r"random|measured|outcome|chance"):
            ruled("expect", [Theorem([[">=", about], [">=", "b"]], ">=", RANDOM)], of=0)


def test_unit_vectors_in_a_hypothesis_ask_for_dimensions() -> None:
    shown = [Theorem([[">=", ["in", ["e", 3], "x"]]], ">=", "u"), Theorem([], ">=", ["*", -1, "u"])]
    assert [">=", less("d", 3)] in ruled("squeeze", shown, of=[0, 1]).hyps
    length = ["in", ["e", 3], ["e", 3]]
    assert ruled("combine", [], terms=[], says=["=", less(length, 1)]).hyps == [[">=", less("d", 3)]]


def test_what_is_squeezed_keeps_both_hypotheses() -> None:
    shown = [Theorem([[">=", "b"]], ">=", "u"), Theorem([[">", "c"]], ">=", ["*", -1, "u"])]
    assert ruled("squeeze", shown, of=[0, 1]) == Theorem([[">=", "b"], [">", "c"]], "=", "u")


def test_every_rule_has_its_name() -> None:
    for rule in ("has_objects", "slope", "claim", "", "accept"):
        with pytest.raises(RejectedError, match="unknown rule"):
            ruled(rule, [])
    proof = fresh()
    proof.reached[0] = Theorem([], ">=", ["in", ["v+", "x", ["v*", -1, "u_"]], "u_"])
    proof.accept({"by": "spin", "of": 0}, 1)
    assert proof.reached[1].expr[0] == "spun"


# --- inductions


def inducted(index: str, base: Theorem, step: Theorem, shows: Any, **more: Any) -> Theorem:
    return ruled("induction", [base, step], of=[0, 1], index=index, shows=shows, **more)


def test_the_dimension_of_a_class_is_no_index() -> None:
    about_it = [">=", ["in", "x", "x"]]
    step = Theorem([[">=", "d"]], ">=", ["+", "d", 1])
    assert inducted("d", Theorem([], ">=", 0), step, [">=", "d"]).expr == "d"
    for base, then in (
        (Theorem([about_it], ">=", 0), step),
        (Theorem([], ">=", 0), Theorem([about_it, [">=", "d"]], ">=", ["+", "d", 1])),
    ):
        with pytest.raises(RejectedError, match="belong to its objects"):
            inducted("d", base, then, [">=", "d"])


def test_an_induction_to_an_end_begins_at_0() -> None:
    below = [">=", less("K", ["+", "k", 1])]
    step = Theorem([below, [">=", less("k", 0)]], ">=", less("K", ["+", "k", 1]))
    found = inducted("k", Theorem([[">=", "K"]], ">=", "K"), step, [">=", less("K", "k")], last="K")
    assert found.hyps == [[">=", "K"], [">=", less("k", 0)], [">=", less("K", "k")]]


# --- other values of letters


def instance(said: Theorem, **values: Any) -> Theorem:
    return ruled("instance", [said], of=0, **{"with": values})


def test_budgets_belong_to_algorithms_and_parameters_to_objects() -> None:
    about_one = Theorem([[">=", "b"]], ">=", less(["worst", "U", 0], "b"))
    for name in NAMED:
        with pytest.raises(RejectedError, match="belong to the algorithms"):
            instance(about_one, **{name: "1/2"})
        assert instance(Theorem([], ">=", name), **{name: 1}).expr == 1
    assert instance(about_one, b=1).hyps == [[">=", 1]]
    for name in ("L", "mu", "d"):
        with pytest.raises(RejectedError, match="belong to its objects"):
            instance(Theorem([], ">=", ["in", "x", "y"]), **{name: 1})
    proof = fresh()
    assert proof.depends("x", "mu")
    assert not proof.depends("x", "r")
    assert proof.depends("U", "epsilon")
    assert not proof.depends("b", "epsilon")
    assert not proof.depends("x", "epsilon")


def test_what_is_fixed_is_not_set_at_random() -> None:
    drawn = ["draw", ["sgd", "D", "x", "s"], "T"]
    for said, values in (
        (["E", ["val", "h", "x"]], {"h": drawn}),
        (["E", ["val", ["retain", "D"], "x"]], {"D": ["problem", drawn, "p"]}),
        (["*", "b", ["E", RANDOM]], {"b": RANDOM}),
    ):
        with pytest.raises(RejectedError, match="set at random"):
            instance(Theorem([], ">=", said), **values)
    assert instance(Theorem([], ">=", ["P", "x", "S"]), S="Z").expr == ["P", "x", "Z"]
    assert instance(Theorem([], ">=", ["worst", "A", 0]), A="U").expr == ["worst", "U", 0]
    with pytest.raises(RejectedError, match="data of a rule are bound"):
        instance(Theorem([], ">=", "s"), s=["val", ["retain", "D_"], ["zero"]])


# --- normal forms: what differs in one part is another number

LAST = [*LEAST[:5], 0]
APART = [
    (["worst", ["rule", ["zero"]], 0], ["worst", ["rule", ["proj", "x"]], 0]),
    (LAST, [*LAST[:3], "b", *LAST[4:]]), (LAST, [*LAST[:4], "b", 0]), (LAST, [*LAST[:2], "b", *LAST[3:]]),
    (["P", COINS, "S"], ["P", LESS, "S"]), (["spread", "r"], ["spread", "b"]),
    *[(["P", ["out", "A", ["rarely", "b", "h", "D", "p"], 0], "S"],
       ["P", ["out", "A", ["rarely", *other], 0], "S"])
      for other in (["c", "h", "D", "p"], ["b", "q", "D", "p"], ["b", "h", HERE, "p"], ["b", "h", "D", "q"])],
    (["P", ["out", "A", "D", 0], "S"], ["P", ["out", "A", "D_", 0], "S"]),
    (["P", COINS, ["count", 1]], ["P", COINS, ["count", 2]]), (["P", COINS, ["count", 1]], ["P", COINS, "S"]),
    *[(["P", ["out", "A", ["turns", "b", "c", "m", "f"], 0], "S"], ["P", ["out", "A", other, 0], "S"])
      for other in (["turns", "c", "c", "m", "f"], ["turns", "b", "b", "m", "f"],
                    ["turns", "b", "c", "c", "f"], ["turns", "b", "c", "m", "c"], ["signs", "b", "f"])],
    (["spun", ["in", "u_", "x"]], ["spun", ["in", "u_", "y"]]),
    (["inside", "b", ["in", "b_", "x"]], ["inside", "b", ["in", "b_", "y"]]),
    (["inside", "b", ["in", "b_", "x"]], ["inside", "c", ["in", "b_", "x"]]),
    (["cubed", ["in", "w_", "x"]], ["cubed", ["in", "w_", "y"]]),
    (["cubed", ["^", "s_", 2]], ["cubed", ["^", "s_", 4]]),
    (["info", "b", "c", "w_", "T"], ["info", "c", "c", "w_", "T"]),
    (["info", "b", "c", "w_", "T"], ["info", "b", "b", "w_", "T"]),
    (["info", "b", "c", "w_", "T"], ["info", "b", "c", "w_", 0]),
    (["info", "b", "c", "w_", "T"], ["info", "b", "c", ["set", "w_", "T", 0], "T"]),
    (["ceil", "b"], "b"), (["val", ["max", "x", 0, 0], "y"], ["val", ["max", "y", 0, 0], "y"]),
    (["in", ["cut", "b", "x"], "y"], ["in", ["cut", "c", "x"], "y"]),
    (["in", ["cut", "b", "x"], "y"], ["in", ["cut", "b", "y"], "y"]),
    *[(["E", ["in", ["stair", "b", "c", "m", 1], "y"]], ["E", ["in", ["stair", *other], "y"]])
      for other in (["c", "c", "m", 1], ["b", "b", "m", 1], ["b", "c", "c", 1], ["b", "c", "m", 2])],
    (["E", ["in", ["common", "x", "X"], "y"]], ["E", ["in", ["common", "y", "X"], "y"]]),
    (["E", ["in", ["common", "X", "X"], "y"]], ["E", ["in", "X", "y"]]),
    *[(["shells", "b", "c", 1], ["shells", *other])
      for other in (["c", "c", 1], ["b", "b", 1], ["b", "c", 2])],
]  # fmt: skip


# Whatever is spelled with one of these speaks of objects.
HEADS = [
    "in", "val", "E", "dE", "sum", "spun", "cubed", "inside", "cap", "info", "worst", "least", "spread",
    "time", "P", "dP", "tv",
    "zero", "e", "v+", "v*", "opt", "proj", "grad", "iter", "average", "out", "noise", "axis", "cut",
    "stair", "common", "shells", "ones", "box", "set",
    "retain", "forget", "mix", "quad", "lin", "cone", "max", "l+", "l*", "draw", "problem", "signs",
    "turns", "tosses", "rarely", "sgd", "rule", "coins", "not", "count",
]  # fmt: skip


def test_what_speaks_of_objects() -> None:
    proof = fresh()
    for head in HEADS:
        assert proof.has_objects(["+", 1, [head]]), head
    assert not proof.has_objects(["+", 1, ["exp", "b"]])
    assert not objects.mentions(("in", "x"), "y")


def test_a_problem_is_more_than_its_losses() -> None:
    """What is drawn differs: coins, rare losses, or anything with that mean."""
    proof = fresh()
    for D in (["tosses", "x", "y"], ["rarely", "b", "h", "D", "p"], ["turns", "b", "c", "m", "f"], HERE):
        losses = ["problem", ["retain", D], ["forget", D]]
        assert proof.read(["val", ["retain", losses], "y"]) == proof.read(["val", ["retain", D], "y"])
        assert proof.read(["P", ["out", "A", D, 0], "S"]) != proof.read(["P", ["out", "A", losses, 0], "S"])
    nothing = ["problem", ["l+"], ["l+"]], ["tosses", ["zero"], ["zero"]]
    one, other = (proof.read(["P", ["out", "A", D, 0], "S"]) for D in nothing)
    assert one != other
    turn = ["*", "1/2", "L", less("m", "n")]
    later = [["v*", turn, ["e", 1]], ["*", "-1/2", "L", ["^", "mu", -1], "b", turn], 0]
    beyond = ["max", ["zero"], 0, 0, *later]
    plain, turned = ["signs", "m", "f"], ["turns", "m", "n", "b", "f"]
    assert proof.read(["val", ["retain", turned], "x"]) == proof.read(
        ["+", ["val", ["retain", plain], "x"], ["val", beyond, "x"]]
    )
    assert proof.read(["val", ["forget", turned], "x"]) == proof.read(["val", ["forget", plain], "x"])
    tilt = ["lin", ["v*", ["*", "1/2", "L", "m"], ["e", 1]]]
    assert proof.read(["val", ["retain", HERE], "x"]) == proof.read(
        ["val", ["l+", ["quad"], ["l*", -1, tilt]], "x"]
    )


def test_what_differs_in_one_part() -> None:
    proof = fresh()
    for one, other in APART:
        assert proof.read(one) != proof.read(other)
    falls = proof.read(["dP", COINS, ["not", "S"]])
    assert falls == proof.read(["dP", COINS, "S"]) * MINUS
    assert proof.read(["*", ["exp", "b"], ["exp", ["*", -1, "b"]]]) == proof.read(1)
    assert proof.leaf({"equal": ["spread", "r", "b"]}).expr == less(["spread", "r"], ["spread", "b"])
    with pytest.raises(ValueError, match="zip"):
        proof.read(["val", ["max", "x", 0, 0, "y", 1], "y"])
    # A time is a whole number; the target of one need not be.
    assert proof.whole(TIME)
    assert not proof.whole(["worst", "U", 0])


def test_names_are_free_outside_of_what_binds_them() -> None:
    for node, name, found in (
        (["sum", "b", "k_"], "k_", True), (["sum", "k_", "T"], "k_", False), (["sum", "b", "T"], "b", True),
        (["@", "M", {"b": "k_"}], "k_", True), (["@", "M", {"b": "k_", "c": 1}], "k_", True),
        (["in", ["e", 1], "x"], "e", False),
    ):  # fmt: skip
        assert objects.free(node, name) is found, node


def test_the_slope_of_a_probability_by_the_chain_rule() -> None:
    proof = fresh()
    found = proof.slope(["P", ["coins", "T", ["^", "u", 2]], "S"], "u", [])
    meant = ["*", 2, "u", ["dP", ["coins", "T", ["^", "u", 2]], "S"]]
    assert proof.read(found) == proof.read(meant)


def test_means_chances_and_worst_risks_are_not_random() -> None:
    proof = fresh()
    mean = ["in", OUT, ["e", 1]]
    noisy = ["worst", ["rule", ["proj", ["noise", "gauss", 1, 1]]], 0]
    for node in (["E", mean], ["dE", mean], ["P", "X", "S"], ["tv", "X", "x"], noisy):
        assert not objects.random_number(proof, node), node
        assert proof.read(["E", ["*", node, RANDOM]]) == proof.read(["*", node, ["E", RANDOM]])
    assert not proof.read(["dE", "b"])
    assert proof.read(["dE", mean]) not in (proof.read(0), proof.read(1))
    assert proof.read(["dE", ["*", "b", mean]]) == proof.read(["*", "b", ["dE", mean]])


NO_NUMBERS = {
    "a mean of a measured letter": (["E", "M"], "measured letter"),
    "a mean over a cap with no name": (["cap", "T", "b", -1], "over a cap"),
    "one that is named True": (["cap", "T", "b", True], "over a cap"),
    "what is released on a loss": (["P", ["out", "A", "h", 0], "S"], "no problem"),
    "its slope": (["dE", "M"], "measured letter"),
    "the slope of the law of a vector": (["dP", "X", "S"], "parameter|subscriptable"),
    "the worst risk of a loss": (["worst", "h", 0], "no algorithm"),
    "the worst risk of points": (["least", "point", *NAMED, 0], "unknown sort"),
    "the least risk after b gradients": ([*LEAST[:5], "b"], "no integer"),
    "another head for a rule": (["in", ["out", ["unlearner", ["zero"]], "D", 0], "x"], "unknown algorithm"),
    "a rule that releases two points": (["worst", ["rule", ["zero"], "x"], 0], "unknown algorithm"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_no_number(name: str) -> None:
    node, why = NO_NUMBERS[name]
    with pytest.raises((RejectedError, TypeError), match=why):
        fresh().read(node)


def test_words_of_terms_are_no_letters() -> None:
    for name, kind in (("D_", ["is", "D"]), ("k_", R), ("u_", ["point"])):
        with pytest.raises(RejectedError, match="reserved name"):
            fresh(**{name: kind})
    with pytest.raises(RejectedError, match="a direction"):
        fresh(z=["direction"])
    for word in ("point", "gauss", "radial"):
        with pytest.raises(RejectedError, match="reserved word"):
            fresh(**{word: R})
    assert fresh().read(["in", NOISE, "x"])


# --- classes of losses

KIND = ["class", "neighbours", "0" * 64]
TERMS = {"size": ("measure", "number"), "late": ("measure", "time"), "blur": ("drawn", "number")}


@pytest.fixture
def own() -> Iterator[Proof]:
    """A proof about a class with a number of its own, called `size`, and nothing else."""
    made = classes.Class(KIND[1], frozenset({"mu"}), TERMS, {}, lambda proof, f: [])
    classes.CLASSES[KIND[2]] = made
    yield fresh(class_x=KIND, size=N)
    del classes.CLASSES[KIND[2]]


def test_numbers_of_a_class(own: Proof) -> None:
    assert known(KIND)
    size = ["size", "b"]
    assert own.read(size) != own.read(["size", "c"])
    assert own.has_objects(size)
    assert not own.whole(size)  # whatever the letter `size` may be
    assert "size" in own.theory.laws()
    with pytest.raises(RejectedError, match="no integer"):
        own.read(["late", "b"])
    with pytest.raises(ValueError, match="zip"):
        own.read(["size"])
    assert objects.random_number(own, ["in", ["blur", "b"], "x"])
    with pytest.raises(RejectedError, match="two classes"):
        fresh(class_x=KIND, class_y=[*KIND[:2], "1" * 64])
    assert problem_members(own, ["problem", "h", "p"]) == []
    with pytest.raises(RejectedError, match="another class"):
        problem_members(own, HERE)


def test_every_class_has_the_core(own: Proof) -> None:
    for asked in (
        ["Cauchy-Schwarz", "x", "y"], ["line", "x", "y"], ["centred", NOISE, "x"], ["moment", NOISE],
        ["empty sum", "k_"], ["sum step", "k_", "T"], ["exp of log", "b"],
    ):  # fmt: skip
        assert schemas.instance(own, *asked).rel in ("=", ">=")
    for rule in ("average", "over", "reach", "couple", "layers", "tell", "spin", "fill", "sweep"):
        with pytest.raises(RejectedError, match="unknown rule"):
            own.accept({"by": rule}, 0)


# --- models and instances


def test_a_lemma_in_a_model(own: Proof) -> None:
    steep = ["l+", ["quad"], ["l*", "s", ["cone", "x"]]]
    lemma = {"letters": {"h": ["loss"]}, "given": [[">", "s", "given"]], "says": [">=", ["val", "h", "x"]]}
    proof = fresh(h=["is", steep])
    found = modelled(proof, lemma)
    assert found.hyps == [*member(proof, steep), [">", "s"]]
    with pytest.raises(RejectedError, match="another class"):
        modelled(own, lemma)
    with pytest.raises(RejectedError, match="another letter"):
        modelled(proof, {**lemma, "letters": {"T": R}})
    told = {**lemma, "given": [[">", "s", "given"], [">", "T", "meaning"]]}
    assert modelled(proof, told).hyps == [*member(proof, steep), [">", "s"], [">", "T"]]


def test_a_lemma_about_every_number_is_none_about_what_a_sum_binds() -> None:
    """y + y = 2 y for every number y; the sum of k_ over 0 and 1 is 1, and not twice an index."""
    lemma = {"letters": {"c": R}, "given": [], "says": ["=", less(["sum", "c", 1], ["*", 2, "c"])]}
    with pytest.raises(RejectedError, match="a bound name in c"):
        modelled(fresh(c=["is", "k_"]), lemma)
    # The name itself is what the lemma is about.
    about = {"letters": {"u_": ["direction"], "s": R}, "given": [], "says": [">=", ["*", "s", "s"]]}
    assert modelled(fresh(), about).hyps == []


def test_an_explicit_rule_pays_for_its_gradients_wherever_it_is_spoken_of() -> None:
    """One gradient is taken: at none and at T gradients, in what is given and in what is said."""
    rule = ["rule", ["iter", RUN, 1]]

    def asked(given: Any, says: Any) -> list[Any]:
        lemma = {
            "letters": {"A": ["algorithm"]},
            "given": [[">=", less("e", ["worst", "A", given]), "given"]],
            "says": [">=", less("e", ["worst", "A", says])],
        }
        return modelled(fresh(A=["is", rule]), lemma).hyps

    for found in (asked("T", 7), asked(7, "T")):
        assert [">=", less("T", 1)] in found
        assert [">=", less(7, 1)] in found


@pytest.mark.parametrize(("name", "kind"), [("L", N), ("L", [False, True]), ("r", N), ("d", R)])
def test_the_parameters_of_objects_are_of_their_own_kind(name: str, kind: Any) -> None:
    assert fresh().arbitrary()
    assert not fresh(**{name: kind}).arbitrary()


def test_a_measured_letter_may_be_an_integer() -> None:
    proof = fresh(i=[True, True])
    assert all(map(proof.measured, "Mi"))
    assert not any(map(proof.measured, ("b", "T", "x", ["+", "M", 1])))


def test_a_relation_is_one_of_three() -> None:
    line = {"by": "combine", "terms": [], "says": ["=", less(["^", ["^", "b", "1/2"], 2], "b")]}
    fresh().accept({**line, "using": [[">=", "b"]]}, 0)
    with pytest.raises(RejectedError, match="odd relation"):
        fresh().accept({**line, "using": [["<=", "b"]]}, 0)


def test_a_model_cites_its_own_lemmas() -> None:
    lemma = {"letters": {}, "given": [], "says": [">=", 1]}
    statement = {"letters": {"x": ["point"]}, "given": [], "says": [">", ["in", "x", "x"]]}
    takes = {**NOTHING, "letters": {"x": ["is", ["zero"]]}}
    certificate = {
        "kind": "witness", "statement": statement, "takes": takes, "lemmas": {"le": digest(lemma)},
        "hash": digest({"statement": statement, "takes": takes}),
        "lines": [{"by": "combine", "terms": [], "says": [">=", ["*", -1, ["in", "x", "x"]]]}],
        "witness": {"values": {"x": ["zero"]}, "shown": [0]},
    }  # fmt: skip
    accept_certificate(certificate, {"le": lemma}, {})
    with pytest.raises(RejectedError, match="stale"):
        accept_certificate(certificate, {"le": {**lemma, "says": [">=", 2]}}, {})


def test_what_is_given_of_objects_is_shown_in_a_model() -> None:
    square = ["in", ["e", 1], ["e", 1]]
    shown = {"values": {"x": -1}, "shown": [0, 1]}
    lines = [leaf(square=["e", 1]), positive(1, box={}, bits=16)]
    with pytest.raises(RejectedError, match="shown in a model"):
        lined([">", "x"], *lines, given=[[">=", square, "given"]], letters={"x": R}, kind="witness",
              witness=shown)  # fmt: skip


# --- what statements become


def test_the_index_has_no_domain_and_names_of_objects_are_not_measured() -> None:
    natural = [0, False, None, False, True, False]
    assert domain_relations({"k_": natural}) == []
    assert len(domain_relations({"k": natural})) == 1
    try:
        assert not symbols.declared(symbols.declare_kind("x_neighbours", ["point"])).measured
    finally:
        symbols._declared.pop("x_neighbours", None)
