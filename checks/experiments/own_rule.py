"""A user's update rule in an experiment: made anew in every process that needs it."""

from __future__ import annotations

from oubli.checks.runs.rule_file import RuleFile, RuleFileError, at_line, in_a_line, load_rule, read_file
from oubli.sim.runs.algorithm import UpdateRule, check_rule


def read_rule(given: str) -> RuleFile:
    """FILE[:NAME] with its text; RuleFileError when there is no such file, name or rule."""
    try:
        found = read_file(given)
        made_rule(found)
    except RuleFileError as why:
        raise RuleFileError(f"--algorithm {why}") from None
    return found


def made_rule(file: RuleFile) -> UpdateRule:
    """A new instance of the rule."""
    found = load_rule(file)
    try:
        return check_rule(found() if isinstance(found, type) else found)
    except Exception as why:
        raise RuleFileError(f"{at_line(why, file)}: {in_a_line(why)}") from None
