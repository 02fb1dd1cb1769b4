"""Figures found by hand or published elsewhere, against the ledger's verdicts and witnesses."""

from collections.abc import Mapping
from fractions import Fraction

import mpmath
import pytest

from oubli.checks.report.verdicts import document
from oubli.theory.judging.ledger import Entry
from oubli.theory.paper.ledger import ledger, verified
from oubli.theory.records.verdict import Soundness, Status

FALLEN = [
    "setup.synthetic",
    "nft.average",
    "nft.noise",
    "nft.warm_start",
    "sgd.average",
    "sgd.constant_step",
    "def.to_reference",
    "gauss.kappa",
    "gauss.sensitivity",
    "experiment.sensitivity",
    "e0.sign",
    "e0.step",
    "opt_dist.step",
    "opt_loss.step1",
    "trivial.step2",
    "trivial.step3",
    "trivial",
    "efficient.equality",
    "efficient.corollary",
    "two_point",
    "tv_bound",
    "inefficient",
    "phase.slopes",
    "experiment.time",
]
STANDING = [
    "setup.stationary",
    "setup.gradient_at_zero",
    "setup.lift",
    "setup.step_stays",
    "setup.hard_family",
    "phi_measurable",
    "def.from_reference",
    "tv_dp",
    "e0",
    "scratch.upper",
    "scratch.lower",
    "scratch.theta",
    "opt_dist",
    "opt_loss",
    "efficient.expectation",
    "tv_bound.convex",
    "inefficient.c3",
    "inefficient.liminf",
    "binomial_tv",
    "phase.disjoint",
    "discussion.samples",
]


@pytest.fixture(scope="module")
def entries() -> Mapping[str, Entry]:
    return verified()


@pytest.mark.parametrize("key", FALLEN)
def test_known_errata_fall_and_their_repairs_stand(key: str, entries: dict[str, Entry]) -> None:
    assert entries[key].verdict.status is Status.REFUTED
    repair = entries[key].claim.repaired_by
    assert repair is not None
    assert entries[repair].effective is Status.PROVED


@pytest.mark.parametrize("key", STANDING)
def test_true_statements_stand(key: str, entries: dict[str, Entry]) -> None:
    assert entries[key].effective is Status.PROVED


@pytest.mark.parametrize("key", ["e0", "opt_dist", "opt_loss", "scratch.upper"])
def test_true_statements_with_a_broken_printed_proof(key: str, entries: dict[str, Entry]) -> None:
    assert entries[key].proof is Soundness.BROKEN


def test_trivial_is_refuted_by_the_two_problems(entries: dict[str, Entry]) -> None:
    found = {c["key"]: c for c in document(ledger(), {"trivial": entries["trivial"]})["claims"]}["trivial"]
    assert found["witness"]["values"]["e"] == "3/32"
    # No number is typed for the least worst risk: a lemma bounds it, for every unlearning rule.
    assert "M_0" not in found["witness"]["values"]
    assert found["uses"] == ["trivial.floor.private"]
    r = Fraction(1, 4)
    assert r**2 * (2 - r) ** 2 / 2 == Fraction(49, 512)
    kappa = mpmath.sqrt(2 * mpmath.log(125000)) / 25
    assert mpmath.mpf(1) / 3 * (mpmath.mpf(1) / 3 + kappa) / 2 < mpmath.mpf(3) / 32


def test_the_classical_kappa_fails_at_eps_10(entries: dict[str, Entry]) -> None:
    """Outside figure: at eps = 10, delta = 1e-5 the exact delta is 2.265e-5."""
    witness = entries["gauss.kappa"].verdict.witness
    assert witness is not None
    assert witness["witness"]["values"] == {"epsilon": 10, "delta": "1/100000"}
    kappa = mpmath.sqrt(2 * mpmath.log(mpmath.mpf("1.25e5"))) / 10
    exact = mpmath.ncdf(1 / (2 * kappa) - 10 * kappa) - mpmath.exp(10) * mpmath.ncdf(
        -1 / (2 * kappa) - 10 * kappa
    )
    assert abs(exact - mpmath.mpf("2.265e-5")) < mpmath.mpf("1e-8")


def test_c3_needs_few_boxes(entries: dict[str, Entry]) -> None:
    certificate = entries["inefficient.c3"].verdict.certificate
    assert certificate is not None
    boxes = [line for line in certificate["lines"] if "box" in line]
    assert 0 < len(boxes) <= 100
