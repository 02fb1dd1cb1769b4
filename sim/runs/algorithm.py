"""The paper's class of update rules (l.318) as one small protocol, batched over chains.

An update rule sees theta*, its gradients and its own randomness; retain data reach it through gradients only.
A rule that takes the problem in its constructor knows more: it is outside the class and says so in
`outside_class`. A gradient-free start and release are allowed, the convention that gives T = 0 a meaning.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np

from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, require, require_batch

# The memory m_t of an update rule is whatever the rule wants it to be.
Memory = Any


@runtime_checkable
class UpdateRule(Protocol):
    """The one method every algorithm has; theta and grad have shape (chains, d), t runs over 0 … T−1."""

    def step(
        self, t: int, theta: Array, grad: Array, memory: Memory, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Memory]: ...


class GradientFree:
    """A rule that looks at no gradient: a step stays where it is."""

    def step(
        self, t: int, theta: Array, grad: Array, memory: Memory, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Memory]:
        return theta, memory


def start(
    rule: UpdateRule, theta_star: Array, setup: Setup, rng: np.random.Generator
) -> tuple[Array, Memory]:
    """theta_0 and m_0: the rule's own start, or (theta*, None) when it has none.

    >>> from oubli.sim.algorithms.zero import OutputZero
    >>> setup = Setup(L=1.0, mu=1.0, r_f=0.1, d=1, eps=1.0, delta=1e-5, T=0)
    >>> start(OutputZero(), np.ones((2, 1)), setup, np.random.default_rng(0))[0].tolist()
    [[0.0], [0.0]]
    """
    own = getattr(rule, "start", None)
    theta, memory = own(theta_star, setup, rng) if own is not None else (theta_star, None)
    require_batch("theta from start", theta, theta_star)
    return theta, memory


def release(rule: UpdateRule, theta: Array, memory: Memory, setup: Setup, rng: np.random.Generator) -> Array:
    """The output: the rule's own release map, or theta_T when it has none."""
    own = getattr(rule, "release", None)
    output: Array = own(theta, memory, setup, rng) if own is not None else theta
    require_batch("theta from release", output, theta)
    return output


def check_rule(rule: object) -> UpdateRule:
    """The rule itself if it has a step, else a ValueError naming what was given.

    >>> check_rule(3)
    Traceback (most recent call last):
    ValueError: an update rule needs a method step(t, theta, grad, memory, setup, rng), got 3
    """
    rule_text = "an update rule needs a method step(t, theta, grad, memory, setup, rng)"
    require(callable(getattr(rule, "step", None)), rule_text, rule)
    assert isinstance(rule, UpdateRule)
    return rule
