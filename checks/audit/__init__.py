"""`oubli audit`: hold an unlearning algorithm against its claimed budget and against the bounds."""

from checks.audit.finding import Audit, Finding, Judgement
from checks.audit.run import audit, audit_file, quick_audit
from checks.audit.settings import Settings

__all__ = ["Audit", "Finding", "Judgement", "Settings", "audit", "audit_file", "quick_audit"]
