"""Which lines of a TeX file are the ones that were judged: by the digest of each line, never by its text.

The inventory holds a line number and a digest for each display. A line that moved is found again by its
digest; a line that reads differently is not judged.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from oubli.errors import InputError
from oubli.theory.records.coverage import Display, line_digest

LEAST = 0.2  # of the inventory's lines must be there, else it is another paper


@dataclass(frozen=True)
class Matched:
    """The claims of each line of this TeX, what reads differently, and whether it is the very file."""

    same: bool
    lines: Mapping[int, tuple[str, ...]]
    changed: tuple[Display, ...]


def read_tex(path: Path) -> str:
    """The text of a TeX file; InputError in one line if it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; the TeX source of the paper is accepted") from None
    except OSError as why:
        raise InputError(f"{path}: cannot be read ({why.strerror or why})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; the TeX source of the paper is accepted") from None
    for needed in (r"\documentclass", r"\begin{document}", r"\end{document}"):
        if needed not in text:
            raise InputError(f"{path}: malformed TeX, no {needed}; a whole LaTeX file is accepted")
    return text


def matched(tex: str, displays: Sequence[Display], digest: str, title: str) -> Matched:
    """Each display of the inventory found in the TeX, at its own line or where it moved to.

    Args:
        tex: The text of the user's file.
        displays: The inventory of the paper.
        digest: SHA-256 of the TeX that was judged.
        title: What the paper is called, for the error.

    Returns:
        The claims by line; InputError if too little of the inventory is there.
    """
    digests = [line_digest(line) for line in tex.split("\n")]
    taken: dict[int, tuple[str, ...]] = {}
    changed = []
    shift = 0
    for display in displays:
        line = _found(display, digests, shift, taken)
        if line is None:
            changed.append(display)
        else:
            taken[line], shift = display.keys, line - display.line
    if displays and len(taken) < LEAST * len(displays):
        there = f"{len(taken)} of {len(displays)} displays of “{title}” are in it"
        raise InputError(f"{there}: this is the TeX of another paper")
    same = hashlib.sha256(tex.encode()).hexdigest() == digest
    return Matched(same, taken, tuple(changed))


def _found(display: Display, digests: Sequence[str], shift: int, taken: Mapping[int, object]) -> int | None:
    """The line with the display's digest nearest to where it should be."""
    free = [n for n, found in enumerate(digests, 1) if found == display.digest and n not in taken]
    return min(free, key=lambda n: abs(n - display.line - shift), default=None)
