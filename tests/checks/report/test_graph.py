"""The drawing: every claim once, nothing on top of anything else, every use an edge."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from oubli.checks.report.graph import graph
from oubli.checks.report.layout import CARD, family, layout, placed_columns
from oubli.checks.report.rows import card_rows

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


def test_premises_never_stand_to_the_right(paper: dict[str, Any]) -> None:
    places = layout(paper["claims"]).places
    leans: dict[str, set[str]] = {}
    for c in paper["claims"]:
        leans.setdefault(family(c["key"]), set()).update(map(family, [*c["uses"], *c["printed_uses"]]))
    column = {family(key): place.column for key, place in places.items()}
    for name, below in leans.items():
        for premise in below:
            back = reachable(leans, premise)
            assert name in back or column[premise] <= column[name], (premise, name)


def reachable(leans: dict[str, set[str]], name: str) -> set[str]:
    found, fresh = set[str](), set(leans[name])
    while fresh:
        found |= fresh
        fresh = set().union(*(leans[n] for n in fresh)) - found
    return found


def test_columns_are_as_short_as_they_can_be() -> None:
    # By hand: with five columns 7, 1, 1, 1, 4, 3 cannot stand lower than the 7 alone.
    heights = dict(zip("abcdef", (7.0, 1.0, 1.0, 1.0, 4.0, 3.0), strict=True))
    columns = placed_columns({name: set() for name in heights}, heights)
    assert columns["a"] not in {columns[name] for name in "bcdef"}
    chain = {str(i): {str(i - 1)} if i else set() for i in range(10)}
    even = placed_columns(chain, dict.fromkeys(chain, 1.0))
    assert [even[str(i)] for i in range(10)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_a_circle_of_families_still_has_places() -> None:
    circle = {"a": {"b"}, "b": {"a"}, "c": {"a"}}
    columns = placed_columns(circle, dict.fromkeys(circle, 1.0))
    assert columns["c"] == max(columns.values())
    assert placed_columns({}, {}) == {}


def test_a_large_family_has_a_row_per_word(claim: Make) -> None:
    keys = [f"big.{word}{end}" for word in "abcdefg" for end in ("", ".x", ".y")] + ["big.z.x", "big.z.y"]
    rows = card_rows("big", [claim(key) for key in keys])
    assert sorted(key for row in rows for key, _ in row.marks) == sorted(keys)
    assert [row.heading for row in rows if row.heading] == ["z"]
    assert len(rows) == 15


def test_a_part_of_the_ledger_can_be_drawn(claim: Make) -> None:
    alone = [claim("a.step", kind="step", parent="a", uses=["missing"], repaired_by="a.step.repaired")]
    found = graph(alone)
    assert len(found.nodes) == 1
    assert found.edges == ()
    assert graph([]).nodes == ()


def test_a_screen_reader_hears_status_and_proof(claim: Make) -> None:
    (node,) = graph([claim("a", effective="REFUTED", proof="BROKEN", title="says")]).nodes
    assert node.name == "a, statement: refuted, printed proof broken. says"
