"""The calculator: 10,000 classifications, against a loop over rows, and the certified share of the diagram.

Run:  python benchmarks/regimes.py            (about half a minute)
Exits with 1 if a line misses its goal.
"""

import sys
import time
from pathlib import Path

# Run as a script, its neighbour sim.py would hide the package of that name.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np

from oubli.theory.regimes import Constants, classify
from oubli.theory.regimes.phase import Plane, shares

ROWS = 10_000
PLANES = {(1e-2, 2, 1e-5): 0.60, (1e-3, 10, 1e-6): 0.70, (1e-4, 100, 1e-8): 0.75}


def table(size: int) -> dict[str, np.ndarray]:
    """Random rows over everything the diagram shows, and beyond."""
    rng = np.random.default_rng(0)
    return {
        "rf": 10 ** rng.uniform(-5, -0.1, size),
        "eps": 10 ** rng.uniform(-2, 2, size),
        "delta": 10 ** rng.uniform(-9, -1, size),
        "dim": rng.integers(1, 200, size),
        "target": 10 ** rng.uniform(-4, 0, size),
    }


def seconds(rows: dict[str, np.ndarray]) -> float:
    """The best of three classifications, words and ratios included."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        found = classify(**rows)
        _ = found.certified, found.printed, found.ratio
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    rows = table(ROWS)
    together = seconds(rows)
    few = 50
    alone = sum(seconds({k: v[i : i + 1] for k, v in rows.items()}) for i in range(few)) / few
    met = [together < 1.0]
    print(
        f"{ROWS} classifications: {together:.2f} s (goal: under 1 s), "
        f"{alone * ROWS / together:.0f}x faster than row by row"
    )
    print(f"| {ROWS} classifications | {together:.2f} s | row by row, {alone * ROWS:.1f} s "
          f"| {alone * ROWS / together:.0f}× |")  # fmt: skip
    print("certified share of e/e0 in [1e-4, 1], kappa in [1e-2, 1e2], log-uniform:")
    for (r, d, delta), goal in PLANES.items():
        printed, sharp = (shares(Plane(r, d, delta, c)) for c in Constants)
        met.append(sharp.certified >= goal)
        print(
            f"  r = {r:g}, d = {d}, delta = {delta:g}: printed-repaired {100 * printed.certified:.1f} %, "
            f"sharp {100 * sharp.certified:.1f} % (trivial {100 * sharp.trivial:.1f}, efficient "
            f"{100 * sharp.efficient:.1f}, inefficient {100 * sharp.inefficient:.1f}; goal {100 * goal:.0f})"
        )
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
