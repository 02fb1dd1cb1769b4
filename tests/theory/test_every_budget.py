"""The efficient regime for every eps and the new noise: each hypothesis is needed."""

from dataclasses import replace

import pytest

from oubli.sim.laws import classical_kappa, gaussian_delta
from oubli.theory.judging.judge import judge
from oubli.theory.kernel.statement import Statement
from oubli.theory.paper.ledger import ledger
from oubli.theory.records.build import ge
from oubli.theory.records.build import given as nothing
from oubli.theory.records.verdict import Status
from oubli.theory.regimes.decide import Known, at_most
from oubli.theory.regimes.record import UndecidedError, record

BOOK = ledger()
SAYS = {key: claim.statement for key, claim in BOOK.claims.items() if claim.statement is not None}


def without(key: str, index: int) -> Status:
    """The verdict on a claim and the last step of its proof where one hypothesis says nothing."""
    claim = BOOK.claims[key]
    assert claim.statement is not None
    given = claim.statement.given
    weaker = replace(claim.statement, given=(*given[:index], nothing(ge(1, 0)), *given[index + 1 :]))
    last = replace(claim.proof[-1], statement=weaker)
    return judge(replace(claim, statement=weaker, proof=(*claim.proof[:-1], last)), SAYS).status


def printed(statement: Statement | None) -> list[str]:
    assert statement is not None
    return [str(item.relation) for item in statement.given]


@pytest.mark.parametrize(
    ("key", "hypothesis"),
    [
        ("efficient.kappa.exact", "delta"),
        ("efficient.kappa.hat", "sigma_unit"),
        ("efficient.budget", "2*epsilon**2*kappa**2"),
        ("efficient.dimension", "d + 1"),
        ("sharp.noise.radial.exact", "h_whole"),
        ("sharp.noise.staircase", "s_cover"),
    ],
)
def test_no_hypothesis_can_be_left_out(key: str, hypothesis: str) -> None:
    (index,) = [
        i for i, text in enumerate(printed(SAYS[key])) if hypothesis in text and "q_noise" not in text
    ][-1:]
    assert without(key, index) is not Status.PROVED


@pytest.mark.parametrize(("eps", "delta"), [(0.5, 1e-5), (10.0, 1e-5), (40.0, 1e-3), (500.0, 1e-9)])
def test_the_sum_is_private_by_the_exact_law_and_kappa_alone_is_not_always(eps: float, delta: float) -> None:
    kappa = float(classical_kappa(eps, delta))
    assert gaussian_delta(eps, kappa + (2 * eps) ** -0.5) <= 0.4 * delta
    assert (gaussian_delta(eps, kappa) <= delta) == (eps < 6)


def test_a_letter_that_is_only_bounded_may_not_lower_a_bound() -> None:
    kinds = {name: [0, False, None, False, False, True] for name in ("x", "y")}
    for sign, good in ((1, True), (-1, False)):
        # x <= 2 + sign y, where y is at most 3.
        says = [">=", ["+", 2, ["*", sign, "y"], ["*", -1, "x"]]]
        known = Known(record({"quantities": kinds, "given": [], "says": says}))
        known.put("y", 3, at_most=True)
        if good:
            assert at_most(known, "x") == 5
        else:
            with pytest.raises(UndecidedError, match="wrong sign"):
                at_most(known, "x")
