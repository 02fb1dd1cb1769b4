"""The built site: no link leads nowhere, nothing is loaded from elsewhere, every claim has its place.

`make docs` runs this after the build.
"""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import oubli

SITE = Path(__file__).parent / "_build" / "html"
ADDRESS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src", "iframe": "src"}


class Page(HTMLParser):
    """Anchors and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.leads, self.loads = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors |= {given[key] for key in ("id", "name") if given.get(key)}
        address = given.get(ADDRESS.get(tag, ""))
        if address:
            self.leads.append(address)
            if tag not in ("a", "link") or given.get("rel") == "stylesheet":
                self.loads.append(address)


def dead(pages, site):
    """Every internal link of the pages that leads nowhere."""
    out = []
    for path, page in pages.items():
        for address in page.leads:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            if not target.exists() or (known and unquote(parts.fragment) not in known.anchors):
                out.append(f"{path.relative_to(site)}: {address}")
    return out


def read(site):
    """All pages of a site by path."""
    return {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.fixture(scope="module")
def pages():
    found = read(SITE)
    assert found, "the site is not built: run make docs"
    return found


def test_every_internal_link_leads_somewhere(pages):
    assert dead(pages, SITE.resolve()) == []


def test_nothing_is_loaded_from_elsewhere(pages):
    foreign = [a for page in pages.values() for a in page.loads if urlsplit(a).netloc]
    assert foreign == []


def test_every_claim_has_its_place(pages):
    anchors = {anchor for page in pages.values() for anchor in page.anchors}
    place = {key: "claim-" + key.lower().replace(".", "-").replace("_", "-") for key in oubli.ledger().claims}
    assert [key for key, anchor in place.items() if anchor not in anchors] == []


def test_every_public_name_is_on_the_page_of_the_api(pages):
    page = pages[(SITE / "api.html").resolve()]
    names = [name for name in oubli.__all__ if name != "__version__"]
    assert [name for name in names if f"oubli.{name}" not in page.anchors] == []


@pytest.mark.parametrize("link", ["gone.html", "#gone", "page.html#gone", "gone.png"])
def test_a_planted_dead_link_is_seen(link, tmp_path):
    (tmp_path / "page.html").write_text(f'<a id="here" href="{link}">x</a> <a href="#here">y</a>')
    site = tmp_path.resolve()
    assert dead(read(site), site) == [f"page.html: {link}"]
