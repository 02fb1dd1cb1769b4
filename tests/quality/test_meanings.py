"""A letter that a proof introduces for a sum, an integral or a mean stands for one thing everywhere."""

from collections import defaultdict

from theory.paper import verified


def test_no_letter_has_two_meanings() -> None:
    meant = defaultdict(set)
    for key, entry in verified().items():
        for kind, letter, *rest in (entry.verdict.certificate or {}).get("facts", []):
            if kind == "is":
                # What is summed or averaged, not over which range: a distance is taken between many ends.
                meant[letter].add((str(rest[0][:3]), key))
    assert len(meant) >= 15
    assert not {letter: ways for letter, ways in meant.items() if len({way for way, _ in ways}) > 1}
