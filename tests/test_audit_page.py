"""docs/audit.md: its files are written, its Python run and its commands shown to print what the page says."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")


def commands(body):
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield command, shown


def matches(shown, got):
    pattern = "\n".join(".*" if line == "…" else re.escape(line) for line in shown)
    return re.fullmatch(pattern, got.rstrip("\n"), re.DOTALL) is not None


def run(command, folder):
    place = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
    clean = {"PATH": place, "HOME": str(folder), "LANG": "C.UTF-8", "COLUMNS": "118"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=clean, capture_output=True, text=True, timeout=240
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_the_page_runs_from_top_to_bottom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for kind, body in BLOCKS:
        if kind == "python" and (named := FILE.match(body)):
            (tmp_path / named[1]).write_text(body, encoding="utf-8")
        elif kind == "python":
            found = doctest.DocTestParser().get_doctest(body, names, "docs/audit.md", None, 0)
            assert found.examples
            assert doctest.DocTestRunner().run(found, clear_globs=False).failed == 0
            names = found.globs
        else:
            assert kind == "console"
            for command, shown in commands(body):
                got = run(command, tmp_path)
                assert matches(shown, got), f"{command}\n{got}"


@pytest.mark.parametrize("got", ["Mine: VIOLATED\nmore", "Mine: CONSISTENT"])
def test_a_planted_difference_is_seen(got):
    assert not matches(["Mine: CONSISTENT", "…", "again"], got)
