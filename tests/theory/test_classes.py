"""A paper's own class of losses: its schemas beside the core, trusted for that paper and for no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oubli.theory.judging.judge import judge
from oubli.theory.kernel.checker import NOTHING, Proof, accept_certificate, digest
from oubli.theory.kernel.classes import CLASSES, find, load
from oubli.theory.kernel.poly import BUDGET, WORK, RejectedError
from oubli.theory.kernel.symbols import POSITIVE, parameter
from oubli.theory.records.build import by, case, le, repair, state
from oubli.theory.records.objects import Object, grad, inner, loss, losses_of, point, term, tilt, unit, value
from oubli.theory.records.proof import Schema, Term
from oubli.theory.records.verdict import Status, Verdict

FILE = Path(__file__).parents[2] / "examples" / "gradient_descent" / "smooth.py"
SMOOTH = losses_of(FILE)
KIND = load(FILE)
mu = parameter("mu", POSITIVE, "strong-convexity constant")
beta, eta = parameter("beta", POSITIVE, "smoothness"), parameter("eta_trial", POSITIVE, "step size")
f, x = loss("f_trial"), point("x_trial")
moved = x - eta * grad(f, x)
rise = term("rise_trial", Object(["+", value(f, moved).node, ["*", -1, value(f, x).node]]))
slope = term("slope_trial", inner(grad(f, x), grad(f, x)))


def judged(says: Any, *terms: Term, of: Any = (SMOOTH, mu), cases: tuple[Any, ...] = ()) -> Verdict:
    said = state(says, also=of)
    return judge(repair("trial", 1, "a trial", said, proof=by(said, *terms), instances=cases), {}, {})


SMOOTHNESS = Schema("smoothness", (f, x, moved))
DESCENT = le(rise, -eta * (1 - beta * eta / 2) * slope)


def test_the_descent_lemma_is_proved_from_the_schema_of_the_class() -> None:
    found = judged(DESCENT, (1, SMOOTHNESS))
    assert found.status is Status.PROVED
    assert found.certificate is not None
    assert found.certificate["takes"] == {**NOTHING, "letters": found.certificate["takes"]["letters"]}
    assert KIND in found.certificate["statement"]["letters"].values()


def test_a_greater_descent_is_refuted_by_a_quadratic() -> None:
    quadratic = case(
        "beta/2 x^2 at 1",
        {beta: 1, eta: 1, mu: 1},
        objects={"f_trial": tilt(0 * unit(1)), "x_trial": unit(1)},
    )
    found = judged(le(rise, -eta * (1 - beta * eta / 4) * slope), (1, SMOOTHNESS), cases=(quadratic,))
    assert found.status is Status.REFUTED


@pytest.mark.parametrize(
    "schema",
    [
        Schema("strong convexity", (f, x, moved)),
        Schema("Lipschitz", (f, x)),
        Schema("projection", (x, moved)),
        Schema("ball", (Object(["opt", "f_trial"]),)),
    ],
)
def test_what_holds_for_other_losses_is_no_schema_here(schema: Schema) -> None:
    found = judged(DESCENT, (1, schema))
    assert found.status is Status.OPEN
    assert "unknown schema" in found.reason


def test_without_its_class_a_statement_has_no_such_schema() -> None:
    found = judged(DESCENT, (1, SMOOTHNESS), of=(mu,))
    assert found.status is Status.OPEN
    assert "unknown schema 'smoothness'" in found.reason


def certificate() -> Any:
    made = judged(DESCENT, (1, SMOOTHNESS)).certificate
    assert made is not None
    return made


def sealed(made: Any) -> Any:
    return {**made, "hash": digest({"statement": made["statement"], "takes": made["takes"]})}


def without(letters: Any) -> Any:
    return {n: kind for n, kind in letters.items() if kind[0] != "class"}


def test_a_certificate_cannot_bring_a_class_that_the_statement_has_not() -> None:
    made = certificate()
    bare = {**made["statement"], "letters": without(made["statement"]["letters"])}
    with pytest.raises(RejectedError, match="another class"):
        accept_certificate(sealed({**made, "statement": bare}), {}, {})
    own = {**made["takes"], "letters": without(made["takes"]["letters"])}
    with pytest.raises(RejectedError, match="unknown schema"):
        accept_certificate(sealed({**made, "takes": own}), {}, {})


def test_a_lemma_about_other_losses_is_not_cited() -> None:
    made = certificate()
    other = {**made["statement"], "letters": without(made["statement"]["letters"])}
    cited = {**made, "lemmas": {"other": digest(other)}}
    with pytest.raises(RejectedError, match="another class"):
        accept_certificate(sealed(cited), {"other": other}, {})


@pytest.mark.parametrize(
    ("letters", "why"),
    [
        ({"class_x": ["class", "smooth convex", "0" * 64]}, "unknown class"),
        ({"class_x": ["class", "another name", KIND[2]]}, "unknown class"),
        ({"class_x": KIND, "class_y": KIND}, "two classes"),
        ({"class_x": KIND[:2]}, "not a letter"),
    ],
)
def test_a_class_that_nobody_loaded_is_none(letters: Any, why: str) -> None:
    with pytest.raises(RejectedError, match=why):
        Proof({**NOTHING, "letters": letters})


def reached(*lines: Any, **letters: Any) -> Proof:
    WORK[:] = [BUDGET, float("inf")]
    plain = {"beta": [False, False], "mu": [False, False], "d": [True, False], "f": ["loss"], "x": ["point"]}
    proof = Proof({**NOTHING, "letters": {**plain, "class_x": KIND, **letters}})
    for i, line in enumerate(lines):
        proof.accept(line, i)
    return proof


STATED = {"by": "leaf", "schema": ["smoothness", "f", "x", ["zero"]]}


@pytest.mark.parametrize("name", ["beta", "mu", "d"])
def test_the_parameters_of_the_class_belong_to_its_objects(name: str) -> None:
    with pytest.raises(RejectedError, match="belong to its objects"):
        reached(STATED, {"by": "instance", "of": 0, "with": {name: 1}})


def test_a_number_of_the_class_is_no_letter_and_no_vector() -> None:
    with pytest.raises(RejectedError, match="no number"):
        reached({"by": "combine", "terms": [], "says": ["=", ["*", 0, "class_x"]]})
    excess = ["excess", "x", "x", ["noise", "gauss", 1, 1], 1]
    with pytest.raises(RejectedError, match="no vector"):
        reached({"by": "leaf", "square": excess})


@pytest.mark.parametrize("rule", ["average", "over"])
def test_rules_of_one_class_are_not_those_of_another(rule: str) -> None:
    with pytest.raises(RejectedError, match="unknown rule"):
        reached({"by": rule})


def test_the_exponential_of_what_a_class_draws_need_not_have_a_mean() -> None:
    along = ["in", ["noisy", "f", "x", 1, 1, 1], "x"]
    assert reached().read(["E", along]) != reached().read(along)
    with pytest.raises(RejectedError, match="need not be finite"):
        reached().read(["E", ["exp", along]])


ANEW = [{head: ("made",)} for head in ("val", "opt", "exp", "+", "*", "^", "@", "pi")]


@pytest.mark.parametrize("terms", [*ANEW, {"mine": ("sort",)}])
def test_a_class_defines_no_term_of_the_core_anew(terms: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"NAME, PARAMETERS, TERMS, SCHEMAS, member = 'own', (), {terms}, {{}}, list\n")
    with pytest.raises(RejectedError, match=r"anew|kind of term"):
        load(path)
    assert all(found.name != "own" for found in CLASSES.values())


def test_a_class_is_found_by_its_digest_and_has_laws() -> None:
    own = CLASSES[load(FILE)[2]]
    assert own.parameters >= {"beta", "mu", "d"}
    assert find([], own) is own
    assert find([KIND], own._replace(name="another")) is own
    assert own.laws() == ("E", "dE", "worst", "P", "dP", "tv", "excess")
    noise = ["noise", "radial", 1, 1]
    with pytest.raises(RejectedError, match="set at random"):
        reached(
            {"by": "leaf", "schema": ["Laplace", "x", ["zero"], noise, 1]},
            {"by": "instance", "of": 0, "with": {"x": noise}},
        )


def test_another_byte_is_another_class(tmp_path: Path) -> None:
    path = tmp_path / "smooth.py"
    path.write_bytes(FILE.read_bytes() + b"\n")
    other = load(path)
    assert other[:2] == KIND[:2]
    made = certificate()
    letters = {n: other if kind == KIND else kind for n, kind in made["statement"]["letters"].items()}
    changed = {**made, "statement": {**made["statement"], "letters": letters}}
    with pytest.raises(RejectedError, match="stale"):
        accept_certificate(changed, {}, {})
    with pytest.raises(RejectedError, match="another class"):
        accept_certificate(sealed(changed), {}, {})


def test_a_model_is_about_the_class_of_the_statement() -> None:
    parabola = case(
        "at 1", {beta: 1, eta: 1, mu: 1}, objects={"f_trial": tilt(0 * unit(1)), "x_trial": unit(1)}
    )
    too_much = le(rise, -eta * (1 - beta * eta / 4) * slope)
    made = judged(too_much, (1, SMOOTHNESS), cases=(parabola,)).witness
    assert made is not None
    accept_certificate(made, {}, {})
    own = {**made["takes"], "letters": without(made["takes"]["letters"])}
    with pytest.raises(RejectedError, match="another class"):
        accept_certificate(sealed({**made, "takes": own}), {}, {})


def test_the_hard_families_and_other_dimensions_belong_to_no_other_class(tmp_path: Path) -> None:
    """Not every problem is one of this class; and noise knows the dimension, even if a class forgets it."""
    forgetful = tmp_path / "smooth.py"
    forgetful.write_text(FILE.read_text(encoding="utf-8").replace('"mu", "d")', '"mu")'), encoding="utf-8")
    kind = load(forgetful)
    assert kind != KIND
    numbers = {**{n: [False, False] for n in ("L", "beta", "mu")}, "d": [True, False]}
    letters = {**numbers, "D": ["problem"], "class_": kind}
    WORK[:] = [BUDGET, float("inf")]
    proof = Proof({**NOTHING, "letters": letters})
    slope = ["grad", ["retain", "D"], ["e", 1]]
    proof.accept({"by": "leaf", "square": slope}, 0)
    for families in (["signs", 0, 0], ["tosses", ["zero"], ["zero"]]):
        with pytest.raises(RejectedError, match="another class"):
            proof.accept({"by": "instance", "of": 0, "with": {"D": families}}, 1)
    with pytest.raises(RejectedError, match="belong to its objects"):
        proof.accept({"by": "instance", "of": 0, "with": {"d": 5}}, 1)


def test_what_terms_of_the_core_depend_on_belongs_to_every_class(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text("NAME, PARAMETERS, TERMS, SCHEMAS, member = 'bare', (), {}, {}, list\n")
    digest_ = load(path)[2]
    assert CLASSES.pop(digest_).parameters == {"L", "mu", "d"}
