"""`coqc`: is it there, does it accept a file, which line is at fault, which axioms are used?"""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from oubli.errors import InputError

MISSING = "--coq: needs coqc and its interval library (Debian: coq, libcoq-interval)"
# The axioms of Coq's real numbers, and classical logic, which libraries over them use.
REAL_AXIOMS = (
    "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic",
)  # fmt: skip
# The machine's integers and floats as Coq specifies them: enclosures are computed with these.
MACHINE = ("PrimInt63.", "Uint63.", "PrimFloat.", "FloatAxioms.")


@dataclass(frozen=True)
class Compiled:
    """What coqc said of a file: accepted, or the line and the words of its first error."""

    accepted: bool
    line: int
    message: str
    axioms: tuple[str, ...]


def version() -> str:
    """The version of coqc; InputError, in one line, if it or its interval library is missing."""
    if shutil.which("coqc") is None:
        raise InputError(f"{MISSING}; there is no coqc")
    said = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=False).stdout
    if not compiled("From Interval Require Import Tactic.\n", 120).accepted:
        raise InputError(f"{MISSING}; there is no interval library")
    found = re.search(r"version (\S+)", said)
    return found.group(1) if found else "unknown"


def compiled(source: str, seconds: float) -> Compiled:
    """Let coqc read a file, in a folder of its own, for at most so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "lemmas.v").write_text(source, encoding="utf-8")
        try:
            done = subprocess.run(
                ["coqc", "-q", "lemmas.v"],
                cwd=folder, capture_output=True, text=True, timeout=seconds, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Compiled(False, 0, "out of time", ())
    return read(done.returncode, done.stdout, done.stderr)


def read(code: int, out: str, errors: str) -> Compiled:
    """The words of coqc as facts.

    >>> read(1, "", 'File "./lemmas.v", line 7, characters 0-4:\\nError: Timeout!')
    Compiled(accepted=False, line=7, message='out of time', axioms=())
    """
    if code == 0:
        return Compiled(True, 0, "", axioms(out))
    places = re.findall(r'File "[^"]*", line (\d+), characters [-0-9]+:\s*Error:\s*(.*)', errors, re.DOTALL)
    line, words = places[-1] if places else ("0", errors or "coqc ended without a word")
    message = "out of time" if words.startswith("Timeout!") else " ".join(words.split())[:160]
    return Compiled(False, int(line), message or "refused", ())


def axioms(out: str) -> tuple[str, ...]:
    """The axioms that `Print Assumptions` lists.

    >>> axioms("Axioms:\\nA.b : forall x,\\n  x = x\\nC.d\\n  : R\\n")
    ('A.b', 'C.d')
    """
    return tuple(re.findall(r"^([\w.']+)(?:\s*:|$)", out.partition("Axioms:")[2], re.MULTILINE))


def unexpected(names: tuple[str, ...], computes: bool) -> list[str]:
    """The axioms that are neither those of the reals nor, where numbers are computed, the machine's."""
    return [n for n in names if n not in REAL_AXIOMS and not (computes and n.startswith(MACHINE))]
