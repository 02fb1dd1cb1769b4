"""Two independent computations of one number: the records, the simulator, the exact laws, enumeration."""

from oubli.checks.measure import cross
from oubli.checks.measure.sharper import kink
from oubli.sim.algorithms.registry import named_algorithms


def test_the_records_gradients_are_the_simulators() -> None:
    assert cross.families_agree() == 200


def test_the_records_delta_is_the_exact_law() -> None:
    assert cross.gauss_agrees() == 2000


def test_closed_forms_are_enumerations() -> None:
    assert cross.closed_forms_agree() == 35


def test_chains_do_not_share_randomness() -> None:
    assert cross.blocks_differ() == 512


def test_simulated_noise_has_its_closed_form() -> None:
    assert cross.simulated_noise_agrees() == 80_000


def test_every_rule_that_claims_privacy_respects_two_points() -> None:
    tried = cross.simulated_algorithms_respect_two_points()
    assert set(tried.values()) == {len(cross.PAIRS)}
    # Only fine-tuning without noise claims nothing.
    assert named_algorithms().keys() - tried.keys() == {"FineTuneWithoutNoise"}


def test_the_start_is_the_minimiser() -> None:
    assert cross.starts_agree() == 1000


def test_both_problems_of_the_kink_start_at_the_same_point() -> None:
    assert kink.starts_agree() == 200
