"""One call, judged: a traceback, a warning, a hang, or more than one line of error is a failure.

A batch answers its good rows, and has one line for each bad row and one for the file.
"""

import contextlib
import csv
import io
import json
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from oubli.answers.batch import SHOWN
from oubli.cli.main import main

SECONDS, LONGEST = 30, 600  # of the processor, which a busy machine does not stretch; of the clock


class Hang(BaseException):
    """A call took too long."""


@dataclass(frozen=True)
class Answer:
    """What a call gave."""

    status: Any
    out: str
    err: str
    trouble: str = ""


@contextlib.contextmanager
def timed(seconds: int) -> Iterator[None]:
    """Hang, if the block takes longer."""

    def late(*_: Any) -> None:
        raise Hang

    before = [signal.signal(number, late) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def answered(arguments: list[str]) -> Answer:
    """The answer to a call in this process."""
    out, err, status, trouble = io.StringIO(), io.StringIO(), None, ""
    with (
        warnings.catch_warnings(record=True) as warned,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        warnings.simplefilter("always")
        try:
            with timed(SECONDS):
                main(arguments)
        except SystemExit as leave:
            status = leave.code or 0
        except Hang:
            trouble = f"no answer within {SECONDS} s"
        except BaseException as why:
            trouble = "traceback: " + "".join(traceback.format_exception_only(why)).strip()[:300]
            where = traceback.extract_tb(sys.exc_info()[2])[-1]
            trouble += f" at {where.filename}:{where.lineno}"
    noticed = [w for w in warned if not issubclass(w.category, ResourceWarning | DeprecationWarning)]
    if noticed and not trouble:
        first = noticed[0]
        trouble = f"warning: {first.category.__name__}: {first.message} at {first.filename}:{first.lineno}"
    return Answer(status, out.getvalue(), err.getvalue(), trouble)


def fault(arguments: list[str], answer: Answer) -> str:
    """What is wrong with an answer; "" if nothing is."""
    if answer.trouble:
        return answer.trouble
    if answer.status not in (0, 1, 2):
        return f"exit status {answer.status}"
    if "--csv" in arguments and answer.out:
        return batch_fault(arguments, answer)
    lines = answer.err.splitlines()
    if answer.status == 2 and (len(lines) != 1 or not lines[0].startswith("oubli: ") or answer.out):
        return f"not one line of error: {answer.err[:300]!r}, and {answer.out[:80]!r}"
    if answer.status != 2 and lines and not (answer.status == 1 and len(lines) == 1):
        return f"an error beside an answer: {answer.err[:300]!r}"
    if len(answer.err) > 1000 and answer.status == 2:
        return f"a line of {len(answer.err)} characters"
    if "--json" in arguments and answer.status == 0 and not {"-h", "--help"} & {*arguments}:
        return not_json(answer.out)
    return ""


def batch_fault(arguments: list[str], answer: Answer) -> str:
    """What is wrong with the answer to a table: each bad row is named, with its reason, and no other."""
    as_json, path = "--json" in arguments, arguments[arguments.index("--csv") + 1]
    if as_json and (wrong := not_json(answer.out)):
        return wrong
    rows = json.loads(answer.out)["rows"] if as_json else list(csv.DictReader(io.StringIO(answer.out)))
    bad = [(number, row["error"]) for number, row in enumerate(rows, 1) if row.get("error")]
    if any(bool(row.get("certified")) is bool(row.get("error")) for row in rows):
        return "a row with neither an answer nor an error, or with both"
    lines = [f"oubli: {path}, row {number}: {reason}" for number, reason in bad[:SHOWN]]
    if bad:
        lines.append(
            f"oubli: {path}: {len(bad)} of {len(rows)} rows have no answer; the others were answered"
        )
    if answer.err.splitlines() != lines:
        return f"not one line for each bad row: {answer.err[:300]!r}"
    if answer.status != (2 if bad else 0):
        return f"exit status {answer.status} with {len(bad)} bad rows"
    return next((f"a line of {len(line)} characters" for line in lines if len(line) > 1000), "")


def not_json(text: str) -> str:
    """Why a text is not one JSON object; "" if it is one."""

    def refused(name: str) -> Any:
        raise ValueError(f"{name} is no JSON")

    try:
        found = json.loads(text, parse_constant=refused)
    except ValueError as why:
        return f"not JSON: {why}"
    return "" if isinstance(found, dict) else "not one JSON object"
