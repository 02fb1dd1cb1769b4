"""False statements by joins: sums, means, integrals, inductions and cases that do not fit.

Each is refused, or rests on a mean that its certificate tells.
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
    granted,
    hypothesis,
    induction,
    integrate,
    one,
    read,
    refused,
    st,
    step,
)

HOLES: dict[str, list[dict[str, Any]]] = {
    "a rise with a slope of its own": [
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
        combined("step", st("2 + (-1/2)*q >= 0", "2 - q >= 0", q=REAL), hypothesis(0, "1/2"), ONE),
        induction("end", st("2 - q >= 0", q=REAL), FALLING, "step", 7),
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
        combined("a", st(FALSE, "x >= 0", x=[-2, False, -1, False, False, False]), hypothesis(0),
            one("-1 - x")),
        combined("b", st(FALSE, "-x >= 0", x=[1, False, 2, False, False, False]), hypothesis(0),
            one("x - 1")),
        step("c", st(FALSE), rule="cases", on="x", nonnegative="a", nonpositive="b"),
    ],
    "a sum that is typed": [
        step("a", st("1 - 2 == 0"), rule="sum", index="n", first=1, closed="n", term=1, last=1, total=2),
    ],
    "a slope without its rise": [
        combined("a", st("0 >= 0", x=REAL)),
        integrate("b", st(FALSE), "a", "-x", 0, 1, slope=-1),
    ],
    "an induction that starts at another index": [
        combined("base", st("0 >= 0")),
        combined("s", st("t - 99 >= 0", "t - 100 >= 0", t=NATURAL), hypothesis(0), ONE),
        induction("e", st("-100 >= 0"), "t - 100", "s", 0),
    ],
    "an induction that fixes a free letter": [
        combined("base", st("1 >= 0"), ONE),
        combined("s", st("q >= 0", "q >= 0", q=REAL), hypothesis(0)),
        induction("e", st("q >= 0", q=REAL), "q", "s", 0),
        combined("f", st(FALSE), cite("e", q=-1)),
    ],
    "an induction whose index is bound by a hypothesis": [
        combined("base", st("0 >= 0")),
        combined("s", st("(t + 1)*(t - 8) >= 0", "t - 8 >= 0", t=NATURAL), hypothesis(0, "t + 1")),
        induction("e", st("-20 >= 0", "t - 8 >= 0", t=NATURAL), "t*(t - 9)", "s", 5),
        combined("f", st("-20 >= 0"), cite("e", t=8)),
    ],
    "an induction whose state is bound by a hypothesis about its end": [
        combined("base", st("0 >= 0")),
        combined("s",
            st("t + 1 - k2 >= 0", "t - k >= 0", "1 - m >= 0", "k2 - k - m == 0",
                t=NATURAL, k=MEASURED, m=MEASURED, k2=MEASURED),
            hypothesis(0), hypothesis(1), hypothesis(2, -1)),
        induction("e", st("4 - k >= 0", "1 - m >= 0", k=MEASURED, m=MEASURED), "t - k", "s", 4),
    ],
    "0/0 taken for 1 in a case": [
        combined("a", st("x**2 > 0", "x*x**-1 > 0", x=REAL), one("x**2")),
        step("b", st("x**2 > 0", "1 > 0", x=REAL), rule="cases", on=0, nonnegative="a",
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
    "a mean whose meaning is hidden": [
        *BELOW_ONE,
        granted("above", st("z - 2 >= 0", z=MEASURED)),
        combined("a2", st("z - 2 >= 0", z=MEASURED), cite("above")),
        expectation("b", st("1 - m >= 0", m=MEASURED), "a", y="m"),
        step("c", st("m - 2 >= 0", m=MEASURED), rule="expectation", step="a2", means={"z": "m"}, mass=1,
            rise="j", slope="g", variable="x", to=1, **{"from": 0}),
        combined("d", st(FALSE), cite("b"), cite("c")),
    ],
    "a mean under the domain of what is random": [
        combined("a", st("1 - y >= 0", y=FRACTION), one("1 - y")),
        expectation("b", st("1 - m >= 0", m=MEASURED), "a", y="m"),
    ],
    "a printed hypothesis on what is random": [
        combined("a", st("y >= 0", "y >= 0", y=MEASURED), hypothesis(0)),
        expectation("b", st("m >= 0", "y >= 0", y=MEASURED, m=MEASURED), "a", y="m"),
    ],
    "an integral over a letter that is measured": [
        granted("a0", st("x - 5 >= 0", x=MEASURED)),
        combined("a", st("2*(x - 5) >= 0", x=MEASURED), cite("a0", 2)),
        integrate("b", st("-225 >= 0"), "a", "(x - 5)**2", -10, 5),
    ],
}  # fmt: skip


# y is the mean of y over half of all outcomes, and that of 1 is 1/2.
OWN_MEAN = [*BELOW_ONE, expectation("b", st("1/2 - y >= 0", y=MEASURED), "a", "1/2", y="y")]


@pytest.mark.parametrize("name", HOLES)
def test_a_false_statement_is_refused(name: str) -> None:
    assert refused(accepted, HOLES[name])


def test_a_mean_named_as_what_is_random_is_told() -> None:
    assert accepted(OWN_MEAN)["means"] == {"y": ["y", "event of b", "1/2"]}
