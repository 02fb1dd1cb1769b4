"""Ten thousand mutated certificates: every one is rejected, quickly, and none crashes the checker.

A mutant may be a proof still (a number times 0 changed, a line cited that says the same): one that is
accepted must be seen to be one line by line, without the checker's algebra, and is not counted.
"""

import copy
import json
import random
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from oubli.cli.verify import certificates
from oubli.errors import InputError
from oubli.theory.judging.judge import lemmas_of
from oubli.theory.judging.replay import replay, statements, taken
from oubli.theory.kernel.checker import accept_certificate
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.paper.ledger import ledger, verified
from tests.adversarial.mutations_around import AROUND, IN_WITNESSES, swapped
from tests.adversarial.mutations_of_lines import IN_LINES, box_widened
from tests.adversarial.places import Certificate, mutant, sealed
from tests.adversarial.still_valid import still_valid

LEDGER = ledger()
ENTRIES = verified()
CERTIFICATES: dict[str, Any] = {
    key: json.loads(json.dumps(entry.verdict.certificate or entry.verdict.witness))
    for key, entry in ENTRIES.items()
    if entry.verdict.certificate or entry.verdict.witness
}
KEYS = sorted(CERTIFICATES)
ASSUMED = taken(CERTIFICATES.values())
# Processor time, with room for a slow machine: each takes less than half a second.
SECONDS = 10
# Mutants by characters of a certificate: a large proof takes longer to replay, the small ones make up for it.
SHARES = {40_000: 2, 20_000: 4, 9_000: 8, 4_500: 20, 0: 66}
SIZES = {key: len(json.dumps(certificate)) for key, certificate in CERTIFICATES.items()}
REJECTED = {key: next(SHARES[least] for least in SHARES if size > least) for key, size in SIZES.items()}
# A mutant that is a proof still is rare, but where the claim says little more than 0 = 0; a dozen is few.
FEW, SMALL = 0.3, 2


def swap(c: Certificate, rng: random.Random) -> Certificate | None:
    """Something of another claim, which says something else."""
    return swapped(c, rng.choice([x for x in CERTIFICATES.values() if x["statement"] != c["statement"]]), rng)


def mutants(key: str) -> Iterator[tuple[str, Certificate]]:
    """Mutants of a certificate, by one mutation after the other, again and again."""
    certificate, rng = CERTIFICATES[key], random.Random(key)
    inside = IN_LINES if certificate["kind"] == "proof" else [*IN_LINES, *IN_WITNESSES]
    for mutate in cycle([*inside, *AROUND, swap]):
        if (found := mutant(certificate, mutate, rng)) is not None:
            yield mutate.__name__, found


def accepted(certificate: Any) -> bool:
    """Whether a certificate replays; it takes a few seconds at most."""
    start = time.process_time()
    try:
        replay(certificate, LEDGER, ASSUMED)
    except RejectedError:
        return False
    finally:
        assert time.process_time() - start < SECONDS
    return True


@pytest.mark.parametrize("key", KEYS)
def test_mutations_are_rejected(key: str) -> None:
    certificate, rejected, proofs = CERTIFICATES[key], 0, 0
    lemmas = lemmas_of(LEDGER.claims[key], statements(LEDGER))
    assert accepted(certificate)
    for name, changed in mutants(key):
        if accepted(changed):
            assert still_valid(changed, certificate, lemmas, ASSUMED), f"accepted: {key}, {name}"
            proofs += 1
        else:
            rejected += 1
        if rejected == REJECTED[key]:
            break
    assert proofs <= FEW * rejected + SMALL


def test_there_are_ten_thousand() -> None:
    assert sum(REJECTED.values()) >= 10_000


def test_every_mutation_finds_something_to_change() -> None:
    wanted = {m.__name__ for m in [*IN_LINES, *IN_WITNESSES]}
    for key in sorted(KEYS, key=lambda key: SIZES[key]):
        wanted -= {name for name, _ in islice(mutants(key), 40)}
        if not wanted:
            break
    assert not wanted


BOXED = [key for key in KEYS if any(line.get("box") for line in CERTIFICATES[key]["lines"])]


@pytest.mark.parametrize("key", BOXED)
def test_a_wider_box_is_rejected(key: str) -> None:
    rng = random.Random(key)
    for _ in range(12):
        changed = mutant(CERTIFICATES[key], box_widened, rng)
        assert changed is not None
        assert not accepted(changed)


@pytest.mark.parametrize("key", KEYS)
def test_a_stronger_statement_is_rejected_by_the_checker_alone(key: str) -> None:
    """The ledger would notice too: here only the checker sees that the lines show less."""
    changed = copy.deepcopy(CERTIFICATES[key])
    changed["statement"]["says"][1] = ["+", changed["statement"]["says"][1], "-1/1000"]
    if changed["kind"] == "witness":
        changed["statement"]["says"][1] = ["+", changed["statement"]["says"][1], 10**9]
    with pytest.raises(RejectedError):
        accept_certificate(sealed(changed), lemmas_of(LEDGER.claims[key], statements(LEDGER)), ASSUMED)


def test_a_truncated_file_is_no_input(tmp_path: Path) -> None:
    rng, path = random.Random(0), tmp_path / "cut.json"
    for key in KEYS:
        text = json.dumps(CERTIFICATES[key])
        path.write_text(text[: rng.randrange(1, len(text))])
        with pytest.raises(InputError):
            certificates(path)
