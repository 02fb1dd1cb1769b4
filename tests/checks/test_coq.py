"""`oubli verify --coq`: exports say what the engines' outlines say, and coqc refuses what is false."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from click.testing import CliRunner

from oubli.checks.coq import compiler, confirm
from oubli.checks.coq.compiler import REAL_AXIOMS, Compiled, axioms, compiled, unexpected
from oubli.checks.coq.confirm import confirmed, files
from oubli.checks.coq.export import Exported, Skipped, exported, file_text
from oubli.checks.coq.lemma import Lemma
from oubli.checks.coq.summary import fingerprint, sentence
from oubli.checks.coq.terms import conditions, letters, text
from oubli.checks.report.extras import extras
from oubli.cli.main import commands
from oubli.cli.verify import certificates, outlined
from oubli.errors import InputError
from oubli.theory.paper.ledger import ledger as paper

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")

# Roots, exponentials, lemmas with hypotheses, a case of its own for each kind of certificate.
FIATS = {"Admitted", "admit", "Axiom", "Axioms", "Parameter", "Conjecture", "Hypothesis", "Variable"}
KEYS = (
    "discussion.samples",
    "e0.step",
    "gauss.kappa.small",
    "setup.synthetic.small",
    "trivial",
    "tv_dp.attained",
)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    assert CliRunner().invoke(commands, ["check", *KEYS, "--out", str(out)]).exit_code == 0
    return out / "verdicts.json"


def items(path: Path) -> Iterator[tuple[Any, Exported | Skipped]]:
    ledger = paper()
    for certificate in certificates(path):
        for item in exported(*outlined(certificate, ledger)):
            yield certificate, item


PLAIN = {
    "exp": mpmath.exp, "log": mpmath.log, "atan": mpmath.atan, "asin": mpmath.asin, "Phi": mpmath.ncdf,
    "phi1": lambda x: mpmath.expm1(x) / x, "phi2": lambda x: (mpmath.expm1(x) - x) / x**2,
}  # fmt: skip


def value(node: Any, at: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    """An expression of an outline, evaluated here and now, by no code of the project."""
    if not isinstance(node, list):
        known = isinstance(node, str) and node in at
        return at[node] if known else mpmath.mpf(Fraction(node).numerator) / Fraction(node).denominator
    args = [value(a, at) for a in node[1:]]
    if node[0] in ("+", "*"):
        return mpmath.fsum(args) if node[0] == "+" else mpmath.fprod(args)
    if node[0] == "^":
        return args[0] ** args[1]
    return mpmath.pi if node[0] == "pi" else PLAIN[node[0]](args[0])


def spoken(coq: str, at: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    """Coq's text of an expression, evaluated as Python after its notation is changed."""
    called = re.sub(r"\((sqrt|exp|ln|atan|asin|Phi|phi1|phi2) ", r"\1(", coq)
    python = called.replace("(/ ", "(1 / ").replace("^", "**")
    python = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"mpf(\1)", python)
    names = {"mpf": mpmath.mpf, "sqrt": mpmath.sqrt, "ln": mpmath.log, "PI": mpmath.pi}
    return eval(python, {"__builtins__": {}}, {**PLAIN, **names, **at})


def test_the_text_means_what_the_outline_says(verdicts: Path) -> None:
    rng, compared, ledger = random.Random(7), 0, paper()
    for certificate in certificates(verdicts):
        for step in outlined(certificate, ledger)[0].get("steps", []):
            statement = step["statement"]
            called = letters(statement)
            at = {name: mpmath.mpf(rng.uniform(0.3, 0.9)) for name in called}
            renamed = {called[name]: x for name, x in at.items()}
            for _, expr, *_ in [*statement["given"], statement["says"]]:
                expected, found = value(expr, at), spoken(text(expr, called), renamed)
                assert abs(expected - found) < 1e-10 * (1 + abs(expected))
                compared += 1
    assert compared > 50


def test_letters_are_never_confused() -> None:
    names = letters({"quantities": dict.fromkeys(["<u,v>", "u_v", "u.v", "R", "PI", "exp"])})
    assert len(set(names.values())) == 6
    assert not {"R", "PI", "exp"} & set(names.values())


