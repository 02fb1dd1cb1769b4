"""The same certificate from every run: sets of words are in another order in each, which must not show."""

import os
import subprocess
import sys

# Claims whose certificates rest on sets of letters, of monomials and of what is held constant.
KEYS = ["opt_loss.sharper", "two_point.repaired", "tv_bound.chain", "inefficient.step1", "sharp.sgd.rate"]
PROGRAM = """
import json, sys
from oubli.theory.paper.ledger import ledger
found = ledger().verify(sys.argv[1:])
print(json.dumps([[key, e.verdict.certificate, e.verdict.witness] for key, e in found.items()]))
"""


def certificates(seed: str) -> str:
    """All certificates that these claims need, as text, made under a seed of Python's hashes."""
    env = {**os.environ, "PYTHONHASHSEED": seed}
    run = [sys.executable, "-c", PROGRAM, *KEYS]
    return subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout


def test_certificates_are_the_same_under_another_seed_of_hashes() -> None:
    found = certificates("1")
    assert found == certificates("2")
    assert all(f'"{key}"' in found for key in KEYS)
