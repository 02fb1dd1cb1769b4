"""The report as Markdown, from the JSON document alone."""

import re
from typing import Any

from oubli.checks.report.document import line_of
from oubli.checks.report.severity import ranked

MARK = {"PROVED": "✓", "REFUTED": "✗", "OPEN": "?", "NONE": "·"}


def plain(text: str) -> str:
    """Text that no reader of Markdown takes for HTML: an inner product <u, v> is one otherwise.

    >>> plain("<u, v> <= 1")
    '&lt;u, v> <= 1'
    """
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text)


def cell(text: str) -> str:
    """Text that cannot break a table."""
    return plain(text).replace("|", "\\|").replace("\n", " ")


def summary_line(document: dict[str, Any]) -> str:
    """The verdict on the paper in one line."""
    s = document["summary"]
    expected = "all as expected" if not s["unexpected"] else f"unexpected: {', '.join(s['unexpected'])}"
    return (
        f"{s['claims']} claims: {s['PROVED']} proved, {s['REFUTED']} refuted, {s['OPEN']} open, "
        f"{s['NONE']} definitions and remarks; {s['broken_proofs']} printed proofs broken; {expected}."
    )


def table(document: dict[str, Any]) -> list[str]:
    """One row per claim."""
    heads = ["", "claim", "line", "verdict", "effective", "printed proof", "says"]
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for c in document["claims"]:
        link = f"[{c['key']}](#{anchor(c['key'])})"
        words = [
            MARK[c["status"]],
            link,
            line_of(c).removeprefix("l."),
            c["status"],
            c["effective"],
            c["proof"],
        ]
        rows.append(f"| {' | '.join([*words, cell(c['title'])])} |")
    return rows


def anchor(key: str) -> str:
    """The permanent anchor of a claim."""
    return "claim-" + key.replace(".", "-").replace("_", "-")


def errata(document: dict[str, Any]) -> list[str]:
    """What does not stand, worst first: printed, wrong, witness, write instead, what is affected."""
    by_key = {c["key"]: c for c in document["claims"]}
    out = ["## Errata", ""]
    fallen = [c for c in document["claims"] if c["status"] == "REFUTED" or (c["repaired_by"] and c["reason"])]
    listed = ranked(fallen)
    for c in [*listed, *(c for c in fallen if c not in listed)]:
        out += [f"### {c['key']} ({_place(c)})", "", f"**Printed:** {plain(c['title'])}.", ""]
        out += says(c)
        out += _told(c)
        out += witness_lines(c) if c["witness"] else [f"**Not decided:** {plain(c['reason'])}.", ""]
        if c["note"] and c["note"] not in c["reason"]:
            out += [f"**Remark:** {plain(c['note'])}", ""]
        if c["repaired_by"] in by_key:
            repair = by_key[c["repaired_by"]]
            out += [f"**Holds instead** ({repair['key']}, {repair['status']}): {plain(repair['title'])}.", ""]
            out += says(repair)
        if c["affects"]:
            out += [f"**Depends on it:** {', '.join(c['affects'])}.", ""]
        if c["parent"]:
            out += [f"**Breaks the printed proof of:** {c['parent']}.", ""]
    return out


def _place(claim: dict[str, Any]) -> str:
    return ", ".join(filter(None, (claim.get("place"), line_of(claim))))


def _told(claim: dict[str, Any]) -> list[str]:
    """How bad it is, what is wrong and what to write, where the edition says so."""
    found = claim.get("erratum")
    out = [f"**Severity:** {claim['severity']}.", ""] if claim.get("severity") else []
    if found:
        out += [f"**What is wrong:** {plain(found['plain'])}", ""]
        out += [f"**Write instead:** {plain(found['instead'])}", ""]
        out += ["$$", found["repair"], "$$", ""] if found["repair"] else []
    return out


def says(claim: dict[str, Any]) -> list[str]:
    """The relation of a claim, where it has one."""
    return [f"`{claim['text']['says']}`", ""] if claim["text"] else []


