"""An audit on one screen."""

from __future__ import annotations

import textwrap

from oubli.checks.audit.finding import Audit, Finding, Judgement

MARKS = {
    Judgement.VIOLATED: "✗", Judgement.CONSISTENT: "✓", Judgement.UNDECIDED: "?", Judgement.ERROR: "!",
}  # fmt: skip
WIDTH = 118


def screen(audit: Audit) -> str:
    """What the verdict means, one line a finding with its reason, and the way to see it again.

    >>> print(screen(Audit("Rule", {}, (), "oubli audit rule.py")).splitlines()[0])
    Rule: UNDECIDED
    """
    width = max((len(f.check) for f in audit.findings), default=0)
    lines = [f"{audit.algorithm}: {audit.verdict}", meaning(audit), *_power(audit), ""]
    for finding in audit.findings:
        lines += _entry(finding, width)
    return "\n".join([*lines, "", f"again: {audit.replay}"])


def meaning(audit: Audit) -> str:
    """The verdict in words.

    >>> meaning(Audit("Rule", {"alpha": 0.05}, (), ""))
    'Nothing was decided about its privacy.'
    """
    if audit.verdict is Judgement.VIOLATED:
        flagged = [f.check for f in audit.findings if f.verdict is Judgement.VIOLATED]
        error = f"; a rule that keeps its claims is flagged with probability at most {audit.setup['alpha']:g}"
        return f"Broken: {', '.join(flagged)}{error}."
    if audit.verdict is Judgement.ERROR:
        says = next(f.says for f in audit.findings if f.verdict is Judgement.ERROR)
        return f"The code did not run as it must, which says nothing of its claims. {says}"
    if audit.verdict is Judgement.UNDECIDED:
        why = next((f.says for f in audit.findings if f.blocks and f.verdict is Judgement.UNDECIDED), "")
        return f"Nothing was decided about its privacy{': ' + why if why else ''}."
    budget = f"eps = {audit.setup['eps']:g}, delta = {audit.setup['delta']:g}"
    if any(f.check == "privacy exact" and f.verdict is Judgement.CONSISTENT for f in audit.findings):
        return f"Nothing speaks against {budget}, and the declared noise is enough for it, exactly."
    return f"Nothing speaks against {budget}. That is no proof: more --runs see more."


def _power(audit: Audit) -> list[str]:
    """What so many runs can see, where that is known."""
    share, seen = audit.setup.get("noise_share_seen"), (Judgement.CONSISTENT, Judgement.UNDECIDED)
    if share is None or audit.verdict not in seen:
        return []
    runs = f"{audit.setup['runs']} draws a side"
    return [f"Power: by {runs}, {share * 100:.0f} % of the needed Gaussian noise is caught 4 times in 5."]


def _entry(finding: Finding, width: int) -> list[str]:
    mark, word = ("·", "remark") if finding.remark else (MARKS[finding.verdict], str(finding.verdict))
    head = f"  {mark} {word:<10} {finding.check:<{width}}  "
    texts = [finding.claimed, finding.says]
    if finding.verdict is Judgement.VIOLATED:
        texts.append(f"on: {finding.instance}")
    rows = [row for text in texts if text for row in textwrap.wrap(text, max(WIDTH - len(head), 40))]
    return [(head if number == 0 else " " * len(head)) + row for number, row in enumerate(rows)]
