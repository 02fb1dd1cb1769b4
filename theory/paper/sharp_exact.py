"""The repaired printed bounds with any private noise: only its second moment enters, not the classical kappa."""

from __future__ import annotations

import sympy as sp

from theory.paper.algorithms import D0, mean_gap, step_size
from theory.paper.build import by, eq, fact, ge, given, le, repair, state
from theory.paper.optima import dist, gap
from theory.paper.trivial import excess, noise, rise
from theory.proof import Given, Lemma
from theory.symbols import NONNEGATIVE, POSITIVE, L, T, d, e, mu, parameter, r_f

rms = parameter("n_e", NONNEGATIVE, "a bound on sqrt(E|z|^2), z the noise, 0 included")
_facts = (
    fact("definition", eq(excess, rise + gap)),
    # Projection on the ball keeps both ends in it, where every loss is L-Lipschitz.
    fact("Lipschitz", le(rise, L * noise)),
    fact("Jensen", le(noise, rms)),
)
_loss = r_f**2 * L**2 / (2 * mu * (1 - r_f) * (1 + r_f))
_trivial = state(le(excess, e), *_facts, given(ge(e, _loss + L * rms)))
_line = state(
    le(excess, e), *_facts, given(ge(e, r_f**2 * L**2 / (2 * mu) + L * rms)), fact("definition", eq(d, 1))
)
whole = parameter("q_e", POSITIVE, "sqrt(E|z|^2 + r^2 L^2/mu^2): how far the start lies from theta_r*")
_steps = state(
    le(mean_gap, e),
    # Noise of mean 0, independent of the start; projecting does not increase the distance.
    fact("moments", le(D0, rms**2 + dist**2)),
    given(eq(whole**2, rms**2 + r_f**2 * L**2 / mu**2)),
    fact("definition", eq(step_size * sp.sqrt(T) * L, whole)),
    given(ge(T * e**2, L**2 * whole**2)),
    given(ge(T, 1)),
)
_terms = ((1, Given(3)), (-1, Given(0)), (1, Given(1)), (L, Given(2)))

CLAIMS = (
    repair(
        "sharp.exact.trivial",
        531,
        "e >= r^2 L^2/(2 mu (1 - r^2)) + L sqrt(E|z|^2): projected private noise alone reaches e",
        _trivial,
        proof=by(_trivial, *_terms, (1, Lemma("opt_loss.sharper"))),
        note="trivial.repaired with the noise left open: its privacy is a claim of its own.",
    ),
    repair(
        "sharp.exact.trivial.line",
        531,
        "on the line e >= r^2 L^2/(2 mu) + L sqrt(E|z|^2) suffices",
        _line,
        proof=by(_line, *_terms, (1, Lemma("opt_loss.line"))),
    ),
    repair(
        "sharp.exact.steps",
        1111,
        "T >= L^2 (E|z|^2 + r^2 L^2/mu^2)/e^2 projected constant steps from projected private noise reach e",
        _steps,
        proof=by(
            _steps,
            (1, Lemma("sgd.constant_step.repaired")),
            (1 / (2 * step_size * T), Given(0)),
            (1 / (2 * step_size * T) * (r_f * L / mu + dist), Lemma("opt_dist.sharp")),
            (1 / (2 * step_size * T), Given(1)),
            (whole / (2 * step_size * T) - L / (2 * sp.sqrt(T)), Given(2)),
            (1 / (sp.sqrt(T) * (e * sp.sqrt(T) + L * whole)), Given(3)),
        ),
        note="efficient.steps with the noise left open.",
    ),
)
