"""What Coq confirmed, in counts and in one line."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Document = Mapping[str, Any]
COMBINED = ("combination", "identity")
COMPUTED = ("subdivision", "witness", "exact")


def fingerprint(certificates: Iterable[Any]) -> str:
    """The name of a set of certificates: a confirmation is of these and of no others."""
    texts = sorted(json.dumps(c, sort_keys=True) for c in certificates)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def certificates(document: Document) -> list[Any]:
    """The certificates of a report's verdicts."""
    both = [c.get("certificate") or (c.get("witness") or {}).get("certificate") for c in document["claims"]]
    return [certificate for certificate in both if certificate]


def counts(found: Document, kinds: tuple[str, ...]) -> tuple[int, int]:
    """(confirmed, all) among the steps of some kinds, those that have no lemma included.

    >>> lemma = {"kind": "identity", "accepted": True}
    >>> counts({"lemmas": [lemma], "not_exported": [{"kind": "identity"}]}, COMBINED)
    (1, 2)
    """
    lemmas = [item for item in found["lemmas"] if item["kind"] in kinds]
    left_out = [item for item in found["not_exported"] if item["kind"] in kinds]
    return sum(item["accepted"] for item in lemmas), len(lemmas) + len(left_out)


def sentence(found: Document | None, document: Document) -> str:
    """The line of the report; empty if Coq was not asked, a warning if it was asked about other proofs."""
    if not found:
        return ""
    if found["of"] != fingerprint(certificates(document)):
        return "Coq was asked about other certificates than these; `oubli verify --coq` asks again."
    (n, combined), (m, computed) = counts(found, COMBINED), counts(found, COMPUTED)
    return (
        f"{n} of {combined} combination steps and {m} of {computed} computed relations "
        f"are confirmed by Coq {found['coq']}."
    )


def outcome_lines(found: Document) -> list[str]:
    """The outcome for a terminal: counts by kind, then whatever is not confirmed or not exported, and why."""
    lines = [f"Coq {found['coq']}:"]
    for kind in (*COMBINED, *COMPUTED):
        accepted, of = counts(found, (kind,))
        lines.append(f"  {kind:<12}{accepted:>5} of {of} confirmed")
    missed = [item for item in found["lemmas"] if not item["accepted"]]
    lines += [f"  not confirmed: {item['claim']} ({item['step']}): {item['reason']}" for item in missed]
    reasons = Counter(item["reason"] for item in found["not_exported"])
    lines += [f"  not exported: {number} ({reason})" for reason, number in reasons.most_common()]
    total = len(found["lemmas"])
    return [*lines, f"{total} lemmas exported, {total - len(missed)} accepted by coqc"]
