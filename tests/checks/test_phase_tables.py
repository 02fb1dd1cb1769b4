"""What a run says: agreement that can be missed, findings against the paper, and the page that shows them."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from oubli.checks.experiments import synthetic as put_together
from oubli.checks.experiments.diagram import MEANING, WORDS, Diagram
from oubli.checks.experiments.figure import FILLS, HATCHES, pictures
from oubli.checks.experiments.page import entry, publish_diagrams
from oubli.checks.experiments.slopes import slopes
from oubli.checks.experiments.story import Reading, story
from oubli.checks.report.extras import extras
from oubli.sim.experiments.synthetic.protocol import Synthetic
from oubli.sim.experiments.synthetic.tasks import BUILT_IN, tasks

PROTOCOL = Synthetic(most_steps=30, per_decade=2, points=3, repetitions=2000)
E = K = np.geomspace(1e-2, 1e2, 25)


@pytest.fixture(scope="module")
def table():
    names = tuple(BUILT_IN)
    done = {task.key: task.run(PROTOCOL, {}) for task in tasks(PROTOCOL, names, False)}
    return put_together.columns(PROTOCOL, names, done)


def agreement(table):
    return put_together.agreement(PROTOCOL, tuple(BUILT_IN), table)


def test_measured_and_exact_diagrams_agree(table):
    found = agreement(table)
    assert found["inside"] == found["points"] >= 0.7 * 3 * PROTOCOL.points**2


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_a_wrong_exact_risk_is_a_disagreement(table, factor):
    wrong = {**table, "risk.exact": table["risk.exact"] * factor}
    found = agreement(wrong)
    assert found["inside"] < found["points"]


def test_a_table_has_columns_of_one_length(table):
    for name, width in (("passage", 1), ("risk", 0)):
        lengths = {len(column) for key, column in table.items() if key.startswith(f"{name}.")}
        rows = (3 * PROTOCOL.points + 1) * len(PROTOCOL.horizons) * PROTOCOL.points**width
        assert lengths == {rows}


def line(power, level_place=1.0):
    """A diagram whose ratio is 0.5 on kappa = e^power, and rises slowly across it."""
    ratio = 0.5 * (K[:, None] / (level_place * E[None, :] ** power)) ** 0.8
    return Diagram("mine", "definition", K, E, ratio, np.ones(len(E)))


@pytest.mark.parametrize(("power", "verdict"), [(1.0, "yes"), (0.5, "no")])
def test_a_slope_is_held_against_the_papers(power, verdict):
    diagram = line(power)
    findings = story("S", [diagram], slopes([diagram]), Reading({0.5: 1.0}, ["because"]))
    assert findings["findings"][0]["reproduced"] == verdict
    assert f"{power:.2f} ±" in findings["findings"][0]["here"]
    assert findings["why"] == ["because"]


def test_a_jump_from_free_to_dear_is_no_efficient_regime():
    jump = line(1.0)
    jump = replace(jump, unlearning=np.where(jump.unlearning > 0.5, 1.0, 0.0))
    for diagram, verdict in ((jump, "no"), (line(1.0), "yes")):
        portion = story("S", [diagram], slopes([diagram]), Reading({}, []))["findings"][0]
        assert portion["reproduced"] == verdict


def test_both_experiments_are_told_and_replaced(tmp_path):
    for name, why in (("Synthetic", "a"), ("Digits", "b"), ("Synthetic", "c")):
        findings = {"title": name, "findings": [], "why": [why]}
        publish_diagrams(tmp_path, findings, [entry(line(1.0), name, "note")])
    found = extras(tmp_path)
    assert not found.notices
    assert [(s["title"], s["why"]) for s in found.stories] == [("Digits", ["b"]), ("Synthetic", ["c"])]
    assert [d["title"] for d in found.diagrams] == [f"{s}: mine, definition" for s in ("Digits", "Synthetic")]


def lightness(colour):
    """CIE L* of a colour, from its sRGB definition."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    y = float(linear @ [0.2126, 0.7152, 0.0722])
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def test_colours_differ_in_grey_or_carry_a_hatch():
    plain = [lightness(FILLS[word]) for word in WORDS if word not in HATCHES]
    assert min(-np.diff(plain)) > 10
    assert len({HATCHES[word] for word in HATCHES}) == len(HATCHES)


def test_the_page_gives_every_word_its_own_colour():
    style = Path("checks/report/templates/style.css.j2").read_text(encoding="utf-8")
    colours = dict(re.findall(r"\.cell\.o(\d) \{ fill: (#\w+); \}", style))
    assert len(MEANING) == len(colours) == len(set(colours.values()))


def test_the_figure_has_the_level_lines_and_their_numbers():
    made = pictures([line(1.0)], "A title", None)
    assert made["png"].startswith(b"\x89PNG")
    svg = made["svg"].decode()
    for number in ("0.1", "0.5", "0.9"):
        assert f"<!-- {number} -->" in svg
