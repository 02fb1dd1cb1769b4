"""Planted errors in the exact laws."""

from fractions import Fraction
from typing import Any

import numpy as np

from oubli.checks.measure import cross, privacy
from oubli.sim.laws import binomial_tv_gamma, discrete, gaussian_delta
from tests.adversarial.planted import fallen, planted, quick, sharp

_tv = binomial_tv_gamma
_divergence = privacy.divergence


def _one_sided(P: Any, Q: Any) -> Fraction:
    return discrete.hockey_stick(P, Q, 2)


LAWS = [
    planted(
        "binomial TV 5 % too large",
        "law",
        "stands[binomial_tv]",
        "oubli.checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 1.05 * np.asarray(_tv(T, g, h)),
        quick("binomial_tv"),
    ),
    planted(
        "binomial TV not halved",
        "law",
        "stands[binomial_tv.arcsin]",
        "oubli.checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 2 * np.asarray(_tv(T, g, h)),
        quick("binomial_tv.arcsin"),
    ),
    planted(
        "binomial TV with T + 1",
        "law",
        "stands[binomial_tv]",
        "oubli.checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: _tv(np.asarray(T) + 1, g, h),
        quick("binomial_tv"),
    ),
    planted(
        "binomial TV always 0",
        "law",
        "sharp[binomial_tv]",
        "oubli.checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 0 * np.asarray(g),
        lambda: sharp("binomial_tv"),
    ),
    planted(
        "Gaussian delta at half the noise",
        "law",
        "gauss_agrees",
        "oubli.checks.measure.privacy.gaussian_delta",
        lambda e, s: gaussian_delta(e, np.asarray(s) / 2),
        cross.gauss_agrees,
    ),
    planted(
        "Gaussian delta without e^eps",
        "law",
        "gauss_agrees",
        "oubli.checks.measure.privacy.gaussian_delta",
        lambda e, s: gaussian_delta(1e-6 + 0 * np.asarray(e), s),
        cross.gauss_agrees,
    ),
    planted(
        "divergence at e^(2 eps)",
        "law",
        "stands[tv_dp.sharp]",
        "oubli.checks.measure.privacy.divergence",
        lambda P, Q, f: _divergence(P, Q, f**2),
        quick("tv_dp.sharp"),
    ),
    planted(
        "divergence in one direction only, halved",
        "law",
        "stands[tv_dp.sharp]",
        "oubli.checks.measure.privacy.divergence",
        lambda P, Q, f: _divergence(P, Q, f) / 2,
        quick("tv_dp.sharp"),
    ),
    planted(
        "total variation taken at e^eps = 2",
        "law",
        "falls[tv_bound]",
        "oubli.checks.measure.witness.total_variation",
        _one_sided,
        fallen("tv_bound"),
    ),
    planted(
        "hockey stick without its factor",
        "law",
        "falls[def.to_reference]",
        "oubli.checks.measure.witness.hockey_stick",
        lambda P, Q, f: discrete.hockey_stick(P, Q, 1),
        fallen("def.to_reference"),
    ),
]
