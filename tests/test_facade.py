"""What `import oubli` promises: cheap to import, typed names, results that show themselves."""

import ast
import re
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

import oubli
from oubli.errors import InputError, MissingExtraError, OubliError

HEAVY = ("pytest", "hypothesis", "matplotlib", "sympy", "numpy", "scipy", "flint", "pandas", "rich", "click")
DOCUMENTED = [name for name in oubli.__all__ if name.islower() and not name.startswith("_")]
POINT = {"rf": 0.001, "eps": 4, "delta": 1e-6, "dim": 10, "target": 0.02}


def in_fresh_python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_import_loads_nothing_heavy():
    loaded = in_fresh_python("import sys, oubli; print(*{name.split('.')[0] for name in sys.modules})")
    assert not set(HEAVY) & set(loaded.split())


def test_the_import_takes_under_a_third_of_a_second():
    took = []
    for _ in range(5):
        began = time.perf_counter()
        in_fresh_python("import oubli")
        took.append(time.perf_counter() - began)
    assert min(took) < 0.3


def test_a_calculation_loads_neither_tests_nor_pictures_nor_algebra():
    code = (
        "import sys, oubli; oubli.gaussian_sigma(1.0, 1e-5); print(*{n.split('.')[0] for n in sys.modules})"
    )
    assert not {"pytest", "hypothesis", "matplotlib", "sympy", "pandas"} & set(in_fresh_python(code).split())


def test_what_the_type_checker_sees_is_what_is_loaded():
    tree = ast.parse(Path(oubli.__file__).read_text(encoding="utf-8"))
    branch = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in branch.body if isinstance(node, ast.ImportFrom)]
    seen = {name.name: node.module for node in imports for name in node.names}
    assert seen == oubli._MODULES
    assert sorted(oubli.__all__) == sorted([*seen, "__version__"])


@pytest.mark.parametrize("name", oubli.__all__)
def test_every_name_resolves(name):
    assert getattr(oubli, name) is not None
    assert name in dir(oubli)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'gaussian_sigm'"):
        oubli.gaussian_sigm  # noqa: B018


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_function_says_what_it_takes_and_returns_with_an_example(name):
    text = getattr(oubli, name).__doc__
    assert "Returns:" in text
    assert ">>> " in text
    if name != "ledger":
        assert "Args:" in text


def test_no_module_hides_a_name():
    """`import oubli.x` would put a module where a function was."""
    folder = Path(oubli.__file__).parent
    assert not {path.stem for path in folder.iterdir()} & set(oubli.__all__)


def test_verdicts_are_a_mapping_with_a_summary():
    found = oubli.check("e0.step")
    assert found["e0.step"].status == "REFUTED"
    assert found.as_expected
    assert found.summary["REFUTED"] == 1
    assert len(repr(found)) < 160
    assert len(repr(found["e0.step"])) < 80
    with pytest.raises(InputError, match="did you mean"):
        found["e0.stepp"]
    with pytest.raises(InputError, match="no such claim"):
        oubli.show("nothing at all")


def test_show_is_the_text_of_the_command():
    shown = oubli.show("e0.step")
    assert "there: 3/2 ≤ 9/8: false" in str(shown)
    assert shown.witness == "x = L/(3 mu), where the left side is L^2/(6 mu)"
    assert "\x1b" not in str(shown)


def test_results_show_themselves_as_html_with_everything_escaped():
    for shown in (oubli.check("e0.step"), oubli.show("e0.step"), oubli.ledger(), oubli.regime(**POINT)):
        page = shown._repr_html_()
        assert "e0.step" in page or "trivial" in page
        assert "<=" not in page.replace("&lt;=", "")


def test_a_regime_is_one_answer():
    found = oubli.regime(**POINT)
    assert (found.certified, found.printed, found.T_unlearn) == ("trivial", "trivial", (0, 0))
    assert found.T_scratch[0] >= 1
    assert found.claims
    assert str(found).startswith("certified  TRIVIAL")
    with pytest.raises(InputError, match="notion = 'ref': accepted are"):
        oubli.regime(**POINT, notion="ref")
    with pytest.raises(ValueError, match="rf"):
        oubli.regime(**{**POINT, "rf": 1.5})


@pytest.mark.parametrize("given", [str, Path])
def test_a_path_is_audited_as_a_file(given):
    path = Path(__file__).parent.parent / "examples" / "audit_beyond_frontier.py"
    found = oubli.audit(given(path), eps=8.5, delta=1e-5, runs=2000)
    assert found.algorithm == "ClassicalNoise"
    assert found.violated("privacy exact")
    assert len(repr(found)) < 80
    assert "ClassicalNoise: VIOLATED" in found._repr_html_()


def test_an_unusable_audit_is_one_line():
    for call in (
        lambda: oubli.audit("nowhere.py", eps=1.0, delta=1e-5),
        lambda: oubli.audit("nowhere.py", eps=-1.0, delta=1e-5),
        lambda: oubli.audit("nowhere.py", eps=1.0, delta=1e-5, epsilon=1),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_frames():
    pytest.importorskip("pandas")
    assert oubli.check("e0.step").to_frame().set_index("key").status["e0.step"] == "REFUTED"
    assert oubli.regime(**POINT).to_frame().T_unlearn_hi.tolist() == [0]
    assert len(oubli.ledger().to_frame()) == len(oubli.ledger().claims)
    assert len(oubli.phase(rf=0.01, dim=2, delta=1e-5, columns=10).to_frame()) == 2


def test_a_missing_extra_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError) as caught:
        oubli.check("e0.step").to_frame()
    expected = "to_frame() needs the extra `frames`: pip install 'oubli-unlearning[frames]'"
    assert str(caught.value) == expected
    assert caught.value.exit_status == 2


def test_every_public_error_is_an_oubli_error():
    errors = import_module("oubli.errors")
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert all(issubclass(kind, OubliError) and kind.__name__.endswith("Error") for kind in kinds)


def raised_classes():
    """The classes of the package that derive from an exception, by their source."""
    root = Path(oubli.__file__).resolve().parents[1]
    for part in ("oubli", "theory", "sim", "checks"):
        for path in (root / part).rglob("*.py"):
            found = re.findall(r"^class (\w+)\((.*)\):", path.read_text(encoding="utf-8"), re.MULTILINE)
            yield from (name for name, bases in found if re.search(r"(Error|Exception)\b", bases))


def test_every_exception_is_called_an_error():
    names = set(raised_classes())
    assert len(names) > 20
    assert [name for name in names if not name.endswith("Error")] == []
