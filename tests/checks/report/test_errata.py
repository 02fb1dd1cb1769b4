"""The letter to the authors, the small status file and the badge."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner

from oubli.checks.report.letter import latex, letter, markdown
from oubli.checks.report.severity import ORDER
from oubli.checks.report.status import badge, status
from oubli.checks.report.tex import escaped
from oubli.cli.main import commands

Document = dict[str, Any]
Make = Callable[..., Document]
SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "status.schema.json").read_text())


def test_the_letter_is_sorted_and_whole(paper: Document) -> None:
    text = markdown(letter(paper))
    heads = [f"## {word[0].upper()}{word[1:]} (" for word in ORDER if paper["summary"]["severity"][word]]
    places = [text.index(head) for head in heads]
    assert places == sorted(places)
    for c in (c for c in paper["claims"] if c["severity"]):
        part = text.split(f": {c['key']}\n")[1].split("\n### ")[0]
        for piece in ("**Printed:**", "**What is wrong:**", "**Write instead:**", f"`oubli show {c['key']}`"):
            assert piece in part, c["key"]
        assert ("**Exact counterexample:**" in part) == bool(c["witness"])
    assert "Theorem 1, l.531" in text
    assert "49/512" in text
    assert paper["paper"]["digest"] in text


@pytest.mark.skipif(not shutil.which("latexml"), reason="no latexml here (Debian: apt-get install latexml)")
def test_the_letter_in_tex_is_tex(paper: Document, tmp_path: Path) -> None:
    (tmp_path / "letter.tex").write_text(latex(letter(paper)), encoding="utf-8")
    call = ["latexml", "--noparse", "--dest=letter.xml", "letter.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "No obvious problems" in done.stderr, done.stderr[-2000:]


def test_text_cannot_be_a_command() -> None:
    assert escaped(r"\input{x}%") == r"\textbackslash{}input\{x\}\%"
    assert escaped("é \u202e \x00") == "e ?  "


def test_errata_of_a_report_on_disk(paper: Document, tmp_path: Path) -> None:
    (tmp_path / "verdicts.json").write_text(json.dumps(paper))
    run = CliRunner().invoke(commands, ["errata", "--from", str(tmp_path), "--json"])
    rows = json.loads(run.stdout)["errata"]
    assert [r["severity"] for r in rows] == sorted((r["severity"] for r in rows), key=ORDER.index)
    assert rows[0]["place"] == "Theorem 1"
    text = CliRunner().invoke(commands, ["errata", "--from", str(tmp_path)]).stdout
    assert text == markdown(letter(paper))


def test_errata_of_an_older_report(claim: Make, documented: Make, tmp_path: Path) -> None:
    (tmp_path / "verdicts.json").write_text(json.dumps(documented(claim("a"))))
    assert CliRunner().invoke(commands, ["errata", "--from", str(tmp_path)]).exit_code == 0


def test_the_status_keeps_its_published_schema(paper: Document, claim: Make, documented: Make) -> None:
    for document in (paper, documented(claim("a")), documented()):
        jsonschema.validate(status(document), SCHEMA)
    first = next(row for row in status(paper)["theorems"] if row["number"] == "Theorem 1")
    assert (first["status"], first["severity"]) == ("REFUTED", "theorem falls")
    assert len(json.dumps(status(paper))) < 20_000


@pytest.mark.parametrize("planted", [{"schema": 2}, {"theorems": [{}]}, {"severity": {"bad": 1}}])
def test_the_schema_can_fail(paper: Document, planted: Document) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**status(paper), **planted}, SCHEMA)


def test_the_badge_counts_and_turns_red(paper: Document, claim: Make, documented: Make) -> None:
    root = ElementTree.fromstring(badge(paper))
    assert f"{paper['summary']['REFUTED']} refuted" in str(root.get("aria-label"))
    assert badge(documented(claim("a", expected=False))) != badge(documented(claim("a")))
