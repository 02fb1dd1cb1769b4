"""One answer: the JSON object, the recommendation, and the text of `oubli regime`."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from oubli.answers.columns import RELEASE, RETRAIN, TUNE, ZERO, Columns, columns
from oubli.answers.question import Question
from oubli.answers.recommend import (
    Recommendation,
    amount,
    at_most,
    epochs,
    exact,
    gradients,
    recommendation,
    saving,
)
from oubli.answers.thresholds import thresholds
from oubli.errors import InputError
from oubli.theory.regimes import Classification, Constants, Noise, Notion, classify
from oubli.theory.regimes.distance import crossings
from oubli.theory.regimes.enclosed import decide
from oubli.theory.regimes.recipe import recipe
from oubli.theory.regimes.registry import ASSUMES, left_out

WIDTH = 100
_RECIPE = ("shrink", "schedule", "c", "k", "a", "step_unit", "radius", "noise_rate", "noise_width", "noise_q")


@dataclass(frozen=True)
class Setting:
    """Which constants, which definition of unlearning and which noise are meant."""

    constants: Constants = Constants.SHARP
    notion: Notion = Notion.UNLEARNING
    noise: Noise = Noise.EXACT


@dataclass(frozen=True)
class Answer:
    """The answer to one question: `data` for programs, `text` for people."""

    data: Mapping[str, Any]
    text: str
    advice: Recommendation
    found: Classification


def classified(asked: Sequence[Question], setting: Setting) -> Classification:
    """The rows, classified at once."""
    if any(one.target is None for one in asked):
        raise InputError("target is missing: give target (e/e0, or 1/n), or risk with L and mu")
    names = ("rf", "eps", "delta", "dim", "target")
    table = {name: [getattr(one, name) for one in asked] for name in names}
    return classify(**table, constants=setting.constants, notion=setting.notion, noise=setting.noise)


def answer(asked: Question, setting: Setting) -> Answer:
    """The answer to one question, decided by the records that it names.

    Args:
        asked: The question, with a target.
        setting: Constants, notion and noise.

    Returns:
        The answer; InputError for values that are not accepted.

    >>> one = Question(0.001, 4.0, 1e-6, 10, 0.02, n=60_000, forget=60)
    >>> answer(one, Setting()).advice.summary[:52]
    'Release the trained model with noise, without traini'
    """
    found = classified([asked], setting)
    decide(found)
    table = columns(found, [asked])
    advice = recommendation(
        {name: column[0] for name, column in table.items()},
        asked,
        thresholds(found, 0, asked, setting.constants),
    )
    data = fields(table, 0, asked) | {
        "boundaries": _boundaries(found, setting.constants),
        "recommendation": asdict(advice) | {"paragraph": advice.paragraph},
    }
    return Answer(data, _screen(found, data, asked, advice), advice, found)


def fields(table: Columns, row: int, asked: Question) -> dict[str, Any]:
    """One row as JSON: brackets as integers, the ratio rounded outwards, the numbers of the recipe."""
    at = {name: plain(column[row]) for name, column in table.items()}
    n = asked.n
    brackets = {name: [int(at[f"{name}_lo"]), int(at[f"{name}_hi"])] for name in ("unlearn", "scratch")}
    return {
        "printed": at["printed"],
        "certified": at["certified"],
        "ratio": [at["ratio_lo"], at["ratio_hi"]],
        "T_unlearn": brackets["unlearn"],
        "T_scratch": brackets["scratch"],
        "sigma": at["sigma"],
        "claims": at["claims"].split(),
        "noise": at["noise"],
        "how": at["how"],
        "assumes": list(ASSUMES),
        "left_out": list(left_out()),
        "question": _echo(asked) | {"kappa": at["kappa"]},
        "epochs_unlearn": None if n is None else [T / n for T in brackets["unlearn"]],
        "epochs_scratch": None if n is None else [T / n for T in brackets["scratch"]],
        "action": at["action"],
        "recipe": {name: at[name] for name in _RECIPE},
    }


def plain(value: Any) -> Any:
    """A value that JSON can hold: no numpy scalar, and None for nan."""
    found = value.item() if hasattr(value, "item") else value
    return None if isinstance(found, float) and math.isnan(found) else found


def _echo(asked: Question) -> dict[str, Any]:
    shown = {**asdict(asked), "dim": int(asked.dim), "e0": asked.e0, "risk": asked.risk}
    return shown | ({"eps": "inf"} if math.isinf(asked.eps) else {})


def headline(data: Mapping[str, Any]) -> list[str]:
    """The two lines that every answer begins with."""
    word = data["certified"]
    return [
        f"certified  {word.upper()}   (as printed in the paper: {data['printed']})",
        f"           {_lead(data)}",
    ]


def _lead(data: Mapping[str, Any]) -> str:
    """What to do in a few words, and what is proved about its cost."""
    u_hi, action = data["T_unlearn"][1], data["action"]
    start = {
        ZERO: "Release 0, it is good enough",
        RELEASE: "Add noise and release" if data["sigma"] else "Release theta* as it is",
        TUNE: "Add noise and fine-tune",
        RETRAIN: "Retrain",
    }[action]
    few = f"{gradients(u_hi, None)} suffice{'s' * (u_hi == 1)}"
    return f"{start}: {few if u_hi else 'no gradient is needed'}.{_proved(data)}"


def _proved(data: Mapping[str, Any]) -> str:
    """What is proved about the cost of unlearning against retraining."""
    (u_lo, u_hi), (s_lo, s_hi) = data["T_unlearn"], data["T_scratch"]
    other = "retraining" if data["action"] == TUNE else "unlearning"
    unknown = f" Whether {other} is faster is not proved either way."
    most = saving(s_hi, u_lo) if u_lo else ""
    return {
        "trivial": "",
        "efficient": " Proved: retraining needs at least twice as many.",
        "inefficient": f" Proved: no unlearning saves more than a factor {most}.",
        "uncharted": " Proved: retraining needs more." if u_hi < s_lo else unknown,
    }[data["certified"]]


def question_lines(asked: Question, kappa: float) -> list[str]:
    """What was asked, in the user's units."""
    counts = f"r = {exact(asked.rf)}"
    if asked.n is not None:
        counts = f"forget {asked.forget:,} of n = {asked.n:,} (r = {asked.rf:.4g})"
    budget = f"eps = {exact(asked.eps)}, delta = {exact(asked.delta)} (kappa = {kappa:.3g})"
    lines = [f"question   {counts}, d = {int(asked.dim):,}, {budget}"]
    if asked.e0 is None:
        e0 = "e0 = L^2/(8 mu) (`oubli constants` finds L and mu)"
    else:
        scales = f"L = {exact(asked.L or 0.0)}, mu = {exact(asked.mu or 0.0)}"
        e0 = f"e0 = L^2/(8 mu) = {at_most(asked.e0)} with {scales}"
    return [*lines, f"unit       {e0}: the worst excess risk of the zero model"]


