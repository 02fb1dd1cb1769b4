"""`python -m tests.mutants`: run the mutants of what is trusted, and write the table.

What was found is kept in build/mutants/ as it is found: after a stop the same command goes on. When tests
were added, `--again` runs the survivors once more.
"""

import hashlib
import json
import random
import sys
from pathlib import Path

import click

from tests.mutants.apply import ROOT
from tests.mutants.areas import AREAS
from tests.mutants.operators import Mutant
from tests.mutants.run import Reach, run
from tests.mutants.table import ALIVE, killers, reasons, save, summary

KEPT = ROOT / "build" / "mutants"


def found(file: Path) -> dict[str, str]:
    """What earlier runs found, by mutant."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(json.loads(line) for line in lines)


def stored(file: Path) -> Reach | None:
    """Which tests reach which functions, if that was noted."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


@click.command()
@click.argument("areas", nargs=-1, type=click.Choice([*AREAS]))
@click.option("--again", is_flag=True, help="Run survivors once more: tests were added.")
@click.option("--sample", type=int, help="Only so many mutants of each area, drawn by --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which sample.")
@click.option(
    "--budget", type=float, default=2.0, show_default=True, help="Seconds of tests for each mutant."
)
@click.option("--jobs", type=int, default=2, show_default=True, help="Mutants at a time.")
@click.option("--known", is_flag=True, help="Only mutants of the table, each against the test it died of.")
@click.option("--tests", multiple=True, help="These test files in place of the area's.")
@click.option("--only", default="", help="Only mutants whose name contains this.")
def main(
    areas: tuple[str, ...], again: bool, sample: int | None, seed: int, budget: float, jobs: int,
    known: bool, tests: tuple[str, ...], only: str,
) -> None:  # fmt: skip
    """Run the mutants of AREAS (all if none is named) and write tests/mutants/killed.json and mutants.md.

    Examples: python -m tests.mutants kernel;  python -m tests.mutants laws --sample 200 --seed 3
    """
    if known:
        sys.exit(known_again(areas or tuple(AREAS), sample, seed, jobs))
    KEPT.mkdir(parents=True, exist_ok=True)
    for area in areas or tuple(AREAS):
        wanted = [m for m in AREAS[area].mutants() if only in m.key]
        if sample is not None:
            wanted = random.Random(seed).sample(wanted, min(sample, len(wanted)))
        log = KEPT / f"{area}.jsonl"
        before = found(log)
        if again:
            before = {key: said for key, said in before.items() if said not in ALIVE}
        excused = reasons()
        fresh = [m for m in wanted if m.key not in before and m.key not in excused]
        texts = [
            (ROOT / file).read_bytes()
            for file in [*AREAS[area].sources(), *(tests or AREAS[area].test_files())]
        ]
        noted = KEPT / f"{area}.{hashlib.sha256(b''.join(texts)).hexdigest()[:12]}.json"
        if fresh:
            work(area, fresh, log, noted, list(tests) or AREAS[area].test_files(), budget, jobs)
        save(area, AREAS[area].mutants(), found(log))
        click.echo(summary(area))


def known_again(areas: tuple[str, ...], sample: int | None, seed: int, jobs: int) -> int:
    """Mutants of the table that are still in the source, each against its test: 1 if one survives now."""
    said: dict[str, str] = {}
    for area in areas:
        tests = {key: test for key, test in killers(area).items() if "::" in test}
        there = [m for m in AREAS[area].mutants() if m.key in tests]
        chosen = random.Random(seed).sample(there, min(sample or len(there), len(there)))
        files = sorted({tests[m.key].split("::")[0] for m in chosen})
        files = [file for file in files if (ROOT / file).exists()]
        run(
            chosen,
            chosen,
            files,
            lambda m, word: said.update({m.key: word}),
            lambda _: None,
            {},
            0.0,
            jobs,
            tests,
        )
    alive = [key for key, word in said.items() if word == "survived"]
    click.echo(f"{len(said)} mutants again, {len(alive)} survive the tests they died of")
    for key in alive:
        click.echo(key)
    return 1 if alive else 0


def work(
    area: str, fresh: list[Mutant], log: Path, noted: Path, tests: list[str], budget: float, jobs: int
) -> None:
    """Run the mutants that are not settled yet."""
    with log.open("a", encoding="utf-8") as out:

        def on_result(mutant: Mutant, said: str) -> None:
            print(json.dumps([mutant.key, said]), file=out, flush=True)

        def remember(reach: Reach) -> None:
            noted.write_text(json.dumps(reach), encoding="utf-8")

        every = AREAS[area].mutants()
        run(fresh, every, tests, on_result, remember, stored(noted), budget, jobs, killers(area))


if __name__ == "__main__":
    main()
