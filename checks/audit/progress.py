"""How much of an audit is done, and how long the rest will take, on stderr."""

from __future__ import annotations

import sys
import threading
import time

# Seconds before the first line, and between two of them.
FIRST, BETWEEN = 2.0, 2.0


class Meter:
    """Counts numbers moved by the rule against the number that was planned."""

    def __init__(self, planned: float, shown: bool = False) -> None:
        self.planned, self.shown, self.done = max(planned, 1.0), shown, 0.0
        self.begun = time.monotonic()
        self.next = self.begun + FIRST
        self.lock = threading.Lock()

    def did(self, work: float) -> None:
        """So much more is done; now and then that is said."""
        with self.lock:
            self.done += work
            now = time.monotonic()
            if self.shown and now >= self.next:
                self.next = now + BETWEEN
                print(self.line(now - self.begun), file=sys.stderr, flush=True)

    def line(self, seconds: float) -> str:
        """The share that is done and the time left, at the pace so far.

        >>> meter = Meter(100.0)
        >>> meter.did(25.0)
        >>> meter.line(10.0)
        'oubli: audit 25 % done, about 30 s left'
        """
        share = min(self.done / self.planned, 0.99)
        left = seconds * (1 - share) / max(share, 1e-3)
        return f"oubli: audit {share:.0%} done, about {left:.0f} s left".replace("%", " %")
