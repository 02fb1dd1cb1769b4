"""One claim at one instance, in the paper's letters: their values, which hypotheses hold, both sides."""

import numpy as np
import sympy as sp

from oubli.checks.measure.relation import FUNCTIONS, Letters, numeric
from oubli.theory.records.claim import Claim


def letters_of(claim: Claim, letters: Letters) -> dict[str, float]:
    """The claim's own letters, those of the conclusion first, as far as they were drawn or measured.

    >>> import numpy as np
    >>> from oubli.theory.paper.ledger import ledger
    >>> letters_of(ledger().claims["tv_bound.arcsine"], Letters({"x_unit": np.array([0.5]), "q": np.ones(1)}))
    {'x_unit': 0.5}
    """
    assert claim.statement is not None
    relations = [claim.statement.says, *(item.relation for item in claim.statement.given)]
    names = dict.fromkeys(n for relation in relations for n in sorted(map(str, relation.free_symbols)))
    return {n: float(letters.take([0]).values[n][0]) for n in names if n in letters.values}


def hypotheses_at(claim: Claim, letters: Letters) -> list[tuple[str, bool]]:
    """The hypotheses whose letters are all known, and whether each holds."""
    assert claim.statement is not None
    relations = [numeric(item.relation) for item in claim.statement.given]
    return [
        (str(item.relation), not bool(relation.anyhow(letters).fails[0]))
        for item, relation in zip(claim.statement.given, relations, strict=True)
        if set(relation.names) <= letters.values.keys()
    ]


def conclusion_at(claim: Claim, letters: Letters) -> str:
    """The conclusion with the numbers of both sides, in the order in which it is written.

    >>> import numpy as np
    >>> from oubli.theory.paper.ledger import ledger
    >>> conclusion_at(ledger().claims["tv_bound.arcsine"], Letters({"x_unit": np.array([1.0])}))
    'asin(x_unit) <= pi*x_unit/2: 1.5707963268 against 1.5707963268'
    """
    assert claim.statement is not None
    says = claim.statement.says
    symbols = sorted(says.free_symbols, key=lambda s: s.name)
    sides = sp.lambdify(symbols, (says.lhs, says.rhs), modules=[FUNCTIONS, "numpy"], dummify=True)
    with np.errstate(all="ignore"):
        left, right = sides(*(float(letters.take([0]).values[s.name][0]) for s in symbols))
    return f"{says}: {float(left):.11g} against {float(right):.11g}"


def explained(claim: Claim, letters: Letters) -> tuple[str, ...]:
    """The lines for a person: letters, the hypotheses that fail, the conclusion."""
    known = ", ".join(f"{name} = {value:.12g}" for name, value in letters_of(claim, letters).items())
    broken = [f"given {relation}: fails" for relation, holds in hypotheses_at(claim, letters) if not holds]
    return (f"at {known}", *broken, f"says {conclusion_at(claim, letters)}")
