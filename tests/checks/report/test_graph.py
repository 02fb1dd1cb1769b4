"""The drawing: every claim once, nothing on top of anything else, every use an edge."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from checks.report.graph import graph
from checks.report.layout import CARD, COLUMNS, family, layout, placed_columns

Make = Callable[..., dict[str, Any]]


def test_every_claim_stands_once_in_the_card_of_its_family(paper: dict[str, Any]) -> None:
    found = layout(paper["claims"])
    assert sorted(found.places) == sorted(c["key"] for c in paper["claims"])
    cards = {card.name: card for card in found.cards}
    for key, place in found.places.items():
        card = cards[family(key)]
        assert card.x + 4 < place.x < card.x + CARD - 4, key
        assert card.y + 4 < place.y < card.y + card.height - 4, key


def test_nothing_overlaps(paper: dict[str, Any]) -> None:
    found = layout(paper["claims"])
    for a, b in combinations(found.places.values(), 2):
        assert abs(a.x - b.x) >= 14 or abs(a.y - b.y) >= 14, (a.key, b.key)
    for one, two in combinations(found.cards, 2):
        apart = one.x != two.x and abs(one.x - two.x) > CARD
        above, below = sorted((one, two), key=lambda card: card.y)
        assert apart or above.y + above.height < below.y, (one.name, two.name)
    assert all(card.x + CARD <= found.width and card.y + card.height <= found.height for card in found.cards)


def test_edges_are_exactly_uses_citations_and_repairs(paper: dict[str, Any]) -> None:
    expected = set()
    for c in paper["claims"]:
        expected |= {(k, c["key"]) for k in [*c["uses"], *c["printed_uses"]]}
        if c["repaired_by"]:
            expected.add((c["key"], c["repaired_by"]))
    found = graph(paper["claims"])
    assert {(e.source, e.target) for e in found.edges} == expected
    assert [n.claim["key"] for n in found.nodes] == [c["key"] for c in paper["claims"]]


def test_premises_stand_to_the_left() -> None:
    chain: dict[str, set[str]] = {"c": {"b"}, "b": {"a"}, "a": set(), "alone": set()}
    columns = placed_columns(chain, dict.fromkeys(chain, 10.0))
    assert columns["a"] < columns["b"] < columns["c"]


def test_a_circle_of_families_and_a_long_chain_still_have_places() -> None:
    circle = {"a": {"b"}, "b": {"a"}, "c": {"a"}}
    columns = placed_columns(circle, dict.fromkeys(circle, 1.0))
    assert columns["a"] == columns["b"] < columns["c"]
    long = {str(i): {str(i - 1)} if i else set() for i in range(3 * COLUMNS)}
    assert max(placed_columns(long, dict.fromkeys(long, 1.0)).values()) == COLUMNS - 1


def test_a_part_of_the_ledger_can_be_drawn(claim: Make) -> None:
    alone = [claim("a.step", kind="step", parent="a", uses=["missing"], repaired_by="a.step.repaired")]
    found = graph(alone)
    assert len(found.nodes) == 1
    assert found.edges == ()
    assert graph([]).nodes == ()


def test_a_screen_reader_hears_status_and_proof(claim: Make) -> None:
    (node,) = graph([claim("a", effective="REFUTED", proof="BROKEN", title="says")]).nodes
    assert node.name == "a, statement: refuted, printed proof broken. says"
