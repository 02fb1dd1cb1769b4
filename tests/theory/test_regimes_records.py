"""One bound, one formula: the calculator certifies by the records, and by no record that is not accepted."""

import ast
import dataclasses
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner

import oubli
from oubli.cli.main import commands
from oubli.theory.judging.ledger import Ledger
from oubli.theory.kernel.encoding import outline
from oubli.theory.paper.ledger import ledger
from oubli.theory.regimes import accepted as shipped
from oubli.theory.regimes import classify, registry
from oubli.theory.regimes.accept import accepted_table, current, fingerprint, text
from oubli.theory.regimes.basis import At, Basis
from oubli.theory.regimes.decide import at_most, fails, settle
from oubli.theory.regimes.enclosed import UncertifiedError, decide, unconfirmed
from oubli.theory.regimes.phase import Plane, shares
from oubli.theory.regimes.record import UndecidedError, record
from oubli.theory.regimes.row import question

WIDTH = "sharp.sensitivity.width"
BOOK = ledger()
POINT = {"rf": 0.01, "eps": 1.0, "delta": 1e-5, "dim": 10, "target": 0.3}
PACKAGE = Path(oubli.__file__).resolve().parents[1]


def edited(key, change):
    """The ledger with one claim changed."""
    return Ledger(change(claim) if claim.key == key else claim for claim in BOOK.claims.values())


def smaller(claim):
    """1.40756 becomes 1.3 in the conclusion."""
    statement = claim.statement
    says = statement.says.subs(sp.Rational(140756, 100000), sp.Rational(13, 10))
    assert says != statement.says
    return dataclasses.replace(claim, statement=dataclasses.replace(statement, says=says))


def unproved(claim):
    assert claim.proof
    return dataclasses.replace(claim, proof=())


def test_the_table_is_that_of_the_records():
    """If this fails: `make accepted`."""
    table = shipped.table()
    assert sorted(table["records"]) == registry.KEYS
    assert table["sources"] == shipped.sources(), "the files of the records changed: run `make accepted`"
    assert current(registry.KEYS) == {key: table["records"][key]["fingerprint"] for key in registry.KEYS}
    for key in registry.KEYS:
        statement = json.loads(json.dumps(outline(BOOK.claims[key].statement)))
        assert table["records"][key]["statement"] == statement, f"{key}: run `make accepted`"
    assert text(table) == shipped.TABLE.read_text()
    assert registry.left_out() == ()


def test_judging_the_records_gives_the_table():
    keys = [WIDTH, "sensitivity", "sharp.trivial"]
    table = json.loads(json.dumps(accepted_table(BOOK, keys)))
    assert table["records"] == {key: shipped.table()["records"][key] for key in sorted(keys)}


@pytest.mark.parametrize("change", [smaller, unproved])
def test_an_edited_or_unproved_record_is_not_accepted(change):
    book = edited(WIDTH, change)

    def now(keys):
        return {key: fingerprint(key, book.claims) for key in keys}

    assert set(registry.KEYS) - shipped.still_accepted(shipped.table(), now) == {WIDTH}
    # Judged again, it is not proved, so that no new table accepts it either.
    table = accepted_table(book, [WIDTH])
    assert table["records"][WIDTH]["status"] != "PROVED"
    assert shipped.still_accepted(table, None) == frozenset()


def test_a_changed_lemma_makes_stale_what_its_proof_uses():
    key = "sharp.sgd.rate"
    book = edited(key, unproved)
    stale = shipped.still_accepted(
        shipped.table(), lambda keys: {k: fingerprint(k, book.claims) for k in keys}
    )
    assert "sharp.efficient.between" not in stale
    assert "sharp.lower" in stale


def test_a_table_edited_by_hand_certifies_nothing():
    entry = shipped.table()["records"][WIDTH]
    forged = json.loads(json.dumps(entry).replace("35189/25000", "13/10"))
    assert forged != entry
    assert shipped.still_accepted({"records": {WIDTH: entry}}, None) == {WIDTH}
    assert shipped.still_accepted({"records": {WIDTH: forged}}, None) == frozenset()


@pytest.fixture
def without(monkeypatch):
    """Some records are not accepted."""

    def leave_out(*keys):
        rest = shipped.accepted() - set(keys)
        for module in ("accepted", "bound", "registry"):
            monkeypatch.setattr(f"oubli.theory.regimes.{module}.accepted", lambda: rest)

    return leave_out


