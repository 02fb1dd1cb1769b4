"""Shared by the checks: the ledger, judged once per worker; a record per claim; the table at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from oubli.checks.measure import empirical
from oubli.checks.measure.judging import required
from oubli.checks.measure.summary import missing, notes, table
from oubli.checks.report.folder import publish, writable
from oubli.theory.judging.ledger import Entry, Ledger
from oubli.theory.paper.ledger import ledger as paper
from oubli.theory.paper.ledger import verified

PROPERTY = "oubli"
RECORDS: pytest.StashKey[list[dict[str, Any]]] = pytest.StashKey()
PARTIAL: pytest.StashKey[bool] = pytest.StashKey()
BROKEN: pytest.StashKey[set[str]] = pytest.StashKey()
# Options that leave tests out; workers of xdist do not tell what they deselect.
SELECTING = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--profile quick|deep`: how many cases; the same as the environment variable OUBLI_PROFILE."""
    parser.addoption("--profile", choices=("quick", "deep"), help="number of cases (OUBLI_PROFILE)")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hand the profile to the workers through the environment."""
    import os

    if config.getoption("--profile"):
        os.environ["OUBLI_PROFILE"] = config.getoption("--profile")
    config.stash[RECORDS] = []
    config.stash[PARTIAL] = False
    config.stash[BROKEN] = set()
    config.pluginmanager.register(_Collector(config), "oubli-records")
    # Nothing is skipped without saying why.
    if "s" not in config.option.reportchars:
        config.option.reportchars += "s"


class _Collector:
    """Gathers the records of all workers; every report carries those of its test."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for name, value in report.user_properties:
                if name == PROPERTY:
                    self.config.stash[RECORDS].append(json.loads(str(value)))
        if report.failed and "test_" in report.nodeid and "checks/" in report.nodeid:
            self.config.stash[BROKEN].add(report.nodeid)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.config.stash[PARTIAL] = True


def _records(config: pytest.Config) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = config.stash[RECORDS]
    return found


def _whole(config: pytest.Config) -> bool:
    """Whether the run was asked for all checks."""
    folder = Path(__file__).resolve().parent
    asked = [Path(str(config.invocation_params.dir), arg.split("::")[0]).resolve() for arg in config.args]
    named = any("::" in arg for arg in config.args) or any(config.getoption(n, None) for n in SELECTING)
    return not named and not config.stash[PARTIAL] and any(folder == p or p in folder.parents for p in asked)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write what was measured; a check that recorded nothing turns a green run red."""
    config = session.config
    if hasattr(config, "workerinput") or not _whole(config) or config.option.collectonly:
        return
    measured = empirical.combined(_records(config))
    if exitstatus == 0 and missing(measured):
        session.exitstatus = 1
    publish(writable(config.rootpath / "report"), {empirical.FILE: empirical.dumps(measured)})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The table of what was measured, with the errata flagged; failures and what is missing are named."""
    measured = empirical.combined(_records(config))
    if not measured:
        return
    whole = _whole(config)
    for line in [*table(measured), *(notes(measured) if whole else [])]:
        terminalreporter.write_line(line)
    broken: set[str] = config.stash[BROKEN]
    for name in sorted(broken):
        terminalreporter.write_line(f"FAILED {name}", red=True)
    for key in missing(measured) if whole else []:
        found, least = measured.get(key, {}).get("cases", 0), required(paper().claims[key])
        terminalreporter.write_line(f"NOT RECORDED {key}: {found} cases of at least {least}", red=True)


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Callable[[list[dict[str, Any]]], None]:
    """Hand records to the table and to report/empirical.json."""

    def store(records: list[dict[str, Any]]) -> None:
        for item in records:
            request.node.user_properties.append((PROPERTY, json.dumps(item)))

    return store


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    """All claims of the paper."""
    return paper()


@pytest.fixture(scope="session")
def entries() -> Mapping[str, Entry]:
    """All verdicts, which the tests in the same process share."""
    return verified()
