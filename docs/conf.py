"""The documentation site: MyST pages, notebooks that run at build time, formulas as MathML."""

import logging
import os
import sys
from importlib.metadata import version as installed
from pathlib import Path

from jupyter_client import KernelManager

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
# Notebooks call the command as a reader does after `. .venv/bin/activate`, at one width on every machine.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
os.environ.update(COLUMNS="90", NO_COLOR="1", LANG="C.UTF-8")
logging.getLogger("traitlets").setLevel(logging.WARNING)
# Newer kernels warn of a connection that is not encrypted.
if hasattr(KernelManager, "transport_encryption"):
    KernelManager.transport_encryption.default_value = "auto"

project = "oubli"
author = copyright = "the oubli authors"
release = version = installed("oubli-unlearning")
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "commands",
    "explorer",
    "folders",
    "formulas",
    "ledger_pages",
]
exclude_patterns = ["_build", "_templates", "_ext"]
highlight_language = "text"

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"oubli {release}"
html_static_path = ["_static"]
html_css_files = ["oubli.css"]
html_copy_source = False
html_show_sphinx = False

autodoc_member_order = "groupwise"
autodoc_typehints = "none"
napoleon_numpy_docstring = False
