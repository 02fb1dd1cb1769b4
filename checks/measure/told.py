"""One claim at one instance, told in the paper's letters: what they are, which facts hold, both sides."""

from __future__ import annotations

import numpy as np
import sympy as sp

from checks.measure.relation import FUNCTIONS, Letters, numeric
from theory.claim import Claim


def letters_of(claim: Claim, letters: Letters) -> dict[str, float]:
    """The claim's own letters, those of the conclusion first, as far as they were drawn or measured.

    >>> import numpy as np
    >>> from theory.paper import ledger
    >>> letters_of(ledger().claims["tv_bound.arcsine"], Letters({"x_01": np.array([0.5]), "q": np.ones(1)}))
    {'x_01': 0.5}
    """
    assert claim.statement is not None
    relations = [claim.statement.says, *(item.relation for item in claim.statement.given)]
    names = dict.fromkeys(n for relation in relations for n in sorted(map(str, relation.free_symbols)))
    return {n: float(letters.take([0]).values[n][0]) for n in names if n in letters.values}


def facts_told(claim: Claim, letters: Letters) -> list[tuple[str, bool]]:
    """The hypotheses whose letters are all known, and whether each holds."""
    assert claim.statement is not None
    relations = [numeric(item.relation) for item in claim.statement.given]
    return [
        (str(item.relation), not bool(relation.anyhow(letters).fails[0]))
        for item, relation in zip(claim.statement.given, relations, strict=True)
        if set(relation.names) <= letters.values.keys()
    ]


def conclusion_told(claim: Claim, letters: Letters) -> str:
    """The conclusion with the numbers of both sides, in the order in which it is written.

    >>> import numpy as np
    >>> from theory.paper import ledger
    >>> conclusion_told(ledger().claims["tv_bound.arcsine"], Letters({"x_01": np.array([1.0])}))
    'asin(x_01) <= pi*x_01/2: 1.5707963268 against 1.5707963268'
    """
    assert claim.statement is not None
    says = claim.statement.says
    symbols = sorted(says.free_symbols, key=lambda s: s.name)
    sides = sp.lambdify(symbols, (says.lhs, says.rhs), modules=[FUNCTIONS, "numpy"], dummify=True)
    with np.errstate(all="ignore"):
        left, right = sides(*(float(letters.take([0]).values[s.name][0]) for s in symbols))
    return f"{says}: {float(left):.11g} against {float(right):.11g}"


def told(claim: Claim, letters: Letters) -> tuple[str, ...]:
    """The lines for a person: letters, the facts that fail, the conclusion."""
    known = ", ".join(f"{name} = {value:.12g}" for name, value in letters_of(claim, letters).items())
    broken = [f"given {fact}: fails" for fact, holds in facts_told(claim, letters) if not holds]
    return (f"at {known}", *broken, f"says {conclusion_told(claim, letters)}")
