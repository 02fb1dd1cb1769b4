"""Power and false-positive rate of `oubli audit --samples`, with peers measured in the same run.

Run with `python benchmarks/samples.py [AUDITS] [PROCESSES]` (50,000 and 2 by default); the table is written
to benchmarks/samples.md. A peer that is not installed is left out, and the table says so: `pip install
privacy-estimates`. Exits with 1 when a promise is missed.
"""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

# Small matrices only: threads of the linear algebra would fight over the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Run as a script, this folder must not hide the packages that are measured.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np

from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.samples import audit_samples
from oubli.sim.laws import gaussian_epsilon
from oubli.sim.runs.intervals import clopper_pearson
from tests.fixtures.boundary_laws import BOUNDARY_LAWS

HERE = Path(__file__).resolve().parent
# Nothing was chosen on these seeds.
SEED = 3_141_592_653
ALPHA, AUDITS, PROCESSES, REPEATS, N, DELTA = 0.05, 50_000, 2, 100, 10_000, 1e-5
WANTED_FREE, WANTED_GAUSSIAN = 2.35, 4.2
# Repeats of bounds that take about a second each.
SLOW = 10
Bound = Callable[[int, int, int, int], float]


def flagged(number: int) -> tuple[str, dict[str, float]]:
    """One audit of 600 samples a side of laws that keep the claim with equality: what spoke, its level."""
    law = BOUNDARY_LAWS[number % len(BOUNDARY_LAWS)]
    (P, Q), budget = law(np.random.default_rng([SEED, number]), 600)
    found = audit_samples(P, Q, *budget, alpha=ALPHA, seed=SEED + number)
    return law.__name__, {f.check: f.level for f in found.findings if f.verdict is Judgement.VIOLATED}


