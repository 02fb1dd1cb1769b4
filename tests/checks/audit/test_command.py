"""`oubli audit`: output, exit codes, and classes that misbehave."""

import json
import os
import time

import pytest

from oubli.checks.audit.template import TEMPLATE
from oubli.checks.report.extras import extras
from oubli.cli.main import main

BUDGET = ("--eps", "1", "--delta", "1e-5", "--runs", "2000")
HEAD = "class Rule:\n    def step(self, t, theta, grad, memory, setup, rng):\n"


@pytest.fixture
def run(capfd):
    def call(*arguments):
        with pytest.raises(SystemExit) as leaving:
            main(["audit", *map(str, arguments)])
        captured = capfd.readouterr()
        return leaving.value.code, captured.out, captured.err

    return call


@pytest.fixture
def written(tmp_path):
    def write(text, name="rule.py"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_the_template_is_audited_within_half_a_minute(run, written):
    code, out, _ = run("--template")
    assert (code, out) == (0, TEMPLATE)
    begun = time.monotonic()
    code, out, _ = run(written(out), "--eps", "1", "--delta", "1e-5")
    assert code == 0
    assert time.monotonic() - begun < 30
    for part in ("MyRule: CONSISTENT", "privacy exact", "again: oubli audit"):
        assert part in out


def test_json_keeps_the_contract_and_its_bytes(run, written):
    path = written(TEMPLATE)
    code, out, err = run(path, *BUDGET, "--json")
    assert code == 0
    # Only the clock may speak.
    assert all(line.startswith("oubli: audit ") for line in err.splitlines())
    found = json.loads(out)
    assert list(found) == ["algorithm", "setup", "findings", "verdict"]
    wanted = {"check", "verdict", "claimed", "measured", "confidence", "level", "instance", "replay"}
    assert all(wanted <= set(finding) for finding in found["findings"])
    assert run(path, *BUDGET, "--json")[1] == out


@pytest.mark.parametrize(
    ("body", "check", "says"),
    [
        ("raise RuntimeError('mine')", "structure raises", "step: raises RuntimeError: mine"),
        ("raise SystemExit", "structure raises", "step: raises SystemExit"),
        ("return thet, None", "structure raises", "step: raises NameError: name 'thet'"),
        ("while True: pass", "structure time", "step: does not return"),
        ("return theta[:, :0], None", "structure shape", "step: theta must have shape"),
        ("return theta", "structure shape", "step: must return (theta, memory)"),
        ("return 'x', None", "structure shape", "step: theta must be an array"),
        ("return theta + float('nan'), None", "structure finite", "step: theta must be finite"),
        (
            "return theta + 1e200, None",
            "structure finite",
            "step: theta must be finite, got NaN, infinity or more",
        ),
        ("theta -= grad; return theta, None", "structure inputs", "step: writes to its inputs"),
        ("keep = [bytes(10**9) for _ in range(10**6)]", "structure allocation", "step: asks for more memory"),
        ("import numpy; numpy.zeros(10**12)", "structure allocation", "step: asks for more memory"),
        ("import os; os._exit(3)", "structure crash", "step: ended its process"),
        (
            "import os; os.fork(); return theta, None",
            "structure process",
            "step: starts another process (os.fork)",
        ),
        ("raise KeyboardInterrupt", "structure raises", "step: raises KeyboardInterrupt"),
        (r"raise ValueError('\ud800\x1b[31m')", "structure raises", "step: raises ValueError: ??[31m"),
        (
            "return theta + 1j, None",
            "structure shape",
            "step: theta must be an array of real numbers, got complex128",
        ),
        (
            "return type('Odd', (), {'__array__': lambda *a, **k: 1 / 0})(), None",
            "structure shape",
            "step: theta must be an array of real numbers, got Odd, which raises ZeroDivisionError: division",
        ),
        ("return theta.astype(str), None", "structure shape", "step: theta must be an array of real numbers"),
        ("return [[10**400]] * len(theta), None", "structure shape", "step: theta must be an array of real"),
    ],
)
def test_a_class_that_misbehaves_is_an_error_with_its_line(run, written, body, check, says):
    path = written(f"{HEAD}        {body}\n")
    code, out, _ = run(path, *BUDGET, "--json", "--call-seconds", "1")
    found = json.loads(out)["findings"][-1]
    assert (code, found["check"], found["verdict"]) == (2, check, "ERROR")
    place, _, message = found["says"].partition(": ")
    assert message.startswith(says)
    # The line of the body, or that of the method where no line of it raised.
    assert place in (f"{path}:2", f"{path}:3")
    assert json.loads(out)["verdict"] == "ERROR"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("noise_scale = 3", 1, "noise_scale: must be a method, got 3"),
        ("def least_steps(self, setup): return 2.5", 4, "least_steps: must return an integer, got 2.5"),
        ("def noise_scale(self, setup): return 'much'", 4, "noise_scale: must return a finite number >= 0"),
        ("def noise_schedule(self, setup): return 7", 4, "noise_schedule: noise_schedule must return a list"),
        ("def __init__(self, lr): pass", 4, "__init__: takes nothing or one argument called problem"),
    ],
)
def test_a_declaration_that_cannot_be_used_is_an_error_with_its_line(run, written, text, line, says):
    path = written(f"{HEAD}        return theta, None\n    {text}\n")
    code, out, _ = run(path, *BUDGET, "--json", "--steps", "2")
    found = json.loads(out)["findings"][-1]
    assert (code, found["verdict"]) == (2, "ERROR")
    assert found["says"].startswith(f"{path}:{line}: {says}")


