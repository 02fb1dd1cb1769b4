"""The table of mutants: which test each dies of, and why the others are no errors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.mutants.operators import Mutant

KILLED = Path(__file__).with_name("killed.json")  # written by `make mutants`
REASONS = Path(__file__).with_name("reasons.json")  # reviewed by hand

ALIVE = ("survived", "not reached")


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


def save(area: str, mutants: Iterable[Mutant], found: dict[str, str]) -> None:
    """Write what is known of the mutants that there are now."""
    table, excused = read(KILLED), reasons()
    known = killers(area) | {key: said for key, said in found.items()}
    now = {m.key: known[m.key] for m in mutants if m.key in known and m.key not in excused}
    tests: dict[str, list[str]] = {}
    for key, said in now.items():
        if said not in ALIVE:
            tests.setdefault(said, []).append(key)
    equivalent = sum(m.key in excused for m in mutants)
    survive = sorted(key for key, said in now.items() if said in ALIVE)
    table[area] = {"equivalent": equivalent, "survive": survive, "killed": dict(sorted(tests.items()))}
    KILLED.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def summary(area: str) -> str:
    """One line: tried, killed, equivalent, surviving."""
    part = read(KILLED)[area]
    killed = sum(map(len, part["killed"].values()))
    survive, equivalent = len(part["survive"]), part["equivalent"]
    tried = killed + survive + equivalent
    return f"{area}: {tried} mutants, {killed} killed, {equivalent} equivalent with a reason, {survive} survive"
