"""Exact laws: binomial total variation, the Gaussian mechanism, finite laws; floats and enclosures.

This package imports nothing else of the project.
"""

from oubli.sim.laws.arcsine import arcsine_distance_ball
from oubli.sim.laws.ball import Enclosure, PrecisionError
from oubli.sim.laws.binomial import binomial_tv, binomial_tv_gamma
from oubli.sim.laws.binomial_ball import binomial_tv_ball
from oubli.sim.laws.binomial_exact import binomial_pmf_exact, binomial_tv_exact
from oubli.sim.laws.classical import (
    classical_kappa,
    classical_kappa_ball,
    eps_frontier,
    kappa_delta_ball,
    kappa_is_private,
)
from oubli.sim.laws.discrete import (
    Law,
    are_close,
    dominates,
    extremal_pair,
    hockey_stick,
    hockey_stick_ball,
    mixture,
    product,
    total_variation,
)
from oubli.sim.laws.gaussian import gaussian_delta, gaussian_epsilon, gaussian_sigma
from oubli.sim.laws.gaussian_ball import (
    gaussian_attains,
    gaussian_delta_ball,
    gaussian_epsilon_ball,
    gaussian_sigma_ball,
)
from oubli.sim.laws.radial import radial_delta_up, radial_fit, radial_rate
from oubli.sim.laws.staircase import staircase, staircase_square_ball

__all__ = [
    "Enclosure",
    "Law",
    "PrecisionError",
    "arcsine_distance_ball",
    "are_close",
    "binomial_pmf_exact",
    "binomial_tv",
    "binomial_tv_ball",
    "binomial_tv_exact",
    "binomial_tv_gamma",
    "classical_kappa",
    "classical_kappa_ball",
    "dominates",
    "eps_frontier",
    "extremal_pair",
    "gaussian_attains",
    "gaussian_delta",
    "gaussian_delta_ball",
    "gaussian_epsilon",
    "gaussian_epsilon_ball",
    "gaussian_sigma",
    "gaussian_sigma_ball",
    "hockey_stick",
    "hockey_stick_ball",
    "kappa_delta_ball",
    "kappa_is_private",
    "mixture",
    "product",
    "radial_delta_up",
    "radial_fit",
    "radial_rate",
    "staircase",
    "staircase_square_ball",
    "total_variation",
]
