"""`oubli check`, `claims`, `show`: what they print, write and answer to nonsense."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from oubli.cli.main import commands, main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", "from oubli.cli.main import main; main()", *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    done = CliRunner().invoke(commands, ["check", "--out", str(out)], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    (out.parent / f"{out.name}.screen").write_text(done.output)
    return out


def test_check_writes_the_report(report: Path) -> None:
    found = json.loads((report / "verdicts.json").read_text())
    assert found["schema"] == 1
    assert found["summary"]["unexpected"] == []
    assert found["summary"]["OPEN"] <= 5
    fields = [
        "key",
        "parent",
        "kind",
        "source",
        "tex",
        "status",
        "effective",
        "proof",
        "engine",
        "assumes",
        "uses",
        "printed_uses",
        "repaired_by",
        "witness",
        "certificate",
        "empirical",
        "tight",
    ]
    for claim in found["claims"]:
        assert set(fields) <= set(claim)
        assert (claim["status"] == "PROVED") == bool(claim["certificate"])
        assert (claim["status"] == "REFUTED") == bool(claim["witness"])
    text = (report / "report.md").read_text()
    assert "## Errata" in text
    assert "49/512" in text


def test_the_same_ledger_gives_the_same_bytes(report: Path, tmp_path: Path) -> None:
    again = CliRunner().invoke(commands, ["check", "--all", "--out", str(tmp_path)])
    assert again.exit_code == 0
    assert len(again.output.splitlines()) > 200
    for name in ("verdicts.json", "report.md"):
        assert (tmp_path / name).read_bytes() == (report / name).read_bytes()


def test_what_was_measured_is_in_the_report(tmp_path: Path) -> None:
    from oubli.checks.measure import empirical
    from oubli.checks.measure.judging import falls, stands
    from oubli.checks.measure.registry import ledger

    claims = ledger().claims
    measured = empirical.combined([*stands(claims["e0.step.repaired"]), *falls(claims["e0.step"])])
    (tmp_path / empirical.FILE).write_text(empirical.dumps(measured))
    assert CliRunner().invoke(commands, ["check", "e0.step", "--out", str(tmp_path)]).exit_code == 0
    found = {c["key"]: c for c in json.loads((tmp_path / "verdicts.json").read_text())["claims"]}
    stood, fell = found["e0.step.repaired"], found["e0.step"]
    assert stood["empirical"]["cases"] >= 1000
    assert not stood["empirical"]["violated"]
    assert stood["tight"]["ratio"] == 1.0
    # The printed step at its witness x = L/(3 mu): 1/6 against 1/8.
    assert (fell["empirical"]["cases"], fell["empirical"]["violated"]) == (1, True)
    assert fell["tight"]["ratio"] == pytest.approx(4 / 3)


def test_strict_ends_with_1(tmp_path: Path) -> None:
    assert (
        CliRunner().invoke(commands, ["check", "e0.step", "--strict", "--out", str(tmp_path)]).exit_code == 1
    )
    assert CliRunner().invoke(commands, ["check", "tv_dp", "--strict", "--out", str(tmp_path)]).exit_code == 0


def test_one_claim_brings_what_it_depends_on(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["check", "trivial", "--json", "--out", str(tmp_path)])
    keys = {c["key"] for c in json.loads(done.stdout)["claims"]}
    assert {"trivial", "trivial.floor", "trivial.repaired", "trivial.step2", "gauss.kappa.small"} <= keys
    assert "binomial_tv" not in keys


def test_show_trivial_tells_the_whole_story() -> None:
    text = CliRunner().invoke(commands, ["show", "trivial"]).output
    for piece in ("REFUTED", "Problem A", "Problem B", "49/512", "3/32", "trivial.repaired", "PROVED"):
        assert piece in text


def test_check_ends_with_the_theorems_and_lemmas(report: Path) -> None:
    short = (report.parent / f"{report.name}.screen").read_text()
    rows = [line.split()[:2] for line in short.splitlines()]
    assert ["Theorem", "1"] in rows
    assert ["Lemma", "C.5"] in rows
    assert "theorem falls" in short
    assert len(rows) < 40


def test_a_part_never_replaces_the_whole(report: Path) -> None:
    before = {p.name: p.read_bytes() for p in report.iterdir() if p.is_file()}
    done = CliRunner().invoke(commands, ["check", "Lemma C.3", "--out", str(report)])
    assert done.exit_code == 0
    assert {p.name: p.read_bytes() for p in report.iterdir() if p.is_file()} == before
    part = json.loads((report / "partial" / "verdicts.json").read_text())
    assert part["asked"] == ["tv_dp"]
    assert "is kept" in done.output
    # A report of a part may be replaced by another one.
    again = CliRunner().invoke(commands, ["check", "e0.step", "--out", str(report / "partial")])
    assert again.exit_code == 0
    assert not (report / "partial" / "partial").exists()
    shutil.rmtree(report / "partial")


@pytest.mark.parametrize("name", ["Theorem 1", "thm 1", "theo:trivial_regime", "l.531", "531", "trivial"])
def test_show_accepts_every_name_of_a_claim(name: str) -> None:
    text = CliRunner().invoke(commands, ["show", name]).output
    assert text.startswith("trivial  Theorem 1, l.531  REFUTED")
    assert "write instead" in text


def test_claims_lists_places() -> None:
    rows = json.loads(CliRunner().invoke(commands, ["claims", "--json"]).output)["claims"]
    assert {"key": "tv_dp", "line": 1322}.items() <= next(r for r in rows if r["key"] == "tv_dp").items()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "trvial"), "did you mean trivial"),
        (("check", "nonsense-key"), "no such claim"),
        (("check", "--out", "/dev/null/report"), "cannot write there"),
        (("bogus",), "No such command"),
        (("show",), "Missing argument"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert says in done.stderr


def test_an_interrupted_run_leaves_the_previous_report(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {p.name: p.read_bytes() for p in report.iterdir()}

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oubli.theory.judging.ledger.judge", interrupt)
    with pytest.raises(SystemExit) as leaving:
        main(["check", "--out", str(report)])
    assert leaving.value.code == 130
    assert {p.name: p.read_bytes() for p in report.iterdir()} == before


def test_a_failure_while_writing_leaves_the_previous_report(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from oubli.checks.report.folder import publish

    before = {p.name: p.read_bytes() for p in report.iterdir()}
    monkeypatch.setattr(os, "chmod", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        publish(report, {"verdicts.json": "{}", "report.md": ""})
    assert {p.name: p.read_bytes() for p in report.iterdir()} == before


def test_help_shows_examples() -> None:
    for command in ("check", "claims", "show"):
        text = CliRunner().invoke(commands, [command, "--help"]).output
        assert "Examples:" in text
