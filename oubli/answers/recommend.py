"""The recommendation: what to do, step by step, what is guaranteed, and what would change the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oubli.answers.columns import RELEASE, RETRAIN, TUNE, ZERO
from oubli.answers.question import Question
from oubli.answers.thresholds import ALONE, Threshold
from oubli.theory.regimes.noise import GAUSSIAN, RADIAL, STAIRCASE
from oubli.theory.regimes.sgd import LAMBDA

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Recommendation:
    """What to do in one line, its steps, what is guaranteed, and what would change it."""

    action: str
    summary: str
    steps: tuple[str, ...]
    guarantee: str
    changes: tuple[str, ...]

    @property
    def paragraph(self) -> str:
        """All of it as running text."""
        return " ".join((self.summary, *self.steps, self.guarantee, *self.changes))


def recommendation(row: Row, asked: Question, near: Sequence[Threshold]) -> Recommendation:
    """The recommendation for one answer.

    Args:
        row: The answer, a value for each of `columns.NAMES`.
        asked: The question.
        near: Where the answer changes.

    Returns:
        Sentences that need no other source to be followed.
    """
    return Recommendation(
        action=str(row["action"]),
        summary=_summary(row, asked),
        steps=tuple(_steps(row, asked)),
        guarantee=_guarantee(row, asked),
        changes=(*(_change(one, asked) for one in _distinct(near)), *_nothing_else(near, asked)),
    )


def amount(value: float) -> str:
    """A count as a person writes it.

    >>> amount(279808.0), amount(2.5e20)
    ('279,808', '2.5e+20')
    """
    return f"{int(value):,}" if value < 1e15 else f"{value:.4g}"


def gradients(value: float, n: int | None) -> str:
    """A number of gradients, with the epochs that it makes.

    >>> gradients(1.0, 60_000), gradients(279808.0, 60_000)
    ('1 gradient (1.7e-05 epochs)', '279,808 gradients (4.7 epochs)')
    """
    text = f"{amount(value)} gradient{'' if value == 1 else 's'}"
    return text if n is None or value == 0 else f"{text} ({value / n:.2g} epochs)"


def target(asked: Question, x: float) -> str:
    """The target in the user's units.

    >>> target(Question(0.1, 1.0, 1e-5, 2, 0.02, L=2.0, mu=1.0), 0.02)
    'an expected excess risk of 0.01 (0.02 e0)'
    """
    if asked.e0 is None:
        return f"an expected excess risk of {x:.4g} e0"
    return f"an expected excess risk of {x * asked.e0:.4g} ({x:.4g} e0)"


def _summary(row: Row, asked: Question) -> str:
    T, e = gradients(row["gradients"], asked.n), target(asked, row["target_e0"])
    are = "is" if row["gradients"] == 1 else "are"
    kept = "the data you keep"
    if asked.n is not None and asked.forget is not None:
        kept = f"the {asked.n - asked.forget:,} samples you keep"
    noisy = "noise" if row["sigma"] else "no noise (there is nothing to hide)"
    return {
        ZERO: "Release the zero model: the target is so loose that it is met on every problem of the class.",
        RELEASE: f"Release the trained model with {noisy}, without training: no gradient is needed for {e}.",
        TUNE: f"Add {noisy} to the trained model and fine-tune it on {kept}: {T} {are} enough for {e}"
        f"{_saved(row)}.",
        RETRAIN: f"Retrain from zero on {kept}: {T} {are} enough for {e}. No unlearning algorithm is proved "
        "to do with fewer.",
    }[str(row["action"])]


def _saved(row: Row) -> str:
    """What is known about fine-tuning against retraining."""
    if row["certified"] == "efficient":
        return ", at most half of what retraining needs"
    return (
        f". Retraining is proved to reach it only with {amount(row['scratch_hi'])}; that it really needs "
        "more than fine-tuning is not proved"
    )


def _steps(row: Row, asked: Question) -> list[str]:
    if row["action"] == ZERO:
        return []
    start = ["Start at theta_0 = 0."] if row["action"] == RETRAIN else _noise(row, asked)
    return start if row["schedule"] == "none" else [*start, *_training(row, asked)]


def _noise(row: Row, asked: Question) -> list[str]:
    unit = "" if asked.L is not None else " (in units L/mu)"
    sigma, R = float(row["sigma"]), float(row["radius"])
    normal = f"normal noise z of mean 0 and standard deviation {sigma!r}{unit} in each coordinate"
    radial = (
        f"noise z in a uniform direction, of length Gamma(shape {int(asked.dim)}, rate "
        f"{float(row['noise_rate'])!r}){unit}, that is, density proportional to exp(-rate |z|)"
    )
    shells = (
        f"noise z uniform on a ball of radius (q + K) w{unit}, q = {float(row['noise_q'])!r}, w = "
        f"{float(row['noise_width'])!r}, where K = 0, 1, ... has probability proportional to "
        f"exp(-{asked.eps:g} K) (q + K)^{int(asked.dim)}"
    )
    law = {GAUSSIAN: normal, RADIAL: radial, STAIRCASE: shells}[row["noise"]]
    drawn = f"Draw {law}; project theta* + z on the ball |theta| <= {R:.12g}{unit}."
    first = drawn if sigma else "Take the trained model theta* as it is."
    shrunk = f"Multiply the result by {float(row['shrink']):.12g}."
    return [first, shrunk] if row["shrink"] != 1 else [first]


def _training(row: Row, asked: Question) -> list[str]:
    mu, R = "mu" if asked.mu is None else f"{asked.mu:.12g}", f"{float(row['radius']):.12g}"
    c, k, a = (float(row[name]) for name in ("c", "k", "a"))
    sizes, means = {
        "harmonic": (f"{c!r}/({mu} (1 + {k!r} t))", f"1 - {LAMBDA * c!r}/(1 + {k!r} t)"),
        "printed": (f"2/({mu} (t + 2))", "t + 1"),
        "constant": (f"{c!r}/{mu}", "1 (the last point left out)"),
        "growing": (
            f"w_t/({mu} p_t) with w_t = t + {a + c!r}, p_t = (t + {a!r})^2/2",
            f"w_t (1 - {LAMBDA} w_t/p_t)",
        ),
    }[str(row["schedule"])]
    ball = f"|theta| <= {R}{'' if asked.L else ' L/mu'}"
    return [
        f"For t = 0, ..., {amount(row['gradients'] - 1)}: draw one retained sample, step from theta_t "
        f"against its gradient by {sizes}, and project on the ball {ball}.",
        f"Release the average of theta_0, ..., theta_T with weights {means}.",
    ]


def _guarantee(row: Row, asked: Question) -> str:
    s_lo, s_hi, u_lo = (float(row[name]) for name in ("scratch_lo", "scratch_hi", "unlearn_lo"))
    if row["action"] == ZERO:
        return "Guaranteed: the excess risk of the zero model is at most e0, and it depends on no data."
    private = "" if row["action"] == RETRAIN else f"({asked.eps:g}, {asked.delta:g})-unlearning and "
    parts = [
        f"Guaranteed on every problem with these L and mu: {private}the target, with this many gradients; it "
        "is an upper bound, and your data may need fewer."
    ]
    parts.append(f"Retraining needs between {amount(s_lo)} and {gradients(s_hi, asked.n)} in the worst case.")
    if u_lo > 0:
        saved = "" if s_hi / u_lo > 1e6 else f", so that none saves more than a factor {s_hi / u_lo:.3g}"
        parts.append(f"No unlearning algorithm does with fewer than {gradients(u_lo, asked.n)}{saved}.")
    elif row["certified"] == "uncharted":
        parts.append("Whether some unlearning algorithm is cheaper is not proved either way.")
    return " ".join(parts)


def _distinct(near: Sequence[Threshold]) -> list[Threshold]:
    """The thresholds without those that follow from another: where noise alone is enough, unlearning pays."""
    alone = {(one.parameter, one.value) for one in near if one.regimes == ALONE}
    return [one for one in near if one.regimes == ALONE or (one.parameter, one.value) not in alone]


def _change(one: Threshold, asked: Question) -> str:
    what = "Noise alone is" if one.regimes == ALONE else "Unlearning is"
    enough = "certified to be enough" if one.regimes == ALONE else "certified to pay"
    return f"{what} {'still ' * one.inside}{enough} {_where(one, asked)}."


def _where(one: Threshold, asked: Question) -> str:
    if one.parameter == "forget":
        most = f"a fraction {one.value:g}" if asked.n is None else f"{int(one.value * asked.n):,} samples"
        return f"for at most {most} to forget"
    if one.parameter == "eps":
        return f"for epsilon {'>=' if one.from_there else '='} {one.value:g}"
    risk = "" if asked.e0 is None else f" = {one.value * asked.e0:.4g}"
    if one.from_there:
        return f"for a target e >= {one.value:g} e0{risk}"
    return f"also at a target e = {one.value:g} e0{risk} (not at all targets between)"


def _nothing_else(near: Sequence[Threshold], asked: Question) -> tuple[str, ...]:
    """What was looked for and not found."""
    looked = {"forget": "no smaller number of samples to forget"}
    if math.isfinite(asked.eps):
        looked = {"eps": "no epsilon up to 10,000", **looked}
    seen = {one.parameter for one in near if one.regimes != ALONE}
    missing = [text for name, text in looked.items() if name not in seen]
    if asked.rf == 0 or asked.target is None or asked.target >= 1 or any(one.inside for one in near):
        return ()
    return (f"At this target {' and '.join(missing)} makes unlearning certified to pay.",) if missing else ()
