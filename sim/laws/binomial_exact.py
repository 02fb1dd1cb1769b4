"""Total variation of two binomial laws by summing exact rationals: slow, simple, the oracle of the others."""

from fractions import Fraction
from math import comb

from oubli.sim.laws.exact import Exact, exact_integer, exact_probability


def binomial_pmf_exact(T: int, p: Fraction) -> tuple[Fraction, ...]:
    """The probabilities of Bin(T, p) at 0, …, T, exactly.

    >>> binomial_pmf_exact(2, Fraction(1, 2))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    """
    return tuple(comb(T, k) * p**k * (1 - p) ** (T - k) for k in range(T + 1))


def binomial_tv_exact(T: Exact, p: Exact, q: Exact) -> Fraction:
    """TV(Bin(T,p), Bin(T,q)) = ½ Σ |difference of probabilities|, exactly; time grows like T².

    >>> binomial_tv_exact(1, "1/2", "3/4")
    Fraction(1, 4)
    """
    steps = exact_integer(T, "T")
    left = binomial_pmf_exact(steps, exact_probability(p, "p"))
    right = binomial_pmf_exact(steps, exact_probability(q, "q"))
    return sum((abs(a - b) for a, b in zip(left, right, strict=True)), Fraction(0)) / 2
