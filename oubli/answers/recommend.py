"""The recommendation: what to do, step by step, what is guaranteed, and what would change the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from typing import Any

from oubli.answers.columns import RELEASE, RETRAIN, TUNE, ZERO
from oubli.answers.question import Question
from oubli.answers.thresholds import ALONE, Threshold
from oubli.theory.regimes.noise import GAUSSIAN, RADIAL, STAIRCASE
from oubli.theory.regimes.sgd import LAMBDA

Row = Mapping[str, Any]
PAY = "cost at most half of retraining"
_UPWARDS = Context(prec=4, rounding=ROUND_CEILING)


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
        changes=(
            *(_change(one, asked) for one in _distinct(near)),
            *_nothing_else(near, asked),
            *_loose(row, asked),
        ),
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
    ('1 gradient (1.67e-05 epochs)', '279,808 gradients (4.66 epochs)')
    """
    text = f"{amount(value)} gradient{'' if value == 1 else 's'}"
    return text if n is None or value == 0 else f"{text} ({epochs(value / n)} epochs)"


def epochs(value: float) -> str:
    """A number of epochs: three digits, without an exponent where a person would write none.

    >>> epochs(4.6634), epochs(70508.6), epochs(1.66e-05)
    ('4.66', '70,509', '1.66e-05')
    """
    return f"{value:.3g}" if value < 999.5 else amount(round(value))


def saving(retraining: float, unlearning: float) -> str:
    """How many times fewer gradients unlearning may need, rounded up to three digits.

    >>> saving(1732.0, 3.0), saving(262929.0, 9232.0), saving(5e6, 1.0)
    ('578', '28.5', '5,000,000')
    """
    ratio = retraining / unlearning
    unit = 10.0 ** (math.floor(math.log10(ratio)) - 2)
    return f"{math.ceil(ratio / unit) * unit:,.10g}"


def exact(value: float) -> str:
    """A number as a person writes it, which reads back as the same double.

    >>> exact(100.0), exact(0.1 + 0.2), exact(1e-05)
    ('100', '0.30000000000000004', '1e-05')
    """
    short = f"{value:.12g}"
    return short if float(short) == value else repr(float(value))


def at_most(value: float) -> str:
    """Four digits that are at least the value: what is promised not to be exceeded is not rounded down.

    >>> at_most(0.02), at_most(1 / 30_000), at_most(0.001 * 0.3)
    ('0.02', '3.334e-05', '0.0003')
    """
    short = f"{value:.4g}"
    if float(short) >= value * (1 - 1e-12):  # what rounding did to a constant is no further digit
        return short
    return f"{float(_UPWARDS.create_decimal(value)):.4g}"


def target(asked: Question, x: float) -> str:
    """The target in the user's units.

    >>> target(Question(0.1, 1.0, 1e-5, 2, 0.02, L=2.0, mu=1.0), 0.02)
    'an expected excess risk of 0.01 (0.02 e0)'
    """
    if asked.e0 is None:
        return f"an expected excess risk of {at_most(x)} e0"
    return f"an expected excess risk of {at_most(x * asked.e0)} ({at_most(x)} e0)"


def _summary(row: Row, asked: Question) -> str:
    T, e = gradients(row["gradients"], asked.n), target(asked, row["target_e0"])
    are = "is" if row["gradients"] == 1 else "are"
    kept = "the data you keep"
    if asked.n is not None and asked.forget is not None:
        left = asked.n - asked.forget
        kept = f"the {left:,} samples you keep" if left > 1 else "the one sample you keep"
    noisy = "noise" if row["sigma"] else "no noise (there is nothing to hide)"
    return {
        ZERO: "Release the zero model: the target is so loose that it is met on every problem of the class.",
        RELEASE: f"Release the trained model with {noisy}, without training: no gradient is needed for {e}.",
        TUNE: f"Add {noisy} to the trained model and fine-tune it on {kept}: {T} {are} enough for {e}"
        f"{_saved(row)}.",
        RETRAIN: f"Retrain from zero on {kept}: {T} {are} enough for {e}. No unlearning algorithm is proved "
        f"to need fewer{_safest(row)}.",
    }[str(row["action"])]


