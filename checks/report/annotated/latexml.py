"""LaTeXML as a child process: TeX in, XHTML with presentation MathML and source lines out."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

from oubli.errors import InputError

SECONDS = 180
BINDING = "lines.sty.ltxml"
SIBLINGS = ("*.tex", "*.bbl")
MOST = 200  # files beside the TeX that are taken along
# Put on the line of \documentclass, so that no line moves: what styles that LaTeXML lacks would define.
FALLBACK = (
    r"\usepackage{xcolor}\usepackage{natbib}\usepackage{float}"
    r"\newfloat{algorithm}{t}{loa}\floatname{algorithm}{Algorithm}"
    r"\newenvironment{algorithmic}[1][]{\begin{itemize}}{\end{itemize}}"
    r"\providecommand{\STATE}{\item }\providecommand{\REQUIRE}{\item[\textbf{Require:}] }"
    r"\providecommand{\ENSURE}{\item[\textbf{Ensure:}] }"
    r"\providecommand{\FOR}[1]{\item \textbf{for} #1 \textbf{do}}"
    r"\providecommand{\IF}[1]{\item \textbf{if} #1 \textbf{then}}\providecommand{\usetikzlibrary}[1]{}"
    r"\providecommand{\ENDFOR}{\item \textbf{end for}}\providecommand{\ENDIF}{\item \textbf{end if}}"
    r"\providecommand{\icmltitlerunning}[1]{}"
    r"\providecommand{\icmltitle}[1]{\begin{center}\LARGE\textbf{#1}\end{center}}"
    r"\newenvironment{icmlauthorlist}{\begin{center}}{\end{center}}\providecommand{\icmlauthor}[2]{#1\quad }"
    r"\providecommand{\icmlaffiliation}[2]{}\providecommand{\icmlcorrespondingauthor}[2]{}"
    r"\providecommand{\icmlkeywords}[1]{}\providecommand{\printAffiliationsAndNotice}[1]{}"
)
_CLASS = re.compile(r"^(?!\s*%)(.*?\\documentclass(?:\[[^\]]*\])?\{[^}]*\})", re.M)
_BROKEN = re.compile(r"^(Fatal:.*|(?:Error|Warning):unexpected:(?:\\end|\\@@END|<endgroup>|\}).*)", re.M)


def required() -> None:
    """Nothing, if LaTeXML is installed; one line that names the package, if not."""
    if not (shutil.which("latexml") and shutil.which("latexmlpost")):
        raise InputError(
            "LaTeXML is not installed (Debian: apt-get install latexml); "
            "without it, --annotated-tex FILE writes a TeX file with margin notes"
        )


@contextmanager
def converting(tex: Path, text: str) -> Iterator[LatexmlRun]:
    """Start LaTeXML on a copy of the TeX in a folder of its own: no binding of the user's folder is run."""
    required()
    with tempfile.TemporaryDirectory(prefix="oubli-paper-") as name:
        folder = Path(name)
        for pattern in SIBLINGS:
            for beside in sorted(tex.parent.glob(pattern))[:MOST]:
                shutil.copy(beside, folder / beside.name)
        (folder / "paper.tex").write_text(_CLASS.sub(_with_fallback, text, count=1), encoding="utf-8")
        (folder / BINDING).write_text(files(__package__).joinpath(BINDING).read_text(), encoding="utf-8")
        run = LatexmlRun(tex, folder)
        try:
            yield run
        finally:
            run.stop()


def _with_fallback(found: re.Match[str]) -> str:
    return found[1] + FALLBACK


class LatexmlRun:
    """One conversion under way."""

    def __init__(self, tex: Path, folder: Path) -> None:
        self._tex, self._folder = tex, folder
        options = ("--quiet", "--nocomments", f"--preload=./{BINDING}", "--log=log", "--dest=paper.xml")
        self._process = self._start("latexml", *options, "paper.tex")

    def _start(self, *call: str) -> subprocess.Popen[str]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            call, cwd=self._folder, stdin=quiet, stdout=quiet, stderr=quiet, text=True, start_new_session=True
        )

    def result(self) -> ElementTree.Element:
        """The page as XHTML; InputError in one line if the TeX is malformed or takes too long."""
        self._wait("latexml")
        log = self._folder / "log"
        said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        broken = _BROKEN.search(said)
        if broken or not (self._folder / "paper.xml").exists():
            what = broken[1] if broken else "nothing was made"
            raise InputError(f"{self._tex}: malformed TeX, LaTeXML says “{_line(what)}”")
        options = ("--quiet", "--format=xhtml", "--pmml", "--nodefaultresources", "--log=log2")
        self._process = self._start("latexmlpost", *options, "--dest=paper.xhtml", "paper.xml")
        self._wait("latexmlpost")
        try:
            return ElementTree.parse(self._folder / "paper.xhtml").getroot()
        except (OSError, ElementTree.ParseError) as why:
            raise InputError(f"{self._tex}: LaTeXML made no page of it ({why})") from None

    def _wait(self, name: str) -> None:
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise InputError(f"{self._tex}: {name} did not end within {SECONDS} s") from None

    def stop(self) -> None:
        """End the child, if it still runs."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _line(text: str) -> str:
    return " ".join(text.split())[:160]
