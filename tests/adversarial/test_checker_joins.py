"""False statements by joins: sums, means, integrals, inductions and cases that do not fit.

Each is refused, or rests on something false that its certificate tells.
"""

from typing import Any

import pytest

from tests.adversarial.written import (
    BELOW_ONE,
    BOTH_SIDES,
    FALLING,
    FALSE,
    FRACTION,
    JUMP,
    KINK,
    MEASURED,
    NATURAL,
    NONNEGATIVE,
    ONE,
    ONES,
    REAL,
    accepted,
    cite,
    combined,
    expectation,
    fact,
    induction,
    integrate,
    less,
    one,
    read,
    refused,
    st,
    step,
    summed,
)

HOLES: dict[str, list[dict[str, Any]]] = {
    "a rise that is no letter": [
        combined("a", st("0 >= 0", x=REAL)),
        integrate("b", st("-5 >= 0"), "a", 0, 0, 1, slope=0, rise=5),
    ],
    "a negative probability": [
        combined("a", st("1 >= 0"), ONE),
        expectation("b", st(FALSE), "a", -1),
    ],
    "a mean that is chosen": [
        combined("a", st("y >= 0", y=NONNEGATIVE), one("y")),
        step("b", st("-5 >= 0"), rule="expectation", step="a", means={"y": -5}, mass=1),
    ],
    "an induction that ends between two integers": [
        combined("base", st("0 >= 0")),
        combined("step", st("(t + 1)*t >= 0", t=NATURAL), one("(t + 1)*t")),
        induction("end", st("-1/4 >= 0"), "t*(t - 1)", "step", "1/2"),
    ],
    "an induction whose step starts late": [
        combined("base", st("0 >= 0")),
        combined("step", st("(t + 1)*(t - 8) >= 0", t=[10, False, None, False, True, False]),
            one(["*", read("t + 1"), ["+", read("t - 10"), 2]])),
        induction("end", st("-20 >= 0"), "t*(t - 9)", "step", 5),
    ],
    "an induction over a letter that can be chosen": [
        combined("base", st("2 - 1 >= 0"), ONE),
        combined("step", st("2 + (-1/2)*q >= 0", "2 - q >= 0 given", q=REAL), fact(0, "1/2"), ONE),
        induction("end", st("2 - q >= 0", q=REAL), FALLING, "step", 7, {"q": 1}, {"q": "1/2*q"}),
    ],
    "a monotone function with a jump": [
        combined("slope", st("0 >= 0", x=BOTH_SIDES)),
        integrate("b", st("-2 >= 0"), "slope", JUMP, -1, 1),
    ],
    "a convex function with a kink the wrong way": [
        combined("curve", st("0 >= 0", x=BOTH_SIDES)),
        integrate("b", st("-2 >= 0"), "curve", KINK, -1, 1, at=0),
    ],
    "a logarithm from 0": [
        combined("slope", st("x**-1 >= 0", x=[0, True, None, False, False, False]), one("x**-1")),
        integrate("b", st("log(1) - log(0) >= 0"), "slope", "log(x)", 0, 1),
    ],
    "cases over two domains": [
        combined("a", st(FALSE, "x >= 0 given", x=[-2, False, -1, False, False, False]), fact(0),
            one("-1 - x")),
        combined("b", st(FALSE, "-x >= 0 given", x=[1, False, 2, False, False, False]), fact(0),
            one("x - 1")),
        step("c", st(FALSE), rule="cases", on="x", nonnegative="a", nonpositive="b"),
    ],
    "a sum that is typed": [summed("a", st("1 - 2 == 0"), "n", 1, 2, 1)],
    "a sum over no range": [summed("a", st("-5 - S == 0", S=MEASURED), "n", 1, "S", -5)],
    "a slope without its rise": [
        combined("a", st("0 >= 0", x=REAL)),
        integrate("b", st(FALSE), "a", "-x", 0, 1, slope=-1),
    ],
    "an induction that starts at another index": [
        combined("base", st("0 >= 0")),
        combined("s", st("t - 99 >= 0", "t - 100 >= 0 given", t=NATURAL), fact(0), ONE),
        induction("e", st("-100 >= 0"), "t - 100", "s", 0, {"t": 100}),
    ],
    "an induction that fixes a free letter": [
        combined("base", st("1 >= 0"), ONE),
        combined("s", st("q >= 0", "q >= 0 given", q=REAL), fact(0)),
        induction("e", st("q >= 0", q=REAL), "q", "s", 0, {"q": 1}),
        combined("f", st(FALSE), cite("e", q=-1)),
    ],
    "an induction whose index is bound by a hypothesis": [
        combined("base", st("0 >= 0")),
        combined("s", st("(t + 1)*(t - 8) >= 0", "t - 8 >= 0 given", t=NATURAL), fact(0, "t + 1")),
        induction("e", st("-20 >= 0", "t - 8 >= 0 given", t=NATURAL), "t*(t - 9)", "s", 5),
        combined("f", st("-20 >= 0"), cite("e", t=8)),
    ],
    "an induction whose state is bound by a hypothesis about its end": [
        combined("base", st("0 >= 0")),
        combined("s",
            st("t + 1 - k2 >= 0", "t - k >= 0 given", "1 - m >= 0 given", "k2 - k - m == 0 definition",
                t=NATURAL, k=MEASURED, m=MEASURED, k2=MEASURED),
            fact(0), fact(1), fact(2, -1)),
        induction("e", st("4 - k >= 0", "1 - m >= 0 given", k=MEASURED, m=MEASURED), "t - k", "s", 4,
            {"k": 0, "m": 8}, {"k": "k2", "m": "1/2*m"}),
    ],
    "0/0 taken for 1 in a case": [
        combined("a", st("x**2 > 0", "x*x**-1 > 0 given", x=REAL), one("x**2")),
        step("b", st("x**2 > 0", "1 > 0 given", x=REAL), rule="cases", on=0, nonnegative="a",
            nonpositive="a"),
        combined("c", st("0 > 0"), cite("b", x=0)),
    ],
    "a total laundered through a step without its parameter": [
        ONES,
        combined("five", st("5 - S == 0", S=MEASURED), cite("ones", T=5)),
        combined("c", st("T - 5 == 0", T=NATURAL), cite("ones"), cite("five", -1)),
    ],
    "a total laundered through another name of its parameter": [
        ONES,
        combined("re", st("N - S == 0", N=NATURAL, S=MEASURED), cite("ones", T="N")),
        combined("c", st("T - N == 0", T=NATURAL, N=NATURAL), cite("ones"), cite("re", -1)),
    ],
    "a total inside its own sum": [summed("a", st("T*S - S == 0", T=NATURAL, S=MEASURED), "n*S", "S", "S")],
    "a mean whose meaning is hidden": [
        BELOW_ONE,
        combined("a2", st("z - 2 >= 0", z=[2, False, 3, False, False, True]), one("z - 2")),
        expectation("b", st("1 - m >= 0", m=MEASURED), "a", y="m"),
        step("c", st("m - 2 >= 0", m=MEASURED), rule="expectation", step="a2", means={"z": "m"}, mass=1,
            rise="j", slope="g", variable="x", to=1, **{"from": 0}),
        combined("d", st(FALSE), cite("b"), cite("c")),
    ],
    "a printed hypothesis on what is random": [
        combined("a", st("y >= 0", "y >= 0 given", y=MEASURED), fact(0)),
        expectation("b", st("m >= 0", "y >= 0 given", y=MEASURED, m=MEASURED), "a", y="m"),
    ],
    "an integral over a letter that is measured": [
        combined("a", st("2*(x - 5) >= 0", "x - 5 >= 0 definition", x=MEASURED), fact(0, 2)),
        integrate("b", st("-225 >= 0"), "a", "(x - 5)**2", -10, 5),
    ],
}  # fmt: skip

