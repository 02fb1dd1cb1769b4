"""Exact laws against what a user would otherwise run: ratios and errors, measured in one run.

Run:  python benchmarks/laws.py            (about half a minute)
Exits with 1 if a line misses its goal.
"""

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq
from scipy.stats import binom

from oubli.sim.laws import (
    binomial_tv,
    binomial_tv_ball,
    binomial_tv_gamma,
    gaussian_attains,
    gaussian_epsilon,
    gaussian_sigma,
)
from oubli.sim.laws.binomial_ball import _crossing

CASES_TV = 12_000
CASES_GAUSS = 100_000
SEED = 3


@dataclass(frozen=True)
class Line:
    """One row of the table: what was measured, against what, and whether the goal is met."""

    what: str
    measured: str
    goal: str
    met: bool


def seconds(run: Callable[[], Any], repeat: int = 1, rounds: int = 3) -> float:
    """The best of a few rounds, per call; a first call warms the caches."""
    run()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeat):
            run()
        times.append((time.perf_counter() - start) / repeat)
    return min(times)


def hard_gammas(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """T log-uniform to 1e12, γ anywhere up to ±(1 − 1e-12), |γ' − γ| log-uniform from 1e-12."""
    T = np.floor(10 ** rng.uniform(0, 12, size))
    near_ends = rng.choice([-1, 1], size) * (1 - 10 ** rng.uniform(-12, 0, size))
    g = np.where(rng.random(size) < 0.5, rng.uniform(-1, 1, size), near_ends)
    edge = 1 - 1e-12
    return T, g, np.clip(g + rng.choice([-1, 1], size) * 10 ** rng.uniform(-12, 0.3, size), -edge, edge)


def tv_error() -> Line:
    T, g, g2 = hard_gammas(np.random.default_rng(SEED), CASES_TV)
    worst = 0.0
    for steps, a, b, value in zip(T, g, g2, binomial_tv_gamma(T, g, g2), strict=True):
        p, q = ((1 + Fraction(float(x))) / 2 for x in (a, b))
        lower, upper = binomial_tv_ball(int(steps), p, q, 18)
        found = Fraction(float(value))
        off = max(abs(found - lower), abs(found - upper))
        worst = max(worst, float(off / lower if lower else off))
    return Line(
        f"float TV: worst relative error, {CASES_TV} cases", f"{worst:.1e}", "≤ 1e-14", worst <= 1e-14
    )


def summed_pmf(T: int, p: float, q: float) -> float:
    k = np.arange(T + 1)
    return float(np.abs(binom.pmf(k, T, p) - binom.pmf(k, T, q)).sum() / 2)


def tv_throughput() -> list[Line]:
    T, size = 10**6, 200_000
    rng = np.random.default_rng(SEED)
    g = rng.uniform(-0.99, 0.99, size)
    # Gaps of the order 1/√T: neither trivial (TV = 1) nor tiny.
    g2 = np.clip(g + rng.normal(size=size) * 3 / np.sqrt(T), -1, 1)
    rate = size / seconds(lambda: binomial_tv_gamma(T, g, g2))
    one = seconds(lambda: binomial_tv(T, 0.5, 0.5005), 200)
    summed = seconds(lambda: summed_pmf(T, 0.5, 0.5005))
    return [
        Line("float TV: values a second at T = 1e6", f"{rate:,.0f}", "≥ 200,000", rate >= 200_000),
        Line(
            "float TV: vectorised, against summing the pmf",
            f"{summed * rate:,.0f}×",
            "≥ 1,000×",
            summed * rate >= 1000,
        ),
        Line("float TV: one call alone, against summing the pmf", f"{summed / one:,.0f}×", "—", True),
    ]


def incomplete_betas(T: int, m: int, p: Fraction, q: Fraction, bits: int) -> arb:
    """The same number by two calls of Arb's regularised incomplete beta function."""
    with ctx.workprec(bits):
        upper, lower = (
            arb(fmpq(t.numerator, t.denominator)).beta_lower(m, T - m + 1, regularized=True) for t in (q, p)
        )
        return upper - lower


def bits_needed(T: int, m: int, p: Fraction, q: Fraction, digits: int) -> int:
    """The least precision, in steps of 4, at which the two calls give the digits."""
    bits = 100
    while not (gap := incomplete_betas(T, m, p, q, bits)).rad() * arb(10) ** digits < gap:
        bits += 4
    return bits


def enclosure_speed(gap: str) -> Line:
    T, p, digits = 10**9, Fraction(1, 2), 30
    q = p + Fraction(gap)
    with ctx.workprec(200):
        m = _crossing(T, p, q)[0]
    bits = bits_needed(T, m, p, q, digits)
    ours = seconds(lambda: binomial_tv_ball(T, p, q, digits), 50)
    ratio = seconds(lambda: incomplete_betas(T, m, p, q, bits), 5) / ours
    what = f"TV enclosure, 30 digits, T = 1e9, q − p = {gap}: two incomplete betas / ours"
    return Line(what, f"{ratio:.0f}× ({ours * 1e6:.0f} µs)", "≥ 20×", ratio >= 20)


def gauss_domain(size: int) -> tuple[np.ndarray, np.ndarray]:
    """The whole domain, with half of the points at the δ that people use."""
    rng = np.random.default_rng(SEED)
    eps = 10 ** rng.uniform(-6, 4, size)
    deep, shallow = (10 ** rng.uniform(low, np.log10(0.9), size) for low in (-300, -12))
    return eps, np.where(rng.random(size) < 0.5, deep, shallow)


def gauss_safety() -> list[Line]:
    eps, delta = gauss_domain(CASES_GAUSS)
    sigma = gaussian_sigma(eps, delta)
    back = gaussian_epsilon(sigma, delta)
    loose = 1 - Fraction(1, 10**13)
    unsafe = too_large = 0
    for e, d, s, e2 in zip(eps.tolist(), delta.tolist(), sigma.tolist(), back.tolist(), strict=True):
        unsafe += not (gaussian_attains(e, s, d) and gaussian_attains(e2, s, d))
        too_large += gaussian_attains(e, Fraction(s) * loose, d)
        too_large += e2 > 1e-6 and gaussian_attains(Fraction(e2) * loose, s, d)
    cases = f"{CASES_GAUSS} points, σ and ε"
    return [
        Line(f"Gaussian: unsafe results, {cases}", str(unsafe), "0", unsafe == 0),
        Line(f"Gaussian: more than 1e-13 above the least, {cases}", str(too_large), "0", too_large == 0),
    ]


def gauss_throughput() -> list[Line]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting import get_sigma_gaussian

    eps, delta = 10 ** np.random.default_rng(SEED).uniform(-1, 1, 20_000), 1e-5
    ours = seconds(lambda: gaussian_sigma(eps, delta)) / len(eps)
    few = eps[:200].tolist()
    theirs = seconds(lambda: [get_sigma_gaussian(e, delta) for e in few]) / len(few)
    low = sum(not gaussian_attains(e, float(get_sigma_gaussian(e, delta)), delta) for e in few)
    return [
        Line(
            "Gaussian σ: throughput against dp_accounting",
            f"{theirs / ours:.0f}×",
            "≥ 50×",
            theirs / ours >= 50,
        ),
        Line("  (σ of dp_accounting that are too small)", f"{low} of {len(few)}", "—", True),
    ]


def peer(what: str) -> str:
    """Whom a line compares with, and in which version; a line about errors compares with exact balls."""
    packages = {"pmf": "scipy", "dp_accounting": "dp-accounting", "incomplete betas": "python-flint"}
    names = [name for word, name in packages.items() if word in what]
    return ", ".join(f"{name} {version(name)}" for name in names) or "exact enclosures"


def main() -> int:
    speeds = [enclosure_speed(gap) for gap in ("1e-9", "5e-8", "1e-5", "1e-4", "0.1")]
    lines = [*tv_throughput(), *speeds, *gauss_throughput(), tv_error(), *gauss_safety()]
    width = max(len(line.what) for line in lines)
    for line in lines:
        print(f"{line.what:<{width}}  {line.measured:>16}  {line.goal:>10}  {'ok' if line.met else 'MISSED'}")
    for line in lines:
        print(f"| {line.what} | {line.measured} | {peer(line.what)} | goal {line.goal} |")
    return 0 if all(line.met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
