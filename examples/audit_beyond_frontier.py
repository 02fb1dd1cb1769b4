"""The classical noise at eps = 8.5: delta is overshot by four per cent, which no sampling could see.

The class declares its noise, so the verdict is exact. Run with `python examples/audit_beyond_frontier.py`.
"""

from oubli.checks.audit import Audit, Settings, audit
from oubli.checks.audit.screen import screen
from oubli.sim.geometry import project


class ClassicalNoise:
    """kappa times the sensitivity, whatever eps is."""

    def noise_scale(self, setup):
        return setup.kappa * setup.sensitivity

    def start(self, theta_star, setup, rng):
        noise = self.noise_scale(setup) * rng.standard_normal(theta_star.shape)
        return project(theta_star + noise, setup.R), None

    def step(self, t, theta, grad, memory, setup, rng):
        return project(theta - grad / (10 * setup.mu), setup.R), memory


def main(runs: int = 20_000) -> Audit:
    """The audit at eps = 8.5, delta = 1e-5: `privacy exact` is VIOLATED."""
    return audit(ClassicalNoise, Settings(eps=8.5, delta=1e-5, runs=runs))


if __name__ == "__main__":
    print(screen(main()))
