"""Each condition of the calculator's decisions: drop it, and something false is certified.

The mutants of tests/mutants/ drop them one by one; a mutant that certifies one of these dies here. In small
records x and n are parameters, y and z are measured: of these only an upper bound is known.
"""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from oubli.theory.kernel.objects import HIDDEN
from oubli.theory.regimes import Notion, classify, enclosed
from oubli.theory.regimes import accepted as shipped
from oubli.theory.regimes.basis import At
from oubli.theory.regimes.decide import Known, _at_least, at_most, ends, fails, holds, settle
from oubli.theory.regimes.enclosed import UncertifiedError, _is_implied, _reached, decide, unconfirmed
from oubli.theory.regimes.query import QueryError, query
from oubli.theory.regimes.record import Domain, UndecidedError, letters, power, record, split
from oubli.theory.regimes.row import implied, question
from oubli.theory.regimes.safe import ceil_quotient

X, N = [0, False, 1000, False, False, False], [None, False, None, False, True, False]
Y = Z = [0, False, None, False, False, True]
ROW = {"rf": 0.01, "eps": 1.0, "delta": 1e-5, "dim": 10, "target": 0.3}


def outline(*given, says=(">=", "y"), **domains):
    """A record with these facts and this conclusion."""
    quantities = {"x": X, "n": N, "y": Y, "z": Z} | domains
    return record({"quantities": quantities, "given": [list(fact) for fact in given], "says": list(says)})


def known(most=(), box=None, **domains):
    """Letters at 1, some of them only bounded by it."""
    return Known(outline(**domains), {name: (Fraction(1),) * 2 for name in "xnyz"} | (box or {}), set(most))


def plus(*terms):
    return ("+", *terms)


def times(*factors):
    return ("*", *factors)


SPLIT = {
    "the atom": ("x", (1, 0)),
    "no atom": (times("y", 2), (0, times("y", 2))),
    "a number": (3, (0, 3)),
    "a sum": (plus("x", "z"), (1, plus(0, "z"))),
    "a sum of two": (plus("x", times(3, "x"), 7), (plus(1, times(1, 3)), plus(0, 0, 7))),
    "a product": (times("y", "x", 2), (times(1, "y", 2), 0)),
    "a product with a sum": (
        times("y", plus("x", 5)),
        (times(1, "y"), times(plus(0, 5), "y")),
    ),
}


@pytest.mark.parametrize("name", SPLIT)
def test_an_expression_is_split(name):
    node, (a, b) = SPLIT[name]
    assert split(node, "x") == (a, b)


@pytest.mark.parametrize("node", [("^", "x", 2), times("x", "x"), times("y", ("exp", "x")), ("exp", "x")])
def test_what_is_not_affine_is_not_split(node):
    with pytest.raises(UndecidedError, match="not affine"):
        split(node, "x")


def test_a_square_is_an_atom():
    square = ("^", "x", 2)
    assert split(plus(square, "y"), square) == (1, plus(0, "y"))
    assert split(times(3, square), square) == (times(1, 3), 0)
    assert (power("x", "x"), power(times("y", square), "x")) == ("x", square)
    # x + x^2 is affine in neither: taken as x^2 alone, x would stay inside the rest.
    for node in (plus("x", square), ("^", "x", 3), ("exp", "x")):
        with pytest.raises(UndecidedError):
            power(node, "x")


def test_letters_are_names_and_no_numbers():
    assert letters(plus("x", times("1/2", "y"), ("^", "z", 2), 7, ("pi",))) == {"x", "y", "z"}
    assert (letters("x"), letters("-3/4"), letters(5)) == ({"x"}, frozenset(), frozenset())


def test_hidden_letters_are_no_parameters():
    hidden = next(iter(HIDDEN))
    assert outline(**{hidden: X}).domains.keys() == set("xnyz")


LARGEST = {"grows": plus("y", 2), "stays": plus(times(0, "y"), 2), "is not there": plus("x", 2)}
SMALLEST = {"falls": times(-1, "y"), "stays": plus(times(0, "y"), 2), "is not there": plus("x", 2)}


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_value(name):
    at = known("y")
    assert at.largest(LARGEST[name]) == at.ball(LARGEST[name])
    with pytest.raises(UndecidedError, match="only bounded from above"):
        at.largest(times("-1/2", "y"))


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_value(name):
    at = known("y")
    assert at.smallest(SMALLEST[name]) == at.ball(SMALLEST[name])
    with pytest.raises(UndecidedError, match="only bounded from above"):
        at.smallest(times("1/2", "y"))


def test_a_coefficient_that_is_only_bounded_decides_nothing():
    assert known("z").fixed("x") == 1
    with pytest.raises(UndecidedError, match="only bounded"):
        known("z").fixed(times(2, "z"))
    with pytest.raises(UndecidedError, match="only bounded"):
        known("yz").largest(times("y", "z"))


