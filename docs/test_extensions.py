"""The build itself: a planted error in a page stops it, and a sound page passes."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parent / "_ext"
CONF = f"""
import sys
sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ["myst_parser", "commands", "folders", "formulas"]
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
html_theme = "basic"
"""
SOUND = "# Page\n\n$x^2$ in [a folder](../)\n\n```{run}\n:status: 3\n\nexit 3\n```\n"
PLANTED = {
    "a command that fails": ("```{run}\nfalse\n```\n", "false ended with 1"),
    "a command that should fail": ("```{run}\n:status: 1\n\ntrue\n```\n", "true ended with 0"),
    "a formula that cannot be converted": (r"$\left( x$", "cannot be converted"),
    "a page that is not there": ("[there](gone.md)", "gone.md"),
}


def built(text, folder):
    """A site of one page, with warnings as errors."""
    (folder / "conf.py").write_text(CONF)
    (folder / "index.md").write_text(text)
    words = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(folder), str(folder / "out")]
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def test_a_sound_page_is_built_with_mathml(tmp_path):
    done = built(SOUND, tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in page


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_stops_the_build(name, tmp_path):
    text, says = PLANTED[name]
    done = built(f"# Page\n\n{text}\n", tmp_path)
    assert done.returncode != 0
    assert says in done.stderr


@pytest.mark.parametrize("name", ["commands", "ledger_pages"])
def test_examples(name, monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    assert doctest.testmod(import_module(name)).failed == 0
