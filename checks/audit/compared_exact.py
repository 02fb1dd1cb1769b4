"""A declared start against retraining: theta* and theta_r* lie within r_f L/mu, in every dimension."""

from __future__ import annotations

from fractions import Fraction

from oubli.checks.audit.declared import SLACK, declaration
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.pairs import line_pair
from oubli.checks.audit.retraining import retrain_distance
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject
from oubli.sim.laws import gaussian_attains


def retrain_exact(subject: Subject, settings: Settings, closed: bool) -> list[Finding]:
    """Nothing without `noise_scale`; else the test of it, and whether it is proved to hide retraining.

    `closed` says that what follows the start was found to be post-processing of it.
    """
    rule = subject.on(line_pair(0.0, settings.rf, settings.dim).problem)
    scale = rule.declared("noise_scale", settings.setup())
    if scale is None or subject.trains:
        return []
    tested = declaration(subject, settings, scale)
    if tested.verdict is Judgement.VIOLATED:
        return [tested]
    eps, delta, most = settings.eps, settings.delta, retrain_distance(settings.rf)
    text = f"({eps:g}, {delta:g})-close to retraining from noise {scale:.6g}"
    measured = {"scale": scale, "proved_distance": most}
    enough = scale > 0 and gaussian_attains(
        Fraction(eps), Fraction(scale) / Fraction(most) * (1 + SLACK), Fraction(delta)
    )
    if not enough:
        says = "not proved: theta* and theta_r* may lie r_f L/mu apart, and the noise is less than that needs"
    elif not closed:
        says = "the start is exactly close enough, but what follows is more than post-processing of it"
    else:
        says = (
            "exactly close enough: theta* and theta_r* lie within r_f L/mu, and the rest is post-processing"
        )
    verdict = Judgement.CONSISTENT if enough and closed else Judgement.UNDECIDED
    return [
        tested,
        Finding("privacy exact", verdict, text, measured, 1.0, "every problem of the class", says),
    ]
