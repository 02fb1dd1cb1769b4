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
    assert "decided in ball arithmetic" in err
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
        (f"{HEAD}\n{GOOD}\n{'9' * 1_200_000}\n{GOOD}\n", {2: "a line of more than 1000000 characters"}),
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
        (b"\xff\xfer\x00f\x00\n\x00", "no known column"),
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


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("/nowhere/x.csv", "No such file"),
        ("/dev/full", "No space left"),
        ("rows.json", "a batch is .csv, .jsonl"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_line(run, asked, out, says):
    code, shown, err = run("regime", "--csv", asked(TABLE), "--out", out)
    assert (code, shown, err.count("\n")) == (2, "", 1)
    assert says in err


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
