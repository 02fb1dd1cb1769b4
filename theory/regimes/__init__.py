"""When to forget? Explicit constants from the ledger, as brackets, regimes and a phase diagram.

The only other part of the project that this package knows is `sim.laws`, which knows nothing of it.
"""

from theory.regimes.classification import Classification, Constants, classify
from theory.regimes.query import BadQuery, Noise, Notion, Query, query

__all__ = ["BadQuery", "Classification", "Constants", "Noise", "Notion", "Query", "classify", "query"]
