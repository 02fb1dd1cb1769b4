"""Rules that attack the audit itself, or behave only while they think that they are watched."""

import json

import pytest

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.finding import Finding
from oubli.checks.audit.run import audit_file
from oubli.checks.runs.rule_file import RuleFileError
from oubli.cli.main import main
from oubli.sim.algorithms import ExactNoise
from tests.fixtures.named_private import ScheduledNoise
from tests.fixtures.ordinary_private import FixedPattern
from tests.fixtures.promised_response import PromisedResponse

HEAD = """
import os, time, traceback
import numpy as np
from tests.fixtures.noisy import Noisy
BODY = '''{"verdict": "CONSISTENT", "algorithm": "Rule", "findings": []}'''


class Rule(Noisy):
    behaves = False
    calls = 0

    def start(self, theta_star, setup, rng):
        Rule.calls += 1
        BEHAVES
        return super().start(theta_star, setup, rng) if self.behaves else (theta_star, None)

    def step(self, t, theta, grad, memory, setup, rng):
        ATTACK
        return theta, memory
"""


@pytest.fixture
def judged(tmp_path):
    def judge(attack="pass", behaves="pass", before="", **change):
        path = tmp_path / "rule.py"
        path.write_text(before + HEAD.replace("ATTACK", attack).replace("BEHAVES", behaves))
        return audit_file(f"{path}:Rule", Settings(1.0, 1e-5, **{"runs": 1000, "steps": 2, **change}))

    return judge


def flagged(found):
    return [f.check for f in found.findings if f.verdict in (Judgement.VIOLATED, Judgement.ERROR)]


PATCHES = """
import oubli.checks.audit.counts as counts, oubli.checks.audit.privacy as privacy
import oubli.checks.audit.finding as finding
counts.epsilon_lower = privacy.epsilon_lower = lambda *rest: 0.0
counts.delta_lower = privacy.delta_lower = lambda *rest: 0.0
finding.Audit.verdict = property(lambda self: finding.Judgement.CONSISTENT)
"""


@pytest.mark.parametrize(
    ("attack", "before", "verdict"),
    [
        ("print(BODY)", "", Judgement.VIOLATED),
        ("pass", PATCHES, Judgement.VIOLATED),
        ("os.fork()", "", Judgement.ERROR),
        ("os.system('true')", "", Judgement.ERROR),
        ("print('x' * (1 << 25))", "", Judgement.ERROR),
        ("time.sleep(60)", "", Judgement.ERROR),
        ("os._exit(0)", "", Judgement.ERROR),
        ("os.kill(os.getpid(), 9)", "", Judgement.ERROR),
        ("[os.write(n, b'0' * 64) for n in range(3, 64) if os.path.exists(f'/proc/self/fd/{n}')]", "",
         Judgement.ERROR),
        ("raise KeyboardInterrupt", "", Judgement.ERROR),
    ],
    ids=["json", "patch", "fork", "system", "flood", "sleep", "exit", "kill", "write", "interrupt"],
)  # fmt: skip
def test_no_attack_is_consistent(judged, attack, before, verdict):
    """All of these leak theta*: what runs is VIOLATED, what does not run is an ERROR."""
    assert judged(attack, before=before, call_seconds=1.5).verdict is verdict


