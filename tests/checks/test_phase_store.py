"""The folder of a run: what is kept, what is refused, and that refusing changes nothing."""

import json
import resource
import subprocess
import sys

import numpy as np
import pytest

from oubli.checks.experiments.store import MANIFEST, RESULTS, difference, open_store
from oubli.checks.runs.blocks import packed
from oubli.errors import InputError

PARAMETERS = {"experiment": "test", "seed": 1}
COLUMNS = {"x": np.arange(4.0)}


def bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(folder, parameters=PARAMETERS):
    """The message of the refusal, after which every file is as it was."""
    before = bytes_of(folder)
    with pytest.raises(InputError) as caught:
        open_store(folder, parameters, 1000)
    after = bytes_of(folder)
    assert {name: after[name] for name in before} == before
    return str(caught.value)


def test_a_piece_survives_and_is_found_again(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    store.pieces.put("one", COLUMNS)
    store.close()
    again = open_store(tmp_path, PARAMETERS, 1000)
    assert again.pieces.done["one"]["x"].tolist() == [0.0, 1.0, 2.0, 3.0]
    again.finish(packed(COLUMNS), {"note": "n"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [MANIFEST, RESULTS]
    assert open_store(tmp_path, PARAMETERS, 1000).finished


def test_damaged_piece_is_refused_and_left(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    store.pieces.put("one", COLUMNS)
    store.close()
    path = tmp_path / "blocks" / "one.block"
    path.write_bytes(path.read_bytes()[:-3])
    assert "digest does not match" in refused(tmp_path)


def test_pieces_of_other_parameters_are_refused(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    store.pieces.put("one", COLUMNS)
    store.close()
    assert "other parameters" in refused(tmp_path, {**PARAMETERS, "seed": 2})


def test_results_of_other_parameters_are_refused(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    store.finish(packed(COLUMNS), {})
    store.close()
    assert "seed is 1 there and 2 here" in refused(tmp_path, {**PARAMETERS, "seed": 2})


def test_damaged_results_are_refused(tmp_path):
    open_store(tmp_path, PARAMETERS, 1000).finish(packed(COLUMNS), {})
    (tmp_path / RESULTS).write_bytes(b"PK nonsense")
    assert "its digest is not the manifest's" in refused(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (RESULTS, "my own data", "without a manifest"),
        (MANIFEST, "not json", "not a manifest"),
        (MANIFEST, json.dumps({"kind": "other"}), "not a manifest of"),
        (MANIFEST, "[]", "not a manifest of"),
    ],
)
def test_foreign_files_are_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    assert message in refused(tmp_path)


def test_two_runs_share_a_folder_only_if_they_are_the_same(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    open_store(tmp_path, PARAMETERS, 1000).close()
    assert "another run, with other parameters, is writing" in refused(tmp_path, {**PARAMETERS, "seed": -1})
    store.close()
    open_store(tmp_path, {**PARAMETERS, "seed": -1}, 1000).close()


def test_a_run_killed_between_result_and_manifest_goes_on(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    store.pieces.put("one", COLUMNS)
    (tmp_path / RESULTS).write_bytes(packed(COLUMNS))
    store.close()
    again = open_store(tmp_path, PARAMETERS, 1000)
    again.finish(packed(COLUMNS), {})
    assert again.finished


def test_a_foreign_result_that_came_meanwhile_is_not_overwritten(tmp_path):
    store = open_store(tmp_path, PARAMETERS, 1000)
    (tmp_path / RESULTS).write_text("mine")
    with pytest.raises(InputError, match="another run"):
        store.finish(packed(COLUMNS), {})
    store.close()
    assert (tmp_path / RESULTS).read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write there"):
        open_store(tmp_path / "file" / "inside", PARAMETERS, 1000)


def test_a_full_disk_is_reported_before_work(tmp_path):
    """A limit on the size of files stands for the full disk: the system refuses to give the room."""
    code = (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from oubli.cli.main import main\n"
        "main(['phase', 'synthetic', '--points', '60', '--jobs', '1', '--out', 'run', '--report', 'r'])"
    )
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # noqa: E731
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, preexec_fn=limit, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no room for the about" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("*.block"))


def test_the_same_columns_give_the_same_bytes():
    made = [packed({"a": np.arange(5), "b": np.array(["x"])}) for _ in range(2)]
    assert made[0] == made[1]


def test_a_missing_parameter_is_a_difference():
    assert difference({}, {"seed": 2}) == "seed is None there and 2 here"
