"""How fast the synthetic experiment is: slices of it against a straightforward NumPy loop, in one run.

The loop takes one vectorised step of all 60 × 50 chains at a time and looks at every chain's excess after it.
Processor seconds of one process are compared, so that another program's load does not matter. Slices of few
steps take milliseconds either way; they are counted in the last line, over every T of the protocol up to the
slice: the loop's time there is its measured time a step times the steps. Run with
`python benchmarks/phase.py`; exits with 1 when a ratio that the project promises is missed, or when a full
protocol takes more of two processors than it may.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# Run as a script, this file's own folder would come before the package that it measures.
if Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    sys.path.pop(0)

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments.synthetic.protocol import Synthetic, descending
from oubli.sim.experiments.synthetic.tasks import GROUP, Walk

# The least ratios; with constant steps the last, over every T, is the promise.
WANTED = {"charitable": 5.0, "constant-step": 15.0}
# Seconds that a full protocol may take on two free cores.
LIMITS = {"synthetic": 90.0, "digits": 120.0}
OUBLI = [sys.executable, "-c", "from oubli.cli.main import main; main()"]
T = 20_000


def loop(protocol: Synthetic, averaged: bool, stop: bool) -> NDArray[np.int64]:
    """First passages of noise and fine-tune as one would write them; `stop` ends when all have passed."""
    rng, levels = np.random.default_rng(0), descending(protocol.levels)
    d, L, mu, r = protocol.d, protocol.L, protocol.mu, protocol.r_f
    half, q, gamma_T, R = d // 2, L / (4 * mu), 1 / (2 * math.sqrt(T)), L / (2 * mu)
    kappa = np.repeat(protocol.kappas, protocol.repetitions)[:, None]
    sensitivity = 2 * r * L / ((1 + r) * mu)
    steps = np.sqrt((1 + d * kappa**2) / T) * sensitivity / L
    star = np.where(np.arange(d) < half, q * ((1 - r) * gamma_T - r), 0.0)
    theta = _projected(star + kappa * sensitivity * rng.standard_normal((len(kappa), d)), R)
    m, weight = (theta.copy(), 1.0) if averaged else (np.zeros_like(theta), 0.0)
    when = np.full((len(kappa), len(levels)), -1)
    for t in range(T + 1):
        output = m / weight if weight else theta
        miss = output[:, :half] - q * gamma_T
        sizes = np.abs(output[:, half:])
        excess = mu / 2 * (miss**2).sum(axis=1) + mu / 2 * (sizes**2).sum(axis=1) + L / 4 * sizes.sum(axis=1)
        when[(excess[:, None] <= levels) & (when < 0)] = t
        if t == T or (stop and (when >= 0).all()):
            break
        g = np.where(rng.random(len(kappa)) < (1 + gamma_T) / 2, 1.0, -1.0)
        grad = mu * theta
        grad[:, :half] -= L / 4 * g[:, None]
        grad[:, half:] += L / 4 * np.sign(theta[:, half:])
        if averaged:
            theta = _projected(theta - 2 / (mu * (t + 2)) * grad, R)
            m, weight = m + (t + 2) * theta, weight + t + 2
        else:
            m, weight = m + theta, weight + 1
            theta = _projected(theta - steps * grad, R)
    return when


def _projected(theta: NDArray[np.float64], R: float) -> NDArray[np.float64]:
    return theta * (R / np.maximum(np.linalg.norm(theta, axis=1), R))[:, None]


def ours(protocol: Synthetic, name: str, T: int) -> float:
    """The same slice through the program's own pieces; returns the mean time of what passed."""
    groups = range(-(-protocol.points // GROUP))
    found = [Walk(name, T, group, iterate=False).run(protocol, {}) for group in groups]
    passed, total = (sum(float(part[key].sum()) for part in found) for key in ("passed", "total"))
    return total / passed


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds of a call, and its value."""
    begun = time.process_time()
    value = action()
    return time.process_time() - begun, value


def compare(protocol: Synthetic, name: str, averaged: bool) -> list[float]:
    """Print and return how many times longer the loop takes: on the slice both ways, over all T up to it."""
    ours(protocol, name, 1000)  # compiled loops are compiled once
    own, mean = timed(partial(ours, protocol, name, T))
    ratios, fastest = [], math.inf
    for stop, how in ((False, "for T steps, as printed"), (True, "until all have passed")):
        plain, when = timed(partial(loop, protocol, averaged, stop))
        apart = abs(float(when[when >= 0].mean()) / mean - 1)
        ratios.append(printed(f"{name:14s} loop {how:24s}", plain, own))
        print(f" (mean passage times differ by {apart:.1%})")
        fastest = min(fastest, plain)
    horizons = [each for each in protocol.horizons if each <= T]
    whole, _ = timed(lambda: [ours(protocol, name, each) for each in horizons])
    ratios.append(
        printed(f"{name:14s} every T up to it, {len(horizons)} of them ", fastest * sum(horizons) / T, whole)
    )
    print()
    return ratios


def printed(what: str, plain: float, own: float) -> float:
    print(f"| {' '.join(what.split())} | {own:.2f} s | NumPy loop, {plain:.2f} s | {plain / own:.1f}× |")
    print(f"{what} {plain:6.2f} s, ours {own:5.2f} s: {plain / own:6.1f} times", end="")
    return plain / own


def full(name: str) -> bool:
    """Run a full protocol in two processes; whether the two together spend no more than twice its limit."""
    before, began = os.times(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        call = [*OUBLI, "phase", name, "--jobs", "2", "--out", f"{folder}/{name}"]
        subprocess.run(call, cwd=folder, check=True, capture_output=True)
    wall, after = time.perf_counter() - began, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    kept = spent / 2 <= LIMITS[name]
    limit = f"limit {LIMITS[name]:g} s: {'kept' if kept else 'MISSED'}"
    print(f"| full {name} protocol, two cores | {spent / 2:.0f} s, half of {spent:.0f} s of processor |  | "
          f"{wall:.0f} s on the clock, {limit} |")  # fmt: skip
    return kept


def main() -> int:
    protocol = Synthetic()
    print(f"T = {T}, {protocol.points} kappas x {protocol.repetitions} repetitions, {protocol.points} levels")
    met = compare(protocol, "charitable", True)[-1] >= WANTED["charitable"]
    met &= compare(protocol, "constant-step", False)[-1] >= WANTED["constant-step"]
    print(f"{'met' if met else 'MISSED'}: over every T at least {WANTED}")
    kept = [full(name) for name in LIMITS]
    return 0 if met and all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
