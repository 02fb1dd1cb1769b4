"""Whole runs at the command line: however they are run, killed and resumed, the same bytes come out."""

import hashlib
import io
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

OUBLI = [sys.executable, "-c", "from oubli.cli.main import main; main()"]
SIZE = ["--points", "3", "--most-steps", "100", "--per-decade", "2", "--repetitions", "3"]
FILES = ("results.npz", "manifest.json", "diagram.png", "diagram.svg")
RULE = '''
from dataclasses import dataclass
import numpy as np

@dataclass(frozen=True)
class Lazy:
    """Half steps, each with a little noise of its own."""

    def step(self, t, theta, grad, memory, setup, rng):
        noise = 1e-3 * rng.standard_normal(theta.shape)
        return theta - grad / (setup.mu * (t + 2)) + noise, memory
'''


def words(folder, *more, name="synthetic", size=SIZE):
    places = ["--out", str(folder), "--report", str(folder.parent / "report")]
    return ["phase", name, *size, *places, *more]


def command(folder, *more, **kind):
    return [*OUBLI, *words(folder, *more, **kind)]


class Experiment:
    """One of the two commands at a size of a few seconds, and after how many pieces it is killed."""

    def __init__(self, name, size, killed):
        self.name, self.size, self.killed = name, size, killed

    def run(self, folder, *more):
        line = command(folder, *more, name=self.name, size=self.size)
        done = subprocess.run(line, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return files(folder)

    def started(self, folder, *more):
        line = command(folder, *more, name=self.name, size=self.size)
        return subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def files(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module", params=["synthetic", "digits"])
def experiment(request, tmp_path_factory):
    if request.param == "synthetic":
        return Experiment("synthetic", SIZE, 12)
    pytest.importorskip("sklearn")
    rule = tmp_path_factory.mktemp("rule") / "lazy.py"
    rule.write_text(RULE)
    size = ["--points", "3", "--repetitions", "6", "--epochs", "12", "--algorithm", f"{rule}:Lazy"]
    return Experiment("digits", size, 4)


@pytest.fixture(scope="module")
def reference(experiment, tmp_path_factory):
    """One process, never interrupted."""
    folder = tmp_path_factory.mktemp("one") / "run"
    found = experiment.run(folder, "--jobs", "1")
    assert not (folder / "blocks").exists()
    return found


def wait_for_pieces(process, folder, count):
    """Until the folder holds so many finished pieces; the run must still be going on then."""
    end = time.monotonic() + 120
    while len(list(folder.glob("blocks/*.block"))) < count:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.01)


def children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def is_worker(pid):
    try:
        return b"loky" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_two_workers_agree_bit_for_bit(experiment, reference, tmp_path):
    assert experiment.run(tmp_path / "run", "--jobs", "2") == reference


def test_killed_and_resumed_equals_uninterrupted(experiment, reference, tmp_path):
    folder, pieces = tmp_path / "run", experiment.killed
    process = experiment.started(folder, "--jobs", "1")
    wait_for_pieces(process, folder, pieces)
    process.kill()
    process.communicate()
    kept = {path.name: path.stat().st_mtime_ns for path in folder.glob("blocks/*.block")}
    assert len(kept) >= pieces
    assert not (folder / "results.npz").exists()
    resumed = experiment.started(folder, "--jobs", "1")
    wait_for_pieces(resumed, folder, len(kept) + 1)
    # The pieces of the killed run are used, not made again.
    now = {path.name: path.stat().st_mtime_ns for path in folder.glob("blocks/*.block")}
    assert all(now.get(name) in (None, when) for name, when in kept.items())
    _, errors = resumed.communicate(timeout=300)
    assert resumed.returncode == 0, errors
    assert files(folder) == reference


def test_a_killed_worker_loses_nothing(experiment, reference, tmp_path):
    folder = tmp_path / "run"
    process = experiment.started(folder, "--jobs", "2")
    wait_for_pieces(process, folder, 3)
    workers = [pid for pid in children(process.pid) if is_worker(pid)]
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert files(folder) == reference


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process of its own, on loopback."""
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    base = [sys.executable, "-m", "dask"]
    port = address.rsplit(":", 1)[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = [*base, "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", "--no-show"]
    worker = [*base, "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    processes = [subprocess.Popen(scheduler, **quiet)]
    processes += [subprocess.Popen([*worker, "--name", f"w{i}"], **quiet) for i in range(2)]
    yield address, processes
    for process in processes:
        process.kill()
        process.wait()


def test_a_dask_cluster_agrees_bit_for_bit_though_a_worker_dies(experiment, reference, cluster, tmp_path):
    address, processes = cluster
    folder = tmp_path / "run"
    process = experiment.started(folder, "--cluster", address)
    wait_for_pieces(process, folder, 3)
    processes[1].kill()
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert files(folder) == reference


def test_a_dask_cluster_of_two_agrees_bit_for_bit(experiment, reference, cluster, tmp_path):
    assert experiment.run(tmp_path / "run", "--cluster", cluster[0]) == reference


def test_no_cluster_there(tmp_path):
    bad = f"tcp://127.0.0.1:{free_port()}"
    done = subprocess.run(command(tmp_path / "run", "--cluster", bad), capture_output=True, text=True)
    assert done.returncode == 2
    assert f"--cluster {bad}: no cluster" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_own_algorithm_and_report(tmp_path):
    (tmp_path / "lazy.py").write_text(RULE)
    size = ["--points", "2", "--most-steps", "10", "--per-decade", "2", "--repetitions", "2"]
    mine = ["--algorithm", f"{tmp_path / 'lazy.py'}:Lazy", "--jobs", "2", "--json", "--d", "6"]
    done = subprocess.run(command(tmp_path / "run", *size, *mine), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert any(name.startswith("own-lazy-Lazy, ") for name in answer["shares"])
    assert "leaves F_sc(mu, L)" in done.stderr
    assert str(tmp_path) not in (tmp_path / "run" / "manifest.json").read_text()
    from oubli.checks.report.extras import extras

    shown = extras(tmp_path / "report")
    assert not shown.notices
    assert {d["title"] for d in shown.diagrams} >= {"Synthetic: own-lazy-Lazy, definition"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--jobs", "2", "--cluster", "tcp://x:1"], "give one of them"),
        (["--d", "3"], "even"),
        (["--algorithm", "nowhere.py"], "cannot be read"),
        (["--delta", "2"], "delta"),
    ],
)
def test_bad_input_is_one_line(tmp_path, more, message, run):
    code, _, said = run(*words(tmp_path / "run", *more))
    assert (code, len(said.strip().splitlines())) == (2, 1)
    assert message in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["synthetic", "digits"])
@pytest.mark.parametrize(
    ("text", "message"), [("my own notes", "phase.json: not diagrams"), ('{"a": 1}', "schema")]
)
def test_a_foreign_page_file_is_refused_before_work_and_left(tmp_path, name, text, message, run):
    page = tmp_path / "report" / "phase.json"
    page.parent.mkdir()
    page.write_text(text)
    code, _, said = run(*words(tmp_path / "run", name=name, size=["--points", "2"]))
    assert (code, message in said) == (2, True)
    assert page.read_text() == text
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["synthetic", "digits"])
@pytest.mark.parametrize("place", ["run", "report"])
def test_a_folder_that_cannot_be_written_is_reported_before_work(tmp_path, name, place, run):
    (tmp_path / place).write_text("a file, not a folder")
    code, _, said = run(*words(tmp_path / "run", name=name, size=["--points", "2"]))
    assert (code, str(tmp_path / place) in said) == (2, True)
    assert (tmp_path / place).read_text() == "a file, not a folder"


def test_a_failing_rule_is_named(tmp_path):
    (tmp_path / "bad.py").write_text(RULE.replace("return theta - grad", "raise RuntimeError('no luck') #"))
    size = ["--points", "2", "--most-steps", "10", "--per-decade", "1", "--repetitions", "2", "--jobs", "1"]
    line = [*command(tmp_path / "run", *size), "--algorithm", str(tmp_path / "bad.py")]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 2
    assert "own-bad" in done.stderr
    assert "RuntimeError: no luck" in done.stderr


def test_the_bar_tells_the_time_left(tmp_path):
    """On a terminal; to a file nothing of it is written."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(tmp_path / "run", "--jobs", "1"), stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while part := read_some(ours):
        shown += part
    os.close(ours)
    assert process.wait(timeout=300) == 0
    assert re.search(rb"running .*\d+ % .*\d:\d\d:\d\d.* left", shown)


def read_some(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


def test_results_and_manifest_are_complete(reference):
    manifest = json.loads(reference["manifest.json"])
    assert manifest["results_sha256"] == hashlib.sha256(reference["results.npz"]).hexdigest()
    assert {"seed", "points", "repetitions", "versions", "own"} <= manifest["parameters"].keys()
    assert {"python", "oubli", "numpy", "scipy"} <= manifest["parameters"]["versions"].keys()
    with np.load(io.BytesIO(reference["results.npz"]), allow_pickle=False) as found:
        columns = {name: found[name] for name in found.files}
    labels = [record["label"] for record in manifest["parameters"]["own"]]
    assert {"scratch", *labels} < set(columns["passage.algorithm"].tolist())
    lengths = {(name.split(".")[0], len(column)) for name, column in columns.items()}
    assert len(lengths) == 2
