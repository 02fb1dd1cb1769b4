"""Objects in the notation of the paper: what is written by hand, and that no raw term is left."""

import re

import pytest
import sympy as sp
from click.testing import CliRunner

from oubli.checks.report.objects import (
    explicit,
    free,
    quantity,
    ranges,
    relation,
    spelled,
    statement_text,
    used,
)
from oubli.cli.show import show
from oubli.papers import ledger
from oubli.theory.kernel.objects import BINDERS, HEADS

STAR = ["opt", ["mix", "r", ["forget", "data"], ["retain", "data"]]]
RETAIN = ["opt", ["retain", "data"]]
SIGNS = ["signs", "gamma", 0]
SPELLED = {
    "the old optimum": (STAR, "θ*"),
    "of the problem that a rule is given": (["opt", ["mix", "r", ["forget", "D_"], ["retain", "D_"]]], "θ*"),
    "of another problem": (["opt", ["retain", "E"]], "θ_r*[E]"),
    "of another fraction": (
        ["opt", ["mix", "1/2", ["forget", "data"], ["retain", "data"]]], "argmin(1/2 ℒ_f + (1 − 1/2) ℒ_r)"),
    "a mixture of two problems": (["mix", "r", "f", "g"], "r f + (1 − r) g"),
    "a distance": (["^", ["in", ["v+", STAR, ["v*", -1, RETAIN]], ["v+", STAR, ["v*", -1, RETAIN]]], "1/2"],
                   "|θ* − θ_r*|"),
    "its square": (["in", STAR, STAR], "|θ*|²"),
    "an inner product": (["in", ["grad", ["retain", "data"], STAR], ["e", 1]], "⟨∇ℒ_r(θ*), e_1⟩"),
    "the gradient of a sum": (["grad", ["l+", ["quad"], "f"], "x"], "∇(μ/2 |x|² + f)(x)"),
    "an excess risk": (
        ["E", ["+", ["val", ["retain", "data"], ["out", "A", "data", "T"]],
               ["*", -1, ["val", ["retain", "data"], RETAIN]]]], "E[ℒ_r(A(T)) − ℒ_r(θ_r*)]"),
    "a worst risk": (["worst", "A", 0], "sup E[ℒ_r(A(0)) − ℒ_r(θ_r*)]"),
    "of an explicit rule": (["worst", ["rule", ["zero"]], "T"],
                            "sup E[ℒ_r(A(T)) − ℒ_r(θ_r*)] for A: release 0"),
    "a minimax risk": (["least", "unlearner", "r", "epsilon", "delta", 0],
                       "inf over (ε, δ)-unlearning algorithms A of sup E[ℒ_r(A(0)) − ℒ_r(θ_r*)]"),
    "a time": (["time", "learner", 0, 0, 0, "e"],
               "least T with sup E[ℒ_r(A(T)) − ℒ_r(θ_r*)] ≤ e for one of the learning algorithms A"),
    "total variation of outputs": (["tv", ["out", "A", SIGNS, "T"], ["coins", "T", "gamma"]],
                                   "TV(A(T; g = γ | 0), Bin(T, (1 + γ)/2))"),
    "a probability": (["P", ["out", "A", "data", 1], "S"], "P[A(1) ∈ S]"),
    "of the complement": (["P", "x", ["not", "S"]], "P[not x ∈ S]"),
    "of a half space": (["P", "x", ["beyond", ["e", 1], "1/2"]], "P[⟨x, e_1⟩ > 1/2]"),
    "randomised response": (
        ["response", "4/5", ["in", STAR, ["e", 1]], ["e", 1], ["v*", -1, ["e", 1]]],
        "e_1 with probability 4/5 if ⟨θ*, e_1⟩ > 0 and 1/5 if not, else −e_1"),
    "a lottery": (["rule", ["response", "delta", 1, STAR, ["zero"]]],
                  "release θ* with probability δ, else 0"),
    "noise, projected": (["proj", ["v+", STAR, ["noise", "gauss", ["*", "kappa", "L"], 1]]],
                         "P(θ* + N(0, (κ L)² I))"),
    "an iterate": (["iter", ["sgd", "data", ["zero"], ["^", "mu", -1]], "t"],
                   "θ_t of SGD from 0 with steps 1/μ"),
    "a quotient": (["*", "1/2", "L", ["^", "mu", -1], ["e", 1]], "L e_1/(2 μ)"),
    "a scaled vector": (["v*", ["*", "1/2", "L", ["^", "mu", -1]], ["e", 1]], "L/(2 μ) e_1"),
    "minus a sum": (["+", "a", ["*", -1, ["+", "b", "c"]]], "a − (b + c)"),
    "a power of a sum": (["^", ["+", "a", "b"], 2], "(a + b)²"),
    "a root": (["^", "d", "1/2"], "√d"),
    "a power of a power": (["^", ["^", "a", 2], 3], "(a²)³"),
    "an exponential": (["exp", ["*", -1, "epsilon"]], "e^(−ε)"),
    "nothing": (["+", 0, ["*", 0, "x"]], "0"),
    "a sum over steps": (["sum", ["+", "k_", 1], "T"], "Σ_{k ≤ T} (k + 1)"),
    "a loss with a kink": (["l+", ["quad"], ["l*", "c", ["cone", "y"]]], "μ/2 |x|² + c |x − y|"),
    "the largest of functions": (["max", ["e", 1], 0, 0, ["v*", -1, ["e", 1]], "-1/2", 1],
                                 "max(⟨e_1, x⟩, ⟨−e_1, x⟩ − 1/2)"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLED)
def test_what_objects_are_written_as(name: str) -> None:
    node, text = SPELLED[name]
    assert spelled(node) == text


def everything() -> list[str]:
    """What every letter is, and every explicit object, of all claims."""
    claims = [claim for claim in ledger().claims.values() if claim.statement]
    texts = [ranges(q) for c in claims for q in free(c.statement) if q.kind]
    return texts + [
        line for c in claims for i in c.instances
        for line in explicit({n: item.node for n, item in i.objects.items()})
    ]  # fmt: skip


def test_no_raw_term_is_left() -> None:
    heads = "|".join(map(re.escape, sorted({*HEADS} - {"P", "max", "common", "noise"})))
    raw = re.compile(rf"(?<!\w)({heads})\(|\[['\"]|\bk_\b|\bD_\b|\*\*|None")
    shown = [line for line in everything() if raw.search(line)]
    assert shown == []
    assert len(everything()) > 400


def test_bound_letters_are_no_letters_of_a_statement() -> None:
    own = {name for _, names in BINDERS.values() for name in names}
    lottery = ledger().claims["inefficient.lottery"].statement
    assert lottery
    assert own & {q.symbol.name for q in lottery.quantities}
    assert not any(line.startswith(("D:", "D_", "k")) for line in statement_text(lottery)["where"])


def test_a_relation_keeps_its_sides() -> None:
    x, delta = sp.symbols("x delta", positive=True)
    assert relation(sp.Lt(x**2 / 2, sp.exp(delta), evaluate=False)) == "x²/2 < e^δ"
    assert relation(sp.Ge(x, sp.Function("value")(x), evaluate=False)) == "x ≥ value(x)"


def test_each_schema_is_shown_with_its_objects() -> None:
    lines = [
        {"schema": ["stationary", ["retain", "data"], ["e", 1]]},
        {"schema": ["stationary", ["forget", "data"], ["e", 1]]},
        {"schema": ["stationary", ["retain", "data"], ["e", 1]]},
        {"by": "combine", "terms": []},
    ]
    (found,) = used({"lines": lines})
    assert found["at"] == ["f = ℒ_r; h = e_1", "f = ℒ_f; h = e_1"]
    assert found["says"].startswith("⟨∇f(o), h⟩ = 0 at the minimiser o of a member")


def test_a_schema_of_another_class_is_named() -> None:
    (found,) = used({"lines": [{"schema": ["smooth", "f", "x"]}]})
    assert found == {"name": "smooth", "says": "a schema of this paper's own class", "at": ["f; x"]}


@pytest.mark.parametrize(
    ("key", "pieces"),
    [
        ("opt_dist.sharp", ("D = |θ* − θ_r*|", "schema stationary", "f = ℒ_r; h = θ_r* − θ*")),
        ("tv_bound", (
            "A_private: release e_1 with probability 4/5 if ⟨θ*, e_1⟩ > 0 and 1/5 if not, else −e_1",
            "schema responses apart", "hypothesis: y_excess ≥ γ (1 − r) − r: 1/40 ≥ 1/40")),
        ("inefficient", (
            "A_private: release θ* with probability δ, else 0", "because M_lottery ≤ 1809/3640")),
    ],
)  # fmt: skip
def test_show_spells_the_objects_out(key: str, pieces: tuple[str, ...]) -> None:
    text = CliRunner().invoke(show, [key]).output
    assert [piece for piece in pieces if piece not in text] == []
    assert "['" not in text


def test_a_parameter_has_its_range() -> None:
    (L,) = (q for q in ledger().claims["e0"].statement.quantities if q.symbol.name == "L")  # type: ignore[union-attr]
    assert quantity(L) == "L in (0, ∞): Lipschitz constant of the losses on the ball"
