"""An algorithm that adds a fifth of the noise it should: the draws alone give it away.

Run with `python examples/audit_too_little_noise.py`.
"""

from oubli.checks.audit import Audit, Settings, audit
from oubli.checks.audit.screen import screen
from oubli.sim.geometry import project


class TooLittleNoise:
    """A fifth of kappa times the sensitivity; it declares nothing."""

    def start(self, theta_star, setup, rng):
        noise = 0.2 * setup.kappa * setup.sensitivity * rng.standard_normal(theta_star.shape)
        return project(theta_star + noise, setup.R), None

    def step(self, t, theta, grad, memory, setup, rng):
        return project(theta - grad / (10 * setup.mu), setup.R), memory


def main(runs: int = 20_000) -> Audit:
    """The audit at eps = 1, delta = 1e-5: the privacy finding is VIOLATED."""
    return audit(TooLittleNoise, Settings(eps=1.0, delta=1e-5, runs=runs))


if __name__ == "__main__":
    print(screen(main()))
