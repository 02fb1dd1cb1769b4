"""When to forget? Explicit constants from the ledger, as brackets, regimes and a phase diagram.

Floats propose, and the records decide: a bracket end is certified by putting the exact numbers of the row
into a record of the ledger that was accepted as PROVED. The classification, which reads the table of these
records, is imported when it is asked for: the table itself is written with this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oubli.theory.regimes.query import Noise, Notion, Query, QueryError, query

if TYPE_CHECKING:
    from oubli.theory.regimes.classification import Classification, Constants, classify

__all__ = ["Classification", "Constants", "Noise", "Notion", "Query", "QueryError", "classify", "query"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.classification"), name)
