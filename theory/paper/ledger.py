"""All claims of the paper, gathered and judged once."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from oubli.theory.judging.ledger import Entry, Ledger
from oubli.theory.paper import (
    PAPER,
    algorithms,
    binomial,
    chains,
    diagram,
    displays,
    efficient,
    every_budget,
    gauss,
    inefficient,
    inline,
    lecam,
    optima,
    privacy,
    scratch,
    sentences,
    setup,
    trivial,
    two_starts,
    unprojected,
    walk,
)
from oubli.theory.paper.sharper import SHARPER

MODULES = (
    setup,
    algorithms,
    unprojected,
    privacy,
    gauss,
    scratch,
    walk,
    optima,
    trivial,
    efficient,
    every_budget,
    binomial,
    chains,
    two_starts,
    lecam,
    inefficient,
    displays,
    inline,
    diagram,
    sentences,
    *SHARPER,
)


def ledger() -> Ledger:
    """All claims of the paper, with their repairs.

    Returns:
        The ledger; `ledger().claims[key]` is a record, `ledger().verify(key)` judges it.

    >>> ledger().claims["e0.step"].source.line
    1272
    """
    return Ledger(PAPER.claims())


@cache
def verified() -> Mapping[str, Entry]:
    """Every claim of the paper, judged once in this process."""
    return MappingProxyType(ledger().verify())
