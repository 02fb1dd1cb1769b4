"""The checker: accepts or rejects certificates, in exact arithmetic, sharing no code with the engines.

Standard library only. An engine that lies cannot get a verdict past this package.
"""

from theory.checker.accept import accept_instance, accept_proof, accept_witness
from theory.checker.grammar import Rejected

__all__ = ["Rejected", "accept_instance", "accept_proof", "accept_witness"]
