"""The algorithm under audit: how an instance of it is made for each problem, here or in another process."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from oubli.checks.audit.guard import FaultError, Guarded, defined_at, guarded_call
from oubli.checks.audit.training import with_training
from oubli.sim.problems.problem import Problem


@dataclass(frozen=True, eq=False)
class Subject:
    """A maker of rules; `knows_problem` says that the class takes the problem in its constructor."""

    name: str
    make: Callable[[Problem], object]
    knows_problem: bool
    doc: str = ""
    # Each rule of an isolated subject has a process of its own, so that two of them can run at once.
    isolated: bool = False
    # It trains the model itself, on the problem.
    trains: bool = False

    def on(self, problem: Problem) -> Guarded:
        """A fresh guarded rule for one problem."""
        made = guarded_call("__init__", self.make, problem)
        return made if isinstance(made, Guarded) else Guarded(with_training(made, problem))


def subject_of(algorithm: Any) -> Subject:
    """The subject that an instance, a class, or a function of the problem stands for.

    >>> from oubli.sim.algorithms import ScratchSGD, FullBatchDescent
    >>> subject_of(ScratchSGD()).knows_problem, subject_of(FullBatchDescent).knows_problem
    (False, True)
    """
    kind = algorithm if inspect.isclass(algorithm) or inspect.isroutine(algorithm) else type(algorithm)
    name, doc = getattr(kind, "__name__", str(kind)), inspect.getdoc(kind) or ""
    trains = callable(getattr(kind, "learn", None))
    if not (inspect.isclass(algorithm) or inspect.isroutine(algorithm)):
        return Subject(name, lambda problem: algorithm, False, doc, trains=trains)
    needed = _needed(algorithm)
    if not needed:
        return Subject(name, lambda problem: algorithm(), False, doc, trains=trains)
    if len(needed) == 1 and (inspect.isroutine(algorithm) or _is_problem(needed[0])):
        return Subject(name, algorithm, True, doc, trains=trains)
    names = ", ".join(parameter.name for parameter in needed)
    message = f"takes nothing or one argument called problem, but needs {names}: give defaults"
    raise FaultError("__init__", "protocol", message, defined_at(algorithm))


def _is_problem(parameter: inspect.Parameter) -> bool:
    return "problem" in parameter.name.lower() or "Problem" in str(parameter.annotation)


def _needed(maker: Callable[..., object]) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return []
    free = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p for p in parameters if p.kind in free and p.default is inspect.Parameter.empty]
