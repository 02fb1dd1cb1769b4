"""Words that a caller gives: members of enumerations and keys, each accepted or rejected in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from oubli.errors import InputError

Word = TypeVar("Word", bound=StrEnum)


def member(kind: type[Word], given: str, name: str) -> Word:
    """The member of an enumeration that a word names.

    Args:
        kind: The enumeration.
        given: One of its members, or the word of one.
        name: What the caller calls this argument.

    Returns:
        The member; InputError for any other word.

    >>> from oubli.theory.records.verdict import Status
    >>> member(Status, "PROVED", "status")
    <Status.PROVED: 'PROVED'>
    >>> member(Status, "true", "status")
    Traceback (most recent call last):
    oubli.errors.InputError: status = 'true': accepted are 'PROVED', 'REFUTED', 'OPEN', 'NONE'
    """
    try:
        return kind(given)
    except ValueError:
        words = ", ".join(repr(word.value) for word in kind)
        raise InputError(f"{name} = {given!r}: accepted are {words}") from None


def known(keys: str | Iterable[str], accepted: Collection[str]) -> tuple[str, ...]:
    """The keys of some claims; a single one may be given bare.

    Args:
        keys: One key, or several.
        accepted: All keys that there are.

    Returns:
        The keys as a tuple; InputError with the nearest ones for a key that there is not.

    >>> known("trivial", {"trivial", "efficient"})
    ('trivial',)
    >>> known(["trivail"], {"trivial", "efficient"})
    Traceback (most recent call last):
    oubli.errors.InputError: trivail: no such claim; did you mean trivial?
    """
    given = (keys,) if isinstance(keys, str) else tuple(keys)
    for key in given:
        if key not in accepted:
            raise InputError(
                f"{key}: no such claim; {nearest(str(key), accepted, '`oubli claims` lists them')}"
            )
    return given


def nearest(word: str, accepted: Collection[str], otherwise: str = "") -> str:
    """A question that offers the nearest words; if none is near, something else.

    >>> nearest("regim", ["regime", "audit"])
    'did you mean regime?'
    """
    near = get_close_matches(word, accepted, n=3)
    return f"did you mean {', '.join(near)}?" if near else otherwise or f"accepted: {', '.join(accepted)}"
