"""A JAX function of one model as a rule of the audit, mapped over the chains; needs the extra `jax`."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from oubli.checks.audit.guard import missing
from oubli.errors import optional
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


class JaxRule:
    """Subclass it and write `update` for one model; it is compiled and mapped over the chains.

    Both methods must be functions of their arguments alone. Double precision is switched on: the audit
    compares models to many digits.
    """

    def initial(self, key: Any, theta_star: Any, setup: Setup) -> tuple[Any, Any]:
        """theta_0 of one model, shape (d,), and the state of its optimiser: arrays, or None."""
        return theta_star, None

    def update(self, key: Any, t: Any, theta: Any, grad: Any, state: Any, setup: Setup) -> tuple[Any, Any]:
        """One step of one model: theta and grad have shape (d,), key is its own."""
        raise missing(self, "update(key, t, theta, grad, state, setup)")

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, Any]:
        rows = _padded(theta_star)
        kind: Any = type(self)
        theta, state = _compiled(kind, setup)[0](_keys(rng, len(rows)), rows)
        return np.array(theta)[: len(theta_star)], state

    def step(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Any]:
        rows = _padded(theta)
        kind: Any = type(self)
        update = _compiled(kind, setup)[1]
        moved, state = update(_keys(rng, len(rows)), t, rows, _padded(grad), memory)
        return np.array(moved)[: len(theta)], state


@lru_cache(maxsize=64)
def _compiled(rule: Any, setup: Setup) -> tuple[Any, Any]:
    """Start and step of all chains, compiled once for a class and a setup."""
    jax, one = _jax(), rule()
    start = jax.vmap(lambda key, point: one.initial(key, point, setup))
    step = jax.vmap(lambda *given: one.update(*given, setup), in_axes=(0, None, 0, 0, 0))
    return jax.jit(start), jax.jit(step)


def _padded(rows: Array) -> Array:
    """Rows of zeros up to a power of two: few shapes are compiled."""
    wanted = 1 << max(0, len(rows) - 1).bit_length()
    return np.concatenate([rows, np.zeros((wanted - len(rows), rows.shape[1]))])


def _keys(rng: np.random.Generator, chains: int) -> Any:
    """A key for each chain, seeded by the audit's generator."""
    random = _jax().random
    return random.split(random.key(int(rng.integers(2**62))), chains)


def _jax() -> Any:
    with optional("jax", "a rule in JAX"):
        import jax
    jax.config.update("jax_enable_x64", True)
    # Each rule of an audit lives in a process of its own: what one has compiled the others find here.
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "oubli" / "jax"
    jax.config.update("jax_compilation_cache_dir", str(cache))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return jax
