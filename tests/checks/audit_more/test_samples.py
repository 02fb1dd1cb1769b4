"""Samples computed elsewhere: power, the false-positive rate at the boundary, and planted errors."""

from time import process_time

import numpy as np
import pytest
from scipy.stats import binom

from oubli.checks.audit import samples as module
from oubli.checks.audit.finding import Judgement
from oubli.checks.audit.samples import SHARES, SHARES_GAUSSIAN, audit_samples, split
from tests.fixtures.boundary_laws import BOUNDARY_LAWS, gaussian, vectors

TRUE_EPS = 4.377  # N(1, 1) against N(0, 1) at delta = 1e-5, by a 40-digit evaluation elsewhere


def bound(found, check):
    return next(f.measured["lower_bound"] for f in found.findings if f.check == check)


def flags(found):
    return {f.check for f in found.findings if f.verdict is Judgement.VIOLATED}


def test_power_of_both_modes_at_ten_thousand():
    free, gauss = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        P, Q = rng.normal(1, 1, 10_000), rng.normal(0, 1, 10_000)
        free.append(bound(audit_samples(P, Q, 1.0, 1e-5, seed=seed), "privacy eps"))
        found = audit_samples(P, Q, 1.0, 1e-5, seed=seed, assume_gaussian=True)
        gauss.append(bound(found, "privacy gaussian"))
    assert np.median(free) >= 2.35
    assert np.median(gauss) >= 4.2
    assert max(free) < TRUE_EPS
    assert binom.sf(sum(value > TRUE_EPS for value in gauss) - 1, 20, 0.05) > 1e-4


@pytest.mark.parametrize("law", BOUNDARY_LAWS)
def test_boundary_laws_are_flagged_at_most_at_the_level(law):
    # Outputs in three dimensions cost four times as much; benchmarks/samples.py counts ten thousand.
    runs, alpha, flagged = 60 if law is vectors else 150, 0.2, 0
    for seed in range(runs):
        (P, Q), budget = law(np.random.default_rng([7, seed]), 600)
        flagged += bool(flags(audit_samples(P, Q, *budget, alpha=alpha, seed=seed)))
    assert binom.sf(flagged - 1, runs, alpha) > 1e-6


def test_the_gaussian_mode_keeps_its_level_too():
    runs, alpha, flagged = 150, 0.2, 0
    for seed in range(runs):
        (P, Q), budget = gaussian(np.random.default_rng([8, seed]), 600)
        flagged += bool(flags(audit_samples(P, Q, *budget, alpha=alpha, seed=seed, assume_gaussian=True)))
    assert binom.sf(flagged - 1, runs, alpha) > 1e-6
    # The level is used, not only kept: else a test could not tell a bound that says nothing.
    assert flagged > 0.25 * alpha * runs


def test_thresholds_chosen_on_the_counted_rows_would_be_caught(monkeypatch):
    """The planted error: the rows that search are counted, and equal laws are flagged."""
    honest = split

    def peeking(P, Q, seed):
        parts = honest(P, Q, seed)
        return module.Split(parts.poisson(), parts.counted, parts.size, parts.numbers)

    rates = {}
    for name, used in (("honest", honest), ("peeking", peeking)):
        monkeypatch.setattr(module, "split", used)
        rates[name] = sum(
            bool(flags(audit_samples(*np.random.default_rng([9, s]).normal(size=(2, 400, 8)), 1e-6, 0.0,
                                     alpha=0.1, seed=s)))
            for s in range(30)
        )  # fmt: skip
    assert binom.sf(rates["honest"] - 1, 30, 0.1) > 1e-6
    assert binom.sf(rates["peeking"] - 1, 30, 0.1) < 1e-6


def test_a_sorted_file_is_no_attack():
    """Without the shuffle the search would see the low end and count the high end of one law."""
    rng = np.random.default_rng(0)
    P, Q = np.sort(rng.normal(size=4000)), np.sort(rng.normal(size=4000))[::-1]
    assert not flags(audit_samples(P, Q, 0.2, 1e-5))


@pytest.mark.parametrize("kind", ["mean", "variance", "swapped", "direction", "middle"])
def test_differences_of_every_kind_are_found(kind):
    rng = np.random.default_rng(3)
    P, Q = rng.normal(size=(2, 6000, 4))
    if kind == "mean":
        P[:, 2] += 3
    elif kind == "variance":
        P[:, 1] *= 6
    elif kind == "swapped":
        Q[:, 1] *= 6
    elif kind == "direction":
        P += 1.5 * np.array([1, -1, 1, -1])
    else:
        P[:, 0] *= 0.05
    found = audit_samples(P, Q, 0.5, 1e-5)
    assert flags(found) >= {"privacy eps", "privacy delta"}


@pytest.mark.parametrize("kind", ["mean", "direction", "variance", "swapped"])
def test_many_columns_are_searched_in_little_time(kind):
    """Outputs of a model: more columns than rows, where covariances would take minutes and gigabytes."""
    rng, d = np.random.default_rng(4), 5000
    P, Q = rng.normal(size=(2, 600, d))
    diagonal = rng.choice([-1.0, 1.0], d) / d**0.5
    if kind == "mean":
        P[:, 17] += 6
    elif kind == "direction":
        P += 6 * diagonal
    else:
        side = P if kind == "variance" else Q
        side += 60 * rng.normal(size=(600, 1)) * diagonal
    begun = process_time()
    assert flags(audit_samples(P, Q, 0.5, 1e-5)) >= {"privacy eps"}
    assert process_time() - begun < 30


def test_the_shares_are_the_whole_of_alpha():
    for shares in (SHARES, SHARES_GAUSSIAN):
        assert sum(shares.values()) == pytest.approx(1.0)


def test_gaussian_mode_is_not_used_where_its_assumption_fails():
    rng = np.random.default_rng(1)
    found = audit_samples(
        rng.exponential(size=4000) + 1, rng.exponential(size=4000), 1.0, 1e-5, assume_gaussian=True
    )
    gauss = next(f for f in found.findings if f.check == "privacy gaussian")
    assert gauss.verdict is Judgement.UNDECIDED
    assert "lower_bound" not in gauss.measured


def test_same_seed_same_json():
    rng = np.random.default_rng(2)
    P, Q = rng.normal(size=(2, 500))
    one, two = (audit_samples(P, Q, 1.0, 1e-5, seed=4).as_json() for _ in range(2))
    assert one == two
    assert one["verdict"] == "CONSISTENT"


def test_unequal_numbers_and_constant_outputs():
    assert not flags(audit_samples(np.zeros(200), np.zeros(5000), 1.0, 0.0))
    assert "privacy delta" in flags(audit_samples(np.zeros(300), np.ones(5000), 1.0, 1e-5))