@pytest.mark.parametrize("lower", [None, -1])
def test_a_square_does_not_grow_with_what_may_be_negative(lower):
    """y at most 1 says nothing of y^2 if y may be -5."""
    with pytest.raises(UndecidedError, match="may be negative"):
        known("y", y=[lower, False, None, False, False, True]).largest(("^", "y", 2))
    assert known("y").largest(("^", "y", 2)) == 1
    # The letter itself may well be negative.
    assert known("y", y=[lower, False, None, False, False, True]).largest("y") == 1


def test_relations_at_equality():
    at = known()
    zero, half = plus("x", -1), times("1/2", "x")
    assert holds(at, (">=", zero))
    assert holds(at, ("=", zero))
    assert not holds(at, (">", zero))
    assert not fails(at, (">=", zero))
    assert fails(at, (">", zero))
    assert not fails(at, (">", half))
    assert fails(at, (">=", plus("x", -2)))


def test_the_ends_of_a_ball_enclose_it():
    low, high = ends(arb(1) / 3)
    assert low < Fraction(1, 3) < high
    assert high - low < Fraction(1, 2**40)
    with pytest.raises(UndecidedError):
        ends(arb(1) / 0)


def test_a_parameter_that_must_be_large_enough():
    free, natural = Domain(None, False, None, False, False, False), Domain(0, True, None, False, True, False)
    assert -2 < _at_least(Fraction(-2), free) < -2 + Fraction(1, 2**40)
    assert 2**30 < _at_least(Fraction(2**100), free) - 2**100 < 2**40
    assert _at_least(Fraction(0), Domain(1, False, None, False, False, False)) == 1
    assert 0 < _at_least(Fraction(0), Domain(0, True, None, False, False, False)) < Fraction(1, 2**100)
    assert (_at_least(Fraction(5, 2), natural), _at_least(Fraction(0), natural)) == (3, 1)


POINT = {"x": 1, "n": 1}
TIED = {
    # y + z = 3 with z at most 1: y is at least 2, not at most.
    "an equation with the wrong sign": (plus("y", "z", -3), None),
    "an equation with the wrong sign, halved": (plus("y", times("1/2", "z"), -3), None),
    "an equation": (plus("y", times(-1, "z")), (1, True)),
    "the same equation turned": (plus("z", times(-1, "y")), (1, True)),
    "an equation in which z does not count": (plus("y", times(0, "z"), -3), (3, True)),
    "an equation without z": (plus("y", -3), (3, False)),
}


@pytest.mark.parametrize("name", TIED)
def test_what_an_equation_gives(name):
    node, found = TIED[name]
    tied = outline(("=", list_of(node), "definition"))
    if found is None:
        with pytest.raises(UndecidedError, match="wrong sign"):
            settle(tied, {**POINT, "z": 1})
        return
    at = settle(tied, {**POINT, "z": 1})
    assert (at.box["y"][0], "y" in at.most) == found


def list_of(node):
    return [list_of(part) for part in node] if isinstance(node, tuple) else node


