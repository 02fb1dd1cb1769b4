"""How long the report takes: building the page from JSON, and the browser's first paint of it.

Run with `python benchmarks/report.py`; exits with 1 when a promise is missed. Without Chromium the
paint is left out.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

# Run as a script, this file's own folder would hide packages that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

from oubli.checks.report.document import read
from oubli.checks.report.extras import Extras
from oubli.checks.report.folder import dumps
from oubli.checks.report.html import page
from oubli.checks.report.verdicts import document
from oubli.theory.paper import PAPER
from oubli.theory.paper.ledger import ledger

WANTED_BUILD, WANTED_PAINT, WANTED_BYTES = 5.0, 1.0, 3_000_000
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def verified(file: Path) -> float:
    """Seconds to judge the whole paper; the document goes into the file."""
    start = time.perf_counter()
    found = ledger()
    file.write_text(dumps(document(found, found.verify(), PAPER.displays())), encoding="utf-8")
    return time.perf_counter() - start


def built(source: Path, target: Path) -> float:
    """Seconds from JSON to the page, with nothing cached."""
    start = time.perf_counter()
    target.write_text(page(read(source), Extras()), encoding="utf-8")
    return time.perf_counter() - start


def painted(file: Path) -> float | None:
    """Seconds until the browser shows the page's first content, or None without a browser."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        return None
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1440,900"):
        options.add_argument(argument)
    chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        chrome.get(file.as_uri())
        return float(chrome.execute_script(PAINT))
    finally:
        chrome.quit()


def main() -> int:
    """Print what was measured; 1 if a promise is missed."""
    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "verdicts.json", Path(name) / "index.html"
        judging, building, size = verified(source), built(source, target), target.stat().st_size
        paint = painted(target)
    print(f"judging the paper      {judging:6.2f} s")
    print(f"building the page      {building:6.2f} s   {judging / building:.1f} times faster than judging")
    print(f"size of the page       {size / 1e6:6.2f} MB")
    print(f"first contentful paint {paint:6.2f} s" if paint is not None else "no Chromium: no paint")
    print(f"| page from JSON, {size / 1e6:.1f} MB | {building:.2f} s | judging, {judging:.2f} s "
          f"| {judging / building:.1f}× |")  # fmt: skip
    kept = building < WANTED_BUILD and size < WANTED_BYTES and (paint is None or paint < WANTED_PAINT)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
