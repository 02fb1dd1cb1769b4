"""The mathematics: one page for each family of claims, written from the verdicts of this very build.

Every claim of the ledger is judged again before the pages are written, so that no page shows a verdict of
another version. The pages go to docs/claims/, which is not under version control.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from sphinx.application import Sphinx

import oubli
from oubli.checks.report.html import RULES
from oubli.checks.report.layout import families, family
from oubli.checks.report.mathml import mathml
from oubli.checks.report.prose import Prose

Claim = Mapping[str, Any]
TEMPLATES = Path(__file__).parent.parent / "_templates"
STATUSES = ("PROVED", "REFUTED", "OPEN", "NONE")


def title(name: str, claims: Sequence[Claim]) -> str:
    """What a page is called: the numbers in the PDF of what it states, else where it begins; and the family.

    >>> title("e0", [{"number": "Lemma 4.1", "kind": "statement"}, {"number": "", "kind": "step"}])
    'Lemma 4.1 (e0)'
    >>> title("sharp", [{"number": "", "place": "", "kind": "theorem"}])
    'Theorems of our own (sharp)'
    """
    if all(c["kind"] == "theorem" for c in claims):
        return f"Theorems of our own ({name})"
    numbers = ", ".join(dict.fromkeys(c["number"] for c in claims if c["number"]))
    place = numbers or next((c["place"] for c in claims if c["place"]), "")
    return f"{place[0].upper()}{place[1:]} ({name})" if place else f"In the text ({name})"


def counts(claims: Sequence[Claim]) -> str:
    """How many claims there are of each status, in words."""
    found = Counter(c["status"] for c in claims)
    words = {"NONE": "not judged"}
    return ", ".join(f"{found[s]} {words.get(s, s.lower())}" for s in STATUSES if found[s])


def linked(keys: Sequence[str]) -> Callable[[str], Markup]:
    """Typesets prose; the keys in it lead to their pages."""
    prose = Prose(keys)

    def typeset(text: str) -> Markup:
        leads = re.sub(r'href="#claim-([^"]+)"', lambda m: f'href="{address(m[1])}"', str(prose(text)))
        return Markup(" ".join(leads.split()))

    return typeset


def address(key: str) -> str:
    """Where a claim stands, as seen from a page beside its own."""
    return f"{family(key)}.html#{anchor(key)}"


def anchor(key: str) -> str:
    """A claim's anchor, in the letters that Sphinx leaves alone.

    >>> anchor("opt_loss.step1.repaired")
    'claim-opt-loss-step1-repaired'
    """
    return "claim-" + re.sub(r"[^a-z0-9]+", "-", key.lower())


def pages(document: Mapping[str, Any]) -> dict[str, str]:
    """The Markdown of every page by name."""
    claims = document["claims"]
    known = {c["key"]: c for c in claims}
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(math=mathml, prose=linked(list(known)), address=address, anchor=anchor)
    found.globals.update(known=known, document=document, rules=RULES, title=title, counts=counts)
    found.globals.update(families=families(claims))
    out = {"index": found.get_template("claims.md.j2").render()}
    for name, members in families(claims).items():
        out[name] = found.get_template("family.md.j2").render(name=name, claims=members)
    return out


def write(app: Sphinx) -> None:
    """Judge the paper and write its pages; a page that did not change keeps its time."""
    folder = Path(app.srcdir) / "claims"
    folder.mkdir(exist_ok=True)
    made = pages(oubli.check().document)
    for old in folder.glob("*.md"):
        if old.stem not in made:
            old.unlink()
    for name, text in made.items():
        page = folder / f"{name}.md"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Writes the pages before Sphinx looks for sources."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
