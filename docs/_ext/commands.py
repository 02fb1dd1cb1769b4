"""The directive `run`: shell commands that are run when the site is built, shown with what they printed.

The commands of one page run one after another in one folder of its own that holds `examples/`, as they would
for a reader in a fresh clone. An exit status other than the one stated is a warning, and so stops the build.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOG = logging.getLogger(__name__)
ROOT = Path(__file__).parents[2]
FOLDERS: dict[str, Path] = {}


def folder_of(page: str) -> Path:
    """The folder in which the commands of a page run."""
    if page not in FOLDERS:
        FOLDERS[page] = Path(mkdtemp(prefix="oubli-docs-"))
        shutil.copytree(ROOT / "examples", FOLDERS[page] / "examples")
    return FOLDERS[page]


def shortened(lines: list[str], keep: int | None) -> list[str]:
    """The first lines, and a mark where others follow.

    >>> shortened(["a", "b", "c"], 1), shortened(["a"], 1)
    (['a', '…'], ['a'])
    """
    return lines if keep is None or len(lines) <= keep else [*lines[:keep], "…"]


class Run(SphinxDirective):
    """One command a line; `:keep:` cuts long output, `:status:` is the exit status expected of each."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "keep": directives.nonnegative_int,
        "status": directives.nonnegative_int,
    }

    def run(self) -> list[nodes.Node]:
        shown = [line for command in self.content for line in self._shown(command)]
        block = nodes.literal_block("\n".join(shown), "\n".join(shown), language="console")
        self.set_source_info(block)
        return [block]

    def _shown(self, command: str) -> list[str]:
        where = folder_of(self.env.docname)
        done = subprocess.run(
            ["bash", "-c", command], cwd=where, capture_output=True, text=True, timeout=240, check=False
        )
        if done.returncode != self.options.get("status", 0):
            words = "%s ended with %d: %s"
            LOG.warning(words, command, done.returncode, done.stderr, location=self.get_location())
        printed = [line.rstrip() for line in (done.stdout + done.stderr).rstrip().splitlines()]
        return [f"$ {command}", *shortened(printed, self.options.get("keep"))]


def clean(*_: object) -> None:
    """Remove the folders of this build."""
    for folder in FOLDERS.values():
        shutil.rmtree(folder, ignore_errors=True)
    FOLDERS.clear()


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the directive."""
    app.add_directive("run", Run)
    app.connect("build-finished", clean)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
