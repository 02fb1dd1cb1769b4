"""The deep profile: stopped at any moment it goes on, and ends with what an undisturbed run finds."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from checks.deep import code_digest, families, kept, measured, prepared
from checks.measure.registry import MEASURED
from checks.summary import expected_keys

ROOT = Path(__file__).parents[2]
KEYS = ("e0.step", "e0.value", "tv_bound.arcsine", "tv_dp")


def started(folder: Path, *keys: str) -> subprocess.Popen[str]:
    """A deep run on one core, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "checks.deep", *keys],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    )


def results(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return kept(folder / "report" / "deep")


def stopped(folder: Path, sent: signal.Signals, claims: int) -> int:
    """The exit code of a run that is sent a signal as soon as it has kept so many claims."""
    run = started(folder, *KEYS)
    deadline = time.monotonic() + 120
    while len(results(folder)) < claims and time.monotonic() < deadline:
        time.sleep(0.01)
    (os.killpg if sent == signal.SIGKILL else os.kill)(run.pid, sent)
    run.communicate(timeout=60)
    return run.returncode


def test_a_stopped_and_a_killed_run_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The run may have ended before the signal came.
    assert stopped(tmp_path, signal.SIGINT, 1) in (130, 0)
    first = results(tmp_path)
    assert first
    assert stopped(tmp_path, signal.SIGKILL, 2) in (-signal.SIGKILL, 0)
    second = results(tmp_path)
    assert first.items() <= second.items()
    run = started(tmp_path, *KEYS)
    out, told = run.communicate(timeout=300)
    assert run.returncode == 0, told
    assert f"{len(second)} of {len(KEYS)} claims are measured already" in told
    assert len(re.findall(r"\[\d/4\] \S+: [\d,]+ cases; about \d+ (s|min) left", told)) == 4 - len(second)
    assert "VIOLATED; e0.step.repaired holds instead" in out
    monkeypatch.setenv("OUBLI_PROFILE", "deep")
    assert results(tmp_path) == {key: measured(key) for key in KEYS}
    assert results(tmp_path)["tv_dp"][0]["cases"] == 20 * 1280


def test_other_code_starts_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = prepared(tmp_path / "deep")
    (store / "tv_dp.json").write_text(json.dumps([]))
    assert kept(prepared(store)) == {"tv_dp": []}
    (store / "code").write_text("another program")
    assert kept(prepared(store)) == {}
    assert "the code has changed" in capsys.readouterr().err
    assert (store / "code").read_text() == code_digest()


def test_every_claim_is_in_one_family_with_its_sources() -> None:
    found = families(expected_keys())
    assert sorted(key for family in found for key in family) == sorted(expected_keys())
    assert all(len({MEASURED.get(key, key) for key in family}) == 1 for family in found)


def test_an_unknown_claim_is_one_line(tmp_path: Path) -> None:
    run = started(tmp_path, "nonsense")
    _, told = run.communicate(timeout=60)
    assert run.returncode == 2
    assert told.strip().splitlines() == ["nonsense: nothing measures that; see `oubli claims`"]
