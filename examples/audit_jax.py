"""A rule in JAX: one function of one model, mapped over the chains of the audit.

Run with `oubli audit examples/audit_jax.py --eps 1 --delta 1e-5`; it needs the extra `jax`.
"""

import jax
import jax.numpy as jnp

from oubli.checks.audit.adapters.jax_rule import JaxRule
from oubli.sim.laws import gaussian_sigma


def project(theta, R):
    return theta * jnp.minimum(1.0, R / jnp.maximum(jnp.linalg.norm(theta), 1e-300))


class NoiseThenDescent(JaxRule):
    """The least noise for the budget, then projected SGD with a decreasing step."""

    def initial(self, key, theta_star, setup):
        scale = gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity
        return project(theta_star + scale * jax.random.normal(key, theta_star.shape), setup.R), None

    def update(self, key, t, theta, grad, state, setup):
        return project(theta - 2 / (setup.mu * (t + 2)) * grad, setup.R), state
