"""Which source measures which of our sharper claims."""

from __future__ import annotations

from oubli.checks.measure.sharper import (
    chains,
    coins,
    cube,
    hops,
    kink,
    members,
    privacy,
    release,
    trees,
    walks,
)
from oubli.checks.measure.source import Source

BY_SOURCE: dict[tuple[Source, ...], tuple[str, ...]] = {
    (members.POINT, members.WALL): (
        "sharp.noise_lemma",
        "sharp.sensitivity.slope",
        "sharp.sensitivity.sphere",
    ),
    (members.OUTSIDE, members.WALL_OUTSIDE): ("sharp.noise_lemma.sphere",),
    (members.CIRCLE, members.WALL_CIRCLE): ("sharp.sensitivity.line",),
    (members.STEP,): (
        "sharp.noise_lemma.mean",
        "sharp.sgd.step",
        "sharp.linear.step",
        "sharp.linear.shift",
    ),
    (members.FAMILY,): ("sharp.cube.member", "sharp.cube.subspace"),
    (release.RELEASE,): ("sharp.release",),
    (release.OLD,): ("sharp.release.best", "sharp.trivial", "sharp.exact.trivial"),
    (release.LINE,): ("sharp.exact.trivial.line",),
    (release.NEAR,): ("sharp.trivial.near",),
    (trees.OLD, walks.OLD): ("sharp.sgd.rate", "sharp.efficient"),
    (trees.NEAR, walks.NEAR): ("sharp.efficient.near",),
    (trees.SCRATCH, walks.SCRATCH): ("sharp.scratch.upper",),
    (trees.CONSTANT, walks.CONSTANT): ("sharp.exact.steps",),
    (walks.GROWING,): ("sharp.linear.weights", "sharp.linear.rate", "sharp.scratch.linear"),
    (walks.SUMS,): ("sharp.sgd.harmonic",),
    (coins.TABLES,): ("sharp.worst_mean", "sharp.scratch.risk", "sharp.scratch.lower"),
    (privacy.GAUSSIAN,): ("sharp.noise.gaussian",),
    (privacy.RADIAL,): ("sharp.noise.radial",),
    (privacy.MOMENT,): ("sharp.noise.radial.moment",),
    (privacy.SHIFT,): ("sharp.noise.radial.shift", "sharp.noise.radial.exact"),
    (privacy.STAIRS,): ("sharp.noise.staircase", "sharp.noise.staircase.shell"),
    (privacy.STAIRS_MOMENT,): ("sharp.noise.staircase.moment",),
    (privacy.RETRAINED,): ("sharp.retraining",),
    (privacy.HOP,): ("sharp.two_point.hop",),
    (kink.PAIRS, kink.WALLS): ("sharp.sensitivity.half_chord", "sharp.sensitivity.dual"),
    (kink.KINK,): ("sharp.kink", "sharp.kink.output"),
    (hops.HOP,): ("sharp.lower.side", "sharp.lower.hop", "sharp.lower.hop.cap"),
    (chains.MEANS,): ("sharp.lower", "sharp.lower.chain", "sharp.lower.capped", "sharp.lower.segment"),
    (chains.COINS,): ("sharp.two_point", "sharp.two_point.arcsine"),
    (chains.FEW,): ("sharp.two_point.few",),
    (chains.ONE,): ("sharp.two_point.one",),
    (chains.VARIATION,): ("sharp.two_point.chain",),
    (cube.LEAKY,): ("sharp.cube.spread", "sharp.cube.error", "sharp.cube.hop"),
    (cube.SIGNS,): ("sharp.cube.segments", "sharp.cube.info"),
    (cube.LINEAR,): ("sharp.cube",),
}