def test_a_refusal_without_words_is_a_refusal() -> None:
    for errors in ("", 'File "./lemmas.v", line 3, characters 0-1:\nError:\n'):
        said = compiler.read(1, "", errors)
        assert not said.accepted
        assert said.message


def test_every_divisor_root_and_logarithm_is_asked_for() -> None:
    node = ["*", ["^", "a", "-3/2"], ["log", ["^", "b", -1]], ["asin", "c"]]
    assert [kind for kind, _ in conditions([node])] == ["root", "divisor", "divisor", "log", "asin"]


def test_nothing_is_assumed_by_fiat(verdicts: Path) -> None:
    found = [item for _, item in items(verdicts)]
    lemmas = [item for item in found if isinstance(item, Exported)]
    assert {le.kind for le in lemmas} >= {"combination", "witness", "exact"}
    for portion in files(lemmas):
        assert not FIATS & set(re.findall(r"[A-Za-z_]+", file_text(portion)))
    reasons = {item.reason for item in found if isinstance(item, Skipped)}
    assert "the rule cases is no combination of scalar relations" in reasons
    assert "a term of a kind it does not know: schema" in reasons


def test_the_end_of_a_domain_may_be_shown_too() -> None:
    """A proof that shows the lower end of a letter's domain, by its name, is exported like any other."""
    ledger = paper()
    proofs = [e.verdict.certificate for e in ledger.verify(["sharp.scratch.lower"]).values()]
    found = [item for proof in proofs if proof for item in exported(*outlined(proof, ledger))]
    assert {"sharp.scratch.lower"} <= {item.claim for item in found if isinstance(item, Exported)}


def lemma(name: str) -> Exported:
    written = f"Lemma {name} : 0 <= 1.\nProof. lra. Qed.\n"
    return Exported("claim", "step", "combination", name, written, False)


def test_a_lemma_at_fault_is_named_and_the_others_are_tried_again() -> None:
    trio = [lemma(name) for name in ("first", "second", "third")]

    def refuses_second(source: str, _seconds: float) -> Compiled:
        lines = source.splitlines()
        bad = [n for n, line in enumerate(lines, 1) if line.startswith("Lemma second")]
        return Compiled(False, bad[0] + 1, "no", ()) if bad else Compiled(True, 0, "", ())

    assert confirmed(trio, refuses_second) == {"first": "", "second": "no", "third": ""}


def test_a_file_out_of_time_is_tried_lemma_by_lemma() -> None:
    pair = [lemma(name) for name in ("quick", "slow")]

    def slow(source: str, _seconds: float) -> Compiled:
        late = "Lemma slow" in source
        return Compiled(not late, 0, "out of time" if late else "", ())

    assert confirmed(pair, slow) == {"quick": "", "slow": "out of time"}


def test_a_lemma_that_rests_on_another_axiom_is_not_confirmed() -> None:
    answer = Compiled(True, 0, "", (*REAL_AXIOMS, "Mine.false"))
    assert confirmed([lemma("a")], lambda *_: answer) == {"a": "rests on the axiom Mine.false"}
    assert unexpected(("PrimFloat.add",), computes=False) == ["PrimFloat.add"]
    assert unexpected(("PrimFloat.add",), computes=True) == []


def test_without_coqc_there_is_one_clear_line(verdicts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = CliRunner().invoke(commands, ["verify", "--coq", str(verdicts)])
    assert done.exit_code == 2
    assert done.stderr.strip().count("\n") == 0
    assert "libcoq-interval" in done.stderr


def test_without_the_library_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler.shutil, "which", lambda _: "coqc")
    done = subprocess.CompletedProcess[str]([], 0, "", "")
    monkeypatch.setattr(compiler.subprocess, "run", lambda *_, **__: done)
    monkeypatch.setattr(compiler, "compiled", lambda *_: Compiled(False, 1, "Cannot find a path", ()))
    with pytest.raises(InputError, match="no interval library"):
        compiler.version()