def _saved(row: Row) -> str:
    """What is known about fine-tuning against retraining."""
    if row["certified"] == "efficient":
        return ", at most half of what retraining needs"
    if row["gradients"] < row["scratch_lo"]:
        return f". Retraining needs more, at least {amount(row['scratch_lo'])}"
    return (
        f". Retraining is proved to reach it only with {amount(row['scratch_hi'])}; that it really needs "
        "more than fine-tuning is not proved"
    )


def _safest(row: Row) -> str:
    """Why to retrain where nothing is proved about which is faster."""
    if row["certified"] != "uncharted":
        return ""
    return ", and retraining forgets without any noise, so it is the safe choice"


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
        f"exp(-{exact(asked.eps)} K) (q + K)^{int(asked.dim)}"
    )
    law = {GAUSSIAN: normal, RADIAL: radial, STAIRCASE: shells}[row["noise"]]
    drawn = f"Draw {law}; project theta* + z on the ball |theta| <= {exact(R)}{'' if asked.L else ' L/mu'}"
    first = drawn if sigma else "Take the trained model theta* as it is"
    shrunk = f", and multiply the result by {exact(float(row['shrink']))}" if row["shrink"] != 1 else ""
    return [f"{first}{shrunk}."]


def _training(row: Row, asked: Question) -> list[str]:
    mu, R = "mu" if asked.mu is None else exact(asked.mu), exact(float(row["radius"]))
    c, k, a = (float(row[name]) for name in ("c", "k", "a"))
    sizes, means = {
        "harmonic": (
            _over(exact(c), mu, f"(1 + {exact(k)} t)"),
            f"1 - {LAMBDA * c:.15g}/(1 + {exact(k)} t)",
        ),
        "printed": (_over("2", mu, "(t + 2)"), "t + 1"),
        "constant": (exact(c) if mu == "1" else f"{exact(c)}/{mu}", "1 (the last point left out)"),
        "growing": (
            f"{_over('w_t', mu, 'p_t')} with w_t = t + {exact(a + c)}, p_t = (t + {exact(a)})^2/2",
            f"w_t (1 - {LAMBDA} w_t/p_t)",
        ),
    }[str(row["schedule"])]
    ball = f"|theta| <= {R}{'' if asked.L else ' L/mu'}"
    last = row["gradients"] - 1
    times = f"For t = 0, ..., {amount(last)}" if last else "Once, with t = 0"
    return [
        f"{times}: draw one of the samples you keep at random, step "
        "from theta_t against the gradient of its loss, the penalty included, by "
        f"{sizes}, and project on the ball {ball}.",
        f"Release the average of theta_0, ..., theta_T with weights {means}.",
    ]


def _over(top: str, mu: str, bottom: str) -> str:
    """A step size, top/(mu bottom); a factor 1 is not written."""
    return f"{top}/{bottom}" if mu == "1" else f"{top}/({mu} {bottom})"


def _guarantee(row: Row, asked: Question) -> str:
    if row["action"] == ZERO:
        return "Guaranteed: the excess risk of the zero model is at most e0, and it depends on no data."
    return " ".join((_unit(row, asked), _promise(row, asked), *_costs(row, asked)))


def _unit(row: Row, asked: Question) -> str:
    """What the target means."""
    e0 = "e0 = L^2/(8 mu)" if asked.e0 is None else f"e0 = {at_most(asked.e0)}"
    return (
        "The excess risk is the mean loss on the data you keep, the penalty included, above its least value; "
        f"{e0} is the largest "
        f"that the model 0 can have, and the target is {at_most(100 * row['target_e0'])} % of it."
    )


