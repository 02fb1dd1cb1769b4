"""Who accepted each verdict: the checker alone, or the checker and Coq.

>>> lemma = {"claim": "a", "accepted": True}
>>> _words({"lemmas": [lemma], "not_exported": [{"claim": "b"}]}, ["a", "b"])
{'a': 'checker and Coq', 'b': 'checker'}
"""

from collections.abc import Iterable, Mapping
from typing import Any

from oubli.checks.coq.summary import certificates, fingerprint
from oubli.checks.report.document import Document

ALONE, BOTH = "checker", "checker and Coq"


def confirmed(coq: Mapping[str, Any] | None, document: Document) -> dict[str, str]:
    """Key -> who accepted its certificate; empty if Coq was not asked about these certificates."""
    if not coq or coq["of"] != fingerprint(certificates(document)):
        return {}
    return _words(coq, (c["key"] for c in document["claims"] if c["status"] in ("PROVED", "REFUTED")))


def _words(coq: Mapping[str, Any], keys: Iterable[str]) -> dict[str, str]:
    return {key: _word(coq, key) for key in keys}


def _word(coq: Mapping[str, Any], key: str) -> str:
    """Coq counts only if it accepted every step of the certificate."""
    lemmas = [item["accepted"] for item in coq["lemmas"] if item["claim"] == key]
    left_out = [item for item in coq["not_exported"] if item["claim"] == key]
    if lemmas and all(lemmas) and not left_out:
        return BOTH
    if not any(lemmas):
        return ALONE
    return f"{ALONE}, and by Coq in {sum(lemmas)} of {len(lemmas) + len(left_out)} steps"
