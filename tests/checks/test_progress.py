"""Whoever looks at a terminal sees within a moment that something is being done, and what."""

import os
import pty
import subprocess
import sys

import numpy as np
import pytest

OUBLI = [sys.executable, "-c", "from oubli.cli.main import main; main()"]
POINT = ("--rf", "0.001", "--eps", "4", "--delta", "1e-6", "--dim", "10")
SMALL = ("--points", "2", "--most-steps", "10", "--per-decade", "1", "--repetitions", "2", "--jobs", "1")
# Every command that can take more than two seconds, and what it says; an audit tells the time that is left.
SLOW = {
    "check": (("check", "e0.step", "--out", "r"), "verifying"),
    "show": (("show", "e0.step"), "verifying"),
    "coverage": (("coverage",), "verifying"),
    "errata": (("errata",), "verifying"),
    "verify": (("verify", "r/verdicts.json"), "replaying"),
    "report": (("report", "--out", "r"), "rendering the report"),
    "constants": (
        ("constants", "--model", "logistic", "--lambda", "2", "--data", "rows.npy"),
        "reading rows.npy",
    ),
    "audit --samples": (
        ("audit", "--samples", "rows.npy", "other.npy", "--eps", "1", "--delta", "1e-5"),
        "comparing the samples",
    ),
    "regime": (("regime", *POINT), "looking for the boundaries"),
    "phase theory": (("phase", "theory", "--html", "p.html"), "solving for the boundaries"),
    "phase synthetic": (("phase", "synthetic", *SMALL, "--out", "s", "--report", "t"), "running"),
}


def on_a_terminal(call, folder):
    """What a command writes to a terminal as its standard error."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*OUBLI, *call], cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs) as run:
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
    os.close(ours)
    assert run.returncode in (0, 1), shown
    return shown.decode()


def _read(handle):
    try:
        return os.read(handle, 65536)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.parametrize("name", SLOW)
def test_progress_is_shown_on_a_terminal(name, tmp_path):
    call, says = SLOW[name]
    for number, file in enumerate(("rows.npy", "other.npy")):
        np.save(tmp_path / file, np.random.default_rng(number).normal(size=(2000, 2)) / 9)
    if name in ("verify", "report"):
        subprocess.run([*OUBLI, *SLOW["check"][0]], cwd=tmp_path, check=True, capture_output=True)
    assert says in on_a_terminal(call, tmp_path)
