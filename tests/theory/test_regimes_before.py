"""The calculator answers as it did: 16,000 rows, block by block.

tests/data/regimes_before.json holds a hash for each 100 rows: of the answers before the records decided, and
for the sharp constants of those since rare kinks were added.
Balls confirmed every end then; here every fourth row is decided.
"""

import hashlib
import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from oubli.theory.regimes import Constants, Notion, classify
from oubli.theory.regimes.enclosed import unconfirmed

BEFORE = json.loads((Path(__file__).parents[1] / "data" / "regimes_before.json").read_text())
BLOCK, DECIDED = 100, 4


def questions():
    rng = np.random.default_rng(20261118)
    n = 10_000
    rf, eps, delta = (10 ** rng.uniform(*ends, n) for ends in ((-5, -0.05), (-3, 2.3), (-12, -0.5)))
    dim = np.array([1, 2, 3, 5, 10, 50, 100, 1000, 7850])[rng.integers(0, 9, n)]
    target = 10 ** rng.uniform(-5, 0.1, n)
    eps[rng.random(n) < 0.02] = np.inf
    rf[rng.random(n) < 0.01] = 0.0
    return {"rf": rf, "eps": eps, "delta": delta, "dim": dim, "target": target}


def answers(found, size):
    ends = [best.steps for pair in (found.scratch, found.unlearn) for best in pair]
    columns, words = (*ends, *found.ratio, found.sigma), (found.certified, found.printed)
    for i in range(size):
        numbers = [f"{float(column[i]):.11g}" for column in columns]
        said = [*(str(word[i]) for word in words), found.noise(i), found.unlearn[1].how(i)]
        yield [*said, *numbers, *found.claims(i)]


def hashed(rows):
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("constants", "notion"), list(product(Constants, Notion)))
def test_answers_are_those_before_the_records_decided(constants, notion):
    size = 10_000 if (constants, notion) == (Constants.SHARP, Notion.UNLEARNING) else 2000
    table = {name: column[:size] for name, column in questions().items()}
    found = classify(**table, constants=constants, notion=notion)
    rows = list(answers(found, size))
    blocks = [hashed(rows[begin : begin + BLOCK]) for begin in range(0, size, BLOCK)]
    pairs = enumerate(zip(blocks, BEFORE[f"{constants} {notion}"], strict=True))
    changed = [i for i, (now, then) in pairs if now != then]
    assert changed == [], f"blocks of {BLOCK} rows with other answers: {changed}"
    assert [row for row in range(0, size, DECIDED) if unconfirmed(found, row)] == []
