"""The table on a terminal: one claim, one line, whatever its width leaves room for."""

from io import StringIO

import pytest
from rich.console import Console

from oubli.checks.report.terminal import show_table
from tests.checks.report.conftest import made_claim, made_document


@pytest.mark.parametrize("width", [80, 200])
def test_one_line_for_each_claim(width: int) -> None:
    key = "a.claim_with_a_key.line_below"
    claims = [
        made_claim(key, engine="combination+expectation+integration", expected=False),
        made_claim("b", status="REFUTED", effective="REFUTED", proof="BROKEN", engine="witness"),
    ]
    out = StringIO()
    show_table(made_document(*claims), Console(file=out, width=width))
    head, first, second, *_ = out.getvalue().splitlines()
    assert head.split() == ["claim", "line", "verdict", "effective", "proof", "engine"]
    assert first.startswith(key)
    assert "unexpected" in first
    assert ("combination+expectation+integration" in first) == (width == 200)
    assert second.split() == ["b", "1", "REFUTED", "REFUTED", "BROKEN", "witness"]
