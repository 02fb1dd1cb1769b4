"""An audit on one screen."""

from __future__ import annotations

from checks.audit.finding import Audit, Judgement

MARKS = {Judgement.VIOLATED: "✗", Judgement.CONSISTENT: "✓", Judgement.UNDECIDED: "?"}


def screen(audit: Audit) -> str:
    """One line a finding, the reasons of what is not consistent, the verdict and the way to see it again.

    >>> print(screen(Audit("Rule", {}, (), "oubli audit rule.py")).splitlines()[0])
    Rule: UNDECIDED
    """
    lines = [f"{audit.algorithm}: {audit.verdict}", ""]
    width = max((len(f.check) for f in audit.findings), default=0)
    for finding in audit.findings:
        mark = f"{MARKS[finding.verdict]} {finding.verdict:<10}"
        lines.append(f"  {mark} {finding.check:<{width}}  {finding.claimed}")
        if finding.says:
            lines.append(f"  {'':<12} {'':<{width}}  {finding.says}")
        if finding.verdict is Judgement.VIOLATED:
            lines.append(f"  {'':<12} {'':<{width}}  on: {finding.instance}")
    return "\n".join([*lines, "", f"again: {audit.replay}"])
