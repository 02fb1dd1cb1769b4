"""`oubli show KEY --replay INSTANCE`: one instance of a check again, in the paper's letters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

from checks.commands.errors import BadInput
from checks.empirical import in_letters
from checks.judging import replayed
from checks.measure.registry import ledger, sources_of
from checks.measure.relation import numeric
from checks.measure.source import Source
from theory.claim import Claim


def replay(key: str, text: str, console: Console) -> bool:
    """Show an instance's letters, each hypothesis and the conclusion with its numbers; whether it holds."""
    claim = ledger().claims[key]
    if claim.statement is None:
        raise BadInput(f"{key} is a {claim.kind.value}: there is nothing to replay")
    given = parsed(text)
    source = chosen(claim, given)
    letters, found = replayed(claim, source, instance_of(source, given))
    console.print(
        f"[bold]{key}[/] on {escape(source.name)}: {escape(in_letters(instance_of(source, given)))}"
    )
    for name, value in sorted(letters.values.items()):
        console.print(f"  {escape(name)} = {float(value[0]):.12g}")
    for item in claim.statement.given:
        relation = numeric(item.relation)
        if set(relation.names) <= letters.values.keys():
            word = "fails" if relation.at(letters).fails[0] else "holds"
            console.print(f"  given {escape(str(item.relation))}: {word}")
    says = found.says
    word = "[red]VIOLATED[/]" if says.fails[0] else "holds"
    sides = f"{says.small[0]:.12g} against {says.large[0]:.12g}"
    console.print(f"  says {escape(str(claim.statement.says))}: {sides}: {word}")
    return not bool(says.fails[0])


def parsed(text: str) -> Mapping[str, Any]:
    """The instance as an object; BadInput with what is accepted otherwise."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as why:
        raise BadInput(f"--replay {text!r:.60}: a JSON object is accepted ({why.msg})") from why
    if not isinstance(value, dict):
        raise BadInput(f"--replay {text!r:.60}: a JSON object is accepted, of letters and numbers")
    return value


def chosen(claim: Claim, given: Mapping[str, Any]) -> Source:
    """The source that the instance names, or the claim's first one."""
    sources = sources_of(claim)
    wanted = given.get("source", sources[0].name)
    for source in sources:
        if source.name == wanted:
            return source
    raise BadInput(f"source {wanted!r}: accepted are {', '.join(s.name for s in sources)}")


def instance_of(source: Source, given: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of the instance; a missing or foreign letter is BadInput."""
    numbers = {n: v for n, v in given.items() if n != "source"}
    missing, foreign = source.space.keys() - numbers.keys(), numbers.keys() - source.space.keys()
    if missing or foreign or not all(isinstance(v, int | float) for v in numbers.values()):
        raise BadInput(f"an instance of {source.name} has the numbers {', '.join(source.space)}")
    return {n: float(numbers[n]) for n in source.space}
