"""The checker: accepts or rejects certificates, in exact arithmetic, sharing no code with the engines.

Standard library only. An engine that lies cannot get a verdict past this package.
"""

from theory.checker.accept import (
    accept_certificate,
    accept_instance,
    accept_proof,
    accept_witness,
    digest,
    facts_of,
)
from theory.checker.grammar import Rejected

__all__ = [
    "Rejected",
    "accept_certificate",
    "accept_instance",
    "accept_proof",
    "accept_witness",
    "digest",
    "facts_of",
]