def witness_lines(claim: dict[str, Any]) -> list[str]:
    """The witness of a claim, exact numbers substituted."""
    w = claim["witness"]
    shown = ", ".join(f"{name} = {value}" for name, value in w["values"].items())
    return [
        f"**Witness:** {plain(w['says'])}.",
        "",
        f"At {plain(shown)}:",
        "",
        *(f"- {plain(x)}" for x in [*(w.get("objects") or []), *w["lines"]]),
        "",
    ]


def broken(document: dict[str, Any]) -> list[str]:
    """Statements that hold although the printed proof does not."""
    out = ["## True statements with a broken printed proof", ""]
    by_key = {c["key"]: c for c in document["claims"]}
    for c in [c for c in document["claims"] if c["proof"] == "BROKEN" and c["status"] == "PROVED"]:
        steps = [*c["steps"], *c["printed_uses"]]
        culprits = [k for k in steps if k in by_key and by_key[k]["status"] != "PROVED"]
        place = f"- **{c['key']}** ({line_of(c)})"
        out.append(f"{place}: {plain(c['title'])}. Broken by: {', '.join(culprits)}.")
    return [*out, ""]


def chapter(claim: dict[str, Any]) -> list[str]:
    """One claim in full."""
    out = [
        f'<a id="{anchor(claim["key"])}"></a>',
        "",
        f"### {claim['key']}",
        "",
        f"{plain(claim['title'])}.",
        "",
    ]
    out += [f"*{claim['kind']}, {line_of(claim)}; {claim['status']}*", ""]
    if claim["note"]:
        out += [plain(claim["note"]), ""]
    if claim["text"]:
        out += [*(f"- given `{g}`" for g in claim["text"]["given"]), f"- says `{claim['text']['says']}`", ""]
    if claim["uses"]:
        out += [f"Our proof uses {', '.join(claim['uses'])}.", ""]
    return out


def coverage(document: dict[str, Any]) -> list[str]:
    """Every displayed relation of the paper, with a link to what judges it."""
    found = document.get("coverage")
    if not found:
        return []
    counted = f"{found['judged']} of {found['relations']} relations judged, {found['open']} of them open"
    if "as_printed" in found:
        counted += f"; {found['as_printed']} judged as printed, the others with the reason"
    out = ["## Coverage", "", f"{counted}; {found['definitions']} definitions.", ""]
    out += ["| line | kind | judged by | not as printed |", "|---|---|---|---|"]
    for row in found["displays"]:
        links = ", ".join(f"[{key}](#{anchor(key)})" for key in row["keys"])
        out.append(f"| {row['line']} | {row['kind']} | {links or '·'} | {cell(row.get('but', ''))} |")
    return [*out, ""]


def _head(document: dict[str, Any]) -> list[str]:
    """Which paper, which version, checked by what; then the letters."""
    paper, made = document.get("paper"), document.get("made")
    if not paper or not paper["title"]:
        return ["# Report", ""]
    commit = f", commit {made['commit']} of {made['date']}" if made and made["commit"] else ""
    version = f" Checked with oubli {made['version']}{commit}." if made else ""
    out = [f"# {plain(paper['title'])}: which statements stand", ""]
    out += [f"{plain(paper['authors'])}; {plain(paper['version'])}, SHA-256 {paper['digest']}.{version}", ""]
    out += [f"- **{plain(x['name'])}**: {plain(x['meaning'])}" for x in document.get("notation", [])]
    return [*out, ""]


def report(document: dict[str, Any], coq: str = "") -> str:
    """The whole report; `coq` is the line on what Coq confirmed."""
    parts = [*_head(document), summary_line(document), "", *([plain(coq), ""] if coq else [])]
    parts += ["## Verdicts", "", *table(document), ""]
    parts += [*errata(document), *broken(document), *coverage(document), "## Claims", ""]
    for claim in document["claims"]:
        parts += chapter(claim)
    return "\n".join(parts)
