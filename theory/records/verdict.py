"""Verdicts: what an engine found, with what shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """The four words a claim can carry."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    OPEN = "OPEN"
    NONE = "NONE"


class Soundness(StrEnum):
    """How the printed proof of a claim fares, apart from the claim itself."""

    SOUND = "SOUND"
    BROKEN = "BROKEN"
    OPEN = "OPEN"
    NONE = "NONE"


class Reason(StrEnum):
    """Why a claim stayed OPEN."""

    UNSUPPORTED = "unsupported"
    BUDGET = "budget"
    TIGHT_INSIDE = "tight-inside"


class NotDecidedError(Exception):
    """An engine could not decide; it says which kind of failure and why."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


class DisagreementError(Exception):
    """One engine proved what another refuted: a fault of this program, never a vote."""


@dataclass(frozen=True)
class Verdict:
    """What was found for one claim: PROVED comes with a certificate, REFUTED with a witness."""

    status: Status
    engine: str = ""
    certificate: Mapping[str, Any] | None = None
    witness: Mapping[str, Any] | None = None
    reason: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.status is Status.PROVED and not self.certificate:
            raise ValueError("PROVED needs a certificate")
        if self.status is Status.REFUTED and not self.witness:
            raise ValueError("REFUTED needs a witness")
        if self.status is Status.OPEN and not self.reason:
            raise ValueError("OPEN needs a reason")
