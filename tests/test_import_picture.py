"""The picture in docs/internals.md shows the imports as they are."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
ARROW = re.compile(r'data-from="([^"]+)" data-to="([^"]+)"')


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
