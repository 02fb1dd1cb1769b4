"""The pictures of an audit as plain SVG: scores with the thresholds, risk over T, place in the diagram."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from oubli.checks.audit.finding import Finding

W, H, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 74, 16, 34, 46
BLUE, ORANGE, GREY = "#1f77b4", "#d95f02", "#444444"
FILLS = {"trivial": "#a1d99b", "efficient": "#9ecae1", "inefficient": "#fdbe85", "uncharted": "#e4e4e4"}
Scale = Callable[[float], float]


def drawn(finding: Finding) -> str:
    """The picture of a finding that has one."""
    return DRAWERS[str(finding.plot["kind"])](finding)


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    span = (high - low) or 1.0
    return lambda v: start + (end - start) * (v - low) / span


def _log(low: float, high: float, start: float, end: float) -> Scale:
    inner = _scale(math.log10(low), math.log10(high), start, end)
    return lambda v: inner(math.log10(min(max(v, low), high)))


def _across(low: float, high: float, log: bool = False) -> Scale:
    return (_log if log else _scale)(low, high, LEFT, W - RIGHT)


def _upwards(low: float, high: float, log: bool = False) -> Scale:
    return (_log if log else _scale)(low, high, H - BOTTOM, TOP)


def _decades(low: float, high: float) -> list[float]:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**k for k in range(first, last + 1)]


def _text(x: float, y: float, words: str, anchor: str = "middle", turn: str = "") -> str:
    spin = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12"{spin}>{escape(words)}</text>'


def _line(points: Sequence[tuple[float, float]], ink: str, dash: str = "") -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="1.8"{dashes}/>'


def _legend(entries: Sequence[tuple[str, str, str]]) -> str:
    """Words beside a stroke (with its dashes) or a filled box, above the frame."""
    parts, x = [], float(LEFT)
    for words, ink, dash in entries:
        if dash == "box":
            parts.append(f'<rect x="{x:.1f}" y="10" width="14" height="12" fill="{ink}" stroke="#999"/>')
        else:
            parts.append(_line([(x, 16), (x + 18, 16)], ink, dash))
        parts.append(_text(x + 23, 20, words, "start"))
        x += 36 + 6.6 * len(words)
    return "".join(parts)


def _frame(
    marks: Sequence[str], x: tuple[str, Scale, Sequence[float]], y: tuple[str, Scale, Sequence[float]]
) -> str:
    """A frame with the names of both axes, and a tick at each of the given values."""
    wide, high = W - LEFT - RIGHT, H - TOP - BOTTOM
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{wide}" height="{high}" fill="none" stroke="#999"/>']
    for value in x[2]:
        parts += [_line([(x[1](value), H - BOTTOM), (x[1](value), H - BOTTOM + 4)], "#999")]
        parts += [_text(x[1](value), H - BOTTOM + 17, f"{value:.4g}")]
    for value in y[2]:
        parts += [_line([(LEFT - 4, y[1](value)), (LEFT, y[1](value))], "#999")]
        parts += [_text(LEFT - 7, y[1](value) + 4, f"{value:.4g}", "end")]
    parts += [_text(LEFT + wide / 2, H - 8, x[0]), _text(16, TOP + high / 2, y[0], turn="up")]
    return "".join([*marks, *parts])


def _figure(title: str, caption: str, inside: str) -> str:
    svg = f'<svg viewBox="0 0 {W} {H}" width="{W}" role="img" aria-label="{escape(title)}">{inside}</svg>'
    return f"<figure>{svg}<figcaption><b>{escape(title)}.</b> {escape(caption)}</figcaption></figure>"


def _scores(finding: Finding) -> str:
    plot: Mapping[str, Any] = finding.plot
    edges, top = plot["edges"], max(*plot["first"], *plot["second"], 10)
    margin = 0.03 * (edges[-1] - edges[0])
    x, y = _across(edges[0] - margin, edges[-1] + margin), _upwards(0.5, 1.5 * top, log=True)
    marks = []
    for t, side in zip(plot["thresholds"], plot["sides"], strict=True):
        at = min(max(x(t), LEFT), W - RIGHT)
        start, end = (at, W - RIGHT) if side == "above" else (LEFT, at)
        marks.append(
            f'<rect x="{start:.1f}" y="{TOP}" width="{max(end - start, 0):.1f}" height="{H - TOP - BOTTOM}" '
            f'fill="#888" fill-opacity=".15"/>'
        )
        marks.append(_line([(at, TOP), (at, H - BOTTOM)], GREY, "5 4"))
    for ink, counts in ((BLUE, plot["first"]), (ORANGE, plot["second"])):
        corners = [(e, c) for i, c in enumerate(counts) for e in (edges[i], edges[i + 1])]
        marks.append(_line([(x(e), y(max(c, 0.5))) for e, c in corners], ink))
    names = [(name, ink, "") for name, ink in zip(plot["names"], (BLUE, ORANGE), strict=True)]
    marks.append(_legend([*names, ("threshold, chosen before", GREY, "5 4")]))
    ticks = [edges[0], (edges[0] + edges[-1]) / 2, edges[-1]]
    measured = finding.measured
    caption = (
        f"Scores of fresh draws on one pair ({finding.instance}). Shaded: the events chosen on other draws, "
        f"with {measured['hits']} hits the claim bounds and {measured['false_hits']} that bound them."
    )
    inside = _frame(marks, ("score of the released theta", x, ticks), ("draws (log)", y, _decades(1, top)))
    return _figure(f"Score distributions, {finding.check}", caption, inside)


def _risk(finding: Finding) -> str:
    plot: Mapping[str, Any] = finding.plot
    times, shown = plot["times"], [v for v in (*plot["low"], *plot["high"]) if v > 0]
    bounds = {
        name: [(t, e) for t, e in zip(plot[name], plot["targets"], strict=True) if t <= times[-1]]
        for name in ("least", "most")
    }
    floors = [e for points in bounds.values() for _, e in points]
    bottom = 10 ** math.floor(math.log10(max(min(shown + floors + [1.0]), 1e-4)))
    x, y = _across(0, max(times[-1], 1)), _upwards(bottom, 10, log=True)
    band = [(x(t), y(e)) for t, e in zip(times, plot["low"], strict=True)]
    band += [(x(t), y(e)) for t, e in reversed(list(zip(times, plot["high"], strict=True)))]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in band)
    marks = [f'<polygon points="{path}" fill="{BLUE}" fill-opacity=".25" stroke="{BLUE}"/>']
    if times[-1] == 0:
        ends = [y(plot[end][0]) for end in ("low", "high")]
        marks += [_line([(x(0), end), (x(0) + 8, end)], BLUE) for end in ends]
    for name, dash in (("least", "2 3"), ("most", "7 4")):
        marks.append(_line([(x(t), y(e)) for t, e in bounds[name]], ORANGE, dash))
    marks.append(
        _legend([("this rule, worst problem tried", BLUE, "box"), ("certified lower bound", ORANGE, "2 3"),
                 ("certified upper bound", ORANGE, "7 4")])
    )  # fmt: skip
    caption = (
        "Simultaneous confidence band of the worst expected excess risk, each T a run of its own. No private "
        "rule lies below the dotted line; the best proved one lies below the dashed line."
    )
    ticks = sorted({times[0], times[len(times) // 2], max(times[-1], 1)})
    inside = _frame(marks, ("gradient steps T", x, ticks), ("risk / e0 (log)", y, _decades(bottom, 10)))
    return _figure("Risk over T", caption, inside)


def _diagram(finding: Finding) -> str:
    plot: Mapping[str, Any] = finding.plot
    targets, eps, cells = plot["targets"], plot["eps"], plot["cells"]
    wide, high = (W - LEFT - RIGHT) / len(targets), (H - TOP - BOTTOM) / len(eps)
    marks = [
        f'<rect x="{LEFT + j * wide:.1f}" y="{H - BOTTOM - (i + 1) * high:.1f}" width="{wide + 0.3:.1f}" '
        f'height="{high + 0.3:.1f}" fill="{FILLS[word]}"/>'
        for i, row in enumerate(cells)
        for j, word in enumerate(row)
    ]
    # Cells are centred on their values: the axes reach half a cell further.
    half_x, half_y = ((values[1] / values[0]) ** 0.5 for values in (targets, eps))
    x = _across(targets[0] / half_x, targets[-1] * half_x, log=True)
    y = _upwards(eps[0] / half_y, eps[-1] * half_y, log=True)
    at = x(plot["here"][0]), y(plot["here"][1])
    marks.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="6" fill="#a00" stroke="#fff"/>')
    side = -1 if at[0] > W / 2 else 1
    marks.append(_text(at[0] + 11 * side, at[1] + 4, "this claim", "start" if side > 0 else "end"))
    marks.append(_legend([(word, ink, "box") for word, ink in FILLS.items()]))
    caption = (
        "What is proved about unlearning at each target and ε, at this δ, forget fraction and dimension: no "
        "gradient needed, at most half of retraining, at least a thousandth of retraining, or not known."
    )
    inside = _frame(
        marks, ("target risk / e0 (log)", x, _decades(1e-4, 1)[:-1]), ("ε (log)", y, _decades(0.01, 100))
    )
    return _figure("The claimed budget in the certified diagram", caption, inside)


DRAWERS: dict[str, Callable[[Finding], str]] = {"scores": _scores, "risk": _risk, "diagram": _diagram}
