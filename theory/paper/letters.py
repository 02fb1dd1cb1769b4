"""The paper's own letters, the class F_sc(mu, L) on its ball, and what is derived from them."""

from __future__ import annotations

from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Hypothesis
from oubli.theory.kernel.symbols import COUNT, NATURAL, NONNEGATIVE, OPEN_UNIT, POSITIVE, UNIT, parameter
from oubli.theory.records.objects import (
    algorithm,
    event,
    forget,
    given_data,
    learner,
    mix,
    opt,
    problem,
    retain,
    term,
    time,
    unlearner,
    worst,
)

r = parameter("r", OPEN_UNIT, "r_f, the fraction of the data to forget")
L = parameter("L", POSITIVE, "Lipschitz constant of the losses on the ball")
mu = parameter("mu", POSITIVE, "strong convexity of the losses on the ball")
d = parameter("d", COUNT, "dimension of the parameters")
epsilon = parameter("epsilon", POSITIVE, "privacy budget, multiplicative part")
delta = parameter("delta", OPEN_UNIT, "privacy budget, additive part")
e = parameter("e", POSITIVE, "target excess risk")
T = parameter("T", NATURAL, "number of stochastic gradients")
gamma = parameter("gamma", UNIT, "mean of the signs g on the retain data")
data = problem("data")
retained, forgotten = retain(data), forget(data)
# theta* of the problem that a rule is given.
old_optimum = opt(mix(r, forget(given_data), retain(given_data)))
# Any rule, any (epsilon, delta)-unlearning one, any that starts from scratch, and any event.
A_any, A_private, A_scratch = algorithm("A_any"), unlearner("A_private"), learner("A_scratch")
S_any = event("S_any")
M_any = term("M_any", worst(A_any, T), "worst expected excess risk of a rule, over all problems")
M = term("M", worst(A_private, T), "worst expected excess risk of an unlearning rule, over all problems")
M_still = term("M_still", worst(A_private, 0), "the same without a gradient")
M_scratch = term("M_scratch", worst(A_scratch, T), "the same of a rule that starts from scratch")
# The minimax times (def.time).
minimax_scratch, minimax_private = time("learner", e), time("unlearner", e, r, epsilon, delta)
T_S = term("T_S", minimax_scratch, "T^S_e, the minimax time of retraining")
T_U = term("T_U", minimax_private, "T^U_e, the minimax time of unlearning")
kappa = parameter("kappa", NONNEGATIVE, "noise scale per unit of sensitivity")

R = L / (2 * mu)
e0 = L**2 / (8 * mu)
rho = r / (1 - r)

# The witnesses live at L = 2, mu = 1, where R = 1, e0 = 1/2 and h ranges over [-1, 1].
LEVEL = ((-1, 0), (1, 0))


def centred(at: Any) -> tuple[tuple[Any, Any], ...]:
    """The quadratic (theta - at)^2 / 2, at L = 2, mu = 1."""
    return ((-1, -sp.Rational(at)), (1, -sp.Rational(at)))


def classical_kappa(budget: sp.Expr, chance: sp.Expr) -> sp.Expr:
    """The paper's kappa, l.496: sqrt(2 ln(1.25/delta))/epsilon.

    >>> classical_kappa(sp.Integer(1), sp.Rational(5, 4))
    0
    """
    return sp.sqrt(2 * sp.log(sp.Rational(5, 4) / chance)) / budget


def private_noise() -> tuple[Hypothesis, Hypothesis]:
    """epsilon <= 1 with the classical kappa: where noise kappa is proved private (gauss.kappa.small)."""
    tied = sp.Eq(kappa * epsilon, sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)), evaluate=False)
    return Hypothesis(sp.Le(epsilon, 1, evaluate=False)), Hypothesis(tied)
