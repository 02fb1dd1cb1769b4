"""Exact: a closed claim, settled by evaluating it in rationals at the instance it speaks of.

Finite sums over finite laws (total variation, hockey-stick divergences), values and slopes of members on
the line: no tolerance, no search.
"""

from __future__ import annotations

from typing import Any

from theory.claim import Claim
from theory.engines import witness
from theory.proof import Exact


def certify(claim: Claim, rule: Exact) -> dict[str, Any]:
    """A certificate candidate: the instance, as the checker reads it."""
    return {"witness": witness.encoded(claim.instances[rule.instance])}
