"""A point between the optima: it costs a share of what theta* costs, less a multiple of |theta* - theta_r*|^2.

Fine-tuning may be compared with u = tau theta* + (1 - tau) theta_r* instead of theta*: u is cheaper, and nearer to
the start than theta_r*. Only the analysis knows u. Where the share is kappa, tau = kappa/(1 + r (1 - kappa)) saves
mu kappa/(2 (1 - r^2)(1 - kappa)) |theta* - u|^2, the most that any tau does.
"""

from __future__ import annotations

from fractions import Fraction

from oubli.theory.kernel.symbols import Domain, parameter
from oubli.theory.paper.letters import L, forgotten, mu, r, retained, rho
from oubli.theory.paper.optima import D, F, across, pull, theta_all, theta_r
from oubli.theory.records.build import by, le, state, theorem
from oubli.theory.records.objects import excess, term
from oubli.theory.records.proof import Schema, SquaredNorm

share_between = parameter(
    "share_between",
    Domain(Fraction(0), Fraction(1), lower_open=True),
    "which share of the price of theta* is paid",
)
_scale = 1 + r * (1 - share_between)
tau, apart = share_between / _scale, (1 + r) * (1 - share_between) / _scale  # apart = 1 - tau
between = tau * theta_all + apart * theta_r
in_ball = (
    (tau, Schema("ball", (theta_all,))),
    (apart, Schema("ball", (theta_r,))),
    (tau * apart, SquaredNorm(across)),
)
price = share_between * r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
saved = mu * share_between * (1 + r) * (1 - share_between) / (2 * (1 - r) * _scale**2)
a_between = term("a_between", excess(retained, between), "L_r(u) - L_r*, u between the optima")
_cheaper = state(le(a_between + saved * D**2, price))
_there = {0: in_ball}

CLAIMS = (
    theorem(
        "sharp.between",
        "opt_loss",
        "u = tau theta* + (1 - tau) theta_r*, tau = kappa/(1 + r (1 - kappa)), costs at most kappa r^2 L^2/(2 mu (1 - r^2)) "
        "- mu kappa/(2 (1 - r^2)(1 - kappa)) |theta* - u|^2, for every share kappa <= 1",
        _cheaper,
        proof=by(
            _cheaper,
            (tau, Schema("strong convexity", (retained, between, theta_all), _there)),
            (apart, Schema("strong convexity", (retained, between, theta_r), _there)),
            (tau / (1 - r), Schema("strong convexity", (F, theta_all, theta_r, F))),
            (tau / (1 - r), Schema("stationary", (F, across))),
            (tau * rho, Schema("strong convexity", (forgotten, theta_r, theta_all, retained))),
            (price / L**2, Schema("Lipschitz", (forgotten, theta_r, retained))),
            (
                tau**2 * mu * (1 + r) / (2 * share_between * (1 - r)),
                SquaredNorm((r * _scale / (mu * (1 + r))) * pull - across),
            ),
        ),
        note="At kappa = 1 it is opt_loss.sharper. |theta* - u| is (1 - tau) |theta* - theta_r*|.",
    ),
)