def _promise(row: Row, asked: Question) -> str:
    """What holds, and for whom."""
    constants = "L-Lipschitz and mu-strongly convex on |theta| <= L/(2 mu)"
    if asked.L is not None and asked.mu is not None:
        ball = f"|theta| <= {exact(asked.unit / 2)}"
        constants = f"{exact(asked.L)}-Lipschitz and {exact(asked.mu)}-strongly convex on {ball}"
    if row["action"] == RETRAIN:
        private, optimal = "", ""
        more = "Nothing of the forgotten data remains, as it is not looked at."
    else:
        private = f"({exact(asked.eps)}, {exact(asked.delta)})-unlearning and "
        optimal = ", if the trained model theta* is the exact minimiser on all data"
        more = "If that is doubtful, retrain: that looks at nothing of the forgotten data."
    fewer = ", with this many gradients; your data may need fewer" if row["gradients"] else ""
    return (
        f"Guaranteed for all losses that are {constants}{optimal}: {private}the target, on average over the "
        f"draws{fewer}. {more}"
    )


def _costs(row: Row, asked: Question) -> list[str]:
    """What retraining and unlearning take in the worst case."""
    s_lo, s_hi, u_lo = (float(row[name]) for name in ("scratch_lo", "scratch_hi", "unlearn_lo"))
    parts = [f"Retraining needs between {amount(s_lo)} and {gradients(s_hi, asked.n)} in the worst case."]
    if u_lo > 0:
        saved = "" if s_hi / u_lo > 1e6 else f", so that none saves more than a factor {saving(s_hi, u_lo)}"
        parts.append(f"Every unlearning algorithm needs at least {gradients(u_lo, asked.n)} there{saved}.")
    elif row["certified"] == "uncharted":
        parts.append("Whether some unlearning algorithm is cheaper is not proved either way.")
    return parts


def _distinct(near: Sequence[Threshold]) -> list[Threshold]:
    """The thresholds without those that follow from another: where noise alone is enough, unlearning pays."""
    alone = {(one.parameter, one.value) for one in near if one.regimes == ALONE}
    return [one for one in near if one.regimes == ALONE or (one.parameter, one.value) not in alone]


def _change(one: Threshold, asked: Question) -> str:
    what = "Noise alone is" if one.regimes == ALONE else "Unlearning is"
    enough = "certified to be enough" if one.regimes == ALONE else f"certified to {PAY}"
    return f"{what} {'still ' * one.inside}{enough} {_where(one, asked)}."


def _where(one: Threshold, asked: Question) -> str:
    if one.parameter == "forget":
        if asked.n is None:
            return f"for a fraction r <= {exact(one.value)}"
        count = int(one.value * asked.n)
        return f"if at most {count:,} sample{'s are' if count > 1 else ' is'} to be forgotten"
    if one.parameter == "eps":
        return f"for epsilon {'>=' if one.from_there else '='} {exact(one.value)}"
    risk = "" if asked.e0 is None else f" = {at_most(one.value * asked.e0)}"
    if one.from_there:
        return f"for a target e >= {exact(one.value)} e0{risk}"
    return f"also at a target e = {exact(one.value)} e0{risk} (not at all targets between)"


def _nothing_else(near: Sequence[Threshold], asked: Question) -> tuple[str, ...]:
    """What was looked for and not found."""
    looked = {"forget": "no smaller number of samples to forget"}
    if math.isfinite(asked.eps):
        looked = {"eps": "no epsilon up to 10,000", **looked}
    seen = {one.parameter for one in near if one.regimes != ALONE}
    missing = [text for name, text in looked.items() if name not in seen]
    if asked.rf == 0 or asked.target is None or asked.target >= 1 or any(one.inside for one in near):
        return ()
    return (
        (f"At this target {' and '.join(missing)} makes unlearning certified to {PAY}.",) if missing else ()
    )


def _loose(row: Row, asked: Question) -> tuple[str, ...]:
    """Why so few gradients are enough, where that may surprise."""
    if (
        asked.n is None
        or row["action"] == ZERO
        or row["gradients"] >= asked.n
        or row["target_e0"] < 2 / asked.n
    ):
        return ()
    risk = f"{at_most(1 / asked.n)} e0" + ("" if asked.e0 is None else f" = {at_most(asked.e0 / asked.n)}")
    few = "Less than one epoch is enough because the" if row["gradients"] else "The"
    return (f"{few} target is loose; a usual one is e0/n = {risk} (1/n).",)
