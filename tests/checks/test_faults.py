"""Faults at every call that changes the disk: a run dies there, or tears what it writes; nothing is lost.

Each run is a forked process that dies without a word, as by SIGKILL or a power cut, at a later call than the
one before: before the call, after it, or with half of the bytes written. What is left is whole, the same call
goes on with it, and the bytes in the end are those of a run that nothing disturbed. Experiments, which take
longer, are struck at every ninth call; OUBLI_FAULTS=1 strikes them at each.
"""

import errno
import itertools
import os
import tempfile
from contextlib import closing

import pytest

from oubli.checks.experiments.experiment import perform
from oubli.checks.experiments.workers import Workers
from oubli.checks.runs import files, resume
from oubli.checks.runs.blocks import COLUMNS, JSON
from oubli.checks.runs.store import PIECE, drop, open_pieces, refuse
from oubli.errors import InputError
from oubli.theory.judging.cache import Cache
from tests.checks.pieces import Slow
from tests.checks.test_shards import at_once, bytes_of, experiment

DIED = 9
STRIDE = int(os.environ.get("OUBLI_FAULTS", "9"))
CALLS = ("fsync", "chmod", "replace", "unlink", "rmdir", "mkdir", "truncate")


class Fault:
    """The n-th call that changes the disk is the last one: `strike` says how it ends."""

    def __init__(self, number, strike):
        self.left, self.strike = number, strike

    def at(self, real, *given, **more):
        """A call, which may be the one."""
        self.left -= 1
        return real(*given, **more) if self.left >= 0 else self.strike(real, *given, **more)

    def install(self, patch):
        """Count the calls of the standard library through which everything here changes the disk."""
        for name in CALLS:
            patch.setattr(os, name, self.counted(getattr(os, name)))
        patch.setattr(tempfile, "mkstemp", self.counted(tempfile.mkstemp))
        opened = os.fdopen
        patch.setattr(os, "fdopen", lambda handle, mode: Written(opened(handle, mode), self))

    def counted(self, real):
        return lambda *given, **more: self.at(real, *given, **more)


class Written:
    """A file whose writes are counted."""

    def __init__(self, file, fault):
        self.file, self.fault = file, fault

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, data):
        return self.fault.at(self.file.write, data)


def before(*_, **__):
    os._exit(DIED)


def after(real, *given, **more):
    real(*given, **more)
    os._exit(DIED)


def torn(real, *given, **more):
    """Half of the bytes of a write reach the disk; another call does not happen."""
    if given and isinstance(given[0], bytes):
        real(given[0][: len(given[0]) // 2])
        real.__self__.flush()
    os._exit(DIED)


def struck(work, check, strike, runs=1, stride=1):
    """How many calls there are: a process dies at one after the other, until none is left."""
    for number in itertools.count(0, stride):

        def doomed(which, number=number):
            if which == 0:
                Fault(number, strike).install(pytest.MonkeyPatch())
            work(number)

        code = at_once(doomed, runs)[0]
        assert code in (0, DIED), code
        check(number)
        if code == 0:
            print(f"{number} calls, a {strike.__name__} at every {stride}.")
            return number
    return 0


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    perform(experiment(folder / "marks"), folder / "run", Workers(1))
    return bytes_of(folder / "run")


@pytest.mark.parametrize(("strike", "runs"), [(before, 1), (after, 1), (torn, 1), (before, 2)])
def test_an_experiment_that_dies_anywhere_goes_on(tmp_path, reference, strike, runs):
    """With two runs in one folder only the first dies."""

    def work(number):
        perform(experiment(tmp_path / f"{number}-marks"), tmp_path / f"{number}", Workers(1))

    def check(number):
        blocks, marks = tmp_path / f"{number}" / "blocks", tmp_path / f"{number}-marks"
        kept = set()
        if blocks.exists():
            with closing(open_pieces(blocks, {"seed": 1}, COLUMNS, refuse)) as found:
                kept = set(found.done)
                assert {f"{key}{PIECE}" for key in kept} == {path.name for path in blocks.glob(f"*{PIECE}")}
        work(number)
        assert bytes_of(tmp_path / f"{number}") == reference
        # What was finished was not made again.
        assert all((marks / key).read_text() == "x" for key in kept)

    assert struck(work, check, strike, runs, STRIDE) >= (70 if runs == 1 else 10)


PIECES = [Slow(number, 0.0) for number in range(6)]


@pytest.mark.parametrize("strike", [before, after, torn])
def test_a_resumed_computation_that_dies_anywhere_goes_on(tmp_path, strike):
    def work(number):
        with closing(open_pieces(tmp_path / f"{number}", {}, JSON, drop)) as pieces:
            resume.resume(pieces, PIECES, 1)

    def check(number):
        with closing(open_pieces(tmp_path / f"{number}", {}, JSON, refuse)) as pieces:
            # One after the other: what is there has no gap.
            assert list(pieces.done) == [piece.key for piece in PIECES[: len(pieces.done)]]
            found = resume.resume(pieces, PIECES, 1)
        assert [value["square"] for value in found.values()] == [piece.number**2 for piece in PIECES]

    assert struck(work, check, strike) >= 24


@pytest.mark.parametrize("strike", [before, after, torn])
def test_a_cache_that_is_torn_anywhere_gives_whole_values_or_none(tmp_path, strike):
    values = [(f"{number:064}", {"certificate": [number] * 50}) for number in range(8)]

    def work(number):
        Cache(tmp_path / f"{number}").put(values)

    def check(number):
        cache = Cache(tmp_path / f"{number}")
        found = [cache.get(key) for key, _ in values]
        assert not cache.notice
        assert all(value in (None, wanted) for value, (_, wanted) in zip(found, values, strict=True))
        cache.put(values)
        assert [cache.get(key) for key, _ in values] == [value for _, value in values]

    assert struck(work, check, strike) >= 24


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS])
def test_a_disk_that_refuses_any_call_of_a_piece_leaves_the_others(tmp_path, number):
    """Old bytes or new ones, and no half file: for each call that writing a piece makes."""

    def refused(*_, **__):
        raise OSError(number, os.strerror(number))

    for call in range(5):
        folder = tmp_path / f"{call}"
        with closing(open_pieces(folder, {}, JSON, refuse)) as pieces:
            pieces.put("one", "old")
            with pytest.MonkeyPatch.context() as patch:
                Fault(call, refused).install(patch)
                # Beside the refused call nothing else is refused: a part that was begun is removed.
                patch.setattr(os, "unlink", os.unlink.__closure__[0].cell_contents)
                with pytest.raises(InputError, match="cannot be written"):
                    pieces.put("one", "new")
        assert sorted(path.name for path in folder.iterdir()) == ["lock", f"one{PIECE}"]
        with closing(open_pieces(folder, {}, JSON, refuse)) as again:
            assert again.done == {"one": "old"}
    assert files.PART not in str(list(tmp_path.rglob("*")))