@pytest.mark.parametrize(
    ("behaves", "verdict"),
    [
        ("self.behaves = len(theta_star) > 1", Judgement.ERROR),
        ("self.behaves = len(theta_star) == 1", Judgement.ERROR),
        ("self.behaves = 3 < len(theta_star)", Judgement.ERROR),
        ("self.behaves = len(theta_star) > 700", Judgement.ERROR),
        ("self.behaves = 800 < len(theta_star) < 1200", Judgement.ERROR),
        ("self.behaves = not 3 < len(theta_star) < 64", Judgement.ERROR),
        ("self.behaves = setup.T == 2", Judgement.UNDECIDED),
        ("self.behaves = getattr(rng.bit_generator.seed_seq, 'entropy', None) == 0", Judgement.VIOLATED),
        ("self.behaves = any('oubli' in f.f_code.co_filename for f, _ in traceback.walk_stack(None))",
         Judgement.VIOLATED),
        ("self.behaves = any(f.f_code.co_name == 'privacy' for f, _ in traceback.walk_stack(None))",
         Judgement.VIOLATED),
        ("self.behaves = Rule.calls < 4", Judgement.ERROR),
        ("self.behaves = Rule.calls > 1", Judgement.ERROR),
    ],
    ids=["many rows", "one row", "more than a few rows", "rows beyond the looks", "rows of the counts",
         "rows that no check fixes",
         "one T", "seed", "stack", "check", "first calls", "later calls"],
)  # fmt: skip
def test_a_rule_that_behaves_only_when_watched_is_caught(judged, behaves, verdict):
    assert judged(behaves=behaves).verdict is verdict


NOTHING_SHOWN = """
import sys, threading
WORDS = ("privacy", "structure", "count_fresh", "draw_side", "fresh_noise", "rows_on")


def watched():
    frames = [f for top in sys._current_frames().values() for f, _ in traceback.walk_stack(top)]
    names = {f.f_code.co_name for f in frames} | {t.name for t in threading.enumerate()}
    return any(word in name for word in WORDS for name in names)
"""


def test_no_thread_and_no_frame_shows_which_check_asks(judged):
    assert judged(before=NOTHING_SHOWN, behaves="self.behaves = watched()").verdict is Judgement.VIOLATED


@pytest.mark.parametrize("row", [0, -1])
def test_one_row_that_is_treated_otherwise_is_caught(judged, row):
    """A user runs one row, which is the first and the last."""
    leak = f"theta = np.array(theta); theta[{row}] = 0.3 if t == 0 else theta[{row}]"
    found = judged(leak, "self.behaves = True", alpha=1e-2)
    assert found.verdict is Judgement.ERROR
    assert found.findings[-1].check == "structure rows"
    assert "rule.py:12: runs of one to three or of " in found.findings[-1].says


OWN = "from tests.fixtures.noisy import least, project\nimport numpy as np\n"
DRAWS = "return project(theta_star + least(setup) * {}.standard_normal(theta_star.shape), setup.R), None"


@pytest.mark.parametrize(
    ("draws", "before", "verdict", "remark"),
    [
        ("np.random", "", Judgement.CONSISTENT, "structure deterministic"),
        ("np.random.default_rng()", "", Judgement.CONSISTENT, "structure deterministic"),
        ("OTHER", "OTHER = np.random.default_rng()\n", Judgement.ERROR, "structure deterministic"),
        ("OTHER", "OTHER = np.random.default_rng(0)\n", Judgement.ERROR, "structure deterministic"),
        ("np.random.default_rng(0)", "", Judgement.VIOLATED, ""),
    ],
    ids=["shared", "fresh", "own", "own with a seed", "the same in each run"],
)
def test_noise_from_elsewhere_than_rng(judged, draws, before, verdict, remark):
    """Enough of it is private, with a remark; what each copy repeats cannot be audited; a pattern leaks."""
    found = judged(before=OWN + before, behaves=DRAWS.format(draws), alpha=1e-6)
    assert found.verdict is verdict, flagged(found)
    assert not remark or next(f for f in found.findings if f.check == remark).remark


def test_a_pattern_that_carries_nothing_is_not_violated():
    """The same public numbers in every run: their rows are no independent runs, but they tell nothing."""
    found = quick_audit(FixedPattern, Settings(1.0, 1e-5, runs=500))
    assert found.verdict is Judgement.ERROR
    assert next(f for f in found.findings if f.check == "structure noise").remark


