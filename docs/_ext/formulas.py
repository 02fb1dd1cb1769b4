"""Formulas of the pages as MathML, by the converter of the report: nothing is loaded when a page is read."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from oubli.checks.report.mathml import mathml

LOG = logging.getLogger(__name__)


def _converted(node: Any, block: bool) -> str:
    found = str(mathml(node.astext(), block))
    if not found.startswith("<math"):
        LOG.warning("this TeX cannot be converted: %s", node.astext(), location=node)
    return found


def inline(writer: Any, node: Any) -> None:
    """A formula inside a sentence."""
    writer.body.append(_converted(node, block=False))
    raise nodes.SkipNode


def display(writer: Any, node: Any) -> None:
    """A formula on a line of its own; a long one can be scrolled."""
    writer.body.append(f'<div class="scroll formula">{_converted(node, block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the renderer that conf.py chooses."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
