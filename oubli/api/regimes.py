"""`oubli.regime`: one question to the calculator, one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oubli.cli.regime import answer_of, classified, screen, unit_of
from oubli.display import html_table, to_frame
from oubli.theory.regimes import Constants, Noise, Notion
from oubli.theory.regimes.enclosed import decide
from oubli.words import member

Number = int | float | str | Fraction


@dataclass(frozen=True, repr=False)
class RegimeAnswer:
    """The regime of one question; `str()` is the text of `oubli regime`, `data` its JSON object."""

    data: Mapping[str, Any]
    text: str

    @property
    def certified(self) -> str:
        """The proved regime: trivial, efficient, inefficient or uncharted."""
        return str(self.data["certified"])

    @property
    def printed(self) -> str:
        """The regime as the paper prints it."""
        return str(self.data["printed"])

    @property
    def T_unlearn(self) -> tuple[int, int]:
        """The bracket of the gradients that unlearning needs."""
        return self._bracket("T_unlearn")

    @property
    def T_scratch(self) -> tuple[int, int]:
        """The bracket of the gradients that retraining needs."""
        return self._bracket("T_scratch")

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that the brackets rest on."""
        return tuple(self.data["claims"])

    def to_frame(self) -> Any:
        """The answer as one row of a pandas DataFrame (the extra `frames`)."""
        return to_frame([self._row()])

    def _bracket(self, name: str) -> tuple[int, int]:
        low, high = self.data[name]
        return int(low), int(high)

    def _row(self) -> dict[str, Any]:
        """The JSON object with the two ends of each bracket in columns of their own."""
        row: dict[str, Any] = {}
        for name, value in self.data.items():
            ends = name in ("ratio", "T_unlearn", "T_scratch")
            row |= {f"{name}_lo": value[0], f"{name}_hi": value[1]} if ends else {name: value}
        return row

    def __repr__(self) -> str:
        (u_lo, u_hi), (s_lo, s_hi) = self.T_unlearn, self.T_scratch
        return f"<regime {self.certified}: unlearn {u_lo} to {u_hi}, retrain {s_lo} to {s_hi} gradients>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        lines = [line.partition("  ") for line in self.text.splitlines()]
        return html_table(repr(self), [{"": name, " ": text.strip()} for name, _, text in lines])


def regime(
    *,
    eps: Number,
    delta: Number,
    dim: Number,
    rf: Number | None = None,
    n: Number | None = None,
    forget: Number | None = None,
    target: Number | None = None,
    target_risk: Number | None = None,
    L: Number | None = None,
    mu: Number | None = None,
    constants: Constants | str = Constants.SHARP,
    notion: Notion | str = Notion.UNLEARNING,
    noise: Noise | str = Noise.EXACT,
) -> RegimeAnswer:
    """Add noise, fine-tune or retrain? The regime as printed and as certified, with step counts.

    Args:
        eps: The privacy budget ε, from 1e-6 to 1e4, or inf for no privacy.
        delta: The privacy budget δ, from 1e-300 to 0.9.
        dim: Dimension of the parameters.
        rf: Fraction of the data to forget; or give `n` and `forget`.
        n: Number of samples, with `forget`.
        forget: Number of samples to forget, with `n`.
        target: Target excess risk in units e0 = L²/(8μ); or give `target_risk`, `L` and `mu`.
        target_risk: Target excess risk, with `L` and `mu`.
        L: Lipschitz constant; with `mu` it also scales the noise.
        mu: Strong convexity, with `L`.
        constants: "sharp", or "printed-repaired".
        notion: "unlearning" (Definition 2) or "reference" (Reference Unlearning).
        noise: "exact", or "classical" for the classical κ where it is private.

    Returns:
        Brackets, regime, noise and the claims they rest on, decided in ball arithmetic by the
        records that they name; InputError for values or words that are not accepted.

    Examples:
        >>> import oubli
        >>> oubli.regime(n=60_000, forget=60, eps=4, delta=1e-6, dim=10, target=0.02)
        <regime trivial: unlearn 0 to 0, retrain 37 to 340 gradients>
    """
    given = {"eps": eps, "delta": delta, "dim": dim, "rf": rf, "n": n, "forget": forget}
    given |= {"target": target, "target_risk": target_risk, "L": L, "mu": mu}
    row = {name: None if value is None else str(value) for name, value in given.items()}
    chosen = member(Constants, constants, "constants")
    words = member(Notion, notion, "notion"), member(Noise, noise, "noise")
    found = classified([row], chosen, *words)
    decide(found)
    answer = answer_of(found, 0, unit_of(row))
    return RegimeAnswer(answer, screen(found, answer, chosen))
