"""`oubli show KEY --replay INSTANCE`: one instance of a check again, in the paper's letters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

from oubli.checks.measure.empirical import in_letters
from oubli.checks.measure.explain import conclusion_at, hypotheses_at, letters_of
from oubli.checks.measure.judging import replayed
from oubli.checks.measure.registry import ledger, sources_of
from oubli.checks.measure.relation import Judged, Letters
from oubli.checks.measure.source import Source
from oubli.errors import InputError
from oubli.theory.records.claim import Claim


def replay(key: str, text: str, console: Console) -> bool:
    """Show an instance's letters, each hypothesis and the conclusion with its numbers; whether it holds."""
    claim = ledger().claims[key]
    if claim.statement is None:
        raise InputError(f"{key} is a {claim.kind.value}: there is nothing to replay")
    given = parsed(text)
    source = chosen(claim, given)
    instance = instance_of(source, given)
    letters, found = replayed(claim, source, instance)
    console.print(f"[bold]{key}[/] ({claim.source})  {escape(claim.title)}")
    console.print(f"  made by {escape(source.name)}: {escape(in_letters(instance))}")
    console.print(f"  at {escape(in_letters(letters_of(claim, letters)))}")
    shown = hypotheses_at(claim, letters)
    for relation, holds in shown:
        console.print(f"  given {escape(relation)}: {'holds' if holds else '[red]fails[/]'}")
    console.print(f"  says {escape(conclusion_at(claim, letters))}: {_word(found, letters)}")
    return not bool(found.says.fails[0]) and not found.unmet


def _word(found: Judged, letters: Letters) -> str:
    """What the instance shows; numbers drawn outside the hypotheses show nothing."""
    if not letters.kept().all():
        return "[yellow]no case, it was drawn outside the hypotheses[/]"
    if found.unmet:
        return "[red]a hypothesis fails where it was measured[/]"
    return "[red]VIOLATED[/]" if found.says.fails[0] else "holds"


def parsed(text: str) -> Mapping[str, Any]:
    """The instance as an object; InputError with what is accepted otherwise."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as why:
        raise InputError(f"--replay {text!r:.60}: a JSON object is accepted ({why.msg})") from why
    if not isinstance(value, dict):
        raise InputError(f"--replay {text!r:.60}: a JSON object is accepted, of letters and numbers")
    return value


def chosen(claim: Claim, given: Mapping[str, Any]) -> Source:
    """The source that the instance names, or the claim's first one."""
    sources = sources_of(claim)
    wanted = given.get("source", sources[0].name)
    for source in sources:
        if source.name == wanted:
            return source
    raise InputError(f"source {wanted!r}: accepted are {', '.join(s.name for s in sources)}")


def instance_of(source: Source, given: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of the instance; a missing or foreign letter is InputError."""
    numbers = {n: v for n, v in given.items() if n != "source"}
    missing, foreign = source.space.keys() - numbers.keys(), numbers.keys() - source.space.keys()
    if missing or foreign or not all(isinstance(v, int | float) for v in numbers.values()):
        raise InputError(f"an instance of {source.name} has the numbers {', '.join(source.space)}")
    return {n: float(numbers[n]) for n in source.space}
