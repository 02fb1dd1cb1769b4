"""The registry of named algorithms, found by looking into this folder: no new file is forgotten."""

from functools import cache
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import oubli.sim.algorithms as package
from oubli.sim.problems.problem import Problem

# What an algorithm is: a class with a step; its other methods say what it claims and how it is computed.
Rule = Any


def discovered(folder: ModuleType) -> dict[str, type[Rule]]:
    """Name -> class of every class with a step that a module of the package defines, sorted by name."""
    modules = [import_module(f"{folder.__name__}.{found.name}") for found in iter_modules(folder.__path__)]
    classes = {
        value.__name__: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "step")
    }
    return dict(sorted(classes.items()))


@cache
def named_algorithms() -> dict[str, type[Rule]]:
    """Every algorithm of the simulator by name.

    >>> {"ScratchSGD", "RareLeak", "NoiseAndFineTunePrinted"} <= named_algorithms().keys()
    True
    """
    return discovered(package)


def closed_forms() -> dict[str, type[Rule]]:
    """Those that state a recipe of their own; an inherited one may be of another noise.

    >>> "ScratchSGD" in closed_forms(), "NoisyProjectedSGD" in closed_forms()
    (True, False)
    """
    return {name: rule for name, rule in named_algorithms().items() if "recipe" in vars(rule)}


def made(rule: type[Rule], problem: Problem) -> Rule:
    """An instance of a rule; one that looks at the problem is given it."""
    return rule(problem) if "problem" in signature(rule).parameters else rule()
