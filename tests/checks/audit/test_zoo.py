"""All faulty algorithms are flagged by the check that is meant for them, no correct one is."""

import numpy as np
import pytest

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.pairs import candidates
from oubli.checks.audit.structure import CHAINS, SEEDS, fresh_noise
from oubli.checks.audit.subject import subject_of
from oubli.sim.algorithms import RareLeak
from tests.fixtures.faulty import FAULTY
from tests.fixtures.private import CORRECT

BUDGET = {"eps": 1.0, "delta": 1e-5}


def test_the_zoo_is_large_enough():
    assert len(FAULTY) >= 12
    assert len(CORRECT) >= 12


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.algorithm.__name__)
def test_faulty_is_flagged(case):
    runs = 400_000 if case.algorithm.__name__ == "HalfNoise" else 20_000
    found = quick_audit(case.algorithm, Settings(**{**BUDGET, "runs": runs, **case.change}))
    assert found.verdict is Judgement.VIOLATED
    assert found.violated(case.check)
    # For the right reason: no other check speaks than those that this fault also breaks.
    flagged = [f.check for f in found.findings if f.verdict is Judgement.VIOLATED]
    assert all(name.startswith((case.check, *case.also)) for name in flagged), flagged


@pytest.mark.parametrize(
    ("algorithm", "dim"),
    [(rule, 1 + k % 2) for k, rule in enumerate(CORRECT)],
    ids=lambda kind: getattr(kind, "__name__", f"d{kind}"),
)
def test_correct_is_not_flagged(algorithm, dim):
    # The level is small so that the whole family errs once in many thousand runs of the tests.
    found = quick_audit(algorithm, Settings(**BUDGET, dim=dim, runs=20_000, alpha=1e-6))
    assert found.verdict is Judgement.CONSISTENT, [f.says for f in found.findings if f.says]


def test_below_the_lower_bound_is_a_contradiction():
    """Fine-tuning without noise is faster than any private algorithm where retraining is needed."""
    from oubli.sim.algorithms import FineTuneWithoutNoise

    found = quick_audit(FineTuneWithoutNoise(), Settings(eps=0.1, delta=1e-5, rf=0.05, steps=3, runs=20_000))
    assert found.violated("risk contradiction")
    says = next(f.says for f in found.findings if f.check == "risk contradiction")
    assert "not private as claimed" in says


def test_a_rule_that_takes_the_problem_does_not_contradict_the_bound():
    """theta_r* itself has no risk and is private; it lies outside the hypothesis on gradients."""

    class RetainOptimum:
        def __init__(self, problem):
            self.point = problem.retain_optimum.point

        def step(self, t, theta, grad, memory, setup, rng):
            return theta, memory

        def release(self, theta, memory, setup, rng):
            return np.tile(self.point, (len(theta), 1))

    found = quick_audit(RetainOptimum, Settings(eps=1.0, delta=1e-5, rf=0.3, steps=1, runs=2000))
    finding = next(f for f in found.findings if f.check == "risk contradiction")
    assert finding.verdict is Judgement.UNDECIDED
    assert "takes the problem itself" in finding.says


@pytest.mark.parametrize("delta", np.geomspace(1e-4, 0.6, 40))
def test_rare_noise_is_not_taken_for_shared_noise(delta):
    """Some runs leak and others do not: neither is a reused seed."""
    found = fresh_noise(subject_of(RareLeak), Settings(eps=1.0, delta=float(delta)))
    assert found.verdict is Judgement.CONSISTENT


def test_leaving_the_ball_makes_the_risk_undecided():
    from oubli.sim.algorithms import NoiseAndFineTunePrinted

    found = quick_audit(NoiseAndFineTunePrinted(), Settings(eps=0.1, delta=1e-5, runs=1000))
    verdicts = {f.check: f.verdict for f in found.findings}
    assert verdicts["structure ball"] is verdicts["risk"] is Judgement.UNDECIDED
    # An average whose weights do not sum to one is post-processing all the same.
    assert next(f for f in found.findings if f.check == "structure weights").remark
    assert not found.violated("structure")


def test_an_honest_coin_is_hardly_ever_taken_for_a_reused_seed():
    """All runs agree and are not constant: the probability over the bias of the coin, in closed form."""
    p, runs = np.linspace(0, 1, 100_001), SEEDS
    agree = (p**runs + (1 - p) ** runs) ** CHAINS - p ** (runs * CHAINS) - (1 - p) ** (runs * CHAINS)
    assert agree.max() < 1e-7


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_pairs_cover_directions_radii_and_scales(d):
    rf = 0.05
    pairs = [pair for pair in candidates(rf, d) if pair.spot is not None]
    units = np.array([pair.optima[0] - pair.optima[1] for pair in pairs])
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    for wanted in (np.eye(d)[0], np.eye(d)[-1], np.ones(d) / d**0.5):
        assert np.abs(units @ wanted).max() > 0.999
    assert {round(float(np.linalg.norm(pair.spot.centre)), 2) for pair in pairs} >= {0.0, 0.5, 0.9, 1.0}
    assert {pair.spot.reach for pair in pairs} >= {0.25, 0.5, 1.0}
    assert max(pair.distance for pair in pairs) == pytest.approx(rf)
