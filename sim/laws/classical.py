"""The classical noise κ = √(2 ln(1.25/δ))/ε, and where it stops giving (ε,δ).

With σ = κ put c = √(2 ln(1.25/δ)) = εκ and a = 1/(2κ) = ε/(2c). For fixed δ the exact
δ_exact(ε, κ) = Φ(a−c) − e^{2ac} Φ(−a−c) depends on ε through a alone, and strictly increases:
∂/∂a = 2φ(c−a)·(1 − c·m(a+c)) > 0, since the Mills ratio satisfies m(x) < 1/x and c < a + c. It runs
from 0 (a → 0) to 1 (a → ∞), so it passes δ exactly once, at a frontier ε*(δ):
κ gives (ε,δ) if and only if ε ≤ ε*(δ).
"""

from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import ArrayLike

from oubli.sim.laws.ball import Enclosure, as_ball, decide, refine
from oubli.sim.laws.doubled import FloatOrArray
from oubli.sim.laws.exact import Exact
from oubli.sim.laws.gaussian_ball import delta_ball, normal_density, normal_tail
from oubli.sim.laws.gaussian_domain import DELTA, EPSILON
from oubli.sim.laws.root_ball import positive_root

_START = 6.0


def classical_kappa(eps: ArrayLike, delta: ArrayLike) -> FloatOrArray:
    """√(2 ln(1.25/δ))/ε in doubles, rounded to nearest as far as doubles go.

    >>> round(classical_kappa(1.0, 1e-5), 12)
    4.844805262605
    """
    value = np.sqrt(2 * np.log(1.25 / DELTA.floats(delta))) / EPSILON.floats(eps)
    return value if np.ndim(value) else float(value)


def classical_kappa_ball(eps: Exact, delta: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose √(2 ln(1.25/δ))/ε, relative width at most 10^-digits; or raises.

    >>> lower, upper = classical_kappa_ball(1, "1e-5")
    >>> float(lower) == float(upper) == 4.844805262605389
    True
    """
    e, d = EPSILON.exact(eps), DELTA.exact(delta)
    return refine(lambda: _c(d) / as_ball(e), digits)


def kappa_delta_ball(eps: Exact, delta: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose the exact δ of noise κ(ε,δ) at ε, relative width at most 10^-digits.

    >>> f"{float(kappa_delta_ball(10, '1e-5')[1]):.3e}"
    '2.265e-05'
    """
    e, d = EPSILON.exact(eps), DELTA.exact(delta)
    return refine(lambda: _kappa_delta(as_ball(e), _c(d)), digits)


def kappa_is_private(eps: Exact, delta: Exact) -> bool:
    """Whether noise κ(ε,δ) gives (ε,δ), decided by balls.

    >>> kappa_is_private(1, "1e-5"), kappa_is_private(10, "1e-5")
    (True, False)
    """
    e, d = EPSILON.exact(eps), DELTA.exact(delta)
    return decide(lambda: as_ball(d) - _kappa_delta(as_ball(e), _c(d))) > 0


def eps_frontier(delta: Exact, digits: int = 30) -> Enclosure:
    """(lower, upper) around ε*(δ): κ gives (ε,δ) for every ε ≤ lower and fails for every ε ≥ upper.

    The two end points are certified by balls; "every" is the monotonicity shown at the top of this file.

    >>> lower, upper = eps_frontier("1e-5")
    >>> f"{float(lower):.6f} {float(upper):.6f}"
    '8.419771 8.419771'
    """
    d = DELTA.exact(delta)

    def gap(eps: arb) -> tuple[arb, arb]:
        c = _c(d)
        a = eps / (2 * c)
        value = _kappa_delta(eps, c)
        growth = 2 * a * (normal_density(c - a) - c * eps.exp() * normal_tail(c + a))
        return (value / as_ball(d)).log(), growth / value

    return positive_root(gap, _START, digits)


def _c(delta: Fraction) -> arb:
    return (2 * as_ball(Fraction(5, 4) / delta).log()).sqrt()


def _kappa_delta(eps: arb, c: arb) -> arb:
    return delta_ball(eps, eps / (2 * c), c)
