"""Noise that hides which of two values was released: Laplace and Gauss."""

from __future__ import annotations

from sympy import Expr, exp

from oubli.theory.kernel.symbols import POSITIVE, Phi, parameter
from oubli.theory.records.build import by as combination
from oubli.theory.records.build import case, eq, given, le, repair, statement
from oubli.theory.records.objects import built, gaussian, mean, numeric, point, radial, term
from oubli.theory.records.proof import Combination, Given, Lemma, One, Schema, Step

from .letters import beta, d, mu, s_noise, square, state

Delta = parameter("Delta", POSITIVE, "sensitivity: how far two values may lie apart")
epsilon = parameter("epsilon", POSITIVE, "privacy budget")
u_value, v_value = point("u_value"), point("v_value")
_apart = term("Q_apart", square(u_value - v_value), "|u - v|^2")

_laplace_noise, _gauss_noise = radial(epsilon / Delta), gaussian(s_noise)
_leak = {
    name: term(f"leak_{name}", built("excess", u_value, v_value, noise, epsilon),
               "the largest P(u + z in S) - e^eps P(v + z in S)")
    for name, noise in (("laplace", _laplace_noise), ("gauss", _gauss_noise))
}  # fmt: skip
_laplace = state(le(_leak["laplace"], 0), given(le(_apart, Delta**2)))
_size = {
    name: term(f"E_{name}", mean(square(noise)), "E|z|^2")
    for name, noise in (("laplace", _laplace_noise), ("gauss", _gauss_noise))
}
_error = state(eq(Delta**2 / epsilon**2, _size["laplace"]), given(eq(d, 1)))
_error_repaired = state(eq(_size["laplace"], 2 * Delta**2 / epsilon**2), given(eq(d, 1)))


def _hidden(sign: int) -> Expr:
    return Phi(sign * Delta / (2 * s_noise) - epsilon * s_noise / Delta)


_gauss = state(
    eq(_leak["gauss"], _hidden(1) - exp(epsilon) * _hidden(-1)), given(eq(_apart, Delta**2)), also=(beta,)
)
_gauss_error = state(eq(_size["gauss"], d * s_noise**2))
_seen = (u_value, v_value)

CLAIMS = (
    statement(
        "laplace", 50, "Laplace noise of rate eps/Delta is eps-private", _laplace, "prop:laplace",
        proof=combination(
            _laplace,
            (-1, Schema("Laplace", (*_seen, _laplace_noise, numeric(epsilon)),
                        {2: ((epsilon**2 / Delta**2, Given(0)),)})),
        ),
    ),
    statement(
        "laplace.error", 54, "in one dimension its mean squared error is Delta^2/eps^2", _error,
        "prop:laplace-error",
        instances=(case("Delta = eps = 1", {Delta: 1, epsilon: 1, d: 1, mu: 1},
                        through=((1, Lemma("laplace.error.repaired")), (1, One()))),),
        repaired_by="laplace.error.repaired",
    ),
    repair(
        "laplace.error.repaired", 54, "it is 2 Delta^2/eps^2", _error_repaired,
        proof=combination(
            _error_repaired,
            (1, Schema("moment", (_laplace_noise,))),
            ((d + 2) * Delta**2 / epsilon**2, Given(0)),
        ),
    ),
    statement(
        "gauss", 58, "the exact delta of Gaussian noise", _gauss, "prop:gauss",
        proof=(
            Step("gauss", _gauss, Combination((
                (1, Schema("Gaussian", (*_seen, _gauss_noise, numeric(epsilon), numeric(Delta)),
                           {2: ((-1, Given(0)),)})),
            ))),
        ),
    ),
    statement(
        "gauss.error", 61, "its mean squared error is d sigma^2", _gauss_error, "prop:gauss-error",
        proof=combination(_gauss_error, (1, Schema("moment", (_gauss_noise,)))),
    ),
)  # fmt: skip
