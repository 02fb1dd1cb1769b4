"""One page on one audit: its verdict in words, its findings and three pictures."""

from __future__ import annotations

from html import escape

from oubli.checks.audit.figures import drawn
from oubli.checks.audit.finding import Audit, Finding, Judgement
from oubli.checks.audit.screen import MARKS, meaning

STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.6rem;margin-bottom:.3rem}h2{font-size:1.15rem;margin-top:2.2rem}
.meaning{font-size:1.05rem}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;border-bottom:1px solid #ddd}
td.verdict{white-space:nowrap}.VIOLATED{color:#a00;font-weight:600}.CONSISTENT{color:#060}.UNDECIDED{color:#555}.ERROR{color:#a00}
.on{color:#555;font-size:.9em}dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin:0}
dt{color:#555}dd{margin:0}figure{margin:1rem 0}figcaption{max-width:44rem}svg{max-width:100%;height:auto}
code{overflow-wrap:anywhere;background:#f4f4f4;padding:.1rem .3rem}"""
NAMES = {
    "eps": "claimed ε", "delta": "claimed δ", "rf": "forget fraction", "dim": "dimension",
    "steps": "gradient steps T", "runs": "fresh draws a side", "alpha": "error probability of the audit",
    "seed": "seed", "target": "target risk, in e0",
}  # fmt: skip


def page(audit: Audit) -> str:
    """A page that needs nothing else; all text of the user is escaped."""
    title = escape(f"Audit of {audit.algorithm}: {audit.verdict}")
    # What speaks against the rule comes first.
    order = sorted(audit.findings, key=lambda f: f.verdict is not Judgement.VIOLATED)
    rows = "\n".join(_row(f) for f in order)
    asked = "".join(
        f"<dt>{NAMES[name]}</dt><dd>{escape(str(value))}</dd>"
        for name, value in audit.setup.items()
        if name in NAMES
    )
    figures = "\n".join(drawn(f) for f in audit.findings if f.plot)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
        f'<h1>{title}</h1><p class="meaning">{escape(meaning(audit))}</p><p>{escape(audit.doc)}</p>'
        f"<h2>Asked</h2><dl>{asked}</dl>"
        "<p>Units: L = mu = 1; e0 = L²/(8 mu) is the largest risk of the zero model.</p>"
        '<h2>Findings</h2><div class="scroll"><table><thead><tr><th scope="col">check</th>'
        '<th scope="col">verdict</th><th scope="col">claimed</th><th scope="col">found</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        f"{'<h2>Pictures</h2>' if figures else ''}{figures}"
        f"<h2>Again</h2><p><code>{escape(audit.replay)}</code></p></body></html>\n"
    )


def _row(finding: Finding) -> str:
    name, verdict, claimed, says, where = (
        escape(str(cell))
        for cell in (finding.check, finding.verdict, finding.claimed, finding.says, finding.instance)
    )
    return (
        f'<tr><td>{name}</td><td class="verdict {verdict}">{MARKS[finding.verdict]} {verdict.lower()}</td>'
        f'<td>{claimed}</td><td>{says} <span class="on">on: {where}</span></td></tr>'
    )
