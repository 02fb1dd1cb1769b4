"""The template lists every field of what a rule is given, as the records have it today."""

from dataclasses import fields
from functools import cached_property

import pytest

from oubli.checks.audit.guard import OPTIONAL
from oubli.checks.audit.template import TEMPLATE, described
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup


@pytest.mark.parametrize(("record", "name"), [(Setup, "setup"), (Problem, "problem")])
def test_every_field_and_property_is_listed_with_its_meaning(record, name):
    lines = {line.split()[1]: line for line in TEMPLATE.splitlines() if line.startswith(f"# {name}.")}
    public = [key for key, v in vars(record).items() if isinstance(v, property | cached_property)]
    for key in [each.name for each in fields(record)] + public:
        assert len(lines[f"{name}.{key}"].split()) > 3
    assert len(lines) == len(list(described(record, name)))


def test_every_optional_method_is_listed():
    assert [name for name in OPTIONAL if f"{name}(self" not in TEMPLATE] == []


def test_a_field_without_a_meaning_would_be_seen():
    from dataclasses import make_dataclass

    with pytest.raises(KeyError):
        list(described(make_dataclass("Bare", ["x"]), "bare"))
