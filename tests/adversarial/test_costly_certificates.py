"""Short certificates that ask for much: products, hypotheses, models and numbers that grow; stopped soon."""

import random
from typing import Any

import pytest

from oubli.theory.kernel import checker
from oubli.theory.kernel.poly import RejectedError
from tests.adversarial.limits import limited
from tests.adversarial.written import combine, leaf, lined, positive, rise

P, M = [False, False], [False, True]
LETTERS = dict.fromkeys([*"xyzuv", *(f"a{i}" for i in range(40))], P)
COLLIDING = 2**61 - 1  # Python's hash of a rational is its value modulo this prime.


def sums(n: int, letter: str) -> list[Any]:
    return ["+", *(["exp", ["*", k, letter]] for k in range(n))]


def fractions(n: int, bits: int) -> list[str]:
    rng = random.Random(n)
    return [f"1/{rng.getrandbits(bits) | 1 << (bits - 1) | 1}" for _ in range(n)]


def weighted(n: int) -> list[Any]:
    return ["+", *(["*", q, ["exp", ["*", i, "x"]]] for i, q in enumerate(fractions(n, 980)))]


def nested(depth: int) -> Any:
    node: Any = "x"
    for _ in range(depth):
        node = ["+", ["+", *[0] * 1600], node]
    return node


LONG_POWER = ["exp", ["*", "1" * 3990 + "/" + "7" * 3980, "x"]]
ROOTED, BESIDE = ["*", sums(48, "x"), sums(48, "y")], ["*", sums(48, "z"), sums(48, "u")]
WIDE = [
    ["*", *(f"a{i}" for i in range(first, first + 9)), sums(480, x)] for first, x in ((0, "x"), (10, "y"))
]
LINES: dict[str, list[Any]] = {
    "the norm of thousands of vectors": [leaf(norm={f"v{i}": 1 for i in range(6000)})],
    "hypotheses copied by every citation": [
        combine(says=["=", 0], using=[[">=", i] for i in range(10_000)]),
        combine([1, *[0] * 40_000]),
    ],
    "hypotheses that meet none": [
        combine([1], says=[">=", 1], using=[[">", i] for i in range(2000)]),
        combine([1, 0], met=[0] * 1000),
    ],
    "fractions that grow as they are added": [leaf(assume=["=", ["*", weighted(150), weighted(150)]])],
    "a long root looked for again and again": [
        leaf(assume=["=", 0], says=["=", ["*", ["^", ROOTED, "1/2"], BESIDE]], using=[[">=", ROOTED]])
    ],
    "a slope at every level": [combine([1]), rise([0], nested(300), 0, 1)],
    "bounds of a long product": [positive(["*", *[1] * 450_000], box={}, bits=16)],
    "products of many letters": [leaf(assume=["=", ["*", *WIDE]])],
}
TIMED: dict[str, list[Any]] = {
    "numbers that Python files in one place": [
        leaf(assume=[">=", ["+", *(["log", 2 + i * COLLIDING] for i in range(8000))]])
    ],
    "powers of thousands of digits": [
        leaf(assume=["=", ["*", *(["*", LONG_POWER, sums(280, x)] for x in "yz")]])
    ],
}
PIECES = [[f"{i - 1000}/2000", f"{i - 999}/2000", 1, 0, 0] for i in range(2000)]
MODELS: dict[str, tuple[Any, Any]] = {
    "a member of thousands of pieces": (["+", *[["value", "f", 0]] * 1000], {"members": {"f": PIECES}}),
    "a law of thousands of outcomes": (
        ["+", *[["tv", "P", "P"]] * 1000],
        {"laws": {"P": {str(i): int(i == 0) for i in range(2000)}}},
    ),
    "a law of long fractions": (
        ["mass", "P", "1"],
        {"laws": {"P": {str(i): q for i, q in enumerate(fractions(900, 3300))}}},
    ),
}


def rejected(*lines: dict[str, Any], **more: Any) -> None:
    with limited(), pytest.raises(RejectedError):
        lined([">=", 0], *lines, letters=LETTERS, **more)


@pytest.mark.parametrize("name", LINES)
def test_a_costly_proof_is_stopped(name: str) -> None:
    rejected(*LINES[name])


@pytest.mark.parametrize("name", TIMED)
def test_what_no_count_sees_is_stopped_by_the_clock(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "SECONDS", 1)
    with pytest.raises(RejectedError, match="too long"):
        lined([">=", 0], *TIMED[name], letters=LETTERS)


@pytest.mark.parametrize("name", MODELS)
def test_a_costly_model_is_stopped(name: str) -> None:
    value, model = MODELS[name]
    witness = {"values": {"L": 1, "mu": 1, "x": value}, "model": model, "shown": [0]}
    rejected(combine([1]), kind="witness", witness=witness)


def test_long_vectors_are_stopped() -> None:
    names = "abcdefghijklmnopqrst"
    products = {f"<{a},{b}>": M for a in names for b in names if a <= b}
    witness = {"values": {}, "model": {"vectors": {a: [1] * 5000 for a in names}}, "shown": [0]}
    with limited(), pytest.raises(RejectedError, match="too long"):
        lined([">=", 1], combine([1]), letters=products, kind="witness", witness=witness)


def test_thousands_of_hypotheses_are_read() -> None:
    given = [[">=", i] for i in range(25_000)]
    with limited():
        lined(
            [">=", 1], combine([1], says=[">=", 1], using=given[::-1]), given=[[*h, "given"] for h in given]
        )
