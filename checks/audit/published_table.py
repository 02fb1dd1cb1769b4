"""The published algorithms in one table."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from oubli.checks.audit.published.constants import frontier
from oubli.checks.audit.published_suite import Row
from oubli.checks.audit.settings import Settings

WIDTH = 118
HEAD = (
    "algorithm",
    "claim about",
    "verdict",
    "proved δ",
    "ε at least",
    "risk/e0",
    "T",
    "unlearning",
    "retraining",
)


def table(rows: Sequence[Row], settings: Settings) -> str:
    """Claim, proof, measurement, risk and T against the certified brackets, then the papers."""
    cells = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(HEAD))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in cells
    ]
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join([_title(settings), "", *lines, "", *_notes(settings), "", *_papers(rows)])


def _title(settings: Settings) -> str:
    budget = f"eps = {settings.eps:g}, delta = {settings.delta:g}, r_f = {settings.rf:g}, d = {settings.dim}"
    return f"Published algorithms at {budget}; {settings.runs} runs a side, alpha = {settings.alpha:g} in all"


def _cells(row: Row) -> tuple[str, ...]:
    proved = "-" if row.proved_delta is None else f"{row.proved_delta:.3g}"
    assumed = " ".join(row.assumptions)
    full = " full" if "full gradients" in assumed else ""
    steps = "1 Newton" if "Hessians" in assumed else f"{row.steps}{full}"
    return (
        row.name, {"retrain": "retraining", "pair": "pairs"}.get(row.against or "", "-"), row.verdict, proved,
        f"{row.lower_bound:.3g}", f"{row.risk:.2g}", steps,
        _range(row.unlearn_steps), _range(row.retrain_steps),
    )  # fmt: skip


def _range(ends: tuple[int, int] | None) -> str:
    return "-" if ends is None else f"{ends[0]} to {ends[1]}"


def _notes(settings: Settings) -> list[str]:
    notes = (
        "CONSISTENT: the noise is proved to suffice by the exact law or the accountant, under the paper's "
        "assumptions, and nothing measured speaks against it. UNDECIDED: what is proved is the delta shown. "
        "'ε at least': the measured lower bound at this delta, in the definition of the claim. 'unlearning', "
        "'retraining': the certified numbers of one-sample gradients for the same risk (at least 1e-6 e0); a "
        "full gradient is outside that model.",
        f"At delta = {settings.delta:g} the constant sqrt(2 ln(1.25/delta))/eps suffices up to eps = "
        f"{frontier(1.25, settings.delta):.4f}, sqrt(2 ln(1.5/delta))/eps up to "
        f"{frontier(1.5, settings.delta):.4f}, by the exact law.",
    )
    return [line for note in notes for line in textwrap.wrap(note, WIDTH)]


def _papers(rows: Sequence[Row]) -> list[str]:
    texts = [
        f"{row.name}: {row.citation}. Claim: {row.claim}. Assumes: {', '.join(row.assumptions) or 'nothing'}."
        for row in rows
    ]
    return [line for text in texts for line in textwrap.wrap(text, WIDTH, subsequent_indent="  ")]
