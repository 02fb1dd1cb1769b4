"""The end of a run of the tests: the planted errors with what caught each, and why anything was skipped."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import Any

import pytest

PLANTED: pytest.StashKey[list[list[str]]] = pytest.StashKey()
CACHE: pytest.StashKey[TemporaryDirectory[str]] = pytest.StashKey()


class _Planted:
    """Gathers from all workers what was planted and caught."""

    def __init__(self, config: pytest.Config) -> None:
        self.found = config.stash[PLANTED] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.found += [list(value) for name, value in report.user_properties if name == "planted"]


def pytest_configure(config: pytest.Config) -> None:
    """Gather planted errors; a skipped test always says why."""
    config.pluginmanager.register(_Planted(config), "oubli-planted")
    if "OUBLI_CACHE" not in os.environ:  # not the user's; the workers of one run share it
        config.stash[CACHE] = TemporaryDirectory(prefix="oubli-cache-", ignore_cleanup_errors=True)
        os.environ["OUBLI_CACHE"] = config.stash[CACHE].name
    if "s" not in config.option.reportchars:
        config.option.reportchars += "s"


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The list of planted errors that were caught."""
    found = sorted(config.stash[PLANTED])
    if found:
        terminalreporter.write_line(f"{len(found)} planted errors, all of these caught:")
        for place, name, catcher in found:
            terminalreporter.write_line(f"  in a {place}: {name}; caught by {catcher}")
