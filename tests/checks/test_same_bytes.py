"""Two runs in fresh interpreters, with other hash seeds and in another order, write the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEYS = (
    "binomial_tv",
    "e0.step",
    "e0.value",
    "nft.average.repaired",
    "phi_measurable",
    "scratch.lower",
    "setup.lift",
    "trivial.floor",
    "tv_bound.equal",
    "tv_dp.sharp",
)
MEASURE = """
import sys
from oubli.checks.measure import empirical
from oubli.checks.measure.deep import measured
from oubli.checks.measure.worst import load, stored_record

keys, stored = sys.argv[1:], load()
records = [item for key in keys for item in measured(key, 1)]
records += [stored_record(stored[key]) for key in keys if key in stored]
sys.stdout.write(empirical.dumps(empirical.combined(records)))
"""


def written(seed: str, *keys: str) -> str:
    """What a run of these claims writes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "OUBLI_PROFILE": "quick"}
    call = [sys.executable, "-c", MEASURE, *keys]
    done = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_bytes_in_another_order_and_with_another_hash_seed() -> None:
    first = written("1", *KEYS)
    assert first == written("2", *reversed(KEYS))
    assert first.count('"key"') == len(KEYS)


def test_another_selection_does_not_change_a_claim() -> None:
    alone, among = written("3", "tv_dp.sharp"), written("4", "setup.lift", "tv_dp.sharp")
    assert alone.split('"key": "tv_dp.sharp"')[1] == among.split('"key": "tv_dp.sharp"')[1]
