"""Tightness, plots, JUnit and the files beside the verdicts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from oubli.checks.coq.summary import certificates, fingerprint
from oubli.checks.report.confirmed import confirmed
from oubli.checks.report.extras import Extras, extras
from oubli.checks.report.html import page
from oubli.checks.report.junit import junit
from oubli.checks.report.plots import labels, runs, scatter
from oubli.checks.report.tightness import bars, worst

Make = Callable[..., dict[str, Any]]


def coq(document: dict[str, Any], **steps: tuple[bool, ...]) -> dict[str, Any]:
    """What Coq said of the document: for each claim whether it accepted each step."""
    lemmas = [{"claim": k, "kind": "identity", "accepted": a} for k, found in steps.items() for a in found]
    left_out = [{"claim": "left", "kind": "identity"}]
    of = fingerprint(certificates(document))
    return {"coq": "8.16", "of": of, "lemmas": lemmas, "not_exported": left_out}


def test_checker_alone_and_checker_and_coq_are_told_apart(claim: Make, documented: Make) -> None:
    made = documented(*(claim(k) for k in ("all", "some", "none", "left")), claim("open", status="OPEN"))
    said = coq(made, all=(True, True), some=(True, False), none=(False,), left=(True,))
    assert confirmed(said, made) == {
        "all": "checker and Coq",
        "some": "checker, and by Coq in 1 of 2 steps",
        "none": "checker",
        "left": "checker, and by Coq in 1 of 2 steps",
    }
    assert confirmed({**said, "of": "others"}, made) == {} == confirmed(None, made)
    text = page(made, Extras(coq=said))
    assert "accepted by checker and Coq" in text
    assert "Accepted by the checker and by Coq: 1 verdicts" in text


def measured(ratio: float | None, **more: Any) -> dict[str, Any]:
    return {"cases": 10, "worst_ratio": ratio, "violated": False, "confidence": 0.999, **more}


def test_bars_are_sorted_and_take_the_worst(claim: Make) -> None:
    broken = {"says": "w", "values": {}, "lines": [], "ratio": 1.25}
    made = [
        claim("half", empirical=measured(0.5, instance="there")),
        claim("tight", tight={"attained": True, "instance": "at 1"}, empirical=measured(0.9)),
        claim("none", empirical=measured(None)),
        claim("fallen", status="REFUTED", witness=broken, tight={"attained": True, "instance": "x"}),
        claim("strict", status="REFUTED", tight={"attained": True, "instance": "0 < 0"}),
    ]
    found = [(b.claim["key"], b.ratio, b.word, b.instance) for b in bars(made)]
    assert found == [
        ("fallen", 1.25, "exceeded", "w"),
        ("strict", 1.0, "equal where strict", "0 < 0"),
        ("tight", 1.0, "attained", "at 1"),
        ("half", 0.5, "not attained", "there"),
    ]
    assert worst(made[2]) is None


def test_bars_beyond_the_scale_are_cut(claim: Make) -> None:
    (far,) = bars([claim("a", empirical=measured(300.0))])
    assert (far.width, far.cut) == (100.0, True)
    (half,) = bars([claim("a", empirical=measured(0.75))])
    assert (half.width, half.cut) == (50.0, False)


def test_scatter_puts_equality_on_the_diagonal() -> None:
    found = scatter({"points": [[1, 1], [100, 100], [10, 1], [1, 10], [0, 5]]})
    assert found is not None
    (low, high, under, over) = found.dots
    assert low[0] + low[1] == high[0] + high[1] == found.side
    assert under[0] + under[1] > found.side
    assert not under[2]
    assert over[0] + over[1] < found.side
    assert over[2]
    assert scatter(None) is None
    assert scatter({"points": []}) is None


def test_runs_cover_each_cell_once() -> None:
    cells = [["a", "a", "b"], ["b", "a", "a"]]
    found = runs(cells)
    assert [(r.x, r.y, r.width, r.word) for r in found] == [
        (0, 160, 320, "a"),
        (320, 160, 160, "b"),
        (0, 0, 160, "b"),
        (160, 0, 320, "a"),
    ]


def test_junit_counts_and_survives_odd_characters(claim: Make, documented: Make) -> None:
    made = documented(
        claim("a"),
        claim("a.b", status="REFUTED", expected=False, title="bell \x07 <&> \ud800", reason="]]>"),
        claim("c", status="NONE", effective="NONE", kind="remark"),
        claim("d", status="REFUTED", effective="REFUTED"),
    )
    root = ElementTree.fromstring(junit(made, {"a": 1.5, "d": 0.5}).encode())
    suite = root.find("testsuite")
    assert suite is not None
    assert {k: suite.attrib[k] for k in ("tests", "failures", "errors", "skipped", "time")} == {
        "tests": "4",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
        "time": "2.0000",
    }
    cases = {case.attrib["name"]: case for case in suite}
    assert [case.find("failure") is not None for case in cases.values()] == [False, True, False, False]
    assert "bell \ufffd <&> \ufffd" in (cases["a.b"].findtext("failure") or "")
    assert cases["c"].find("skipped") is not None


def test_files_beside_are_optional_but_shown(tmp_path: Path, claim: Make, documented: Make) -> None:
    assert extras(tmp_path) == Extras()
    axis = {"label": "eps", "values": [0.1, 1, 10]}
    diagram = {
        "title": "Regimes",
        "x": axis,
        "y": {"label": "r", "values": [0.5]},
        "cells": [["free", "free", "costly"]],
        "meaning": {"free": "no gradient", "costly": "as expensive as scratch"},
    }
    finding = {"title": "privacy", "verdict": "VIOLATED", "claim": "a", "numbers": {"eps": 1}}
    story = {
        "title": "Mine",
        "findings": [{"paper": "P", "here": "H", "reproduced": "R"}],
        "why": ["Because."],
    }
    phase = {"schema": 1, "diagrams": [{**diagram, "ordered": True}], "stories": [story]}
    (tmp_path / "phase.json").write_text(json.dumps(phase))
    (tmp_path / "audit.json").write_text(
        json.dumps({"schema": 1, "audits": [{"algorithm": "mine", "findings": [finding]}]})
    )
    found = extras(tmp_path)
    assert found.notices == ()
    written = page(documented(claim("a", empirical=measured(0.5, points=[[1, 0.5], [2, 1.5]]))), found)
    for part in ('id="diagram"', "costly", 'id="audits"', "<h3>mine</h3>", "not violated", 'class="scatter"'):
        assert part in written
    for part in (
        "Mine: what was reproduced",
        "<td>P</td><td>H</td><td><b>R</b></td>",
        "<p>Because.</p>",
        "cell o1",
    ):
        assert part in written


def test_the_grid_of_the_phase_command_becomes_diagrams(tmp_path: Path) -> None:
    grid = {
        "parameters": {"rf": 0.5, "kappa": [0.1, 10]},
        "shares": {"sharp": {"trivial": 0.25}},
        "x": [1, 2],
        "kappa": [3, 4],
        "regimes": ["uncharted", "trivial"],
        "sharp": {"grid": [[0, 0], [0, 1]]},
    }
    (tmp_path / "phase.json").write_text(json.dumps(grid))
    (diagram,) = extras(tmp_path).diagrams
    assert diagram["cells"] == [["uncharted", "uncharted"], ["uncharted", "trivial"]]
    assert diagram["note"] == "At rf = 0.5. Share of the window: trivial 25.0 %."
    (tmp_path / "phase.json").write_text(json.dumps({**grid, "sharp": {}}))
    assert "a grid of regimes is incomplete" in extras(tmp_path).notices[0]


def test_a_word_is_written_once_where_it_has_room() -> None:
    found = runs([["a"] * 5 + ["b"], ["a"] * 6])
    assert [run.word for run in labels(found)] == ["a", "b"]
    assert [run.word for run in labels(runs([["a"] * 9 + ["b"]]))] == ["a"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("timings.json", {"a": "fast"}, "the time of 'a' should be a number"),
        ("audit.json", [], "it should be an object"),
        ("audit.json", {"schema": 1, "audits": [{"findings": []}]}, "it.audits[0] has no field algorithm"),
        (
            "audit.json",
            {"schema": 1, "audits": [{"algorithm": "x", "findings": [{"title": "", "verdict": "FINE"}]}]},
            "verdict 'FINE'; accepted: HOLDS",
        ),
        ("phase.json", {"schema": 1, "diagrams": [], "stories": [{"title": "x"}]}, "no field findings"),
        ("phase.json", {"schema": 1}, "it has no field diagrams"),
        (
            "phase.json",
            {
                "schema": 1,
                "diagrams": [
                    {"title": "", "x": {"label": "", "values": [1]}, "y": {"label": "", "values": [1]},
                     "cells": [["a", "b"]], "meaning": {}}
                ],
            },
            "one row per y value",
        ),
    ],
)  # fmt: skip
def test_a_file_against_the_contract_is_named(tmp_path: Path, name: str, value: Any, message: str) -> None:
    (tmp_path / name).write_text(json.dumps(value))
    (notice,) = extras(tmp_path).notices
    assert notice.startswith(f"{name} is not shown: ")
    assert message in notice
