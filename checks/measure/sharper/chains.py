"""Letters of the lower bounds on the line: linear private rules whose worst risk on the hard family is exact.

A rule releases alpha theta*/R + B (mean of the T signs) + tau N(0, 1), in units R. On the problem (m, f),
where theta* = R ((1-r) m + r f), it is wrong by a linear function of m and f, with a variance quadratic in m.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

from oubli.checks.measure.axes import axes_of
from oubli.checks.measure.binomial import LAW, distance_letters
from oubli.checks.measure.problems import Pair
from oubli.checks.measure.relation import Letters
from oubli.checks.measure.source import Axis, Batch, Instance, Source, fixed, linear, log, row_by_row, whole
from oubli.sim.laws import binomial_tv_gamma, gaussian_delta
from oubli.sim.require import Array

MOST_HOPS = 40
# Least noise, in units of what a hop moves, at which the exact law is asked.
SILENT = 1e-2


class Rule(NamedTuple):
    """What a linear rule does with theta* and with the signs, and its noise, in units R."""

    alpha: Array
    B: Array
    Q: Array
    tau: Array

    def bias(self, r: Array) -> Array:
        """What multiplies m in the mean error."""
        return np.asarray(self.alpha * (1 - r) + self.B - 1)


def rule_of(batch: Batch) -> Rule:
    """The rule of an instance; without gradients it has no signs."""
    T, r = batch["T"], batch["r"]
    alpha = batch["alpha"]
    # signs = 1 is sqrt(T)/(1 + sqrt(T)), the weight that is best without theta*.
    B = np.where(T > 0, np.minimum(batch["signs"] * np.sqrt(T) / (1 + np.sqrt(T)), 1.0), 0.0)
    return Rule(alpha, B, np.where(T > 0, B**2 / np.maximum(T, 1), 0.0), batch["noise"] * 2 * r * alpha)


def worst_square(rule: Rule, r: Array) -> Array:
    """max of E(O - m)^2 over |m| <= 1 and |f| <= 1, where the variance of the signs is Q (1 - m^2).

    >>> one = np.ones(1)
    >>> worst_square(Rule(0 * one, one / 2, one / 4, 0 * one), 0 * one).tolist()
    [0.25]
    """
    c, pull = np.abs(rule.bias(r)), rule.alpha * r
    bent = rule.Q - c**2
    with np.errstate(all="ignore"):
        m = np.where(bent > 0, np.minimum(c * pull / np.where(bent > 0, bent, 1.0), 1.0), 1.0)
    return np.asarray((c * m + pull) ** 2 + rule.Q * (1 - m**2) + rule.tau**2)


def leaked(batch: Batch, rule: Rule) -> Array:
    """The exact delta of the noise at eps: other forget data move the rule by at most 2 r alpha."""
    found = np.asarray(gaussian_delta(batch["epsilon"], np.maximum(batch["noise"], SILENT)))
    return np.clip(np.where(rule.alpha > 0, found, 0.0), 1e-13, 1 - 1e-12)


class Chain(NamedTuple):
    """The ends of a chain, its number of hops and the length of its segments."""

    low: Array
    high: Array
    hops: Array
    part: Array


def chain_of(batch: Batch) -> Chain:
    """Equal segments of at most 2 rho, as few as there must be, and some more."""
    low, high = np.minimum(batch["first"], batch["second"]), np.maximum(batch["first"], batch["second"])
    rho = batch["r"] / (1 - batch["r"])
    hops = np.maximum(np.ceil((high - low) / (2 * rho) * (1 - 1e-13)) - 1, 0) + batch["more"]
    return Chain(low, high, hops, (high - low) / (hops + 1))


def means_letters(batch: Batch) -> Letters:
    """A rule's worst risk and its mean outputs along a chain."""
    r, L, mu, T = batch["r"], batch["L"], batch["mu"], batch["T"]
    rule, chain = rule_of(batch), chain_of(batch)
    worst = worst_square(rule, r)
    hop = rule.alpha * (1 - r) * chain.part
    values = {
        "L": L,
        "mu": mu,
        "r": r,
        "T": T,
        "epsilon": batch["epsilon"],
        "delta": leaked(batch, rule),
        "gamma_min": chain.low,
        "gamma_max": chain.high,
        "K_chain": chain.hops,
        "M": worst * L**2 / (8 * mu),
        "y_worst": np.sqrt(worst),
        "H_hops": chain.hops * hop,
        "O_rise": rule.B * chain.part,
        "m_low": chain.high - chain.part,
        "m_high": chain.high,
    }
    rounding = np.full_like(r, 1e-14)
    errors = dict.fromkeys(("H_hops", "O_rise", "y_worst"), rounding)
    return Letters(values, {**errors, "M": 1e-14 * L**2 / mu})


