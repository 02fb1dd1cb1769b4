"""Letters of this paper, its class of losses, and statements that name the class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from oubli.theory.kernel.statement import Hypothesis, Statement
from oubli.theory.kernel.symbols import COUNT, NATURAL, POSITIVE, parameter
from oubli.theory.records import build
from oubli.theory.records.objects import Object, grad, inner, loss, losses_of, opt, point, term, value

CLASS_FILE = Path(__file__).with_name("smooth.py")
SMOOTH = losses_of(CLASS_FILE)
beta = parameter("beta", POSITIVE, "Lipschitz constant of the gradient")
mu = parameter("mu", POSITIVE, "curvature of the quadratics of counterexamples")
alpha_step = parameter("alpha_step", POSITIVE, "step size")
s_noise = parameter("s_noise", POSITIVE, "standard deviation of the noise in each coordinate")
d = parameter("d", COUNT, "dimension")
t = parameter("t", NATURAL, "index of the step")
T = parameter("T", NATURAL, "number of steps")
k_ = parameter("k_", NATURAL, "index of sums")

f, x, y, x_0 = loss("f_smooth"), point("x_smooth"), point("y_smooth"), point("x_begin_smooth")
x_star = opt(f)


def state(says: Any, *facts: Hypothesis, also: tuple[Any, ...] = ()) -> Statement:
    """A statement about the losses of this paper."""
    return build.state(says, *facts, also=(SMOOTH, mu, d, *also))


def gap(at: Object) -> Object:
    """f(x) - f(x*)."""
    return Object(["+", value(f, at).node, ["*", -1, value(f, x_star).node]])


def square(u: Object) -> Object:
    """|u|^2."""
    return inner(u, u)


slope = grad(f, x)
moved = x - alpha_step * slope
S_slope = term("S_slope", square(slope), "|grad f(x)|^2")
F_x, F_y = term("F_x", value(f, x), "f(x)"), term("F_y", value(f, y), "f(y)")
F_moved = term("F_moved", value(f, moved), "f(x - alpha grad f(x))")
Q_x = term("Q_x", square(x - x_star), "|x - x*|^2")
Q_moved = term("Q_moved", square(moved - x_star), "|x - alpha grad f(x) - x*|^2")
G_x = term("G_x", gap(x), "f(x) - f(x*)")
