"""`oubli report`: made from the file alone, compared, opened."""

import json
import subprocess
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from oubli.cli.main import commands

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def folder(tmp_path: Path, claim: Make, documented: Make) -> Path:
    undecided = claim("c", status="OPEN", effective="OPEN", reason="budget")
    made = documented(claim("a"), claim("b.one", uses=["a"]), undecided)
    (tmp_path / "verdicts.json").write_text(json.dumps(made))
    (tmp_path / "timings.json").write_text(json.dumps({"a": 0.25}))
    return tmp_path


def run(*arguments: str) -> Any:
    return CliRunner().invoke(commands, ["report", *arguments], env={"COLUMNS": "140"})


def test_it_writes_the_three_files_and_prints_the_table(folder: Path) -> None:
    before = (folder / "verdicts.json").read_bytes()
    done = run("--out", str(folder))
    assert done.exit_code == 0
    assert "3 claims: 2 proved, 0 refuted, 1 open" in done.output
    assert {"index.html", "report.md", "junit.xml"} <= {f.name for f in folder.iterdir()}
    assert (folder / "verdicts.json").read_bytes() == before
    assert "250 ms" in (folder / "index.html").read_text()
    cases = ElementTree.parse(folder / "junit.xml").iter("testcase")
    assert [case.attrib["time"] for case in cases] == ["0.2500", "0.0000", "0.0000"]


def test_the_same_files_give_the_same_bytes(folder: Path) -> None:
    run("--out", str(folder))
    first = {f.name: f.read_bytes() for f in folder.iterdir()}
    run("--out", str(folder))
    assert {f.name: f.read_bytes() for f in folder.iterdir()} == first


def test_compare_tells_what_changed(folder: Path, claim: Make, documented: Make) -> None:
    old = folder / "old.json"
    fallen = claim("a", status="REFUTED", proof="BROKEN")
    old.write_text(json.dumps(documented(fallen, claim("gone"), claim("c"))))
    done = run("--out", str(folder), "--compare", str(old), "--json")
    assert done.exit_code == 0
    found = [(c["key"], c["kind"], c["fields"]) for c in json.loads(done.stdout)["changes"]]
    assert found == [
        ("a", "changed", {"status": ["REFUTED", "PROVED"], "proof": ["BROKEN", "NONE"]}),
        ("b.one", "added", {"status": ["–", "PROVED"]}),
        ("c", "changed", {"status": ["PROVED", "OPEN"], "effective": ["PROVED", "OPEN"]}),
        ("gone", "removed", {"status": ["PROVED", "–"]}),
    ]
    assert (folder / "index.html").read_text().count("data-change=") == 4
    shown = run("--out", str(folder), "--compare", str(old)).output
    assert "status: REFUTED → PROVED" in shown


def test_compare_with_itself_finds_nothing(folder: Path) -> None:
    done = run("--out", str(folder), "--compare", str(folder / "verdicts.json"))
    assert "no verdict changed" in done.output
    assert "No verdict changed." in (folder / "index.html").read_text()


def test_open_shows_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    assert run("--out", str(folder), "--open").exit_code == 0
    assert opened == [(folder / "index.html").as_uri()]


def test_open_without_a_browser_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    done = run("--out", str(folder), "--open")
    assert done.exit_code == 2
    assert "no browser found" in done.output


def test_the_renderer_does_not_know_the_theory() -> None:
    code = (
        "import sys, oubli.cli.report;"
        "print([m for m in sys.modules if m.split('.')[0] in ('theory', 'sympy', 'sim')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_foreign_file_beside_is_named_and_not_shown(folder: Path) -> None:
    (folder / "audit.json").write_text('{"schema": 9, "audits": []}')
    (folder / "phase.json").write_text("nonsense")
    done = run("--out", str(folder))
    assert done.exit_code == 0
    assert "audit.json is not shown: schema 9; schema 1 is accepted" in done.stderr
    assert "phase.json is not shown" in done.stderr
    page = (folder / "index.html").read_text()
    assert "audit.json is not shown" in page
    assert 'id="audits"' not in page
