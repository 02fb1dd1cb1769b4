"""`python -m tests.fuzz`: many calls of the command line, one for each seed; ends with 1 if one fails."""

import collections
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from oubli.papers import ledger
from tests.fuzz.calls import call
from tests.fuzz.judge import answered, fault

# Claims whose certificates are twisted: a combination, a witness, a claim with lemmas.
CLAIMS = ("e0.step", "opt_dist.sharp")


def certificates() -> list[Any]:
    """Good certificates to start from."""
    entries = ledger().verify(CLAIMS)
    found = [entry.verdict.certificate or entry.verdict.witness for entry in entries.values()]
    return [certificate for certificate in found if certificate]


def fuzz(first: int, calls: int, good: list[Any], folder: Path) -> tuple[collections.Counter[str], list[str]]:
    """Make the calls of some seeds: how many of each kind and status, and what failed."""
    counts, failed = collections.Counter[str](), list[str]()
    begin = time.monotonic()
    for done, seed in enumerate(range(first, first + calls), 1):
        arguments = call(seed, folder, good)
        answer = answered(arguments)
        wrong = fault(arguments, answer)
        counts[f"{(arguments or [''])[0][:8]} {answer.status}"] += 1
        if wrong:
            failed.append(f"seed {seed}: oubli {' '.join(map(repr, arguments))}: {wrong}")
            print(failed[-1][:900], flush=True)
        if done % 200 == 0 and sys.stderr.isatty():
            left = (time.monotonic() - begin) / done * (calls - done)
            print(
                f"\r{done} of {calls} calls, {len(failed)} fail, {left / 60:.0f} min left\x1b[K",
                end="",
                file=sys.stderr,
            )
    return counts, failed


@click.command()
@click.option("--calls", type=int, default=20_000, show_default=True, help="How many calls.")
@click.option(
    "--first", type=int, default=0, show_default=True, help="The first seed: --first N --calls 1 repeats one."
)
def main(calls: int, first: int) -> None:
    """Call the command line with what nobody should type."""
    with tempfile.TemporaryDirectory() as folder:
        counts, failed = fuzz(first, calls, certificates(), Path(folder))
    words = {key: count for key, count in counts.most_common() if count > calls / 1000}
    print(f"{calls} calls from seed {first}: {len(failed)} fail; {json.dumps(words)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
