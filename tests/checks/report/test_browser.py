"""The page in a real browser."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

ROLES = {"button", "link", "searchbox", "textbox", "checkbox", "DisclosureTriangle", "region", "navigation"}
KEYS = "return [...document.querySelectorAll('details.claim')].filter(c => !c.hidden).map(c => c.dataset.key)"
# Of each claim its mark's shape, colour and width, in one call: the graph has hundreds of nodes.
LOOKS = """return Object.fromEntries([...document.querySelectorAll('a.node')].map(n => {
  const mark = n.querySelector('.mark use');
  const colour = getComputedStyle(mark).getPropertyValue('--body');
  return [n.dataset.key, [mark.getAttribute('href'), colour, mark.getBBox().width]]; }))"""
BRIGHT = "return document.querySelectorAll('a.node:not(.dim)').length"


def node(chrome: Chrome, key: str) -> WebElement:
    return chrome.find_element(By.CSS_SELECTOR, f'a.node[data-key="{key}"]')


def requested(chrome: Chrome) -> list[str]:
    events = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]
    return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]


def hovered(chrome: Chrome, element: WebElement) -> None:
    chrome.execute_script("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", element)
    ActionChains(chrome).move_to_element(element.find_element(By.CSS_SELECTOR, ".mark")).perform()


def clicked(chrome: Chrome, element: WebElement) -> None:
    hovered(chrome, element)
    ActionChains(chrome).click().perform()


@pytest.fixture(scope="session")
def refuted(paper: dict[str, Any]) -> dict[str, Any]:
    return next(c for c in paper["claims"] if c["witness"] and c["repaired_by"])


def test_the_page_is_quiet_and_stays_on_disk(desktop: Chrome, paper_page: str) -> None:
    desktop.get(paper_page)
    for chapter in ("#graph", "#errata", "#tightness", "#claims"):
        desktop.get(paper_page + chapter)
    assert desktop.get_log("browser") == []
    asked = requested(desktop)
    assert asked
    assert {url.split("#")[0] for url in asked} == {paper_page}


def test_one_node_per_claim(desktop: Chrome, paper_page: str, paper: dict[str, Any]) -> None:
    desktop.get(paper_page)
    keys = desktop.execute_script(
        "return [...document.querySelectorAll('svg#drawing a.node')].map(n => n.dataset.key)"
    )
    assert sorted(keys) == sorted(c["key"] for c in paper["claims"])


def test_first_screen_has_numbers_graph_and_errata(
    desktop: Chrome, paper_page: str, paper: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    numbers = [int(e.text) for e in desktop.find_elements(By.CSS_SELECTOR, ".tile .number")]
    assert numbers == [paper["summary"][word] for word in ("PROVED", "REFUTED", "OPEN")]
    for part in (".tiles", "#drawing", ".brief li"):
        assert desktop.find_element(By.CSS_SELECTOR, part).rect["y"] < 400, part


def test_shape_and_colour_follow_the_effective_status(
    desktop: Chrome, paper_page: str, paper: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    looks: dict[str, tuple[str, str]] = {}
    drawn = desktop.execute_script(LOOKS)
    for c in paper["claims"]:
        shape, colour, width = drawn[c["key"]]
        assert width > 5, "nothing is drawn"
        assert looks.setdefault(c["effective"], (shape, colour)) == (shape, colour)
    shapes, colours = zip(*looks.values(), strict=True)
    assert len(set(shapes)) == len(set(colours)) == len(looks) >= 3


def test_a_click_on_a_refuted_node_shows_its_witness(
    desktop: Chrome, paper_page: str, refuted: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    claim = desktop.find_element(By.ID, f"claim-{refuted['key']}")
    witness = claim.find_element(By.CSS_SELECTOR, ".witness")
    assert not witness.is_displayed()
    clicked(desktop, node(desktop, refuted["key"]))
    assert witness.is_displayed()
    assert desktop.current_url.endswith(f"#claim-{refuted['key']}")
    assert "false" in witness.text
    assert 0 <= desktop.execute_script("return arguments[0].getBoundingClientRect().top", claim) < 200


def test_hover_and_focus_show_the_statement_as_mathematics(
    desktop: Chrome, paper_page: str, refuted: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    tip = desktop.find_element(By.ID, "tip")
    assert not tip.is_displayed()
    hovered(desktop, node(desktop, refuted["key"]))
    assert tip.is_displayed()
    assert refuted["key"] in tip.text
    assert tip.find_elements(By.CSS_SELECTOR, "math")
    desktop.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert not tip.is_displayed()
    other = node(desktop, refuted["repaired_by"])
    desktop.execute_script("arguments[0].focus()", other)
    assert refuted["repaired_by"] in tip.text


def test_keyboard_walks_the_graph_and_opens_a_claim(desktop: Chrome, paper_page: str) -> None:
    desktop.get(paper_page)
    first = desktop.find_element(By.CSS_SELECTOR, "a.node")
    desktop.execute_script("arguments[0].focus()", first)
    ActionChains(desktop).send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT).perform()
    key = desktop.execute_script("return document.activeElement.dataset.key")
    assert key
    assert key != first.get_attribute("data-key")
    ActionChains(desktop).send_keys(Keys.ENTER).perform()
    assert desktop.find_element(By.ID, f"claim-{key}").get_attribute("open")


def test_filter_by_status(desktop: Chrome, paper_page: str, paper: dict[str, Any]) -> None:
    desktop.get(paper_page)
    fallen = [c["key"] for c in paper["claims"] if c["effective"] == "REFUTED"]
    desktop.find_element(By.CSS_SELECTOR, 'button[data-filter="REFUTED"]').click()
    assert sorted(desktop.execute_script(KEYS)) == sorted(fallen)
    assert desktop.execute_script(BRIGHT) == len(fallen)
    assert f"{len(fallen)} of {len(paper['claims'])}" in desktop.find_element(By.ID, "count").text
    desktop.find_element(By.CSS_SELECTOR, 'button[data-filter="BROKEN"]').click()
    both = [c["key"] for c in paper["claims"] if c["effective"] == "REFUTED" and c["proof"] == "BROKEN"]
    assert sorted(desktop.execute_script(KEYS)) == sorted(both)
    desktop.find_element(By.ID, "clear").click()
    assert len(desktop.execute_script(KEYS)) == len(paper["claims"])


def test_search_narrows_and_says_when_nothing_is_found(
    desktop: Chrome, paper_page: str, refuted: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    ActionChains(desktop).send_keys("/").perform()
    box = desktop.switch_to.active_element
    box.send_keys(refuted["key"])
    assert refuted["key"] in desktop.execute_script(KEYS)
    assert desktop.execute_script(BRIGHT) < len(desktop.find_elements(By.CSS_SELECTOR, "a.node"))
    box.send_keys(" no such words at all")
    assert desktop.execute_script(KEYS) == []
    assert desktop.find_element(By.ID, "nothing").is_displayed()
    box.send_keys(Keys.ESCAPE)
    assert refuted["key"] in desktop.execute_script(KEYS)


def test_an_anchor_opens_a_claim_that_a_filter_hides(
    desktop: Chrome, paper_page: str, refuted: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    desktop.find_element(By.CSS_SELECTOR, 'button[data-filter="PROVED"]').click()
    desktop.execute_script(f"location.hash = 'claim-{refuted['key']}'")
    ActionChains(desktop).pause(0.1).perform()
    assert desktop.find_element(By.ID, f"claim-{refuted['key']}").is_displayed()


NAMES = ["Theorem 1", "thm 1", "theo:trivial_regime", "l.531", "531", "trivial"]


@pytest.mark.parametrize("name", NAMES)
def test_search_and_anchors_accept_every_name_of_theorem_1(
    desktop: Chrome, paper_page: str, name: str
) -> None:
    desktop.get("about:blank")
    desktop.get(f"{paper_page}#{name}")
    claim = desktop.find_element(By.ID, "claim-trivial")
    assert claim.get_attribute("open")
    top = "return arguments[0].getBoundingClientRect().top"
    WebDriverWait(desktop, 5).until(lambda chrome: 0 <= chrome.execute_script(top, claim) < 200)
    desktop.get(paper_page)
    box = desktop.find_element(By.ID, "search")
    box.send_keys(name)
    found = desktop.execute_script(KEYS)
    assert "trivial" in found
    # A number, a label or a line is one claim; a key is also a word.
    assert found == ["trivial"] or name == "trivial"
    box.send_keys(Keys.ENTER)
    assert desktop.current_url.endswith("#claim-trivial")


def test_the_page_says_which_paper_and_what_its_letters_are(
    desktop: Chrome, paper_page: str, paper: dict[str, Any]
) -> None:
    desktop.get(paper_page)
    head = desktop.find_element(By.CSS_SELECTOR, ".about").text
    for piece in (paper["paper"]["title"], "Van Waerebeke", paper["made"]["version"], paper["made"]["date"]):
        assert piece in head
    letters = desktop.find_element(By.ID, "notation").text
    for meaning in ("fraction of the data to forget", "data to forget over data to retain", "radius"):
        assert meaning in letters
    chips = [e.text.strip() for e in desktop.find_elements(By.CSS_SELECTOR, ".theorems .chip")]
    assert all(number in chip for number, chip in zip(("Lemma 3.1", "Lemma 4.1"), chips, strict=False))
    assert len(chips) == 15
    headings = [e.text for e in desktop.find_elements(By.CSS_SELECTOR, "#errata h3")]
    counted = [f"{w[0].upper()}{w[1:]} {n}" for w, n in paper["summary"]["severity"].items() if n]
    assert headings == counted


def test_a_claim_has_a_graph_of_its_own_with_a_link(
    desktop: Chrome, paper_page: str, paper: dict[str, Any]
) -> None:
    known = {c["key"]: c for c in paper["claims"]}
    drawn = "return [...document.querySelectorAll('#near a.node')].map(a => a.getAttribute('href').slice(7))"
    desktop.get("about:blank")
    desktop.get(paper_page + "#tv_dp,1")
    first = set(desktop.execute_script(drawn))
    used = {*known["tv_dp"]["uses"], *known["tv_dp"]["printed_uses"]}
    users = {k for k, c in known.items() if "tv_dp" in [*c["uses"], *c["printed_uses"]]}
    assert first == {"tv_dp"} | used | users
    desktop.find_element(By.CSS_SELECTOR, '#depths a[href="#tv_dp,2"]').click()
    ActionChains(desktop).pause(0.1).perform()
    assert first < set(desktop.execute_script(drawn))
    assert desktop.current_url.endswith("#tv_dp,2")
    desktop.find_element(By.ID, "neighbours-close").click()
    assert desktop.find_element(By.ID, "drawing").is_displayed()


def test_every_control_has_an_accessible_name(desktop: Chrome, paper_page: str) -> None:
    desktop.get(paper_page)
    tree = desktop.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    controls = [n for n in tree if not n["ignored"] and n["role"]["value"] in ROLES]
    assert len(controls) > 300
    nameless = [n for n in controls if not n.get("name", {}).get("value", "").strip()]
    assert [n["role"]["value"] for n in nameless] == []


@pytest.mark.parametrize("opened", ["", "d.open = true"])
def test_a_phone_never_scrolls_sideways(phone: Chrome, paper_page: str, opened: str) -> None:
    phone.get(paper_page)
    phone.execute_script(f"document.querySelectorAll('details').forEach(d => {{ {opened} }})")
    assert phone.execute_script("return document.documentElement.scrollWidth") == 390
    for control in ("#search", "#theme", 'button[data-filter="REFUTED"]'):
        box = phone.find_element(By.CSS_SELECTOR, control).rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["height"] >= 36, "too small for a finger"


def test_dark_and_light(desktop: Chrome, paper_page: str) -> None:
    desktop.get(paper_page)

    def ground() -> str:
        return str(desktop.execute_script("return getComputedStyle(document.body).backgroundColor"))

    light = ground()
    desktop.find_element(By.ID, "theme").click()
    assert ground() != light
    desktop.execute_script("localStorage.clear(); delete document.documentElement.dataset.theme")
    assert ground() == light
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    desktop.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    dark = ground()
    assert dark != light
    desktop.find_element(By.ID, "theme").click()
    assert ground() == light
    desktop.find_element(By.ID, "theme").click()
    assert ground() == dark


def test_paper_shows_every_claim_and_keeps_its_width(desktop: Chrome, paper_page: str) -> None:
    desktop.get(paper_page)
    closed = "return document.querySelectorAll('details:not([open])').length"
    before = desktop.execute_script(closed)
    desktop.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert desktop.execute_script(closed) == 0
    metrics = {"width": 688, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    desktop.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    desktop.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert desktop.execute_script("return document.documentElement.scrollWidth") <= 688
    desktop.execute_script("dispatchEvent(new Event('afterprint'))")
    assert desktop.execute_script(closed) == before


def test_screenshots_for_a_person(browser: Chrome, desktop: Chrome, paper_page: str, screens: Path) -> None:
    shots = {"desktop": (1440, 900, "light"), "dark": (1440, 900, "dark"), "phone": (390, 844, "light")}
    for name, (width, height, theme) in shots.items():
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": theme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.get("about:blank")
        browser.get(paper_page)
        browser.execute_script("document.documentElement.removeAttribute('data-theme')")
        assert browser.save_screenshot(str(screens / f"{name}.png"))
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "pageRanges": "1-3"})
    (screens / "print.pdf").write_bytes(base64.b64decode(printed["data"]))