UNDECIDED = {
    "a hypothesis that bounds n from above says not how large it is": (
        (">=", plus(3, times(-1, "n")), "given"), {"x": 1}, "nothing says how large n is"),
    "n = 4 is enough for n + z >= 5 only if z is 1": (
        (">=", plus("n", "z", -5), "given"), {"x": 1, "z": 1}, "only bounded from above"),
    "two letters are open": (
        (">=", plus("y", "z"), "given"), POINT, "not certain"),
    "a relation between parameters fails": (
        (">=", plus("x", -5), "definition"), POINT, "not certain"),
    "a hypothesis fails": (
        (">=", plus("x", -5), "given"), POINT, "not certain"),
    "a parameter above its domain": (
        (">=", "x", "given"), {"x": 1001, "n": 1}, "outside its domain"),
    "a parameter below its domain": (
        (">=", plus("x", 5), "given"), {"x": -1, "n": 1}, "outside its domain"),
    "an integer that is a half": (
        (">=", "x", "given"), {"x": 1, "n": Fraction(1, 2)}, "outside its domain"),
    "an integer that is between 3 and 3.5": (
        (">=", "x", "given"), {"x": 1, "n": (Fraction(3), Fraction(7, 2))}, "outside its domain"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_is_not_certain_is_refused(name):
    (sign, node, why), values, says = UNDECIDED[name]
    with pytest.raises(UndecidedError, match=says):
        settle(outline((sign, list_of(node), why)), values)


def test_a_hypothesis_gives_what_is_large_enough():
    at = settle(outline((">=", list_of(plus("n", times(-2, "x"))), "given")), {"x": Fraction(5, 4)})
    assert at.box["n"] == (3, 3)
    assert settle(outline(), {"x": 1000, "n": -7}).box["n"] == (-7, -7)


def test_a_bound_by_another_record_is_only_a_bound():
    at = settle(outline(), POINT, {"y": lambda known: known.ball(plus("x", 1))})
    assert (at.box["y"], at.most) == ((2, 2), {"y"})


@pytest.mark.parametrize("slope", [1, "1/2", 0])
def test_a_conclusion_that_does_not_bound_from_above(slope):
    says = [">=", list_of(plus(times(slope, "y"), -1))]
    with pytest.raises(UndecidedError, match="does not bound y from above"):
        at_most(settle(outline(says=says), POINT), "y")


def test_a_conclusion_that_does():
    assert at_most(settle(outline(says=[">=", list_of(plus(6, times(-2, "y")))]), POINT), "y") == 3
    assert at_most(settle(outline(says=["=", list_of(plus(times(2, "y"), -6))]), POINT), "y") == 3


def test_a_bounded_letter_lowers_no_bound():
    """y <= 3 - z, and z is at most 1: y may be 3, so 2 is no bound on it."""
    falls, stays, rises = (
        settle(outline(says=[">=", list_of(plus(3, times(-1, "y"), times(c, "z")))]), {**POINT, "z": 1})
        for c in (-1, 0, 1)
    )
    with pytest.raises(UndecidedError, match="wrong sign"):
        at_most(falls, "y")
    assert (at_most(stays, "y"), at_most(rises, "y")) == (3, 4)


def test_nothing_is_proposed_where_the_old_optimum_costs_the_whole_target():
    """Weights pay for a distance out of what is left of the target: where nothing is left there are none."""
    row = question(query(**ROW | {"rf": 0.9, "target": 1e-12}), 0)
    assert enclosed._between(At(row, 10)) == []
    assert enclosed._between(At(question(query(**ROW), 0), 10, Fraction(1, 100)))


ENDS = {
    "rf": (0.0, math.nextafter(1, 0)),
    "dim": (1.0, 1e15),
    "eps": (1e-6, 1e4),
    "delta": (1e-300, 0.9),
    "target": (1e-12, 1e100),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_question_is_asked_within_its_ends(name):
    low, high = ENDS[name]
    beyond = (low - 1, high + 1) if name == "dim" else (math.nextafter(low, -1), math.nextafter(high, 2e100))
    for value in (low, high):
        assert query(**ROW | {name: value})
    for value in (*beyond, math.nan, -math.inf):
        with pytest.raises(QueryError, match=f"{name} must be"):
            query(**ROW | {name: value})


def test_other_questions():
    assert query(**ROW | {"eps": math.inf})
    for wrong in ({"dim": 2.5}, {"rf": {}}, {"rf": "x"}):
        with pytest.raises(QueryError):
            query(**ROW | wrong)


def test_a_quotient_near_an_integer_is_rounded_up_exactly():
    exact = [16 / n for n in (1, 2, 3, 7, 32, 49, 320, 1000, 12345)]
    x = np.array([value for at in exact for value in (at, np.nextafter(at, 0), np.nextafter(at, 99))])
    wanted = [math.ceil(Fraction(16) / Fraction(float(value))) for value in x]
    assert ceil_quotient(16, x).tolist() == wanted
    assert wanted[0:3] == [1, 2, 1]


def test_the_budget_of_the_lower_ends_is_the_one_implied():
    for q in (classify(**ROW, notion=notion).query for notion in Notion):
        ask, lower = question(q, 0), implied(q, 0)
        assert _is_implied(q, ask, lower)
        assert not _is_implied(q, ask, dataclasses.replace(lower, eps=lower.eps / 2))
    free = classify(**ROW | {"eps": math.inf}, notion=Notion.REFERENCE).query
    assert _is_implied(free, question(free, 0), implied(free, 0))


def test_a_stricter_budget_than_the_one_implied_is_refused(monkeypatch):
    found = classify(**ROW)
    assert unconfirmed(found, 0) == ()
    strict = dataclasses.replace(implied(found.query, 0), eps=Fraction(1, 2))
    monkeypatch.setattr(enclosed, "implied", lambda *_: strict)
    assert "budget" in unconfirmed(found, 0)


def moved(best, steps):
    return dataclasses.replace(best, steps=np.asarray(steps))


def test_every_row_and_every_end_is_decided():
    found = classify(**ROW | {"target": [0.3, 0.001]})
    assert decide(found) is None
    low, high = found.unlearn
    wrong = dataclasses.replace(found, unlearn=(low, moved(high, high.steps * [1, 0.5])))
    assert decide(wrong, rows=[0]) is None
    with pytest.raises(UncertifiedError, match="row 2: the records do not confirm T_unlearn upper"):
        decide(wrong)
    for name in ("scratch", "unlearn"):
        low, high = getattr(found, name)
        endless = dataclasses.replace(found, **{name: (low, moved(high, high.steps * [1, math.inf]))})
        with pytest.raises(UncertifiedError, match="nothing is certified without"):
            decide(endless)


def test_nothing_is_shown_for_an_end_that_is_infinite():
    found = classify(**ROW)
    assert _reached(moved(found.unlearn[1], [math.inf]), question(found.query, 0), 0)


def test_records_whose_files_changed_are_compared_one_by_one(monkeypatch):
    assert shipped.table()["sources"] == shipped.sources(), "run `make accepted`"
    asked = []
    monkeypatch.setattr(shipped, "_fingerprints", lambda keys: asked.append(keys) or {})
    assert len(shipped.accepted.__wrapped__()) > 30
    assert asked == []
    monkeypatch.setattr(shipped, "sources", lambda: "other files")
    assert shipped.accepted.__wrapped__() == frozenset()
    assert len(asked) == 1
