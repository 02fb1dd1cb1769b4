"""The synthetic experiment: walks against the rules and enumeration, exact risks against measurement."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from oubli.checks.measure.confidence import FAMILIES, FAMILY_WISE, mean_interval
from oubli.sim.algorithms import (
    NoiseAndFineTuneCharitable,
    NoiseAndFineTuneConstantStep,
    NoiseAndFineTunePrinted,
    ScratchSGD,
)
from oubli.sim.experiments import jit
from oubli.sim.experiments.synthetic.compiled import CompiledWalker
from oubli.sim.experiments.synthetic.protocol import Synthetic, descending, summed
from oubli.sim.experiments.synthetic.risk import defined_time, exact_risks, measured_risk
from oubli.sim.experiments.synthetic.signs import SignWalker, walker_for
from oubli.sim.experiments.synthetic.steps import IterateStepper, Stepper
from oubli.sim.experiments.synthetic.tail import tail_of
from oubli.sim.experiments.synthetic.tasks import BUILT_IN, Define, Walk, tasks
from oubli.sim.experiments.walk import first_passages
from oubli.sim.runs.expected import expected

PROTOCOL = Synthetic()
KAPPAS = (0.01, 0.3, 2.0, 30.0)


class Whole:
    """A walker whose chains are never thinned, so that it sees the draws that a stepping one sees."""

    def __init__(self, walker):
        self.start, self.advance = walker.start, walker.advance

    def keep(self, rows):
        return None


@pytest.mark.parametrize("iterate", [False, True])
@pytest.mark.parametrize("rule", [ScratchSGD(), *BUILT_IN.values()], ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("T", [70, 1500])
def test_closed_form_walk_equals_the_rule_stepped(rule, T, iterate):
    problem = PROTOCOL.problem(T)
    setups = [PROTOCOL.setup(problem, kappa, T) for kappa in KAPPAS]
    levels, sampler = descending(PROTOCOL.levels), problem.retain.sampler
    walker = walker_for(rule, problem, setups, 20, PROTOCOL.stream(1), iterate)
    assert isinstance(walker, SignWalker | CompiledWalker)
    stepper = (IterateStepper if iterate else Stepper)(rule, problem, setups, 20, PROTOCOL.stream(1))
    ours = first_passages(Whole(walker), 80, levels, T, sampler, PROTOCOL.stream(2))
    stepped = first_passages(stepper, 80, levels, T, sampler, PROTOCOL.stream(2))
    assert ours.tolist() == stepped.tolist()


def test_long_steps_are_stepped():
    problem = PROTOCOL.problem(10)
    setups = [PROTOCOL.setup(problem, 100.0, 10)]
    walker = walker_for(NoiseAndFineTuneConstantStep(), problem, setups, 2, PROTOCOL.stream(1), False)
    assert isinstance(walker, Stepper)


def enumerated_mean_passage(T, e, L, d):
    """Chance and mean of the first passage of retraining over all 2^T sign sequences, in fractions."""
    gamma = Fraction(1, 4)  # 1/(2√T) at T = 4
    q, chance, total = Fraction(L, 4), Fraction(0), Fraction(0)
    for signs in itertools.product((1, -1), repeat=T):
        p = Fraction(1)
        for g in signs:
            p *= (1 + g * gamma) / 2
        x, m, passed = Fraction(0), Fraction(0), None
        for t in range(T + 1):
            average = 2 * m / ((t + 1) * (t + 2))
            if Fraction(d, 4) * (average - q * gamma) ** 2 <= e:
                passed = t
                break
            if t < T:
                x = x - Fraction(2, t + 2) * (x - q * signs[t])
                m += (t + 2) * x
        if passed is not None:
            chance, total = chance + p, total + p * passed
    return float(chance), float(total)


def test_walk_of_retraining_against_enumeration():
    T, runs, problem = 4, 40_000, PROTOCOL.problem(4)
    levels = np.array([2.0, 0.5, 0.05])
    setups = [PROTOCOL.setup(problem, 1.0, T)]
    walker = walker_for(ScratchSGD(), problem, setups, runs, PROTOCOL.stream(1), False)
    when = first_passages(walker, runs, levels, T, problem.retain.sampler, PROTOCOL.stream(5))
    for column, e in enumerate(("2", "1/2", "1/20")):
        chance, total = enumerated_mean_passage(T, Fraction(e), 25, PROTOCOL.d)
        passed = (when[:, column] >= 0).astype(float)
        times = np.where(when[:, column] >= 0, when[:, column], 0).astype(float)
        assert mean_interval(passed, 0.0, 1.0, 6).holds(chance)
        assert mean_interval(times, 0.0, float(T), 6).holds(total)
    assert 0 < chance < 1


def test_thinning_leaves_the_law_as_it_is():
    T, problem = 300, PROTOCOL.problem(300)
    setups = [PROTOCOL.setup(problem, 1.0, T)]
    levels, sampler = np.array([1.0, 0.1]), problem.retain.sampler
    whole, thinned = (
        first_passages(make(w), 4000, levels, T, sampler, PROTOCOL.stream(seed))
        for seed, make in ((7, Whole), (8, lambda walker: walker))
        for w in [walker_for(BUILT_IN["charitable"], problem, setups, 4000, PROTOCOL.stream(9), False)]
    )
    for column in range(2):
        late = [((when[:, column] < 0) | (when[:, column] > 20)).astype(float) for when in (whole, thinned)]
        first, second = (mean_interval(part, 0.0, 1.0, 4) for part in late)
        assert max(first.low, second.low) <= min(first.high, second.high)
    assert (thinned[:, 1] > 20).any()


@pytest.mark.parametrize("rule", [NoiseAndFineTuneCharitable(), NoiseAndFineTuneConstantStep()])
def test_leaving_out_a_projection_that_never_acts(rule):
    problem = PROTOCOL.problem(40)
    setup = PROTOCOL.setup(problem, 1.0, 40)
    projected = expected(rule, problem, setup, np.array([0, 40])).excess
    # The tabulated law of a projected start is good to about 1e-7; without projection it is closed form.
    assert exact_risks(rule, problem, setup, np.array([0, 40])) == pytest.approx(projected, rel=1e-6)


SMALL = Synthetic(most_steps=100, per_decade=2, points=4, repetitions=3000, alpha=FAMILY_WISE / FAMILIES / 4)


@pytest.mark.parametrize("name", ["scratch", *BUILT_IN])
def test_measured_diagram_agrees_with_the_exact_one_at_every_grid_point(name):
    kappas = range(1 if name == "scratch" else len(SMALL.kappas))
    known = 0
    for index in kappas:
        found = Define(name, index).run(SMALL, {})
        exact, low, high = found["exact"], found["low"], found["high"]
        closed = ~np.isnan(exact)
        known += int(closed.sum())
        assert ((low <= exact) & (exact <= high))[closed].all()
        T, start = np.array(SMALL.horizons)[closed], float(np.nanmax(found["start"]))
        for e in SMALL.levels:
            times = [defined_time(T, risk[closed], start, e) for risk in (low, exact, high)]
            assert times == sorted(times)
    assert known >= 0.8 * len(kappas) * len(SMALL.horizons)


def test_intervals_can_fail():
    problem = SMALL.problem(1)
    setup = SMALL.setup(problem, 1.0, 1)
    found = measured_risk(NoiseAndFineTunePrinted(), problem, setup, 3000, 1, SMALL.each_alpha)
    other = exact_risks(NoiseAndFineTuneCharitable(), problem, setup, np.array([1]))[0]
    assert not found.interval.holds(float(other))


@pytest.mark.parametrize("rule", BUILT_IN.values(), ids=BUILT_IN)
def test_samples_stay_below_the_tail_bound(rule):
    problem = PROTOCOL.problem(50)
    setup = PROTOCOL.setup(problem, 3.0, 50)
    tail = tail_of(rule.recipe(setup, np.array(50)), problem, setup)
    found = measured_risk(rule, problem, setup, 2000, 3, 0.01)
    # The chance that any of 2000 samples exceeds B(8) is below 1e-10.
    assert found.mean < tail.bound(0.5) + tail.bound(1.0)
    assert found.interval.high <= tail.bound(8.0)


def test_the_printed_grid():
    assert PROTOCOL.horizons[0] == 1
    assert PROTOCOL.horizons[-1] == 1_000_000
    ratios = np.diff(np.log10(PROTOCOL.horizons[-20:]))
    assert ratios == pytest.approx(0.1, abs=1e-4)
    assert (PROTOCOL.kappas[0], PROTOCOL.kappas[-1], len(PROTOCOL.kappas)) == (0.01, 100.0, 60)
    assert PROTOCOL.problem(25).retain.signs().mean == pytest.approx(0.1)


@pytest.mark.parametrize(("d", "warned"), [(2, False), (4, False), (6, True)])
def test_the_class_is_left_beyond_four_dimensions(d, warned):
    protocol = Synthetic(d=d)
    problem = protocol.problem(1)
    gradient = problem.retain.losses[0].gradient(np.full((1, d), -1.0) * 12.5 / np.sqrt(d))
    assert bool(protocol.outside) is warned
    assert (np.linalg.norm(gradient) > 25.0 * (1 + 1e-12)) is np.bool_(warned)


def test_pieces_do_not_depend_on_each_other():
    protocol = Synthetic(most_steps=30, per_decade=2, points=3, repetitions=3)
    every = tasks(protocol, ("printed",), False)
    assert len({task.key for task in every}) == len(every)
    walk = next(task for task in every if task.key.startswith("walk-printed"))
    first = walk.run(protocol, {})
    [task.run(protocol, {}) for task in every[:3]]
    again = walk.run(protocol, {})
    assert all(first[name].tobytes() == again[name].tobytes() for name in first)


def test_sums_of_times():
    when = np.array([[0, 3], [2, -1], [1, 1], [1, 5]])
    found = summed(when, 2)
    assert found.passed.tolist() == [[2, 1], [2, 2]]
    assert found.total.tolist() == [[2, 3], [2, 6]]
    assert found.squares.tolist() == [[4, 9], [2, 26]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"d": 3}, "even"),
        ({"points": 1}, "points"),
        ({"low": 2.0, "high": 1.0}, "low < high"),
        ({"delta": 0.0}, "delta"),
    ],
)
def test_impossible_protocols_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Synthetic(**change)


@pytest.mark.parametrize("name", ["charitable", "constant-step"])
@pytest.mark.parametrize("T", [1, 40, 3000])
def test_compiled_walks_pass_at_the_same_steps(name, T, monkeypatch):
    pytest.importorskip("numba")
    protocol = Synthetic(most_steps=T, points=20)
    fast = Walk(name, T, 1, iterate=False).run(protocol, {})
    monkeypatch.setattr(jit, "AVAILABLE", False)
    plain = Walk(name, T, 1, iterate=False).run(protocol, {})
    assert {key: found.tolist() for key, found in fast.items()} == {
        key: found.tolist() for key, found in plain.items()
    }
    assert fast["passed"].any()
