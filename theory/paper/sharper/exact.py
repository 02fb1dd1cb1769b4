"""The repaired printed bounds with any private noise: only its second moment enters, not the classical kappa."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.symbols import NONNEGATIVE, POSITIVE, letter, parameter
from oubli.theory.paper.algorithms import D_0, G_average, gamma_step
from oubli.theory.paper.letters import L, T, d, e, mu, r
from oubli.theory.paper.optima import D, a_retain
from oubli.theory.paper.trivial import X_excess, X_rise
from oubli.theory.records.build import by, eq, fact, ge, given, le, state, theorem
from oubli.theory.records.proof import Given, Lemma

n_noise_or_zero = parameter(
    "n_noise_or_zero", NONNEGATIVE, "a bound on sqrt(E|z|^2), z the noise, 0 included"
)
z_mean = letter("z_mean", NONNEGATIVE, "E|z|, mean length of the noise before projection")
_facts = (
    fact("definition", eq(X_excess, X_rise + a_retain)),
    # Projection on the ball keeps both ends in it, where every loss is L-Lipschitz.
    fact("Lipschitz", le(X_rise, L * z_mean)),
    fact("Jensen", le(z_mean, n_noise_or_zero)),
)
_loss = r**2 * L**2 / (2 * mu * (1 - r) * (1 + r))
_trivial = state(le(X_excess, e), *_facts, given(ge(e, _loss + L * n_noise_or_zero)))
_line = state(
    le(X_excess, e),
    *_facts,
    given(ge(e, r**2 * L**2 / (2 * mu) + L * n_noise_or_zero)),
    fact("definition", eq(d, 1)),
)
q_start = parameter("q_start", POSITIVE, "sqrt(E|z|^2 + r^2 L^2/mu^2): how far the start lies from theta_r*")
_steps = state(
    le(G_average, e),
    # Noise of mean 0, independent of the start; projecting does not increase the distance.
    fact("moments", le(D_0, n_noise_or_zero**2 + D**2)),
    given(eq(q_start**2, n_noise_or_zero**2 + r**2 * L**2 / mu**2)),
    fact("definition", eq(gamma_step * sp.sqrt(T) * L, q_start)),
    given(ge(T * e**2, L**2 * q_start**2)),
    given(ge(T, 1)),
)
_terms = ((1, Given(3)), (-1, Given(0)), (1, Given(1)), (L, Given(2)))

CLAIMS = (
    theorem(
        "sharp.exact.trivial",
        "trivial",
        "e >= r^2 L^2/(2 mu (1 - r^2)) + L sqrt(E|z|^2): projected private noise alone reaches e",
        _trivial,
        proof=by(_trivial, *_terms, (1, Lemma("opt_loss.sharper"))),
        note="trivial.repaired with the noise left open: its privacy is a claim of its own.",
    ),
    theorem(
        "sharp.exact.trivial.line",
        "trivial",
        "on the line e >= r^2 L^2/(2 mu) + L sqrt(E|z|^2) suffices",
        _line,
        proof=by(_line, *_terms, (1, Lemma("opt_loss.line"))),
    ),
    theorem(
        "sharp.exact.steps",
        "efficient.time",
        "T >= L^2 (E|z|^2 + r^2 L^2/mu^2)/e^2 projected constant steps from projected private noise reach e",
        _steps,
        proof=by(
            _steps,
            (1, Lemma("sgd.constant_step.repaired")),
            (1 / (2 * gamma_step * T), Given(0)),
            (1 / (2 * gamma_step * T) * (r * L / mu + D), Lemma("opt_dist.sharp")),
            (1 / (2 * gamma_step * T), Given(1)),
            (q_start / (2 * gamma_step * T) - L / (2 * sp.sqrt(T)), Given(2)),
            (1 / (sp.sqrt(T) * (e * sp.sqrt(T) + L * q_start)), Given(3)),
        ),
        note="efficient.steps with the noise left open.",
    ),
)