def _target_line(asked: Question) -> str:
    x = asked.target or 0.0
    same = ", of the order of the generalisation error" if asked.n and x == 1 / asked.n else ""
    risk = "" if asked.risk is None else f" = {at_most(asked.risk)}"
    share = f"{at_most(100 * x)} % of the worst excess risk of the zero model"
    return f"target     e = {at_most(x)} e0{risk}{same}: {share}"


def _screen(
    found: Classification,
    data: Mapping[str, Any],
    asked: Question,
    advice: Recommendation,
) -> str:
    lines = [
        *headline(data),
        *question_lines(asked, data["question"]["kappa"]),
        _target_line(asked),
        f"noise      {_noise_line(data, asked)}",
        *(f"recipe     {line}" for line in (recipe(found, 0),) if line),
        f"unlearn    {_bracket(data['T_unlearn'], asked.n)}   (upper: {data['how']})",
        f"retrain    {_bracket(data['T_scratch'], asked.n)}   (upper: {found.scratch[1].how(0)})",
        f"ratio      {data['ratio'][0]:.4g} to {data['ratio'][1]:.4g}   (unlearning/retraining)",
        f"why        {', '.join(data['claims'])}",
        *(f"boundary   {line}" for line in _distances(data["boundaries"], asked)),
        *(f"assumes    {line}" for line in ASSUMES),
        *(f"left out   {key}: not proved, or changed since it was (`make accepted`)" for key in left_out()),
        *advice_lines(advice),
    ]
    return "\n".join(lines)


def advice_lines(advice: Recommendation) -> list[str]:
    """The recommendation, wrapped for a terminal."""
    steps = [f"{number}. {text}" for number, text in enumerate(advice.steps, 1)]
    blocks = [("What to do", [advice.summary, *steps]), ("What is guaranteed", [advice.guarantee])]
    if advice.changes:
        blocks.append(("What would change the answer", [*advice.changes]))
    return [line for name, texts in blocks for line in ("", name, *(_wrapped(texts)))]


def _wrapped(texts: list[str]) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(text, WIDTH, initial_indent="  ",
            subsequent_indent="     " if text[:1].isdigit() else "  ", break_long_words=False)]  # fmt: skip


def _noise_line(data: Mapping[str, Any], asked: Question) -> str:
    """Which noise to draw, at which scale, and what to do with the sum."""
    if data["noise"] is None:
        return "none: nothing that depends on the forget data is released"
    if data["sigma"] == 0:
        return "none: there is nothing to hide"
    rate, q, width = (data["recipe"][name] for name in ("noise_rate", "noise_q", "noise_width"))
    law = "normal" if rate is None else f"density proportional to exp(-{rate!r} |z|)"
    if q is not None:
        law = f"radial staircase, shells of width {width!r}, the innermost {q!r} of that"
    unit = " (unit L/mu = 1)" if asked.L is None else ""
    where = "then project theta* + z on |theta| <= L/(2 mu)"
    return f"{law}, standard deviation {data['sigma']!r} per coordinate{unit}; {where}"


def _bracket(ends: Sequence[int], n: int | None) -> str:
    low, high = ends
    shown = gradients(high, None) if low == high else f"{amount(low)} to {gradients(high, None)}"
    return shown if n is None or high == 0 else f"{shown}, {epochs(low / n)} to {epochs(high / n)} epochs"


def _boundaries(found: Classification, constants: Constants) -> list[dict[str, Any]]:
    """The nearest changes of regime: where, to which, and how many times the value that was asked."""
    asked = {"e/e0": float(found.query.x[0]), "eps": float(found.query.eps[0])}
    return [
        asdict(one) | {"times": one.value / asked[one.parameter]} for one in crossings(found.query, constants)
    ]


def _distances(boundaries: Sequence[Mapping[str, Any]], asked: Question) -> list[str]:
    """The same in words: in which direction, and how far."""
    return [_distance(asked, **one) for one in boundaries] or ["none within a factor 1e6"]


def _distance(asked: Question, parameter: str, value: float, regime: str, times: float) -> str:
    way, name = "larger" if times > 1 else "smaller", "eps" if parameter == "eps" else "target"
    risk = "" if asked.e0 is None or parameter == "eps" else f" (risk {value * asked.e0:.4g})"
    far = amount(times) if times >= 1000 else f"{times:.3g}"
    return f"{regime} at a {way} {name}, {parameter} = {value:.4g}{risk}: {far} times yours"
