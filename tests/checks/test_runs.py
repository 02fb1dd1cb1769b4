"""The resumable runner: whatever kills it, whole pieces stay, no process does, and the result is the same."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from oubli.checks.runs import files, resume, store
from oubli.checks.runs.blocks import COLUMNS, JSON, DamagedError, OtherRunError, opened, packed, sealed
from oubli.checks.runs.store import drop, open_pieces, refuse
from oubli.errors import InputError
from tests.checks.pieces import Slow

ROOT = Path(__file__).parents[2]
RUN, KEY = "a" * 64, "one"
PAYLOAD = packed({"x": np.arange(4.0)})


def results_in(folder, definition, codec, on_bad):
    """What a run would find there."""
    with closing(open_pieces(folder, definition, codec, on_bad)) as pieces:
        return pieces.done


@pytest.mark.parametrize("place", range(0, len(sealed(PAYLOAD, KEY, RUN)), 7))
def test_one_changed_byte_is_seen(place):
    data = bytearray(sealed(PAYLOAD, KEY, RUN))
    data[place] ^= 1
    with pytest.raises(DamagedError):
        opened(bytes(data), KEY, RUN)


@pytest.mark.parametrize("cut", range(0, len(sealed(PAYLOAD, KEY, RUN)), 7))
def test_a_torn_piece_is_seen(cut):
    with pytest.raises(DamagedError):
        opened(sealed(PAYLOAD, KEY, RUN)[:cut], KEY, RUN)


def test_a_piece_under_another_name_or_of_another_run_is_seen():
    with pytest.raises(DamagedError, match="renamed"):
        opened(sealed(PAYLOAD, KEY, RUN), "two", RUN)
    with pytest.raises(OtherRunError, match="other parameters"):
        opened(sealed(PAYLOAD, KEY, RUN), KEY, "b" * 64)


@pytest.mark.parametrize(("codec", "value"), [(JSON, {"a": [1, 0.1]}), (COLUMNS, {"a": np.arange(2)})])
def test_results_come_back_as_they_were(tmp_path, codec, value):
    first = open_pieces(tmp_path, {"seed": 1}, codec, refuse)
    first.put(KEY, value)
    first.close()
    again = results_in(tmp_path, {"seed": 1}, codec, refuse)
    assert codec.pack(again[KEY]) == codec.pack(value)


def test_another_definition_starts_anew_in_a_scratch_folder_and_is_refused_elsewhere(tmp_path):
    first = open_pieces(tmp_path, {"code": 1}, JSON, drop)
    first.put(KEY, 1)
    first.close()
    with pytest.raises(InputError, match="other parameters"):
        open_pieces(tmp_path, {"code": 2}, JSON, refuse)
    assert (tmp_path / "one.block").exists()
    assert results_in(tmp_path, {"code": 2}, JSON, drop) == {}
    assert not (tmp_path / "one.block").exists()


def test_two_runs_do_not_write_in_one_folder(tmp_path):
    first = open_pieces(tmp_path / "pieces", {}, JSON, drop)
    with pytest.raises(InputError, match="another run is writing"):
        open_pieces(tmp_path / "pieces", {}, JSON, drop)
    first.close()
    open_pieces(tmp_path / "pieces", {}, JSON, drop).close()


def test_only_what_the_runner_wrote_is_removed(tmp_path):
    pieces = open_pieces(tmp_path, {}, JSON, drop)
    pieces.put(KEY, 1)
    (tmp_path / ".part-cut").write_text("half")
    (tmp_path / "notes.txt").write_text("mine")
    pieces.remove()
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("step", ["write", "flush", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_failure_at_any_step_of_writing_leaves_whole_pieces(tmp_path, monkeypatch, step, number):
    """A full or broken disk at every call that writing makes: the old bytes or the new ones, nothing else."""
    pieces = open_pieces(tmp_path, {}, JSON, refuse)
    pieces.put(KEY, "old")

    def fails(*_):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        if step in ("write", "flush"):
            patch.setattr(files.os, "fdopen", lambda handle, mode: Failing(handle, step, fails))
        else:
            patch.setattr(files.os, step, fails)
        with pytest.raises(InputError, match="cannot be written"):
            pieces.put(KEY, "new")
    pieces.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["lock", "one.block"]
    assert results_in(tmp_path, {}, JSON, refuse) == {KEY: "old"}


class Failing:
    """A file of which one method fails."""

    def __init__(self, handle, step, fails):
        self.handle = handle
        setattr(self, step, fails)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.handle)

    def write(self, data):
        return os.write(self.handle, data[:3])

    def flush(self): ...

    def fileno(self):
        return self.handle


def test_a_folder_that_was_moved_away_is_one_line(tmp_path):
    with closing(open_pieces(tmp_path / "pieces", {}, JSON, drop)) as pieces:
        (tmp_path / "pieces").rename(tmp_path / "elsewhere")
        with pytest.raises(InputError, match="finished pieces are kept"):
            pieces.put(KEY, 1)


def test_a_clock_that_goes_back_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(resume, "time", SimpleNamespace(monotonic=lambda: -time.time()))
    with closing(open_pieces(tmp_path, {}, JSON, drop)) as pieces:
        found = resume.resume(pieces, [Slow(number, 0.0) for number in range(3)], 1)
    assert [value["square"] for value in found.values()] == [0, 1, 4]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_piece_that_fails_is_one_line_and_the_others_are_kept(tmp_path, jobs):
    given = [Slow(number, -1.0 if number == 2 else 0.0) for number in range(3)]
    with (
        closing(open_pieces(tmp_path, {}, JSON, drop)) as pieces,
        pytest.raises(InputError, match="slow-002: no luck"),
    ):
        resume.resume(pieces, given, jobs)
    kept = results_in(tmp_path, {}, JSON, refuse)
    assert kept == pieces.done
    assert jobs > 1 or kept.keys() == {"slow-000", "slow-001"}


def started(folder, count=40, seconds=0.02, jobs=2):
    """The script in a session of its own, so that nothing of it can be mistaken for another's."""
    call = [sys.executable, "-m", "tests.checks.pieces", str(folder), str(count), str(seconds), str(jobs)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(call, cwd=ROOT, env=environment, start_new_session=True, **pipes)


def members(session):
    """The living processes of a session; those that have ended but were not waited for do not count."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, owner = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(owner) == session and state != "Z":
                found.append(int(entry.name))
    return found


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_signal_ends_every_process_within_two_seconds(tmp_path, number, jobs):
    """Workers in the middle of long pieces."""
    run = started(tmp_path, count=2, seconds=60, jobs=jobs)
    try:
        assert wait_until(lambda: len(list((tmp_path / "marks").glob("*"))) == jobs, 60), run.stderr.read()
        os.kill(run.pid, number)
        assert wait_until(lambda: not members(run.pid), 2.0), members(run.pid)
    finally:
        for pid in members(run.pid):
            os.kill(pid, signal.SIGKILL)
        run.communicate()
    assert run.returncode in {128 + number, -number, 1}
    assert not list(tmp_path.rglob("*.block"))


def test_killed_again_and_again_it_ends_with_the_same_result(tmp_path):
    """Each run is killed at a random moment; no finished piece is made again, none is lost or half."""
    rng, kept = random.Random(5), set()
    wanted = {f"slow-{n:03d}": {"square": n**2} for n in range(40)}
    for _ in range(6):
        run = started(tmp_path)
        time.sleep(rng.uniform(0.3, 2.5))
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        assert wait_until(lambda run=run: not members(run.pid), 2.0)
        now = {path.name for path in tmp_path.glob("pieces/*.block")}
        assert kept <= now or run.returncode == 0
        kept = now
        for name in sorted(now):
            key = name.removesuffix(".block")
            opened((tmp_path / "pieces" / name).read_bytes(), key, store.fingerprint({"what": "test"}))
    last = started(tmp_path)
    out, errors = last.communicate(timeout=120)
    assert out == f"{wanted}\n"
    assert (f"{len(kept)} of 40 pieces are there" in errors) == bool(kept)
    assert not (tmp_path / "pieces").exists()
