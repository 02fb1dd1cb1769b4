"""The independent parts of an experiment, with what each needs to run anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from oubli.checks.experiments.own_rule import made_rule
from oubli.checks.runs.blocks import Columns
from oubli.checks.runs.pool import PieceError
from oubli.checks.runs.rule_file import RuleFile, at_line, in_a_line


class Task(Protocol):
    """What the simulator computes: columns, from a protocol and the user's rules by label."""

    @property
    def key(self) -> str: ...
    def cost(self, protocol: Any) -> float: ...
    def run(self, protocol: Any, own: Mapping[str, Any]) -> Any: ...


@dataclass(frozen=True)
class ExperimentPiece:
    """A task with its protocol and the files of the user's rules, which are made where it runs."""

    protocol: Any
    own: tuple[RuleFile, ...]
    task: Task

    @property
    def key(self) -> str:
        """A name for files."""
        return self.task.key

    @property
    def cost(self) -> float:
        """Work, in units of the experiment's own."""
        return self.task.cost(self.protocol)

    def run(self) -> Columns:
        """The columns; PieceError in one line, with the line of the user's file, if the rule fails."""
        try:
            columns: Columns = self.task.run(self.protocol, {f.label: made_rule(f) for f in self.own})
            return columns
        except Exception as why:
            places = [at_line(why, file) for file in self.own]
            raise PieceError(": ".join([self.key, *places, in_a_line(why)])) from None


def pieces_of(protocol: Any, own: tuple[RuleFile, ...], tasks: Iterable[Task]) -> list[ExperimentPiece]:
    """A piece for every task."""
    return [ExperimentPiece(protocol, own, task) for task in tasks]
