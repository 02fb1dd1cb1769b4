"""All lemmas through coqc, several to a file; one at fault is taken out and named."""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from typing import Any

from oubli.checks.coq.compiler import Compiled, compiled, unexpected
from oubli.checks.coq.export import Exported, Skipped, file_text

SCHEMA = 1
# Characters of lemmas to a file: loading the libraries takes seconds, and so does a second try.
PER_FILE = 40_000
SECONDS = 150.0

Verdicts = dict[str, str]
Compiler = Callable[[str, float], Compiled]


def digest(lemma: Exported, coq: str) -> str:
    """The name of a lemma with all that stands in its file besides other lemmas."""
    return hashlib.sha256(f"{coq}\n{file_text([lemma])}".encode()).hexdigest()


def files(lemmas: Iterable[Exported]) -> list[list[Exported]]:
    """The lemmas in portions; those that compute stand apart, for they load more and assume more."""
    listed = list(lemmas)
    kinds = [[le for le in listed if le.computes], [le for le in listed if not le.computes]]
    return [portion for kind in kinds for portion in _portions(kind)]


def _portions(lemmas: Iterable[Exported]) -> list[list[Exported]]:
    out: list[list[Exported]] = []
    room = 0
    for lemma in lemmas:
        if len(lemma.text) > room:
            out.append([])
            room = PER_FILE
        out[-1].append(lemma)
        room -= len(lemma.text)
    return out


def confirmed(lemmas: Sequence[Exported], coqc: Compiler = compiled) -> Verdicts:
    """For each lemma by name: "" if coqc accepts it, else what coqc said."""
    if not lemmas:
        return {}
    said = coqc(file_text(lemmas), SECONDS)
    if said.accepted:
        odd = unexpected(said.axioms, lemmas[0].computes)
        return {le.name: f"rests on the axiom {odd[0]}" if odd else "" for le in lemmas}
    if len(lemmas) == 1:
        return {lemmas[0].name: said.message}
    at = _at_fault(lemmas, said.line)
    if at is None:
        return {name: why for le in lemmas for name, why in confirmed([le], coqc).items()}
    rest = confirmed([*lemmas[:at], *lemmas[at + 1 :]], coqc)
    return {**rest, lemmas[at].name: said.message}


def _at_fault(lemmas: Sequence[Exported], line: int) -> int | None:
    """Which lemma a line of their file belongs to; None if to none of them."""
    lines = file_text(lemmas).splitlines()
    starts = [lines.index(le.text.splitlines()[0]) + 1 for le in lemmas]
    before = [index for index, start in enumerate(starts) if start <= line]
    return before[-1] if before else None


@dataclass(frozen=True)
class Result:
    """What became of one exported step."""

    claim: str
    step: str
    kind: str
    digest: str
    accepted: bool
    reason: str


def confirm(
    found: Sequence[Exported | Skipped], coq: str, remembered: Verdicts, tick: Callable[[int, int], None]
) -> dict[str, Any]:
    """The document of a run: every lemma with coqc's answer, every step that has no lemma with the reason.

    A lemma whose digest is remembered was tried before, word for word, and is not run again.
    """
    lemmas = [item for item in found if isinstance(item, Exported)]
    names = {le.name: digest(le, coq) for le in lemmas}
    verdicts: Verdicts = {name: remembered[key] for name, key in names.items() if key in remembered}
    waiting = files(le for le in lemmas if le.name not in verdicts)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        running = [pool.submit(confirmed, portion) for portion in waiting]
        for done, future in enumerate(as_completed(running), 1):
            verdicts.update(future.result())
            tick(done, len(running))
    results = [
        Result(le.claim, le.step, le.kind, names[le.name], not verdicts[le.name], verdicts[le.name])
        for le in lemmas
    ]
    return {
        "schema": SCHEMA,
        "coq": coq,
        "lemmas": [asdict(result) for result in results],
        "not_exported": [asdict(item) for item in found if isinstance(item, Skipped)],
    }
