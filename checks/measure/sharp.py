"""Which source measures which of our sharper claims."""

from __future__ import annotations

from checks.measure import (
    sharp_chains,
    sharp_coins,
    sharp_cube,
    sharp_hops,
    sharp_kink,
    sharp_members,
    sharp_privacy,
    sharp_release,
    sharp_trees,
    sharp_walks,
)
from checks.measure.source import Source

BY_SOURCE: dict[tuple[Source, ...], tuple[str, ...]] = {
    (sharp_members.POINT, sharp_members.WALL): (
        "sharp.noise_lemma",
        "sharp.sensitivity.slope",
        "sharp.sensitivity.sphere",
    ),
    (sharp_members.CIRCLE, sharp_members.WALL_CIRCLE): ("sharp.sensitivity.line",),
    (sharp_members.STEP,): (
        "sharp.noise_lemma.mean",
        "sharp.sgd.step",
        "sharp.linear.step",
        "sharp.linear.shift",
    ),
    (sharp_members.FAMILY,): ("sharp.cube.member", "sharp.cube.subspace"),
    (sharp_release.RELEASE,): ("sharp.release",),
    (sharp_release.OLD,): ("sharp.release.best", "sharp.trivial", "sharp.exact.trivial"),
    (sharp_release.LINE,): ("sharp.exact.trivial.line",),
    (sharp_release.NEAR,): ("sharp.trivial.near",),
    (sharp_trees.OLD, sharp_walks.OLD): ("sharp.sgd.rate", "sharp.efficient"),
    (sharp_trees.NEAR, sharp_walks.NEAR): ("sharp.efficient.near",),
    (sharp_trees.SCRATCH, sharp_walks.SCRATCH): ("sharp.scratch.upper",),
    (sharp_trees.CONSTANT, sharp_walks.CONSTANT): ("sharp.exact.steps",),
    (sharp_walks.GROWING,): ("sharp.linear.weights", "sharp.linear.rate", "sharp.scratch.linear"),
    (sharp_walks.SUMS,): ("sharp.sgd.harmonic",),
    (sharp_coins.TABLES,): ("sharp.worst_mean", "sharp.scratch.risk", "sharp.scratch.lower"),
    (sharp_privacy.GAUSSIAN,): ("sharp.noise.gaussian",),
    (sharp_privacy.RADIAL,): ("sharp.noise.radial",),
    (sharp_privacy.MOMENT,): ("sharp.noise.radial.moment",),
    (sharp_privacy.RETRAINED,): ("sharp.retraining",),
    (sharp_privacy.HOP,): ("sharp.two_point.hop",),
    (sharp_kink.PAIRS, sharp_kink.WALLS): ("sharp.sensitivity.half_chord", "sharp.sensitivity.dual"),
    (sharp_kink.KINK,): ("sharp.kink", "sharp.kink.output"),
    (sharp_hops.HOP,): ("sharp.lower.side", "sharp.lower.hop", "sharp.lower.hop.cap"),
    (sharp_chains.MEANS,): ("sharp.lower", "sharp.lower.chain", "sharp.lower.capped", "sharp.lower.segment"),
    (sharp_chains.COINS,): ("sharp.two_point", "sharp.two_point.arcsine"),
    (sharp_chains.FEW,): ("sharp.two_point.few",),
    (sharp_chains.ONE,): ("sharp.two_point.one",),
    (sharp_chains.VARIATION,): ("sharp.two_point.chain",),
    (sharp_cube.LEAKY,): ("sharp.cube.spread", "sharp.cube.error", "sharp.cube.hop"),
    (sharp_cube.SIGNS,): ("sharp.cube.segments", "sharp.cube.info"),
    (sharp_cube.LINEAR,): ("sharp.cube",),
}
