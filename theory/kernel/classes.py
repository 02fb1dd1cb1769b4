"""Classes of losses: what a paper brings beside the core of the kernel, and how the kernel finds it.

Part of what must be trusted: standard library only. A class is one file of a paper's folder. It defines

    NAME        what the class is called
    PARAMETERS  the letters that its objects depend on: no theorem about objects is put to other values
    TERMS       its own terms: {head: (kind, argument, …)}, where the kind is "made" (a vector), "drawn" (a
                random vector) or "measure" (a number), an argument "loss", "vector", "number" or "time"
    SCHEMAS     {name: function of a proof and objects that returns a Theorem}
    member      a function of a proof and a loss: what has to hold for the loss to be in the class

and is trusted for that paper, and for no other: a statement names the digest of the file, and a proof may use
the schemas of that file alone, and what lemmas say that name the same one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from oubli.theory.kernel.objects import FIXED, HEADS
from oubli.theory.kernel.poly import FUNCTIONS, Theorem, need

KINDS = ("made", "drawn", "measure")
TAKEN = {*HEADS, *FUNCTIONS, "+", "*", "^", "@", "pi"}  # heads of the core


class Class(NamedTuple):
    """A class of losses: its parameters, terms, schemas, and what makes a loss one of it."""

    name: str
    parameters: frozenset[str]
    terms: Mapping[str, tuple[str, ...]]
    schemas: Mapping[str, Callable[..., Theorem]]
    member: Callable[..., list[Any]]
    rules: tuple[str, ...] = ()

    def laws(self) -> tuple[str, ...]:
        """The heads of numbers that speak of all outcomes at once: means, and what the class measures."""
        return (*FIXED, *(head for head, (kind, *_) in self.terms.items() if kind == "measure"))


CLASSES: dict[str, Class] = {}  # by the digest of the file that defines each


def load(path: Path) -> list[str]:
    """Read the file of a class: the kind of the letter by which statements say which class they are about.

    Args:
        path: The file.

    Returns:
        ["class", its name, the SHA-256 of the file].
    """
    source, own = path.read_bytes(), dict[str, Any]({"__name__": path.stem})
    digest = hashlib.sha256(source).hexdigest()
    exec(compile(source, str(path), "exec"), own)
    # Noise knows the dimension in every class, and the terms of the core know L and mu.
    parameters = frozenset({*own["PARAMETERS"], "L", "mu", "d"})
    found = Class(own["NAME"], parameters, dict(own["TERMS"]), dict(own["SCHEMAS"]), own["member"])
    need(not TAKEN & found.terms.keys(), "a term of the core is defined anew")
    need({kind for kind, *_ in found.terms.values()} <= {*KINDS}, "not a kind of term")
    CLASSES[digest] = found
    return ["class", found.name, digest]


def find(kinds: list[Any], own: Class) -> Class:
    """The class that a statement names; the kernel's own if it names none."""
    if not kinds:
        return own
    _, name, digest = kinds[0]
    need(digest in CLASSES and CLASSES[digest].name == name, f"unknown class {name!r:.60}")
    return CLASSES[digest]
