"""An audit's own page in a real browser, for a rule that passes and one that does not."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from oubli.checks.audit import Settings, quick_audit
from oubli.checks.audit.publish import page_name, publish_audit
from oubli.checks.report.extras import extras
from oubli.checks.report.html import page
from oubli.sim.algorithms.exact_noise import ExactNoise
from tests.fixtures.faulty import TenthNoise

Window = Callable[[int, int], Chrome]
CLASHES = """const out = [];
for (const svg of document.querySelectorAll('svg')) {
  const frame = svg.getBoundingClientRect(), words = [...svg.querySelectorAll('text')];
  const box = word => word.getBoundingClientRect();
  for (const [i, word] of words.entries()) {
    const b = box(word);
    if (b.left < frame.left - 1 || b.right > frame.right + 1) out.push(word.textContent);
    for (const other of words.slice(i + 1)) {
      const c = box(other);
      if (b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom)
        out.push(word.textContent + ' on ' + other.textContent);
    }
  }
}
return out"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("audits")
    for algorithm in (ExactNoise, TenthNoise):
        publish_audit(made, quick_audit(algorithm, Settings(1.0, 1e-5, rf=0.1, steps=5, runs=20_000)))
    return made


@pytest.mark.parametrize(("name", "verdict"), [("ExactNoise", "CONSISTENT"), ("TenthNoise", "VIOLATED")])
@pytest.mark.parametrize("width", [390, 1440])
def test_page(window: Window, folder: Path, name: str, verdict: str, width: int) -> None:
    browser = window(width, 900)
    browser.get((folder / f"audit-{name}.html").as_uri())
    assert browser.find_element(By.TAG_NAME, "h1").text == f"Audit of {name}: {verdict}"
    titles = [svg.get_attribute("aria-label") for svg in browser.find_elements(By.TAG_NAME, "svg")]
    assert len(titles) == 4
    assert {"Risk over T", "The claimed budget in the certified diagram"} <= set(titles)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    # No word of a picture leaves it, and none lies on another one.
    assert browser.execute_script(CLASHES) == []


def test_violated_findings_come_first_and_the_pages_are_there(browser: Chrome, folder: Path) -> None:
    browser.get((folder / "audit-TenthNoise.html").as_uri())
    cells = browser.find_elements(By.CSS_SELECTOR, "td.verdict")
    assert cells[0].text == "✗ violated"
    pages = [audit["page"] for audit in extras(folder).audits]
    assert pages == ["audit-ExactNoise.html", "audit-TenthNoise.html"]
    assert all((folder / name).is_file() for name in pages)


def test_the_report_links_the_pages_and_nothing_else(
    folder: Path, documented: Callable[..., dict[str, Any]], claim: Callable[..., dict[str, Any]]
) -> None:
    beside = extras(folder)
    text = page(documented(claim("a")), beside)
    assert 'href="audit-TenthNoise.html"' in text
    bad = replace(beside, audits=({**beside.audits[0], "page": "javascript:alert(1)"},))
    assert "javascript:alert" not in page(documented(claim("a")), bad)


def test_a_name_cannot_leave_the_folder() -> None:
    found = quick_audit(ExactNoise, Settings(1.0, 1e-5, runs=200))
    assert page_name(type(found)("../<x>", found.setup, (), "")) == "audit-____x_.html"
