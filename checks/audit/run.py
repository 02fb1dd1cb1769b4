"""An audit from end to end: structure first, then privacy, then risk and regime.

All of it is decided in this process; the rule runs in another one and is only asked for numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from oubli.checks.audit.accountant_check import schedule_findings
from oubli.checks.audit.compared import compared, compares
from oubli.checks.audit.declared import declared
from oubli.checks.audit.finding import Audit, Finding, Judgement
from oubli.checks.audit.gaussian import gaussian
from oubli.checks.audit.guard import FaultError, raised
from oubli.checks.audit.own_data import prepared
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.plan import check_memory, noise_seen, planned_work
from oubli.checks.audit.privacy import other_steps, privacy
from oubli.checks.audit.progress import Meter
from oubli.checks.audit.regime import regime
from oubli.checks.audit.remote import Limits, OutOfTimeError, isolated
from oubli.checks.audit.risk import risk
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.structure import fault_finding, structure
from oubli.checks.audit.subject import Subject, subject_of
from oubli.checks.runs.rule_file import RuleFileError, load_rule, read_file

# What must hold for everything after the start to be post-processing of it.
POST_PROCESSING = ("structure memory", "structure retain only", "structure deterministic")


def findings(subject: Subject, settings: Settings) -> Iterator[Finding]:
    """Every finding, as it is made; a FaultError ends them."""
    least = _least_steps(subject, settings)
    if least is not None and settings.steps < least:
        says = f"it claims nothing below T = {least}: give --steps {least} or more"
        text = f"({settings.eps:g}, {settings.delta:g}) from T = {least} on"
        yield Finding("privacy steps", Judgement.UNDECIDED, text, {}, 1.0, "least_steps", says, blocks=True)
        return
    if compares(subject, settings):
        yield from compared(subject, settings, least)
        return
    shapes = []
    for finding in structure(subject, settings):
        shapes.append(finding)
        yield finding
        if finding.verdict is Judgement.ERROR:
            return
    follows = {f.check: f.verdict for f in shapes}
    closed = all(follows.get(name) is Judgement.CONSISTENT for name in POST_PROCESSING)
    yield from declared(subject, settings, closed)
    yield from schedule_findings(subject, settings, follows)
    found, attacks, tested = privacy(subject, settings)
    yield from found
    yield gaussian(settings, attacks[0], tested)
    if not any(f.verdict is Judgement.VIOLATED for f in found):
        yield from other_steps(subject, settings, list({id(a.pair): a.pair for a in attacks}.values()), least)
    yield from risk(subject, settings, least)
    yield regime(settings)


def _least_steps(subject: Subject, settings: Settings) -> int | None:
    """The T from which on the rule claims its budget; None where it only claims it at T = steps."""
    rule = subject.on(line_pair(0.0, settings.rf, settings.dim).problem)
    least = rule.declared("least_steps", settings.setup())
    if least is not None and least != int(least):
        raise rule._wrong("least_steps", "declaration", f"must return an integer, got {least:g}")
    return None if least is None else int(least)


def audit(algorithm: Any, settings: Settings, progress: bool = False) -> Audit:
    """All findings on an instance, a class or a function of the problem, which runs in a process of its own.

    A string or a path is FILE[:NAME], the file that holds it.

    >>> from oubli.sim.algorithms import FineTuneWithoutNoise
    >>> audit(FineTuneWithoutNoise(), Settings(eps=1.0, delta=1e-5, runs=2000)).verdict
    <Judgement.VIOLATED: 'VIOLATED'>
    """
    settings = prepared(settings)
    if isinstance(algorithm, str | Path):
        return audit_file(str(algorithm), settings, progress)
    kind = algorithm if hasattr(algorithm, "__name__") else type(algorithm)
    return _watched(lambda: subject_of(algorithm), f"FILE:{kind.__name__}", settings, progress)


def audit_file(target: str, settings: Settings, progress: bool = False) -> Audit:
    """The same for FILE[:NAME]; RuleFileError when there is nothing to audit in it."""
    settings = prepared(settings)
    file = read_file(target)

    def load() -> Subject:
        try:
            algorithm = load_rule(file)
        except RuleFileError as why:
            raise FaultError("import", "unusable", str(why)) from None
        return subject_of(algorithm)

    return _watched(load, target, settings, progress)


def _watched(load: Callable[[], Subject], target: str, settings: Settings, progress: bool) -> Audit:
    check_memory(settings.dim, settings.memory_gb)
    limits = Limits(settings.call_seconds, settings.total_seconds, settings.memory_gb)
    meter = Meter(planned_work(settings.dim, settings.steps, settings.runs), progress)
    return _gathered(isolated(load, limits, meter), target, settings)


def quick_audit(algorithm: Any, settings: Settings) -> Audit:
    """The same in this process, without a time limit: for many small audits of code that is trusted."""
    return _gathered(_Here(algorithm), "FILE", settings)


class _Here(AbstractContextManager[Subject]):
    """The subject in this process."""

    def __init__(self, algorithm: Any) -> None:
        self.algorithm = algorithm

    def __enter__(self) -> Subject:
        return subject_of(self.algorithm)

    def __exit__(self, *why: object) -> None: ...


def _gathered(where: AbstractContextManager[Subject], target: str, settings: Settings) -> Audit:
    """What was found before the end, whatever ended it."""
    name, doc, found = target, "", []
    try:
        with where as subject:
            name, doc = subject.name, subject.doc
            for finding in findings(subject, settings):
                found.append(finding)
    except FaultError as fault:
        if fault.method == "import":
            place = fault.place or target
            says = fault.message if fault.kind == "unusable" else f"{place}: the import {fault.message}"
            raise RuleFileError(says) from None
        found.append(fault_finding(fault))
    except (ArithmeticError, ValueError) as why:
        # A fault of the audit, or numbers that it was not made for: what was found before it stands.
        if not found:
            raise
        found.append(_gave_up(why))
    except (OutOfTimeError, KeyboardInterrupt) as why:
        found.append(_stopped(isinstance(why, OutOfTimeError), settings))
    again = settings.replay(target if ":" in target or target != "FILE" else f"FILE:{name}")
    return Audit(name, _asked(settings), tuple(found), again, doc.split("\n\n")[0])


def _asked(settings: Settings) -> dict[str, Any]:
    """The settings, with what so many runs can see."""
    seen = noise_seen(settings.eps, settings.delta, settings.runs, settings.level("eps"))
    return {**settings.as_json(), "noise_share_seen": seen}


def _gave_up(why: Exception) -> Finding:
    says = f"the audit itself came to an end here, not the rule: {raised(why)}; the findings above stand"
    return Finding("audit", Judgement.ERROR, "the audit comes to its end", {}, 1.0, "the whole audit", says)


def _stopped(by_the_limit: bool, settings: Settings) -> Finding:
    after = f"stopped after {settings.total_seconds:g} s" if by_the_limit else "stopped by an interrupt"
    says = f"{after}; what follows the findings above was not looked at"
    if by_the_limit:
        says += ": fewer --runs or more --total-seconds get further"
    name = "time limit" if by_the_limit else "interrupt"
    return Finding(name, Judgement.UNDECIDED, "none", {}, 1.0, "the whole audit", says)
