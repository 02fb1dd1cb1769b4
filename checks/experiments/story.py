"""What of the paper's reading of its figure a run shows, finding by finding, in words for a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from oubli.checks.experiments.diagram import Diagram
from oubli.checks.experiments.slopes import Slope
from oubli.checks.experiments.words import flat

# A fitted slope this close to the paper's is taken for the same.
CLOSE = 0.1
# "A large portion of the figure": at least this share of the cells.
LARGE = 0.1
CHEAP = ("below 0.1", "0.1 to 0.5")


@dataclass(frozen=True)
class Finding:
    """One thing that the paper reads off its figure, and what this run shows of it."""

    paper: str
    here: str
    reproduced: str


@dataclass(frozen=True)
class Reading:
    """What the paper reads off the figure of one experiment: slopes of level lines; and why a run differs."""

    slopes: Mapping[float, float]
    why: Sequence[str]


def story(name: str, diagrams: Sequence[Diagram], slopes: Sequence[Slope], paper: Reading) -> dict[str, Any]:
    """The findings of a run and the reasons behind them, in the shape that the page reads."""
    lines = [_line(level, wanted, slopes) for level, wanted in paper.slopes.items()]
    findings = [*lines, _portion(diagrams), _dear(diagrams)]
    return {"title": name, "findings": [_flat(finding) for finding in findings], "why": list(paper.why)}


def _flat(finding: Finding) -> dict[str, str]:
    return {name: flat(text) for name, text in asdict(finding).items()}


def _line(level: float, wanted: float, slopes: Sequence[Slope]) -> Finding:
    mine = [slope for slope in slopes if slope.level == level]
    return Finding(
        f"The level line {level:g} has slope {wanted:g} in log-log (here: within {CLOSE:g}).",
        _listed(
            [
                (_where(s), f"{s.slope:.2f} ± {s.error:.2f}" if s.slope is not None else "no line")
                for s in mine
            ]
        ),
        _verdict([_where(s) for s in mine if s.slope is not None and abs(s.slope - wanted) <= CLOSE], mine),
    )


def _portion(diagrams: Sequence[Diagram]) -> Finding:
    shares = {_where(d): sum(d.shares[word] for word in CHEAP) for d in diagrams}
    return Finding(
        f"""An efficient regime: in a large portion of the figure (here: {100 * LARGE:.0f} % of the cells) the
        ratio is well below 1, and not 0.""",
        "Share of the cells with 0 < ratio < 0.5: " + _percent(shares),
        _verdict([name for name, share in shares.items() if share >= LARGE], diagrams),
    )


def _dear(diagrams: Sequence[Diagram]) -> Finding:
    shares = {_where(d): d.shares["0.9 or more"] for d in diagrams}
    return Finding(
        "An inefficient regime at the top of the figure.",
        "Share of the cells with ratio ≥ 0.9: " + _percent(shares),
        _verdict([name for name, share in shares.items() if share > 0], diagrams),
    )


def _verdict(same: list[str], of: Sequence[Any]) -> str:
    """Yes, no, or by which of them.

    >>> _verdict(["a"], ["a", "b"])
    'only by a'
    """
    if not same:
        return "no"
    return "yes" if len(same) == len(of) else "only by " + "; ".join(same)


def _where(found: Diagram | Slope) -> str:
    return f"{found.algorithm}, {found.reading}"


def _percent(shares: dict[str, float]) -> str:
    return _listed([(name, f"{100 * share:.0f} %") for name, share in shares.items()])


def _listed(values: list[tuple[str, str]]) -> str:
    return "; ".join(f"{name} {value}" for name, value in values) + "."
