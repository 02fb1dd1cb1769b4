"""The schema "prior": what a learner pays against a finite prior, by hand, and the false neighbours."""

from __future__ import annotations

import itertools
from fractions import Fraction as Q

import pytest

from oubli.theory.kernel.checker import NOTHING, Proof
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from oubli.theory.kernel.priors import Prior

LETTERS = {
    "L": [False, False], "mu": [False, False], "T": [True, False],
    "A": ["learner"], "B": ["algorithm"], "U": ["unlearner"],
}  # fmt: skip
COIN = [[1, ["-1/2"]], [1, ["1/2"]]]  # a sign of mean 1/2 or -1/2, wherever it is asked for
KINK = [[1, [-1, 0]], [1, [0, 1]]]  # two slopes, of which only the side beyond the other optimum tells


@pytest.fixture(autouse=True)
def fresh():
    WORK[:] = [BUDGET, 1e18]


def schema(A="A", T="T", most=1, share="1/100", steps=(), prior=COIN):
    proof = Proof({**NOTHING, "letters": LETTERS})
    proof.accept({"by": "leaf", "schema": ["prior", A, T, most, share, list(steps), prior]}, 0)
    return proof.reached[0]


def posterior_variance(chance: Q) -> Q:
    """Of a mean that is 1/2 with this chance, else -1/2."""
    return chance * (1 - chance)


def test_a_sign_everywhere_is_a_coin():
    """After k of n signs +1 the posterior odds are 3^(2k - n): the risk is the mean posterior variance."""
    for n in range(5):
        expected = Q(0)
        for signs in itertools.product((0, 1), repeat=n):
            up, down = (Q(1, 2), Q(1, 2))
            for sign in signs:
                up, down = up * Q(1 + 2 * sign, 4), down * Q(3 - 2 * sign, 4)
            expected += (up + down) * posterior_variance(up / (up + down))
        assert Prior([], COIN).risk(n) == expected


def test_without_gradients_the_best_output_is_that_of_the_mean_risk():
    # Slopes -2 or 0, and 0 or 2, beside v^2: both optima are 0.
    assert Prior([0], KINK).risk(0) == 0
    assert Prior([], [[1, [-1]], [1, [1]]]).risk(0) == 1
    assert Prior([], [[1, [-1]], [3, [1]]]).risk(0) == Q(3, 4)


def test_a_gradient_is_asked_for_where_it_tells_most():
    """The two differ right of -1/2 alone: a learner that asks there sees them apart."""
    told = [[1, [-1, -1]], [1, [-1, 1]]]
    assert Prior(["-1/2"], told).risk(1) == 0
    # The optima are 1 and -1/2, the excess risks (v - 1)^2 and, for v >= -1/2, v^2 + 2 v + 3/4.
    assert Prior(["-1/2"], told).risk(0) == Q(7, 8)


def test_more_gradients_never_cost_more():
    prior = Prior(["-3/10", "3/10"], [[299, [-1, -1, -1]], [299, [1, 1, 1]], [100, ["-1/2", 0, "1/2"]]])
    risks = [prior.risk(n) for n in range(5)]
    assert risks == sorted(risks, reverse=True)


def test_the_theorem_has_its_conditions():
    found = schema(most=3, share="1/20")
    least = ["*", "1/8", "1/20", ["^", "L", 2], ["^", "mu", -1]]
    proof = Proof({**NOTHING, "letters": LETTERS})
    forced = proof.read(["+", ["worst", "A", "T"], ["*", -1, least]])
    assert (found.rel, proof.read(found.expr)) == (">=", forced)
    conditions = [">=", "T"], [">=", ["+", 3, ["*", -1, "T"]]], [">", "L"], [">", "mu"]
    assert [(rel, proof.read(e)) for rel, e in found.hyps] == [(rel, proof.read(e)) for rel, e in conditions]


@pytest.mark.parametrize("change", [
    {"A": "B"}, {"A": "U"},  # these may know theta*
    {"most": -1}, {"most": 15}, {"most": "1"}, {"most": True},
    {"share": "17/64"}, {"share": "x"},  # half the variance is left: 3/16 after one sign
    {"prior": []}, {"prior": [[0, [0]], [1, [1]]]}, {"prior": [[-1, ["1/2"]], [2, ["-1/2"]]]},
    {"prior": [[1, ["-1/2", 0]], [1, ["1/2", 0]]]},
    {"prior": [[1, [2]], [1, [-1]]]}, {"prior": [[1, ["-3/2"]], [1, [1]]]},
    {"steps": [0], "prior": [[1, [1, -1]], [1, [-1, 1]]]},
    {"steps": ["1/2", 0], "prior": [[1, [-1, 0, 1]], [1, [-1, 0, 1]]]},
    {"steps": [2], "prior": [[1, [-1, 1]], [1, [1, 1]]]},
    {"steps": [-2], "prior": [[1, [-1, 1]], [1, [1, 1]]]},
])  # fmt: skip
def test_false_neighbours_are_rejected(change):
    with pytest.raises((RejectedError, TypeError, ValueError)):
        schema(**change)


