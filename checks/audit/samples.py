"""Two lists of outputs or scores against a claimed (eps, delta): `oubli audit --samples`, and from Python.

The rows are shuffled; some search for the attack (direction, fold, order, thresholds), the others are
counted, once for each bound. So the search is paid for by rows, not by level, and nothing is assumed of the
two laws except that the rows of each list are independent draws of it. Both orders of the two laws are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from oubli.checks.audit.counts import Counts, delta_lower, epsilon_lower, poisson_size
from oubli.checks.audit.events import delta_worth, epsilon_worth
from oubli.checks.audit.finding import Audit, Finding, Judgement
from oubli.checks.audit.samples_gaussian import gaussian_finding
from oubli.checks.audit.samples_read import as_rows
from oubli.checks.audit.samples_search import Chosen, chosen, search_rows
from oubli.checks.audit.tradeoff import trade_off
from oubli.sim.require import Array, is_count, require

# Shares of alpha: the whole audit flags laws that keep the claim with probability at most alpha.
SHARES = {"eps": 0.7, "delta": 0.2, "curve": 0.1, "gaussian": 0.0}
# Whoever assumes Gaussian scores asks for that bound first.
SHARES_GAUSSIAN = {"eps": 0.05, "delta": 0.05, "curve": 0.05, "gaussian": 0.85}
# Poisson numbers that the rows cannot serve are drawn again: given an event of this probability, at least, no
# error is likelier than its level by more than one over it.
SERVED = 1 - 2e-4


@dataclass(frozen=True, eq=False)
class Split:
    """Rows that search and rows that are counted, the Poisson mean of the counts, and their two numbers."""

    search: tuple[Array, Array]
    counted: tuple[Array, Array]
    size: float
    numbers: tuple[int, int]

    def poisson(self) -> tuple[Array, Array]:
        """A Poisson number of the counted rows a side."""
        first, second = (rows[:n] for n, rows in zip(self.numbers, self.counted, strict=True))
        return first, second


def split(P: Array, Q: Array, seed: int) -> Split:
    """The shuffled rows, apart.

    >>> parts = split(np.arange(500.0)[:, None], np.arange(300.0)[:, None], 0)
    >>> len(parts.search[0]), len(parts.counted[0]), len(parts.counted[1])
    (50, 450, 270)
    """
    rng = np.random.default_rng(seed)
    looks = [search_rows(len(side), side.shape[1]) for side in (P, Q)]
    mixed = [rng.permutation(side) for side in (P, Q)]
    counted = tuple(side[look:] for side, look in zip(mixed, looks, strict=True))
    size = poisson_size(min(map(len, counted)))
    first, second = (side[:look] for side, look in zip(mixed, looks, strict=True))
    numbers = rng.poisson(size, 2)
    while any(n > len(rows) for n, rows in zip(numbers, counted, strict=True)):
        numbers = rng.poisson(size, 2)
    return Split((first, second), (counted[0], counted[1]), size, (int(numbers[0]), int(numbers[1])))


def audit_samples(
    P: ArrayLike, Q: ArrayLike, eps: float, delta: float, alpha: float = 0.05, seed: int = 0,
    assume_gaussian: bool = False, names: tuple[str, str] = ("P.npy", "Q.npy"),
) -> Audit:  # fmt: skip
    """Whether two laws, of which these are independent draws, can be (eps, delta)-indistinguishable.

    Args:
        P: outputs of shape (n, d) or scores of shape (n,) under the first law, n >= 100.
        Q: the same under the second law; n may differ.
        eps: the claimed eps, in [1e-6, 10000].
        delta: the claimed delta, 0 or in [1e-300, 0.9].
        alpha: the probability with which laws that keep the claim are flagged, at most.
        seed: of the shuffle; choose it before looking.
        assume_gaussian: let the bound count that assumes Gaussian scores of one variance.
        names: of the two files, for the command that repeats this.

    Returns:
        The findings `privacy eps`, `privacy delta`, `privacy curve` and, at delta > 0, `privacy gaussian`.

    >>> rng = np.random.default_rng(1)
    >>> found = audit_samples(rng.normal(3, 1, 2000), rng.normal(0, 1, 2000), 1.0, 1e-5)
    >>> str(found.verdict), found.findings[0].measured["lower_bound"] > 2
    ('VIOLATED', True)
    """
    rows = as_rows(P, names[0]), as_rows(Q, names[1])
    _check(*rows, eps, delta, alpha, seed)
    shares = SHARES_GAUSSIAN if assume_gaussian and delta > 0 else SHARES
    levels = {name: share * alpha * SERVED for name, share in shares.items()}
    parts = split(*rows, seed)
    attack = chosen(*parts.search, parts.size, epsilon_worth(parts.size, delta, levels["eps"]))
    found = [
        _epsilon(parts, attack, eps, delta, levels["eps"]),
        _delta(parts, eps, delta, levels["delta"]),
        _curve(parts, attack, eps, delta, levels["curve"]),
    ]
    if delta > 0:
        level = levels["gaussian"] or alpha
        found.append(gaussian_finding(parts.search, parts.counted, (eps, delta), level, assume_gaussian))
    asked = {"eps": eps, "delta": delta, "alpha": alpha, "seed": seed, "assume_gaussian": assume_gaussian}
    shape = {"samples": [len(side) for side in rows], "dim": rows[0].shape[1]}
    return Audit(f"samples {names[0]} and {names[1]}", {**asked, **shape}, tuple(found), _again(names, asked))


def _check(P: Array, Q: Array, eps: float, delta: float, alpha: float, seed: int) -> None:
    require(P.shape[1] == Q.shape[1], "both lists must have as many columns", (P.shape[1], Q.shape[1]))
    require(1e-6 <= eps <= 1e4, "eps must lie in [1e-06, 10000]", eps)
    require(delta == 0 or 1e-300 <= delta <= 0.9, "delta must be 0 or lie in [1e-300, 0.9]", delta)
    require(0 < alpha < 1, "alpha must lie in (0, 1)", alpha)
    require(is_count(seed, 0), "seed must be an integer >= 0", seed)


def _again(names: tuple[str, str], asked: dict[str, Any]) -> str:
    words = [f"--{name} {asked[name]!r}" for name in ("eps", "delta", "alpha", "seed")]
    words += ["--assume-gaussian"] if asked["assume_gaussian"] else []
    return f"oubli audit --samples {names[0]} {names[1]} " + " ".join(words)


def _epsilon(parts: Split, attack: Chosen, eps: float, delta: float, level: float) -> Finding:
    counts = attack.event.count(*attack.scored(*parts.poisson()), parts.size)
    bound = max(0.0, epsilon_lower(counts, delta, level))
    text = f"eps <= {eps:g} at delta = {delta:g}"
    return judged("privacy eps", text, bound, eps, _measured(counts, attack), level)


def _delta(parts: Split, eps: float, delta: float, level: float) -> Finding:
    attack = chosen(*parts.search, parts.size, delta_worth(parts.size, eps))
    counts = attack.event.count(*attack.scored(*parts.poisson()), parts.size)
    bound = delta_lower(counts, eps, level)
    text = f"delta <= {delta:g} at eps = {eps:g}"
    return judged("privacy delta", text, bound, delta, _measured(counts, attack), level)


def _curve(parts: Split, attack: Chosen, eps: float, delta: float, level: float) -> Finding:
    curve = trade_off(*attack.scored(*parts.counted), level)
    text = f"no test of a score has smaller errors than ({eps:g}, {delta:g}) allows"
    measured = {"curve": curve.as_json()}
    return judged("privacy curve", text, curve.delta_lower(eps), delta, measured, level, "delta")


def _measured(counts: Counts, attack: Chosen) -> dict[str, Any]:
    return {
        "hits": counts.x,
        "false_hits": counts.y,
        "draws_a_side": counts.size,
        "directions": counts.directions,
        "score": [round(float(v), 6) for v in attack.score.direction[:20]],
        "fold": attack.score.centre,
        "thresholds": [str(end) for end in (attack.event.lower, attack.event.upper)],
    }


def judged(
    check: str, text: str, bound: float, claim: float, measured: dict[str, Any], level: float,
    what: str = "it",
) -> Finding:  # fmt: skip
    """The finding that a lower bound at a level makes of a claim."""
    violated = bound > claim
    speaks = f"at confidence {1 - level:.4g} {what} is at least {bound:.4g}"
    says = speaks if violated else f"nothing speaks against it; {speaks}"
    verdict = Judgement.VIOLATED if violated else Judgement.CONSISTENT
    return Finding(
        check, verdict, text, {"lower_bound": bound, **measured}, 1 - level, "the samples given", says
    )
