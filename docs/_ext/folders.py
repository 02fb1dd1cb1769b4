"""Links to folders lead somewhere in the repository's own view; here they are plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx


def without_links(app: Sphinx, doctree: Any) -> None:
    """Replace every link whose target is a folder by its text."""
    page = Path(app.env.doc2path(app.env.docname))
    for node in list(doctree.findall(pending_xref)):
        if node.get("reftype") == "myst" and (page.parent / node["reftarget"]).is_dir():
            node.replace_self(node.children)


def setup(app: Sphinx) -> dict[str, bool]:
    """Acts on every page that was read."""
    app.connect("doctree-read", without_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
