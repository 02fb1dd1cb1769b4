"""The machinery of the checks: relations as numbers, drawn hypotheses, shrinking, records, replay."""

import io
import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from rich.console import Console

from oubli.checks.measure import check as checking
from oubli.checks.measure import empirical
from oubli.checks.measure.axes import named
from oubli.checks.measure.completed import completed
from oubli.checks.measure.drawing import drawn
from oubli.checks.measure.judging import ViolatedError, complaint, replay_line, required, stands
from oubli.checks.measure.registry import GROUPS, MEASURED, UNMEASURED, belongs, ledger, printed
from oubli.checks.measure.relation import Letters, NotMeasuredError, numeric, side
from oubli.checks.measure.source import Source, choice, linear, log, whole
from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.code import code_digest
from oubli.checks.runs.store import drop, open_pieces
from oubli.cli.replay import replay
from oubli.errors import InputError
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import NONNEGATIVE, letter
from oubli.theory.paper.letters import L

x, y = sp.symbols("x y", real=True)


def at(relation, **values):
    return numeric(relation).at(Letters({n: np.array([v]) for n, v in values.items()}))


def test_sides_and_directions():
    assert at(sp.Le(x, y), x=2.0, y=4.0).ratio[0] == pytest.approx(0.5)
    assert at(sp.Ge(x, y), x=4.0, y=2.0).ratio[0] == pytest.approx(0.5)
    assert at(sp.Ge(x, y), x=1.0, y=2.0).fails[0]
    assert at(sp.Eq(x, y), x=1.0, y=1.0 + 1e-9).fails[0]
    assert not at(sp.Eq(x, y), x=1.0, y=1.0).fails[0]
    assert at(sp.Lt(x, y), x=1.0, y=1.0).fails[0]


def test_an_error_of_a_letter_is_not_a_violation():
    letters = Letters({"x": np.array([1.01]), "y": np.array([1.0])}, {"x": np.array([0.02])})
    found = numeric(sp.Le(x, y)).at(letters)
    assert not found.fails[0]
    assert found.ratio[0] < 1


def test_rounding_inside_a_formula_is_not_a_violation():
    same = sp.Eq((1 - 2 * x) / (x * (1 - x)) + x / (1 - x), (1 - x) / x, evaluate=False)
    assert not at(same, x=1 - 1e-9).fails[0]


def test_a_missing_letter_and_a_nan_are_errors():
    with pytest.raises(NotMeasuredError, match="nothing measures y"):
        at(sp.Le(x, y), x=1.0)
    with pytest.raises(NotMeasuredError, match="nan"):
        at(sp.Le(x, y), x=float("nan"), y=1.0)


def test_the_bound_comes_from_the_record():
    assert side(sp.Le(x, 3 * y), "x", Letters({"y": np.array([2.0])})).tolist() == [6.0]


@pytest.mark.parametrize("axis", [linear(-1, 2), log(1e-3, 10), whole(0, 50), choice(4)])
def test_axes_place_and_locate(axis):
    u = np.linspace(0.01, 0.99, 23)
    values = axis.place(u)
    np.testing.assert_allclose(axis.place(np.clip(axis.locate(values), 0, 1)), values, rtol=1e-9, atol=1e-9)


def test_corners_of_the_papers_letters():
    assert {1e-6, 1 - 1e-6} <= set(named("r").corners)
    assert {0.0, 1.0} <= set(named("T").corners) | set(named("gamma").corners)
    assert min(named("delta").corners) <= 2e-12
    assert max(named("epsilon").corners) >= 50
    assert 1.0 in named("d").corners


def test_draws_are_the_same_every_time():
    first, second = (drawn({"x": linear(0, 1)}, "again", 8, 3) for _ in range(2))
    assert all(np.array_equal(a["x"], b["x"]) for a, b in zip(first, second, strict=True))


def test_drawn_letters_meet_the_hypotheses():
    claim = ledger().claims["opt_loss.step4"]
    source = completed(claim.statement, None, frozenset(), "hypotheses")
    _, letters = checking.pool(source, 1)
    assert letters.size >= 1000
    for item in claim.statement.given:
        assert not numeric(item.relation).at(letters).fails.any()


def false_claim():
    """D_place <= L/4 on D_place = place L/2: false for places beyond 1/2."""
    return Statement((), sp.Le(letter("D_place", NONNEGATIVE), L / 4, evaluate=False))


def test_a_violation_shrinks_to_a_small_instance():
    space = {"L": named("L"), "place": linear(0, 1)}
    letters = lambda b: Letters({"L": b["L"], "D_place": b["place"] * b["L"] / 2})  # noqa: E731
    source = Source("shrinking", space, letters, 128)
    claim = ledger().claims["opt_dist"]
    found = checking.outcome(claim.__class__(**{**vars(claim), "statement": false_claim()}), source)
    assert found.broken == {"L": 1.0, "place": 1.0}
    text = complaint(claim, found)
    assert "L = 1, place = 1" in text
    assert "oubli show opt_dist --replay" in text


