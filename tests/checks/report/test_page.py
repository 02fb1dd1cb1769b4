"""The page as text: size, what each claim shows, and what the document says of witnesses and proofs."""

import json
import re
from collections.abc import Callable
from typing import Any

from oubli.checks.report.extras import Extras
from oubli.checks.report.html import digest, page
from oubli.checks.report.verdicts import document
from oubli.theory.judging.judge import steps_of
from oubli.theory.paper.ledger import ledger

Make = Callable[..., dict[str, Any]]


def by_key(paper: dict[str, Any], key: str) -> dict[str, Any]:
    return next(c for c in paper["claims"] if c["key"] == key)


def section(text: str, key: str) -> str:
    start = text.index(f'id="claim-{key}"')
    return text[start : text.index('<details class="claim', start)]


def test_the_page_of_the_paper_is_small_and_whole(paper: dict[str, Any]) -> None:
    times = {c["key"]: 0.0123 for c in paper["claims"]}
    written = page(paper, Extras(times=times))
    assert len(written.encode()) < 3_600_000
    assert written.count('<details class="claim') == len(paper["claims"])
    assert '<code class="tex">' not in written
    step = section(written, "e0")
    for part in ("e0.sign", "Steps of the printed proof", "12 ms", "lemma:scratch_e0", "exact instance"):
        assert part in step
    assert "e0.sign.repaired" in section(written, "e0.sign")


def test_the_policy_names_the_one_script(paper: dict[str, Any]) -> None:
    written = page(paper, Extras())
    (script,) = re.findall(r"<script>(.*?)</script>", written, re.S)
    assert f"script-src '{digest(script)}'" in written
    assert "default-src 'none'" in written


def test_a_witness_comes_with_its_numbers_put_in(paper: dict[str, Any]) -> None:
    # By hand: x = L/(3 mu) at L = 3, mu = 1 gives L x - 3 mu x^2/2 = 3/2 against L^2/(8 mu) = 9/8.
    found = by_key(paper, "e0.step")["witness"]
    assert found["shown"][-1] == {
        "role": "claimed",
        "tex": r"L x - \frac{3 \mu x^{2}}{2} \leq \frac{L^{2}}{8 \mu}",
        "there": r"\frac{3}{2} \leq \frac{9}{8}",
    }
    assert found["ratio"] == 1.33333
    # An equation has no ratio, and neither has a bound that is not positive.
    assert by_key(paper, "nft.noise")["witness"]["ratio"] is None
    assert by_key(paper, "e0.sign")["witness"]["ratio"] is None


def test_a_proved_claim_comes_with_the_steps_of_its_record(paper: dict[str, Any]) -> None:
    claims = ledger().claims
    for c in paper["claims"]:
        proved = c["certificate"] and c["certificate"]["kind"] == "proof"
        steps = steps_of(claims[c["key"]]) if proved else []
        assert [s["name"] for s in c["derivation"]] == [s["name"] for s in steps]
        assert [s["rule"] for s in c["derivation"]] == [s["by"]["rule"] for s in steps]
        assert all(s["tex"] for s in c["derivation"])


def test_a_part_of_the_ledger_has_a_page() -> None:
    found = ledger()
    part = document(found, found.verify(["e0"]))
    written = page(json.loads(json.dumps(part)), Extras())
    assert written.count('<details class="claim') == len(part["claims"]) < len(found.claims)


def test_an_unexpected_verdict_is_loud(claim: Make, documented: Make) -> None:
    keys = [f"k{i}" for i in range(11)]
    written = page(documented(*(claim(k, expected=False) for k in keys)), Extras())
    assert "11 not as expected" in written
    assert "and 3 more" in written


def test_an_empty_document_has_a_page(documented: Make) -> None:
    assert "Nothing: every judged statement stands." in page(documented(), Extras())


def test_every_display_of_the_paper_links_to_what_judges_it(paper: dict[str, Any]) -> None:
    written = page(paper, Extras())
    chapter = written.split('<section id="coverage"')[1].split("</section>")[0]
    for row in paper["coverage"]["displays"]:
        (item,) = re.findall(rf"<li><span class=\"place\">l\.{row['line']}</span>(.*?)</li>", chapter, re.S)
        judged, _, but = item.partition('<span class="but">')
        assert re.findall(r'href="#claim-([^"]+)"', judged) == row["keys"]
        assert bool(but) == bool(row["but"])
        assert ("definition</span>" in judged) == (row["kind"] == "definition")
    assert all(f'id="claim-{key}"' in written for row in paper["coverage"]["displays"] for key in row["keys"])
