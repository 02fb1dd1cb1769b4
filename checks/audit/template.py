"""The file that `oubli audit --template` prints: a rule that passes, to be changed."""

TEMPLATE = '''"""An unlearning algorithm for `oubli audit`. Only `step` is needed; the rest is optional."""

from oubli.sim.geometry import project
from oubli.sim.laws import gaussian_sigma


class MyRule:
    """Noise at the exact Gaussian scale, then projected SGD; the last iterate is released."""

    def noise_scale(self, setup):
        """Optional: declares that `start` is theta* + scale·N(0, I), projected. The verdict is then exact."""
        return gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity

    def start(self, theta_star, setup, rng):
        """Optional: theta_0 and a memory of any kind. Rows are independent runs; draw from rng only."""
        noise = self.noise_scale(setup) * rng.standard_normal(theta_star.shape)
        return project(theta_star + noise, setup.R), None

    def step(self, t, theta, grad, memory, setup, rng):
        """One step with one retain gradient per row; t runs over 0 ... T-1."""
        return project(theta - 2 / (setup.mu * (t + 2)) * grad, setup.R), memory

    # Optional as well:
    #   release(self, theta, memory, setup, rng)   the output, if it is not theta_T
    #   release_weight(self, setup)                the sum of the weights, if a release shrinks on purpose
    #   risk_bound(self, setup)                    the expected excess risk promised after T steps
    # A class whose constructor takes one argument is given the problem (retain and forget data).
'''
