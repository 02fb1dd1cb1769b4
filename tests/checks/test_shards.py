"""Several runs in one folder: shards, runs at the same time, runs that die; the same bytes come out."""

import errno
import multiprocessing
import os
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from oubli.checks.experiments.experiment import Experiment, perform
from oubli.checks.experiments.pieces import ExperimentPiece
from oubli.checks.experiments.plan import plan
from oubli.checks.experiments.story import Reading
from oubli.checks.experiments.workers import Partial, Workers
from oubli.checks.runs import files
from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.store import CLAIM, PIECE, open_pieces, refuse
from oubli.errors import InputError
from tests.checks.pieces import Slow

COUNT = 12


class Task:
    """A task of the tests' own, which leaves a mark every time it is run."""

    def __init__(self, number, marks):
        self.number, self.marks = number, marks

    @property
    def key(self):
        return f"task-{self.number}"

    def cost(self, protocol):
        return 1.0

    def run(self, protocol, own):
        with (Path(self.marks) / self.key).open("a") as file:
            file.write("x")
        return {"square": np.array([self.number**2])}


def experiment(marks):
    marks.mkdir(exist_ok=True)
    return Experiment(
        name="Test",
        title="",
        parameters={"seed": 1},
        pieces=[ExperimentPiece(None, (), Task(number, str(marks))) for number in range(COUNT)],
        bytes_needed=10_000,
        table=lambda done: {"t.x": np.concatenate([done[f"task-{n}"]["square"] for n in range(COUNT)])},
        diagrams=lambda table: [],
        extra=lambda table: {},
        paper=Reading({}, []),
        limits=[],
    )


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    perform(experiment(folder / "marks"), folder / "run", Workers(1))
    return bytes_of(folder / "run")


@pytest.mark.parametrize("parts", [2, 3, 5, COUNT + 3])
def test_shards_in_any_order_give_the_same_bytes(tmp_path, reference, parts):
    order = random.Random(parts).sample(range(1, parts + 1), parts)
    found = [
        perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1, None, part, parts))
        for part in order
    ]
    assert bytes_of(tmp_path / "run") == reference
    last = max(at for at, part in enumerate(order) if part <= COUNT)
    assert [isinstance(one, Partial) for one in found] == [at < last for at in range(parts)]
    assert {path.read_text() for path in (tmp_path / "marks").iterdir()} == {"x"}


def test_a_shard_done_again_and_a_run_without_go_on(tmp_path, reference):
    for _ in range(2):
        found = perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1, None, 1, 4))
        assert "3 of 12 pieces" in str(found)
    perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1))
    assert bytes_of(tmp_path / "run") == reference
    assert {path.read_text() for path in (tmp_path / "marks").iterdir()} == {"x"}


def at_once(work, count):
    """So many processes at the same time; their exit codes."""
    context = multiprocessing.get_context("fork")
    runs = [context.Process(target=work, args=(i,)) for i in range(count)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    return [run.exitcode for run in runs]


def test_runs_at_the_same_time_share_the_work(tmp_path, reference):
    def work(_):
        perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1))

    assert at_once(work, 4) == [0] * 4
    perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1))
    assert bytes_of(tmp_path / "run") == reference
    assert {path.read_text() for path in (tmp_path / "marks").iterdir()} == {"x"}


def test_a_claim_ends_with_its_run_and_a_piece_is_found_at_once(tmp_path):
    first = open_pieces(tmp_path, {}, JSON, refuse, shared=True)
    second = open_pieces(tmp_path, {}, JSON, refuse, shared=True)
    assert first.claim("a")
    assert first.claim("a")
    assert not second.claim("a")
    first.put("a", 1)
    assert not second.claim("a")
    assert second.done == {"a": 1}
    assert first.claim("b")
    first.close()
    assert second.claim("b")
    second.close()
    assert not list(tmp_path.glob(f"*{CLAIM}"))


