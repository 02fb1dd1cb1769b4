"""FILE[:NAME] means the same for every command; what is wrong with it is one line that names the place."""

import pytest

from oubli.checks.experiments.own_rule import read_rule
from oubli.checks.runs.rule_file import RuleFileError, imported_beside, load_rule, read_file

RULE = "class Rule:\n    def step(self, t, theta, grad, memory, setup, rng):\n        return theta, None\n"


@pytest.fixture
def written(tmp_path):
    def write(text, name="rule.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("name", ["12:30/rule.py", "a:b.py", "rule:Rule"])
@pytest.mark.parametrize("wanted", ["", ":Rule"])
def test_a_colon_in_the_path_is_fine(written, name, wanted):
    file = read_file(f"{written(RULE, name)}{wanted}")
    assert file.name == wanted[1:]
    assert load_rule(file).__name__ == "Rule"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n1 / 0\n", "rule.py:2: cannot be imported (ZeroDivisionError: division by zero)"),
        ("x = 1\n\nclass (", "rule.py:3: cannot be imported (SyntaxError: "),
        ("def f():\n    raise OSError('no\\nluck')\nf()", "rule.py:2: cannot be imported (OSError: no luck)"),
        ("import nothing_like_this", "rule.py:1: cannot be imported (ModuleNotFoundError: "),
        ("raise SystemExit(0)", "rule.py:1: cannot be imported (SystemExit: 0)"),
        ("x = 1", "rule.py: one class with a step is needed, or FILE:NAME; found: none"),
        (f"{RULE}class Other(Rule): ...", "rule.py: one class with a step is needed"),
    ],
)
def test_the_audit_and_the_experiments_say_the_same_of_a_bad_file(written, run, tmp_path, text, says):
    path = written(text)
    for command in (
        ["audit", str(path), "--eps", "1", "--delta", "0.1"],
        ["phase", "synthetic", "--algorithm", str(path), "--out", str(tmp_path / "run")],
    ):
        code, _, said = run(*command)
        assert (code, said.count("\n")) == (2, 1)
        assert says in said


def test_a_constructor_that_fails_is_named_with_its_line(written):
    path = written(f"{RULE}    def __init__(self):\n        raise ValueError('never')\n")
    with pytest.raises(RuleFileError, match=r"--algorithm .*rule\.py:5: ValueError: never"):
        read_rule(str(path))


def test_the_files_beside_a_rule_are_part_of_it(written):
    written("STEP = 1\n", "beside_of_test.py")
    written("", "package_of_test/__init__.py")
    written("x = 2\n", "package_of_test/part.py")
    file = read_file(str(written(f"import beside_of_test, package_of_test.part\n{RULE}", "whole.py")))
    found = imported_beside(file)
    assert set(found) == {"beside_of_test", "package_of_test", "package_of_test.part"}
    assert file.record()["beside"] == found
    assert "beside" not in read_file(str(written(RULE, "elsewhere/alone.py"))).record()
    written("STEP = 2\n", "beside_of_test.py")
    assert imported_beside(file)["beside_of_test"] != found["beside_of_test"]


def test_a_rule_is_text_before_it_is_code(written):
    assert "1 / 0" in read_file(str(written("1 / 0"))).text
    with pytest.raises(RuleFileError, match="cannot be read"):
        read_file(str(written("").parent))
