"""What the weakening run found: no claim says less than its proof shows without a reason.

`make weaken` writes the table. A claim that is still proved after a change is a theorem after it: what was
changed is not needed.
"""

from __future__ import annotations

import json

import pytest

from oubli.theory.paper.ledger import ledger, verified
from tests.adversarial.weaken import TABLE, Weakening, changes

FOUND = json.loads(TABLE.read_text(encoding="utf-8"))
CLAIMS = FOUND["claims"]
SAMPLE = ("opt_dist.sharp", "opt_loss.sharper", "trivial.repaired", "gauss.kappa.private", "e0.value")


@pytest.fixture(scope="module")
def weakening() -> Weakening:
    return Weakening(ledger(), verified())


def unexplained() -> list[str]:
    """Changes of numbers and hypotheses after which claims are still proved, without a reason.

    Where a letter ranges is explained for all of them: the proof does not use the sign or the end.
    """
    still = [f"{key} | {item}" for key, row in CLAIMS.items() for item in row["still proved"]]
    return [item for item in still if "end " not in item and item.rsplit(":", 1)[0] not in FOUND["why"]]


def test_no_claim_survives_unexplained() -> None:
    assert unexplained() == []
    assert sum(row["objects"] for row in CLAIMS.values()) >= 43


def test_every_reason_belongs_to_something() -> None:
    alive = {
        f"{key} | {item}".rsplit(":", 1)[0] for key, row in CLAIMS.items() for item in row["still proved"]
    }
    assert FOUND["why"].keys() <= alive


def test_the_whole_ledger_was_run(weakening: Weakening) -> None:
    assert {*weakening.proved()} == CLAIMS.keys()
    assert sum(FOUND["count"].values()) > 9000


@pytest.mark.parametrize("key", SAMPLE)
def test_the_table_is_what_the_run_finds(key: str, weakening: Weakening) -> None:
    assert weakening.row(key) == CLAIMS[key]


def test_a_claim_that_says_too_much_is_not_proved(weakening: Weakening) -> None:
    """The run itself can fail: the first change of a sharp constant is refuted by its own instance."""
    found = {
        c.how: weakening.verdict("opt_dist.sharp", c) for c in changes(ledger().claims["opt_dist.sharp"])
    }
    assert found["side 2 × 100/101"].value in ("REFUTED", "OPEN")
    assert found["side 2 × 1/1000"].value in ("REFUTED", "OPEN")
