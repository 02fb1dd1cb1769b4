"""The algorithms that the upper ends name, as the calculator says it: noise, shrinking, steps, average.

What `theory.regimes.recipe` prints is read from its text, as a user would; the rest is the name of the bound.
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from oubli.checks.brackets.rows import Row
from oubli.sim.geometry import project
from oubli.sim.laws import staircase
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array
from oubli.theory.regimes import Classification, linear, sgd
from oubli.theory.regimes.bound import Best
from oubli.theory.regimes.recipe import recipe
from oubli.theory.regimes.sgd import LAMBDA


@dataclass(frozen=True)
class Noise:
    """A law around theta* by its standard deviation per coordinate; without one, the start is 0."""

    law: str | None
    sigma: float
    eps: float = math.inf

    def around(self, theta_star: Array, rng: np.random.Generator) -> Array:
        """theta* with noise."""
        if self.law is None:
            return np.zeros_like(theta_star)
        z = rng.standard_normal(theta_star.shape)
        if self.law == "Gaussian":
            return np.asarray(theta_star + self.sigma * z)
        n, d = theta_star.shape
        # The length is Gamma(d): its mean square d (d + 1) is shared by d coordinates.
        length = self.sigma / math.sqrt(d + 1) * rng.standard_gamma(d, (n, 1))
        if self.law == "radial staircase":
            length = self._shells(n, d, rng)
        return np.asarray(theta_star + length * z / np.linalg.norm(z, axis=1, keepdims=True))

    def _shells(self, n: int, d: int, rng: np.random.Generator) -> Array:
        """Lengths uniform in balls of radius (q + K) w, K with weights e^(-K eps) (q + K)^d."""
        square, q = (float(found[0]) for found in staircase(self.eps, d))
        radius = q + np.arange(60.0)
        weight = d * np.log(radius) - self.eps * np.arange(60.0)
        chance = np.exp(weight - weight.max())
        width = self.sigma * math.sqrt(d / square)
        balls = rng.choice(radius, size=(n, 1), p=chance / chance.sum())
        return np.asarray(width * balls * rng.random((n, 1)) ** (1 / d))


@dataclass(frozen=True, eq=False)
class Way:
    """Projected noise, shrunk; projected steps of given sizes; a weighted mean of all points."""

    noise: Noise
    shrink: float
    sizes: Array
    weights: Array

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = self.shrink * project(self.noise.around(theta_star, rng), setup.R)
        return theta, self.weights[0] * theta

    def step(
        self, t: int, theta: Array, grad: Array, memory: Array, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        theta = project(theta - self.sizes[t] * grad, setup.R)
        return theta, memory + self.weights[t + 1] * theta

    def release(self, theta: Array, memory: Array, setup: Setup, rng: np.random.Generator) -> Array:
        return np.asarray(memory / self.weights.sum())


def unlearning_way(found: Classification, row: Row) -> Way:
    """The algorithm behind the upper end of T^U."""
    return _way(found, row, found.unlearn[1])


def retraining_way(found: Classification, row: Row) -> Way:
    """The algorithm behind the upper end of T^S."""
    return _way(found, row, found.scratch[1])


def _way(found: Classification, row: Row, best: Best) -> Way:
    T, how, choices = int(best.steps[0]), best.how(0).removeprefix("retrain: "), best.choices(0)
    noise = Noise(choices[0].name(0), float(found.sigma[0]), row.eps) if choices else Noise(None, 0.0)
    said = recipe(found, 0) if choices else None
    named = {
        "noise only": _alone,
        "noise, then shrink": _alone,
        "noise, then constant steps": _constant,
        "noise, shrink, then SGD with steps c/(mu (1 + kt))": _harmonic,
        "SGD with steps c/(mu (1 + kt))": _harmonic,
        "SGD with steps 2/(mu (t+2))": _printed,
        "SGD with growing weights": _growing,
    }
    return named[how](row, noise, T, said)


def _alone(row: Row, noise: Noise, T: int, said: str | None) -> Way:
    shrink = _number(r"multiply the noisy point by (\S+)", said) if said else 1.0
    return Way(noise, shrink, np.empty(0), np.ones(1))


def _constant(row: Row, noise: Noise, T: int, said: str | None) -> Way:
    """sharp.exact.steps: gamma = q/(L sqrt(T)), q^2 = E|z|^2 + r^2, theta_0 … theta_{T-1} averaged."""
    size = math.sqrt((row.d * noise.sigma**2 + row.r**2) / T)
    return Way(noise, 1.0, np.full(T, size), np.append(np.ones(T), 0.0))


def _harmonic(row: Row, noise: Noise, T: int, said: str | None) -> Way:
    c = _number(r"c = ([^,]+),", said) if said else sgd.weight(row.x, 0.25, T)
    p = 1 + c * (1 - LAMBDA * c) * np.arange(T + 1, dtype=np.float64)
    return Way(noise, 1 - LAMBDA * c, c / p, 1 - LAMBDA * c / p)


def _printed(row: Row, noise: Noise, T: int, said: str | None) -> Way:
    t = np.arange(T + 1, dtype=np.float64)
    return Way(noise, 1.0, 2 / (t + 2), t + 1.0)


def _growing(row: Row, noise: Noise, T: int, said: str | None) -> Way:
    """sharp.scratch.linear: steps w/(mu p), w = N + c, p = N^2/2, N = t + a; weights w (1 - lambda w/p)."""
    a, c = _growth(row.x, T + 1)
    N = a + np.arange(T + 1, dtype=np.float64)
    w, p = N + c, N**2 / 2
    return Way(noise, 1.0, w / p, w * (1 - LAMBDA * w / p))


def _growth(x: float, n: int) -> tuple[float, float]:
    """The pair of the calculator's grid whose hypothesis n points meet with most room."""
    a, c = linear.STARTS, linear.SHIFTS
    s = c + 0.5 - 2 * LAMBDA * (1 + c / a) ** 2
    Y = np.array([np.sum(1 / (np.arange(n) + start)) for start in a])
    first = np.maximum((a - 1) ** 2 / 2 - 2 * LAMBDA * (a - 1 + c), 0.0)
    first += 2 * LAMBDA**2 * (1 + c / a) ** 2
    asked = first + n * (8 * sgd.V + LAMBDA**2 / s) + 8 * sgd.V * c * (2 + c / a) * Y
    best = int(np.argmin(asked / (n * (n / 2 + a + s - 1) * x)))
    return float(a[best]), float(c[best])


def _number(pattern: str, said: str) -> float:
    found = re.search(pattern, said)
    if found is None:
        raise ValueError(f"{pattern!r} is not in {said!r}")
    return float(found[1])
