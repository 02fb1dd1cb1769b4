"""An algorithm that keeps its promise: ten lines, audited from Python.

Run with `python examples/audit_private.py`.
"""

from oubli.checks.audit import Audit, Settings, audit
from oubli.checks.audit.screen import screen
from oubli.sim.geometry import project
from oubli.sim.laws import gaussian_sigma


class NoiseThenStep:
    """Exact Gaussian noise around theta*, then projected SGD."""

    def noise_scale(self, setup):
        return gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star, setup, rng):
        noise = self.noise_scale(setup) * rng.standard_normal(theta_star.shape)
        return project(theta_star + noise, setup.R), None

    def step(self, t, theta, grad, memory, setup, rng):
        return project(theta - 2 / (setup.mu * (t + 2)) * grad, setup.R), memory


def main(runs: int = 20_000) -> Audit:
    """The audit at eps = 1, delta = 1e-5; nothing is VIOLATED."""
    return audit(NoiseThenStep, Settings(eps=1.0, delta=1e-5, runs=runs))


if __name__ == "__main__":
    print(screen(main()))