def coins_letters(batch: Batch) -> Letters:
    """The same rules with the exact total variations of the signs along the chain."""
    chain, T = chain_of(batch), batch["T"]
    found = means_letters(batch)
    k = np.arange(MOST_HOPS + 1)
    cut = np.minimum(k, chain.hops[:, None])
    low = chain.low[:, None] + cut * chain.part[:, None]
    high = np.minimum(low + chain.part[:, None], chain.high[:, None])
    each = np.asarray(binomial_tv_gamma(np.broadcast_to(T[:, None], low.shape), low, high))
    each = np.where(k <= chain.hops[:, None], each, 0.0)
    total = each.sum(axis=1)
    values = {**found.values, "B_chain": total, "m_low": chain.low}
    errors = {**(found.errors or {}), "B_chain": LAW * (1 + total)}
    return Letters(values, errors, chain.hops <= MOST_HOPS)


def few_letters(batch: Batch) -> Letters:
    """Chains of single coins, without the letters of a rule."""
    found = coins_letters(batch)
    values = {n: found.values[n] for n in ("T", "gamma_min", "gamma_max", "K_chain")}
    total = found.values["B_chain"]
    return Letters({**values, "B_few": total}, {"B_few": LAW * (1 + total)}, found.valid)


def apart(first: tuple[float, float], second: tuple[float, float], T: int, tau: float) -> float:
    """Total variation of (number of signs +1, theta* + tau N) on two problems (m, theta*), exactly.

    >>> round(apart((0.0, 0.0), (0.5, 0.0), 1, 1.0), 12)
    0.25
    """
    (m, at), (n, to) = first, second
    k = np.arange(T + 1)
    p, q = binom.pmf(k, T, (1 + m) / 2), binom.pmf(k, T, (1 + n) / 2)
    if to <= at:
        return float(np.maximum(p - q, 0).sum())
    # Left of where the two densities cross the first law is the larger one.
    cross = (at + to) / 2 + tau**2 * np.log(p / q) / (to - at)
    return float((p * ndtr((cross - at) / tau) - q * ndtr((cross - to) / tau)).sum())


def variation_letters(row: Instance) -> dict[str, Pair | float]:
    """All signs and the noisy theta* released: total variations along a chain."""
    batch = {n: np.array([v]) for n, v in row.items()}
    chain, r, T = chain_of(batch), row["r"], int(row["T"])
    low, high, K, part = (float(v[0]) for v in chain)
    tau = row["tau"] * r
    hop = (1 - r) * part
    last = (high - part, (1 - r) * low + r + K * hop)
    start, end = (low, (1 - r) * low + r), (high, last[1])
    each = [
        float(binomial_tv_gamma(T, low + j * part, min(low + (j + 1) * part, high)))
        for j in range(int(K) + 1)
    ]
    moved = float(2 * ndtr(hop / (2 * tau)) - 1)
    found = {
        "tau_far": apart(start, end, T, tau),
        "B_links": sum(each),
        "tau_moved": moved if K > 0 else 0.0,
    }
    # A release that hides a hop up to total variation delta is (0, delta)-unlearning.
    hidden = min(max(moved * (1 + row["room"]), 1e-13), 1 - 1e-12)
    known = {"r": r, "a_chain": high, "s_chain": part, "K": K, "epsilon": 1e-13, "delta": hidden}
    return {**known, **{n: (value, 1e-13) for n, value in found.items()}}


_ends = {"first": linear(-1, 1, (0.0,)), "second": linear(-1, 1, (0.0, 0.5))}
_chain: dict[str, Axis] = {**_ends, "r": log(0.03, 0.95, (0.25, 0.5)), "more": whole(0, 3)}
_rule: dict[str, Axis] = {
    **axes_of("L mu"),
    **_chain,
    "alpha": linear(0, 1.5, (1.0,)),
    "signs": linear(0, 2, (1.0,)),
    "noise": log(SILENT, 1e2, (1.0,)),
    "epsilon": log(1e-3, 10, (1.0,)),
}
MEANS = Source("linear rules along a chain", {**_rule, "T": whole(0, 10**4)}, means_letters)
COINS = Source("linear rules and their coins", {**_rule, "T": whole(0, 200)}, coins_letters)
FEW = Source("chains of one coin", {**_rule, "T": fixed(1)}, few_letters)
ONE = Source("one coin", {"T": fixed(1), **_ends}, distance_letters)
_inner = {n: linear(-0.99, 0.99, (0.0,)) for n in ("first", "second")}
VARIATION = Source(
    "signs and a noisy start released",
    {
        **_chain,
        **_inner,
        "r": log(0.1, 0.95, (0.25, 0.5)),
        "T": whole(0, 12),
        "tau": log(1e-2, 1e2, (1.0,)),
        "room": log(1e-3, 1, (0.0,)),
    },
    row_by_row(variation_letters),
    1024,
)
