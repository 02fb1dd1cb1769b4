"""What the user asks of an audit, and how the error probability is shared out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from oubli.checks.audit.own_given import OwnData
from oubli.checks.audit.plan import planned_runs
from oubli.sim.problems.setup import Setup
from oubli.sim.require import is_count, require

# Shares of alpha; together at most one, so the whole audit flags a keeper of its promises with at most alpha.
SHARES = {
    "eps": 0.45, "delta": 0.2, "gaussian": 0.05, "declaration": 0.1, "contradiction": 0.05, "risk": 0.1,
    "steps": 0.03, "rows": 0.02,
}  # fmt: skip

# More draws a side than any machine gives.
MOST_ASKED = 10**9
# They guard the machine and change no finding.
LIMITS = ("call_seconds", "total_seconds", "memory_gb")


@dataclass(frozen=True)
class Settings:
    """The claimed budget, the class of problems, and how long to look; `runs` = 0 plans them.

    >>> Settings(eps=1.0, delta=1e-5).setup().T
    10
    >>> Settings(eps=1.0, delta=2.0)
    Traceback (most recent call last):
    ValueError: delta must lie in [0, 1), got 2.0
    """

    eps: float
    delta: float
    rf: float = 0.01
    dim: int = 1
    steps: int = 10
    runs: int = 0
    alpha: float = 0.05
    seed: int = 0
    target: float = 0.1
    call_seconds: float = 10.0
    total_seconds: float = 300.0
    memory_gb: float = 4.0
    assume_gaussian: bool = False
    against: str = "pair"
    batch: int = 1
    data: OwnData | None = None

    def __post_init__(self) -> None:
        require(0 < self.alpha < 1, "alpha must lie in (0, 1)", self.alpha)
        if self.runs == 0:
            object.__setattr__(self, "runs", planned_runs(self.dim, self.steps))
        require(is_count(self.runs, 100), "runs must be 0 or an integer >= 100", self.runs)
        require(self.runs <= MOST_ASKED, f"runs must be at most {MOST_ASKED}", self.runs)
        require(is_count(self.seed, 0), "seed must be an integer >= 0", self.seed)
        require(0 < self.rf < 1, "rf must lie in (0, 1)", self.rf)
        require(1e-6 <= self.eps <= 1e4, "eps must lie in [1e-06, 10000]", self.eps)
        self.setup()
        require(self.delta == 0 or 1e-300 <= self.delta <= 0.9, "delta must be 0 or lie in [1e-300, 0.9]",
                self.delta)  # fmt: skip
        require(self.target > 0, "target must be positive", self.target)
        for name in LIMITS:
            require(getattr(self, name) > 0, f"{name} must be positive", getattr(self, name))
        require(self.against in ("pair", "retrain"), "against must be pair or retrain", self.against)
        require(is_count(self.batch, 0), "batch must be an integer >= 1, or 0 for all", self.batch)
        require(self.memory_gb >= 0.5, "memory_gb must be at least 0.5", self.memory_gb)

    def setup(self, T: int | None = None) -> Setup:
        """What the update rule is given, with L = mu = 1: the class scales."""
        steps = self.steps if T is None else T
        return Setup(1.0, 1.0, self.rf, self.dim, self.eps, self.delta, steps, max(1, self.batch))

    def level(self, share: str) -> float:
        """The error probability of one part of the audit."""
        return SHARES[share] * self.alpha

    def shared(self, comparisons: int) -> Settings:
        """The same with alpha shared out evenly among this many comparisons."""
        return replace(self, alpha=self.alpha / comparisons)

    def as_json(self) -> dict[str, Any]:
        """The letters of the paper, and what was asked."""
        kept = asdict(self)
        return {"L": 1.0, "mu": 1.0, **{k: v for k, v in kept.items() if k not in LIMITS}}

    def replay(self, target: str) -> str:
        """The command that repeats this audit."""
        place = ("rf", "dim") if self.data is None else ()
        names = ("eps", "delta", *place, "steps", "runs", "alpha", "seed", "target")
        words = [f"--{name} {getattr(self, name)!r}" for name in names]
        words += ["--assume-gaussian"] if self.assume_gaussian else []
        words += ["--against retrain"] if self.against == "retrain" else []
        words += [f"--batch {self.batch or 'all'}"] if self.batch != 1 else []
        words += [] if self.data is None else [self.data.replay()]
        return f"oubli audit {target} " + " ".join(words)
