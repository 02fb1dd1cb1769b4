"""`oubli help`, completion, and what all commands have in common."""

import json
import subprocess
import sys

import click
import numpy as np
import pytest

from oubli.cli.help import topics
from oubli.cli.main import commands


def walk(command=commands, context=None, path=("oubli",)):
    """Every command with its path, those inside groups too."""
    context = context or click.Context(command, info_name="oubli")
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        yield from walk(below, click.Context(below, parent=context, info_name=name), (*path, name))


EVERY = dict(walk())


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_has_examples_that_name_it(path):
    assert "Examples:" in EVERY[path].help
    assert " ".join(path) in EVERY[path].help


@pytest.mark.parametrize("path", [path for path in EVERY if path[1] != "completion"], ids=" ".join)
def test_every_command_speaks_json(path):
    assert "as_json" in {option.name for option in EVERY[path].params}


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_writes_where_it_is_asked_to(path):
    assert "out" in {option.name for option in EVERY[path].params}


# One call of each command whose answer is one text; the others write folders and pictures by --out.
ANSWERS = {
    "claims": (),
    "show": ("e0.step",),
    "verify": ("certificate.json",),
    "coverage": (),
    "errata": (),
    "tv": ("10", "0.5", "0.6"),
    "gauss": ("--eps", "1", "--delta", "1e-5"),
    "regime": ("--rf", "0.001", "--eps", "4", "--delta", "1e-6", "--dim", "10", "--target", "0.02"),
    "constants": ("--model", "ridge", "--lambda", "0.1", "--data", "rows.npz"),
    "help": ("units",),
    "completion": ("bash",),
}
FOLDERS = {"check", "report", "paper", "phase", "audit"}


def test_no_command_is_forgotten():
    assert ANSWERS.keys() | FOLDERS == {path[1] for path in EVERY}


@pytest.fixture
def beside(tmp_path, monkeypatch, run):
    """A folder with what the calls read."""
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(0).normal(size=(20, 2))
    np.savez("rows.npz", X=rows, y=np.sign(rows[:, 0]))
    made = json.loads(run("show", "e0.step", "--json")[1])["witness"]["certificate"]
    (tmp_path / "certificate.json").write_text(json.dumps(made))
    return tmp_path


@pytest.mark.parametrize("name", ANSWERS)
def test_out_holds_what_the_screen_would_show_and_json_what_json_gives(name, run, beside):
    code, screen, _ = run(name, *ANSWERS[name])
    assert run(name, *ANSWERS[name], "--out", "answer.txt")[:2] == (code, "")
    assert (beside / "answer.txt").read_text() == screen != ""
    if name != "completion":
        data = json.loads(run(name, *ANSWERS[name], "--json")[1])
        assert run(name, *ANSWERS[name], "--out", "answer.json")[:2] == (code, "")
        assert json.loads((beside / "answer.json").read_text()) == data


@pytest.mark.parametrize("name", ANSWERS)
def test_what_cannot_be_written_is_one_line(name, run, beside):
    code, out, err = run(name, *ANSWERS[name], "--out", "no/such/folder/answer.txt")
    assert (code, out) == (2, "")
    assert err.startswith("oubli: out = no/such/folder/answer.txt: ")
    assert err.count("\n") == 1


def test_every_option_of_the_calculator_has_its_line_of_help():
    for path in (("oubli", "regime"), ("oubli", "constants"), ("oubli", "phase", "theory")):
        assert all(option.help for option in EVERY[path].params if isinstance(option, click.Option))


@pytest.mark.parametrize("topic", ["regime", "audit", "check", "verdicts", "units", "exit-status"])
def test_a_topic_is_a_page(run, topic):
    code, out, _ = run("help", topic)
    assert code == 0
    assert out.startswith(f"{topic} - ")
    assert max(map(len, out.splitlines())) <= 120
    assert f"  {topic} " in run("help")[1]
    assert json.loads(run("help", topic, "--json")[1]) == {"topic": topic, "text": topics()[topic]}


def test_what_is_no_topic_is_a_command_or_one_line(run):
    assert run("help", "phase", "theory")[1].startswith("Usage: oubli phase theory")
    code, out, err = run("help", "regim")
    assert (code, out) == (2, "")
    assert err == "oubli: regim: no such topic; did you mean regime?\n"


def test_a_misspelt_command_gets_the_nearest_and_no_command_the_whole_page(run):
    code, out, err = run("regim")
    assert (code, out) == (2, "")
    assert err == "oubli: No such command 'regim': did you mean regime? (see `oubli --help`)\n"
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err.startswith("Usage: oubli [OPTIONS] COMMAND [ARGS]...\n\n  When is")
    assert "\n  regime      Add noise, fine-tune, or retrain? What to do in numbers.\n" in err


def test_no_line_of_the_list_is_cut_off(run):
    for group in ((), ("phase",)):
        listed = run(*group, "--help")[1].partition("Commands:")[2]
        assert listed.count("\n") > 3
        assert "..." not in listed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(run, shell):
    code, out, _ = run("completion", shell)
    assert code == 0
    assert f"_OUBLI_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("oubli regime --for", ["plain,--forget"]),
        ("oubli con", ["plain,constants"]),
        ("oubli help un", ["plain,units"]),
        ("oubli help re", ["plain,regime", "plain,report"]),
        ("oubli regim --for", []),
    ],
)
def test_completion_completes(words, completed):
    environment = {
        "_OUBLI_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    code = "from oubli.cli.main import main; main([])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == completed
    assert done.stderr == ""
