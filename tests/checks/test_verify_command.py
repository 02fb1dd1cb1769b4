"""`oubli verify`: a fresh report replays, a tampered or hostile one is refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oubli.cli.main import commands
from oubli.theory.judging.judge import uses
from oubli.theory.kernel.checker import accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.paper.ledger import ledger

# A claim that rests on no other and is proved line by line.
ALONE = next(
    key
    for key, claim in ledger().claims.items()
    if claim.proof and not claim.statement.exists and not uses(claim)
)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    keys = ("trivial", "tv_dp.attained", ALONE)
    assert CliRunner().invoke(commands, ["check", *keys, "--out", str(out)]).exit_code == 0
    return out / "verdicts.json"


def test_a_fresh_report_replays(verdicts: Path) -> None:
    done = CliRunner().invoke(commands, ["verify", str(verdicts), "--json"])
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found["rejected"] == {}
    judged = [c for c in json.loads(verdicts.read_text())["claims"] if c["status"] in ("PROVED", "REFUTED")]
    assert sorted(found["accepted"]) == sorted(c["key"] for c in judged)


def test_a_tampered_certificate_is_named(verdicts: Path, tmp_path: Path) -> None:
    document = json.loads(verdicts.read_text())
    claim = next(c for c in document["claims"] if c["key"] == "tv_dp.attained")
    claim["certificate"]["witness"]["model"]["laws"]["P"]["0"] = "1/9"
    (tmp_path / "bad.json").write_text(json.dumps(document))
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "bad.json")])
    assert done.exit_code == 1
    assert "rejected: tv_dp.attained" in done.stdout


def test_what_depends_on_a_rejected_certificate_falls_with_it(verdicts: Path, tmp_path: Path) -> None:
    document = json.loads(verdicts.read_text())
    listed = [c for c in document["claims"] if c["certificate"]]
    lemma, dependent = next((key, c["key"]) for c in listed for key in c["certificate"]["lemmas"])
    next(c for c in listed if c["key"] == lemma)["certificate"]["hash"] = "stale"
    (tmp_path / "bad.json").write_text(json.dumps(document))
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "bad.json"), "--json"])
    assert {lemma, dependent} <= json.loads(done.stdout)["rejected"].keys()


def test_what_depends_on_a_missing_certificate_falls(verdicts: Path, tmp_path: Path) -> None:
    """Without it nobody would tell at which values the lemma's letters are meant."""
    listed = [c["certificate"] for c in json.loads(verdicts.read_text())["claims"] if c["certificate"]]
    alone = next(c for c in listed if c["lemmas"])
    (tmp_path / "one.json").write_text(json.dumps(alone))
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "one.json")])
    assert done.exit_code == 1
    missing = ", ".join(sorted(alone["lemmas"]))
    assert f"depends on what no accepted certificate here shows: {missing}" in done.stdout
    both = CliRunner().invoke(commands, ["verify", str(tmp_path / "one.json"), str(verdicts)])
    assert both.exit_code == 0


@pytest.mark.parametrize("why", ["definition", "meaning", "state"])
def test_an_assumed_conclusion_is_refused(why: str, verdicts: Path, tmp_path: Path) -> None:
    listed = [c["certificate"] for c in json.loads(verdicts.read_text())["claims"] if c["certificate"]]
    hollow = next(c for c in listed if c["claim"] == ALONE)
    hollow["takes"]["facts"] = [[*hollow["statement"]["says"], why, []]]
    hollow |= {"lines": [{"by": "leaf", "fact": 0}]}
    hollow["hash"] = digest({part: hollow[part] for part in ("statement", "takes")})
    with pytest.raises(RejectedError, match="for granted"):
        accept_certificate(hollow, {}, {})
    (tmp_path / "hollow.json").write_text(json.dumps(hollow))
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "hollow.json")])
    assert done.exit_code == 1
    assert "something else for granted" in done.stdout


def told_otherwise(claims: dict[str, Any]) -> None:
    claims["trivial"]["status"] = "PROVED"


def without_certificate(claims: dict[str, Any]) -> None:
    claims["trivial"]["witness"]["certificate"] = None


def without_witness(claims: dict[str, Any]) -> None:
    claims["trivial"]["witness"] = "none"


def with_that_of_another(claims: dict[str, Any]) -> None:
    claims["trivial"] |= {"witness": None, "status": "PROVED"}
    claims["trivial"]["certificate"] = claims["tv_dp.attained"]["certificate"]


def under_another_name(claims: dict[str, Any]) -> None:
    claims["tv_dp.attained"]["key"] = "trivial"


@pytest.mark.parametrize(
    "change", [told_otherwise, without_certificate, without_witness, with_that_of_another, under_another_name]
)
def test_a_verdict_needs_its_own_certificate(change: Any, verdicts: Path, tmp_path: Path) -> None:
    document = json.loads(verdicts.read_text())
    change({c["key"]: c for c in document["claims"]})
    (tmp_path / "bad.json").write_text(json.dumps(document))
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "bad.json")])
    assert done.exit_code == 1
    assert re.search("rejected: trivial: (PROVED|REFUTED), but no certificate of that", done.stdout)


def test_nothing_is_not_enough(tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("[]")
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "empty.json")])
    assert done.exit_code == 1
    assert "no certificate" in done.stdout


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "nonsense"])
def test_what_is_no_json_is_bad_input(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    done = CliRunner().invoke(commands, ["verify", str(tmp_path / "x.json")])
    assert done.exit_code == 2


@pytest.mark.parametrize(
    "text", ["[]", "3", '[{"claim": "e0"}]', '{"claims": [1, {"certificate": {}}]}', "[null]"]
)
def test_what_certifies_nothing_is_rejected(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    assert CliRunner().invoke(commands, ["verify", str(tmp_path / "x.json")]).exit_code == 1


def test_a_missing_file_is_bad_input() -> None:
    assert CliRunner().invoke(commands, ["verify", "/nowhere/at/all.json"]).exit_code == 2
