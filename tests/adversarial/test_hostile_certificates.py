"""Certificates written to stop the checker: deep, long, endless or of wrong types; all rejected soon."""

import json
from typing import Any

import pytest

from oubli.theory.judging.replay import replay, taken
from oubli.theory.kernel.checker import NOTHING, accept_certificate
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.paper.ledger import ledger
from tests.adversarial.limits import limited
from tests.adversarial.places import sealed
from tests.adversarial.written import rise

LONG = "9" * 3999
JUNK: list[Any] = [None, True, 3, "x", [], {}, [[]], {"by": "combine"}, "9" * 100_000, 10**4000, 1e308]


def written(lines: Any, **rest: Any) -> dict[str, Any]:
    """A certificate of x >= 0, which is false."""
    letters = {x: [False, False] for x in "xyzuv"}
    said = {"letters": letters, "given": [], "says": [">=", "x"]}
    frame = {
        "claim": "x",
        "kind": "proof",
        "lemmas": {},
        "statement": said,
        "takes": {**NOTHING, "letters": letters},
    }
    return sealed({**frame, "lines": lines, **rest})


def rejected(certificate: Any) -> None:
    with limited(), pytest.raises(RejectedError):
        accept_certificate(certificate, {}, {})


def deep(levels: int, head: str = "+") -> Any:
    node: Any = "x"
    for _ in range(levels):
        node = [head, node, 1] if head == "+" else [head, node]
    return node


def chain(start: int, length: int) -> list[dict[str, Any]]:
    """x > 0 and its squares of squares: each line is short, what it says doubles."""
    squares = [{"by": "combine", "terms": [[1, start + i, start + i]]} for i in range(length)]
    return [{"by": "leaf", "assume": [">", "x"]}, *squares]