def test_the_share_that_is_forced_is_accepted_and_no_more():
    assert Prior([], COIN).risk(1) == Q(3, 16)
    schema(share="3/16")
    with pytest.raises(RejectedError, match="does not force"):
        schema(share="188/1000")


def by_hand(steps: list[Q], prior: list[tuple[Q, list[Q]]], gradients: int) -> Q:
    """The least mean excess risk, over what is seen in order and integrals from 0 to v."""

    def risk(row: list[Q], v: Q) -> Q:
        low, high = sorted((Q(0), v))
        cuts = [low, *(x for x in steps if low < x < high), high]
        area = sum((b - a) * row[sum(x <= a for x in steps)] for a, b in itertools.pairwise(cuts))
        return v * v + 2 * (area if v > 0 else -area)

    def least(weights: list[Q]) -> Q:
        W = sum(weights)
        if not W:
            return Q(0)
        pulls = [sum(w * row[j] for w, (_, row) in zip(weights, prior, strict=True)) / -W
                 for j in range(len(steps) + 1)]  # fmt: skip
        points = [max(min(v, Q(1)), Q(-1)) for v in (Q(-1), Q(1), *steps, *pulls)]
        return min(sum(w * risk(row, v) for w, (_, row) in zip(weights, prior, strict=True)) for v in points)

    def after(weights: list[Q], left: int) -> Q:
        if not left:
            alone = [[w if i == j else Q(0) for j in range(len(weights))] for i, w in enumerate(weights)]
            return least(weights) - sum(map(least, alone))
        values = [row for _, row in prior]

        def seen(j: int, sign: int) -> Q:
            after_it = [w * (1 + sign * row[j]) / 2 for w, row in zip(weights, values, strict=True)]
            return after(after_it, left - 1)

        return min(seen(j, 1) + seen(j, -1) for j in range(len(steps) + 1))

    weights = [w / sum(w for w, _ in prior) for w, _ in prior]
    return after(weights, gradients)


PRIORS = {
    "a step": (["1/3"], [["1/3", ["-1/2", "1/4"]], ["2/3", ["-1/5", "3/4"]]]),
    "two steps": (["-1/2", "1/4"], [[1, [-1, "-1/3", "1/2"]], [2, ["-1/2", 0, 1]], [1, [0, "1/4", "1/2"]]]),
    "steps at the ends": ([-1, 1], [[1, [-1, "-1/2", 1]], [3, [-1, "1/2", 1]]]),
    "signs that never come": (["-1/4"], [[1, [-1, 1]], [1, ["1/2", 1]]]),
    "signs that are all 1": ([], [[1, [1]], [2, [1]]]),
    "one problem, which is known": ([0], [[1, ["1/2", 1]]]),
    "all steps on the left": (["-3/4", "-1/4"], [[1, [-1, 0, "1/2"]], [1, ["-1/2", "1/3", "1/3"]]]),
}


@pytest.mark.parametrize("name", PRIORS)
@pytest.mark.parametrize("gradients", [0, 1, 2])
def test_the_risk_is_that_of_the_best_learner(name, gradients):
    steps, prior = PRIORS[name]
    exact = [(Q(w), list(map(Q, row))) for w, row in prior]
    assert Prior(steps, prior).risk(gradients) == by_hand(list(map(Q, steps)), exact, gradients)


@pytest.mark.parametrize(("steps", "prior", "why"), [
    ([], [], "not a prior"), ([], [[0, [0]], [1, [1]]], "not a prior"),
    ([], [[-1, [0]], [1, [1]]], "not a prior"),
    ([0], [[1, [0]], [1, [0, 1]]], "between any two steps"), ([], [[1, [0]], [1, [0, 1]]], "any two steps"),
    ([0], [[1, [1, -1]], [1, [0, 1]]], "step function"), ([], [[1, ["-3/2"]], [1, [1]]], "step function"),
    ([], [[1, [2]], [1, [-1]]], "step function"), ([0], [[1, [-2, 0]]], "step function"),
    ([0, "-1/2"], [[1, [-1, 0, 1]]], "places in the ball"), ([2], [[1, [-1, 1]]], "places in the ball"),
    ([-2], [[1, [-1, 1]]], "places in the ball"), (["x"], [[1, [-1, 1]]], "not a rational"),
])  # fmt: skip
def test_no_prior(steps, prior, why):
    with pytest.raises(RejectedError, match=why):
        Prior(steps, prior)


def test_up_to_fourteen_gradients():
    for most in (0, 14):
        assert schema(most=most, share="1/1000000").rel == ">="
    for most in (-1, 15, True):
        with pytest.raises(RejectedError, match="small number"):
            schema(most=most, share="1/1000000")
