"""The report as one self-contained page, from the document alone.

Autoescape is on and a content policy admits only the page's own script, so text from anywhere stays text.
"""

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from oubli.checks.coq.summary import sentence
from oubli.checks.report.compare import Change
from oubli.checks.report.confirmed import BOTH, confirmed
from oubli.checks.report.document import STATUSES, Document
from oubli.checks.report.extras import Extras
from oubli.checks.report.graph import graph
from oubli.checks.report.layout import families
from oubli.checks.report.markdown import summary_line
from oubli.checks.report.mathml import mathml
from oubli.checks.report.plots import CELL_HEIGHT, CELL_WIDTH, labels, runs, scatter, ticks
from oubli.checks.report.prose import Prose
from oubli.checks.report.severity import MEANS, ORDER, ranked
from oubli.checks.report.spelling import WORDS
from oubli.checks.report.terminal import headlines
from oubli.checks.report.tightness import FULL, bars, worst

RULES = {
    "identity": "both sides are the same expression",
    "combination": "a sum of nonnegative multiples of the hypotheses",
    "subdivision": "positive on every box of a bisection, in ball arithmetic",
    "exact": "evaluated in exact rationals",
    "witness": "an exact instance inside the hypotheses",
    "cases": "a case split",
    "induction": "induction",
    "integrate": "a bound on the slope, integrated",
}
HEADLINES = ("th", "lem")  # how labels of theorems and lemmas begin in TeX


@dataclass(frozen=True)
class Group:
    """Errata of one severity; without severities, of one kind."""

    title: str
    means: str
    members: tuple[Document, ...]


class Compiled(BytecodeCache):
    """Templates are compiled once, into the folder that Python compiles the package's modules into."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            bucket.bytecode_from_string(self._path(bucket).read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        path = self._path(bucket)
        part = path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):  # installed where nothing may be written: compiled each time
            path.parent.mkdir(exist_ok=True)
            part.write_bytes(bucket.bytecode_to_string())
            part.replace(path)

    def _path(self, bucket: Bucket) -> Path:
        return Path(__file__).parent / "__pycache__" / f"template-{bucket.key}.jinja"


@cache
def environment() -> Environment:
    """The templates; a missing field is an error, not an empty string."""
    found = Environment(
        bytecode_cache=Compiled(),
        loader=PackageLoader("oubli.checks.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(math=mathml, seconds=seconds, ratio=ratio)
    return found


def seconds(value: float | None) -> str:
    """A time for a reader.

    >>> [seconds(x) for x in (None, 0.00004, 0.0123, 2.5)]
    ['', '< 1 ms', '12 ms', '2.5 s']
    """
    if value is None:
        return ""
    if value < 0.001:
        return "< 1 ms"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def ratio(value: float) -> str:
    """A ratio to four digits.

    >>> ratio(1.0), ratio(21.33333)
    ('1', '21.33')
    """
    return f"{value:.4g}"


def digest(script: str) -> str:
    """What a content policy calls the script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def page(document: Document, beside: Extras, changed: Sequence[Change] | None = None) -> str:
    """The whole page; `changed` adds the chapter that compares with an older document."""
    script = environment().get_template("page.js.j2").render(words=WORDS).strip()
    accepted = confirmed(beside.coq, document)
    return (
        environment()
        .get_template("index.html.j2")
        .render(
            **_verdict_parts(document),
            style=Markup(environment().get_template("style.css.j2").render()),
            script=Markup(script),
            digest=digest(script),
            beside=beside,
            coq=sentence(beside.coq, document),
            confirmed=accepted,
            agreed=sum(word == BOTH for word in accepted.values()),
            changed=changed,
            rules=RULES,
            drawn={
                "runs": runs,
                "labels": labels,
                "ticks": ticks,
                "width": CELL_WIDTH,
                "height": CELL_HEIGHT,
            },
            scatter=scatter,
            worst=worst,
        )
    )


def _verdict_parts(document: Document) -> Mapping[str, Any]:
    claims = document["claims"]
    known = {c["key"]: c for c in claims}
    measured = bars(claims)
    with_bar = {bar.claim["key"] for bar in measured}
    return {
        "document": document,
        "summary": document["summary"],
        "coverage": document.get("coverage"),
        "line": summary_line(document),
        "known": known,
        "families": families(claims),
        "effective": {word: sum(c["effective"] == word for c in claims) for word in STATUSES},
        "errata": errata_groups(claims),
        "theorems": _by_number(document),
        "broken": [c for c in claims if c["proof"] == "BROKEN" and c["status"] == "PROVED"],
        "culprits": lambda c: [k for k in [*c["steps"], *c["printed_uses"]] if _fell(known.get(k))],
        "graph": graph(claims),
        "bars": measured,
        "unmeasured": [c for c in claims if c["tex"] and c["key"] not in with_bar],
        "full": FULL,
        "prose": Prose(known),
    }


def errata_groups(claims: Sequence[Document]) -> list[Group]:
    """What is printed and does not stand: worst severity first, or by kind where no severity is on record."""
    found = ranked(claims)
    if found:
        groups = [(w, MEANS[w], [c for c in found if c["severity"] == w]) for w in ORDER]
    else:
        groups = [(title, "", members) for title, members in _by_kind(claims).items()]
    return [Group(t[0].upper() + t[1:], means, tuple(found)) for t, means, found in groups if found]


def _by_number(document: Document) -> dict[str, list[Document]]:
    """The claims of each theorem, corollary and lemma, the worst first."""
    worst = ("REFUTED", "OPEN", "PROVED", "NONE")
    out: dict[str, list[Document]] = {}
    for c in headlines(document):
        out.setdefault(c["number"], []).append(c)
    return {number: sorted(found, key=lambda c: worst.index(c["effective"])) for number, found in out.items()}


def _by_kind(claims: Sequence[Document]) -> dict[str, list[Document]]:
    fell = [c for c in claims if c["status"] == "REFUTED" or (c["repaired_by"] and c["status"] == "OPEN")]
    fell.sort(key=_rank)
    return {
        "Statements that fall": [c for c in fell if c["kind"] != "step"],
        "Steps of proofs that fail": [c for c in fell if c["kind"] == "step"],
        "True, but the printed proof is broken": [
            c for c in claims if c["proof"] == "BROKEN" and c["status"] == "PROVED"
        ],
    }


def _rank(claim: Document) -> int:
    label = claim["source"].get("label") or ""
    return next((i for i, start in enumerate(HEADLINES) if label.startswith(start)), len(HEADLINES))


def _fell(claim: Document | None) -> bool:
    return claim is not None and claim["status"] in ("REFUTED", "OPEN")
