"""What an update rule knows about the problem, in the paper's letters."""

import math
from dataclasses import dataclass, field

from oubli.sim.require import is_count, require


@dataclass(frozen=True)
class Setup:
    """The public constants of one run; everything an update rule may know before its first gradient.

    >>> setup = Setup(L=1.0, mu=1.0, r_f=0.1, d=1, eps=1.0, delta=1e-5, T=100)
    >>> setup.R, setup.e0
    (0.5, 0.125)
    >>> Setup(L=1.0, mu=1.0, r_f=1.5, d=1, eps=1.0, delta=1e-5, T=100)
    Traceback (most recent call last):
    ValueError: r_f must lie in [0, 1), got 1.5
    """

    L: float = field(metadata={"meaning": "Lipschitz constant of every loss on the ball B(0, R)"})
    mu: float = field(metadata={"meaning": "strong convexity of every loss"})
    r_f: float = field(metadata={"meaning": "fraction of the data to forget"})
    d: int = field(metadata={"meaning": "dimension of theta"})
    eps: float = field(metadata={"meaning": "the claimed eps"})
    delta: float = field(metadata={"meaning": "the claimed delta"})
    T: int = field(metadata={"meaning": "number of steps before the release"})
    batch: int = field(default=1, metadata={"meaning": "retain samples behind one gradient"})
    chains: int = field(
        default=1, metadata={"meaning": "rows that `learn` and `retrain` must return: independent runs"}
    )

    def __post_init__(self) -> None:
        require(0 < self.L < math.inf, "L must be positive and finite", self.L)
        require(0 < self.mu < math.inf, "mu must be positive and finite", self.mu)
        require(0 <= self.r_f < 1, "r_f must lie in [0, 1)", self.r_f)
        require(is_count(self.d, 1), "d must be an integer >= 1", self.d)
        require(0 <= self.eps < math.inf, "eps must be >= 0 and finite", self.eps)
        require(0 <= self.delta < 1, "delta must lie in [0, 1)", self.delta)
        require(is_count(self.T, 0), "T must be an integer >= 0", self.T)
        require(is_count(self.batch, 1), "batch must be an integer >= 1", self.batch)
        require(is_count(self.chains, 1), "chains must be an integer >= 1", self.chains)

    @property
    def R(self) -> float:
        """Radius of the ball on which the losses are Lipschitz: L/(2 mu) (l.289)."""
        return self.L / (2 * self.mu)

    @property
    def e0(self) -> float:
        """Largest excess risk of the zero model: L²/(8 mu) (l.505)."""
        return self.L**2 / (8 * self.mu)

    @property
    def kappa(self) -> float:
        """The classical Gaussian multiplier sqrt(2 ln(1.25/delta))/eps; private for eps <= 1, not all."""
        require(self.eps > 0, "kappa needs eps > 0", self.eps)
        require(self.delta > 0, "kappa needs delta > 0", self.delta)
        return math.sqrt(2 * math.log(1.25 / self.delta)) / self.eps

    @property
    def sensitivity(self) -> float:
        """A proved bound on the distance of theta*(D_f) and theta*(D_f'), the pair of Definition 2.

        It is r_f L/mu in d = 1 (sharp) and 2 r_f L/((1 + r_f) mu) in d >= 2 (chord argument, not sharp).
        """
        stretch = 1.0 if self.d == 1 else 2 / (1 + self.r_f)
        return stretch * self.r_f * self.L / self.mu
