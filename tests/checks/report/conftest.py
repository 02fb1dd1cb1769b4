"""A small made-up document for the parts, the real one for the whole, and a browser for the page."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from oubli.checks.report.extras import Extras
from oubli.checks.report.html import page
from oubli.checks.report.printed import as_printed
from oubli.checks.report.verdicts import document
from oubli.theory.paper import PAPER
from oubli.theory.paper.ledger import ledger, verified

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
)
SCREENS = Path(__file__).parents[3] / "report-screens"


def made_claim(key: str, **fields: Any) -> dict[str, Any]:
    """A claim of the document with nothing in it but what is given."""
    blank: dict[str, Any] = {
        "key": key,
        "parent": None,
        "kind": "statement",
        "source": {"line": 1, "label": ""},
        "title": f"title of {key}",
        "note": "",
        "tex": {"given": [], "says": "x \\leq 1", "where": []},
        "text": {"given": [], "says": "x <= 1", "where": []},
        "status": "PROVED",
        "effective": "PROVED",
        "proof": "NONE",
        "expected": True,
        "engine": "identity",
        "reason": "",
        "assumes": [],
        "uses": [],
        "printed_uses": [],
        "steps": [],
        "affects": [],
        "repaired_by": None,
        "witness": None,
        "certificate": None,
        "empirical": None,
        "tight": {"attained": False, "instance": None},
    }
    assert fields.keys() <= blank.keys() | {"derivation"}
    return {**blank, **fields}


def made_document(*claims: dict[str, Any]) -> dict[str, Any]:
    """A document of some claims, with its summary."""
    words = ("PROVED", "REFUTED", "OPEN", "NONE")
    return {
        "schema": 1,
        "summary": {
            "claims": len(claims),
            **{word: sum(c["status"] == word for c in claims) for word in words},
            "broken_proofs": sum(c["proof"] == "BROKEN" for c in claims),
            "unexpected": [c["key"] for c in claims if not c["expected"]],
        },
        "textbook": {},
        "class": {},
        "claims": list(claims),
    }


@pytest.fixture(scope="session")
def claim() -> Callable[..., dict[str, Any]]:
    """Makes a claim."""
    return made_claim


@pytest.fixture(scope="session")
def documented() -> Callable[..., dict[str, Any]]:
    """Makes a document of claims."""
    return made_document


@pytest.fixture(scope="session")
def paper() -> dict[str, Any]:
    """The document of the paper itself."""
    return as_printed(document(ledger(), verified(), PAPER.displays()), ledger(), PAPER.edition)


@pytest.fixture(scope="session")
def paper_page(paper: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the paper's page on disk."""
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_text(page(paper, Extras()), encoding="utf-8")
    return file.as_uri()


def found_browser() -> tuple[str, str]:
    """Chromium and its driver; without them a build server fails and a person's machine skips."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    driver = shutil.which("chromedriver")
    if browser and driver:
        return browser, driver
    reason = "no chromium with chromedriver found (Debian: apt-get install chromium chromium-driver)"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[webdriver.Chrome]:
    """A fresh headless browser that tells what it logs and what it asks for."""
    binary, driver = found_browser()
    options = Options()
    options.binary_location = binary
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        chrome = webdriver.Chrome(options=options, service=Service(driver))
        yield chrome
        chrome.quit()


@pytest.fixture
def desktop(browser: webdriver.Chrome) -> webdriver.Chrome:
    """The browser with a desktop's window and a light theme."""
    return sized(browser, 1440, 900)


@pytest.fixture
def phone(browser: webdriver.Chrome) -> webdriver.Chrome:
    """The browser as a telephone."""
    return sized(browser, 390, 844)


@pytest.fixture
def window(browser: webdriver.Chrome) -> Callable[[int, int], webdriver.Chrome]:
    """The browser with a window of any size."""
    return partial(sized, browser)


def sized(chrome: webdriver.Chrome, width: int, height: int) -> webdriver.Chrome:
    """The browser with that window, nothing stored and old logs read away."""
    chrome.get("about:blank")
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    light = {"media": "", "features": [{"name": "prefers-color-scheme", "value": "light"}]}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", light)
    for log in ("browser", "performance"):
        chrome.get_log(log)
    return chrome


@pytest.fixture(scope="session")
def screens() -> Path:
    """Where screenshots for a person go."""
    SCREENS.mkdir(exist_ok=True)
    return SCREENS
