"""`oubli.regime` and `oubli.regime_by_target`: one question, one answer, or one for each target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from oubli.answers.answer import Answer, Setting, answer
from oubli.answers.question import Question, question
from oubli.answers.sweep import sweep
from oubli.display import html_table, to_frame
from oubli.errors import InputError
from oubli.theory.regimes import Classification, Constants, Noise, Notion
from oubli.words import member

Number = int | float | str | Fraction


@dataclass(frozen=True, repr=False)
class RegimeAnswer:
    """The regime of one question; `str()` is the text of `oubli regime`, `data` its JSON object.

    Examples:
        >>> import oubli
        >>> found = oubli.regime(n=60_000, forget=100, eps=1, delta=1e-5, dim=7850, target="1/n")
        >>> found.action, found.certified
        ('retrain', 'inefficient')
        >>> print(found.recommendation[:48])
        Retrain from zero on the 59,900 samples you keep
    """

    data: Mapping[str, Any]
    text: str
    _found: Classification

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

    @property
    def action(self) -> str:
        """What to do, in a word: release, fine-tune, retrain or release 0."""
        return str(self.data["action"])

    @property
    def recommendation(self) -> str:
        """What to do, what is guaranteed and what would change the answer, as running text."""
        return str(self.data["recommendation"]["paragraph"])

    def explain(self) -> str:
        """Why, claim by claim, with the numbers put in: the text of `oubli regime --explain`."""
        from oubli.answers.explain import explained

        return explained(self._found, 0).text

    def to_frame(self) -> Any:
        """The answer as one row of a pandas DataFrame (the extra `frames`)."""
        return to_frame([self._row()])

    def _bracket(self, name: str) -> tuple[int, int]:
        low, high = self.data[name]
        return int(low), int(high)

    def _row(self) -> dict[str, Any]:
        """The JSON object with a column for each number: ends of brackets, the question, the recipe."""
        row: dict[str, Any] = {}
        for name, value in self.data.items():
            ends = name in ("ratio", "T_unlearn", "T_scratch", "epochs_unlearn", "epochs_scratch")
            if ends and value is not None:
                row |= {f"{name}_lo": value[0], f"{name}_hi": value[1]}
            elif name in ("question", "recipe"):
                row |= value
            else:
                row[name] = self.recommendation if name == "recommendation" else value
        return row

    def __repr__(self) -> str:
        (u_lo, u_hi), (s_lo, s_hi) = self.T_unlearn, self.T_scratch
        return f"<regime {self.certified}: unlearn {u_lo} to {u_hi}, retrain {s_lo} to {s_hi} gradients>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        head, _, _ = self.text.partition("\n\n")
        lines = [line.partition("  ") for line in head.splitlines()]
        table = html_table("In numbers:", [{"": name, " ": text.strip()} for name, _, text in lines])
        return _advice_html(self.data["recommendation"]) + table


def _advice_html(advice: Mapping[str, Any]) -> str:
    steps = "".join(f"<li>{escape(step)}</li>" for step in advice["steps"])
    rest = "".join(
        f"<p>{escape(text)}</p>" for text in (advice["guarantee"], " ".join(advice["changes"])) if text
    )
    return f"<p><b>{escape(advice['summary'])}</b></p>{f'<ol>{steps}</ol>' if steps else ''}{rest}"


@dataclass(frozen=True, repr=False)
class RegimeSweep:
    """The answers to one question over targets; `at_generalisation` is that at e/e0 = 1/n, if n is given.

    Examples:
        >>> import oubli
        >>> found = oubli.regime_by_target(rf=0.001, eps=4, delta=1e-6, dim=10)
        >>> [row["action"] for row in found.data["rows"][:3]]
        ['release 0', 'release', 'release']
    """

    data: Mapping[str, Any]
    text: str
    at_generalisation: RegimeAnswer | None

    def to_frame(self) -> Any:
        """One row for each target as a pandas DataFrame (the extra `frames`)."""
        return to_frame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        risky = self.data["rows"][0]["question"]["risk"] is not None
        names = ("target", "risk") if risky else ("target",)
        return [
            {name: row["question"][name] for name in names}
            | {"certified": row["certified"], "action": row["action"]}
            | {f"T_{kind}_{end}": row[f"T_{kind}"][i] for kind in ("unlearn", "scratch") for i, end in _ENDS}
            for row in self.data["rows"]
        ]

    def __repr__(self) -> str:
        return f"<regimes at {len(self.data['rows'])} targets>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        near = "" if self.at_generalisation is None else self.at_generalisation._repr_html_()
        return html_table(repr(self), self._rows()) + near


_ENDS = ((0, "lo"), (1, "hi"))


def regime(
    *,
    eps: Number,
    delta: Number,
    dim: Number,
    rf: Number | None = None,
    n: Number | None = None,
    forget: Number | None = None,
    target: Number | None = None,
    risk: Number | None = None,
    target_risk: Number | None = None,
    L: Number | None = None,
    mu: Number | None = None,
    constants: Constants | str = Constants.SHARP,
    notion: Notion | str = Notion.UNLEARNING,
    noise: Noise | str = Noise.EXACT,
) -> RegimeAnswer:
    """Add noise, fine-tune or retrain? A recommendation, with the regime as printed and as certified.

    Args:
        eps: The privacy budget ε, from 1e-6 to 1e4, or inf for no privacy.
        delta: The privacy budget δ, from 1e-300 to 0.9.
        dim: Dimension of the parameters.
        rf: Fraction of the data to forget; or give `n` and `forget`.
        n: Number of samples, with `forget`.
        forget: Number of samples to forget, with `n`.
        target: Target excess risk in units e0 = L²/(8μ), or "1/n", the order of the generalisation error;
            or give `risk`, `L` and `mu`.
        risk: Target excess risk, with `L` and `mu`.
        target_risk: The same as `risk`.
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
        <regime trivial: unlearn 0 to 0, retrain 37 to 278 gradients>
        >>> oubli.regime(n=60_000, forget=100, eps=1, delta=1e-5, dim=7850, target="1/n").action
        'retrain'
    """
    asked = _asked(
        eps=eps,
        delta=delta,
        dim=dim,
        rf=rf,
        n=n,
        forget=forget,
        target=target,
        risk=risk,
        target_risk=target_risk,
        L=L,
        mu=mu,
    )
    if asked.target is None:
        raise InputError(
            'target is missing: give target (e/e0, or "1/n"), or risk with L and mu; '
            "oubli.regime_by_target answers as a function of it"
        )
    return _shown(answer(asked, _setting(constants, notion, noise)))


def regime_by_target(
    *,
    eps: Number,
    delta: Number,
    dim: Number,
    rf: Number | None = None,
    n: Number | None = None,
    forget: Number | None = None,
    L: Number | None = None,
    mu: Number | None = None,
    constants: Constants | str = Constants.SHARP,
    notion: Notion | str = Notion.UNLEARNING,
    noise: Noise | str = Noise.EXACT,
) -> RegimeSweep:
    """The answer as a function of the target, for who does not know yet which risk to ask for.

    Args:
        eps: The privacy budget ε, from 1e-6 to 1e4, or inf for no privacy.
        delta: The privacy budget δ, from 1e-300 to 0.9.
        dim: Dimension of the parameters.
        rf: Fraction of the data to forget; or give `n` and `forget`.
        n: Number of samples, with `forget`.
        forget: Number of samples to forget, with `n`.
        L: Lipschitz constant, with `mu`: targets are then also given as risks.
        mu: Strong convexity, with `L`.
        constants: "sharp", or "printed-repaired".
        notion: "unlearning" (Definition 2) or "reference" (Reference Unlearning).
        noise: "exact", or "classical" for the classical κ where it is private.

    Returns:
        One answer for each target from 1 down to 1e-6, and at 1/n where `n` is given.

    Examples:
        >>> import oubli
        >>> oubli.regime_by_target(n=60_000, forget=100, eps=1, delta=1e-5, dim=7850).at_generalisation.action
        'retrain'
    """
    asked = _asked(eps=eps, delta=delta, dim=dim, rf=rf, n=n, forget=forget, L=L, mu=mu)
    found = sweep(asked, _setting(constants, notion, noise))
    near = found.at_generalisation
    return RegimeSweep(found.data, found.text, None if near is None else _shown(near))


def _asked(**given: Number | None) -> Question:
    return question({name: None if value is None else str(value) for name, value in given.items()})


def _setting(constants: Constants | str, notion: Notion | str, noise: Noise | str) -> Setting:
    words = member(Notion, notion, "notion"), member(Noise, noise, "noise")
    return Setting(member(Constants, constants, "constants"), *words)


def _shown(found: Answer) -> RegimeAnswer:
    return RegimeAnswer(found.data, found.text, found.found)
