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
        kind: Any = type(self)
        theta, state = _compiled(kind, setup)[0](_seed(rng), _padded(theta_star))
        return np.array(theta)[: len(theta_star)], state

    def step(
        self, t: int, theta: Array, grad: Array, memory: Any, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, Any]:
        kind: Any = type(self)
        moved, state = _compiled(kind, setup)[1](_seed(rng), t, _padded(theta), _padded(grad), memory)
        return np.array(moved)[: len(theta)], state


@lru_cache(maxsize=64)
def _compiled(rule: Any, setup: Setup) -> tuple[Any, Any]:
    """Start and step of all chains with a key for each, compiled once for a class and a setup."""
    jax, one = _jax(), rule()

    def keys(seed: Any, rows: Any) -> Any:
        return jax.random.split(jax.random.key(seed), len(rows))

    def start(seed: Any, rows: Any) -> Any:
        return jax.vmap(lambda key, point: one.initial(key, point, setup))(keys(seed, rows), rows)

    def step(seed: Any, t: Any, rows: Any, gradients: Any, state: Any) -> Any:
        mapped = jax.vmap(lambda *given: one.update(*given, setup), in_axes=(0, None, 0, 0, 0))
        return mapped(keys(seed, rows), t, rows, gradients, state)

    # One program for keys and models: each rule of an audit loads it anew.
    return jax.jit(start), jax.jit(step)


def _padded(rows: Array) -> Array:
    """Rows of zeros up to 64, 256, 1024, …: few shapes are compiled."""
    wanted = 64
    while wanted < len(rows):
        wanted *= 4
    return np.concatenate([rows, np.zeros((wanted - len(rows), rows.shape[1]))])


def _seed(rng: np.random.Generator) -> int:
    """A seed for all keys, drawn by the audit's generator."""
    return int(rng.integers(2**62))


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