def test_what_rested_on_a_record_falls_back_to_what_is_still_certified(without):
    before = classify(**POINT)
    assert WIDTH in before.claims(0)
    without(WIDTH)
    after = classify(**POINT)
    assert WIDTH not in after.claims(0)
    assert "sensitivity" in after.claims(0)
    assert after.sigma[0] == pytest.approx(before.sigma[0] * 2 / (1 + 0.01) / 1.40757)
    assert unconfirmed(after, 0) == ()
    # What was proposed with it is refused.
    assert unconfirmed(before, 0) == ("T_unlearn upper",)
    with pytest.raises(UncertifiedError, match="row 1: the records do not confirm T_unlearn upper"):
        decide(before)
    assert registry.left_out() == (WIDTH,)


def test_every_record_that_an_answer_names_is_needed_for_it(without):
    rng = np.random.default_rng(3)
    table = {
        "rf": 10 ** rng.uniform(-4, -0.3, 60),
        "eps": 10 ** rng.uniform(-2, 1, 60),
        "delta": 1e-6,
        "dim": rng.integers(1, 60, 60),
        "target": 10 ** rng.uniform(-4, 0, 60),
    }
    found = classify(**table)
    named = {key for row in range(60) for key in found.claims(row)}
    assert len(named) > 15
    for key in sorted(named):
        without(key)
        rest = classify(**table)
        # Without retraining some rows have no upper end at all, and `decide` refuses them.
        answered = np.flatnonzero(np.isfinite(rest.scratch[1].steps) & np.isfinite(rest.unlearn[1].steps))
        assert key not in {k for row in answered for k in rest.claims(row)}


def test_without_any_way_to_retrain_there_is_no_answer(without):
    without("scratch.upper", "sharp.scratch.upper", "sharp.scratch.linear")
    with pytest.raises(UncertifiedError, match="nothing is certified without scratch"):
        decide(classify(**POINT))


def test_no_diagram_and_no_table_certifies_by_records_that_are_not_accepted(without, tmp_path):
    plane, table = Plane(0.01, 2, 1e-5), tmp_path / "questions.csv"
    table.write_text("rf,eps,delta,dim,target\n0.01,1,1e-5,10,0.3\n0.001,4,1e-6,10,0.02\n")
    sensitivities = ("sensitivity", "sensitivity.line", WIDTH)
    assert shares(plane, 10).trivial > 0.3
    without(*sensitivities)
    # Nobody knows how much noise is enough, but retraining and what it takes are certified as before.
    rest = shares(plane, 10)
    assert rest.trivial == 0 < rest.inefficient
    done = CliRunner().invoke(commands, ["regime", "--csv", str(table), "--json"])
    rows = json.loads(done.stdout)["rows"]
    assert len(rows) == 2
    assert not [row for row in rows if row["certified"] == "trivial" or {*sensitivities} & {*row["claims"]}]
    without(*registry.KEYS)
    assert shares(plane, 10).certified == 0
    done = CliRunner().invoke(commands, ["regime", "--csv", str(table)])
    assert done.exit_code == 1
    # The heading of the table, and no row.
    assert (done.stdout.count("\n"), "nothing is certified without" in done.stderr) == (1, True)


