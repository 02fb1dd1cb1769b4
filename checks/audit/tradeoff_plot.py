"""The trade-off curve as a picture; needs the extra `plot`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oubli.checks.audit.tradeoff import claimed_curve
from oubli.errors import optional


def draw(path: Path, curve: Mapping[str, Any], eps: float, delta: float) -> None:
    """Write the measured curve, its band and the claim to a .png, .pdf or .svg file.

    Args:
        path: where to; the ending decides the format.
        curve: `TradeOff.as_json()`.
        eps: the claimed eps.
        delta: the claimed delta.
    """
    with optional("plot", "the trade-off curve as a picture"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(5.2, 5.0), layout="constrained")
    axes = figure.subplots()
    one, two = np.array(curve["type_one"]), np.array(curve["type_two"])
    upper = np.minimum(one + curve["margin_one"], 1.0), np.minimum(two + curve["margin_two"], 1.0)
    grid = np.linspace(0, 1, 400)
    axes.fill_between(grid, 0, claimed_curve(grid, eps, delta), color="0.88", label="forbidden by the claim")
    axes.plot(one, two, color="C0", label="attack, as counted")
    axes.plot(*upper, color="C1", linestyle="--", label="attack, certified at all thresholds")
    axes.set(xlabel="type I error", ylabel="type II error", xlim=(0, 1), ylim=(0, 1),
             title=f"Trade-off against the claim ε = {eps:g}, δ = {delta:g}")  # fmt: skip
    axes.legend(loc="upper right")
    try:
        figure.savefig(path)
    except (ValueError, OSError) as why:
        text = " ".join(str(why).split())[:120]
        raise ValueError(f"--plot must be a writable .png, .pdf or .svg file, got {path} ({text})") from None
