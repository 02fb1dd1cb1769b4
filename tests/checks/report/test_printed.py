"""What the PDF shows of the claims is held against the ledger and its verdicts."""

import itertools
import re
from typing import Any

import pytest

from oubli.checks.report.lookup import resolve
from oubli.checks.report.severity import ORDER, counts, ranked, severity
from oubli.errors import InputError
from oubli.theory.paper.ledger import ledger
from oubli.theory.paper.printed import EDITION
from oubli.theory.records.printed import Severity

Document = dict[str, Any]
LEDGER = ledger()


def test_every_key_of_the_printed_records_is_a_claim() -> None:
    mentioned = {key for e in EDITION.environments for key in e.keys} | EDITION.errata.keys()
    assert mentioned <= LEDGER.claims.keys()


def test_an_environment_holds_its_claims_lines_and_label() -> None:
    for e in EDITION.environments:
        for key in e.keys:
            source = LEDGER.claims[key].source
            here = [e.lines, *([e.proof] if e.proof else [])]
            # Lemma 4.1 is proved with Lemma 4.2; a claim stands in its environment or in its proof.
            assert any(first <= source.line <= last for first, last in here), key
            assert source.label in ("", e.label), key


def test_equation_numbers_rise_with_their_lines() -> None:
    lines = [pair for _, pair in sorted(EDITION.equations.items())]
    assert sorted(EDITION.equations) == list(range(1, 56))
    assert all(first <= last for first, last in lines)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(lines))


@pytest.mark.parametrize(
    "name", ["Theorem 1", "thm 1", "Thm. 1", "theo:trivial_regime", "l.531", "531", "line 531", "trivial"]
)
def test_theorem_1_is_found_by_every_name(name: str) -> None:
    assert resolve(name, LEDGER.claims, EDITION) == ("trivial",)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Lemma 3.1", ("def.to_reference", "def.from_reference")),
        ("lemma b.2", ("tv_bound",)),
        ("Cor. 2", ("efficient.corollary",)),
        ("Eq. (17)", ("trivial.step2",)),
        ("1077", ("trivial.step3",)),
        ("Definition 2", ("def.unlearning",)),
    ],
)
def test_other_names(name: str, keys: tuple[str, ...]) -> None:
    assert resolve(name, LEDGER.claims, EDITION) == keys


@pytest.mark.parametrize("name", ["Theorem 9", "l.999999", "", "theo:nothing", "trvial"])
def test_an_unknown_name_is_one_line(name: str) -> None:
    with pytest.raises(InputError, match=r"no such claim") as why:
        resolve(name, LEDGER.claims, EDITION)
    assert "\n" not in str(why.value)


def test_severity_agrees_with_the_verdicts(paper: Document) -> None:
    known = {c["key"]: c for c in paper["claims"]}
    for c in paper["claims"]:
        assert not _complaint(c, known), c["key"]


def _stands(key: str | None, known: dict[str, Document]) -> bool:
    """A claim stands, itself or as repaired."""
    c = known.get(key or "")
    return c is not None and (c["effective"] in ("PROVED", "NONE") or _stands(c["repaired_by"], known))


def _complaint(c: Document, known: dict[str, Document]) -> str:
    """Why the severity of a claim contradicts its verdict; empty if it does not."""
    word, broken = c["severity"], c["proof"] == "BROKEN"
    if word is None:
        return "an error without severity" if c["kind"] != "repair" and c["status"] == "REFUTED" else ""
    if word == Severity.PROOF:
        return "" if c["effective"] == "PROVED" and broken else "not a true statement with a broken proof"
    if word in ORDER and word not in list(Severity):
        return "" if c["status"] == "OPEN" and broken else "not an open statement with a broken proof"
    if c["effective"] != "REFUTED" or not _stands(c["repaired_by"], known):
        return "not effectively refuted, or without a repair that stands"
    if word == Severity.FALLS:
        return "" if c["kind"] in ("statement", "theorem") else "a step cannot be a theorem that falls"
    if word == Severity.SLIP and c["parent"]:
        return "" if _stands(c["parent"], known) else "its parent does not stand, even repaired"
    return ""


@pytest.mark.parametrize(
    "planted",
    [
        {"severity": "theorem falls", "effective": "PROVED", "status": "PROVED"},
        {"severity": "theorem falls", "kind": "step"},
        {"severity": "proof broken, statement true"},
        {"severity": "slip", "repaired_by": None},
        {"severity": None},
    ],
)
def test_a_wrong_severity_is_caught(paper: Document, planted: Document) -> None:
    known = {c["key"]: c for c in paper["claims"]}
    assert _complaint({**known["trivial"], **planted}, known)


def test_every_error_is_told_in_plain_words(paper: Document) -> None:
    wrong = [c for c in paper["claims"] if c["severity"]]
    assert wrong
    for c in wrong:
        assert c["erratum"], c["key"]
        for name in ("plain", "instead"):
            text = c["erratum"][name]
            assert re.fullmatch(r".{8,}\.", text), (c["key"], text)
            assert not re.search(r"\\|\*\*|<=|>=|\b(eps|kappa|rho|sqrt)\b", text), (c["key"], text)
        assert all(c["erratum"][name] for name in ("printed", "repair")), c["key"]


def test_counts_are_apart_and_sorted(paper: Document) -> None:
    found = paper["summary"]["severity"]
    assert list(found) == list(ORDER)
    assert found == counts(paper["claims"])
    words = [c["severity"] for c in ranked(paper["claims"])]
    assert words == sorted(words, key=ORDER.index)
    assert len(words) == sum(found.values())
    assert ranked(paper["claims"])[0]["key"] == "trivial"


def test_a_recorded_severity_never_outdoes_the_verdict() -> None:
    stands = {"kind": "statement", "status": "PROVED", "proof": "SOUND"}
    assert severity(stands, Severity.FALLS) is None


def test_the_meaning_of_the_times_is_named_where_it_is_used(paper: Document) -> None:
    known = {c["key"]: c for c in paper["claims"]}
    for key in ("scratch.theta", "inefficient", "inefficient.repaired", "efficient", "sharp.scratch.lower"):
        assert any("def.time.order" in line for line in known[key]["remarks"]), key
    assert not known["opt_dist"]["remarks"]


def test_the_refutation_of_theorem_1_says_where_it_holds(paper: Document) -> None:
    erratum = next(c for c in paper["claims"] if c["key"] == "trivial")["erratum"]["plain"]
    for piece in ("ε of about 2.48", "ε ≤ 1", "not known"):
        assert piece in erratum
