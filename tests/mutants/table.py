"""The table of mutants: which test each dies of, and why the others are no errors."""

import json
from pathlib import Path
from typing import Any

from tests.mutants.operators import Mutant

KILLED = Path(__file__).with_name("killed.json")  # written by `make mutants`
PAGE = Path(__file__).with_name("mutants.md")  # the same for readers
REASONS = Path(__file__).with_name("reasons.json")  # reviewed by hand

ALIVE = ("survived", "not reached")
HEAD = """# Mutants

Written by `make mutants`: one change at a time in what is trusted (operators.py lists the kinds), and which
test notices it. `killed.json` names the test of each mutant, `reasons.json` is reviewed by hand. A mutant is
named by its function, the kind of change and its text, so that the table survives changes elsewhere. Few die
of no test: `stopped` are those with which their module cannot be loaded, `timeout` those that never end.

| area | mutants | run | killed | equivalent, with a reason | survive |
|---|---|---|---|---|---|"""


def read(file: Path) -> dict[str, Any]:
    """A JSON file, or nothing."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def reasons() -> dict[str, str]:
    """Why a mutant that no test notices is no error, by mutant."""
    return {key: group["reason"] for group in read(REASONS).get("equivalent", []) for key in group["mutants"]}


def killers(area: str) -> dict[str, str]:
    """The test that each mutant dies of."""
    tests = read(KILLED).get(area, {}).get("killed", {})
    return {key: test for test, keys in tests.items() for key in keys}


def save(area: str, mutants: list[Mutant], found: dict[str, str]) -> None:
    """Write what is known of the mutants that there are now, and the page for readers."""
    table, excused = read(KILLED), reasons()
    known = killers(area) | dict.fromkeys(table.get(area, {}).get("survive", []), "survived") | found
    now = {m.key: known[m.key] for m in mutants if m.key in known and m.key not in excused}
    tests: dict[str, list[str]] = {}
    for key, said in now.items():
        if said not in ALIVE:
            tests.setdefault(said, []).append(key)
    table[area] = {
        "mutants": len(mutants),
        "equivalent": sum(m.key in excused for m in mutants),
        "survive": sorted(key for key, said in now.items() if said in ALIVE),
        "killed": dict(sorted(tests.items())),
    }
    KILLED.write_text(
        json.dumps(table, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    PAGE.write_text(page(), encoding="utf-8")


def counts(area: str) -> tuple[int, int, int, int, int]:
    """All mutants of an area, those that were run, killed, equivalent with a reason, and surviving."""
    part = read(KILLED)[area]
    killed = sum(map(len, part["killed"].values()))
    alive, equivalent = len(part["survive"]), part["equivalent"]
    return part["mutants"], killed + equivalent + alive, killed, equivalent, alive


def summary(area: str) -> str:
    """One line: tried, killed, equivalent, surviving."""
    every, tried, killed, equivalent, alive = counts(area)
    ran = f"{area}: {tried} of {every} mutants, {killed} killed"
    return f"{ran}, {equivalent} equivalent with a reason, {alive} survive"


def page() -> str:
    """The table for readers, as Markdown."""
    rows = [f"| {area} | {' | '.join(map(str, counts(area)))} |" for area in read(KILLED)]
    lines = [HEAD, *rows, "", "## Why a mutant that lives is no error", ""]
    for group in read(REASONS).get("equivalent", []):
        lines += [f"**{group['reason']}**", "", *(f"- `{key}`" for key in group["mutants"]), ""]
    lines += ["## Survivors without a reason", ""]
    for area, part in read(KILLED).items():
        lines += (
            [f"### {area}", "", *(f"- `{key}`" for key in part["survive"]), ""] if part["survive"] else []
        )
    return "\n".join(lines).rstrip() + "\n"