AT_END, COUNTED = ["@", "S", {"n": "T"}], ["@", "S", {"n": ["+", "n", 1]}]
AREA = less(["@", "int_g", {"x": "1/2"}], ["@", "int_g", {"x": 0}])
# What is assumed in each, and cannot all hold: parts of `takes` with what is in them.
DISCLOSED: dict[str, tuple[dict[str, list[Any]], list[dict[str, Any]]]] = {
    # Each step adds one, and each step adds two.
    "a total that stands for two sums": (
        {"facts": [["=", less(COUNTED, ["+", "S", k]), "sum", []] for k in (1, 2)]},
        [
            ONES,
            summed("twos", st("2*T - S == 0", T=NATURAL, S=MEASURED), "2*n", 2, "S"),
            combined("no steps at all", st("T == 0", T=NATURAL, S=MEASURED), cite("twos"), cite("ones", -1)),
        ],
    ),
    # A sum of T ones that is at most 1 for every T: who uses the domain of the total, tells it.
    "a total in a narrow domain": (
        {"facts": [[">=", less(1, AT_END), "domain", [[">=", less("T", 0)]]]]},
        [
            summed("a", st("T - S == 0", T=NATURAL, S=FRACTION), "n", 1, "S"),
            combined("b", st("1 - T >= 0", T=NATURAL, S=FRACTION), cite("a", -1), one("1 - S")),
        ],
    ),
    # y is the mean of y over half of all outcomes, and that of 1 is 1/2.
    "a mean named as what is random": (
        {"means": [("y", ["y", "event of b", "1/2"])]},
        [
            BELOW_ONE,
            expectation("b", st("1/2 - y >= 0", y=FRACTION), "a", "1/2", y="y"),
        ],
    ),
    # g is 1, and the integral of g over half of the line.
    "a rise that is its slope": (
        {"slopes": [("int_g", ["x", "g"])], "facts": [["=", less("g", AREA), "integral", []]]},
        [
            combined("a", st("1 - g >= 0", "1 - g == 0 definition", x=REAL, g=MEASURED), fact(0)),
            integrate("b", st("1/2 - g >= 0", g=MEASURED), "a", "x", 0, "1/2", slope="g", rise="g"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_refused(name: str) -> None:
    assert refused(accepted, HOLES[name])


@pytest.mark.parametrize("name", DISCLOSED)
def test_a_false_statement_rests_on_what_is_told(name: str) -> None:
    assumed, steps = DISCLOSED[name]
    takes = {part: [*row.items()] if isinstance(row, dict) else row for part, row in accepted(steps).items()}
    assert all(item in takes[part] for part, items in assumed.items() for item in items)
