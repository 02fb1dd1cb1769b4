"""All named rules at three budgets: is each judged rightly?

Run with `python benchmarks/audit_rules.py [RUNS] [PROCESSES]`; the table is written to
benchmarks/audit_rules.md. Every finished audit is kept in build/, so that a run that was stopped resumes.
Exits with 1 when a rule is judged wrongly.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Run as a script, audit.py beside this file would hide the package that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from oubli.checks.audit import Settings, quick_audit
from oubli.checks.audit.finding import Judgement
from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.resume import resume
from oubli.checks.runs.store import drop, open_pieces
from tests.fixtures.table import BUDGETS, TABLE, Named

HERE = Path(__file__).resolve().parent
STORE = HERE.parent / "build" / "audit_rules"
ALPHA = 0.05


def _harness() -> Any:
    """What benchmarks/audit.py knows of versions and sources."""
    spec = importlib.util.spec_from_file_location("audit_harness", HERE / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class One:
    """One audit of a rule at one of its budgets."""

    number: int
    runs: int

    @property
    def key(self) -> str:
        """Its number."""
        return f"{self.number:04d}"

    @property
    def cost(self) -> float:
        """Seconds, roughly."""
        return 1.0

    def run(self) -> dict[str, Any]:
        """The verdict, what spoke, and its seconds."""
        named, budget = TABLE[self.number // 3], TABLE[self.number // 3].budgets[self.number % 3]
        begun = time.perf_counter()
        settings = Settings(**{"runs": self.runs, **budget}, alpha=ALPHA, seed=self.number)
        found = quick_audit(named.rule, settings)
        spoke = [f.check for f in found.findings if f.verdict in (Judgement.VIOLATED, Judgement.ERROR)]
        seconds = round(time.perf_counter() - begun, 2)
        return {"number": self.number, "verdict": str(found.verdict), "flags": spoke, "seconds": seconds}


def right(named: Named, verdict: str) -> bool:
    """Whether this is the verdict that the rule deserves."""
    return verdict == (Judgement.CONSISTENT if named.private else Judgement.VIOLATED)


def elsewhere(named: Named) -> str:
    """What its settings have in the place of the budgets of most rules; empty if nothing."""
    changes = [
        ", ".join(f"{name} {value}" for name, value in budget.items() if usual.get(name) != value)
        for budget, usual in zip(named.budgets, BUDGETS, strict=True)
    ]
    return changes[0] if len(set(changes)) == 1 else "; ".join(change or "–" for change in changes)


def table(done: dict[int, dict[str, Any]]) -> tuple[list[str], int]:
    """One row per rule, and how many verdicts are wrong."""
    lines = ["| rule | private | elsewhere | first budget | second | third |", "|---|---|---|---|---|---|"]
    wrong = 0
    for k, named in enumerate(TABLE):
        cells = []
        for record in (done[3 * k + b] for b in range(3)):
            good = right(named, record["verdict"])
            wrong += not good
            cells.append(
                f"{'' if good else 'WRONG: '}{record['verdict']} ({', '.join(record['flags']) or '–'})"
            )
        first = [named.name, "yes" if named.private else "no", elsewhere(named)]
        lines.append(f"| {' | '.join([*first, *cells])} |")
    return lines, wrong


def main(runs: int, jobs: int) -> int:
    """Run what is not there yet, write the table."""
    harness = _harness()
    made = harness.fingerprint()
    pieces = [One(number, runs) for number in range(3 * len(TABLE))]
    store = open_pieces(STORE, {"what": "audit rules", "code": made, "runs": runs}, JSON, drop)
    with closing(store):
        found = resume(store, pieces, jobs, what="auditing")
    done = {record["number"]: record for record in found.values()}
    rows, wrong = table(done)
    budgets = "; ".join(harness._words(dict(budget)) for budget in TABLE[0].budgets)
    private, seconds = sum(n.private for n in TABLE), sorted(r["seconds"] for r in done.values())
    summary = (
        f"Written by `python benchmarks/audit_rules.py {runs}`; Python {platform.python_version()}, "
        f"{harness.VERSIONS}, code {made[:16]}. {len(TABLE)} rules, {private} of them private; budgets "
        f"{budgets}, or as the third column says, alpha = {ALPHA}, "
        f"{f'{runs} draws a side' if runs else 'draws as planned'}; median "
        f"{seconds[len(seconds) // 2]:.1f} s an audit. Wrong: {wrong}."
    )
    text = ["# Named rules at three budgets", "", summary, "", *rows]
    (HERE / "audit_rules.md").write_text("\n".join(text) + "\n")
    print(summary)
    open_pieces(STORE, {}, JSON, drop).remove()
    return 1 if wrong else 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] + [0, len(os.sched_getaffinity(0))][len(sys.argv) - 1 :]
    sys.exit(main(*given))
