"""The repaired printed bounds with any private noise: only its second moment enters, not the classical kappa."""

from __future__ import annotations

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.paper.algorithms import gamma_step, y_start
from oubli.theory.paper.descent import Descent, n_noise, q_start, z_any
from oubli.theory.paper.letters import L, T, d, e, mu, r, retained
from oubli.theory.paper.optima import D, theta_all, theta_r
from oubli.theory.records.build import by, eq, ge, given, le, state, theorem
from oubli.theory.records.objects import excess, grad, inner, iterate, mean, proj, term
from oubli.theory.records.proof import Given, Lemma, Mean, Schema, SquaredNorm, Step

start = theta_all + z_any
hat = proj(start)
E_square = term("E_square", mean(inner(z_any, z_any)), "E|z|^2 of the noise")
E_cross = term(
    "E_cross", mean(inner(z_any, theta_all - theta_r)), "E<z, theta* - theta_r*>, 0 for centred noise"
)
X_private = term("X_private", mean(excess(retained, hat)), "E L_r(projected release) - L_r*")
_bounded, _centred = given(le(E_square, n_noise**2)), given(le(E_cross, 0))


def _alone(loss: sp.Expr, key: str, *line: Hypothesis) -> tuple[Statement, tuple[Step, ...]]:
    """Projected noise alone reaches e >= loss + L n: strong convexity and the Lipschitz bound at the release."""
    slope, moved = grad(retained, hat), hat - theta_all
    says = state(le(X_private, e), given(ge(e, loss + L * n_noise)), _bounded, *line)
    size = L / (2 * n_noise)
    return says, by(
        says,
        (1, Given(0)),
        (size, Given(1)),
        (1, Lemma(key)),
        (1, Mean(Schema("strong convexity", (retained, hat, theta_all)))),
        (mu / 2, Mean(SquaredNorm(moved))),
        (n_noise / (2 * L), Mean(Schema("Lipschitz", (retained, hat)))),
        (1 / (2 * L * n_noise), Mean(SquaredNorm(n_noise * slope - L * moved))),
        (size, Mean(Schema("projection", (start, theta_all)))),
    )


_trivial, _trivial_proof = _alone(r**2 * L**2 / (2 * mu * (1 - r) * (1 + r)), "opt_loss.sharper")
_line, _line_proof = _alone(r**2 * L**2 / (2 * mu), "opt_loss.line", given(eq(d, 1)))

# Constant steps from the start theta* + z, projected.
private = Descent("private", hat, gamma_step, sp.Integer(1), T - 1)
G_private, D_private = private.gap(), private.distance("first", 0)
_steps = state(
    le(G_private, e),
    _bounded,
    _centred,
    given(eq(q_start**2, n_noise**2 + r**2 * L**2 / mu**2)),
    given(eq(gamma_step * sp.sqrt(T) * L, q_start)),
    given(ge(T * e**2, L**2 * q_start**2)),
    given(ge(T, 1)),
)
_first = iterate(private.run, 0)
_share = 1 / (2 * gamma_step * T)

CLAIMS = (
    theorem(
        "sharp.exact.trivial",
        "trivial",
        "e >= r^2 L^2/(2 mu (1 - r^2)) + L sqrt(E|z|^2): projected private noise alone reaches e",
        _trivial,
        proof=_trivial_proof,
        note="trivial.repaired with the noise left open: its privacy is a claim of its own.",
    ),
    theorem(
        "sharp.exact.trivial.line",
        "trivial",
        "on the line e >= r^2 L^2/(2 mu) + L sqrt(E|z|^2) suffices",
        _line,
        proof=_line_proof,
    ),
    theorem(
        "sharp.exact.steps",
        "efficient.time",
        "T >= L^2 (E|z|^2 + r^2 L^2/mu^2)/e^2 projected constant steps from projected private noise reach e",
        _steps,
        proof=by(
            _steps,
            (1, Lemma("sgd.constant_step.repaired", {y_start: start})),
            # Noise of mean 0, independent of the start; projecting does not increase the distance.
            (-_share, Mean(Schema("start", (private.run, _first + hat - 2 * theta_r)))),
            (_share, Mean(Schema("projection", (start, theta_r)))),
            (_share, Given(0)),
            (2 * _share, Given(1)),
            (_share * (r * L / mu + D), Lemma("opt_dist.sharp")),
            (_share, Given(2)),
            (q_start * _share - L / (2 * sp.sqrt(T)), Given(3)),
            (1 / (sp.sqrt(T) * (e * sp.sqrt(T) + L * q_start)), Given(4)),
        ),
        note="efficient.steps with the noise left open.",
    ),
)
