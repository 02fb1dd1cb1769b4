"""How long verdicts take: nothing changed, everything changed, one claim, and the replay of all certificates.

The peer is the same program without its cache. Processor seconds of all processes are shown beside the wall
clock, since a busy machine changes only the latter. Run with `python benchmarks/judging.py`, on two free
cores; exits with 1 when a limit is missed.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Run as a script, this file's own folder would hide packages that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

from oubli.theory.judging.ledger import Ledger
from oubli.theory.judging.replay import replay_all
from oubli.theory.paper.ledger import ledger

OUBLI = [sys.executable, "-c", "from oubli.cli.main import main; main()"]
# Seconds on two free cores; the replay in processor seconds.
LIMITS = {"everything changed": 6.0, "nothing changed": 1.5, "one claim": 0.7, "replay of all": 2.0}


def timed(*arguments: str, cache: str) -> tuple[float, float]:
    """Wall and processor seconds of a command."""
    wall, before = time.perf_counter(), os.times()
    # As installed: Python keeps what it compiles.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["OUBLI_CACHE"] = cache
    subprocess.run([*OUBLI, *arguments], env=environment, capture_output=True, check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - wall, spent


def replay_seconds(book: Ledger) -> tuple[float, int]:
    """Processor seconds of the kernel on every certificate, and how many there are."""
    entries = book.verify().values()
    made = [c for e in entries for c in (e.verdict.certificate, e.verdict.witness) if c]
    begun = time.process_time()
    accepted, rejected = replay_all(made, book)
    assert len(accepted) == len(made)
    assert not rejected
    return time.process_time() - begun, len(made)


def main() -> int:
    """Print what was measured; 1 if a limit is missed."""
    gc.set_threshold(50_000)  # as the command line does: the records are many objects that all stay
    with tempfile.TemporaryDirectory() as folder:
        cache, out = f"{folder}/cache", f"{folder}/report"
        plain = timed("check", "--no-cache", "--out", out, cache=cache)
        found = {
            "everything changed": timed("check", "--out", out, cache=cache),
            "nothing changed": min(timed("check", "--out", out, cache=cache) for _ in range(3)),
            "one claim": min(timed("show", "opt_dist.sharp", cache=cache) for _ in range(3)),
        }
    replay, number = replay_seconds(ledger())
    found["replay of all"] = replay, replay
    for what, (wall, spent) in found.items():
        whole = what in ("everything changed", "nothing changed")
        peer = f"without cache: {plain[1]:.1f} s of processor, {plain[0]:.1f} s" if whole else ""
        ratio = f"{plain[1] / spent:.1f}×, " if whole else ""
        name = f"{what}, {number} certificates" if what == "replay of all" else what
        limit = f"limit {LIMITS[what]:g} s: {'kept' if wall <= LIMITS[what] else 'MISSED'}"
        print(f"| judging: {name} | {spent:.2f} s of processor, {wall:.2f} s | {peer} | {ratio}{limit} |")
    return 0 if all(found[what][0] <= limit for what, limit in LIMITS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