def test_a_full_disk_in_one_run_leaves_the_other(tmp_path, monkeypatch, reference):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", full)
        with pytest.raises(InputError, match=r"No space left.*the same call goes on"):
            perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1))
    perform(experiment(tmp_path / "marks"), tmp_path / "run", Workers(1))
    assert bytes_of(tmp_path / "run") == reference


def test_pieces_are_not_removed_while_another_run_reads_them(tmp_path):
    first = open_pieces(tmp_path, {}, JSON, refuse, shared=True)
    first.put("a", 1)
    second = open_pieces(tmp_path, {}, JSON, refuse, shared=True)
    first.remove()
    assert (tmp_path / f"a{PIECE}").exists()
    second.remove()
    assert not tmp_path.exists()


def test_a_scratch_folder_is_not_shared(tmp_path):
    with (
        closing(open_pieces(tmp_path, {}, JSON, refuse, shared=True)),
        pytest.raises(InputError, match="another run"),
    ):
        open_pieces(tmp_path, {}, JSON, refuse)


def test_a_plan_counts_and_writes_nothing(tmp_path):
    whole = experiment(tmp_path / "marks")
    perform(whole, tmp_path / "run", Workers(1, None, 1, 3))
    before = bytes_of(tmp_path / "run" / "blocks")
    found = plan(whole.pieces, whole.bytes_needed, tmp_path / "run", Workers(1, None, 1, 2))
    assert (found.pieces, found.missing, found.bytes_needed) == (6, 4, 10_000)
    assert 0 < found.hours < 0.01
    assert bytes_of(tmp_path / "run" / "blocks") == before
    nowhere = plan([Slow(n, 0.0) for n in range(3)], 5, tmp_path / "nowhere", Workers(1))
    assert (nowhere.pieces, nowhere.missing) == (3, 3)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--shard", "0/3"], "--shard 0/3: i/n with 1 <= i <= n"),
        (["--shard", "half"], "--shard half"),
        (["--shard", "1/2", "--cluster", "tcp://x:1"], "--shard and --cluster"),
    ],
)
def test_a_bad_shard_is_one_line(tmp_path, more, message, run):
    code, _, err = run("phase", "synthetic", "--out", tmp_path / "run", *more)
    assert (code, message in err) == (2, True)
    assert not (tmp_path / "run").exists()


def test_the_command_plans_and_runs_shards(tmp_path, run):
    size = ["--points", "2", "--most-steps", "10", "--per-decade", "1", "--repetitions", "2", "--jobs", "1"]
    where = ["--out", str(tmp_path / "run"), "--report", str(tmp_path / "report")]
    said = []
    for more in (
        ["--dry-run"],
        ["--shard", "1/2"],
        ["--dry-run"],
        ["--shard", "2/2", "--json"],
        ["--dry-run"],
    ):
        code, out, _ = run("phase", "synthetic", *size, *where, *more)
        assert code == 0
        said.append(out)
    assert "15 of 15 pieces are missing" in said[0]
    assert "shard 1/2 is done: 8 of 15 pieces" in said[1]
    assert "7 of 15 pieces are missing" in said[2]
    assert '"experiment": "Synthetic"' in said[3]
    assert "finished" in said[4]


def test_the_slurm_script_runs_its_shards(tmp_path, run):
    """A job array without Slurm: the variables that it sets, one task after the other."""
    root = Path(__file__).parents[2]
    size = ["--points", "2", "--most-steps", "10", "--per-decade", "1", "--repetitions", "2"]
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for task in ("2", "3", "1"):
        array = {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_CPUS_PER_TASK": "1"}
        call = ["sh", str(root / "examples/slurm_array.sh"), str(tmp_path / "array"), *size]
        done = subprocess.run(
            call, env={**os.environ, "PATH": programs, **array}, capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, done.stderr
    assert run("phase", "synthetic", *size, "--out", tmp_path / "one", "--report", tmp_path / "r")[0] == 0
    results = [(tmp_path / name / "results.npz").read_bytes() for name in ("array", "one")]
    assert results[0] == results[1]
