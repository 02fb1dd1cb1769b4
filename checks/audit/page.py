"""One page on one audit: its findings and three pictures, drawn as plain SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from checks.audit.finding import Audit, Finding

W, H, PAD = 560, 240, 46
INKS = ("#1f77b4", "#d95f02", "#444444")
FILLS = {"trivial": "#c7e9c0", "efficient": "#c6dbef", "inefficient": "#fdd0a2", "uncharted": "#eeeeee"}
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}
td,th{text-align:left;vertical-align:top;padding:.3rem .7rem;border-bottom:1px solid #ccc}
.VIOLATED{color:#a00;font-weight:600}.CONSISTENT{color:#060}.UNDECIDED{color:#555}svg{max-width:100%;height:auto}"""


def page(audit: Audit) -> str:
    """A page that needs nothing else; all text of the user is escaped."""
    title = escape(f"Audit of {audit.algorithm}: {audit.verdict}")
    rows = "\n".join(_row(f) for f in audit.findings)
    drawn = "\n".join(DRAWERS[str(f.plot["kind"])](f) for f in audit.findings if f.plot)
    setup = escape(", ".join(f"{k} = {v}" for k, v in audit.setup.items()))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head>"
        f"<body><h1>{title}</h1><p>{escape(audit.doc)}</p><p>{setup}</p>"
        f"<table><thead><tr><th>check</th><th>verdict</th><th>claimed</th><th>found</th></tr></thead>{rows}</table>"
        f"{drawn}<p>Again: <code>{escape(audit.replay)}</code></p></body></html>\n"
    )


def _row(finding: Finding) -> str:
    cells = (finding.check, finding.verdict, finding.claimed, f"{finding.says} [{finding.instance}]")
    name, verdict, claimed, found = (escape(str(cell)) for cell in cells)
    return f'<tr><td>{name}</td><td class="{verdict}">{verdict}</td><td>{claimed}</td><td>{found}</td></tr>'


def _figure(caption: str, marks: Sequence[str], x: tuple[str, str, str], y: tuple[str, str, str]) -> str:
    """A frame with the name and ends of both axes."""
    frame = (
        f'<rect x="{PAD}" y="10" width="{W - PAD - 10}" height="{H - PAD - 10}" fill="none" stroke="#999"/>'
    )
    words = [
        (PAD, H - PAD + 16, "start", x[1]), (W - 10, H - PAD + 16, "end", x[2]),
        (W / 2, H - 8, "middle", x[0]),
        (PAD - 4, H - PAD, "end", y[1]), (PAD - 4, 20, "end", y[2]),
    ]  # fmt: skip
    text = "".join(
        f'<text x="{a:.1f}" y="{b:.1f}" text-anchor="{c}" font-size="11">{escape(t)}</text>'
        for a, b, c, t in words
    )
    label = escape(f"{caption} (vertical: {y[0]})")
    return (
        f'<figure><svg viewBox="0 0 {W} {H}" role="img" aria-label="{label}">'
        f"{''.join(marks)}{frame}{text}</svg>"
        f"<figcaption>{label}</figcaption></figure>"
    )


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = (high - low) or 1.0
    return lambda v: start + (end - start) * (v - low) / span


def _line(points: Sequence[tuple[float, float]], ink: str, dash: str = "") -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="1.6" stroke-dasharray="{dash}"/>'
    )


def _scores(finding: Finding) -> str:
    plot: Mapping[str, Any] = finding.plot
    edges, top = plot["edges"], max(*plot["first"], *plot["second"], 1)
    x = _scale(edges[0], edges[-1], PAD, W - 10)
    y = _scale(0, math.log1p(top), H - PAD, 10)
    marks = []
    for ink, counts in zip(INKS, (plot["first"], plot["second"]), strict=False):
        corners = [(e, c) for i, c in enumerate(counts) for e in (edges[i], edges[i + 1])]
        marks.append(_line([(x(e), y(math.log1p(c))) for e, c in corners], ink))
    for t in plot["thresholds"]:
        if edges[0] <= t <= edges[-1]:
            marks.append(_line([(x(t), 10), (x(t), H - PAD)], INKS[2], "4 3"))
    caption = (
        f"{finding.check}: scores of fresh draws under both forget laws, and the thresholds chosen before"
    )
    ends = (f"{edges[0]:.3g}", f"{edges[-1]:.3g}")
    return _figure(caption, marks, ("score", *ends), ("draws, log", "0", f"{top}"))


def _risk(finding: Finding) -> str:
    plot: Mapping[str, Any] = finding.plot
    times, floor = plot["times"], 1e-4
    x = _scale(times[0], max(times[-1], 1), PAD, W - 10)
    y = _scale(math.log(floor), math.log(8), H - PAD, 10)

    def place(t: float, e: float) -> tuple[float, float]:
        return x(t), y(math.log(min(max(e, floor), 8)))

    marks = [
        _line([place(t, e) for t, e in zip(times, plot[end], strict=True)], INKS[0])
        for end in ("low", "high")
    ]
    for steps, dash in (("least", "2 2"), ("most", "6 3")):
        inside = [(t, e) for t, e in zip(plot[steps], plot["targets"], strict=True) if t <= times[-1]]
        if inside:
            marks.append(_line([place(t, e) for t, e in inside], INKS[1], dash))
    caption = "Worst risk over T, both ends of its interval; certified lower bound dotted, upper dashed"
    return _figure(
        caption, marks, ("T", str(times[0]), str(times[-1])), ("risk in e0, log", f"{floor:g}", "8")
    )


def _diagram(finding: Finding) -> str:
    plot: Mapping[str, Any] = finding.plot
    targets, eps, cells = plot["targets"], plot["eps"], plot["cells"]
    wide, high = (W - PAD - 10) / len(targets), (H - PAD - 10) / len(eps)
    marks = [
        f'<rect x="{PAD + j * wide:.1f}" y="{H - PAD - (i + 1) * high:.1f}" width="{wide + 0.3:.1f}" '
        f'height="{high + 0.3:.1f}" fill="{FILLS[word]}"/>'
        for i, row in enumerate(cells)
        for j, word in enumerate(row)
    ]
    x = _scale(math.log(targets[0]), math.log(targets[-1]), PAD, W - 10)(math.log(plot["here"][0]))
    y = _scale(math.log(eps[0]), math.log(eps[-1]), H - PAD, 10)(math.log(plot["here"][1]))
    marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#a00" stroke="#fff"/>')
    caption = "The claimed budget in the certified diagram: green trivial, blue efficient, orange inefficient"
    axis = ("target e/e0, log", f"{targets[0]:.2g}", f"{targets[-1]:.2g}")
    return _figure(caption, marks, axis, ("eps, log", f"{eps[0]:.2g}", f"{eps[-1]:.2g}"))


DRAWERS: dict[str, Callable[[Finding], str]] = {"scores": _scores, "risk": _risk, "diagram": _diagram}