ASSUMED = [{"by": "leaf", "assume": [">", ["+", "x", i]]} for i in range(2000)]
ALL = {"by": "combine", "terms": [[1, i] for i in range(2000)]}
TOWER: Any = ["^", ["^", ["^", ["+", "x", 1], 64], 64], 64]
LONG_LOGARITHM: Any = ["log", ["^", ["+", 1, "x", "y", "z"], 18]]
MANY_EQUAL: Any = ["*", LONG_LOGARITHM, ["^", ["+", 1, "u", "v"], 15]]
WIDE: Any = ["+", *[["+", *["x"] * 100]] * 100]
LINES: dict[str, list[Any]] = {
    "long generators compared again and again": [{"by": "leaf", "assume": ["=", ["*", *[MANY_EQUAL] * 2]]}],
    "a slope of a long sum": [{"by": "combine", "terms": [[1]]}, rise([0], ["+", *["x"] * 12_000], 0, 1)],
    "a long sum stated when it is not shown": [
        {"by": "leaf", "assume": [">=", ["*", -10_000, ["^", ["*", 10_000, "x"], -2]]]},
        rise([0], ["^", WIDE, -1], ["+", *[1] * 20_000], 1),
    ],
    "a long number put in many places": [
        {"by": "leaf", "assume": ["=", ["*", 0, *[["exp", "x"]] * 5000]], "says": ["=", 0]},
        {"by": "instance", "of": 0, "with": {"x": f"{LONG}/{LONG[:-1]}7"}},
        *({"by": "combine", "terms": [[1, 1]]} for _ in range(20)),
    ],
    "squares of squares": chain(0, 200),
    "squares of squares, put elsewhere": [*chain(0, 60), {"by": "instance", "of": 60, "with": {"x": 2}}],
    "squares of squares, compared": [
        *chain(0, 60),
        *chain(61, 60),
        {"by": "cases", "of": [60, 121], "on": "x"},
    ],
    "squares of squares, rewritten": [
        *chain(0, 60),
        {"by": "combine", "terms": [[1, 60]], "says": [">", "x"]},
    ],
    "what is put in grows": [
        {"by": "positive", "of": ["^", "x", 2], "even": True},
        *({"by": "instance", "of": i, "with": {"x": ["*", "x", "x"]}} for i in range(200)),
    ],
    "thousands of hypotheses": [
        *ASSUMED,
        ALL,
        *({"by": "combine", "terms": [[1, 2000 + i]]} for i in range(200)),
    ],
    "thousands of lines that meet them": [*ASSUMED, {**ALL, "met": list(range(2000))}],
    "a deep sum": [{"by": "leaf", "assume": [">", deep(500)]}],
    "a bottomless sum": [{"by": "leaf", "assume": [">", deep(100_000)]}],
    "a bottomless tower of exponentials": [{"by": "positive", "of": deep(100_000, "exp")}],
    "a power of a power of a power": [{"by": "combine", "terms": [[1]], "says": [">", TOWER]}],
    "long coefficients": [
        {"by": "combine", "terms": [[1]], "says": [">", ["^", ["^", ["*", LONG, "x"], 64], 64]]}
    ],
    "a sum of long fractions": [
        {"by": "combine", "terms": [[1]], "says": [">", ["+", *(f"1/{10**3990 + i}" for i in range(3000))]]}
    ],
    "many letters": [
        {
            "by": "combine",
            "terms": [[1]],
            "says": [
                ">",
                [
                    "^",
                    ["+", *(["exp", ["*", i, "x"]] for i in range(9)), *(["log", i] for i in range(9))],
                    60,
                ],
            ],
        }
    ],
    "a rule that does not exist": [{"by": "trust"}],
    "a method that is no rule": [{"by": "accept", "name": 0}],
    "a line after it": [{"by": "combine", "terms": [[1, 1]]}, {"by": "leaf", "assume": [">=", "x"]}],
    "a line that rests on itself": [{"by": "combine", "terms": [[1, 0]], "says": [">=", "x"]}],
    "the last line, counted from the end": [{"by": "combine", "terms": [[1, -1]], "says": [">=", "x"]}],
    "no line": [],
}
FUNCTIONS = ("exp", "log", "atan", "asin", "Phi", "phi1", "phi2")
POINTS = {
    "many digits": LONG,
    "400 digits": "9" * 400,
    "40": 40,
    "small": f"1/{LONG}",
    "near 1": f"{LONG}/1{LONG[1:]}0",
}
POINTS |= {"far below": -10_000, "a long fraction": "1" + "0" * 3998 + "/" + "7" * 3990, "1000": 1000}


@pytest.mark.parametrize("name", LINES)
def test_hostile_lines_are_rejected(name: str) -> None:
    rejected(written(LINES[name]))


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("head", FUNCTIONS)
def test_hostile_bounds_are_rejected(head: str, point: str) -> None:
    once = [head, POINTS[point]]
    for node, bits in ((once, 2000), (["*", *[["^", once, 64]] * 64], 64), ([head, [head, once]], 16)):
        rejected(written([{"by": "positive", "of": node, "box": {}, "bits": bits}]))


@pytest.mark.parametrize("part", ["claim", "kind", "lemmas", "statement", "takes", "hash", "lines"])
def test_junk_in_place_of_a_part_is_rejected(part: str) -> None:
    honest = written([{"by": "leaf", "assume": [">=", "x"]}])
    for junk in [*JUNK, deep(100_000)]:
        if part != "claim":
            rejected({**honest, part: junk})
        with limited(), pytest.raises(RejectedError):
            replay({**honest, part: junk}, ledger(), taken([{**honest, part: junk}]))


def test_junk_in_place_of_a_certificate_is_rejected() -> None:
    for junk in [*JUNK, deep(100_000)]:
        with limited(), pytest.raises(RejectedError):
            replay(junk, ledger(), taken([junk]))


def test_huge_numbers_and_deep_nesting_come_through_json() -> None:
    text = json.dumps(written([{"by": "combine", "terms": [[1]], "says": [">", 7]}]))
    for hostile in ("9" * 4000, "-" + "9" * 4300, "[" * 900 + "]" * 900, "1e999", "NaN"):
        rejected(json.loads(text.replace("7", hostile)))
