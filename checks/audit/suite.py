"""A packaged pytest suite: subclass it, name the algorithm and its budget, and the audit runs as tests.

class TestMine(AuditSuite):
    algorithm = Mine
    settings = Settings(eps=1.0, delta=1e-5, runs=50_000)
"""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from oubli.checks.audit.finding import Audit, Judgement
from oubli.checks.audit.run import audit
from oubli.checks.audit.screen import screen
from oubli.checks.audit.settings import Settings


class AuditSuite:
    """Five tests of one algorithm; a failure shows the whole audit."""

    algorithm: ClassVar[Any]
    settings: ClassVar[Settings]

    @pytest.mark.parametrize("check", ["structure", "declaration", "privacy", "risk"])
    def test_not_violated(self, check: str) -> None:
        """No finding of this group is VIOLATED."""
        found = _audited(type(self))
        assert not found.violated(check), screen(found)

    def test_looked_at(self) -> None:
        """The audit came to its end."""
        found = _audited(type(self))
        assert found.findings, screen(found)
        assert found.findings[-1].check == "regime", screen(found)
        assert found.verdict is not Judgement.VIOLATED, screen(found)


# Each suite's audit is run once and serves all of its tests.
_DONE: dict[type, Audit] = {}


def _audited(suite: type[AuditSuite]) -> Audit:
    if suite not in _DONE:
        _DONE[suite] = audit(suite.algorithm, suite.settings)
    return _DONE[suite]
