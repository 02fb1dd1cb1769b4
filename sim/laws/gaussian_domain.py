"""Where the Gaussian functions answer; outside, one line says what was given and what is accepted."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from oubli.sim.laws.doubled import Floats
from oubli.sim.laws.exact import Exact, exact


@dataclass(frozen=True)
class Range:
    """The accepted interval of one argument.

    >>> EPSILON.exact("0")
    Traceback (most recent call last):
    ValueError: eps = 0: eps must lie in [1e-06, 10000]
    """

    name: str
    least: float
    most: float

    def floats(self, values: ArrayLike) -> Floats:
        """The values as doubles, all inside the range; or ValueError."""
        array = np.asarray(values, dtype=np.float64)
        wrong = ~((array >= self.least) & (array <= self.most))
        if wrong.any():
            raise ValueError(self._complaint(f"{array[wrong].flat[0]:g}"))
        return array

    def exact(self, value: Exact) -> Fraction:
        """The value as a rational, inside the range once rounded to a double; or ValueError."""
        number = exact(value, self.name)
        if not self.least <= _nearest(number) <= self.most:
            raise ValueError(self._complaint(str(value)))
        return number

    def _complaint(self, given: str) -> str:
        return f"{self.name} = {given}: {self.name} must lie in [{self.least:g}, {self.most:g}]"


def _nearest(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")


EPSILON = Range("eps", 1e-6, 1e4)
DELTA = Range("delta", 1e-300, 0.9)
SIGMA = Range("sigma", 1e-6, 1e12)
