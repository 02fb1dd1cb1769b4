"""Whole commands that are asked to end: no process is left, and no half file."""

import os
import signal
import subprocess
import sys

import pytest

from oubli.checks.runs.files import PART
from tests.checks.test_runs import ROOT, members, wait_until

OUBLI = [sys.executable, "-c", "from oubli.cli.main import main; main()"]
# Each with the file that says that it is in the middle of its work, if there is one.
COMMANDS = {
    "phase": ([*OUBLI, "phase", "synthetic", "--points", "12", "--most-steps", "100", "--per-decade", "2",
               "--repetitions", "3", "--jobs", "2", "--out", "run", "--report", "r"], "run/blocks/*.block"),
    "deep": ([sys.executable, "-m", "oubli.checks.measure.deep"], "report/deep/lock"),
    "check": ([*OUBLI, "check", "--no-cache", "--out", "report"], ""),
}  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_leaves_no_process_and_no_half_file(name, number, tmp_path):
    command, begun = COMMANDS[name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    run = subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True, **pipes)
    try:
        assert wait_until(lambda: any(tmp_path.glob(begun)) if begun else len(members(run.pid)) > 1, 120)
        os.kill(run.pid, number)
        assert wait_until(lambda: not members(run.pid), 5.0), members(run.pid)
    finally:
        for pid in members(run.pid):
            os.kill(pid, signal.SIGKILL)
        _, said = run.communicate()
    assert run.returncode not in (0, 1, 2), said
    assert "Traceback" not in said
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert not [file for file in left if file.startswith(PART) or file.endswith((".html", ".json", ".npz"))]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
@pytest.mark.parametrize("call", [("regime", "--help"), ("claims",), ("tv", "100", "1/2", "11/20", "--json")])
def test_an_output_that_takes_no_more_is_one_line(call):
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run([*OUBLI, *call], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (
        2,
        "oubli: the output cannot be written: No space left on device\n",
    )


ENDLESS = """
import os
from pathlib import Path


class Endless:
    def step(self, t, theta, grad, memory, setup, rng):
        Path("pid.new").write_text(str(os.getpid()))
        Path("pid.new").rename("pid")
        while True:
            pass
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_a_rule_that_never_returns_ends_with_its_audit_within_two_seconds(number, tmp_path):
    """It lives in a session of its own, and would go on for ever: even after a kill nobody is left."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    command = [*OUBLI, "audit", "endless.py", "--eps", "1", "--delta", "1e-5", "--call-seconds", "100"]
    run = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert wait_until((tmp_path / "pid").exists, 60)
        rule = int((tmp_path / "pid").read_text())
        session = os.getsid(rule)
        os.kill(run.pid, number)
        assert wait_until(lambda: not members(run.pid) and not members(session), 2.0)
    finally:
        for pid in members(run.pid):
            os.kill(pid, signal.SIGKILL)
        run.wait()
    assert run.returncode not in (0, 1, 2)
