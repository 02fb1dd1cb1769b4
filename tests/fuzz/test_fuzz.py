"""The command line, called with what nobody should type: one line of error, or an answer. See `make fuzz`."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from pathlib import Path

import click
import pytest

from tests.fuzz import calls
from tests.fuzz.__main__ import certificates, fuzz
from tests.fuzz.judge import answered, fault

CALLS, FIRST = 700, 20_000_000  # other seeds than those of a long run
KINDS = [calls.theory, calls.regimes, calls.verify, calls.samples, calls.other]


def test_calls_of_every_kind_are_answered(tmp_path: Path) -> None:
    _, failed = fuzz(FIRST, CALLS, certificates(), tmp_path)
    assert failed == []


@pytest.mark.parametrize("kind", KINDS)
def test_rarer_calls_are_answered(kind: calls.Call, tmp_path: Path) -> None:
    good = certificates() if kind is calls.verify else []
    for seed in range(25):
        arguments = kind(random.Random(seed), tmp_path, good)  # type: ignore[operator]
        assert fault(arguments, answered(arguments)) == "", arguments


ONE_LINE = {
    "a newline in a number": ["tv", "10", "0.5\n3", "0.2"],
    "five thousand digits": ["regime", "--rf", "1" + "0" * 5000, "--eps", "1"],
    "a newline in a command": ["a\nb"],
    "a terminal's escape": ["gauss", "--eps", "\x1b[31m1", "--delta", "1e-5"],
    "extreme constants": ["regime", "--rf", "0.1", "--eps", "1", "--delta", "1e-5", "--dim", "2", "--L",
        "1e300", "--mu", "1e-300", "--target-risk", "1"],
    "a target beyond doubles": ["regime", "--rf", "0.1", "--eps", "1", "--delta", "1e-5", "--dim", "2",
        "--target", "1e400"],
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_LINE)
def test_one_line_of_error(name: str) -> None:
    answer = answered(ONE_LINE[name])
    assert answer.status == 2
    assert fault(ONE_LINE[name], answer) == ""


def test_the_same_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"rf,eps\n0.1,\xff\n")
    (tmp_path / "c.json").write_text("[[[")
    for arguments in (
        ["regime", "--csv", str(tmp_path / "t.csv")],
        ["verify", str(tmp_path / "c.json")],
        ["tv", "1", "2", "3"],
    ):
        started = [sys.executable, "-c", "from oubli.cli.main import main; main()", *arguments]
        done = subprocess.run(
            started, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
        )
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr


def raised(_: list[str]) -> None:
    raise ZeroDivisionError("division by zero")


def warned(_: list[str]) -> None:
    warnings.warn("overflow encountered", RuntimeWarning, stacklevel=1)
    sys.exit(0)


def two_lines(_: list[str]) -> None:
    click.echo("oubli: one\noubli: two", err=True)
    sys.exit(2)


def infinite(_: list[str]) -> None:
    click.echo('{"ratio": Infinity}')
    sys.exit(0)


def odd_status(_: list[str]) -> None:
    sys.exit(3)


FAULTS = {
    raised: "traceback",
    warned: "warning",
    two_lines: "not one line",
    infinite: "not JSON",
    odd_status: "exit status 3",
}


@pytest.mark.parametrize("planted", FAULTS)
def test_a_planted_fault_is_noticed(planted: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.judge.main", planted)
    assert FAULTS[planted] in fault(["x", "--json"], answered(["x", "--json"]))  # type: ignore[index]