def test_the_report_says_what_was_confirmed_and_of_what(verdicts: Path, tmp_path: Path) -> None:
    document = json.loads(verdicts.read_text())
    step = {"claim": "e0", "step": "s", "kind": "combination", "reason": "out of time"}
    done = {**step, "reason": "", "digest": "d", "accepted": True}
    found = {
        "schema": 1, "coq": "8.16.1", "of": fingerprint(certificates(verdicts)),
        "lemmas": [done, {**done, "accepted": False, "reason": "no"}],
        "not_exported": [{**step, "kind": "witness"}],
    }  # fmt: skip
    for name, content in (("verdicts.json", document), ("coq.json", found)):
        (tmp_path / name).write_text(json.dumps(content))
    assert CliRunner().invoke(commands, ["report", "--out", str(tmp_path)]).exit_code == 0
    line = "1 of 2 combination steps and 0 of 1 computed relations are confirmed by Coq 8.16.1."
    for name in ("index.html", "report.md"):
        assert line in (tmp_path / name).read_text()
    assert "other certificates" in sentence({**found, "of": "old"}, document)
    assert sentence(None, document) == ""


def test_a_spoilt_record_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "coq.json").write_text('{"schema": 1, "coq": 3, "of": "", "lemmas": [], "not_exported": []}')
    found = extras(tmp_path)
    assert found.coq is None
    assert "coq.json" in found.notices[0]


# ---- with coqc


@needs_coq
def test_coq_accepts_a_report_and_remembers(
    verdicts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ("discussion.samples", "e0.step", "setup.synthetic.small", "tv_dp.attained")
    kept = [c for c in certificates(verdicts) if c["claim"] in chosen]
    (tmp_path / "some.json").write_text(json.dumps(kept))
    first = CliRunner().invoke(commands, ["verify", "--coq", "--json", str(tmp_path / "some.json")])
    answer = json.loads(first.stdout)["coq"]
    assert first.exit_code == 0
    assert {item["kind"] for item in answer["lemmas"]} == {"combination", "witness", "exact"}
    assert [item["reason"] for item in answer["lemmas"]] == [""] * len(answer["lemmas"])

    def never(*_: object) -> None:
        raise AssertionError("a remembered lemma was run again")

    monkeypatch.setattr(confirm, "confirmed", never)
    again = CliRunner().invoke(commands, ["verify", "--coq", "--json", str(tmp_path / "some.json")])
    assert json.loads(again.stdout)["coq"] == answer


def step_of(path: Path, claim: str) -> tuple[dict[str, Any], dict[str, Any]]:
    certificate = next(c for c in certificates(path) if c["claim"] == claim)
    found, lemmas = outlined(certificate, paper())
    return found["steps"][-1], lemmas


def accepted(made: Lemma) -> bool:
    exported_lemma = Exported("claim", "step", "combination", made.name, made.text(), False)
    return compiled(file_text([exported_lemma]), 60).accepted


@needs_coq
def test_only_the_axioms_of_the_reals_are_used(verdicts: Path) -> None:
    step, known = step_of(verdicts, "discussion.samples")
    made = Lemma("a", step["statement"], step["by"]["terms"], known)
    said = compiled(file_text([Exported("c", "s", "combination", "a", made.text(), made.computes)]), 60)
    assert said.accepted
    assert said.axioms
    assert set(said.axioms) <= set(REAL_AXIOMS)
    assert axioms("Closed under the global context\n") == ()


@needs_coq
@pytest.mark.parametrize(("claim", "number"), [("discussion.samples", 0), ("setup.synthetic.small", 0)])
def test_a_wrong_multiplier_is_refused(verdicts: Path, claim: str, number: int) -> None:
    step, known = step_of(verdicts, claim)
    assert accepted(Lemma("right", step["statement"], step["by"]["terms"], known))
    terms = [dict(term) for term in step["by"]["terms"]]
    terms[number]["times"] = ["+", terms[number]["times"], 1]
    assert not accepted(Lemma("wrong", step["statement"], terms, known))


@needs_coq
@pytest.mark.parametrize("change", ["stronger", "without its hypotheses", "without its domains"])
def test_a_false_statement_is_refused(verdicts: Path, change: str) -> None:
    step, known = step_of(verdicts, "setup.synthetic.small")
    statement = json.loads(json.dumps(step["statement"]))
    if change == "stronger":
        statement["says"][1] = ["+", statement["says"][1], ["*", -1, "L"]]
    elif change == "without its hypotheses":
        statement["given"] = [["=", 0, "given"] for _ in statement["given"]]
    else:
        anywhere = [None, False, None, False, False, False]
        statement["quantities"] = dict.fromkeys(statement["quantities"], anywhere)
    assert not accepted(Lemma("wrong", statement, step["by"]["terms"], known))
