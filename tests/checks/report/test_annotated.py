"""`oubli paper`: the user's TeX with the verdicts in its margin, on a short TeX of our own."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from oubli.cli.main import commands
from tests.checks.report.conftest import found_browser, sized
from tests.checks.report.test_browser import requested

FIXTURE = Path(__file__).parents[2] / "fixtures" / "annotated"
KEYS = ("positive", "squares", "below", "squares.expand", "squares.double")


def run(tex: Path, *arguments: str | Path) -> Result:
    call = ["paper", str(tex), "--paper", str(FIXTURE), *map(str, arguments)]
    return CliRunner().invoke(commands, call)


def latexml() -> None:
    """Without LaTeXML a build server fails and a person's machine skips."""
    if shutil.which("latexml"):
        return
    reason = "no latexml found (Debian: apt-get install latexml)"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The annotated fixture beside its report."""
    latexml()
    out = tmp_path_factory.mktemp("annotated") / "paper.html"
    done = run(FIXTURE / "paper.tex", "--out", out)
    assert done.exit_code == 0, done.output
    assert "this is the version that was judged" in done.output
    assert CliRunner().invoke(commands, ["report", "--out", str(out.parent)]).exit_code == 0
    return out


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "other.tex"
    file.write_text(text, encoding="utf-8")
    return file


def changed(tmp_path: Path, *pairs: tuple[str, str]) -> Path:
    text = (FIXTURE / "paper.tex").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return written(tmp_path, text)


def test_every_judged_relation_has_its_note_verdict_and_repair(made: Path) -> None:
    text = made.read_text()
    for key in KEYS:
        assert text.count(f'id="{key}@') == 1, key
        assert f'href="index.html#claim-{key}"' in text
    note = text.split('id="squares@14"')[1].split("</aside>")[0]
    for piece in (
        "refuted",
        "theorem falls",
        "It is false at s = 1.",
        "Write instead",
        "<math",
        "Counterexample",
    ):
        assert piece in note
    # Number of theorem and equation come from the rendering.
    assert "Theorem 1, (1), l.14" in text
    assert "Lemma 1.1, l.19" in text
    assert re.search(r"Theorem 1.*?✗ theorem falls</a></h6>", text, re.S)
    assert len(text.encode()) < 4_000_000


def test_what_the_tex_injects_is_inert(made: Path) -> None:
    text = made.read_text()
    assert "<script>alert" not in text
    assert "javascript:" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "<img" not in text
    assert "On squares &lt;b&gt;" in text
    assert len(re.findall(r"<script>", text)) == 1
    assert "default-src 'none'" in text


def test_in_a_browser_it_is_quiet_and_links_both_ways(browser: Chrome, made: Path) -> None:
    found_browser()
    chrome = sized(browser, 1440, 900)
    chrome.get(made.as_uri())
    assert chrome.get_log("browser") == []
    assert {url.split("#")[0] for url in requested(chrome)} == {made.as_uri()}
    chrome.find_element(By.ID, "at-14").click()
    assert chrome.current_url.endswith("#note-14")
    assert "target" in chrome.find_element(By.ID, "note-14").get_attribute("class")
    chrome.find_element(By.CSS_SELECTOR, "#note-14 .more").click()
    assert chrome.current_url.endswith("index.html#claim-squares")
    claim = chrome.find_element(By.ID, "claim-squares")
    assert claim.get_attribute("open")
    claim.find_element(By.CSS_SELECTOR, "a.in-paper").click()
    assert chrome.current_url.endswith("paper.html#squares")
    assert "target" in chrome.find_element(By.ID, "note-14").get_attribute("class")


def test_a_note_stands_beside_its_relation(browser: Chrome, made: Path) -> None:
    chrome = sized(browser, 1440, 900)
    chrome.get(made.as_uri())
    tops = (
        "const y = (e) => e.getBoundingClientRect(); return [...document.querySelectorAll('aside.note')].map"
    )
    tops += "(n => [y(n).top - y(document.getElementById('at-' + n.id.slice(5))).top, y(n).left])"
    for apart, left in chrome.execute_script(tops):
        assert abs(apart) < 150, "far from its relation"
        assert left > 800, "not in the margin"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone_in_both_themes(browser: Chrome, made: Path, theme: str) -> None:
    chrome = sized(browser, 390, 844)
    features = [{"name": "prefers-color-scheme", "value": theme}]
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    chrome.get(made.as_uri())
    assert chrome.execute_script("return document.documentElement.scrollWidth") == 390
    for note in chrome.find_elements(By.CSS_SELECTOR, "aside.note"):
        assert 0 <= note.rect["x"] <= note.rect["x"] + note.rect["width"] <= 390
    ground = chrome.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(20, 23, 26)") == (theme == "dark")


def test_marks_differ_in_colour_and_shape(browser: Chrome, made: Path) -> None:
    chrome = sized(browser, 1440, 900)
    chrome.get(made.as_uri())
    look = (
        "const s = getComputedStyle(arguments[0]); return [s.color, s.borderRadius, arguments[0].textContent]"
    )
    good, bad = (chrome.execute_script(look, chrome.find_element(By.ID, f"at-{line}")) for line in (19, 14))
    assert all(a != b for a, b in zip(good, bad, strict=True))


def test_another_version_keeps_what_reads_alike_and_judges_nothing_else(tmp_path: Path) -> None:
    latexml()
    tex = changed(
        tmp_path,
        (r"(s-1)^2 \geq 1\,.", r"(s-1)^2 \geq 2\,."),
        (r"\section{On squares}", "\n\n\\section{On squares}"),
    )
    done = run(tex, "--out", tmp_path / "r" / "paper.html", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["same_version"], found["changed"], found["notes"]) == (False, [14], 4)
    text = (tmp_path / "r" / "paper.html").read_text()
    assert "another version" in text
    assert 'id="squares@' not in text
    # What moved by two lines keeps its verdict; the changed display, the array and the last line have none.
    assert 'id="below@21"' in text
    assert text.count(">not judged</span>") == found["not_judged"] == 3


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        ((r"\end{document}", ""), r"malformed TeX, no \end{document}"),
        ((r"\begin{document}", ""), r"malformed TeX, no \begin{document}"),
        ((r"\end{theorem}", ""), "malformed TeX, LaTeXML says"),
        (("nothing of", "nothing } of"), "malformed TeX, LaTeXML says"),
        (("nothing of", "nothing $ of"), "malformed TeX, LaTeXML says"),
    ],
)
def test_malformed_tex_is_one_line_and_exit_2(tmp_path: Path, spoilt: tuple[str, str], says: str) -> None:
    latexml()
    _one_line(run(changed(tmp_path, spoilt), "--out", tmp_path / "paper.html"), says)
    assert not (tmp_path / "paper.html").exists()


def _one_line(done: Result, says: str) -> None:
    assert done.exit_code == 2, done.output
    assert says in str(done.exception) + done.output
    assert "\n" not in str(done.exception)


def test_a_missing_file_another_paper_and_no_text_are_one_line(tmp_path: Path) -> None:
    _one_line(run(tmp_path / "none.tex"), "no such file")
    other = written(tmp_path, "\\documentclass{article}\\begin{document}\n$1 = 1$\n\\end{document}\n")
    _one_line(run(other), "TeX of another paper")
    (tmp_path / "bytes.tex").write_bytes(b"\xff\xfe\x00")
    _one_line(run(tmp_path / "bytes.tex"), "not UTF-8")


def test_without_latexml_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    _one_line(run(FIXTURE / "paper.tex", "--out", tmp_path / "p.html"), "apt-get install latexml")
    margin = tmp_path / "noted.tex"
    done = run(FIXTURE / "paper.tex", "--annotated-tex", margin, "--out", tmp_path / "p.html")
    assert done.exit_code == 0, done.output
    text = margin.read_text()
    assert text.count(r"\oublinote{") == 5
    # A note never stands inside a display: it follows the line that ends it.
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(r"\oublinote"):
            before = next(x for x in reversed(lines[:number]) if not x.startswith(r"\oublinote"))
            assert not re.search(r"&|\\geq 1\\,", before), before
    original = (FIXTURE / "paper.tex").read_text().split("\n")
    kept = [line for line in lines if not line.startswith(r"\oublinote{")]
    assert [a for a, b in zip(kept, original, strict=True) if a != b] == [
        line for line in kept if r"\begin{document}" in line
    ]
