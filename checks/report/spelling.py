"""One spelling for a number, a label or a line; the page's search has the same rule.

>>> normal("Thm. 1"), normal("theorem~1"), normal("l. 531"), normal("Eq. (17)"), normal("(17)")
('thm 1', 'thm 1', '531', 'eq 17', 'eq 17')
"""

import re

WORDS = {
    "theorem": "thm",
    "theo": "thm",
    "lemma": "lem",
    "corollary": "cor",
    "definition": "def",
    "assumption": "ass",
    "algorithm": "alg",
    "figure": "fig",
    "equation": "eq",
    "line": "l",
}
_NUMBERED = re.compile(r"([a-z]+)?[.~\s]*\(?((?:[a-z]\.)?\d+(?:\.\d+)*)\)?")


def normal(text: str) -> str:
    """One spelling for all spellings of a number; anything else in lower case."""
    plain = " ".join(text.lower().split())
    found = _NUMBERED.fullmatch(plain)
    if not found:
        return plain
    word = WORDS.get(found[1] or "", found[1] or ("eq" if "(" in plain else "l"))
    return found[2] if word == "l" else f"{word} {found[2]}"
