"""Without a target: the answer as a function of it, as a table, a strip of text, and words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from oubli.answers.answer import (
    WIDTH,
    Answer,
    Setting,
    advice_lines,
    answer,
    classified,
    fields,
    question_lines,
)
from oubli.answers.columns import ZERO, columns
from oubli.answers.question import Question
from oubli.answers.recommend import amount, epochs
from oubli.theory.regimes.enclosed import decide

LEAST = 1e-6
_STRIP = 73  # twelve columns for each of the six decades
_LETTERS = {"trivial": "T", "efficient": "E", "inefficient": "I", "uncharted": "."}
_MEANINGS = {
    "trivial": "release with noise, no gradient is needed",
    "efficient": "fine-tune, proved to cost at most half of retraining",
    "inefficient": "retrain, unlearning is proved to cost at least 1/1000 of it",
    "uncharted": "retrain, or the cheaper upper bound; nothing is proved about which is faster",
}


@dataclass(frozen=True)
class Sweep:
    """The answers over targets; `at_generalisation` is the full answer at e/e0 = 1/n, where n is given."""

    rows: tuple[Mapping[str, Any], ...]
    at_generalisation: Answer | None
    text: str

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object."""
        near = self.at_generalisation
        return {"rows": list(self.rows), "at_generalisation": None if near is None else near.data}


def sweep(asked: Question, setting: Setting) -> Sweep:
    """The answer for targets from 1 down to 1e-6, and at 1/n where n is given, each decided by the records.

    Args:
        asked: The question; its target is not looked at.
        setting: Constants, notion and noise.

    Returns:
        The rows, largest target first.

    >>> found = sweep(Question(0.001, 4.0, 1e-6, 10, None), Setting())
    >>> [row["certified"] for row in found.rows[::6]]
    ['trivial', 'efficient', 'uncharted', 'inefficient']
    """
    targets = sorted({*_round_targets(), *([1 / asked.n] if asked.n else [])}, reverse=True)
    questions = [replace(asked, target=x) for x in targets]
    found = classified(questions, setting)
    decide(found)
    table = columns(found, questions)
    rows = tuple(fields(table, i, one) for i, one in enumerate(questions))
    near = answer(replace(asked, target=1 / asked.n), setting) if asked.n else None
    lines = [
        *question_lines(asked, float(found.query.kappa[0])),
        "",
        *_table(rows),
        "",
        *_strip(asked, setting),
    ]
    lines += ["", *_ending(near)]
    return Sweep(rows, near, "\n".join(lines))


def _round_targets() -> Iterator[float]:
    return (float(f"{m}e-{k}") for k in range(7) for m in (1, 2, 5) if k or m == 1)


def _table(rows: tuple[Mapping[str, Any], ...]) -> list[str]:
    risky = rows[0]["question"]["risk"] is not None
    head = f"  {'target e/e0':>11}  {'risk':>9}  certified    what to do"
    head += f"  {'gradients':>13}  {'epochs':>8}  retraining takes"
    lines = [head if risky else head.replace(f"  {'risk':>9}", "")]
    for row in rows:
        q, (low, high) = row["question"], row["T_scratch"]
        risk = f"  {q['risk']:>9.3g}" if risky else ""
        passes = epochs(row["epochs_unlearn"][1]) if row["epochs_unlearn"] else "-"
        words = f"{row['certified']:<11}  {row['action']:<10}"
        counts = f"{amount(row['T_unlearn'][1]):>13}  {passes:>8}  {amount(low)} to {amount(high)}"
        lines.append(f"  {q['target']:>11.4g}{risk}  {words}  {counts}")
    zero = f"  {ZERO}: the zero model, that is, theta = 0, meets the target on every problem of the class"
    return [*lines, *([zero] if rows[0]["action"] == ZERO else [])]


def _strip(asked: Question, setting: Setting) -> list[str]:
    """One letter for each of some targets, small ones on the left."""
    x = np.geomspace(LEAST, 1.0, _STRIP)
    words = classified([replace(asked, target=float(v)) for v in x], setting).certified
    ticks = "".join(f"{f'1e-{k}':<12}" for k in range(6, 0, -1)) + "1"
    seen = [f"    {_LETTERS[word]}  {word}: {_MEANINGS[word]}" for word in _MEANINGS if word in words]
    return [
        "  " + "".join(_LETTERS[str(word)] for word in words),
        "  " + "|           " * 6 + "|",
        f"  {ticks}   target e/e0",
        *seen,
        *_ranges(x, [str(word) for word in words]),
    ]


def _ranges(x: Any, words: list[str]) -> list[str]:
    """The same strip in words, largest targets first."""
    runs = [(word, [i for i, _ in run]) for word, run in groupby(enumerate(words), key=lambda pair: pair[1])]
    ends = [(word, f"{x[run[0]]:.2g}", f"{x[run[-1]]:.2g}") for word, run in reversed(runs)]
    parts = [
        f"{word} at {low} e0" if low == high else f"{word} from about {low} to {high} e0"
        for word, low, high in ends
    ]
    return textwrap.wrap(
        "By targets: " + "; ".join(parts) + ".", WIDTH, initial_indent="  ", subsequent_indent="  "
    )


def _ending(near: Answer | None) -> list[str]:
    if near is None:
        return [
            "Give --target (e/e0), --risk with --L and --mu, or --n with --target 1/n for a recommendation."
        ]
    lead = (
        "No target was given. A usual one is the order of the generalisation error, e = e0/n (--target 1/n); "
        "for it the recommendation is:"
    )
    return [*textwrap.wrap(lead, WIDTH), *advice_lines(near.advice)]
