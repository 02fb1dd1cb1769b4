"""The second paper: its claims, its own class as theorems written by hand, what its schemas refuse."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oubli.checks.measure.judging import ViolatedError
from oubli.checks.measure.paper import main, measured, one
from oubli.cli.main import commands
from oubli.papers import ledger, paper
from oubli.theory.judging.judge import judge
from oubli.theory.judging.ledger import Ledger
from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.classes import load
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from oubli.theory.records.build import by, le, repair
from oubli.theory.records.coverage import changed_lines
from oubli.theory.records.verdict import Status
from tests.adversarial.weaken import Weakening
from tests.adversarial.written import less

FOLDER = Path(__file__).parents[2] / "examples" / "gradient_descent"
CLASS_FILE = FOLDER / "smooth.py"
KIND = load(CLASS_FILE)
FALSE = {"strict", "better", "laplace.error"}


@pytest.fixture(scope="module")
def judged() -> Ledger:
    return ledger(str(FOLDER))


@pytest.fixture(scope="module")
def entries(judged: Ledger) -> Any:
    return judged.verify()


def test_every_claim_is_decided_over_objects_without_a_typed_fact(entries: Any) -> None:
    assert len(entries) >= 15
    for key, entry in entries.items():
        assert entry.verdict.status is (Status.REFUTED if key in FALSE else Status.PROVED), key
        made = entry.verdict.certificate or entry.verdict.witness
        assert "facts" not in made["takes"]
        assert made["takes"]["means"] == made["takes"]["slopes"] == {}
        assert KIND in made["statement"]["letters"].values()


def test_every_relation_of_the_tex_is_judged_as_it_stands() -> None:
    displays = paper(str(FOLDER)).displays()
    tex = (FOLDER / "paper.tex").read_text(encoding="utf-8")
    assert changed_lines(displays, tex) == []
    shown = [i for i, line in enumerate(tex.split("\n"), 1) if line.startswith("\\[")]
    assert sorted(d.line for d in displays if d.kind == "relation") == shown
    assert not any(d.but for d in displays)


# The class as theorems written by hand.
R, N = [False, False], [True, False]
LETTERS = {
    **dict.fromkeys(("beta", "mu", "eta", "s", "eps", "w"), R), **dict.fromkeys(("d", "k_", "t", "T"), N),
    "f": ["loss"], **{name: ["point"] for name in ("x", "y", "h")}, "X": ["random"], "class_": KIND,
}  # fmt: skip
SMOOTH, DIMENSION = [">", "beta"], [">=", less("d", 1)]
CURVED = [[">", "mu"], [">=", less("beta", "mu")]]
AT, AHEAD = (["descent", "f", "x", "eta", t] for t in ("t", ["+", "t", 1]))
RUN = ["f", "x", "eta", "s"]
NOISY, LATER, SHOCK = ["noisy", *RUN, "t"], ["noisy", *RUN, ["+", "t", 1]], ["shock", *RUN, "t"]
MEAN, TILTED = ["averaged", *RUN, "T"], ["l+", ["quad"], ["l*", -1, ["lin", "x"]]]
GAUSS, LAPLACE = ["noise", "gauss", "s", 1], ["noise", "radial", "s", 1]
HALF, SHARE = ["*", "1/2", "w", ["^", "s", -1]], ["*", "eps", "s", ["^", "w", -1]]


def apart(u: Any, v: Any) -> Any:
    return ["v+", u, ["v*", -1, v]]


def square(u: Any) -> Any:
    return ["in", u, u]


def above(f: Any, x: Any, y: Any) -> Any:
    """f(y) - f(x) - <grad f(x), y - x>."""
    return ["+", ["val", f, y], ["*", -1, ["val", f, x]], ["*", -1, ["in", ["grad", f, x], apart(y, x)]]]


THEOREMS: dict[str, tuple[list[Any], list[Any], str, Any]] = {
    "convexity": (["convexity", "f", "x", "y"], [SMOOTH], ">=", above("f", "x", "y")),
    "convexity of a parabola": (
        ["convexity", ["quad"], "x", "y"], CURVED, ">=", ["*", "1/2", "mu", square(apart("x", "y"))]),
    "smoothness": (
        ["smoothness", "f", "x", "y"], [SMOOTH], ">=",
        less(["*", "1/2", "beta", square(apart("x", "y"))], above("f", "x", "y"))),
    "stationarity": (["stationary", "f", "h"], [SMOOTH], "=", ["in", ["grad", "f", ["opt", "f"]], "h"]),
    "the minimiser of a parabola": (
        ["tilted", "x", "h"], CURVED, "=",
        ["in", apart(["opt", TILTED], ["v*", ["^", "mu", -1], "x"]), "h"]),
    "the start": (["start", ["descent", "f", "x", "eta", 0], "h"], [], "=",
                  ["in", apart(["descent", "f", "x", "eta", 0], "x"), "h"]),
    "a step": (["step", AHEAD, "h"], [SMOOTH, [">=", "t"]], "=",
               ["in", apart(AHEAD, apart(AT, ["v*", "eta", ["grad", "f", AT]])), "h"]),
    "a noisy step": (
        ["step", LATER, "h"], [SMOOTH, [">=", "t"]], "=",
        ["in", apart(LATER, apart(NOISY, ["v*", "eta", ["v+", ["grad", "f", NOISY], SHOCK]])), "h"]),
    "noise that is not seen": (["unseen", NOISY, apart(NOISY, "h")], [[">=", "t"]], "=",
                               ["E", ["in", SHOCK, apart(NOISY, "h")]]),
    "its size": (["variance", NOISY], [[">=", "s"], [">=", "t"], DIMENSION], "=",
                 less(["E", square(SHOCK)], ["*", "d", ["^", "s", 2]])),
    "Jensen": (["mean of iterates", "f", MEAN], [SMOOTH, [">=", less("T", 1)]], ">=",
               less(["sum", ["val", "f", ["noisy", *RUN, "k_"]], ["+", "T", -1]],
                    ["*", "T", ["val", "f", MEAN]])),
    "Laplace": (
        ["Laplace", "x", "y", LAPLACE, "eps"],
        [[">", "s"], [">=", "eps"],
         [">=", less(["^", "eps", 2], ["*", ["^", "s", 2], square(apart("x", "y"))])]], "=",
        ["excess", "x", "y", LAPLACE, "eps"]),
    "Gauss": (
        ["Gaussian", "x", "y", GAUSS, "eps", "w"],
        [[">", "s"], [">", "w"], ["=", less(["^", "w", 2], square(apart("x", "y")))]], "=",
        less(["excess", "x", "y", GAUSS, "eps"],
             less(["Phi", less(HALF, SHARE)],
                  ["*", ["exp", "eps"], ["Phi", less(["*", -1, HALF], SHARE)]]))),
}  # fmt: skip


def fresh() -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    return Proof({**NOTHING, "letters": LETTERS})


def facts(proof: Proof, relations: list[Any]) -> set[Any]:
    return {(rel, frozenset(proof.read(expr).items())) for rel, expr in relations}


@pytest.mark.parametrize("name", THEOREMS)
def test_a_schema_is_the_theorem_that_was_meant(name: str) -> None:
    schema, hyps, rel, expr = THEOREMS[name]
    proof = fresh()
    proof.accept({"by": "leaf", "schema": schema}, 0)
    found = proof.reached[0]
    assert found.rel == rel
    assert proof.read(found.expr) == proof.read(expr)
    assert facts(proof, found.hyps) == facts(proof, hyps)


def test_every_schema_of_the_class_has_its_theorem_here() -> None:
    assert {schema[0] for schema, *_ in THEOREMS.values()} == {*fresh().theory.schemas}


REFUSED = {
    "a cone is smooth": (["smoothness", ["l+", ["quad"], ["cone", "x"]], "x", "y"], "to be smooth"),
    "a line has a minimiser": (["stationary", ["lin", "x"], "h"], "have a minimiser"),
    "twice a parabola": (["smoothness", ["l*", 2, ["quad"]], "x", "y"], "have a minimiser"),
    "a mixture of losses": (["convexity", ["mix", "s", "f", "f"], "x", "y"], "have a minimiser"),
    "a start later on": (["start", AHEAD, "h"], "first iterate"),
    "a step of something else": (["step", "x", "h"], "unpack"),
    "noise along itself": (["unseen", NOISY, SHOCK], "before the draw"),
    "noise along the next iterate": (["unseen", NOISY, LATER], "before the draw"),
    "noise along another run": (["unseen", NOISY, ["noisy", "f", "y", "eta", "s", "t"]], "before the draw"),
    "noise of a run without it": (["unseen", AT, "h"], "noisy run"),
    "noise of a run from a random start": (["unseen", ["noisy", "f", "X", "eta", "s", "t"], "h"], "random"),
    "noise of a random size": (["variance", ["noisy", "f", "x", "eta", ["in", "X", "h"], "t"]], "random"),
    "a mean that is no mean": (["mean of iterates", "f", NOISY], "not a mean"),
    "a mean of a run that moves with the index": (
        ["mean of iterates", "f", ["averaged", "f", ["v*", "k_", "x"], "eta", "s", "T"]],
        "index",
    ),
    "a mean by a loss that moves with the index": (
        ["mean of iterates", ["l+", ["quad"], ["lin", ["v*", "k_", "x"]]], MEAN],
        "index",
    ),
    "Gaussian noise as Laplace's": (["Laplace", "x", "y", GAUSS, "eps"], "not this noise"),
    "Laplace noise as Gaussian": (["Gaussian", "x", "y", LAPLACE, "eps", "w"], "not this noise"),
    "a value that is random": (["Gaussian", "X", "y", GAUSS, "eps", "w"], "is random"),
    "half a time": (["start", ["descent", "f", "x", "eta", "1/2"], "h"], "first iterate|no integer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_schema_is_refused(name: str) -> None:
    schema, why = REFUSED[name]
    with pytest.raises((RejectedError, ValueError), match=why):
        fresh().accept({"by": "leaf", "schema": schema}, 0)


def test_a_value_does_not_become_random_after_it_was_hidden() -> None:
    proof = fresh()
    proof.accept({"by": "leaf", "schema": ["Laplace", "x", "y", LAPLACE, "eps"]}, 0)
    with pytest.raises(RejectedError, match="set at random"):
        proof.accept({"by": "instance", "of": 0, "with": {"x": LAPLACE}}, 1)


def test_beta_is_not_shown_positive_from_losses_and_then_replaced() -> None:
    lines = [
        {"by": "leaf", "schema": ["convexity", "f", ["zero"], ["e", 1]]},
        {"by": "leaf", "schema": ["smoothness", "f", ["zero"], ["e", 1]]},
        {"by": "combine", "terms": [[2, 0], [2, 1]], "says": [">=", "beta"]},
    ]
    proof = fresh()
    for i, line in enumerate(lines):
        proof.accept(line, i)
    assert proof.reached[2].hyps == [SMOOTH]


# Each printed constant moved by one per cent, and the hypotheses dropped.
def test_no_weaker_claim_is_proved_but_where_a_hypothesis_is_not_needed(judged: Ledger) -> None:
    found = Weakening(judged)
    rows = [found.row(key) for key in ("descent", "distance", "laplace")]
    assert sum(row["count"]["OPEN"] + row["count"]["REFUTED"] for row in rows) >= 20
    assert not [still for row in rows for still in row["still proved"] if still.startswith("conclusion: ")]


def test_what_a_class_is_trusted_with_is_small_and_uses_the_kernel_alone() -> None:
    source = CLASS_FILE.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 180
    nodes = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom | ast.Import)]
    names = {n.module or "" if isinstance(n, ast.ImportFrom) else n.names[0].name for n in nodes}
    outside = {n for n in names if not n.startswith("oubli.theory.kernel.")}
    assert {name.split(".")[0] for name in outside} <= set(sys.stdlib_module_names)


def test_the_class_is_named_where_a_claim_is_shown() -> None:
    shown = CliRunner().invoke(commands, ["show", "descent", "--paper", str(FOLDER)]).output
    assert f"trusted for this paper: smooth.py, {len(CLASS_FILE.read_text().splitlines())} lines" in shown
    assert KIND[2][:16] in shown


def test_it_is_measured_by_its_own_simulation(tmp_path: Path) -> None:
    out = str(tmp_path / "report")
    assert main([str(FOLDER), "rate", "better", "noisy", "gauss", "--out", out]) == 0
    checked = CliRunner().invoke(commands, ["check", "--paper", str(FOLDER), "--out", out])
    assert checked.exit_code == 0, checked.output
    assert '"worst_ratio"' in (tmp_path / "report" / "verdicts.json").read_text(encoding="utf-8")
    assert len(paper(str(FOLDER)).sources()) >= 8


def test_a_wrong_constant_is_measured(judged: Ledger) -> None:
    claim, (source,) = judged.claims["rate"], paper(str(FOLDER)).sources()["rate"]
    said = claim.statement
    assert said is not None
    third = type(said)(said.given, le(said.says.lhs, said.says.rhs / 3), said.also)
    with pytest.raises(ViolatedError, match="does not hold"):
        one(repair("rate", 33, "a third", third, proof=by(third)), source)
    assert judge(repair("rate", 33, "a third", third, proof=claim.proof), {}, {}).status is Status.OPEN
    assert measured(paper(str(FOLDER)), ["strict"])[0]["violated"]
