"""Every command and every line of Python in the README is run, and shows what is printed there."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import oubli

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
ELLIPSIS = "…"


def console(blocks=BLOCKS):
    """(command, the lines shown after it) of every console block, which begins with a command."""
    for kind, body in blocks:
        if kind == "console":
            assert body.startswith("$ "), body
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, *shown = part.rstrip("\n").split("\n")
                yield command, shown


def matches(shown, got):
    """Whether the lines are those shown, where … stands for any lines."""
    pattern = "\n".join(".*" if line == ELLIPSIS else re.escape(line) for line in shown)
    return re.fullmatch(pattern, "\n".join(got), re.DOTALL) is not None


def all_blocks_of(text):
    """(language, content) of every fenced block; a fence that is not understood is an error."""
    found = re.findall(r"^```([^\n`]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    fences = re.findall(r"^\s*(?:```|~~~)", text, re.MULTILINE)
    assert len(fences) == 2 * len(found), "a fence is indented, nested, not closed, or not made of ```"
    return found


def fresh_clone(folder):
    """The folder like a fresh clone after `make check`, as far as the examples look at it."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "activate").write_text(f'PATH="{Path(sys.executable).parent}:$PATH"\n')
    return folder


@pytest.fixture
def folder(tmp_path):
    return fresh_clone(tmp_path)


@pytest.mark.parametrize(("command", "shown"), [c for c in console() if not c[0].startswith(". ")], ids=str)
def test_a_command_prints_what_is_shown(command, shown, folder):
    run(command, shown, folder)


def run(command, shown, folder):
    """The command prints what is shown, in a shell that knows nothing but the line that activates."""
    clean = {"PATH": os.defpath, "HOME": str(folder), "LANG": "C.UTF-8", "COLUMNS": "118"}
    script = f". .venv/bin/activate\n{command}"
    words = ["bash", "-c", script]
    done = subprocess.run(words, cwd=folder, env=clean, capture_output=True, text=True, timeout=240)
    assert done.returncode in (0, 1), done.stderr
    assert matches(shown, done.stdout.rstrip("\n").split("\n") if done.stdout else []), done.stdout


def test_the_environment_is_activated_before_it_is_used():
    assert next(console()) == (". .venv/bin/activate", [])


def test_no_block_is_left_out():
    assert all_blocks_of(TEXT) == BLOCKS


@pytest.mark.parametrize("text", ["  ```sh\nmake\n  ```\n", "~~~sh\nmake\n~~~\n", "```sh\nmake\n"])
def test_a_block_that_would_be_left_out_is_seen(text):
    with pytest.raises(AssertionError, match="a fence is"):
        all_blocks_of(text)


def test_a_console_block_without_a_command_is_seen():
    with pytest.raises(AssertionError, match="oubli claims"):
        next(console([("console", "oubli claims\n")]))


def test_the_python_runs(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for number, body in enumerate(body for kind, body in BLOCKS if kind == "python"):
        found = doctest.DocTestParser().get_doctest(body, {}, f"README.md, block {number}", None, 0)
        assert found.examples
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        assert runner.run(found).failed == 0


def test_no_other_code_is_shown():
    """What CI itself runs (make) is the only code that is not run here."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for kind, body in BLOCKS:
        assert kind in ("console", "python", "sh")
        if kind == "sh":
            targets = re.findall(r"^make (\S+)", body, re.MULTILINE)
            assert len(targets) == len(body.strip().splitlines())
            assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


ROW = re.compile(r"^\| \((\S+), (\d+), (\S+)\) \|" + r" ([\d.]+) % \|" * 5, re.MULTILINE)


@pytest.mark.parametrize("row", ROW.findall(TEXT), ids=str)
def test_the_table_of_shares_is_what_phase_gives(row):
    rf, dim, delta, *shown = row
    found = oubli.phase(rf=float(rf), dim=int(dim), delta=float(delta)).shares
    sharp = found["sharp"]
    shares = (found["printed-repaired"].certified, sharp.certified)
    shares += (sharp.trivial, sharp.efficient, sharp.inefficient)
    assert [f"{100 * share:.1f}" for share in shares] == shown


def test_every_link_to_a_file_leads_somewhere():
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/*.md")]
    for document in documents:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_a_planted_difference_is_seen():
    assert matches(["a", ELLIPSIS, "c"], ["a", "b", "c"])
    assert not matches(["a", ELLIPSIS, "c"], ["a", "b", "d"])
    assert not matches(["a"], ["a", "b"])


RESULTS = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
SPEED = re.compile(r"(?<![\w.=])(\d+(?:\.\d+)?) (?:s|ms|µs|times)\b|(\d+(?:\.\d+)?)×")


def speeds(text):
    """Every figure of speed in words, outside of blocks of code."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [one or other for one, other in SPEED.findall(prose)]


def test_every_figure_of_speed_is_that_of_the_benchmarks():
    measured = speeds(RESULTS)
    assert speeds(TEXT)
    assert [figure for figure in speeds(TEXT) if figure not in measured] == []


def test_the_full_protocols_take_what_was_measured():
    rows = re.findall(r"^\| full (\w+) protocol, two cores \| (\d+) s", RESULTS, re.MULTILINE)
    words = " ".join(TEXT.split())
    assert "the full protocols take {synthetic} s and {digits} s".format(**dict(rows)) in words
