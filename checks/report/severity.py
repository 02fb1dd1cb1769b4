"""How bad each error is: computed from the verdicts; the record only tells errors of one status apart.

>>> severity({"status": "PROVED", "proof": "BROKEN", "kind": "statement"}, None)
'proof broken, statement true'
>>> severity({"status": "REFUTED", "proof": "NONE", "kind": "step"}, None)
'slip'
"""

from collections.abc import Iterable
from typing import Any

from oubli.checks.report.document import OWN
from oubli.theory.records.printed import Severity

OPEN_PROOF = "proof broken, statement open"
ORDER = (str(Severity.FALLS), str(Severity.CONSTANT), OPEN_PROOF, str(Severity.PROOF), str(Severity.SLIP))
MEANS = {
    str(Severity.FALLS): "false as printed, and no choice of a constant that it leaves open saves it",
    str(Severity.CONSTANT): "false with the constant, scale or range that is printed, true with another",
    OPEN_PROOF: "the printed proof fails, and the statement as printed is not decided",
    str(Severity.PROOF): "the statement is true, its printed proof is not",
    str(Severity.SLIP): "a false line with a local correction",
}
ENVIRONMENTS = ("Theorem", "Corollary", "Lemma")
Row = dict[str, Any]


def severity(claim: Row, recorded: Severity | None) -> str | None:
    """The class of an error; None where nothing printed is wrong. Nothing is worse than its verdict."""
    if claim["kind"] in OWN:
        return None
    if claim["status"] == "REFUTED":
        default = Severity.SLIP if claim["kind"] == "step" else Severity.FALLS
        return str(recorded if recorded not in (None, Severity.PROOF) else default)
    if claim["proof"] != "BROKEN":
        return None
    return str(Severity.PROOF) if claim["status"] == "PROVED" else OPEN_PROOF


def counts(claims: Iterable[Row]) -> dict[str, int]:
    """How many errors of each class, worst first."""
    found = [c.get("severity") for c in claims]
    return {word: found.count(word) for word in ORDER}


def ranked(claims: Iterable[Row]) -> list[Row]:
    """The errors, worst class first; in a class theorems first, then lemmas, then what most depends on."""
    wrong = [c for c in claims if c.get("severity")]
    return sorted(wrong, key=lambda c: (ORDER.index(c["severity"]), rank(c), -len(c["affects"])))


def rank(claim: Row) -> int:
    """Theorems, corollaries and lemmas before what has no number of its own."""
    word = (claim.get("number") or "").split(" ")[0]
    return ENVIRONMENTS.index(word) if word in ENVIRONMENTS else len(ENVIRONMENTS)
