"""Batches: every format in and out with all numbers; a mistake is one line, and the rest is answered."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures.process import BrokenProcessPool

import pytest

import oubli
from oubli.answers import batch

HEAD = "rf,eps,delta,dim,target"
GOOD = "0.001,1,1e-5,10,0.05"
TABLE = f"{HEAD}\n{GOOD}\n0.001,1,1e-5,10,0.9\n0.01,0.1,1e-5,2,1e-6\n"
WORDS = ["efficient", "trivial", "inefficient"]


@pytest.fixture
def asked(tmp_path):
    def write(text, name="rows.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def plain(value):
    return "" if value is None else str(value)


def test_a_csv_is_answered_with_all_numbers_of_the_recipe(run, asked):
    code, out, err = run("regime", "--csv", asked(TABLE))
    assert (code, err) == (0, "")
    rows = table(out)
    assert [row["certified"] for row in rows] == WORDS
    alone = oubli.regime(rf=0.001, eps=1, delta=1e-5, dim=10, target=0.05).data
    first = rows[0]
    assert (first["scratch_lo"], first["action"], first["decided"]) == ("13", "fine-tune", "True")
    assert float(first["sigma"]) == alone["sigma"]
    assert first["claims"].split() == alone["claims"]
    for name in ("shrink", "schedule", "c", "k", "step_unit", "radius", "noise_rate"):
        assert first[name] == str(alone["recipe"][name])


def test_json_on_stdout_is_what_single_answers_are(run, asked):
    code, out, _ = run("regime", "--csv", asked(TABLE), "--json")
    rows = json.loads(out)["rows"]
    alone = oubli.regime(rf="0.001", eps="1", delta="1e-5", dim="10", target="0.05").data
    assert code == 0
    assert rows[0].items() <= {**alone, "decided": True}.items()
    assert [row["certified"] for row in rows] == WORDS


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_every_format_goes_in_and_comes_out_the_same(run, asked, tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    first, again = tmp_path / f"first.{suffix}", tmp_path / "again.jsonl"
    assert run("regime", "--batch", asked(TABLE), "--out", first)[0] == 0
    assert run("regime", "--batch", first, "--out", again)[0] == 0
    rows = [json.loads(line) for line in again.read_text(encoding="utf-8").splitlines()]
    # What the first answer was called, the second keeps beside its own.
    assert [row["oubli_certified"] for row in rows] == WORDS
    for name in ("certified", "sigma", "unlearn_hi", "c", "action"):
        assert [plain(row[name]) for row in rows] == [plain(row[f"oubli_{name}"]) for row in rows]


def test_of_a_long_batch_some_rows_are_decided_and_it_is_said(run, asked, monkeypatch):
    monkeypatch.setattr(batch, "_FIRST", 2)
    monkeypatch.setattr(batch, "_NTH", 3)
    head, *rows = TABLE.splitlines()
    path = asked("\n".join([head, *(rows * 3)[:8]]) + "\n")
    _, out, err = run("regime", "--csv", path)
    marks = [row["decided"] for row in table(out)]
    assert marks == ["True", "True", "False", "True", "False", "False", "True", "False"]
    assert err.count("\n") == 1
    assert "decided the first 2 rows and every 3th of the others" in err
    assert "the rest are marked `decided` = False" in err
    _, out, err = run("regime", "--csv", path, "--every")
    assert {row["decided"] for row in table(out)} == {"True"}
    assert err == ""
    assert run("regime", "--csv", path, "--every", "--fast")[0] == 2


def test_fast_gives_the_same_numbers_and_says_so(run, asked):
    slow, fast = (table(run("regime", "--csv", asked(TABLE), *more)[1]) for more in ((), ("--fast",)))
    assert [row.pop("decided") for row in fast] == ["False"] * 3
    assert [row.pop("decided") for row in slow] == ["True"] * 3
    assert fast == slow


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (f"\ufeff{HEAD},colour\r\n{GOOD},red\r\n", {}),
        (f"{HEAD}\n{GOOD}\n".replace(",", ";"), {}),
        (f"{HEAD}\n{GOOD}\n".replace(",", "\t"), {}),
        (f'{HEAD},note\n{GOOD},"two\nlines"\n{GOOD},"a ""word"""\n', {}),
        (f"{HEAD}\n{GOOD}\n\n{GOOD}\n", {}),
        (f"{HEAD}\n0.001,x,1e-5,10,0.05\n{GOOD}\n", {1: "eps = x: give a decimal"}),
        (f"{HEAD}\n{GOOD}\n0.001,\0,1e-5,10,0.05\n", {2: "eps = \\x00: give a decimal"}),
        (f"{HEAD}\n{GOOD},7\n{GOOD}\n", {1: "6 cells, but the header names 5"}),
        (f"{HEAD}\n0.001,1\n{GOOD}\n", {1: "delta is missing"}),
        (f"{HEAD}\n1.5,1,1e-5,10,0.05\n{GOOD}\n", {1: "rf = 1.5: rf must be"}),
        (f"{HEAD}\n0.001,1,1e-5,10,\n{GOOD}\n", {1: "target is missing"}),
        (f'{HEAD}\n"{GOOD}\n{GOOD}\n{GOOD}\n', {1: "a quote is left open"}),
        (f'{HEAD}\n"{GOOD}\n{GOOD}\n"{GOOD}\n', {1: "a quote is left open", 3: "a quote is left open"}),
        (f"{HEAD}\n{GOOD}\n{'9' * 1_200_000}\n{GOOD}\n", {2: ": a line of more than 1,000,000 characters"}),
        (f"{HEAD}\n{GOOD}\n0.001,1,1e-5,10,{'9' * 5000}\n", {2: "at most 400 characters"}),
    ],
)
def test_a_bad_row_is_one_line_and_the_rest_is_answered(run, asked, text, reasons):
    path = asked(text)
    code, out, err = run("regime", "--csv", path, "--fast")
    rows, lines = table(out), err.splitlines()
    assert code == (2 if reasons else 0)
    for line, (number, reason) in zip(lines[:-1], reasons.items(), strict=False):
        assert line.startswith(f"oubli: {path}, row {number}: ")
        assert reason in line
    assert len(lines) == len(reasons) + bool(reasons)
    for number, row in enumerate(rows, 1):
        assert (row["certified"], bool(row["error"])) == (
            ("", True) if number in reasons else ("efficient", False)
        )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no rows"),
        (f"{HEAD}\n", "no rows"),
        ("colour,shape\n1,2\n", "no known column (colour, shape)"),
        (b"\xff\xfer\x00f\x00\n\x00", "save the table as CSV in UTF-8"),
        ("rf,EPS,delta,dim,target\n1,2,3,4,5\n", "the column EPS is called eps here"),
        ("l,eps,delta,dim,target\n1,2,3,4,5\n", "the column l is called L here"),
        ("rf,rf\n1,2\n", "the column rf occurs twice"),
        ("x" * 3_000_000, "no known column"),
    ],
)
def test_a_file_that_is_none_is_one_line(run, asked, text, says):
    code, out, err = run("regime", "--csv", asked(text))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_json_lines_that_are_none_are_bad_rows(run, asked):
    good = json.dumps({"rf": 0.001, "eps": 1, "delta": 1e-5, "dim": 10, "target": 0.05, "name": "é"})
    lines = [good, '{"rf": true}', "[1]", "{", '{"rf": {"a": 1}}', "[" * 5000, good.replace("0.05", '"1/20"')]
    code, out, err = run("regime", "--batch", asked("\n".join(lines), "rows.jsonl"))
    assert code == 2
    assert [row["certified"] for row in table(out)] == ["efficient", *[""] * 5, "efficient"]
    assert err.count("\n") == 6


