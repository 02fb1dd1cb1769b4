"""Planted errors in the exact laws."""

from typing import Any

import numpy as np

from oubli.checks.measure import cross, privacy, two_starts
from oubli.sim.laws import binomial_tv_gamma, discrete, gaussian_delta
from tests.adversarial.planted import fallen, planted_in, quick, sharp

_tv = binomial_tv_gamma
_divergence = privacy.divergence
_started = two_starts.released


def _one_sided(one: Any, other: Any) -> float:
    return float(sum(max(p - 2 * other.get(x, 0.0), 0.0) for x, p in one.items()))


# What is wrong: the check that catches it, the name that is replaced, by what, and that check.
LAWS = planted_in("law", {
    "binomial TV 5 % too large": (
        "stands[binomial_tv]", "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 1.05 * np.asarray(_tv(T, g, h)), quick("binomial_tv")),
    "binomial TV not halved": (
        "stands[binomial_tv.arcsin]", "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: 2 * np.asarray(_tv(T, g, h)), quick("binomial_tv.arcsin")),
    "binomial TV with T + 1": (
        "stands[binomial_tv]", "checks.measure.binomial.binomial_tv_gamma",
        lambda T, g, h: _tv(np.asarray(T) + 1, g, h), quick("binomial_tv")),
    "binomial TV always 0": (
        "sharp[binomial_tv]", "checks.measure.binomial.binomial_tv_gamma", lambda T, g, h: 0 * np.asarray(g),
        lambda: sharp("binomial_tv")),
    "Gaussian delta at half the noise": (
        "gauss_agrees", "checks.measure.privacy.gaussian_delta",
        lambda e, s: gaussian_delta(e, np.asarray(s) / 2), cross.gauss_agrees),
    "Gaussian delta without e^eps": (
        "gauss_agrees", "checks.measure.privacy.gaussian_delta",
        lambda e, s: gaussian_delta(1e-6 + 0 * np.asarray(e), s), cross.gauss_agrees),
    "divergence at e^(2 eps)": (
        "stands[tv_dp.sharp]", "checks.measure.privacy.divergence", lambda P, Q, f: _divergence(P, Q, f**2),
        quick("tv_dp.sharp")),
    "divergence in one direction only, halved": (
        "stands[tv_dp.sharp]", "checks.measure.privacy.divergence", lambda P, Q, f: _divergence(P, Q, f) / 2,
        quick("tv_dp.sharp")),
    "total variation taken at e^eps = 2": (
        "falls[tv_bound]", "checks.measure.explicit.variation", _one_sided, fallen("tv_bound")),
    "a start at the other side": (
        "falls[two_point]", "checks.measure.two_starts.released",
        lambda m, f, r, L, mu: _started(m, -f, r, L, mu), fallen("two_point")),
    "hockey stick without its factor": (
        "falls[def.to_reference]", "checks.measure.witness.hockey_stick",
        lambda P, Q, f: discrete.hockey_stick(P, Q, 1), fallen("def.to_reference")),
})  # fmt: skip
