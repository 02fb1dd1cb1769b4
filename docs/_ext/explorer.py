"""The page to explore, made anew with the site: `diagram.html` beside the start page."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from oubli.answers.explorer.page import page

START = {"rf": 1e-3, "dim": 10, "delta": 1e-6}


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the page into the site, if that was built."""
    if error is None:
        (Path(app.outdir) / "diagram.html").write_text(page(START), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Acts when the site is built."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
