"""Text from anywhere stays text: no name, docstring, witness or error can become part of the page."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from oubli.checks.report.extras import Extras, extras
from oubli.checks.report.html import page
from oubli.checks.report.markdown import report
from oubli.checks.report.mathml import ELEMENTS

ATTACKS = (
    "<script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    "'\"><svg onload=window.hacked=1>",
    "</title></style></script><script>window.hacked=1</script>",
    '<a href="javascript:window.hacked=1">x</a>',
    "{{ 7*191 }}{% raw %}",
    "<!-- ",
    "javascript:window.hacked=1",
)


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def hostile_claims(claim: Callable[..., dict[str, Any]], bad: str) -> list[dict[str, Any]]:
    tex = {
        "given": [{"tex": f"\\text{{{bad}}}", "why": bad}],
        "says": f"\\href{{javascript:alert(1)}}{{x}} \\text{{{bad}}}",
        "where": [{"symbol": bad, "domain": bad, "meaning": bad}],
    }
    text = {"given": [bad], "says": bad, "where": [bad]}
    rows = [{"role": "claimed", "tex": bad, "there": bad}]
    witness = {"says": bad, "values": {bad: bad}, "lines": [bad, f"because {bad}"], "shown": rows}
    empirical = {"cases": bad, "worst_ratio": 0.5, "violated": False, "confidence": bad, "instance": bad}
    step = {"name": bad, "rule": bad, "size": bad, "tex": bad}
    first = claim(
        "a.first",
        title=bad,
        note=bad,
        tex=tex,
        text=text,
        witness=witness,
        status="REFUTED",
        engine=bad,
        effective="REFUTED",
        repaired_by="a.second",
        source={"line": 1, "label": bad},
        uses=[bad],
        assumes=[bad],
        affects=[bad],
        kind=bad,
        expected=False,
    )
    second = claim(
        "a.second",
        title=bad,
        reason=bad,
        status="OPEN",
        effective="OPEN",
        repaired_by="a.first",
        empirical=empirical,
        tight={"attained": True, "instance": bad},
        derivation=[step],
    )
    plain = claim("a.third", witness={**witness, "shown": []}, status="REFUTED", effective="REFUTED")
    return [first, second, plain]


def hostile_extras(bad: str, folder: Path) -> Extras:
    finding = {"title": bad, "verdict": "VIOLATED", "says": bad, "claim": bad, "numbers": {bad: bad}}
    audit = {"algorithm": bad, "doc": bad, "error": bad, "findings": [finding]}
    axis = {"label": bad, "values": [bad]}
    diagram = {"title": bad, "note": bad, "x": axis, "y": axis, "cells": [[bad]], "meaning": {bad: bad}}
    (folder / "audit.json").write_text(json.dumps({"schema": 1, "audits": [audit]}))
    story = {"title": bad, "findings": [{"paper": bad, "here": bad, "reproduced": bad}], "why": [bad]}
    phase = {"schema": 1, "diagrams": [diagram], "stories": [story]}
    (folder / "phase.json").write_text(json.dumps(phase))
    (folder / "timings.json").write_text(json.dumps({"schema": bad}))
    found = extras(folder)
    assert found.audits
    assert found.diagrams
    assert found.stories
    assert found.notices
    return found


@pytest.mark.parametrize("bad", ATTACKS)
def test_nothing_foreign_gets_into_the_page(
    bad: str, claim: Callable[..., dict[str, Any]], documented: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    made = documented(*hostile_claims(claim, bad))
    made["class"], made["textbook"] = {bad: bad}, {bad: bad}
    tags = Elements(page(made, hostile_extras(bad, tmp_path))).tags
    calm = documented(*hostile_claims(claim, "calm"))
    known = {tag for tag, _ in Elements(page(calm, Extras())).tags} | {"figure", "figcaption", "pre", "tbody"}
    assert {tag for tag, _ in tags} <= known | ELEMENTS | {"sub", "sup"}
    assert sum(tag == "script" for tag, _ in tags) == 1
    for tag, attributes in tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert not {"src", "srcdoc", "action", "formaction", "xlink:href"} & attributes.keys(), tag
        assert (attributes.get("href") or "#").startswith("#"), tag


@pytest.mark.parametrize("bad", ATTACKS)
def test_no_script_runs_in_a_browser(
    bad: str,
    claim: Callable[..., dict[str, Any]],
    documented: Callable[..., dict[str, Any]],
    tmp_path: Path,
    desktop: Chrome,
) -> None:
    file = tmp_path / "index.html"
    made = documented(*hostile_claims(claim, bad))
    file.write_text(page(made, hostile_extras(bad, tmp_path)), encoding="utf-8")
    desktop.get(file.as_uri())
    desktop.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    desktop.execute_script("document.querySelectorAll('a.node').forEach(n => n.focus())")
    assert desktop.execute_script("return window.hacked") is None
    assert desktop.get_log("browser") == []
    assert bad.strip() in desktop.execute_script("return document.querySelector('.audit h3').textContent")


def test_markdown_keeps_tags_out(
    claim: Callable[..., dict[str, Any]], documented: Callable[..., dict[str, Any]]
) -> None:
    written = report(documented(claim("a", title="<script>x</script> and <u, v> <= 1", note="<img src=x>")))
    assert {tag for tag, _ in Elements(written).tags} == {"a"}
