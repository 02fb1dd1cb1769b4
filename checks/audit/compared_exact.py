"""A declared start against retraining: theta* and theta_r* lie within r_f L/mu, in every dimension."""

from __future__ import annotations

from oubli.checks.audit.declared import Claim, declaration, exact, placed
from oubli.checks.audit.finding import Finding, Judgement
from oubli.checks.audit.pairs import Pair, line_pair
from oubli.checks.audit.retraining import against_retraining, retrain_distance
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import Subject


def retrain_claim(subject: Subject, settings: Settings) -> Claim:
    """Each of two forget laws against retraining without it, for every pair of them.

    >>> from oubli.checks.audit.subject import subject_of
    >>> from oubli.sim.algorithms import ProjectedNoise
    >>> found = retrain_claim(subject_of(ProjectedNoise), Settings(eps=1.0, delta=1e-5, rf=0.1))
    >>> round(max(pair.distance for pair in found.pairs), 9)
    0.1
    """
    pairs = [
        Pair(f"{pair.name}: {words}, or retrained", against_retraining(problem))
        for pair in placed(subject, settings)
        for words, problem in zip(("the first", "the second"), pair.sides, strict=True)
    ]
    return Claim("-close to retraining", retrain_distance(settings.rf), tuple(pairs))


def retrain_exact(subject: Subject, settings: Settings, closed: bool) -> list[Finding]:
    """Nothing without `noise_scale`; else the test of it, and the exact verdict on closeness to retraining.

    `closed` says that what follows the start was found to be post-processing of it. A rule with a `retrain`
    of its own is compared with that, whose law nobody declares.
    """
    rule = subject.on(line_pair(0.0, settings.rf, settings.dim).problem)
    scale = rule.declared("noise_scale", settings.setup())
    if scale is None or subject.trains:
        return []
    tested = declaration(subject, settings, scale)
    if tested.verdict is Judgement.VIOLATED or rule.has("retrain"):
        return [tested]
    return [tested, exact(subject, settings, scale, closed, retrain_claim(subject, settings))]
