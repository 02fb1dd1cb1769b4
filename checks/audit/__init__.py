"""`oubli audit`: hold an unlearning algorithm against its claimed budget and against the bounds."""

from oubli.checks.audit.finding import Audit, Finding, Judgement
from oubli.checks.audit.run import audit, audit_file, quick_audit
from oubli.checks.audit.settings import Settings

__all__ = ["Audit", "Finding", "Judgement", "Settings", "audit", "audit_file", "quick_audit"]
