"""Claims over objects are proved from schemas alone, and their false neighbours are not."""

from typing import Any

import pytest
import sympy as sp

from oubli.theory.judging.judge import judge
from oubli.theory.kernel.checker import NOTHING
from oubli.theory.kernel.symbols import NATURAL, parameter
from oubli.theory.paper.letters import L, d, mu, r
from oubli.theory.records.build import by, case, eq, given, le, repair, state
from oubli.theory.records.objects import (
    Object,
    drawn,
    explicit_problem,
    forget,
    grad,
    inner,
    iterate,
    mean,
    minus,
    mix,
    norm,
    opt,
    point,
    problem,
    proj,
    retain,
    sgd,
    term,
    tilt,
    unit,
    value,
)
from oubli.theory.records.proof import Mean, One, Schema, SquaredNorm, Term
from oubli.theory.records.verdict import Status, Verdict

k_, t = parameter("k_", NATURAL), parameter("t", NATURAL)
D = problem("D_trial")
f, f_r = forget(D), retain(D)
F = mix(r, f, f_r)
theta, theta_r = opt(F), opt(f_r)
x_0 = point("x_0")
size = term("size_of_x_0", inner(x_0, x_0))


def convex(g: Object, x: Object, y: Object, *tag: Object) -> Schema:
    return Schema("strong convexity", (g, x, y, *tag))


def judged(says: Any, *terms: Term, given_: tuple[Any, ...] = ()) -> Verdict:
    said = state(says, *map(given, given_))
    return judge(repair("trial", 1, "a trial", said, proof=by(said, *terms)), {}, {})


def distance(bound: sp.Expr, *, tag: Object = f_r) -> Verdict:
    """The distance of the optima, by two uses of strong convexity, stationarity and one Lipschitz bound."""
    dist, step = term("dist_trial", norm(theta - theta_r)), theta_r - theta
    w = 1 / (bound + dist)
    terms = (
        (2 * w / mu, convex(F, theta, theta_r, F)),
        (2 * w / mu, Schema("stationary", (F, step))),
        (2 * w / mu, convex(F, theta_r, theta, tag)),
        (-2 * w / mu * (1 - r), Schema("stationary", (f_r, step))),
        (r**2 / mu**2 * w, Schema("Lipschitz", (f, theta_r, tag))),
        (w, SquaredNorm((r / mu) * grad(f, theta_r, tag) - step)),
    )
    return judged(le(dist, bound), *terms)


def test_the_distance_of_the_optima_is_proved_without_a_typed_fact() -> None:
    found = distance(r * L / mu)
    assert found.status is Status.PROVED
    assert found.certificate is not None
    assert found.certificate["takes"] == {**NOTHING, "letters": found.certificate["takes"]["letters"]}


@pytest.mark.parametrize("factor", ["99/100", "1/1000"])
def test_a_smaller_bound_is_not(factor: str) -> None:
    assert distance(sp.Rational(factor) * r * L / mu).status is Status.OPEN


def test_the_subgradient_must_be_the_one_of_the_minimiser() -> None:
    assert distance(r * L / mu, tag=F).status is Status.OPEN


def one_step(eta: Any, claimed: Any, direction: Object | None = None, start: bool = True) -> Verdict:
    """One projected step of SGD in the mean."""
    run, u = sgd(D, x_0, eta(k_)), theta_r
    x, ahead = iterate(run, t), iterate(run, t + 1)
    loss = drawn(run, t)
    moved = x - eta(t) * grad(loss, x)
    gap = term("G_trial", mean(minus(value(f_r, x), value(f_r, u))))
    before = term("D_before", mean(inner(x - u, x - u)))
    after = term("D_after", mean(inner(ahead - u, ahead - u)))
    now = Object("t")
    terms = (
        (1, Mean(Schema("projection", (moved, u)))),
        (-1, Mean(Schema("step", (run, now, ahead + proj(moved) - 2 * u)))),
        (2 * eta(t), Mean(convex(f_r, x, u))),
        (eta(t) ** 2, Mean(Schema("Lipschitz", (loss, x)))),
        (2 * eta(t), Schema("tower", (run, now, direction or x - u))),
    )
    inside = (le(size, L**2 / (4 * mu**2)),) if start else ()
    return judged(le(after, claimed(eta(t), before, gap)), *terms, given_=inside)