def test_what_the_class_prints_stays_out_of_the_json(run, written):
    path = written(f"{HEAD}        print('noise'); return theta * 0, None\n")
    code, out, _ = run(path, *BUDGET, "--json", "--steps", "1")
    assert code in (0, 1)
    assert json.loads(out)["algorithm"] == "Rule"


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        (None, BUDGET, "cannot be read (No such file or directory)"),
        ("import nothing_like_this", BUDGET, "cannot be imported (ModuleNotFoundError"),
        ("raise SystemExit(0)", BUDGET, "cannot be imported (SystemExit"),
        ("class (", BUDGET, "cannot be imported (SyntaxError"),
        ("x = 1", BUDGET, "one class with a step is needed"),
        ("while True: pass", (*BUDGET, "--call-seconds", "1"), "the import does not return"),
        (TEMPLATE, ("--eps", "1", "--delta", "2"), "delta must lie in [0, 1), got 2.0"),
        (TEMPLATE, ("--eps", "-1", "--delta", "0.1"), "eps"),
        (TEMPLATE, ("--eps", "1e-8", "--delta", "0.1"), "eps must lie in [1e-06, 10000]"),
        (TEMPLATE, ("--eps", "1", "--delta", "0.95"), "delta must be 0 or lie in [1e-300, 0.9]"),
        (TEMPLATE, (*BUDGET, "--memory-gb", "0.01"), "memory_gb must be at least 0.5"),
        (TEMPLATE, (*BUDGET, "--dim", "0"), "d must be an integer >= 1"),
        (TEMPLATE, (*BUDGET, "--runs", "1" + 12 * "0"), "runs must be at most 1000000000"),
        (TEMPLATE, ("--eps", "1"), "--delta"),
    ],
)
def test_bad_input_is_one_line(run, written, tmp_path, text, arguments, says):
    path = tmp_path / "absent.py" if text is None else written(text)
    code, out, err = run(path, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("oubli: ")
    assert err.count("\n") == 1
    assert says in err


def test_a_name_chooses_among_several(run, written):
    path = written(f"{TEMPLATE}\n\nclass Other(MyRule):\n    pass\n")
    assert run(path, *BUDGET)[0] == 2
    assert "Other: CONSISTENT" in run(f"{path}:Other", *BUDGET)[1]
    assert "has no Third" in run(f"{path}:Third", *BUDGET)[2]


def test_the_report_gains_an_audit_and_loses_nothing(run, written, tmp_path):
    folder = tmp_path / "report"
    assert run(written(TEMPLATE), *BUDGET, "--out", folder)[0] == 0
    broken = written(f"{HEAD}        return theta * float('inf'), '<b>'\n", "broken.py")
    assert run(broken, *BUDGET, "--out", folder)[0] == 2
    beside = extras(folder)
    assert beside.notices == ()
    assert [audit["algorithm"] for audit in beside.audits] == ["MyRule", "Rule"]
    page = (folder / "audit-MyRule.html").read_text()
    assert page.count("<svg") == 4
    before = (folder / "audit.json").read_bytes()
    assert run(tmp_path / "absent.py", *BUDGET, "--out", folder)[0] == 2
    assert (folder / "audit.json").read_bytes() == before
    assert sorted(os.listdir(folder)) == ["audit-MyRule.html", "audit-Rule.html", "audit.json"]


def test_memory_that_is_kept_from_call_to_call_is_found_too(run, written):
    body = "Rule.kept = [*getattr(Rule, 'kept', []), bytes(2 * 10**8)]; return theta, None"
    code, out, _ = run(written(f"{HEAD}        {body}\n"), *BUDGET, "--json", "--memory-gb", "1")
    found = json.loads(out)["findings"][-1]
    assert (code, found["check"], found["verdict"]) == (2, "structure allocation", "ERROR")
    assert found["measured"]["method"] == "step"
