"""A second paper: gradient descent, averaged SGD and private noise, with a class of losses of its own.

`oubli check --paper examples/gradient_descent` judges it; docs/howto/second-paper.md goes through it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oubli.theory.records.coverage import inventory
from oubli.theory.records.paper import Paper
from oubli.theory.records.printed import Edition, Environment, Erratum, Severity

from . import descent, mechanisms, stochastic
from .letters import CLASS_FILE

HERE = Path(__file__).parent
CLAIMS = (*descent.CLAIMS, *stochastic.CLAIMS, *mechanisms.CLAIMS)


def _sources() -> Mapping[str, tuple[Any, ...]]:
    from .measure import SOURCES

    return SOURCES


EDITION = Edition(
    title="Descent and noise: a primer",
    authors="A. N. Example",
    version="first",
    digest=hashlib.sha256((HERE / "paper.tex").read_bytes()).hexdigest(),
    environments=(
        Environment("Lemma 1", (12, 15), "lem:descent", "descent", keys=("descent",)),
        Environment("Lemma 2", (16, 19), "lem:strict", "strict descent", keys=("strict",)),
        Environment("Lemma 3", (20, 23), "lem:cocoercive", "co-coercivity", keys=("cocoercive",)),
        Environment("Lemma 4", (24, 26), "lem:self", "self-bounding", keys=("self",)),
        Environment("Lemma 5", (27, 30), "lem:distance", "distance", keys=("distance",)),
        Environment("Theorem 1", (31, 34), "thm:rate", "rate", keys=("rate",)),
        Environment("Theorem 2", (35, 38), "thm:better", "a better constant", keys=("better",)),
        Environment("Lemma 6", (40, 42), "lem:noisy", "one noisy step", keys=("noisy",)),
        Environment("Theorem 3", (43, 46), "thm:sgd", "averaged SGD", keys=("sgd",)),
        Environment("Proposition 1", (48, 51), "prop:laplace", "Laplace", keys=("laplace",)),
        Environment("Proposition 2", (52, 55), "prop:laplace-error", "its error", keys=("laplace.error",)),
        Environment("Proposition 3", (56, 59), "prop:gauss", "Gauss", keys=("gauss",)),
        Environment("Proposition 4", (60, 62), "prop:gauss-error", "its error", keys=("gauss.error",)),
    ),
    errata={
        "strict": Erratum(
            Severity.SLIP,
            "With a step of exactly 2/beta a parabola is left at the same height.",
            "Write alpha < 2/beta for alpha <= 2/beta.",
        ),
        "better": Erratum(
            Severity.CONSTANT,
            "One step on a parabola with a third of the largest curvature leaves a larger gap.",
            "Write 2 T for 16 T.",
        ),
        "laplace.error": Erratum(
            Severity.CONSTANT,
            "The Laplace law has twice the variance that is printed.",
            "Write 2 Delta^2/eps^2 for Delta^2/eps^2.",
        ),
    },
)

PAPER = Paper(
    name="descent",
    edition=EDITION,
    describes="convex losses on R^d with a beta-Lipschitz gradient and a minimiser",
    claims=lambda: CLAIMS,
    displays=lambda: inventory(HERE / "coverage.json"),
    sources=_sources,
    classes=(CLASS_FILE,),
)
