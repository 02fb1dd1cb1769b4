"""How far each bound is from what anyone has attained: attained / claimed, worst first."""

from collections.abc import Iterable
from dataclasses import dataclass

from oubli.checks.report.document import Document

FULL = 1.5  # the bar's scale ends here; what lies beyond is cut and says so


@dataclass(frozen=True)
class Bar:
    """One bound: the worst ratio known, where it comes from, and the instance that attains it."""

    claim: Document
    ratio: float
    origin: str
    instance: str

    @property
    def width(self) -> float:
        """Percent of the scale."""
        return round(100 * min(self.ratio, FULL) / FULL, 2)

    @property
    def cut(self) -> bool:
        """Whether the bar would leave the scale."""
        return self.ratio > FULL

    @property
    def word(self) -> str:
        """How the bound fares."""
        if self.ratio > 1:
            return "exceeded"
        if self.ratio == 1 and self.claim["status"] == "REFUTED":
            return "equal where strict"
        return "attained" if self.ratio == 1 else "not attained"


def bars(claims: Iterable[Document]) -> list[Bar]:
    """The bounds with a ratio on record, the largest first."""
    found = [bar for bar in map(worst, claims) if bar]
    return sorted(found, key=lambda bar: (-bar.ratio, bar.claim["key"]))


def worst(claim: Document) -> Bar | None:
    """The worst ratio on record for one claim: from a witness, an exact instance, or a search."""
    known = []
    witness, tight, empirical = claim["witness"], claim["tight"], claim["empirical"]
    if witness and witness.get("ratio") is not None:
        known.append(Bar(claim, float(witness["ratio"]), "exact witness", witness["says"]))
    if tight.get("attained"):
        known.append(Bar(claim, 1.0, "exact instance", tight.get("instance") or ""))
    if empirical and empirical.get("worst_ratio") is not None:
        ratio = float(empirical["worst_ratio"])
        known.append(Bar(claim, ratio, "measured", str(empirical.get("instance") or "")))
    return max(known, key=lambda bar: bar.ratio, default=None)
