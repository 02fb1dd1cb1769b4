"""The table of named rules at a few thousand draws; `benchmarks/audit_rules.py` has all of it."""

import pytest

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.plan import noise_seen
from oubli.checks.audit.privacy import privacy
from oubli.checks.audit.subject import subject_of
from oubli.sim.geometry import project
from tests.fixtures.faulty import FAULTY, ForgetGradients, ForgetSteps, RealDistance, SharedNoise
from tests.fixtures.named_faulty import PlainAscent
from tests.fixtures.named_private import NewtonWithNoise, RetrainWithNoise, SinglePrecision
from tests.fixtures.noisy import Noisy, Sees, least
from tests.fixtures.private import CORRECT
from tests.fixtures.table import BUDGETS, TABLE

# These have tests of their own, with more draws or with the check that must speak.
ELSEWHERE = {case.algorithm for case in FAULTY} | set(CORRECT)
HERE = [(number, named) for number, named in enumerate(TABLE) if named.rule not in ELSEWHERE]


def test_the_table_is_large_enough():
    assert sum(named.private for named in TABLE) >= 70
    assert sum(not named.private for named in TABLE) >= 60
    assert len({named.name for named in TABLE}) == len(TABLE)
    assert len(BUDGETS) == 3


@pytest.mark.parametrize(("number", "named"), HERE, ids=[named.name for _, named in HERE])
def test_named_rule_is_judged_rightly(number, named):
    # A private rule errs once in many thousand runs of the tests; one budget of the three for each.
    level = 1e-6 if named.private else 0.05
    settings = Settings(**named.budgets[number % 3], runs=10_000, alpha=level)
    found = quick_audit(named.rule, settings)
    wanted = Judgement.CONSISTENT if named.private else Judgement.VIOLATED
    assert found.verdict is wanted, [f.says for f in found.findings if f.says]
    if named.private:
        assert not any(f.verdict is Judgement.ERROR for f in found.findings)


@pytest.mark.parametrize(
    ("rule", "check", "says"),
    [
        (PlainAscent, "structure retain only", "changes with the forget data"),
        (ForgetGradients, "structure retain only", "changes with the forget data"),
        (ForgetSteps, "structure retain only", "changes with the forget data"),
        (RetrainWithNoise, "structure public scale", "its location changes"),
        (NewtonWithNoise, "structure public scale", "its location changes"),
    ],
)
def test_outside_the_model_is_a_remark_with_its_reason(rule, check, says):
    found = quick_audit(rule, Settings(1.0, 1e-5, runs=500))
    finding = next(f for f in found.findings if f.check == check)
    assert finding.remark
    assert finding.verdict is Judgement.UNDECIDED
    assert finding.level == 0
    assert finding.says.startswith("outside the model of the paper: ")
    assert says in finding.says


def test_single_precision_is_judged_exactly():
    """Rounding is no dependence on theta*: a declared scale in float32 keeps its exact verdict."""
    found = quick_audit(SinglePrecision, Settings(1.0, 1e-5, runs=500))
    assert next(f.verdict for f in found.findings if f.check == "privacy exact") is Judgement.CONSISTENT
    assert not any(f.remark for f in found.findings)


def test_a_scale_taken_from_the_data_is_told_from_a_location():
    found = quick_audit(RealDistance, Settings(1.0, 1e-5, runs=2000))
    assert "its scale changes" in next(f.says for f in found.findings if f.check == "structure public scale")
    assert found.violated("privacy")


class Descent(Sees):
    """Descent-to-Delete as one writes it: full gradients of the retain data, then noise for r_f L/mu."""

    def step(self, t, theta, grad, memory, setup, rng):
        return project(theta - self.problem.retain.gradient(theta) / (2 * setup.mu), setup.R), memory

    def release(self, theta, memory, setup, rng):
        return theta + least(setup) * rng.standard_normal(theta.shape)


class SmoothDescent(Descent):
    def assumes_smooth(self, setup):
        return True


class QuietDescent(SmoothDescent):
    """Too little noise for smooth losses too: one step halves the distance, and this is a fifth."""

    def release(self, theta, memory, setup, rng):
        return theta + least(setup) / 10 * rng.standard_normal(theta.shape)


@pytest.mark.parametrize(("rule", "steps", "against", "verdict"), [
    (SmoothDescent, 3, "pair", Judgement.CONSISTENT), (SmoothDescent, 3, "retrain", Judgement.CONSISTENT),
    (Descent, 3, "pair", Judgement.VIOLATED), (QuietDescent, 1, "pair", Judgement.VIOLATED),
])  # fmt: skip
def test_a_claim_about_smooth_losses_is_not_judged_on_others(rule, steps, against, verdict):
    """At a kink the steps move two optima apart: three of them by 24 times their distance, on one pair."""
    settings = Settings(1.0, 1e-5, steps=steps, runs=3000, against=against)
    found = quick_audit(rule, settings)
    assert found.verdict is verdict
    if rule is Descent:
        assert {f.instance for f in found.findings if f.verdict is verdict} == {"random members"}


@pytest.mark.parametrize(("least", "steps", "verdict"), [
    (0, 3, Judgement.VIOLATED), (1, 3, Judgement.CONSISTENT), (5, 3, Judgement.UNDECIDED),
])  # fmt: skip
def test_the_claim_begins_at_the_declared_number_of_steps(least, steps, verdict):
    """The noise comes in the first step: false from T = 0 on, true from T = 1 on."""
    from tests.fixtures.named_private import FirstStepNoise

    class Declares(FirstStepNoise):
        def least_steps(self, setup):
            return least

    found = quick_audit(Declares, Settings(1.0, 1e-5, rf=0.05, steps=steps, runs=2000, alpha=1e-3))
    assert found.verdict is verdict


def test_rows_that_share_their_noise_are_an_error_not_a_violation():
    """One run is private; the audit cannot use runs that are not independent."""
    found = quick_audit(SharedNoise, Settings(1.0, 1e-5, runs=2000))
    assert found.verdict is Judgement.ERROR
    assert found.findings[-1].check == "structure rows"
    assert "rows must be independent runs" in found.findings[-1].says


def test_the_stated_power_is_there():
    """The largest share of the noise that is said to be caught, in counts on it: 4 in 5, of 12."""
    settings = [Settings(1.0, 1e-5, steps=1, runs=5000, seed=seed) for seed in range(12)]
    share = noise_seen(1.0, 1e-5, 5000, settings[0].level("eps"))

    class Less(Noisy):
        pass

    Less.share = share
    found = [privacy(subject_of(Less), one)[0] for one in settings]
    flags = sum(any(f.verdict is Judgement.VIOLATED for f in each) for each in found)
    # Fewer than 6 of 12 with probability 0.8 each: below 0.004.
    assert flags >= 6
