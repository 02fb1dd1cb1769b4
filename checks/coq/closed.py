"""Inequalities that are computed: a subdivided box, or the closed relations of a witness, as lemmas."""

from collections.abc import Mapping
from typing import Any

from oubli.checks.coq.terms import conditioned, conditions, domains, letters, related, text
from oubli.theory.kernel.terms import names
from oubli.theory.search.models import settled

Record = Mapping[str, Any]
NEGATED = {">=": "{} < 0", ">": "{} <= 0", "=": "{} <> 0"}


def spelled(node: Any) -> Any:
    """The expression with phi1 and phi2 written out; they are quotients where their argument is not 0.

    >>> spelled(["phi1", "x"])
    ['*', ['+', ['exp', 'x'], -1], ['^', 'x', -1]]
    """
    if not isinstance(node, list):
        return node
    head, args = node[0], [spelled(a) for a in node[1:]]
    if head == "phi1":
        return ["*", ["+", ["exp", args[0]], -1], ["^", args[0], -1]]
    if head == "phi2":
        return ["*", ["+", ["exp", args[0]], -1, ["*", -1, args[0]]], ["^", args[0], -2]]
    return [head, *args]


def box_lemma(name: str, statement: Record, by: Record) -> str:
    """The lemma of a subdivision: Coq bisects the same box anew."""
    called = letters(statement)
    assumed = [*domains(statement), *((rel, expr) for rel, expr, _ in statement["given"])]
    rel, goal = statement["says"][0], spelled(statement["says"][1])
    asked = [conditioned(kind, node, called) for kind, node in conditions([goal])]
    premises = [related(sign, node, called) for sign, node in assumed]
    boxes, bisected = [], []
    for letter, (lower, upper) in by["box"].items():
        x, ends = called[letter], [text(end, called) for end in (lower, upper)]
        boxes.append(f"  assert ({ends[0]} <= {x} <= {ends[1]}) by lra.")
        bisected.append(f"i_bisect {x}")
    options = f"({', '.join([*bisected, f'i_taylor {x}'])}, i_degree 6, i_prec 120, i_depth 40)"
    integrated = "unfold Phi; integral with (i_prec 60, i_fuel 100)"
    splits = "repeat match goal with |- _ /\\ _ => split end"
    return "\n".join([
        f"Lemma {name} : forall {' '.join(called.values())} : R,",
        *(f"  {premise} ->" for premise in premises),
        "  " + " /\\\n  ".join([*asked, related(rel, goal, called)]) + ".",
        "Proof.",
        "  intros.",
        *boxes,
        f"  {splits}; first [interval with {options} | {integrated} | nonzero | sign].",
        "Qed.\n",
    ])  # fmt: skip


def witness_lemma(name: str, statement: Record, witness: Record, holds: bool) -> str:
    """The lemma of a witness: domains and hypotheses hold at its values, and `says` fails (or holds).

    What is said of a letter left open is not part of it.
    """
    values = witness["values"]
    assumed = [*domains(statement), *((rel, expr) for rel, expr, _ in statement["given"])]
    relations = [(rel, settled(expr, witness)) for rel, expr in assumed if names(expr) <= values.keys()]
    rel, goal = statement["says"][0], settled(statement["says"][1], witness)
    concluded = [] if names(goal) else [goal]
    nodes = [*(expr for _, expr in relations), *concluded]
    facts = [conditioned(kind, node, {}) for kind, node in conditions(nodes)]
    facts += [related(sign, expr, {}) for sign, expr in relations]
    facts += [related(rel, node, {}) if holds else NEGATED[rel].format(text(node, {})) for node in concluded]
    goals = " /\\\n  ".join(dict.fromkeys(facts)) or "True"
    return f"Lemma {name} :\n  {goals}.\nProof.\n  decide_closed.\nQed.\n"


def left_open(statement: Record, witness: Record) -> Record | None:
    """What remains of a witness whose conclusion keeps letters open: a statement that a combination shows."""
    failing = settled(statement["says"][1], witness)
    if not names(failing):
        return None
    kept = {name: d for name, d in sorted(statement["quantities"].items()) if name not in witness["values"]}
    return {"quantities": kept, "given": [], "says": [">", ["*", -1, failing]]}
