"""The least mean risk of a learner against a finite prior, computed exactly: part of what must be trusted.

Standard library only. On the line, in units R, the problem of a nondecreasing step function m from [-1, 1]
to [-1, 1] has the losses l/e0 = v^2 + 2 |v - b|, up to constants, where b is random with P(v > b) - P(v < b)
= m(v) off the steps; in more dimensions the squares of the other coordinates are added. All are members, the
retain risk is e0 (v^2 + 2 int m), and a gradient at v shows 2 v and a sign of mean m(v): between the steps of
the prior it depends on v only by the region. At a step it is that of one side; a kink that is smoothed shows
a mixture of both sides, which tells no more.
"""

from __future__ import annotations

from fractions import Fraction as Q
from math import lcm

from oubli.theory.kernel.objects import LEARNER, Reads
from oubli.theory.kernel.poly import Ast, Theorem, minus, need, number, spend

Ints = list[int]


def against(
    proof: Reads, A: Ast, T: Ast, most: int, share: Ast, steps: list[Ast], prior: list[Ast]
) -> Theorem:
    """With T <= `most` gradients a learner has worst risk >= share e0, if a prior forces as much in the mean.

    `steps` are the places of the steps, `prior` has pairs: a weight, and the values of m between the steps.
    """
    need(proof.sort(A) == LEARNER, "not a learner")
    need(type(most) is int and 0 <= most <= 14, "not a small number of gradients")
    need(Prior(steps, prior).risk(most) >= rational(share), "the prior does not force as much")
    least = ["*", "1/8", share, ["^", "L", 2], ["^", "mu", -1]]
    given = [[">=", T], [">=", minus(most, T)], [">", "L"], [">", "mu"]]
    return Theorem(given, ">=", minus(["worst", A, T], least))


class Prior:
    """A prior in integers: places and values are multiples of 1/unit, so optima and risks are integers."""

    def __init__(self, steps: list[Ast], prior: list[Ast]) -> None:
        places, weights = list(map(rational, steps)), [rational(weight) for weight, _ in prior]
        values = [list(map(rational, row)) for _, row in prior]
        need(len(prior) > 0 and all(w > 0 for w in weights), "not a prior")
        need(all(len(row) == len(places) + 1 for row in values), "not a value between any two steps")
        ordered = all(row == sorted(row) and row[0] >= -1 and row[-1] <= 1 for row in values)
        need(ordered, "not such a step function")
        need(places == sorted(places) and all(-1 <= x <= 1 for x in places), "not places in the ball")
        self.unit = lcm(*(x.denominator for x in [*places, *(m for row in values for m in row)]))
        scale = lcm(*(w.denominator for w in weights))
        self.weights = [int(w * scale) for w in weights]
        self.ends = [-self.unit, *(int(x * self.unit) for x in places), self.unit]
        self.means = [[int(m * self.unit) for m in row] for row in values]
        self.starts = [self.intercepts(row) for row in self.means]
        self.optima = [self.lowest(row, start, 1) for row, start in zip(self.means, self.starts, strict=True)]

    def intercepts(self, means: Ints) -> Ints:
        """What int m is at v = 0 when a region's line is prolonged to it."""
        found = [0]
        for j, place in enumerate(self.ends[1:-1]):
            found.append(found[j] + (means[j] - means[j + 1]) * place)
        return found

    def lowest(self, means: Ints, starts: Ints, weight: int) -> Q:
        """The least value of weight v^2 + 2 (a + m v) over v in the ball, a and m those of v's region."""
        found = []
        for low, high, m, a in zip(self.ends, self.ends[1:], means, starts, strict=False):
            v = min(max(Q(-m, weight), Q(low)), Q(high))
            found.append(weight * v * v + 2 * (a + m * v))
        return Q(min(found))

    def risk(self, gradients: int) -> Q:
        """The least mean excess risk with that many gradients, in units e0."""
        self.known: dict[tuple[int, ...], Q] = {}
        found = self.after((0,) * (2 * len(self.ends) - 2), self.weights, gradients)
        return Q(found, sum(self.weights) * self.unit**2 * (2 * self.unit) ** gradients)

    def after(self, seen: tuple[int, ...], weights: Ints, left: int) -> Q:
        """The same, not normalised, once so many signs +1 and -1 were seen in each region."""
        if seen not in self.known:
            spend(len(weights) * len(seen))
            asked = [self.asked(seen, weights, left, j) for j in range(len(self.ends) - 1)] if left else []
            self.known[seen] = min(asked) if left else self.stopped(weights)
        return self.known[seen]

    def asked(self, seen: tuple[int, ...], weights: Ints, left: int, region: int) -> Q:
        """A gradient in a region, whose sign has the mean m there."""
        total = Q(0)
        for place, sign in ((2 * region, 1), (2 * region + 1, -1)):
            more = (*seen[:place], seen[place] + 1, *seen[place + 1 :])
            likely = [w * (self.unit + sign * m[region]) for w, m in zip(weights, self.means, strict=True)]
            total += self.after(more, likely, left - 1)
        return total

    def stopped(self, weights: Ints) -> Q:
        """The best output for what is left of the prior: it minimises a mean of the retain risks."""
        W = sum(weights)
        if W == 0:
            return Q(0)
        columns = range(len(self.ends) - 1)
        means, starts = (
            [sum(w * row[j] for w, row in zip(weights, table, strict=True)) for j in columns]
            for table in (self.means, self.starts)
        )
        best = sum(w * least for w, least in zip(weights, self.optima, strict=True))
        return self.lowest(means, starts, W) - best


def rational(node: Ast) -> Q:
    """A number that a node spells."""
    found = number(node)
    need(found is not None, "not a rational")
    return Q(found)