@pytest.mark.parametrize("damaged", [1, 2, 3])
def test_a_parquet_file_damaged_inside_keeps_what_comes_before(run, tmp_path, damaged):
    """Three groups of two rows each; from the damaged one on nothing can be read."""
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow, path = pytest.importorskip("pyarrow"), tmp_path / "rows.parquet"
    names, values = HEAD.split(","), GOOD.split(",")
    rows = pyarrow.table({name: [value] * 6 for name, value in zip(names, values, strict=True)})
    parquet.write_table(rows, path, row_group_size=2)
    content = bytearray(path.read_bytes())
    column = parquet.ParquetFile(path).metadata.row_group(damaged - 1).column(0)
    begin = column.dictionary_page_offset or column.data_page_offset
    content[begin : begin + 20] = b"\xff" * 20
    path.write_bytes(content)
    code, out, err = run("regime", "--batch", path)
    assert code == 2
    # pyarrow reads ahead over groups, so that some rows before the damage may be lost with it.
    *good, bad = table(out)
    assert len(good) <= 2 * (damaged - 1)
    assert {row["certified"] for row in good} <= {"efficient"}
    assert bad["error"].startswith("nothing can be read from here on: ")
    assert err.startswith(f"oubli: {path}, row {len(good) + 1}: nothing can be read from here on: ")
    assert err.count("\n") == 2


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("/nowhere/x.csv", "No such file"),
        ("/dev/full", "No space left"),
        ("rows.json", "a batch is .csv, .jsonl"),
        ("rows.xlsx", "a batch is .csv, .jsonl"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_line(run, asked, out, says):
    code, shown, err = run("regime", "--csv", asked(TABLE), "--out", out)
    assert (code, shown, err.count("\n")) == (2, "", 1)
    assert says in err


def test_json_for_the_screen_and_a_file_of_answers_exclude_each_other(run, asked):
    code, shown, err = run("regime", "--csv", asked(TABLE), "--json", "--out", "rows.csv")
    assert (code, shown, err.count("\n")) == (2, "", 1)
    assert "FILE.jsonl holds JSON lines" in err


def test_the_input_is_not_overwritten(run, asked):
    path = asked(TABLE)
    code, _, err = run("regime", "--csv", path, "--out", path)
    assert (code, path.read_text(encoding="utf-8")) == (2, TABLE)
    assert "this is the file that is read" in err


def test_a_pipe_is_read_as_it_comes(run, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(TABLE, encoding="utf-8"))
    writer.start()
    code, out, _ = run("regime", "--csv", pipe)
    writer.join()
    assert code == 0
    assert [row["certified"] for row in table(out)] == WORDS


def test_chunks_on_all_cores_come_back_in_order(run, asked):
    targets = [f"{0.9 - 0.0005 * i:.4f}" for i in range(600)]
    text = HEAD + "\n" + "".join(f"0.001,1,1e-5,10,{x}\n" for x in targets)
    one, two = (run("regime", "--csv", asked(text), "--jobs", jobs)[1] for jobs in (1, 2))
    assert one == two
    assert [row["target"] for row in table(one)] == targets


def test_ctrl_c_keeps_the_finished_rows(tmp_path):
    """Rows come through a pipe that stays open, so that the command is surely still at work."""
    pipe, out = tmp_path / "pipe", tmp_path / "out.csv"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "oubli.cli.main", "regime", "--csv", pipe, "--out", out, "--jobs", "1"]
    code = f"import sys; from oubli.cli.main import main; main({[str(word) for word in command[3:]]!r})"
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    with pipe.open("w", encoding="utf-8") as source:
        source.write(HEAD + "\n" + f"{GOOD}\n" * 900)
        source.flush()
        until = time.monotonic() + 60
        while time.monotonic() < until and (
            not out.exists() or out.read_text(encoding="utf-8").count("\n") < 250
        ):
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        err = child.communicate(timeout=60)[1]
    assert child.returncode == 130
    assert err.startswith("oubli: interrupted; ")
    rows = table(out.read_text(encoding="utf-8"))
    assert f"{len(rows):,} finished rows are kept" in err
    assert len(rows) >= 250
    assert {row["certified"] for row in rows} == {"efficient"}


