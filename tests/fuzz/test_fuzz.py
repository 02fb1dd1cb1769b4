"""The command line, called with what nobody should type: one line of error, or an answer. See `make fuzz`."""

import random
import subprocess
import sys
import warnings
from pathlib import Path

import click
import numpy as np
import pytest

from tests.fuzz import calls
from tests.fuzz.__main__ import certificates, fuzz
from tests.fuzz.judge import Answer, answered, fault

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
    "more samples than a double counts": ["regime", "--n", "1.8e308", "--forget", "60", "--eps", "1",
        "--delta", "1e-5", "--dim", "10", "--target", "0.5", "--json"],
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_LINE)
def test_one_line_of_error(name: str) -> None:
    answer = answered(ONE_LINE[name])
    assert answer.status == 2
    assert fault(ONE_LINE[name], answer) == ""


def test_the_least_fraction_is_answered_without_a_warning() -> None:
    asked = ["regime", "--rf", "5e-324", "--eps", "1", "--delta", "1e-5", "--dim", "10", "--target", "0.05"]
    answer = answered([*asked, "--json"])
    assert (answer.status, fault([*asked, "--json"], answer)) == (0, "")


@pytest.mark.parametrize("sizes", [(1e300, 1.0), (1e-300, 1e300), (1e100, 1e-100), (0.0, 1e139)])
def test_samples_of_any_size_are_answered_without_a_warning(
    sizes: tuple[float, float], tmp_path: Path
) -> None:
    for name, size in zip("pq", sizes, strict=True):
        np.save(tmp_path / f"{name}.npy", size * np.random.default_rng(1).normal(size=(200, 2)))
    files = [str(tmp_path / f"{name}.npy") for name in "pq"]
    asked = ["audit", "--samples", *files, "--eps", "1", "--delta", "1e-5"]
    assert fault(asked, answered(asked)) == ""


def test_the_same_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"rf,eps\n0.1,\xff\n")
    (tmp_path / "none.csv").write_bytes(b"\xff,eps\xff\n0.1,1\n")
    (tmp_path / "c.json").write_text("[[[")
    table = ["regime", "--csv", str(tmp_path / "t.csv")]
    for arguments in (
        table,
        [*table, "--json"],
        ["regime", "--csv", str(tmp_path / "none.csv")],
        ["verify", str(tmp_path / "c.json")],
        ["tv", "1", "2", "3"],
    ):
        started = [sys.executable, "-c", "from oubli.cli.main import main; main()", *arguments]
        done = subprocess.run(
            started, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
        )
        assert fault(arguments, Answer(done.returncode, done.stdout, done.stderr)) == ""
        # A table is answered row by row: a line for the row, and one for the file.
        rows = arguments[: len(table)] == table
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1 + rows), done.stderr
        assert bool(done.stdout) is rows


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


ROW, FILE = "oubli: t, row 2: x", "oubli: t: 1 of 2 rows have no answer; the others were answered"
HALF = "certified,error\ntrivial,\n,x\n"
BATCHES = {
    "as it should be": (Answer(2, HALF, f"{ROW}\n{FILE}\n"), ""),
    "a bad row without a line": (Answer(2, HALF, f"{FILE}\n"), "not one line for each bad row"),
    "a row in two lines": (Answer(2, HALF, f"{ROW}\nx\n{FILE}\n"), "not one line for each bad row"),
    "nothing about the file": (Answer(2, HALF, f"{ROW}\n"), "not one line for each bad row"),
    "another row": (Answer(2, HALF, f"{ROW.replace('2', '1')}\n{FILE}\n"), "not one line for each bad row"),
    "success with a bad row": (Answer(0, HALF, f"{ROW}\n{FILE}\n"), "exit status 0"),
    "failure without one": (Answer(2, "certified,error\ntrivial,\n", ""), "exit status 2"),
    "no answer and no error": (Answer(0, "certified,error\ntrivial,\n,\n", ""), "neither"),
    "an answer and an error": (Answer(2, HALF.replace("\n,", "\ntrivial,"), f"{ROW}\n{FILE}\n"), "both"),
}


@pytest.mark.parametrize("name", BATCHES)
def test_a_planted_fault_in_a_batch_is_noticed(name: str) -> None:
    answer, says = BATCHES[name]
    found = fault(["regime", "--csv", "t"], answer)
    assert says in found
    assert bool(found) is bool(says)
