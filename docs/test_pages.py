"""Every block of code in the documentation is run: by the build (cells, `run`), or here (console, python).

`make docs` runs this after the build, together with the links of the built pages.
"""

import ast
import doctest
import json
import re
from pathlib import Path

import pytest

from tests.test_readme import ROOT, all_blocks_of, console, fresh_clone, run

DOCS = ROOT / "docs"
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if not {"_build", "claims"} & {*path.relative_to(DOCS).parts}
)
# Directives: what runs when the site is built, what shows a file of the repository, and what is no code.
BUILT = {"{code-cell}", "{run}", "{literalinclude}", "{eval-rst}", "{toctree}", "{note}", "{warning}"}
TEXT = {"", "text"}


def name(path):
    """A page by its place."""
    return path.relative_to(DOCS).as_posix()


def run_python(body, where, names):
    """A block that begins with the name of a file is that file; one with prompts prints what it shows."""
    file = re.match(r"# (\w+\.py)\n", body)
    if file:
        Path(file[1]).write_text(body, encoding="utf-8")
        return
    if ">>>" not in body:
        exec(compile(ast.parse(body), where, "exec"), names)
        return
    found = doctest.DocTestParser().get_doctest(body, names, where, None, 0)
    runner, printed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), []
    assert runner.run(found, out=printed.append, clear_globs=False).failed == 0, "".join(printed)
    names.update(found.globs)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    folder, names = fresh_clone(tmp_path), {"__name__": "page"}
    monkeypatch.chdir(folder)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for kind, body in all_blocks_of(page.read_text(encoding="utf-8")):
        kind = kind.split(" ")[0]
        if kind == "console":
            for command, lines in console([(kind, body)]):
                run(command, lines, folder)
        elif kind == "python":
            run_python(body, name(page), names)
        elif kind == "json":
            json.loads(body)
        elif kind == "sh":
            for line in body.strip().splitlines():
                target = re.match(r"make (\S+)", line)
                assert target, f"{name(page)}: only make is shown as sh: {line}"
                assert re.search(rf"^{target[1]}:", makefile, re.MULTILINE)
        else:
            assert kind in BUILT | TEXT, f"{name(page)}: nothing runs a block of {kind}"


def test_a_planted_error_is_seen():
    with pytest.raises(AssertionError, match="Expected"):
        run_python(">>> 1 + 1\n3\n", "planted", {})
    with pytest.raises(NameError):
        run_python("nothing_of_that_name\n", "planted", {})
