"""Mutants of the kernel die of the tests that killed them before: a sample of the table.

`make mutants` runs all of them, also of judge and ledger, regimes, laws and audit, and writes the table anew.
"""

import doctest
import subprocess
import sys

from oubli.theory.kernel import poly
from tests.mutants import operators
from tests.mutants.apply import ROOT, function_of, plant
from tests.mutants.areas import AREAS
from tests.mutants.operators import Mutant, mutants
from tests.mutants.table import counts, killers, reasons

SAMPLE, SEED = 60, 23


def test_the_operators() -> None:
    assert doctest.testmod(operators).failed == 0


def test_a_sample_of_the_kernels_mutants_dies() -> None:
    command = [
        sys.executable,
        "-m",
        "tests.mutants",
        "kernel",
        "--known",
        "--sample",
        str(SAMPLE),
        "--seed",
        str(SEED),
        "--jobs",
        "1",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert f"{SAMPLE} mutants again, 0 survive" in done.stdout


def test_every_mutant_was_run_and_hardly_one_lives_without_a_reason() -> None:
    for area in AREAS:
        every, tried, _, _, alive = counts(area)
        assert tried == every
        assert alive <= (0 if area in ("kernel", "judging") else 0.03 * every)


def test_a_reason_is_given_only_for_what_no_test_kills() -> None:
    assert not reasons().keys() & killers("kernel").keys()
    assert all(len(reason) > 20 for reason in reasons().values())


def test_mutants_are_named_by_their_text() -> None:
    source = "def f(x):\n    return x > 0 and x > 0\n"
    moved = "\n\n# a comment\n" + source
    assert [m.key for m in mutants("m.py", source)] == [m.key for m in mutants("m.py", moved)]
    assert len({m.key for m in mutants("m.py", source)}) == len(mutants("m.py", source))


def test_a_mutant_is_planted_where_its_function_is_used() -> None:
    found: Mutant = next(
        m for m in AREAS["kernel"].mutants() if m.function == "need" and m.operator == "always False"
    )
    need = function_of("theory/kernel/poly.py", "need")
    assert need is poly.need
    code = poly.need.__code__
    try:
        plant(found)
        poly.need(False, "now it accepts everything")
    finally:
        poly.need.__code__ = code
