"""The paper's records, read once per process, and the names of those that measurements read letters from.

A source that needs a constant of the theory takes it from the record. Which record that is stands here; which
source measures which record stands in the registries.
"""

import math
from fractions import Fraction
from functools import cache

from oubli.papers import ledger as paper
from oubli.theory.judging.ledger import Ledger
from oubli.theory.kernel.statement import Statement

HARD_FAMILY, SYNTHETIC = "setup.hard_family", "setup.synthetic"
CLASSICAL_NOISE = "gauss.kappa"
LEAST_SCRATCH = "scratch.theta"
OWN_TIMES, PASSES = "def.time.order", "def.time.walk"
OPTIMUM_RISK = "opt_loss.release"
SENSITIVITY, SENSITIVITY_LINE = "sensitivity", "sensitivity.line"
# Refuted by every release that uses no gradient.
RELEASES = ("trivial", "trivial.beyond")
# Refuted where both times are 0.
UNTIMED = "efficient.corollary"
EFFICIENT_LEVEL = "efficient.corollary.repaired"
INEFFICIENT, INEFFICIENT_STEP = "inefficient.repaired", "inefficient.step1.repaired"
LOTTERY = "inefficient.lottery"
SCALE = "gauss.sensitivity.scale"
CIRCLE = "sharp.sensitivity.line"
WIDE, WIDER = "sharp.sensitivity.wide", "sharp.sensitivity.wider"
RADIAL = "sharp.noise.radial"
SHRUNK_OLD, SHRUNK_NEW = "sharp.trivial", "sharp.trivial.near"
WEIGHTED, GROWING, CONSTANT_STEPS = "sharp.sgd.rate", "sharp.linear.rate", "sharp.exact.steps"
BETWEEN = "sharp.efficient.between"
CUBE, CUBE_SPREAD, CUBE_SEGMENTS = "sharp.cube", "sharp.cube.spread", "sharp.cube.segments"
KINK = "sharp.kink"
SPHERE, SPHERE_START = "sharp.sphere", "sharp.sphere.start"
BALL, BALL_START = "sharp.ball", "sharp.ball.start"
HOP = "sharp.hop"


@cache
def ledger() -> Ledger:
    """The paper's claims.

    >>> ledger() is ledger()
    True
    """
    return paper()


def statement(key: str) -> Statement:
    """What a claim says; KeyError if it says nothing.

    >>> statement(LEAST_SCRATCH).says
    T >= 3*L**2/(400*e*mu)
    """
    found = ledger().claims[key].statement
    if found is None:
        raise KeyError(f"{key} states nothing")
    return found


# How far inside an open end of a range letters are drawn.
SHORT = Fraction(1, 10**9)


def ends(key: str, name: str) -> tuple[float, float]:
    """Where a letter of a claim ranges, ends that do not belong to it left out; KeyError if it is no letter.

    >>> ends(LEAST_SCRATCH, "r")
    (1e-09, 0.999999999)
    """
    ranges = {q.symbol.name: q.domain for q in statement(key).quantities}
    domain = ranges[name]
    low = -math.inf if domain.lower is None else domain.lower + domain.lower_open * SHORT
    high = math.inf if domain.upper is None else domain.upper - domain.upper_open * SHORT
    return float(low), float(high)
