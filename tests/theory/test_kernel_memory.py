"""What a proof keeps of expressions: the answers are those of the first time, and so is the cost."""

from math import inf

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.objects import mentions
from oubli.theory.kernel.poly import BUDGET, ENDLESS, WORK, Poly
from oubli.theory.search.elaborate.lines import Lines
from oubli.theory.search.elaborate.model import distance

LETTERS = {"a": [False, False], "b": [False, False], "S": [False, True]}
NODE = ["+", "a", ["*", "b", "S", ["^", "a", 2]], ["*", 3, ["^", "a", 2]]]

VALUES = {"a": "b"}


@pytest.fixture
def proof():
    yield Proof({**NOTHING, "letters": LETTERS})
    WORK[:] = [ENDLESS, inf]


def cost(action):
    WORK[:] = [BUDGET, inf]
    action()
    return BUDGET - WORK[0]


@pytest.mark.parametrize(
    "ask",
    [
        lambda proof: proof.put(NODE, VALUES),
        lambda proof: proof.put(NODE, {}),
        lambda proof: proof.depends(NODE, "chance"),
        lambda proof: proof.depends(NODE[2], "b"),
        lambda proof: proof.read(NODE),
    ],
)
def test_to_ask_again_costs_the_same(ask, proof):
    """Otherwise other certificates are accepted than without a memory."""
    once = ask(proof)
    assert cost(lambda: ask(proof)) == cost(lambda: ask(Proof({**NOTHING, "letters": LETTERS}))) >= 1
    assert ask(proof) == once


def test_other_values_give_another_expression(proof):
    assert proof.put(["*", "a", "b"], {"a": 1}) == ["*", 1, "b"]
    node = ["*", "a", "b"]
    for number in range(1000):  # a dictionary that is thrown away may leave its place to the next
        assert proof.put(node, {"a": number}) == ["*", number, "b"]
        assert proof.put(["*", "a", number], {"a": "b"}) == ["*", "b", number]
        assert proof.depends(["*", "a", number], "a")
        assert not proof.depends(["*", "b", number], "a")


def test_a_letter_held_later_no_longer_depends():
    """The search finds out while it writes what has to be constant: what it asked before is asked anew."""
    lines = Lines([])
    lines.declare(
        {"x": [None, False, None, False, False, False], "S": [None, False, None, False, False, True]}
    )
    node = ["*", 2, "S"]
    assert lines.proof.depends(node, "x")
    lines.hold("S", "x")
    assert not lines.proof.depends(node, "x")


def test_a_letter_declared_later_is_one():
    lines, node = Lines([]), ["*", 2, "S"]
    assert not lines.proof.depends(node, "x")
    lines.declare({"S": [None, False, None, False, False, True]})
    assert lines.proof.depends(node, "x")


def test_names_are_found_wherever_they_stand():
    part = ("in", frozenset({("point", "x"), ("grad", ("loss", "f"), frozenset(), None)}))
    assert all(mentions(part, name) for name in ("in", "point", "x", "grad", "f"))
    assert not any(mentions(part, name) for name in ("g", "", "k_"))
    assert mentions(["+", {"t": ["*", 2, "k_"]}, part], "k_")
    assert not mentions(["+", {"k_": 1}, part], "k_")


def test_two_laws_are_tried_in_one_order():
    """A set of them has another order in every process, and the report had another certificate."""
    number = {k: frozenset(Poly.of("name", k, frozenset()).items()) for k in ("T", "u", "v")}
    one, other = (("coins", number["T"], number[k]) for k in ("u", "v"))
    assert distance((one, other)) == distance((other, one))
    assert distance((one, other)) == [["coin distance", "u", "v"], ["coin distance", "v", "u"]]
