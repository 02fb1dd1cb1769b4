"""Every word that the output uses as a verdict, a kind or a choice stands in the glossary."""

import re
from pathlib import Path

import pytest

from oubli.checks.audit.finding import Judgement
from oubli.theory.records.claim import Kind
from oubli.theory.records.printed import Severity
from oubli.theory.records.verdict import Reason, Soundness, Status
from oubli.theory.regimes import Constants, Noise, Notion

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
WORDS = [
    str(word.value)
    for kind in (Status, Soundness, Reason, Kind, Severity, Judgement, Constants, Notion, Noise)
    for word in kind
]
REGIMES = ["trivial", "efficient", "inefficient", "uncharted"]
LETTERS = ["r", "ρ", "R", "e0", "κ", "T^S", "T^U", "ε", "δ", "σ"]
NAMED = ["certificate", "witness", "effective", "erratum", "regime", "bracket", "assumption", "dependency"]


@pytest.mark.parametrize("word", sorted({*WORDS, *REGIMES, *LETTERS, *NAMED}))
def test_the_word_is_explained(word):
    assert f"**{word}**" in TEXT


# Words that were private to this project; the glossary has those of the field.
DIALECT = re.compile(r"\b(untold|told|leans? on|leaning on|dear|taken? for granted)\b", re.IGNORECASE)


def test_the_words_are_those_of_the_field():
    texts = [path for part in ("oubli", "theory", "sim", "checks") for path in (ROOT / part).rglob("*.py")]
    texts += [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "checks").rglob("*.j2")]
    found = [
        f"{path.relative_to(ROOT)}: {word[0]}"
        for path in texts
        for word in DIALECT.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
    assert len(texts) > 400
