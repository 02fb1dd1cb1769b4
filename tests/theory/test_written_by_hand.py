"""The certificates that docs/certificates.md shows are accepted, and say what they are said to say."""

import json
import re
from pathlib import Path

import pytest

from oubli.theory.kernel.checker import accept_certificate, digest
from oubli.theory.kernel.poly import RejectedError

TEXT = (Path(__file__).parents[2] / "docs" / "certificates.md").read_text(encoding="utf-8")
SHOWN = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def test_a_proof_and_a_witness_are_shown() -> None:
    assert [c["kind"] for c in SHOWN] == ["proof", "witness"]


@pytest.mark.parametrize("kind", ["proof", "witness"])
def test_what_is_shown_is_accepted_under_its_hash_alone(kind: str) -> None:
    certificate = next(c for c in SHOWN if c["kind"] == kind)
    with pytest.raises(RejectedError, match="stale"):
        accept_certificate(certificate, {}, {})
    name = digest({part: certificate[part] for part in ("statement", "takes")})
    accept_certificate({**certificate, "hash": name}, {}, {})
