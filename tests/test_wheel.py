"""The wheel as a stranger gets it: only `oubli` inside; every command works or names the missing extra."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from oubli.errors import EXTRAS

ROOT = Path(__file__).parent.parent
# The runtime dependencies are taken from this environment, what belongs to an extra is hidden.
HIDE = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {set(EXTRAS)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""
HELP = """
from click import Context, Group
from oubli.cli.main import commands

def walk(command, context):
    print(command.get_help(context))
    for name in command.list_commands(context) if isinstance(command, Group) else ():
        below = command.get_command(context, name)
        walk(below, Context(below, parent=context, info_name=name))

walk(commands, Context(commands, info_name="oubli"))
"""
PHASE = ["phase", "theory", "--rf", "1e-3", "--dim", "10", "--delta", "1e-6", "--columns", "20"]
BUDGET = ["--eps", "1", "--delta", "1e-5"]
WORKS = [
    ["--version"],
    ["tv", "100", "0.5", "0.55"],
    ["gauss", *BUDGET],
    ["claims"],
    ["show", "e0.step"],
    ["regime", "--rf", "0.001", *BUDGET, "--dim", "10", "--target", "0.05"],
    PHASE,
    [*PHASE, "--out", "grid.json"],
    ["audit", "--template"],
    ["regime", "--n", "60000", "--forget", "100", *BUDGET, "--dim", "10"],
    [*PHASE, "--html", "page.html"],
    ["help", "units"],
    ["completion", "zsh"],
]
NEEDS = {
    "plot": [[*PHASE, "--out", "picture.png"], ["phase", "synthetic", "--quick"]],
    "digits": [["phase", "digits", "--quick"]],
    "parquet": [["regime", "--batch", "rows.parquet"]],
}
# What the report of a part, in the folder of the run, is good for; and the reports that two commands need.
AFTER_CHECK = [
    ["report"],
    ["verify", "report/verdicts.json", "--json"],
    ["errata", "--from", "report"],
]
NEEDS_A_FILE = [
    ["constants", "--model", "ridge", "--lambda", "2", "--data", "none.npz"],
    ["paper", "nowhere.tex"],
    ["coverage", "nowhere.tex"],
    ["errata", "--from", "nowhere"],
    ["verify", "nowhere.json"],
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder]
    subprocess.run([*words, "--disable-pip-version-check", ROOT], check=True, timeout=120)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def oubli(wheel, tmp_path_factory):
    """The command of a fresh environment, run in an empty folder with an almost empty shell."""
    home = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True, timeout=60)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel]
    subprocess.run([*pip, "--disable-pip-version-check"], check=True, timeout=60)
    (site,) = home.glob("lib/python*/site-packages")
    here = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (site / "runtime.pth").write_text("\n".join(here) + "\n")
    # Not sitecustomize: a distribution's own one may come first.
    (site / "hidden_extras.py").write_text(HIDE)
    (site / "hidden_extras.pth").write_text("import hidden_extras\n")
    place = tmp_path_factory.mktemp("anywhere")
    clean = {"PATH": os.defpath, "HOME": str(place), "LANG": "C.UTF-8"}

    def run(*arguments, program="oubli"):
        words = [home / "bin" / program, *arguments]
        return subprocess.run(words, cwd=place, env=clean, capture_output=True, text=True, timeout=240)

    return run


def test_only_the_package_is_inside(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "oubli",
        f"{'-'.join(wheel.name.split('-')[:2])}.dist-info",
    }
    assert {name.split("/")[1] for name in names if name.startswith("oubli/")} >= {"theory", "sim", "checks"}
    stray = [n for n in names if Path(n).name.startswith(("test_", "conftest", "planted")) or "/tests/" in n]
    assert not stray
    assert not [name for name in names if "fixtures" in name or "adversarial" in name]
    assert "oubli/py.typed" in names


def test_it_is_the_installed_one_that_runs(oubli):
    done = oubli("-c", "import oubli; print(oubli.__file__)", program="python")
    assert "site-packages/oubli" in done.stdout
    assert str(ROOT) not in done.stdout


@pytest.mark.parametrize("arguments", WORKS, ids=" ".join)
def test_works_without_extras(oubli, arguments):
    done = oubli(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(("extra", "arguments"), [(e, a) for e, all_ in NEEDS.items() for a in all_], ids=str)
def test_names_the_missing_extra_in_one_line(oubli, extra, arguments):
    done = oubli(*arguments)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines()[-1].endswith(f"pip install 'oubli-unlearning[{extra}]'")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", NEEDS_A_FILE, ids=" ".join)
def test_what_cannot_be_read_is_one_line(oubli, arguments):
    done = oubli(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1


def test_check_report_verify_and_audit_from_any_folder(oubli):
    assert oubli("check", "e0").returncode == 0
    for arguments in AFTER_CHECK:
        done = oubli(*arguments)
        assert done.returncode == 0, done.stderr
        assert done.stdout
    template = oubli("audit", "--template").stdout
    done = oubli("-c", f"open('rule.py', 'w').write({template!r})", program="python")
    assert done.returncode == 0
    audited = oubli("audit", "rule.py", *BUDGET, "--runs", "2000", "--json")
    assert audited.returncode == 0, audited.stderr
    assert json.loads(audited.stdout)["verdict"] == "CONSISTENT"


def test_every_extra_that_is_named_exists_and_brings_what_is_missing():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    calls = [
        (path, name)
        for part in ("oubli", "checks", "sim", "theory")
        for path in (ROOT / part).rglob("*.py")
        for name in re.findall(r'optional\("(\w+)"', path.read_text())
    ]
    assert len(calls) > 5
    assert [(str(path), name) for path, name in calls if name not in extras] == []
    assert set(EXTRAS.values()) <= extras.keys()
    runtime = " ".join(project["dependencies"])
    assert not [name for name in ("pytest", "hypothesis", "matplotlib", "pandas") if name in runtime]


def test_every_command_and_subcommand_helps(oubli):
    done = oubli("-c", HELP, program="python")
    assert done.returncode == 0, done.stderr
    said = [words.split() for words in re.findall(r"Usage: oubli (.+)", done.stdout)]
    names = {" ".join(word for word in words if word.isalpha() and word.islower()) for words in said}
    helped = names - {"", "phase"}
    run = [*WORKS[1:], *NEEDS["plot"], *NEEDS["digits"], *AFTER_CHECK, ["check"]]
    tried = {" ".join(words[: 1 + (words[0] == "phase")]) for words in [*run, *NEEDS_A_FILE]}
    assert helped == tried, "a command that no test here runs"
