"""Calibration and power of `oubli audit`: false alarms over many small audits, bounds against peers'.

Run with `python benchmarks/audit.py [AUDITS]` (10,000 by default); exits with 1 when a promise is missed.
"""

from __future__ import annotations

import os
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

# Small matrices only: threads of the linear algebra would fight over the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Run as a script, this file's own name would hide the package that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np

from checks.audit import Judgement, Settings, quick_audit
from checks.audit.correct import CORRECT
from checks.audit.faulty import HalfNoise
from checks.audit.scores import epsilon_from_scores, gaussian_epsilon_from_scores
from sim.intervals import clopper_pearson

ALPHA, RUNS, AUDITS = 0.05, 1000, 10_000
# Borderline: the budget is exactly what the mechanism spends, and visible to a small audit.
BUDGETS = ({"eps": 1.0, "delta": 1e-5}, {"eps": 0.3, "delta": 0.02}, {"eps": 0.1, "delta": 0.1})
WANTED_EPS, WANTED_GAUSSIAN, WANTED_FLAGGED = 2.35, 4.2, 0.95


def one(seed: int) -> tuple[str, bool]:
    """One small audit of one correct algorithm; whether it was flagged."""
    algorithm = CORRECT[seed % len(CORRECT)]
    budget: dict[str, Any] = BUDGETS[seed // len(CORRECT) % len(BUDGETS)]
    settings = Settings(**budget, steps=2, runs=RUNS, alpha=ALPHA, seed=seed)
    return algorithm.__name__, quick_audit(algorithm, settings).verdict is Judgement.VIOLATED


def calibration(audits: int) -> bool:
    """Rate of false VIOLATED, everything searched included, with its 99.9 % upper limit."""
    begun = time.perf_counter()
    with get_context("fork").Pool(2) as pool:
        answers = list(pool.imap_unordered(one, range(audits), chunksize=50))
    print(
        f"calibration: {audits} audits, {(time.perf_counter() - begun) / audits:.3f} s each on two processes"
    )
    for name in sorted({name for name, _ in answers}):
        flags = [flagged for other, flagged in answers if other == name]
        print(f"  {name:32s} {sum(flags):5d} of {len(flags):6d} flagged")
    false = sum(flagged for _, flagged in answers)
    limit = clopper_pearson(false, audits, 0.002).high
    good = limit < 1.2 * ALPHA
    print(f"  all: {false} of {audits}; upper limit {limit:.5f}, wanted < {1.2 * ALPHA:.3f} {_mark(good)}")
    return good


def power(repeats: int = 100, n: int = 10_000) -> bool:
    """Median 95 % bounds on eps, N(1,1) against N(0,1), delta = 1e-5; true eps 4.377, best peer 2.10."""
    free, gauss = [], []
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        first, second = rng.normal(1, 1, n), rng.normal(0, 1, n)
        free.append(epsilon_from_scores(first, second, 1e-5, 0.05, seed))
        gauss.append(gaussian_epsilon_from_scores(first, second, 1e-5, 0.05))
    ours, other = float(np.median(free)), float(np.median(gauss))
    good = ours >= WANTED_EPS and other >= WANTED_GAUSSIAN
    print(f"power: distribution-free {ours:.3f} (wanted {WANTED_EPS}) {_mark(ours >= WANTED_EPS)}")
    print(f"power: Gaussian {other:.3f} (wanted {WANTED_GAUSSIAN}) {_mark(other >= WANTED_GAUSSIAN)}")
    return good


def half_noise(repeats: int = 60) -> bool:
    """How often, and how fast, half of the classical noise is flagged at (1, 1e-5)."""
    begun = time.perf_counter()
    flags = [
        quick_audit(HalfNoise, Settings(1.0, 1e-5, seed=seed)).violated("privacy") for seed in range(repeats)
    ]
    seconds = (time.perf_counter() - begun) / repeats
    good = sum(flags) >= WANTED_FLAGGED * repeats and seconds <= 60
    print(f"half noise: flagged in {sum(flags)} of {repeats} audits, {seconds:.1f} s each {_mark(good)}")
    return good


def _mark(good: bool) -> str:
    return "ok" if good else "MISSED"


if __name__ == "__main__":
    audits = int(sys.argv[1]) if len(sys.argv) > 1 else AUDITS
    results = [power(), half_noise(), calibration(audits)]
    sys.exit(0 if all(results) else 1)
