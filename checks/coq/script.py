"""Proof scripts: the sentences that show a combination, one assertion after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oubli.checks.coq.atoms import Atoms
from oubli.checks.coq.terms import conditioned, related, text

SECONDS = 20

# How an equation between two forms of a function is shown.
EQUATIONS = {
    "same": "f_equal; {field}",
    "number": "apply root_of; lra",
    "split": "rewrite <- sqrt_mult; [f_equal; {field} | lra | lra]",
    "exp": "rewrite ?exp_times, <- ?exp_Ropp, <- ?exp_plus; simpl Z.of_nat; f_equal; {field}",
    "exp0": "match goal with |- exp ?a = 1 => replace a with 0; [apply exp_0 | {field}] end",
    "log0": "match goal with |- ln ?a = 0 => replace a with 1; [apply ln_1 | {field}] end",
    "atan0": "match goal with |- atan ?a = 0 => replace a with 0; [apply atan_0 | {field}] end",
    "asin0": "match goal with |- asin ?a = 0 => replace a with 0; [apply asin_0 | {field}] end",
    "asin1": "match goal with |- asin ?a = _ => replace a with 1; [rewrite asin_1; lra | {field}] end",
}


@dataclass
class Script:
    """A proof under construction: sentences, and the names of what they have shown."""

    called: Mapping[str, str]
    atoms: Atoms
    lines: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    squares: list[str] = field(default_factory=list)
    scaled: list[str] = field(default_factory=list)
    count: int = 0

    def say(self, sentence: str) -> None:
        """One more sentence, with a limit to its time."""
        self.lines.append(f"  Timeout {SECONDS} {sentence}.")

    def show(self, proposition: str, tactic: str) -> str:
        """Assert a proposition; the name it got."""
        self.count += 1
        name = f"F{self.count}"
        self.say(f"assert ({name} : {proposition}) by ({tactic})")
        return name

    def may_show(self, proposition: str, tactic: str) -> None:
        """Assert a proposition if the tactic shows it: a help to later signs, not a part of the proof."""
        self.say(f"try (assert ({proposition}) by ({tactic}))")

    def form(self, node: Any) -> str:
        """The text of an expression in the forms of the atoms."""
        return text(self.atoms.form(node), self.called)

    def fielded(self) -> str:
        """The tactic for an identity of quotients, roots squared being their radicands."""
        using = f" [{' '.join(self.squares)}]" if self.squares else ""
        scaled = f"rewrite {', '.join('?' + e for e in self.scaled)}; " if self.scaled else ""
        return f"{scaled}first [ring{using} | field{using}; nonzeros]"

    def recast(self, where: str) -> str:
        """The rewriting of a hypothesis, or of the goal, to the forms of the atoms."""
        return f"rewrite {', '.join('?' + r for r in self.rules)}{where}" if self.rules else "idtac"

    def prepare(self) -> None:
        """Show every fact about the atoms."""
        for kind, left, right in self.atoms.facts:
            if kind in EQUATIONS:
                equation = f"{text(left, self.called)} = {text(right, self.called)}"
                self.rules.append(self.show(equation, EQUATIONS[kind].format(field=self.fielded())))
            else:
                getattr(self, f"_{kind}")(left, right)

    def _divisor(self, node: Any, _: Any) -> None:
        self.show(conditioned("divisor", node, self.called), "nonzero")
        self.may_show(f"0 < / {text(node, self.called)}", "apply Rinv_0_lt_compat; sign")

    def _root(self, node: Any, _: Any) -> None:
        self.show(conditioned("root", node, self.called), "sign")

    def _square(self, node: Any, whole: Any) -> None:
        root = f"sqrt {text(node, self.called)}"
        square = self.show(f"{root} * {root} = {text(node, self.called)}", "apply sqrt_sqrt; sign")
        self.show(f"0 <= {root}", "apply sqrt_pos")
        self.may_show(f"0 < {root}", "apply sqrt_lt_R0; sign")
        if whole is None:
            self.squares.append(square)
        else:
            self._scale(root, square, *whole)

    def _scale(self, root: str, square: str, d: int, whole: Any) -> None:
        """Name d times a root: its square has whole coefficients, as `ring` wants them."""
        self.count += 1
        v, n = f"V{self.count}", self.count
        self.say(f"remember ({d} * {root}) as {v} eqn:E{n}")
        self.scaled.append(self.show(f"{root} = {v} / {d}", f"rewrite E{n}; field"))
        known = f"rewrite E{n}; transitivity ({d * d} * ({root} * {root})); [ring | rewrite {square}; field]"
        self.squares.append(self.show(f"{v} * {v} = {text(whole, self.called)}", known))
        self.show(f"0 <= {v}", f"rewrite E{n}; lra")
        self.may_show(f"0 < {v}", f"rewrite E{n}; lra")

    def _positive(self, node: Any, _: Any) -> None:
        self.show(f"0 < {text(node, self.called)}", "apply exp_pos")

    def _log(self, node: Any, _: Any) -> None:
        self.show(conditioned("log", node, self.called), "sign")

    def _asin(self, node: Any, _: Any) -> None:
        self.show(f"-1 <= {text(node, self.called)}", "apply Rminus_le; apply Ropp_le_cancel; lra")
        self.show(f"{text(node, self.called)} <= 1", "lra")

    def equal(self, goal: Any, terms: list[str]) -> str:
        """Show that an expression is a sum of terms; the name of the equation."""
        total = " + ".join(terms) if terms else "0"
        equation = f"{self.form(goal)} = {total}"
        return self.show(equation, self.fielded())

    def related(self, sign: str, node: Any) -> str:
        """A relation against 0, in the forms of the atoms."""
        return related(sign, self.atoms.form(node), self.called)
