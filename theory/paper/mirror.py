"""|2 mu x - l'(x)| <= L on the ball: a point is compared with its mirror image, which lies in the ball too."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.paper.letters import L, R, mu
from oubli.theory.records.build import eq, ge, given, gt, le, state
from oubli.theory.records.objects import Object, grad, inner, loss, norm, point, term
from oubli.theory.records.proof import Cases, Combination, Given, Lemma, One, Schema, SquaredNorm, Step, Term

f_any, tag_any, point_any, v_any = loss("f_any"), loss("tag_any"), point("point_any"), point("v_any")
x_square = term("x_square", inner(point_any, point_any), "its squared norm")
in_ball = given(le(x_square, R**2))
p_any = parameter("p_any", POSITIVE, "the norm of a vector")
v_square = term("v_square", inner(v_any, v_any), "its square")
a_v = term("a_v", inner(point_any, v_any), "<x, v>")
v_length = given(eq(v_square, p_any**2))
_image = point_any - (2 * a_v / p_any**2) * v_any
_image_inside = ((1, Given(0)), (-4 * a_v**2 / p_any**4, Given(1)))


def _against(slope: Object, lipschitz: Schema) -> tuple[Term, ...]:
    """-<l', v> <= L |v|."""
    return (
        (p_any / (2 * L), lipschitz),
        (p_any / (2 * L), SquaredNorm(slope + (L / p_any) * v_any)),
        (-L / (2 * p_any), Given(1)),
    )


@dataclass(frozen=True)
class Mirror:
    """A subgradient of a member at a point, of a tag or of none; `name` tells its letters from others."""

    name: str
    tag: tuple[Object, ...] = ()

    @property
    def off(self) -> Object:
        """2 mu x - l'(x)."""
        doubled: Object = (2 * mu) * point_any
        return doubled - grad(f_any, point_any, *self.tag)

    @property
    def along(self) -> sp.Symbol:
        """<2 mu x - l'(x), v>."""
        return term(f"{self.name}_v", inner(self.off, v_any), "<2 mu x - l'(x), v>")

    @property
    def length(self) -> sp.Symbol:
        """|2 mu x - l'(x)|."""
        return term(f"n_{self.name}", norm(self.off), "|2 mu x - l'(x)|")

    def near_v(self, *more: object) -> Statement:
        """<2 mu x - l'(x), v> <= L |v|."""
        return state(le(self.along, L * p_any), in_ball, v_length, *map(given, more))

    def near(self, *more: object) -> Statement:
        """|2 mu x - l'(x)| <= L."""
        return state(le(self.length, L), in_ball, *map(given, more))

    def proof_v(self) -> tuple[Step, ...]:
        """By the mirror image of x, where v points away from the centre; else at x itself."""
        here = (f_any, point_any, *self.tag)
        rise = p_any**2 / (2 * a_v)
        mirrored = (
            *_against(grad(f_any, _image), Schema("Lipschitz", (f_any, _image), {0: _image_inside})),
            (rise, Schema("strong convexity", (f_any, point_any, _image, *self.tag), {1: _image_inside})),
            (rise, Schema("strong convexity", (f_any, _image, point_any), {0: _image_inside})),
            (2 * mu * a_v / p_any**2, Given(1)),
        )
        facing = (*_against(grad(*here), Schema("Lipschitz", here)), (2 * mu, Given(2)))
        return (
            Step("mirrored", self.near_v(gt(a_v, 0)), Combination(mirrored)),
            Step("facing", self.near_v(ge(-a_v, 0)), Combination(facing)),
            Step("both", self.near_v(), Cases(a_v, "mirrored", "facing")),
        )

    def proof(self, key: str) -> tuple[Step, ...]:
        """By the claim `key` for all v, at v = 2 mu x - l'(x)."""
        n = self.length
        along = Lemma(key, {v_any: self.off, p_any: n}, {1: ()})
        return (
            Step("some", self.near(gt(n, 0)), Combination(((1 / n, along),))),
            Step("none", self.near(ge(-n, 0)), Combination(((1, Given(1)), (L, One())))),
            Step("all", self.near(), Cases(n, "some", "none")),
        )


tagged, plain = Mirror("w", (tag_any,)), Mirror("plain")
