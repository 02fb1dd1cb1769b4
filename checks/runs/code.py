"""A name for the code of this project and the versions that its numbers depend on."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path

from oubli.checks.runs.files import digest

PARTS = ("checks", "sim", "theory")
# The package, whose parts may be links to folders beside it.
PACKAGE = Path(__file__).resolve().parents[2]


@cache
def code_digest() -> str:
    """A digest of every source file, by its place, and of the numerical packages.

    >>> len(code_digest()), code_digest() == code_digest()
    (64, True)
    """
    files = sorted(path for part in PARTS for path in (PACKAGE / part).rglob("*.py"))
    sources = [str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() for path in files]
    versions = [f"{name} {version(name)}".encode() for name in ("numpy", "scipy", "sympy")]
    return digest(b"\0".join([*sources, *versions]))