def test_every_claim_belongs_to_one_group_and_is_measured_or_excused():
    for claim in ledger().claims.values():
        if claim.statement is None:
            continue
        assert sum(belongs(claim.key, group) for group in GROUPS) == 1, claim.key
    assert MEASURED.keys() <= ledger().claims.keys() | UNMEASURED.keys()
    assert not MEASURED.keys() & UNMEASURED.keys()


def test_printed_claims_without_erratum_ask_for_a_thousand_cases():
    asked = {c.key: required(c) for c in ledger().claims.values() if c.statement is not None and printed(c)}
    stand = [key for key in asked if ledger().claims[key].repaired_by is None]
    assert len(stand) >= 65
    assert {asked[key] for key in stand} == {1000}
    assert [key for key in stand if key in UNMEASURED] == ["efficient.rest"]  # open


def test_too_few_cases_are_a_failure(monkeypatch):
    monkeypatch.setattr(checking, "pool", lambda source, scale: ({}, Letters({})))
    with pytest.raises(ViolatedError, match="0 cases were drawn"):
        stands(ledger().claims["tv_bound.arcsine"])


def row(key, ratio, cases=10, violated=False, source="s"):
    return {
        "key": key,
        "cases": cases,
        "worst_ratio": ratio,
        "violated": violated,
        "confidence": 1.0,
        "source": source,
        "instance": "r = 1/2",
    }


def test_records_of_one_claim_are_combined():
    found = empirical.combined([row("a", 0.5), row("a", 0.75, violated=True, source="t"), row("b", 1.0)])
    assert (found["a"]["cases"], found["a"]["worst_ratio"], found["a"]["violated"]) == (20, 0.75, True)
    assert list(found) == ["a", "b"]


def test_the_file_is_the_same_for_the_same_records(tmp_path: Path):
    records = [row("b", 1.0), row("a", 0.5)]
    first, second = (empirical.dumps(empirical.combined(r)) for r in (records, records[::-1]))
    assert first == second
    (tmp_path / empirical.FILE).write_text(first)
    assert empirical.load(tmp_path)["a"]["worst_ratio"] == 0.5
    assert empirical.load(tmp_path / "nowhere") == {}


def test_a_foreign_schema_is_refused(tmp_path: Path):
    (tmp_path / empirical.FILE).write_text(json.dumps({"schema": 99, "claims": []}))
    with pytest.raises(ValueError, match="schema 99"):
        empirical.load(tmp_path)


def test_merging_fills_the_two_fields_and_nothing_else():
    claim = {"key": "a", "status": "OPEN", "empirical": None, "tight": {"attained": False, "instance": None}}
    merged = empirical.merge({"claims": [claim, {**claim, "key": "z"}]}, {"a": row("a", 0.5)})
    assert merged["claims"][0]["empirical"]["cases"] == 10
    assert merged["claims"][0]["tight"]["ratio"] == 0.5
    assert merged["claims"][0]["status"] == "OPEN"
    assert merged["claims"][1]["empirical"] is None


def shown(key, text):
    out = io.StringIO()
    holds = replay(key, text, Console(file=out, width=200))
    return holds, out.getvalue()


def test_replay_shows_letters_and_the_verdict():
    holds, text = shown("tv_bound.arcsine", '{"x_unit": 1}')
    assert holds
    assert "x_unit = 1" in text
    holds, text = shown("e0.step", '{"source": "e0.step", "mu": 1, "x": 0.25, "slack 0": 1}')
    assert not holds
    assert "VIOLATED" in text


@pytest.mark.parametrize("text", ["nonsense", "[1]", '{"source": "nowhere"}', '{"x_unit": 1, "q": 2}', "{}"])
def test_a_bad_instance_is_one_line(text):
    with pytest.raises(InputError):
        shown("tv_bound.arcsine", text)


def test_the_replay_line_is_an_instance_again():
    line = replay_line("tv_bound.arcsine", "tv_bound.arcsine", {"x_unit": 0.5})
    assert shown("tv_bound.arcsine", line.split("--replay ")[1].strip("'"))[0]


def test_a_search_finds_the_bound_and_goes_on_where_it_stopped(tmp_path: Path, capsys):
    from oubli.checks.measure.worst import improve, load

    store, pieces = tmp_path / "worst.json", tmp_path / "pieces"
    improve(["tv_bound.arcsine"], store, pieces)
    assert list(load(store)) == ["tv_bound.arcsine"]
    assert load(store)["tv_bound.arcsine"]["ratio"] >= 0.999
    assert not pieces.exists()
    assert "tv_bound.arcsine: " in capsys.readouterr().err
    before = store.read_bytes()
    # A search that was killed before its end left this piece: it is used, not made again.
    definition = {"what": "worst", "code": code_digest(), "stored": before.decode()}
    with closing(open_pieces(pieces, definition, JSON, drop)) as left:
        left.put("tv_bound.convex", {"key": "tv_bound.convex", "ratio": 0.25})
    improve(["tv_bound.convex", "tv_bound.arcsine"], store, pieces)
    assert load(store)["tv_bound.convex"]["ratio"] == 0.25
    assert load(store)["tv_bound.arcsine"] == json.loads(before)["claims"][0]
