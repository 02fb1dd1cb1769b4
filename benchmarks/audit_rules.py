"""All named rules at three budgets: is each judged rightly?

Run with `python benchmarks/audit_rules.py [RUNS]`; the table is written to benchmarks/audit_rules.md. Every
finished audit is written down at once in build/, so a run that was stopped goes on where it was. Exits with 1
when a rule is judged wrongly.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Run as a script, audit.py beside this file would hide the package that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import importlib.util

from oubli.checks.audit import Settings, quick_audit
from oubli.checks.audit.finding import Judgement
from tests.fixtures.table import TABLE, Named

HERE = Path(__file__).resolve().parent
ALPHA = 0.05


def _harness() -> Any:
    """The book-keeping of benchmarks/audit.py."""
    spec = importlib.util.spec_from_file_location("audit_harness", HERE / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def one(number: int, runs: int) -> dict[str, Any]:
    """One audit: the verdict, what spoke, and its seconds."""
    named, budget = TABLE[number // 3], TABLE[number // 3].budgets[number % 3]
    begun = time.perf_counter()
    found = quick_audit(named.rule, Settings(**{"runs": runs, **budget}, alpha=ALPHA, seed=number))
    spoke = [f.check for f in found.findings if f.verdict in (Judgement.VIOLATED, Judgement.ERROR)]
    seconds = round(time.perf_counter() - begun, 2)
    return {"number": number, "verdict": str(found.verdict), "flags": spoke, "seconds": seconds}


def right(named: Named, verdict: str) -> bool:
    """Whether this is the verdict that the rule deserves."""
    return verdict == (Judgement.CONSISTENT if named.private else Judgement.VIOLATED)


def table(done: dict[int, dict[str, Any]]) -> tuple[list[str], int]:
    """One row per rule, and how many verdicts are wrong."""
    lines = ["| rule | private | first budget | second | third |", "|---|---|---|---|---|"]
    wrong = 0
    for k, named in enumerate(TABLE):
        cells = []
        for record in (done[3 * k + b] for b in range(3)):
            good = right(named, record["verdict"])
            wrong += not good
            cells.append(
                f"{'' if good else 'WRONG: '}{record['verdict']} ({', '.join(record['flags']) or '–'})"
            )
        lines.append(f"| {named.name} | {'yes' if named.private else 'no'} | " + " | ".join(cells) + " |")
    return lines, wrong


def main(runs: int) -> int:
    """Run what is not there yet, write the table."""
    harness = _harness()
    made = harness.fingerprint()
    book = HERE.parent / "build" / f"audit-rules-{runs}-{made}.jsonl"
    done = {n: r for n, r in harness.remembered(book).items() if n < 3 * len(TABLE)}
    book.parent.mkdir(exist_ok=True)
    for number in (n for n in range(3 * len(TABLE)) if n not in done):
        done[number] = one(number, runs)
        with book.open("a") as lines:
            lines.write(harness.json.dumps(done[number]) + "\n")
        print(TABLE[number // 3].name, done[number], flush=True)
    rows, wrong = table(done)
    budgets = "; ".join(harness._words(dict(budget)) for budget in TABLE[0].budgets)
    private, seconds = sum(n.private for n in TABLE), sorted(r["seconds"] for r in done.values())
    summary = (
        f"Written by `python benchmarks/audit_rules.py {runs}`; Python {platform.python_version()}, "
        f"{harness.VERSIONS}, audit {made}. {len(TABLE)} rules, {private} of them private; budgets {budgets} "
        "(KappaBeyond: eps 8.5, 10 and 20 at delta 1e-05; ReferenceNoise and OneAxis: dim 2; PlainNorm: "
        f"steps 200; HalfNoise: eps 2, delta 1e-05 in the second place and 400000 draws), alpha = {ALPHA}, "
        f"{f'{runs} draws a side' if runs else 'draws as planned'}; median "
        f"{seconds[len(seconds) // 2]:.1f} s an audit. Wrong: {wrong}."
    )
    text = ["# Named rules at three budgets", "", summary, "", *rows]
    (HERE / "audit_rules.md").write_text("\n".join(text) + "\n")
    print(text[2])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
