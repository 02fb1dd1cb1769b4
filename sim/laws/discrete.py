"""Finite laws in exact rationals: total variation, hockey-stick divergence, (ε,δ)-closeness.

For rational ε ≠ 0 the number e^ε is irrational (Lindemann), so no comparison with a rational is a tie: every
question below has an answer that balls of enough precision find.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from oubli.sim.laws.ball import Enclosure, as_ball, decide, refine
from oubli.sim.laws.exact import Exact, exact, exact_probability


@dataclass(frozen=True)
class Law:
    """A probability law on finitely many outcomes; the probabilities are exact and add up to 1.

    >>> Law({"heads": "1/3", "tails": "2/3"})["heads"]
    Fraction(1, 3)
    """

    probabilities: Mapping[Hashable, Exact]

    def __post_init__(self) -> None:
        kept = {outcome: exact_probability(p, "probability") for outcome, p in self.probabilities.items()}
        if sum(kept.values()) != 1:
            raise ValueError(f"probabilities add up to {sum(kept.values())}: they must add up to 1")
        positive = {outcome: p for outcome, p in kept.items() if p > 0}
        object.__setattr__(self, "probabilities", MappingProxyType(positive))

    def __getitem__(self, outcome: Hashable) -> Fraction:
        return exact(self.probabilities.get(outcome, Fraction(0)))

    def outcomes(self) -> tuple[Hashable, ...]:
        """The outcomes of positive probability."""
        return tuple(self.probabilities)


def total_variation(P: Law, Q: Law) -> Fraction:
    """max over events of P(E) − Q(E), exactly.

    >>> total_variation(Law({0: "1/2", 1: "1/2"}), Law({0: "1/4", 1: "3/4"}))
    Fraction(1, 4)
    """
    return hockey_stick(P, Q, 1)


def hockey_stick(P: Law, Q: Law, factor: Exact) -> Fraction:
    """max over events of P(E) − factor·Q(E), exactly, for a rational factor (the e^ε) at least 0.

    >>> hockey_stick(Law({0: "1/2", 1: "1/2"}), Law({0: "1/8", 1: "7/8"}), 2)
    Fraction(1, 4)
    """
    scale = exact(factor, "factor")
    return sum((max(P[o] - scale * Q[o], Fraction(0)) for o in P.outcomes()), Fraction(0))


def hockey_stick_ball(P: Law, Q: Law, eps: Exact, digits: int = 30) -> Enclosure:
    """Two rationals that enclose max over events of P(E) − e^ε Q(E), for rational ε; relative 10^-digits.

    >>> P, Q = Law({0: "1/2", 1: "1/2"}), Law({0: "1/8", 1: "7/8"})
    >>> [round(float(end), 6) for end in hockey_stick_ball(P, Q, 1)]
    [0.160215, 0.160215]
    """
    e = exact(eps, "eps")
    A, B = _gain(P, Q, e)
    if B == 0 or e == 0:
        return A - B, A - B
    return refine(lambda: as_ball(A) - as_ball(B) * as_ball(e).exp(), digits)


def dominates(P: Law, Q: Law, eps: Exact, delta: Exact) -> bool:
    """Whether P(E) ≤ e^ε Q(E) + δ for every event E, decided exactly for rational ε and δ.

    >>> dominates(Law({0: "1/2", 1: "1/2"}), Law({0: "1/8", 1: "7/8"}), 1, "0.16")
    False
    """
    e, d = exact(eps, "eps"), exact_probability(delta, "delta")
    A, B = _gain(P, Q, e)
    if B == 0 or e == 0:
        return d >= A - B
    return decide(lambda: as_ball(d - A) + as_ball(B) * as_ball(e).exp()) > 0


def are_close(P: Law, Q: Law, eps: Exact, delta: Exact) -> bool:
    """Whether P and Q are (ε,δ)-close: each dominates the other, decided exactly for rational ε and δ.

    >>> are_close(Law({0: "1/2", 1: "1/2"}), Law({0: "1/8", 1: "7/8"}), 1, "0.1603")
    True
    """
    return dominates(P, Q, eps, delta) and dominates(Q, P, eps, delta)


def product(P: Law, Q: Law) -> Law:
    """The law of an independent pair.

    >>> product(Law({0: "1/2", 1: "1/2"}), Law({"a": 1}))[(0, "a")]
    Fraction(1, 2)
    """
    return Law({(o, o2): P[o] * Q[o2] for o in P.outcomes() for o2 in Q.outcomes()})


def mixture(weights: Sequence[Exact], laws: Sequence[Law]) -> Law:
    """The law that first draws one of `laws` with the given weights (which add up to 1).

    >>> mixture(["1/4", "3/4"], [Law({0: 1}), Law({1: 1})])[1]
    Fraction(3, 4)
    """
    shares = [exact_probability(weight, "weight") for weight in weights]
    pairs = list(zip(shares, laws, strict=True))
    outcomes = {o: None for _, law in pairs for o in law.outcomes()}
    return Law({o: sum((share * law[o] for share, law in pairs), Fraction(0)) for o in outcomes})


def extremal_pair(factor: Exact, delta: Exact) -> tuple[Law, Law]:
    """The four-point laws that are (ε,δ)-close, factor = e^ε, with the largest TV, (e^ε−1+2δ)/(e^ε+1).

    >>> total_variation(*extremal_pair(3, "1/10"))
    Fraction(11, 20)
    """
    e, d = exact(factor, "factor"), exact_probability(delta, "delta")
    if e < 1:
        raise ValueError(f"factor = {factor}: factor must be at least 1")
    more, less = (1 - d) * e / (1 + e), (1 - d) / (1 + e)
    return Law({0: d, 1: more, 2: less, 3: 0}), Law({0: 0, 1: less, 2: more, 3: d})


def _gain(P: Law, Q: Law, eps: Fraction) -> tuple[Fraction, Fraction]:
    """(P(E), Q(E)) of the event E of all outcomes where P > e^ε Q: the divergence is P(E) − e^ε Q(E)."""
    event = [o for o in P.outcomes() if _exceeds(P[o], Q[o], eps)]
    return sum((P[o] for o in event), Fraction(0)), sum((Q[o] for o in event), Fraction(0))


def _exceeds(p: Fraction, q: Fraction, eps: Fraction) -> bool:
    if q == 0 or eps == 0:
        return p > q
    return decide(lambda: as_ball(p / q) - as_ball(eps).exp()) > 0
