"""Every formula of the paper becomes MathML that says the same letters and numbers."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from oubli.checks.report.mathml import ATTRIBUTES, ELEMENTS, mathml
from oubli.checks.report.prose import Prose

GREEK = {r"\mu": "μ", r"\delta": "δ", r"\gamma": "γ", r"\kappa": "κ", r"\pi": "π", r"\theta": "θ"}


def formulas(paper: dict[str, Any]) -> set[str]:
    out: set[str] = set()
    for c in paper["claims"]:
        if c["tex"]:
            out |= {c["tex"]["says"], *(g["tex"] for g in c["tex"]["given"])}
            out |= {q["symbol"] for q in c["tex"]["where"]}
        out |= {s["tex"] for s in c["derivation"] if s["tex"]}
        out |= {t for row in (c["witness"] or {}).get("shown", []) for t in (row["tex"], row["there"])}
    return out


def test_all_formulas_of_the_paper_convert(paper: dict[str, Any]) -> None:
    found = formulas(paper)
    assert len(found) > 400
    assert [tex for tex in found if not mathml(tex).startswith("<math")] == []


def test_no_number_and_no_letter_is_lost(paper: dict[str, Any]) -> None:
    for tex in formulas(paper):
        root = ElementTree.fromstring(mathml(tex))
        text = "".join(root.itertext())
        digits = re.sub(r"\D", "", re.sub(r"\\[A-Za-z]+", "", tex))
        assert re.sub(r"\D", "", text) == digits, tex
        for command, letter in GREEK.items():
            assert text.count(letter) == len(re.findall(re.escape(command) + r"(?![A-Za-z])", tex)), tex
        fractions = tex.count(r"\frac")
        assert sum(e.tag == "mfrac" for e in root.iter()) == fractions, tex


def test_only_known_elements(paper: dict[str, Any]) -> None:
    for tex in formulas(paper):
        for element in ElementTree.fromstring(mathml(tex)).iter():
            assert element.tag in ELEMENTS
            assert element.attrib.keys() <= ATTRIBUTES | {"display", "class"}


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{</math><img src=x onerror=alert(1)>}",
        r"\text{</mtext><style>*{}</style>}",
        r"\frac{1}{",
        "&bad;",
    ],
)
def test_what_is_no_formula_is_shown_as_code(tex: str) -> None:
    assert mathml(tex).startswith('<code class="tex">')
    assert mathml(tex).count("<") == 2


@pytest.mark.parametrize("tex", [r"\href{javascript:f()}{x}", r"\style{color:red}{x y}", r"\class{a}{x y}"])
def test_a_formula_carries_no_address_style_or_class(tex: str) -> None:
    assert not {name for e in ElementTree.fromstring(mathml(tex)).iter() for name in e.attrib}


@pytest.mark.parametrize(
    ("plain", "typeset"),
    [
        ("L_r(0) <= e0 = L^2/(8 mu)", "L<sub>r</sub>(0) ≤ e<sub>0</sub> = L<sup>2</sup>/(8 μ)"),
        ("e^(2 eps)-close", "e<sup>2 ε</sup>-close"),
        ("gamma_{2k+2} and theta_r*", "γ<sub>2k+2</sub> and θ<sub>r</sub>*"),
        ("gauss.kappa, opt_dist and 1 < 2", "gauss.kappa, opt_dist and 1 &lt; 2"),
        ("the muon and deltas stay", "the muon and deltas stay"),
        ("e0.zero stays, e0.", "e0.zero stays, e<sub>0</sub>."),
    ],
)
def test_plain_words_in_the_letters_of_the_paper(plain: str, typeset: str) -> None:
    assert Prose([])(plain) == typeset


def test_keys_become_links_but_plain_words_do_not() -> None:
    prose = Prose(["trivial", "trivial.floor", "trivial.floor.sharp"])
    link = '<a href="#claim-trivial.floor">trivial.floor</a>'
    assert prose("trivial by trivial.floor.") == f"trivial by {link}."
    assert "trivial.floor.sharp</a>" in prose("(trivial.floor.sharp)")
