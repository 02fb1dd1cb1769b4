"""`oubli.phase`: which share of the phase diagram is certified, and into which regime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from oubli.display import html_table, to_frame
from oubli.theory.regimes import Constants
from oubli.theory.regimes.phase import Plane, Shares, shares


@dataclass(frozen=True, repr=False)
class PhaseShares:
    """The certified shares of one diagram, for both sets of constants.

    Examples:
        >>> import oubli
        >>> found = oubli.phase(rf=1e-2, dim=2, delta=1e-5, columns=40)
        >>> sorted(found.shares)
        ['printed-repaired', 'sharp']
    """

    rf: float
    dim: int
    delta: float
    shares: Mapping[str, Shares]

    def to_frame(self) -> Any:
        """One row for each set of constants, as a pandas DataFrame (the extra `frames`)."""
        return to_frame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"constants": name, **asdict(share), "certified": share.certified}
            for name, share in self.shares.items()
        ]

    def __repr__(self) -> str:
        certified = ", ".join(f"{100 * s.certified:.1f} % ({name})" for name, s in self.shares.items())
        return f"<phase r = {self.rf:g}, d = {self.dim}, δ = {self.delta:g}: certified {certified}>"

    def _repr_html_(self) -> str:
        return html_table(repr(self)[1:-1], self._rows())


def phase(*, rf: float, dim: int, delta: float, columns: int = 400) -> PhaseShares:
    """Which share of the window e/e0 in [1e-4, 1], κ in [1e-2, 1e2] (log-uniform) is certified.

    Args:
        rf: Fraction of the data to forget, above 0 and below 1.
        dim: Dimension of the parameters.
        delta: The privacy budget δ, from 1e-300 to 0.9.
        columns: Targets on the axis.

    Returns:
        For the repaired printed and for the sharp constants: the shares that are certified trivial,
        efficient and inefficient.

    Examples:
        >>> import oubli
        >>> found = oubli.phase(rf=1e-2, dim=2, delta=1e-5, columns=40)
        >>> found.shares["sharp"].certified > found.shares["printed-repaired"].certified
        True
    """
    found = {c.value: shares(Plane(rf, dim, delta, c), columns) for c in Constants}
    return PhaseShares(rf, dim, delta, found)
