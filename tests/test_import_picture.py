"""Imports go one way, the picture in docs/internals.md shows them, and keys stand in registries alone."""

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path

from oubli.papers import ledger

ROOT = Path(__file__).parent.parent
ARROW = re.compile(r'data-from="([^"]+)" data-to="([^"]+)"')


@cache
def script():
    spec = importlib.util.spec_from_file_location("import_graph", ROOT / "docs" / "import_graph.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_arrows_and_what_follows_from_them_are_the_imports():
    graph = script()
    real, drawn = graph.edges(), set(ARROW.findall(graph.PICTURE.read_text(encoding="utf-8")))
    assert drawn <= real, f"drawn but not there: {drawn - real}; run python docs/import_graph.py"
    reach = {name: graph.below(graph.graph_of(drawn), name) for name in graph.graph_of(drawn)}
    missing = {(one, other) for one, other in real if other not in reach.get(one, ())}
    assert not missing, f"there but not drawn: {missing}; run python docs/import_graph.py"


def test_an_arrow_that_follows_from_others_is_left_out_and_nothing_else():
    graph = script()
    assert graph.shown({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}
    assert graph.shown({("a", "b"), ("b", "a")}) == {("a", "b"), ("b", "a")}


def test_the_ground_imports_nothing_above_itself():
    graph = script()
    ground = [path for path, module in graph.modules() if graph.part(module) == graph.GROUND]
    assert {path.name for path in ground} == {"errors.py", "words.py", "display.py"}
    assert all(graph.part(target) == graph.GROUND for path in ground for target in graph.imported(path))


def test_theory_and_sim_do_not_know_each_other_but_for_the_laws():
    crossing = {
        (a, b) for a, b in script().edges() if {a.split("/")[0], b.split("/")[0]} == {"theory", "sim"}
    }
    assert {b for _, b in crossing} <= {"sim/laws"}


def test_one_claim_is_handed_on_through_few_files():
    text = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
    walk = re.findall(r"`(\S+\.(?:py|j2))`", text.split("**The walk of one claim**")[1].split("\n## ")[0])
    assert 10 <= len(walk) <= 15
    assert [name for name in walk if not (ROOT / name).is_file()] == []
    # Each imports one of those before it or is imported by one; the page reads the JSON alone.
    known = {name: imports_of(name) for name in walk}
    linked = [any(n in known[m] or m in known[n] for m in walk[:i]) for i, n in enumerate(walk)]
    assert [n for n, link in zip(walk, linked, strict=True) if not link] == [walk[0], "checks/report/html.py"]


def imports_of(name):
    """The files that a file imports from, or includes as a template."""
    path = ROOT / name
    templates = {f"checks/report/templates/{part}" for part in re.findall(r"\w+\.html\.j2", path.read_text())}
    targets = script().imported(path) if path.suffix == ".py" else ()
    files = {"/".join(part) for target in targets for part in (target, target[:-1])}
    return {f"{file}.py" for file in files} | {f"{file}/__init__.py" for file in files} | templates


def offending(edges):
    """The arrows of a graph that lie on a circle."""
    graph = script()
    known = graph.graph_of(set(edges))
    return sorted((one, other) for one, other in edges if one in graph.below(known, other))


def where(one, other):
    """The import statements behind an arrow between two parts."""
    graph = script()
    return [
        f"{path.relative_to(ROOT)}:{line} imports {'.'.join(target)}"
        for path, module in graph.modules()
        if graph.part(module) == one
        for line, target in graph.import_lines(path)
        if graph.part(target) == other
    ]


def test_the_parts_import_each_other_in_one_direction():
    circle = offending(script().edges())
    # Of the arrows of a circle the one with the fewest imports behind it is most likely the one too many.
    fewest = min((where(*pair) for pair in circle), key=len, default=[])
    assert not circle, f"imports in a circle: {circle}; the fewest are\n" + "\n".join(fewest)


def test_modules_import_each_other_in_one_direction():
    graph = script()
    files = {module: path for path, module in graph.modules()}
    packages = {module[:-1]: module for module in files if module and module[-1] == "__init__"}

    def module_of(target):
        """The module that a name is in; a package that is imported whole is its __init__."""
        while target and target not in files and target not in packages:
            target = target[:-1]
        return packages.get(target, target)

    # What a function imports when it runs is no circle while modules load.
    edges = {
        (".".join(module), ".".join(module_of(target)))
        for module, path in files.items()
        for target in loaded(path)
        if module_of(target) != module
    }
    assert offending(edges) == []


def loaded(path):
    """The names that a module imports while it is loaded, which is on its top level."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [target for line, target in script().import_lines(path) if not lines[line - 1].startswith(" ")]


def test_a_planted_circle_is_found_with_its_arrows(tmp_path):
    edges = {("checks/audit", "checks/runs"), ("checks/runs", "sim/runs"), ("sim/runs", "checks/audit")}
    assert len(offending({*edges, ("oubli/cli", "checks/audit")})) == 3
    assert offending({*edges, ("oubli/cli", "checks/audit")} - {("sim/runs", "checks/audit")}) == []
    planted = tmp_path / "planted.py"
    planted.write_text("import oubli.theory.kernel.poly\n\ndef late():\n    from oubli.sim import laws\n")
    found = [(1, ("theory", "kernel", "poly")), (4, ("sim", "laws"))]
    assert list(script().import_lines(planted)) == found
    assert loaded(planted) == [("theory", "kernel", "poly")]


# Where a claim may be named by its key: its record, and the registries of the calculator and of the checks.
NAME_CLAIMS = (
    "theory/paper/",
    "theory/regimes/registry.py",
    *(f"checks/measure/{name}.py" for name in ("records", "registry", "tightness", "sharper/registry")),
)


def strings(source):
    """Every string of a file that is no docstring."""
    tree = ast.parse(source)
    documented = [n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docs = {id(n.body[0].value) for n in documented if n.body and isinstance(n.body[0], ast.Expr)}
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return [(node.lineno, node.value) for node in found if id(node) not in docs]


def test_claims_are_named_in_records_and_registries_alone():
    keys = {key for key in ledger().claims if "." in key}
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path, _ in script().modules()}
    naming = [
        f"{place}:{line} names {said}"
        for place, text in texts.items()
        if not place.startswith(NAME_CLAIMS) and any(key in text for key in keys)
        for line, said in strings(text)
        if said in keys
    ]
    assert not naming, "\n".join(naming)
    assert len(keys) > 150
    assert strings('"""e0.step"""\nx = f("e0.step")') == [(2, "e0.step")]
