"""Proofs as data: named steps, each a statement and the rule that gives it.

Leaves: an identity, a combination, a subdivision. Joins: case split, induction,
monotone function, integrated bound. The checker knows these and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.records.claim import NOTHING
from oubli.theory.records.objects import Object
from oubli.theory.records.vectors import Vector


@dataclass(frozen=True)
class Given:
    """The i-th hypothesis of the statement."""

    index: int


@dataclass(frozen=True)
class Square:
    """The square of a scalar."""

    of: sp.Expr


@dataclass(frozen=True)
class Norm:
    """The squared norm of a vector."""

    of: Vector


@dataclass(frozen=True)
class Schema:
    """A schema of the kernel at objects: the theorem that it computes.

    `because` shows a side condition of it, by its number, as a combination of its own.
    """

    name: str
    objects: tuple[Object, ...]
    because: Mapping[int, tuple[Any, ...]] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True)
class SquaredNorm:
    """|u|^2 >= 0 for a vector built from objects."""

    of: Object


@dataclass(frozen=True)
class Jensen:
    """W f(average) <= sum of w_k f(x_k), for the average of a run's iterates with weights w_k >= 0.

    `because`, at 0, shows w_k >= 0 as a combination of its own.
    """

    loss: Object
    average: Object
    because: Mapping[int, tuple[Any, ...]] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True)
class Same:
    """f(u) = f(v) for a function, named as in formulas, of two expressions that are equal."""

    function: str
    u: sp.Expr | Object
    v: sp.Expr | Object


@dataclass(frozen=True)
class One:
    """The relation 1 > 0: what is left over must be nonnegative itself."""


@dataclass(frozen=True)
class Lemma:
    """The conclusion of another claim, or of an earlier step, under a substitution of letters and objects.

    `because` shows a printed hypothesis of it, by its number, or the lower end of a letter's domain, by that
    letter, as a combination of its own.
    """

    key: str
    values: Mapping[Any, Any] = field(default_factory=lambda: NOTHING)
    because: Mapping[Any, tuple[Any, ...]] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True)
class Mean:
    """The mean of what a schema or a lemma says of every outcome."""

    of: Schema | SquaredNorm | Jensen | Lemma


Source = Given | Square | Norm | Schema | SquaredNorm | Jensen | Mean | Same | One | Lemma
Term = tuple[sp.Expr | int, Source]


@dataclass(frozen=True)
class Combination:
    """says = sum of multiplier × relation, exactly; the multipliers are the proof."""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Identity:
    """Both sides are the same expression."""


@dataclass(frozen=True)
class Subdivision:
    """Positive on every box of an adaptive bisection; `at_most` boxes, else OPEN."""

    at_most: int = 400
    bits: int = 64


@dataclass(frozen=True)
class Cases:
    """Where `on` >= 0 (or > 0) by one step, where `on` <= 0 by another."""

    on: sp.Expr
    nonnegative: str
    nonpositive: str


@dataclass(frozen=True)
class Induction:
    """An invariant in index and state: base, step, and where it ends; `fixed` letters depend on no time.

    Where the step holds only below `last`, so does what follows up to `last`.
    """

    index: sp.Symbol
    invariant: sp.Expr
    base: str
    step: str
    start: Mapping[sp.Symbol, Any]
    next: Mapping[sp.Symbol, sp.Expr]
    end: sp.Expr
    fixed: tuple[sp.Symbol, ...] = ()
    last: sp.Expr | None = None


@dataclass(frozen=True)
class Monotone:
    """A function whose slope a step shows nonnegative does not fall from `begin` to `end`."""

    step: str
    variable: sp.Symbol
    function: sp.Expr
    begin: sp.Expr
    end: sp.Expr


@dataclass(frozen=True)
class Over:
    """A step that bounds a number at objects with arbitrary names bounds the supremum `term` over them."""

    step: str
    term: Object
    names: tuple[Object, ...]


@dataclass(frozen=True)
class Reach:
    """A step that bounds T below, where an arbitrary algorithm reaches e with it, bounds the time `term`."""

    step: str
    term: Object
    names: tuple[Object, sp.Symbol]


@dataclass(frozen=True)
class Couple:
    """Le Cam: E f(X) + E g(Y) >= bound (1 - TV(X, Y)) for numbers f, g of a point.

    `steps` show f + g >= bound, f >= 0 and g >= 0 at an arbitrary point.
    """

    steps: tuple[str, str, str]
    point: Object
    numbers: tuple[Object, Object]
    bound: sp.Expr
    laws: tuple[Object, Object]


@dataclass(frozen=True)
class Tell:
    """Two problems that only T signs tell apart: p E f(X) + q E g(Y) >= the sum over k of b(p P(k), q Q(k)).

    `step` shows v f(x) + w g(x) >= b(v, w) at an arbitrary point, for any weights v, w >= 0; `shares` are p
    and q, `problems` the algorithm, the two problems and T.
    """

    step: str
    point: Object
    weights: tuple[sp.Symbol, sp.Symbol]
    numbers: tuple[Object, Object]
    bound: Object
    shares: tuple[sp.Expr, sp.Expr]
    problems: tuple[Object, Object, Object, sp.Expr]


@dataclass(frozen=True)
class Layers:
    """From events to means: sum of c P(S) + b >= 0 gives sum of c E g + b × bound >= 0 if 0 <= g <= bound.

    `steps` show the first for an arbitrary event, g >= 0 and g <= bound at an arbitrary point; `laws` are the
    pairs of c and what is drawn, and b is `free`.
    """

    steps: tuple[str, str, str]
    event: Object
    point: Object
    number: Object
    bound: sp.Expr
    free: sp.Expr
    laws: tuple[tuple[sp.Expr | int, Object], ...]


@dataclass(frozen=True)
class Spin:
    """What a step says of every two orthonormal vectors u_, e_ holds in the mean over them."""

    step: str


@dataclass(frozen=True)
class Fill:
    """What a step says of every point w_ of the cube and s_ in [-1, 1] holds in the mean over them."""

    step: str


@dataclass(frozen=True)
class Sweep:
    """Means over balls of places b_: of q over one, and of p over a smaller one, `share` times as wide.

    Steps show q - p at b_ + shift u_ >= 0, where both places lie in the ball, and q >= 0, p >= 0 in it; where
    no step is named, 0 >= 0 is meant.
    """

    hop: str
    more: str
    less: str
    radius: sp.Expr
    smaller: sp.Expr
    share: sp.Expr | int = 1
    shift: sp.Expr | int = 0


@dataclass(frozen=True)
class Exact:
    """A closed claim: evaluated in exact rationals at the instance of that number."""

    instance: int = 0


Rule = (
    Combination
    | Identity
    | Subdivision
    | Cases
    | Induction
    | Monotone
    | Over
    | Reach
    | Couple
    | Layers
    | Tell
    | Spin
    | Sweep
    | Fill
    | Exact
)


@dataclass(frozen=True)
class Step:
    """A named statement and the rule that gives it."""

    name: str
    statement: Statement
    by: Rule
