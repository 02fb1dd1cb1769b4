"""Two definitions of unlearning, and what each implies for the other.

Pair: for every two forget laws D_f, D_f' the outputs are (eps, delta)-indistinguishable (the paper's
Definition 2). Retrain: for every D_f the output is (eps, delta)-indistinguishable from the reference, what
the same procedure releases when the forget data never were in the training set.

- Retrain (eps, delta) implies pair (2 eps, (1 + e^eps) delta): P(E) <= e^eps R(E) + delta <= e^eps (e^eps
  Q(E) + delta) + delta. No smaller eps is implied: laws whose densities are e^eps and e^-eps times that of
  the reference on one event differ by 2 eps there.
- Pair (eps, delta) implies retrain (eps, delta), with the reference "D_f' is the retain law": that is a
  forget law like any other, and theta* of it is theta_r*. It implies nothing about another reference.
"""

from __future__ import annotations

import math
from dataclasses import replace

from oubli.sim.problems.problem import Problem


def implied_pair_budget(eps: float, delta: float) -> tuple[float, float]:
    """What (eps, delta)-closeness to retraining implies for pairs of forget sets, rounded up.

    >>> implied_pair_budget(1.0, 0.0)
    (2.0, 0.0)
    >>> round(implied_pair_budget(1.0, 1e-5)[1], 9)
    3.7183e-05
    """
    grown = (1 + math.exp(min(eps, 700.0))) * delta
    return 2 * eps, min(1.0, math.nextafter(grown, math.inf)) if delta > 0 else 0.0


def retrained(problem: Problem) -> Problem:
    """The problem whose forget law is the retain law: theta* is theta_r*, and nothing is to be forgotten.

    >>> from oubli.sim.problems.problem import hard_problem
    >>> problem = hard_problem(0.5, 0.1, 1, 1.0, 1.0)
    >>> abs(retrained(problem).full_optimum.point - problem.retain_optimum.point) < 1e-14
    array([ True])
    """
    return replace(problem, forget=problem.retain, alternative=problem.forget)


def against_retraining(problem: Problem) -> Problem:
    """The pair that compares D_f with retraining: the alternative forget law is the retain law."""
    return replace(problem, alternative=problem.retain)


def retrain_distance(rf: float) -> float:
    """A bound on the distance of theta* and theta_r* for L = mu = 1, in every dimension.

    With F = (1 − rf) L_r + rf L_f: F is mu-strongly convex, theta* minimises it and at theta_r* it has the
    subgradient rf·g with g one of L_f, of norm at most L; so mu|theta* − theta_r*| <= rf L.

    >>> retrain_distance(0.1)
    0.1
    """
    return rf
