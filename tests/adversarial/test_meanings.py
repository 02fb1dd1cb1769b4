"""A letter that a proof introduces for a sum, an integral or a mean stands for one thing everywhere."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from oubli.theory.kernel.terms import names
from oubli.theory.paper.ledger import verified


def meant(takes: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Letters with what is summed, integrated or averaged; not over which range: a distance has many ends."""
    for _, expr, why, _ in takes["facts"]:
        if why in ("sum", "integral"):
            assumed, by = expr[1], expr[2][2]
            letter = assumed[1] if assumed[0] == "@" else assumed
            # The first term of a sum is part of its range.
            if letter in names(by) or why == "integral":
                yield letter, str(by) if why == "sum" else str(sorted(names(by) & takes["slopes"].keys()))
    for letter, assumed in takes["slopes"].items():
        yield letter, str(assumed)
    for letter, (of, _, mass) in takes["means"].items():
        yield letter, f"mean of {of} over {mass}"


def test_no_letter_has_two_meanings() -> None:
    found = defaultdict(set)
    for key, entry in verified().items():
        certificate = entry.verdict.certificate or entry.verdict.witness
        for letter, way in meant(certificate["takes"]) if certificate else ():
            found[letter].add((way, key))
    assert len(found) >= 15
    assert not {letter: ways for letter, ways in found.items() if len({way for way, _ in ways}) > 1}
