"""The deep profile: stopped at any moment it goes on, and ends with what an undisturbed run finds."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oubli.checks.measure import deep
from oubli.checks.measure.deep import deepen, families, measured
from oubli.checks.measure.registry import MEASURED
from oubli.checks.measure.summary import expected_keys
from oubli.checks.runs import code

ROOT = Path(__file__).parents[2]
KEYS = ("e0.step", "e0.value", "tv_bound.arcsine", "tv_dp")


def started(folder: Path, *keys: str, cores: int = 1) -> subprocess.Popen[str]:
    """A deep run on so many cores, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "oubli.checks.measure.deep", *keys],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores]),
    )


def kept(folder: Path) -> set[str]:
    """The families that a run has kept, by their first claim."""
    return {path.name.rpartition("-")[0] for path in (folder / "report" / "deep").glob("*.block")}


def stopped(folder: Path, sent: signal.Signals, families: int) -> int:
    """The exit status of a run that is sent a signal as soon as it has kept so many families."""
    run = started(folder, *KEYS)
    deadline = time.monotonic() + 120
    while len(kept(folder)) < families and time.monotonic() < deadline:
        time.sleep(0.01)
    (os.killpg if sent == signal.SIGKILL else os.kill)(run.pid, sent)
    run.communicate(timeout=60)
    return run.returncode


def test_a_stopped_and_a_killed_run_go_on(tmp_path: Path) -> None:
    # The run may have ended before the signal came; a shell calls death by the signal 130 as well.
    assert stopped(tmp_path, signal.SIGINT, 1) in (130, 0, -signal.SIGINT)
    first = kept(tmp_path)
    assert first
    assert stopped(tmp_path, signal.SIGKILL, 2) in (-signal.SIGKILL, 0)
    second = kept(tmp_path)
    assert first <= second
    run = started(tmp_path, *KEYS)
    out, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    assert f"measuring: {len(second)} of {len(KEYS)} pieces are there" in errors
    assert "VIOLATED; e0.step.repaired holds instead" in out
    assert kept(tmp_path) == set(KEYS)
    found = deepen(KEYS, tmp_path / "report" / "deep", jobs=1)
    whole = {key: measured(key, 20) for key in KEYS}
    assert {r["key"]: [r] for result in found.values() for r in result["records"]} == whole
    assert whole["tv_dp"][0]["cases"] == 20 * 1280


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core")
def test_two_cores_share_the_families(tmp_path: Path) -> None:
    run = started(tmp_path, "e0.value", "tv_bound.arcsine", cores=2)
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    assert kept(tmp_path) == {"e0.value", "tv_bound.arcsine"}


def test_other_code_starts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = deepen(["e0.value"], tmp_path, jobs=1)
    (piece,) = tmp_path.glob("*.block")
    old = piece.read_bytes()
    monkeypatch.setattr(deep, "code_digest", lambda: "another program")
    assert deepen(["e0.value"], tmp_path, jobs=1) == before
    assert piece.read_bytes() != old


def test_a_changed_source_file_is_other_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for part in code.PARTS:
        (tmp_path / part).mkdir()
    (tmp_path / "sim" / "a.py").write_text("x = 1")
    monkeypatch.setattr(code, "PACKAGE", tmp_path)
    first = code.code_digest.__wrapped__()
    (tmp_path / "sim" / "a.py").write_text("x = 2")
    second = code.code_digest.__wrapped__()
    (tmp_path / "sim" / "a.py").rename(tmp_path / "sim" / "b.py")
    assert len({first, second, code.code_digest.__wrapped__()}) == 3


def test_every_claim_is_in_one_family_with_its_sources() -> None:
    found = families(expected_keys())
    assert sorted(key for family in found for key in family) == sorted(expected_keys())
    assert all(len({MEASURED.get(key, key) for key in family}) == 1 for family in found)


def test_an_unknown_claim_is_one_line(tmp_path: Path) -> None:
    run = started(tmp_path, "nonsense")
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 2
    assert errors.strip().splitlines() == ["nonsense: nothing measures that; see `oubli claims`"]
