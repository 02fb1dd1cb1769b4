"""What was reproduced, what was not and why, in plain words and with this run's own numbers."""

from __future__ import annotations

import numpy as np

from oubli.checks.experiments.diagram import Diagram
from oubli.checks.experiments.slopes import Slope
from oubli.sim import laws
from oubli.sim.experiments.synthetic.protocol import Synthetic, eps_of
from oubli.sim.laws.decimals import float_down
from oubli.sim.laws.exact import exact

WARM_START = {
    "printed": """Its first step has length 1/μ, so after one step nothing of the trained model is left; only
        the average keeps a trace of it, of weight 2/((T+1)(T+2)), and its weights sum to T/(T+2). As printed
        it is retraining with a noisy first point.""",
    "charitable": """Projected, and averaged with weights that sum to one; but its first step still has length
        1/μ and forgets the trained model: past the first step it is retraining.""",
    "constant-step": """The algorithm that the proof analyses: the warm start is kept, and the step is chosen
        for the horizon T.""",
    "noise and fine-tune": """Algorithm 2 as the appendix runs it: noise around the trained model, then plain
        SGD; the last iterate is judged.""",
}
READING = {
    "first passage": """T_e as the experiment measures it: the first time at which a run's own error passes e,
        averaged over all runs that pass. A path that crosses the optimum by chance passes early, so this can
        be far shorter than the definition.""",
    "definition": """T_e as defined, min{T : E excess ≤ e}: exact where a closed form is known, else from the
        mean over the runs.""",
}


def flat(text: str) -> str:
    """One line of a wrapped text.

    >>> flat("a  b")
    'a b'
    """
    return " ".join(text.split())


REASONS = [
    flat(
        """Warm start lost in the first step: Algorithm 2 as printed takes a first step of length 1/μ, which
        replaces the trained and noised model by a single gradient. From then on it is retraining, so its
        ratio jumps from 0 (the noised model is good enough as it is) to about 1, with almost nothing between:
        the level lines 0.1, 0.5 and 0.9 nearly coincide. The constant step, which the proof analyses, keeps
        the warm start."""
    ),
    flat(
        """First passage against expectation: the experiment records when a run's own error first passes e;
        the theory speaks of the first T at which the expected error is at most e. A path that crosses the
        optimum by chance passes early, for unlearning and for retraining alike, so the two readings of one
        algorithm differ in the slope and in the place of the level lines."""
    ),
]
DIGITS_REASONS = [
    flat(
        """Warm start kept: on the digits the first step has length 1e-2, so the noised model is followed
        down and not thrown away. What the diagram shows is how long the noise takes to be forgotten."""
    ),
    flat(
        """First passage against expectation: near the floor of the minibatch noise a run passes e by chance
        before its expected error is that low, for unlearning and for retraining alike."""
    ),
]


def note(diagram: Diagram, slopes: list[Slope]) -> str:
    """The text under one diagram."""
    start = WARM_START.get(diagram.algorithm, "The user's own algorithm.")
    return flat(" ".join([READING[diagram.reading], start, _shares(diagram), _slopes(diagram, slopes)]))


def _shares(diagram: Diagram) -> str:
    shares = ", ".join(f"{word} {100 * share:.0f} %" for word, share in diagram.shares.items() if share)
    return f"Cells: {shares}."


def _slopes(diagram: Diagram, slopes: list[Slope]) -> str:
    mine = [s for s in slopes if (s.algorithm, s.reading) == (diagram.algorithm, diagram.reading)]
    parts = [
        f"{s.level:g}: {s.slope:.2f} ± {s.error:.2f}" if s.slope is not None else f"{s.level:g}: no line"
        for s in mine
    ]
    return f"Slopes of the level lines, κ against e: {'; '.join(parts)}. The paper reads 1 and 1/2."


def limits(protocol: Synthetic) -> list[str]:
    """What holds of the whole experiment: where it leaves the theory's range."""
    return [kappa_range(protocol.delta, protocol.kappas), _class(protocol), _zero_model(protocol)]


def kappa_range(delta: float, kappas: tuple[float, ...]) -> str:
    """How much of the axis is not private, by the exact law of Gaussian noise."""
    frontier = float_down(laws.eps_frontier(exact(repr(delta), "delta"), 20)[0])
    least = eps_of(1.0, delta) / frontier
    share = float(np.mean(np.array(kappas) < least))
    return flat(
        f"""κ outside its range: at δ = {delta:g} the classical noise multiplier gives the privacy it claims
        only for ε ≤ {frontier:.3g}, that is κ ≥ {least:.3g}; {100 * share:.0f} % of the κ axis lies below."""
    )


def _class(protocol: Synthetic) -> str:
    if protocol.outside:
        return f"Loss outside its class: {protocol.outside}."
    return flat(
        f"""Loss: at d = {protocol.d} it is inside the class; for even d > 4, which the paper does not
        exclude, it is not."""
    )


def _zero_model(protocol: Synthetic) -> str:
    first = float(protocol.problem(1).excess_risk(np.zeros((1, protocol.d)))[0])
    return flat(
        f"""On the T-th problem the zero model has excess {first:.3g}/T: retraining passes every larger e at
        time 0. The average that the ratio is divided by therefore counts many zeros, and is 0 for e above
        {first:.3g}: there the ratio says nothing."""
    )
