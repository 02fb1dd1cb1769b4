"""The paper "When to Forget? Complexity Trade-offs in Machine Unlearning", claim by claim.

Nothing outside this package knows this paper: a second paper is a second package of records.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from theory.ledger import Entry, Ledger
from theory.paper import (
    algorithms,
    binomial,
    diagram,
    displays,
    efficient,
    gauss,
    inefficient,
    inline,
    lecam,
    optima,
    privacy,
    scratch,
    setup,
    sharp_cube,
    sharp_exact,
    sharp_kink,
    sharp_linear,
    sharp_lower,
    sharp_noise,
    sharp_privacy,
    sharp_release,
    sharp_scratch,
    sharp_sensitivity,
    sharp_sgd,
    sharp_sums,
    sharp_two_point,
    trivial,
)

MODULES = (
    setup,
    algorithms,
    privacy,
    gauss,
    scratch,
    optima,
    trivial,
    efficient,
    binomial,
    lecam,
    inefficient,
    displays,
    inline,
    diagram,
    sharp_noise,
    sharp_release,
    sharp_sgd,
    sharp_sums,
    sharp_linear,
    sharp_scratch,
    sharp_privacy,
    sharp_sensitivity,
    sharp_lower,
    sharp_cube,
    sharp_two_point,
    sharp_kink,
    sharp_exact,
)


def ledger() -> Ledger:
    """All claims of the paper, with their repairs."""
    return Ledger(claim for module in MODULES for claim in module.CLAIMS)


@cache
def verified() -> Mapping[str, Entry]:
    """Every claim of the paper, judged once in this process."""
    return MappingProxyType(ledger().verify())
