"""The elaborator: spells out the engines' candidates in lines that the checker reads. Untrusted.

An engine brings an outline: steps, multipliers, trees, instances. The checker searches for nothing: every
sign, every divisor that is not 0, every hypothesis of a lemma has to be shown by a line. Finding these lines
is done here; what is wrong here makes the checker reject, never accept.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from typing import Any

from oubli.theory.kernel.encoding import sealed
from oubli.theory.kernel.poly import RejectedError
from oubli.theory.kernel.terms import names
from oubli.theory.search.elaborate.context import Context
from oubli.theory.search.elaborate.joins import RULES
from oubli.theory.search.elaborate.least import least
from oubli.theory.search.elaborate.lines import ACCIDENTS, Lines, UnshownError
from oubli.theory.search.elaborate.nodes import Ast, parts, readings
from oubli.theory.search.elaborate.steps import Steps

ATTEMPTS = 8
Record = Mapping[str, Any]


def proof_lines(steps: list[Any], sources: Record, assumed: Record, domains: Record) -> dict[str, Any]:
    """What a proof assumes and its lines; UnshownError if some step is not followed.

    `sources` are the lemmas' outlines, `assumed` what they assume, `domains` where letters range.
    """
    constant: list[list[str]] = []
    if not steps:
        raise UnshownError("a proof without steps")
    for _ in range(ATTEMPTS):
        lines = Lines(constant)
        lines.take_in(sources, assumed, domains)
        reached = attempt(Steps(lines, steps, sources))
        if not lines.wanted:
            return least(*finished(reached), sealed(steps[-1]["statement"])["letters"], sources, assumed)
        # A letter held constant changes how earlier lines read: all is written anew.
        constant += lines.wanted
    raise UnshownError("the letters that stay constant do not settle")


def attempt(found: Steps) -> Steps:
    """One pass over the steps."""
    for step in found.steps:
        try:
            if step["by"]["rule"] not in RULES or step["name"] in {*found.reached, *found.sources}:
                raise UnshownError("an unknown rule, or a name used twice")
            found.reached[step["name"]] = RULES[step["by"]["rule"]](found, step)
        except (UnshownError, *ACCIDENTS, AttributeError) as why:
            said = why if isinstance(why, UnshownError | RejectedError) else repr(why)
            raise UnshownError(f"{step['name']}: {said}") from None
    return found


def finished(found: Steps) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The last step as the claim: parameters left over are set, where letters are taken is disclosed."""
    lines, last = found.lines, found.steps[-1]
    line, env, statement = found.reached[last["name"]], found.envs[last["name"]], last["statement"]
    left = {n for _, e in lines[line].hyps for n in names(e)} - set(statement["quantities"])
    loose = [n for n in sorted(left) if n in lines.domains and not lines.measured(n)]
    values = {n: inside(lines.domains[n]) for n in loose}
    if values:
        line = lines.add("instance", of=line, **{"with": values})
        env = readings(parts(lines[line]), statement["quantities"])
    lines.takes["at"] = {a: node[2] for a, node in env.items()}
    claim, ctx = lines.proof.claim(sealed(statement), lines.takes), Context(lines, statement, env)
    line = ctx.restated(ctx.meet(line), claim.rel, claim.expr)
    return lines.takes, lines.resting([line])[0]


def inside(domain: Any) -> Ast:
    """A number of a domain."""
    lower, lower_open, upper, upper_open, _, _ = domain
    if lower is None or upper is None:
        return 0 if lower is upper else str(Q(lower) + 1 if upper is None else Q(upper) - 1)
    return lower if not lower_open else upper if not upper_open else str((Q(lower) + Q(upper)) / 2)


__all__ = ["UnshownError", "proof_lines", "sealed"]
