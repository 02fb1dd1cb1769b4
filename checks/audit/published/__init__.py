"""Published unlearning algorithms, each written anew from its paper: citation, claim and assumptions."""

from oubli.checks.audit.published.clipped import ClippedFineTuning
from oubli.checks.audit.published.common import PublishedAlgorithm, Record
from oubli.checks.audit.published.descent_to_delete import DescentToDelete
from oubli.checks.audit.published.gradient_ascent import GradientAscent
from oubli.checks.audit.published.langevin import LangevinUnlearning, NoisySGDUnlearning
from oubli.checks.audit.published.newton import CertifiedRemoval, NewtonWithNoise
from oubli.checks.audit.published.rewind import RewindToDelete
from oubli.checks.audit.published.sisa import SISA

ALGORITHMS: tuple[type[PublishedAlgorithm], ...] = (
    DescentToDelete,
    LangevinUnlearning,
    NoisySGDUnlearning,
    CertifiedRemoval,
    NewtonWithNoise,
    ClippedFineTuning,
    RewindToDelete,
    SISA,
    GradientAscent,
)

__all__ = [
    "ALGORITHMS",
    "SISA",
    "CertifiedRemoval",
    "ClippedFineTuning",
    "DescentToDelete",
    "GradientAscent",
    "LangevinUnlearning",
    "NewtonWithNoise",
    "NoisySGDUnlearning",
    "PublishedAlgorithm",
    "Record",
    "RewindToDelete",
]
