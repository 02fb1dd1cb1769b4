"""A paper is a plug-in: a second one in a folder is judged, shown and covered by the same commands."""

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import oubli
from oubli.cli.main import commands
from oubli.errors import InputError
from oubli.papers import DEFAULT, ledger, paper

SECOND = '''
"""Arithmetic: two claims, one of them false as printed."""
from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.records.build import by, case, ge, repair, state, statement
from oubli.theory.records.coverage import Display
from oubli.theory.records.paper import Paper
from oubli.theory.records.printed import Edition
from oubli.theory.records.proof import Square

side_of_plug_in = parameter("side_of_plug_in", POSITIVE, "a length")
_square = side_of_plug_in**2 - 2 * side_of_plug_in + 1
_printed, _true = state(ge(_square, 1)), state(ge(_square, 0))
CLAIMS = (
    statement(
        "square", 3, "the square of s - 1 is at least 1", _printed,
        instances=(case("s = 1", {side_of_plug_in: 1}),), repaired_by="square.repaired",
    ),
    repair(
        "square.repaired", 3, "it is at least 0", _true, proof=by(_true, (1, Square(side_of_plug_in - 1)))
    ),
)
PAPER = Paper(
    "second", Edition("On squares", "N. N.", "1", ""), "numbers", lambda: CLAIMS,
    lambda: (Display(3, "0", "relation", ("square",)),),
)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package with a second paper, under a name of its own."""
    package = tmp_path / f"paper_{abs(hash(tmp_path)) % 10**8}"
    package.mkdir()
    (package / "__init__.py").write_text(SECOND, encoding="utf-8")
    return package


def oubli_(*arguments: str | Path) -> Result:
    """The command line's answer."""
    return CliRunner().invoke(commands, [str(a) for a in arguments])


def test_a_second_paper_is_judged_shown_covered_and_replayed(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    checked = oubli_("check", "--paper", folder, "--out", out, "--json")
    assert checked.exit_code == 0, checked.output
    found = json.loads((out / "verdicts.json").read_text(encoding="utf-8"))
    assert {c["key"]: c["status"] for c in found["claims"]} == {
        "square": "REFUTED",
        "square.repaired": "PROVED",
    }
    assert found["paper"]["title"] == "On squares"
    assert found["coverage"]["judged"] == 1
    assert "REFUTED" in oubli_("show", "square", "--paper", folder).output
    assert "1 of 1 relations judged" in oubli_("coverage", "--paper", folder).output
    assert "square.repaired" in oubli_("claims", "--paper", folder).output
    assert "2 certificates accepted" in oubli_("verify", out / "verdicts.json", "--paper", folder).output


def test_certificates_of_one_paper_prove_nothing_in_another(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    oubli_("check", "--paper", folder, "--out", out)
    assert oubli_("verify", out / "verdicts.json").exit_code == 1


@pytest.mark.parametrize("name", ["nobody", "json", "", "no/such/folder", "..."])
def test_what_is_no_paper_is_one_line(name: str) -> None:
    with pytest.raises(InputError, match="accepted: unlearning, a package, or a folder"):
        paper(name)
    answer = oubli_("check", "--paper", name)
    assert answer.exit_code == 2
    assert len(answer.output.strip().splitlines()) == 1


def test_a_folder_named_like_a_module_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "json"
    package.mkdir()
    (package / "__init__.py").write_text(SECOND, encoding="utf-8")
    with pytest.raises(InputError, match="another package is called json"):
        paper(str(package))


def test_the_default_is_found_by_name_and_by_package() -> None:
    assert paper() is paper(DEFAULT) is paper("oubli.theory.paper")
    assert len(ledger().claims) > 200


# Who may name the paper: the registry of papers, and what measures an explicit instance: its numbers stand
# once, beside the record.
INSTANCES = ("unprojected", "explicit", "two_starts", "sharper/kink", "sharper/priors", "sharper/registry")
NAMES_IT = ("papers.py", "theory/paper/", *(f"checks/measure/{name}.py" for name in INSTANCES))


def test_nothing_outside_its_folder_names_the_paper() -> None:
    root = Path(oubli.__file__).parent
    naming = []
    for part in (root, *(root / name for name in ("theory", "sim", "checks"))):
        for path in part.rglob("*.py"):
            place = path.relative_to(root).as_posix()
            if not place.startswith(NAMES_IT) and not path.name.startswith(("test_", "conftest")):
                naming += [f"{place} imports {name}" for name in imported(path) if "theory.paper" in name]
    assert naming == []


def imported(path: Path) -> set[str]:
    """The modules that a file imports; none of a file without the word."""
    found: set[str] = set()
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if "paper" in source else ():
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
    return found
