"""Draws docs/imports.svg: which part of the project imports which, read from the source files.

An arrow that follows from others (a longer way down) is left out of the picture. Run it after moving
things: `python docs/import_graph.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "imports.svg"
TOPS = ("theory", "sim", "checks")
COLOURS = {"theory": "#dbe9f6", "checks": "#fbe8d3", "oubli": "#ece3f4", "sim": "#dff2e1"}
INKS = {"theory": "#3b6ea5", "checks": "#b8691b", "oubli": "#7a55a3", "sim": "#3d8a47"}
BOX, GAP, ROW = (140, 30), 22, 84
# Errors, words and display: the ground that every part may stand on; it imports nothing above itself.
GROUND, GROUND_FILES = "oubli/*.py", ("errors", "words", "display")

Edge = tuple[str, str]


def modules() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Every file of the package with its module path below `oubli`; tests are left out."""
    for top in (*TOPS, "oubli"):
        for path in sorted((ROOT / top).rglob("*.py")):
            inside = path.relative_to(ROOT).with_suffix("").parts
            linked = top == "oubli" and inside[1] in TOPS
            if not linked and not path.name.startswith(("test_", "conftest")):
                yield path, inside[1:] if top == "oubli" else inside


def part(module: tuple[str, ...]) -> str:
    """The part of the project that a module belongs to: a folder, or the loose files beside folders.

    >>> part(("theory", "kernel", "checker")), part(("sim", "require")), part(("errors",))
    ('theory/kernel', 'sim/*.py', 'oubli/*.py')
    """
    if not module or module[0] == "__init__":
        return "oubli"
    if module[0] not in TOPS:
        return GROUND if module[0] in GROUND_FILES else f"oubli/{module[0]}"
    inside = len(module) > 1 and (ROOT / module[0] / module[1]).is_dir()
    return f"{module[0]}/{module[1]}" if inside else f"{module[0]}/*.py"


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """The project's modules that a file imports, wherever in the file it does."""
    return (target for _, target in import_lines(path))


@cache
def import_lines(path: Path) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The same with the line of each import; what is imported from a module is named with it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            names = [f"{node.module}.{name.name}" for name in node.names]
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        ours = [name.split(".")[1:] for name in names if name.split(".")[0] == "oubli"]
        found += [(node.lineno, tuple(name)) for name in ours]
    return tuple(found)


def edges() -> set[Edge]:
    """(importer, imported) for all parts of the project that know each other, the ground left out."""
    found = {(part(module), part(target)) for path, module in modules() for target in imported(path)}
    return {(one, other) for one, other in found if one != other and other != GROUND}


def below(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Everything that can be reached from a part."""
    seen: set[str] = set()
    fresh = set(graph.get(start, ()))
    while fresh:
        seen |= fresh
        fresh = {deeper for name in fresh for deeper in graph.get(name, ())} - seen
    return seen


def graph_of(pairs: set[Edge]) -> dict[str, set[str]]:
    """Each part with those that it imports directly."""
    names = {name for pair in pairs for name in pair}
    return {name: {other for one, other in pairs if one == name} for name in sorted(names)}


def shown(pairs: set[Edge]) -> set[Edge]:
    """The arrows that do not follow from others."""
    kept = set(pairs)
    for one, other in sorted(pairs):
        rest = kept - {(one, other)}
        if other in below(graph_of(rest), one):
            kept = rest
    return kept


def rank(graph: Mapping[str, set[str]], name: str, above: tuple[str, ...] = ()) -> int:
    """The row of a part, counted from the bottom: one more than the highest that it imports."""
    return max((1 + rank(graph, low, (*above, name)) for low in graph[name] - {*above, name}), default=0)


def places(graph: Mapping[str, set[str]]) -> dict[str, tuple[float, float]]:
    """The upper left corner of each box: rows by rank, one lane for each colour."""
    ranks = {name: rank(graph, name) for name in graph}
    found, left = {}, float(GAP)
    for lane in COLOURS:
        rows = [
            sorted(name for name in graph if name.split("/")[0] == lane and ranks[name] == level)
            for level in range(max(ranks.values()) + 1)
        ]
        width = max(map(len, rows)) * (BOX[0] + GAP)
        for level, row in enumerate(reversed(rows)):
            start = left + (width - len(row) * (BOX[0] + GAP)) / 2
            found |= {name: (start + i * (BOX[0] + GAP), level * ROW + GAP) for i, name in enumerate(row)}
        left += width + GAP
    return found


def picture(pairs: set[Edge]) -> str:
    """The graph as SVG; each arrow carries the two parts that it joins."""
    at = places(graph_of(pairs))
    width, height = (max(corner[i] for corner in at.values()) + BOX[i] + GAP for i in (0, 1))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        'font-family="sans-serif" font-size="13">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    lines += [_arrow(at, *pair) for pair in sorted(shown(pairs))]
    lines += [_box(name, *corner) for name, corner in sorted(at.items())]
    return "\n".join([*lines, "</svg>", ""])


def _arrow(at: Mapping[str, tuple[float, float]], one: str, other: str) -> str:
    (x1, y1), (x2, y2) = at[one], at[other]
    start, end = (x1 + BOX[0] / 2, y1 + BOX[1]), (x2 + BOX[0] / 2, y2)
    # A long arrow in one column goes around the boxes between its ends.
    aside = BOX[0] if x1 == x2 and y2 - y1 > ROW else 0
    bend = f"C{start[0] + aside:g} {start[1] + 40:g} {end[0] + aside:g} {end[1] - 40:g}"
    drawn = f"M{start[0]:g} {start[1]:g}{bend} {end[0]:g} {end[1]:g}"
    names = f'data-from="{escape(one)}" data-to="{escape(other)}"'
    ink = INKS[one.split("/")[0]]
    return f'<path {names} d="{drawn}" fill="none" stroke="{ink}" marker-end="url(#tip)"/>'


def _box(name: str, x: float, y: float) -> str:
    fill = COLOURS[name.split("/")[0]]
    rect = (
        f'<rect x="{x:g}" y="{y:g}" width="{BOX[0]}" height="{BOX[1]}" rx="5" fill="{fill}" stroke="#555"/>'
    )
    text = f'<text x="{x + BOX[0] / 2:g}" y="{y + 20:g}" text-anchor="middle">{escape(name)}</text>'
    return f"<g>{rect}{text}</g>"


if __name__ == "__main__":
    PICTURE.write_text(picture(edges()), encoding="utf-8")
    print(f"{PICTURE.name}: {len(shown(edges()))} of {len(edges())} arrows")
