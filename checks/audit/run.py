"""An audit from end to end: structure first, then privacy, then risk and regime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oubli.checks.audit.accountant_check import schedule_findings
from oubli.checks.audit.compared import compared, compares
from oubli.checks.audit.declared import declared
from oubli.checks.audit.finding import Audit, Finding, Judgement
from oubli.checks.audit.gaussian import gaussian
from oubli.checks.audit.guard import Fault, Watch
from oubli.checks.audit.own_data import prepared
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.privacy import privacy
from oubli.checks.audit.regime import regime
from oubli.checks.audit.risk import risk
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.structure import fault_finding, structure
from oubli.checks.audit.subject import Subject, subject_of
from oubli.checks.audit.worker import Limits, Outcome, watched
from oubli.checks.runs.rule_file import RuleFileError, load_rule, read_file

# What must hold for everything after the start to be post-processing of it.
POST_PROCESSING = ("structure memory", "structure retain only", "structure deterministic")
FAULTS = ("methods", "raises", "inputs", "shape", "finite", "protocol", "time", "allocation", "crash")


def findings(subject: Subject, settings: Settings) -> Iterator[Finding]:
    """Every finding, as it is made; the rest is left out when a method does not keep the protocol."""
    if compares(subject.on(line_pair(0.0, settings.rf, settings.dim).problem), settings):
        yield from compared(subject, settings)
        return
    shapes = structure(subject, settings)
    yield from shapes
    if any(f.verdict is Judgement.VIOLATED and f.check.split()[1] in FAULTS for f in shapes):
        return
    follows = {f.check: f.verdict for f in shapes}
    closed = all(follows.get(name) is Judgement.CONSISTENT for name in POST_PROCESSING)
    yield from declared(subject, settings, closed)
    yield from schedule_findings(subject, settings, follows)
    found, attack, tested = privacy(subject, settings)
    yield from found
    yield gaussian(settings, attack, tested)
    yield from risk(subject, settings)
    yield regime(settings)


def audit(algorithm: Any, settings: Settings) -> Audit:
    """All findings on an instance, a class or a function of the problem, made in a watched process.

    A string or a path is FILE[:NAME], the file that holds it.

    >>> from oubli.sim.algorithms import FineTuneWithoutNoise
    >>> audit(FineTuneWithoutNoise(), Settings(eps=1.0, delta=1e-5, runs=2000)).verdict
    <Judgement.VIOLATED: 'VIOLATED'>
    """

    settings = prepared(settings)
    if isinstance(algorithm, str | Path):
        return audit_file(str(algorithm), settings)

    def work(watch: Watch) -> Iterator[Any]:
        subject = subject_of(algorithm, watch)
        yield subject.name, subject.doc
        yield from findings(subject, settings)

    kind = algorithm if hasattr(algorithm, "__name__") else type(algorithm)
    target = f"FILE:{kind.__name__}"
    return _gathered(watched(work, _limits(settings)), target, settings)


def audit_file(target: str, settings: Settings) -> Audit:
    """The same for FILE[:NAME]; RuleFileError when there is nothing to audit in it."""

    def work(watch: Watch) -> Iterator[Any]:
        try:
            watch.enter("import")
            algorithm = load_rule(file)
        except RuleFileError as why:
            yield why
            return
        finally:
            watch.leave()
        subject = subject_of(algorithm, watch)
        yield subject.name, subject.doc
        yield from findings(subject, settings)

    settings = prepared(settings)
    file = read_file(target)
    outcome = watched(work, _limits(settings))
    if outcome.results and isinstance(outcome.results[0], RuleFileError):
        raise outcome.results[0]
    if outcome.fault is not None and outcome.fault.method == "import":
        raise RuleFileError(f"{target}: the import {outcome.fault.message}")
    return _gathered(outcome, target, settings)


def quick_audit(algorithm: Any, settings: Settings) -> Audit:
    """The same in this process, without a time limit: for many small audits of code that is trusted."""
    try:
        subject = subject_of(algorithm)
        results: tuple[Any, ...] = ((subject.name, subject.doc), *findings(subject, settings))
        return _gathered(Outcome(results), f"FILE:{subject.name}", settings)
    except Fault as fault:
        return _gathered(Outcome((), fault), "FILE", settings)


def _limits(settings: Settings) -> Limits:
    return Limits(settings.call_seconds, settings.total_seconds, settings.memory_gb)


def _gathered(outcome: Outcome, target: str, settings: Settings) -> Audit:
    results = list(outcome.results)
    name, doc = results.pop(0) if results else (target, "")
    if outcome.fault is not None:
        results.append(fault_finding(outcome.fault))
    if outcome.out_of_time:
        says = (
            f"stopped after {settings.total_seconds:g} s; what follows the findings above was not looked at: "
            "fewer --runs or more --total-seconds get further"
        )
        results.append(Finding("time limit", Judgement.UNDECIDED, "none", {}, 1.0, "the whole audit", says))
    return Audit(name, settings.as_json(), tuple(results), settings.replay(target), doc.split("\n\n")[0])