def calibration(audits: int, processes: int) -> tuple[list[str], bool]:
    """How often laws that keep their claim are flagged, by law, by finding and over all."""
    with get_context("fork").Pool(processes) as pool:
        done = list(pool.imap(flagged, range(audits), chunksize=20))
    lines = [
        f"{audits} audits of 600 samples a side, alpha = {ALPHA}. Wanted: a 99.9 % upper limit below "
        f"{1.2 * ALPHA:.3f} for every law, and no finding that speaks more often than its level, at the "
        "99.9 % limit.",
        "",
        "| law | audits | flagged | rate | 99.9 % upper limit | by finding (rate, level) | |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [_row(name, [f for law, f in done if name in (law, "all")]) for name in (*_names(), "all")]
    return [*lines, *(line for line, _ in rows)], all(good for _, good in rows)


def _names() -> list[str]:
    return [law.__name__ for law in BOUNDARY_LAWS]


def _row(name: str, flags: list[dict[str, float]]) -> tuple[str, bool]:
    """The rates of one law, and whether they are what was promised."""
    wrong, audits = sum(map(bool, flags)), len(flags)
    limit = clopper_pearson(wrong, audits, 0.002).high
    good, words = limit < 1.2 * ALPHA, []
    for check in sorted({check for flag in flags for check in flag}):
        levels = [flag[check] for flag in flags if check in flag]
        good = good and clopper_pearson(len(levels), audits, 0.002).low <= max(levels)
        words.append(f"{check} {len(levels) / audits:.5f}, {max(levels):.4g}")
    cells = [name, audits, wrong, f"{wrong / audits:.4f}", f"{limit:.5f}", "; ".join(words), _mark(good)]
    return "| " + " | ".join(map(str, cells)) + " |", good


def peers() -> dict[str, Bound]:
    """Lower bounds on eps from a confusion matrix, by name and version of the package."""
    try:
        from privacy_estimates import AttackResults, compute_eps_lo
    except ImportError:
        return {}

    def bound(method: str) -> Bound:
        def at(TP: int, FN: int, FP: int, TN: int) -> float:
            count = AttackResults(FN=FN, FP=FP, TN=TN, TP=TP)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    return float(compute_eps_lo(count=count, delta=DELTA, alpha=ALPHA, method=method))
                except ValueError:
                    # Its root finder does not bracket every posterior.
                    return float("nan")

        return at

    name = f"privacy-estimates {version('privacy-estimates')}"
    return {f"{name}, {method}": bound(method) for method in ("beta", "jeffreys", "joint-beta")}


def by_threshold(P: Any, Q: Any, choose: Bound, bound: Bound) -> float:
    """A peer's bound: its threshold is chosen on a tenth of the scores and counted on the others."""
    look = len(P) // 10
    best = max(np.quantile(np.concatenate([P[:look], Q[:look]]), np.linspace(0.02, 0.98, 49)),
               key=lambda t: choose(*_confusion(P[:look], Q[:look], t, 9)))  # fmt: skip
    return bound(*_confusion(P[look:], Q[look:], best, 1))


def _confusion(P: Any, Q: Any, t: float, times: int) -> tuple[int, int, int, int]:
    hits, false = (int(np.count_nonzero(side >= t)) * times for side in (P, Q))
    return hits, len(P) * times - hits, false, len(Q) * times - false


def power() -> tuple[list[str], bool]:
    """Median 95 % lower bounds on eps for N(1,1) against N(0,1), ours and the peers', on the same scores."""
    known = peers()
    found: dict[str, list[float]] = {"oubli, free": [], "oubli, Gaussian": [], **{name: [] for name in known}}
    for number in range(REPEATS):
        rng = np.random.default_rng([SEED, 1, number])
        P, Q = rng.normal(1, 1, N), rng.normal(0, 1, N)
        free = audit_samples(P, Q, 1.0, DELTA, alpha=ALPHA, seed=SEED + number)
        gauss = audit_samples(P, Q, 1.0, DELTA, alpha=ALPHA, seed=SEED + number, assume_gaussian=True)
        found["oubli, free"].append(_bound(free, "privacy eps"))
        found["oubli, Gaussian"].append(_bound(gauss, "privacy gaussian"))
        for name, bound in known.items():
            if "joint" in name and number >= SLOW:
                continue
            # The joint posterior is slow: its threshold is chosen by the quick bound of the same package.
            quick = known[name.replace("joint-beta", "jeffreys")]
            found[name].append(by_threshold(P, Q, quick, bound))
    truth = float(gaussian_epsilon(1.0, DELTA))
    lines = [
        f"Scores N(1,1) against N(0,1), delta = {DELTA:g}, n = {N} a side, 95 % lower bounds on eps; the "
        f"truth is {truth:.3f}. Here alpha is shared with the other findings of the audit; "
        "jeffreys and joint-beta are Bayesian, without a guarantee at every truth.",
        "",
        "| bound | median | above the truth | failed |",
        "|---|---|---|---|",
    ]
    for name, values in found.items():
        known_values = [v for v in values if not np.isnan(v)]
        median = f"{np.median(known_values):.3f}" if known_values else "-"
        above, failed = sum(v > truth for v in known_values), len(values) - len(known_values)
        lines.append(f"| {name} | {median} | {above} of {len(values)} | {failed} |")
    if not known:
        lines += ["", "No peer is installed (`pip install privacy-estimates`)."]
    good = all(
        np.median(found[name]) >= wanted
        for name, wanted in (("oubli, free", WANTED_FREE), ("oubli, Gaussian", WANTED_GAUSSIAN))
    )
    return [*lines, "", f"Wanted: {WANTED_FREE} free, {WANTED_GAUSSIAN} Gaussian: {_mark(good)}."], good


def _bound(found: Any, check: str) -> float:
    return next(float(f.measured.get("lower_bound", 0.0)) for f in found.findings if f.check == check)


def _mark(good: bool) -> str:
    return "ok" if good else "MISSED"


def versions() -> str:
    """Of what the figures depend on."""
    found = []
    for name in ("numpy", "scipy", "privacy-estimates"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def main(audits: int, processes: int) -> int:
    """Measure, print and write the table."""
    parts = {"Power": power(), "False-positive rate at the boundary": calibration(audits, processes)}
    text = ["# Power and false-positive rate of `oubli audit --samples`", ""]
    text += [
        f"Written by `python benchmarks/samples.py {audits}`; Python {platform.python_version()}, "
        f"{versions()}."
    ]
    for title, (lines, _) in parts.items():
        text += ["", f"## {title}", "", *lines]
    (HERE / "samples.md").write_text("\n".join(text) + "\n")
    print("\n".join(text))
    return 0 if all(good for _, good in parts.values()) else 1


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] + [AUDITS, PROCESSES][len(sys.argv) - 1 :]
    sys.exit(main(*given))
