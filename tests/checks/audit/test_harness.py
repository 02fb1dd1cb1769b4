"""The calibration's harness: a stopped run loses nothing, and the table can say MISSED."""

import importlib.util
import sys
from contextlib import closing
from pathlib import Path

import pytest
from scipy.stats import binom

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.chain_bound import best_chain
from oubli.checks.audit.compared_problems import _members
from oubli.checks.audit.pairs import candidates, line_pair
from oubli.checks.audit.privacy import privacy
from oubli.checks.audit.settings import SHARES
from oubli.checks.audit.subject import subject_of
from oubli.checks.runs.blocks import JSON
from oubli.checks.runs.store import PIECE, drop, open_pieces
from oubli.sim.algorithms import ExactNoise, RandomisedResponse


@pytest.fixture(scope="module")
def harness():
    path = Path(__file__).parents[3] / "benchmarks" / "audit.py"
    spec = importlib.util.spec_from_file_location("audit_harness", path)
    module = importlib.util.module_from_spec(spec)
    # Data classes look up their module by its name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def made(family, number):
    return {"number": number, "flags": {}, "seconds": 0.1, "fresh": True}


def test_a_stopped_run_goes_on_where_it_was(harness, tmp_path, capsys, monkeypatch):
    for name, value in {"STORE": tmp_path, "TOGETHER": (1, 1), "one": made}.items():
        monkeypatch.setattr(harness, name, value)
    monkeypatch.setattr(harness, "FAMILIES", {"coins": ("RareLeak",)})
    keys = [harness.Audits("coins", n, n + 1).key for n in range(7)]
    with closing(open_pieces(tmp_path, {"what": "audit", "code": "a"}, JSON, drop)) as store:
        for n in (0, 3, 5):
            store.put(keys[n], [{"number": n, "flags": {"x": 0.1}, "seconds": 0.2}])
    # The last piece was cut by the kill.
    cut = tmp_path / f"{keys[5]}{PIECE}"
    cut.write_bytes(cut.read_bytes()[:-9])
    done = harness.finished((7, 0), "a", 1)
    assert [r["number"] for r in done["coins"]] == list(range(7))
    assert done[harness.HALF] == []
    assert [r["number"] for r in done["coins"] if "fresh" not in r] == [0, 3]
    assert "2 of 7 pieces are there" in capsys.readouterr().err
    assert harness.finished((7, 0), "a", 1) == done
    assert "7 of 7 pieces are there" in capsys.readouterr().err
    # Other code starts anew.
    again = harness.finished((7, 0), "b", 1)
    assert all("fresh" in record for record in again["coins"])


def records(flagged, check="privacy eps", level=0.0225):
    flags = [{check: level} if n < flagged else {} for n in range(10_000)]
    return [{"number": n, "flags": flag, "seconds": 0.1} for n, flag in enumerate(flags)]


@pytest.mark.parametrize(("flagged", "good"), [(0, True), (400, True), (530, False)])
def test_the_table_judges_the_upper_limit_of_every_family(harness, flagged, good):
    """Of 10,000: the one-sided 99.9 % limit of 400 is 0.0464, of 530 it is 0.0603, by the binomial law."""
    done = {name: records(0) for name in harness.FAMILIES}
    done[harness.RETRAIN] = records(flagged, level=0.05)
    lines, kept = harness.by_family(done)
    assert kept is good
    # The limit is the rate at which so few flags would come with probability 0.001.
    assert bool(binom.cdf(flagged, 10_000, 0.06) <= 0.001) is good
    assert ("ok" if good else "MISSED") in lines[-2]


@pytest.mark.parametrize(("flagged", "good"), [(250, True), (290, False)])
def test_a_finding_that_spends_its_level_twice_is_seen(harness, flagged, good):
    """Well within alpha, but beyond the level 0.0225 of one finding: 225 are expected, 290 are too many."""
    lines, kept = harness.table({name: records(flagged) for name in harness.FAMILIES})
    assert kept is good
    assert bool(binom.sf(flagged - 1, 10_000, 0.0225) > 0.001) is good
    assert any("| privacy eps | Gaussian noise | 0.0225 |" in line for line in lines)


def test_every_correct_rule_is_in_a_family_and_every_case_is_an_honest_claim(harness):
    """Each algorithm of the zoo meets each budget; none is audited beyond what it claims."""
    paired = [
        name for family, names in harness.FAMILIES.items() if family != harness.RETRAIN for name in names
    ]
    assert len(paired) == len(set(paired)) >= 20
    assert set(paired) >= {"ScheduledNoise", *(rule.__name__ for rule in harness.CORRECT)}
    for family in harness.FAMILIES:
        for algorithm, budget in harness.cases(family):
            if algorithm in harness.CORRECT and not subject_of(algorithm).knows_problem:
                eps, delta = algorithm().claimed(Settings(**budget).setup())
                assert eps <= budget["eps"]
                assert delta <= budget["delta"]


def test_no_two_audits_share_a_seed(harness):
    seeds = [harness.seed(family, n) for family in harness.FAMILIES for n in (0, harness.FULL - 1)]
    assert len(set(seeds)) == 2 * len(harness.FAMILIES)


def test_the_shares_of_alpha_are_all_of_it():
    assert sum(SHARES.values()) == pytest.approx(1.0)
    assert Settings(1.0, 1e-5, alpha=0.2).level("eps") == pytest.approx(0.2 * SHARES["eps"])


def test_a_claim_met_with_equality_is_flagged_at_most_at_its_level():
    """Randomised response at its own eps, delta = 0: pairs, scores and thresholds are searched each time."""
    audits, alpha = 80, 0.3
    subject, flags = subject_of(RandomisedResponse), 0
    for seed in range(audits):
        found, *_ = privacy(subject, Settings(1.0, 0.0, steps=0, runs=2000, alpha=alpha, seed=9000 + seed))
        flags += any(f.verdict is Judgement.VIOLATED for f in found)
    assert binom.sf(flags - 1, audits, alpha * (SHARES["eps"] + SHARES["delta"])) > 1e-6


@pytest.mark.parametrize("against", ["pair", "retrain"])
def test_what_is_kept_between_audits_changes_no_finding(against):
    """The calibration makes thousands of audits in one process: each as if it were the first."""
    settings = Settings(1.0, 0.01, steps=2, runs=500, seed=5, against=against)
    first = [quick_audit(ExactNoise, settings).as_json() for _ in range(2)]
    for kept in (candidates, line_pair, _members, best_chain):
        kept.cache_clear()
    quick_audit(RandomisedResponse, Settings(0.5, 0.0, steps=2, runs=500, seed=6, against=against))
    assert first[0] == first[1] == quick_audit(ExactNoise, settings).as_json()
