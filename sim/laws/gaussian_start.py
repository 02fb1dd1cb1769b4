"""First guesses for the inverse problems: each is a noise (an ε) that already suffices.

δ(ε,σ) ≤ Φ(a−c) and δ(ε,σ) ≤ 2Φ(a) − 1 ≤ 2a·φ(0), with a = 1/(2σ) and c = εσ: each gives an upper bound.
"""

import numpy as np
from scipy.special import ndtri

from oubli.sim.laws.doubled import Floats


def sigma_start(eps: Floats, delta: Floats) -> Floats:
    """A σ at or above the least noise for (ε, δ), up to rounding.

    >>> bool(sigma_start(np.array(1.0), np.array(1e-5)) > 3.7306)
    True
    """
    z = -ndtri(delta)
    root = np.sqrt(z * z + 2 * eps)
    # (z + root)/(2ε), written so that z < 0 does not cancel.
    one_sided = np.where(z > 0, (z + root) / (2 * eps), 1 / (root - np.minimum(z, 0)))
    both: Floats = np.minimum(one_sided, 1 / (np.sqrt(2 * np.pi) * delta))
    return both


def epsilon_start(sigma: Floats, delta: Floats) -> Floats:
    """An ε at or above the least ε for (σ, δ), up to rounding."""
    start: Floats = np.maximum((0.5 / sigma - ndtri(delta)) / sigma, 0.0)
    return start
