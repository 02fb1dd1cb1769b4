"""A violation that `pytest checks/` finds is printed small, in letters, with a line that shows it again."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from oubli.cli.main import commands

ROOT = Path(__file__).parents[2]
GRADIENT = """
from oubli.sim.losses.parts import Signed

_gradient = Signed.gradient
Signed.gradient = lambda self, theta: 1.05 * _gradient(self, theta)
"""
LAW = """
import numpy as np
from oubli.checks.measure import binomial

_tv = binomial.binomial_tv_gamma
binomial.binomial_tv_gamma = lambda T, g, h: 1.05 * np.asarray(_tv(T, g, h))
"""
PLANTS = {
    "the hypothesis": (GRADIENT, "setup.lift", "fails where it was measured"),
    "the conclusion": (LAW, "binomial_tv", "VIOLATED"),
}


def called(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the planted module on its path."""
    paths = os.pathsep.join([str(folder), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"}
    call = [sys.executable, *arguments]
    return subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def oubli(folder: Path, arguments: list[str], plant: str = "") -> subprocess.CompletedProcess[str]:
    """The command line, after an import that plants an error or nothing."""
    return called(folder, "-c", f"{plant}\nfrom oubli.cli.main import main; main()", *arguments)


@pytest.mark.parametrize("what", PLANTS)
def test_a_planted_violation_is_printed_and_its_line_replays_it(what: str, tmp_path: Path) -> None:
    plant, key, word = PLANTS[what]
    (tmp_path / "planted_error.py").write_text(plant)
    options = ["-p", "planted_error", "-p", "no:cacheprovider", "-n", "0", "-k", key]
    found = called(tmp_path, "-m", "pytest", "checks/test_claims.py", *options)
    assert found.returncode == 1, found.stdout
    assert f"{key} (l." in found.stdout
    assert f"{what} " in found.stdout
    line = next(x for x in found.stdout.splitlines() if f"see it again: oubli show {key} " in x)
    name, *arguments = shlex.split(line.split("see it again: ")[1])
    assert name == "oubli"
    again = oubli(tmp_path, arguments, "import planted_error")
    assert again.returncode == 1, again.stderr
    assert word in again.stdout
    clean = oubli(tmp_path, arguments)
    assert clean.returncode == 0, clean.stderr
    assert clean.stdout.rstrip().endswith("holds")


def test_show_replays_an_instance_of_a_false_step() -> None:
    instance = '{"mu": 1, "x": 0.25, "slack 0": 1}'
    done = CliRunner().invoke(commands, ["show", "e0.step", "--replay", instance], env={"COLUMNS": "200"})
    assert done.exit_code == 1
    # x = L/(4 mu): 1/4 - 3/32 = 5/32 against L R - 3 mu R^2/2 = 1/8.
    assert "0.15625 against 0.125" in done.output
    assert "VIOLATED" in done.output


def test_an_instance_outside_the_hypotheses_is_no_case() -> None:
    instance = '{"mu": 1, "x": 0.25, "slack 0": -2}'
    done = CliRunner().invoke(commands, ["show", "e0.step", "--replay", instance], env={"COLUMNS": "200"})
    assert done.exit_code == 1
    assert "no case, it was drawn outside the hypotheses" in done.output
    assert "VIOLATED" not in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["e0.step", "--replay", "nonsense"], "a JSON object is accepted"),
        (["e0.step", "--replay", '{"L": 1}'], "has the numbers mu, x, slack 0"),
        (["e0.step", "--replay", "{}", "--json"], "leave out --json"),
        (["setup.class", "--replay", "{}"], "there is nothing to replay"),
    ],
)
def test_a_bad_replay_is_one_line(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = oubli(tmp_path, ["show", *arguments])
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert says in done.stderr
