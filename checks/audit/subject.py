"""The algorithm under audit: how an instance of it is made for each problem."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from oubli.checks.audit.guard import Fault, Guarded, Unwatched, Watch, guarded_call
from oubli.checks.audit.training import with_training
from oubli.sim.problems.problem import Problem


@dataclass(frozen=True, eq=False)
class Subject:
    """A maker of rules; `knows_problem` says that the class takes the problem in its constructor."""

    name: str
    make: Callable[[Problem], object]
    knows_problem: bool
    doc: str = ""
    watch: Watch = Unwatched()  # noqa: RUF009  (stateless)

    def on(self, problem: Problem) -> Guarded:
        """A fresh guarded rule for one problem."""
        made = guarded_call(self.watch, "__init__", self.make, problem)
        return Guarded(guarded_call(self.watch, "learn", with_training, made, problem), self.watch)


def subject_of(algorithm: Any, watch: Watch | None = None) -> Subject:
    """The subject that an instance, a class, or a function of the problem stands for.

    >>> from oubli.sim.algorithms import ScratchSGD, FullBatchDescent
    >>> subject_of(ScratchSGD()).knows_problem, subject_of(FullBatchDescent).knows_problem
    (False, True)
    """
    seen = watch or Unwatched()
    kind = algorithm if inspect.isclass(algorithm) or inspect.isroutine(algorithm) else type(algorithm)
    name, doc = getattr(kind, "__name__", str(kind)), inspect.getdoc(kind) or ""
    if not (inspect.isclass(algorithm) or inspect.isroutine(algorithm)):
        return Subject(name, lambda problem: algorithm, False, doc, seen)
    needed = _needed(algorithm)
    if needed == 0:
        return Subject(name, lambda problem: algorithm(), False, doc, seen)
    if needed == 1:
        return Subject(name, algorithm, True, doc, seen)
    raise Fault("__init__", "protocol", f"takes nothing or the problem, but needs {needed} arguments")


def _needed(maker: Callable[..., object]) -> int:
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return 0
    free = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in free and p.default is inspect.Parameter.empty for p in parameters)