def test_after_a_moment_a_person_sees_how_far_it_is(run, asked, monkeypatch, capsys):
    """One chunk takes longer than a moment on this clock; who reads from a pipe sees nothing of it."""
    clock = iter(range(0, 100, 3))
    monkeypatch.setattr(batch.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    batch.answer_file(asked(TABLE), None, batch.Setting(), jobs=1)
    assert "\ranswered 3 rows in 3 s (1 rows/s)" in capsys.readouterr().err.replace("\x1b[K", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    batch.answer_file(asked(TABLE), None, batch.Setting(), jobs=1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("begin", ["", '"'])
def test_a_line_of_a_hundred_megabytes_costs_its_row_and_little_memory(tmp_path, begin):
    """In a process of its own, which may not take more than 400 MB for data."""
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{HEAD}\n{GOOD}\n{begin}")
        for _ in range(100):
            file.write("9" * 1_000_000)
        file.write(f"\n{GOOD}\n")
    words = ["regime", "--csv", str(path), "--fast", "--jobs", "1"]
    code = (
        "from pathlib import Path\nfrom oubli.cli.main import main\n"
        f"try:\n    main({words!r})\n"
        # What getrusage calls the peak counts the process that started this one, too.
        "finally:\n    status = Path('/proc/self/status').read_text()\n"
        "    peak = int(status.split('VmHWM:')[1].split()[0])\n"
        "    assert peak < 400_000, peak\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert [row["certified"] for row in table(done.stdout)] == ["efficient", "", "efficient"]
    assert "row 2: a line of more than 1,000,000 characters" in done.stderr


def test_a_worker_that_is_killed_is_one_line_and_what_is_finished_stays(run, asked, monkeypatch):
    answers = batch._answers

    def killed(*given):
        yield from answers(*given)
        raise BrokenProcessPool

    monkeypatch.setattr(batch, "_answers", killed)
    code, out, err = run("regime", "--csv", asked(TABLE))
    assert code == 1
    assert [row["certified"] for row in table(out)] == WORDS
    assert err.count("\n") == 1
    assert "a worker process was killed, perhaps for want of memory; 3 finished rows are kept" in err