def printed_step(eta: Any, before: Any, gap: Any) -> Any:
    return (1 - eta * mu) * before - 2 * eta * gap + eta**2 * L**2


def decreasing(k: Any) -> Any:
    return 2 / (mu * (k + 2))


def test_one_step_of_sgd_is_proved() -> None:
    assert one_step(decreasing, printed_step).status is Status.PROVED


def test_a_start_outside_the_ball_is_not_enough() -> None:
    assert one_step(decreasing, printed_step, start=False).status is Status.OPEN


def test_the_direction_must_be_known_before_the_draw() -> None:
    run = sgd(D, x_0, decreasing(k_))
    later = iterate(run, t + 1) - theta_r
    found = one_step(decreasing, printed_step, direction=later)
    assert found.status is Status.OPEN
    assert "before the draw" in found.reason


def test_less_noise_than_there_is_is_not_proved() -> None:
    def claimed(eta: Any, before: Any, gap: Any) -> Any:
        return printed_step(eta, before, gap) - eta**2 * L**2 / 100

    assert one_step(decreasing, claimed).status is Status.OPEN


def case_of(says: Any, d_: int | None = None, **values: Any) -> Verdict:
    """A relation in the model of two quadratics, centred at R and -R along a unit vector."""
    side = unit(d_ or 1)
    two = explicit_problem(tilt(side), tilt(-side))
    where = {L: 2, mu: 1, r: sp.Rational(1, 4), **({d: 1} if d_ else {})}
    shown = case("two quadratics", where, objects={"D_trial": two})
    said = state(says, also=(d,) if d_ else ())
    return judge(repair("trial", 1, "a trial", said, instances=(shown,)), {}, {})


def test_a_model_refutes_what_is_false_there() -> None:
    dist = term("dist_trial", norm(theta - theta_r))
    assert case_of(le(dist, sp.Rational(99, 100) * r * L / mu)).status is Status.REFUTED
    assert case_of(le(dist, r * L / mu)).status is Status.OPEN


def test_a_typed_number_for_a_term_is_rejected() -> None:
    dist = term("dist_trial", norm(theta - theta_r))
    said = state(le(dist, r * L / mu))
    values = {L: 2, mu: 1, r: sp.Rational(1, 4), dist: 10**9}
    two = explicit_problem(tilt(unit(1)), tilt(-unit(1)))
    typed = case("a typed distance", values, objects={"D_trial": two})
    assert judge(repair("trial", 1, "a trial", said, instances=(typed,)), {}, {}).status is Status.OPEN


def test_a_model_outside_the_class_is_no_model() -> None:
    dist = term("dist_trial", norm(theta - theta_r))
    said = state(le(dist, sp.Rational(99, 100) * r * L / mu))
    steep = explicit_problem(tilt(2 * unit(1)), tilt(-2 * unit(1)))
    where = {L: 2, mu: 1, r: sp.Rational(1, 4)}
    outside = case("too steep", where, objects={"D_trial": steep})
    bad = repair("trial", 1, "a trial", said, instances=(outside,))
    with pytest.raises(ValueError, match="no instance"):
        judge(bad, {}, {})


def test_a_second_unit_vector_needs_a_second_dimension() -> None:
    dist = term("dist_trial", norm(theta - theta_r))
    with pytest.raises(ValueError, match="no instance"):
        case_of(le(dist, sp.Rational(99, 100) * r * L / mu), d_=2)


def test_on_the_line_there_is_no_second_unit_vector() -> None:
    e_2 = unit(2)
    said = state(le(d, 0), given(eq(d, 1)))
    absurd = by(said, (-1, Schema("line", (e_2, e_2))), (1, One()))
    assert judge(repair("trial", 1, "1 <= 0 on the line", said, proof=absurd), {}, {}).status is Status.OPEN
