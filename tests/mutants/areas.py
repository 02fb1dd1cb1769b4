"""What is trusted, and the tests that should notice a change of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.mutants.apply import ROOT
from tests.mutants.operators import Mutant, mutants

SHOWN = ("__repr__", "_repr_html_", "_rows", "to_frame", "__str__", "as_json", "replay", "text")


@dataclass(frozen=True)
class Area:
    """Source files, patterns of test files, and functions that only show or only guard the machine."""

    files: Sequence[str]
    tests: Sequence[str]
    without: frozenset[str] = frozenset()

    def sources(self) -> list[str]:
        """The files of the area, in order."""
        found = sorted(path for pattern in self.files for path in ROOT.glob(pattern))
        return [path.relative_to(ROOT).as_posix() for path in found if path.name != "__init__.py"]

    def mutants(self) -> list[Mutant]:
        """All mutants of the area."""
        texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in self.sources()}
        every = [mutant for file, text in texts.items() for mutant in mutants(file, text, self.without)]
        return [m for m in every if m.function.split(".")[-1] not in SHOWN]

    def test_files(self) -> list[str]:
        """The test files of the area."""
        found = sorted({path for pattern in self.tests for path in ROOT.glob(pattern)})
        return [path.relative_to(ROOT).as_posix() for path in found]


AREAS = {
    "kernel": Area(
        ("theory/kernel/*.py",),
        ("tests/theory/test_rules.py", "tests/theory/test_*schemas.py", "tests/theory/test_bounds.py",
         "tests/theory/test_explicit_rules.py",
         "tests/theory/test_ring.py", "tests/theory/test_records.py", "tests/theory/test_kernel_*.py",
         "tests/theory/test_encoding*.py",
         "tests/theory/test_checker_file.py", "tests/theory/test_chains_of_means.py",
         "tests/theory/test_pieces.py", "tests/theory/test_priors.py", "tests/theory/test_rare_kinks.py",
         "tests/theory/test_two_point.py", "tests/theory/test_symbol_names.py",
         "tests/theory/test_written_by_hand.py",
         "tests/adversarial/test_checker_*.py", "tests/adversarial/test_kernel_*.py",
         "tests/adversarial/test_object_*.py", "tests/adversarial/test_witness_*.py",
         "tests/adversarial/test_false_*.py", "tests/adversarial/test_weaker_schemas.py",
         "tests/theory/test_classes.py", "tests/theory/test_clock.py",
         "tests/theory/test_gradient_descent.py"),
        # Limits of cost, which tests/adversarial/test_costly_certificates.py measures.
        frozenset({"BUDGET", "SECONDS", "spend", "Poly.weight"}),
    ),
    "judging": Area(
        tuple(f"theory/judging/{name}.py" for name in ("gate", "judge", "ledger", "replay")),
        ("tests/theory/test_judging*.py", "tests/theory/test_cache.py", "tests/theory/test_records.py",
            "tests/theory/test_second_opinion.py",
         "tests/adversarial/test_assumed_facts.py", "tests/adversarial/test_lying_engines.py",
         "tests/adversarial/test_every_engine.py", "tests/adversarial/test_not_vacuous.py",
         "tests/theory/test_papers.py", "tests/checks/test_replay.py", "tests/checks/test_verify_command.py"),
    ),
    "regimes": Area(
        tuple(f"theory/regimes/{name}.py" for name in ("decide", "record", "accepted", "enclosed", "safe",
            "query")),
        ("tests/theory/test_regimes*.py", "tests/theory/test_kink.py", "tests/theory/test_two_point.py"),
    ),
    "laws": Area(
        tuple(f"sim/laws/{name}.py" for name in (
            "ball", "binomial_ball", "gaussian", "gaussian_ball", "root_ball", "decimals", "arcsine",
                "classical",
            "exact", "discrete")),
        ("tests/sim/laws/*.py",),
    ),
    "audit": Area(
        tuple(f"checks/audit/{name}.py" for name in ("counts", "events", "search", "settings", "draws",
            "privacy", "samples", "gaussian", "samples_gaussian", "retraining", "tradeoff")),
        ("tests/checks/audit/test_bounds.py", "tests/checks/audit_more/test_statistics*.py",
         "tests/sim/test_streams.py"),
        # Only the picture.
        frozenset({"histogram", "BINS"}),
    ),
}  # fmt: skip
