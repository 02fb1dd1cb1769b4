"""Names that a reader may use for a claim: its key, its number in the PDF, its label, its line."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from oubli.checks.report.spelling import normal
from oubli.errors import InputError
from oubli.theory.records.claim import Claim, Kind
from oubli.theory.records.printed import Edition

OURS = (Kind.REPAIR, Kind.THEOREM)


def names(claim: Claim, edition: Edition) -> list[str]:
    """All names of a claim, normalised; steps have their line and equation, statements their number too."""
    found = [claim.key.lower()]
    own = edition.stating(claim.key)
    if own:
        lines = range(own.lines[0], own.lines[1] + 1)
        found += [normal(own.number), own.label.lower(), *map(str, lines)]
    if claim.kind in OURS:
        return list(dict.fromkeys(found))
    assert claim.source.line is not None
    number = edition.equation(claim.source.line)
    found += [str(claim.source.line), claim.source.label.lower(), f"eq {number}" if number else ""]
    return list(dict.fromkeys(filter(None, found)))


def resolve(asked: str, claims: Mapping[str, Claim], edition: Edition) -> tuple[str, ...]:
    """The claims of that name, the statement before its steps; InputError with the nearest names if none."""
    if asked in claims:
        return (asked,)
    wanted = normal(asked)
    numbered = [e for e in edition.environments if wanted and wanted in (normal(e.number), e.label.lower())]
    own = [key for e in numbered for key in e.keys]
    if not own and wanted.isdigit():
        own = list(_at(int(wanted), claims, edition))
    own = own or [c.key for c in claims.values() if wanted in names(c, edition)]
    found = tuple(key for key in own if key in claims)
    if not found:
        raise InputError(_unknown(asked, claims, edition))
    return found


def _at(line: int, claims: Mapping[str, Claim], edition: Edition) -> Iterable[str]:
    """What stands on a line: an environment's claims, else the claims there, else whose proof it is."""
    around, in_proof = edition.around(line)
    if around and not in_proof and around.keys:
        return around.keys
    printed = [c.key for c in claims.values() if c.source.line == line and c.kind not in OURS]
    return printed or (around.keys if around else ())


def _unknown(asked: str, claims: Mapping[str, Claim], edition: Edition) -> str:
    known = [*claims, *(e.number for e in edition.environments), *(e.label for e in edition.environments)]
    near: Sequence[str] = get_close_matches(asked, known, n=3)
    words = [w for w in asked.lower().split() if len(w) > 2]
    near = near or [c.key for c in claims.values() if words and all(w in c.title.lower() for w in words)][:3]
    hint = f"did you mean {', '.join(near)}?" if near else "`oubli claims` lists them"
    return f'{asked}: no such claim; {hint} (accepted: a key, "Theorem 1", a TeX label, a line such as 531)'