@pytest.mark.parametrize(
    ("lines", "says"),
    [("raise KeyboardInterrupt", "rule.py:1: the import raises KeyboardInterrupt"),
     ("import os; os.fork()", "rule.py:1: the import starts another process (os.fork)"),
     ("import os; os.fork() or os._exit(0)", "rule.py:1: the import starts another process (os.fork)")],
)  # fmt: skip
def test_an_import_that_does_more_than_import_is_one_line(tmp_path, lines, says):
    path = tmp_path / "rule.py"
    path.write_text(f"{lines}\nfrom tests.fixtures.noisy import Noisy\n\n\nclass Rule(Noisy):\n    pass\n")
    with pytest.raises(RuleFileError) as why:
        audit_file(f"{path}:Rule", Settings(1.0, 1e-5, runs=500))
    assert str(why.value).endswith(says)


def test_the_same_rule_that_always_behaves_is_consistent(judged):
    """The neighbour of all cheats: what catches them is the cheating."""
    found = judged(behaves="self.behaves = True", alpha=1e-6)
    assert found.verdict is Judgement.CONSISTENT, flagged(found)


def test_findings_before_a_failure_are_kept(judged):
    """It fails at the other T, which comes last: everything before is there, with the line that failed."""
    found = judged("assert setup.T == 2", "self.behaves = True", alpha=1e-6)
    assert found.verdict is Judgement.ERROR
    assert {"privacy eps", "privacy delta"} <= {f.check for f in found.findings}
    assert "rule.py:18: step: raises AssertionError" in found.findings[-1].says


def test_a_violation_outweighs_a_later_failure(judged):
    """It leaks, and fails when its risk is measured at another T."""
    found = judged("assert setup.T == 2")
    assert found.verdict is Judgement.VIOLATED
    assert found.findings[-1].verdict is Judgement.ERROR


def test_levels_sum_to_at_most_alpha():
    """Each finding records its part; together they are no more than alpha, whatever is declared."""

    class Declares(PromisedResponse):
        def noise_scale(self, setup):
            return 0.1

        def release_weight(self, setup):
            return 1.0

    asked = (
        {"assume_gaussian": True},
        {"against": "retrain"},
        {"batch": 4},
        {"batch": 4, "against": "retrain"},
    )
    for rule in (PromisedResponse, Declares, ScheduledNoise, ExactNoise):
        for more in asked:
            found = quick_audit(rule, Settings(1.0, 0.01, runs=500, steps=2, alpha=0.05, **more))
            levels = [entry["level"] for entry in found.as_json()["findings"]]
            assert 0.03 < sum(levels) <= 0.05 * (1 + 1e-9)
            assert sum(level > 0 for level in levels) >= 4
    # A finding that could be wrong by chance and kept it to itself would go unnoticed.
    assert Finding("x", Judgement.VIOLATED, "", {}, 0.99, "").level == pytest.approx(0.01)


def test_a_fault_of_the_audit_itself_loses_nothing(monkeypatch):
    """What it finds is kept, and nobody takes the rule for the culprit."""
    import oubli.checks.audit.run as run

    def fails(*rest):
        raise OverflowError("too large")

    monkeypatch.setattr(run, "risk", fails)
    found = quick_audit(ExactNoise, Settings(1.0, 1e-5, runs=500, steps=2))
    assert found.verdict is Judgement.ERROR
    assert {"privacy eps", "structure rows"} <= {f.check for f in found.findings}
    assert (
        "the audit itself came to an end here, not the rule: raises OverflowError" in found.findings[-1].says
    )


def test_an_interrupt_loses_nothing(monkeypatch, tmp_path, capsys):
    """Ctrl-C during the risk: privacy is on the screen, and the exit status is that of an interrupt."""
    import oubli.checks.audit.run as run

    def interrupted(*rest):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "risk", interrupted)
    path = tmp_path / "rule.py"
    path.write_text("from tests.fixtures.noisy import Noisy\n\n\nclass Rule(Noisy):\n    pass\n")
    with pytest.raises(SystemExit) as leaving:
        main(["audit", f"{path}:Rule", "--eps", "1", "--delta", "1e-5", "--runs", "500", "--json"])
    assert leaving.value.code == 130
    checks = [f["check"] for f in json.loads(capsys.readouterr().out)["findings"]]
    assert "privacy eps" in checks
    assert checks[-1] == "interrupt"
