"""The Gaussian mechanism with unit sensitivity, enclosed: δ(ε,σ), σ(ε,δ), ε(σ,δ) from exact input.

δ = ½ erfc((c−a)/√2) − ½ e^ε erfc((c+a)/√2) with a = 1/(2σ), c = εσ. It strictly decreases in σ and in ε:
∂δ/∂ ln σ = −2a·φ(c−a) and ∂δ/∂ε = −e^ε Φ(−c−a), so each inverse problem has exactly one root.
"""

from fractions import Fraction

import numpy as np
from flint import arb

from oubli.sim.laws.ball import Enclosure, as_ball, decide, refine
from oubli.sim.laws.exact import Exact, exact
from oubli.sim.laws.gaussian_domain import DELTA, EPSILON, SIGMA
from oubli.sim.laws.gaussian_start import epsilon_start, sigma_start
from oubli.sim.laws.root_ball import positive_root

# Noise this many standard deviations beyond what ε asks for has δ below exp(−500000).
_DEEPEST = 1000


def gaussian_delta_ball(eps: Exact, sigma: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose δ(ε,σ), relative width at most 10^-digits; or raises.

    Args:
        eps: ε, from 1e-6 to 1e4; exact: an integer, a Fraction or text such as "1/3" or "1e-5".
        sigma: The standard deviation σ at unit sensitivity, from 1e-6 to 1e12; exact.
        digits: Digits that the enclosure guarantees.

    Returns:
        (lower, upper): the least δ of noise σ at ε lies between them.

    >>> lower, upper = gaussian_delta_ball(1, 1)
    >>> round(float(lower), 8) == round(float(upper), 8) == 0.12693674
    True
    """
    e, s = EPSILON.exact(eps), SIGMA.exact(sigma)
    if e * s > _DEEPEST + 1 / s:
        raise ValueError(f"eps = {eps}, sigma = {sigma}: delta must be at least 1e-200000 to be written down")
    lower, upper = refine(lambda: _delta(e, s), digits)
    return lower, min(upper, Fraction(1))


def gaussian_sigma_ball(eps: Exact, delta: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose the least noise for (ε,δ), relative width at most 10^-digits.

    Args:
        eps: ε, from 1e-6 to 1e4; exact: an integer, a Fraction or text such as "1/3" or "1e-5".
        delta: δ, from 1e-300 to 0.9; exact.
        digits: Digits that the enclosure guarantees.

    Returns:
        (lower, upper): noise lower is certainly too small for (ε,δ), noise upper certainly suffices.

    >>> lower, upper = gaussian_sigma_ball(1, "1e-5")
    >>> float(lower) == float(upper) == 3.730631634815942
    True
    """
    e, d = EPSILON.exact(eps), DELTA.exact(delta)

    def gap(sigma: arb) -> tuple[arb, arb]:
        a, c = 1 / (2 * sigma), as_ball(e) * sigma
        value = delta_ball(as_ball(e), a, c)
        return (value / as_ball(d)).log(), -2 * a * normal_density(c - a) / value

    return positive_root(gap, float(sigma_start(np.array(float(e)), np.array(float(d)))), digits)


def gaussian_epsilon_ball(sigma: Exact, delta: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose the least ε of noise σ at δ; ValueError where it leaves [1e-6, 1e4].

    Args:
        sigma: The standard deviation σ at unit sensitivity, from 1e-6 to 1e12; exact.
        delta: δ, from 1e-300 to 0.9; exact: an integer, a Fraction or text such as "1/3" or "1e-5".
        digits: Digits that the enclosure guarantees.

    Returns:
        (lower, upper): ε = lower is certainly not attained by noise σ at δ, ε = upper certainly is.

    >>> lower, upper = gaussian_epsilon_ball(1, "0.12693674")
    >>> round(float(lower), 6), round(float(upper), 6)
    (1.0, 1.0)
    """
    s, d = SIGMA.exact(sigma), DELTA.exact(delta)
    if gaussian_attains(EPSILON.least, s, d) or not gaussian_attains(EPSILON.most, s, d):
        given = f"sigma = {sigma}, delta = {delta}"
        raise ValueError(f"{given}: the least eps must lie in [{EPSILON.least:g}, {EPSILON.most:g}]")
    return epsilon_root(s, d, digits)


def gaussian_attains(eps: Exact, sigma: Exact, delta: Exact) -> bool:
    """Whether noise σ gives (ε,δ): exact δ(ε,σ) ≤ δ, decided by balls.

    >>> gaussian_attains(1, "3.7307", "1e-5"), gaussian_attains(1, "3.7306", "1e-5")
    (True, False)
    """
    e, s, d = exact(eps, "eps"), SIGMA.exact(sigma), exact(delta, "delta")
    return decide(lambda: as_ball(d) - _delta(e, s)) > 0


def epsilon_root(sigma: Exact, delta: Exact, digits: int) -> Enclosure:
    """The ε > 0 with δ(ε,σ) = δ, enclosed; the caller knows that there is one."""
    s, d = exact(sigma, "sigma"), exact(delta, "delta")

    def gap(eps: arb) -> tuple[arb, arb]:
        a, c = 1 / (2 * as_ball(s)), eps * as_ball(s)
        value = delta_ball(eps, a, c)
        return (value / as_ball(d)).log(), -eps * eps.exp() * normal_tail(c + a) / value

    start = float(epsilon_start(np.array(float(s)), np.array(float(d))))
    return positive_root(gap, min(max(start, EPSILON.least), EPSILON.most), digits)


def delta_ball(eps: arb, a: arb, c: arb) -> arb:
    """Φ(a−c) − e^ε Φ(−a−c) as a ball, for 2ac = ε."""
    return normal_tail(c - a) - eps.exp() * normal_tail(c + a)


def normal_tail(x: arb) -> arb:
    """1 − Φ(x) as a ball."""
    return (x / arb(2).sqrt()).erfc() / 2


def normal_density(x: arb) -> arb:
    """φ(x) as a ball."""
    return (-(x * x) / 2).exp() / (2 * arb.pi()).sqrt()


def _delta(eps: Fraction, sigma: Fraction) -> arb:
    return delta_ball(as_ball(eps), as_ball(1 / (2 * sigma)), as_ball(eps * sigma))
