"""Every engine that the judge calls, found by reading the judge: one that lies is noticed, whichever it is.

A lie is either an answer without work, or the honest answer for a true claim given for a false neighbour.
A new engine is covered as soon as the judge calls it; an engine that nobody calls is an error.
"""

import ast
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from oubli.theory.judging import judge
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.claim import Claim
from oubli.theory.records.verdict import Status
from oubli.theory.search import engines
from tests.adversarial.test_planted_in_claims import planted

LEDGER = ledger()
KNOWN = {key: c.statement for key, c in LEDGER.claims.items() if c.statement is not None}
FEW = 3
MODULES = {info.name for info in pkgutil.iter_modules(engines.__path__)}


def called() -> list[tuple[str, str]]:
    """The engines' functions that the judge calls: (module, function)."""
    nodes = ast.walk(ast.parse(inspect.getsource(judge)))
    found = [n for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    return sorted({(n.value.id, n.attr) for n in found if n.value.id in MODULES})  # type: ignore[attr-defined]


CALLED = called()
NAMES = [f"{module}.{function}" for module, function in CALLED]


def few_of_each_kind() -> Iterator[tuple[str, Claim]]:
    """The claims, but no more than a few whose proofs use the same rules."""
    seen: Counter[type] = Counter()
    for key, claim in LEDGER.claims.items():
        kinds = {type(step.by) for step in claim.proof} | ({Claim} if claim.instances else set())
        if any(seen[kind] < FEW for kind in kinds):
            seen.update(kinds)
            yield key, claim


@cache
def callers() -> dict[str, list[str]]:
    """For each function, the claims whose verdict needed it."""
    found: dict[str, list[str]] = {name: [] for name in NAMES}
    with pytest.MonkeyPatch.context() as patch:
        for module, function in CALLED:
            engine = getattr(judge, module)
            honest, name = getattr(engine, function), f"{module}.{function}"

            def spied(*args: Any, honest: Any = honest, name: str = name) -> Any:
                found[name].append(current[0])
                return honest(*args)

            patch.setattr(engine, function, spied)
        current = [""]
        for key, claim in few_of_each_kind():
            current[0] = key
            judge.judge(claim, KNOWN)
    return {name: list(dict.fromkeys(keys)) for name, keys in found.items()}


def status(claim: Claim) -> Status | str:
    """The verdict, or the error that the lie ran into."""
    try:
        return judge.judge(claim, KNOWN).status
    except Exception as why:
        return type(why).__name__


def lying(patch: pytest.MonkeyPatch, name: str, lie: Callable[..., Any]) -> None:
    module, function = name.split(".")
    patch.setattr(getattr(judge, module), function, lie)


def test_no_engine_stands_aside() -> None:
    assert {module for module, _ in CALLED} == MODULES
    assert len(CALLED) >= 11


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_decides_something(name: str) -> None:
    assert callers()[name]


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_without_work_changes_a_verdict(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = callers()[name][:FEW]
    honest = {key: status(LEDGER.claims[key]) for key in keys}
    lying(monkeypatch, name, lambda *_: {"rule": "PROVED", "says": "PROVED", "values": {}})
    assert all(status(LEDGER.claims[key]) != honest[key] for key in keys)


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_for_a_true_claim_does_not_prove_a_false_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, function = name.split(".")
    engine = getattr(judge, module)
    honest = getattr(engine, function)
    for key in [k for k in callers()[name] if LEDGER.claims[k].proof][:FEW]:
        answers: list[Any] = []
        lying(monkeypatch, name, lambda *args: answers.append(honest(*args)) or answers[-1])  # noqa: B023
        assert status(LEDGER.claims[key]) is Status.PROVED
        left = iter(answers)
        lying(monkeypatch, name, lambda *_: next(left))  # noqa: B023
        assert status(planted(LEDGER.claims[key])) is not Status.PROVED
