"""Pieces for the tests of the runner, and a script that works through them as a process of its own."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.pool import PieceError
from oubli.checks.runs.resume import resume
from oubli.checks.runs.store import drop, open_pieces


@dataclass(frozen=True)
class Slow:
    """Computes for a while, without ever waiting, and leaves a mark when it begins."""

    number: int
    seconds: float
    marks: str = ""

    @property
    def key(self) -> str:
        return f"slow-{self.number:03d}"

    @property
    def cost(self) -> float:
        return self.seconds

    def run(self) -> dict[str, float]:
        if self.marks:
            (Path(self.marks) / self.key).write_text("")
        if self.seconds < 0:
            raise PieceError(f"{self.key}: no luck")
        end, total = time.monotonic() + self.seconds, 0
        while time.monotonic() < end:
            total += 1
        return {"square": self.number**2}


def main(folder: str, count: str, seconds: str, jobs: str) -> None:
    """All pieces, and their results as one line."""
    marks = Path(folder) / "marks"
    marks.mkdir(parents=True, exist_ok=True)
    store = open_pieces(Path(folder) / "pieces", {"what": "test"}, JSON, drop)
    pieces = [Slow(number, float(seconds), str(marks)) for number in range(int(count))]
    print(resume(store, pieces, int(jobs)))
    store.remove()


if __name__ == "__main__":
    main(*sys.argv[1:])
