"""Every word that the output uses as a verdict, a kind or a choice stands in the glossary."""

from pathlib import Path

import pytest

from oubli.checks.audit.finding import Judgement
from oubli.theory.records.claim import Kind
from oubli.theory.records.printed import Severity
from oubli.theory.records.verdict import Reason, Soundness, Status
from oubli.theory.regimes import Constants, Noise, Notion

TEXT = (Path(__file__).parent.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
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
