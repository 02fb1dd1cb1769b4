"""What an audit says: findings, each with a verdict, its confidence and the way to see it again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from oubli.display import html_table, to_frame


class Judgement(StrEnum):
    """VIOLATED: a stated guarantee is contradicted, exactly or at the stated confidence.

    CONSISTENT only means that nothing spoke; ERROR that the code did not run: that says nothing of claims.
    """

    VIOLATED = "VIOLATED"
    CONSISTENT = "CONSISTENT"
    UNDECIDED = "UNDECIDED"
    ERROR = "ERROR"


@dataclass(frozen=True)
class Finding:
    """One check of one algorithm; `plot` holds the numbers of its picture, apart from the JSON contract.

    A remark says what lies outside the model of the paper; it concerns no claim, and is never VIOLATED. A
    finding that blocks leaves the whole audit UNDECIDED when it is, whatever the others say. One that does
    not spend cannot be VIOLATED, or shares the random event of another one.

    >>> Finding("privacy", Judgement.CONSISTENT, "eps <= 1", {"eps_lower": 0.4}, 0.95, "pair A").says
    ''
    """

    check: str
    verdict: Judgement
    claimed: str
    measured: Mapping[str, Any]
    confidence: float
    instance: str
    says: str = ""
    plot: Mapping[str, Any] = field(default_factory=dict)
    remark: bool = False
    blocks: bool = False
    spends: bool = True

    @property
    def level(self) -> float:
        """The part of alpha that this finding may use up by being VIOLATED, or an ERROR, by chance.

        >>> Finding("privacy", Judgement.CONSISTENT, "eps <= 1", {}, 0.95, "pair A").level
        0.05
        """
        return round(1 - self.confidence, 15) if self.spends and not self.remark else 0.0

    def as_json(self, replay: str) -> dict[str, Any]:
        """The finding in the words of the JSON contract."""
        return {
            "check": self.check,
            "verdict": str(self.verdict),
            "claimed": self.claimed,
            "measured": {name: _plain(value) for name, value in self.measured.items()},
            "confidence": self.confidence,
            "level": self.level,
            "remark": self.remark,
            "instance": self.instance,
            "says": self.says,
            "replay": replay,
        }


def _plain(value: Any) -> Any:
    """JSON has no infinity: the word stands for it."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True, repr=False)
class Audit:
    """All findings on one algorithm.

    >>> Audit("Mine", {}, (), "")
    <Audit of Mine: UNDECIDED, 0 findings>
    """

    algorithm: str
    setup: Mapping[str, Any]
    findings: tuple[Finding, ...]
    replay: str
    doc: str = ""

    @property
    def verdict(self) -> Judgement:
        """VIOLATED if any finding is, else ERROR if one is, else CONSISTENT if privacy is, else UNDECIDED.

        A finding that blocks and is UNDECIDED makes all of it UNDECIDED.

        >>> Audit("x", {}, (), "").verdict
        <Judgement.UNDECIDED: 'UNDECIDED'>
        """
        if any(f.verdict is Judgement.VIOLATED for f in self.findings):
            return Judgement.VIOLATED
        if any(f.verdict is Judgement.ERROR for f in self.findings):
            return Judgement.ERROR
        if any(f.blocks and f.verdict is Judgement.UNDECIDED for f in self.findings):
            return Judgement.UNDECIDED
        decided = {f.check for f in self.findings if f.verdict is Judgement.CONSISTENT}
        whole = any(name.startswith("privacy") for name in decided)
        return Judgement.CONSISTENT if whole else Judgement.UNDECIDED

    def violated(self, check: str) -> bool:
        """Whether a finding whose name starts like this is VIOLATED."""
        return any(f.verdict is Judgement.VIOLATED for f in self.findings if f.check.startswith(check))

    def to_frame(self) -> Any:
        """One row per finding, as a pandas DataFrame (the extra `frames`)."""
        return to_frame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        names = ("check", "verdict", "claimed", "confidence", "instance", "says")
        return [{name: getattr(finding, name) for name in names} for finding in self.findings]

    def __repr__(self) -> str:
        return f"<Audit of {self.algorithm}: {self.verdict}, {len(self.findings)} findings>"

    def _repr_html_(self) -> str:
        return html_table(f"{self.algorithm}: {self.verdict}", self._rows())

    def as_json(self) -> dict[str, Any]:
        """One object, the same bytes for the same seed; the levels of its findings sum to at most alpha."""
        return {
            "algorithm": self.algorithm,
            "setup": dict(self.setup),
            "findings": [f.as_json(self.replay) for f in self.findings],
            "verdict": str(self.verdict),
        }
