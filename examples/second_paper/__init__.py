"""A paper of one lemma, which is false as printed: the smallest folder that `oubli check --paper` accepts."""

from sympy import Rational

from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.records.build import by, case, le, repair, state, statement
from oubli.theory.records.coverage import Display
from oubli.theory.records.paper import Paper
from oubli.theory.records.printed import Edition, Environment, Erratum, Severity
from oubli.theory.records.proof import Square

# The letters: each has a domain and a meaning, and one name has one meaning.
width = parameter("width", POSITIVE, "width of a rectangle")
height = parameter("height", POSITIVE, "height of the same rectangle")

# Lemma 1 as printed, on line 3 of the TeX, and what holds instead.
_printed = state(le(width * height, (width**2 + height**2) / 4))
_repaired = state(le(width * height, (width**2 + height**2) / 2))

CLAIMS = (
    statement(
        "area",
        3,
        "the area is at most a quarter of the sum of the squared sides",
        _printed,
        label="lem:area",
        instances=(case("a unit square", {width: 1, height: 1}),),
        repaired_by="area.repaired",
    ),
    repair(
        "area.repaired",
        3,
        "the area is at most half of the sum of the squared sides",
        _repaired,
        # (a^2 + b^2)/2 - a b = (a - b)^2/2: half a square, which is not negative.
        proof=by(_repaired, (Rational(1, 2), Square(width - height))),
    ),
)

EDITION = Edition(
    title="On rectangles",
    authors="N. N.",
    version="first",
    digest="",
    environments=(Environment("Lemma 1", (2, 4), "lem:area", keys=("area",)),),
    errata={
        "area": Erratum(Severity.CONSTANT, "The constant is too small for a square.", "Write 1/2 for 1/4.")
    },
)

PAPER = Paper(
    name="rectangles",
    edition=EDITION,
    describes="rectangles",
    claims=lambda: CLAIMS,
    displays=lambda: (Display(3, "0", "relation", ("area",)),),
)
