"""`oubli.check` and `oubli.show`: verdicts as objects that print like the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from rich.console import Console

from oubli.checks.report.markdown import summary_line
from oubli.cli.check import asked, judged, verified
from oubli.cli.show import present
from oubli.display import html_table, to_frame
from oubli.papers import DEFAULT, paper
from oubli.theory.judging.cache import Cache
from oubli.theory.judging.ledger import Ledger
from oubli.words import known

COLUMNS = ("key", "kind", "status", "effective", "proof", "engine", "title")


@dataclass(frozen=True, repr=False)
class ClaimVerdict:
    """One claim with its verdict.

    `str()` is the text of `oubli show`; `data` is the claim's object in verdicts.json.

    Examples:
        >>> import oubli
        >>> found = oubli.show("e0.step")
        >>> found.key, found.status, found.effective
        ('e0.step', 'REFUTED', 'REFUTED')
    """

    data: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The claim's key."""
        return str(self.data["key"])

    @property
    def status(self) -> str:
        """PROVED, REFUTED or OPEN; NONE for definitions and remarks."""
        return str(self.data["status"])

    @property
    def effective(self) -> str:
        """The worst status over the claim and everything its verdict depends on."""
        return str(self.data["effective"])

    @property
    def proof(self) -> str:
        """The printed proof: SOUND, BROKEN or OPEN; NONE where no step of it is printed."""
        return str(self.data["proof"])

    @property
    def witness(self) -> str | None:
        """The counterexample in words, where the claim is REFUTED."""
        return str(self.data["witness"]["says"]) if self.data["witness"] else None

    def __repr__(self) -> str:
        return f"<{self.key}: {self.status}>"

    def __str__(self) -> str:
        # A notebook asks for colour and for its own display; this is text.
        page = StringIO()
        plain = Console(file=page, highlight=False, soft_wrap=True, color_system=None, force_jupyter=False)
        present(dict(self.data), plain)
        return page.getvalue().rstrip()

    def _repr_html_(self) -> str:
        console = Console(file=StringIO(), highlight=False, soft_wrap=True, record=True)
        present(dict(self.data), console)
        return console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")


@dataclass(frozen=True, repr=False)
class Verdicts(Mapping[str, ClaimVerdict]):
    """The verdicts by key; `document` is what verdicts.json holds.

    Examples:
        >>> import oubli
        >>> found = oubli.check("e0.step")
        >>> found["e0.step"].status, found.summary["unexpected"]
        ('REFUTED', [])
    """

    document: Mapping[str, Any]

    @property
    def summary(self) -> Mapping[str, Any]:
        """How many claims there are of each status, and which came out unexpectedly."""
        counts: Mapping[str, Any] = self.document["summary"]
        return counts

    @property
    def as_expected(self) -> bool:
        """Whether every erratum is confirmed and nothing else is refuted."""
        return not self.summary["unexpected"]

    def to_frame(self) -> Any:
        """One row per claim, as a pandas DataFrame (the extra `frames`)."""
        return to_frame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [{name: claim[name] for name in COLUMNS} for claim in self.document["claims"]]

    def __getitem__(self, key: str) -> ClaimVerdict:
        claims = {claim["key"]: claim for claim in self.document["claims"]}
        return ClaimVerdict(claims[known(key, claims)[0]])

    def __iter__(self) -> Iterator[str]:
        return (claim["key"] for claim in self.document["claims"])

    def __len__(self) -> int:
        return len(self.document["claims"])

    def __repr__(self) -> str:
        return f"<Verdicts: {summary_line(dict(self.document))}>"

    def _repr_html_(self) -> str:
        return html_table(summary_line(dict(self.document)), self._rows())


def check(*keys: str) -> Verdicts:
    """Verify the paper, or some of its claims with all that their verdicts need.

    Args:
        *keys: The claims by key, number, label or line; none for all, which takes
            a few seconds (a bar on stderr shows how far), or one if nothing has changed.

    Returns:
        The verdicts by key; InputError for a key that is no claim. No file is written.

    Examples:
        >>> import oubli
        >>> found = oubli.check("e0.step")
        >>> found["e0.step"]
        <e0.step: REFUTED>
        >>> found["e0.step"].witness
        'x = L/(3 mu), where the left side is L^2/(6 mu)'
        >>> found.as_expected
        True
    """
    found, cache = paper(DEFAULT), Cache()
    book = Ledger(found.claims())
    return Verdicts(judged(found, book, verified(book, asked(keys, book, found), cache), cache))


def show(key: str) -> ClaimVerdict:
    """One claim: what is printed, the verdict with its witness or proof, and its dependencies.

    Args:
        key: The claim by its key, number, label or line; of several the first.

    Returns:
        The claim with its verdict, which prints as text and shows as HTML in a notebook; InputError
        with the nearest keys where there is no such claim.

    Examples:
        >>> import oubli
        >>> print(oubli.show("e0.step"))  # doctest: +ELLIPSIS
        e0.step  proof of Lemma 4.2, Eq. (38), l.1272  REFUTED ...
        ...
    """
    found = paper(DEFAULT)
    return check(key)[asked((key,), Ledger(found.claims()), found)[0]]