PLANTS = {
    "1.40756 becomes 1.32056": ("BACK = Fraction(687, 1000)", "BACK = Fraction(600, 1000)"),
    "the last step of its proof is gone": (
        'Step("all", _dual, Over("pair", spread(r), (f_one, f_two, f_shared))),',
        "",
    ),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_planted_in_a_copy_the_command_refuses(tmp_path, plant):
    """An edit in the files of the records: the command says what it left out, and certifies without it."""
    for name in ("oubli", "theory", "sim", "checks"):
        shutil.copytree(PACKAGE / name, tmp_path / name, symlinks=True)
    home = tmp_path / "theory" / "paper" / "sharper" / "width.py"
    old, new = PLANTS[plant]
    assert home.read_text().count(old) == 1
    home.write_text(home.read_text().replace(old, new))
    options = [word for name, value in POINT.items() for word in (f"--{name}", str(value))]
    command = [sys.executable, "-c", "from oubli.cli.main import main; main()", "regime", *options, "--json"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    answer = json.loads(run.stdout)
    assert WIDTH in answer["left_out"]
    assert not set(answer["left_out"]) & set(answer["claims"])
    assert "sensitivity" in answer["claims"]


def literals(path):
    """Every string of a file that is no docstring."""
    tree = ast.parse(path.read_text())
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_claims_are_named_in_one_module():
    files = [*(PACKAGE / "theory" / "regimes").glob("*.py"), *(PACKAGE / "oubli" / "cli").glob("regime*.py")]
    files += [PACKAGE / "oubli" / "cli" / "phase.py", *(PACKAGE / "oubli" / "answers").rglob("*.py")]
    keys = [key for key in BOOK.claims if "." in key]
    naming = {path.name for path in files for said in literals(path) if any(key in said for key in keys)}
    assert naming == {"registry.py"}


def test_letters_of_the_registry_are_letters_of_its_records():
    at = At(question(classify(**POINT).query, 0), 0, Fraction(1), (Fraction(1, 2),) * 4)
    for basis in (thing for thing in vars(registry).values() if isinstance(thing, Basis)):
        for use in basis.uses:
            parameters = {n for n, d in shipped.statement(use.key).domains.items() if not d.measured}
            several = {
                "cube": 2,
                "growing weights": 2,
                "weights to a point between": 2,
                "kink": 3,
                "two kinks": 4,
            }
            many = several.get(basis.proposal, 1)
            starts = (Fraction(3), *(Fraction(1, 2),) * 9)
            chosen = {"sphere": starts, "ball": starts}.get(basis.proposal, at.chosen[:many])
            given = use.letters(dataclasses.replace(at, chosen=chosen))
            names = set(given or ())
            solved = {n for fact in shipped.statement(use.key).facts for n in shipped_letters(fact)}
            assert given is None or parameters <= names | solved, f"{use.key}: {parameters - names - solved}"


def shipped_letters(fact):
    from oubli.theory.regimes.record import letters

    return letters(fact[1])


REACHED = {
    "G_retrain",
    "X_private",
    "G_private",
    "G_0",
    "G_average",
    "F_average",
    "F_total",
    "F_mean",
    "F_reached",
    "F_learned",
    "F_grown_average",
    "X_excess",
}


UPPER = (
    registry.PRINTED_SGD,
    registry.EQUAL_WEIGHTS,
    registry.GROWING_WEIGHTS,
    registry.NOISE_ALONE,
    registry.NOISE_ALONE_LINE,
    registry.CONSTANT_STEPS,
    registry.SHRUNK_OLD,
    registry.SHRUNK_NEW,
    registry.TUNED_BETWEEN,
    registry.TUNED_NEW,
)


@pytest.mark.parametrize("basis", UPPER, ids=lambda basis: basis.claims[0])
def test_a_record_of_an_upper_bound_concludes_that_the_target_is_reached(basis):
    """Its conclusion, solved for the excess risk, is: at most e."""
    for use in basis.uses:
        says = BOOK.claims[use.key].statement.says
        (risk,) = [symbol for symbol in says.free_symbols if symbol.name in REACHED]
        target = sp.Symbol("e")
        gap = (says.lhs - says.rhs) if isinstance(says, sp.Le) else (says.rhs - says.lhs)
        (level,) = sp.solve(gap.subs({s: sp.Symbol(s.name) for s in gap.free_symbols}), sp.Symbol(risk.name))
        assert sp.simplify(level - target) == 0


def test_numbers_of_the_proposals_are_those_of_the_records():
    says = BOOK.claims[WIDTH].statement.says
    letters = {s.name: s for s in says.free_symbols}
    coefficient = says.rhs.coeff(letters["r"]).subs({letters["L"]: 1, letters["mu"]: 1})
    assert 0 < Fraction(registry.width()) - Fraction(str(coefficient)) < Fraction(2, 10**5)
    given = next(f.relation for f in BOOK.claims["sharp.trivial"].statement.given)
    (noise,) = [s for s in given.free_symbols if s.name == "n_noise"]
    root = sp.expand(given.rhs).coeff(noise).subs(dict.fromkeys(given.free_symbols, 1))
    assert abs(registry.noise_constant() - root**2) < 1e-12
    assert registry.retraining_takes() == 16
    assert registry.retraining_needs() == 0.06
    least, reach, delta = registry.closed_form()
    # T >= e0/(27 pi^2 e) for e <= e0 rho^2 (1 + kappa^2)/(864 ln(1.25e8)), delta >= 1e-8.
    assert [least, reach, delta] == pytest.approx(
        [1 / (27 * np.pi**2), 1 / (864 * np.log(1.25e8)), 1e-8], rel=1e-15
    )


def test_deciding_loads_no_sympy():
    code = (
        "import sys; from oubli.theory.regimes import classify;"
        "from oubli.theory.regimes.enclosed import decide;"
        "decide(classify(rf=0.01, eps=1.0, delta=1e-5, dim=10, target=[0.3, 0.001]));"
        "print(sorted({'sympy', 'pytest', 'hypothesis', 'pandas'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def moved(found, low, high):
    def both(pair):
        return tuple(
            dataclasses.replace(b, steps=by(b.steps)) for b, by in zip(pair, (low, high), strict=True)
        )

    return dataclasses.replace(found, scratch=both(found.scratch), unlearn=both(found.unlearn))


@pytest.mark.parametrize("constants", ["sharp", "printed-repaired"])
def test_ends_that_are_too_good_are_refused(constants):
    rng = np.random.default_rng(8)
    table = {
        "rf": 10 ** rng.uniform(-4, -0.3, 300),
        "eps": 10 ** rng.uniform(-2, 1.5, 300),
        "delta": 10 ** rng.uniform(-9, -2, 300),
        "dim": rng.integers(1, 60, 300),
        "target": 10 ** rng.uniform(-4, -0.1, 300),
    }
    found = classify(**table, constants=constants)
    wrong = moved(found, lambda s: np.ceil(1.1 * s) + 2, lambda s: np.floor(0.9 * s) - (s < 10))
    seen = {found.unlearn[end].how(row) for row in range(300) for end in (0, 1)}
    assert len(seen) >= 5
    for row in range(300):
        refused = unconfirmed(wrong, row)
        assert {"T_scratch lower", "T_unlearn lower"} <= set(refused)
        assert ("T_unlearn upper" in refused) == (found.unlearn[1].steps[row] > 0)


def test_a_record_is_silent_outside_its_hypotheses():
    """sharp.scratch.lower speaks of T >= 1 only: it does not force the first gradient."""
    row = question(classify(**POINT).query, 0)
    assert registry.COIN_FLIPS.uses[0].key == "sharp.scratch.lower"
    assert not registry.COIN_FLIPS.forces(At(row, 0))
    assert registry.POSITIVE.forces(At(row, 0))
    assert not registry.POSITIVE.forces(At(row, 1))


ROOM = {
    "quantities": {
        "x": [0, True, None, False, False, False],
        "y": [0, False, None, False, False, True],
        "n": [1, False, None, False, True, False],
    },
    "given": [
        [">=", ["+", "n", ["*", -1, "x"]], "given"],
        ["=", ["+", ["^", "y", 2], ["*", -1, "x"]], "definition"],
    ],
    "says": [">=", ["+", 3, ["*", -1, "y"]]],
}


def test_letters_are_worked_out_from_the_record():
    known = settle(record(ROOM), {"x": Fraction(5, 2)})
    assert known.box["n"] == (3, 3)
    assert float(known.box["y"][0]) ** 2 == pytest.approx(2.5)
    assert not fails(known, known.record.says)
    assert fails(settle(record(ROOM), {"x": 10}), known.record.says)
    assert float(at_most(known, "y")) == 3


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "n is open|x is open"),
        ({"x": 0}, "outside its domain"),
        ({"x": Fraction(5, 2), "n": 2}, "is not certain"),
        ({"x": Fraction(5, 2), "n": Fraction(7, 2)}, "n is open or outside"),
    ],
)
def test_what_a_record_does_not_say_is_undecided(values, why):
    with pytest.raises(UndecidedError, match=why):
        settle(record(ROOM), values)


def test_a_bounded_letter_decides_only_in_its_own_direction():
    """y <= 1 shows y <= 3, and refutes neither y <= 3 nor y >= 1."""
    outline_ = {**ROOM, "given": []}
    low = settle(record({**outline_, "says": [">=", ["+", "y", -2]]}), {"x": 1, "n": 1, "y": 1})
    assert fails(low, low.record.says)
    high = settle(record(outline_), {"x": 1, "n": 1, "y": 4})
    with pytest.raises(UndecidedError, match="y is only bounded from above"):
        fails(high, high.record.says)
