"""Polynomials of the checker written as expressions, and divisions that find multipliers of equations."""

from __future__ import annotations

from fractions import Fraction as Q
from functools import cache
from typing import Any

from oubli.theory.kernel.objects import HIDDEN, NUMBERS
from oubli.theory.kernel.poly import EMPTY, Exact, Mono, Poly

Ast = Any
Gen = Any
FREE = {mark: name for name, mark in HIDDEN.items()}


@cache
def place(part: Any) -> str:
    """A fixed order of generators and monomials: sets have one that changes from run to run."""
    if isinstance(part, frozenset):
        return f"{{{', '.join(sorted(map(place, part)))}}}"
    if isinstance(part, tuple):
        return f"({', '.join(map(place, part))})"
    return repr(Q(part)) if isinstance(part, int) else repr(part)


def rational(value: Exact) -> int | str:
    """An exact number: an integer, or "p/q"."""
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def spell(p: Poly) -> Ast:
    """A polynomial as an expression."""
    terms = [_term(mono, p[mono]) for mono in sorted(p, key=place)]
    return 0 if not terms else terms[0] if len(terms) == 1 else ["+", *terms]


def _term(mono: Mono, c: Exact) -> Ast:
    factors = [spell_power(gen, k) for gen, k in sorted(mono, key=place)]
    if c != 1 or not factors:
        factors = [rational(c), *factors]
    return factors[0] if len(factors) == 1 else ["*", *factors]


def spell_power(gen: Gen, k: Exact) -> Ast:
    """A generator to a power."""
    if gen[0] == "exp":
        return ["exp", spell(Poly({gen[1]: k}))]
    return spell_gen(gen) if k == 1 else ["^", spell_gen(gen), rational(k)]


def spell_gen(gen: Gen) -> Ast:
    """A generator."""
    if gen[0] == "pi":
        return ["pi"]
    if gen[0] == "in":
        a, b = sorted((spell_atom(atom) for atom in gen[1]), key=repr) * (2 // len(gen[1]))
        return ["in", a, b]
    if gen[0] == "val":
        return ["val", spell_atom(gen[1]), spell_vector(gen[2])]
    if gen[0] in ("E", "dE"):
        return [gen[0], spell(Poly({gen[1]: Q(1)})), *map(figure, gen[2:])]
    if gen[0] == "sum":
        return ["sum", figure(gen[1]), figure(gen[2])]
    if gen[0] in ("spun", "cubed"):
        return [gen[0], figure(freed(gen[1]))]
    if gen[0] == "info":
        return ["info", figure(gen[1]), figure(gen[2]), spell_vector(gen[3]), figure(gen[4])]
    if gen[0] == "inside":
        return ["inside", figure(gen[1]), figure(freed(gen[2]))]
    if gen[0] == "cap":
        return ["cap", figure(gen[1]), figure(gen[2]), gen[3]]
    if gen[0] == "shells":
        return ["shells", *map(figure, gen[1:])]
    if gen[0] == "worst":
        return ["worst", spell_algorithm(gen[1]), figure(gen[2])]
    if gen[0] in ("least", "time"):
        return [gen[0], gen[1], *map(figure, gen[2:])]
    if gen[0] == "spread":
        return ["spread", figure(gen[1])]
    if gen[0] == "measure":
        return spell_built(*gen)
    if gen[0] in ("P", "dP"):
        return [gen[0], spell_law(gen[1]), spell_event(gen[2])]
    if gen[0] == "tv":
        return ["tv", *sorted(map(spell_law, gen[1]), key=repr)]
    if gen[0] == "name":
        at = {x: spell(Poly(dict(v))) for x, v in sorted(gen[2], key=place)}
        return ["@", gen[1], at] if at else gen[1]
    u = spell(argument(gen))
    return ["^", u, -1 if gen[0] == "inv" else "1/2"] if gen[0] in ("inv", "sqrt") else [gen[0], u]


def spell_vector(parts: Any) -> Ast:
    """A vector, as a combination of its atoms."""
    terms = [["v*", spell(Poly(dict(c))), spell_atom(atom)] for atom, c in sorted(parts, key=place)]
    plain = [term[2] if term[1] == 1 else term for term in terms]
    return plain[0] if len(plain) == 1 else ["v+", *plain] if plain else ["zero"]


def spell_loss(parts: Any) -> Ast:
    """A loss, as a combination of basic losses."""
    terms = [["l*", spell(Poly(dict(c))), spell_atom(atom)] for atom, c in sorted(parts, key=place)]
    plain = [term[2] if term[1] == 1 else term for term in terms]
    return plain[0] if len(plain) == 1 else ["l+", *plain]


def spell_atom(atom: Any) -> Ast:
    """A basic vector or a basic loss."""
    head, *rest = atom
    if head in ("point", "random", "loss", "direction", "cube"):
        return rest[0]
    if head in ("made", "drawn"):
        return spell_built(*atom)
    if head in ("iter", "draw"):
        return [head, spell_run(rest[0]), figure(rest[1])]
    if head == "average":
        return [head, spell_run(rest[0]), figure(freed(rest[1])), figure(rest[2])]
    if head == "out":
        return [head, rest[0], spell_problem(rest[1]), figure(rest[2])]
    if head == "noise":
        return [head, rest[0], figure(rest[1]), rest[2]]
    if head == "response":
        return [head, *map(figure, rest[:2]), *map(spell_vector, rest[2:])]
    if head == "stair":
        return [head, *map(figure, rest[:3]), rest[3]]
    if head == "common":
        return [head, *(sorted(map(spell_vector, rest[0]), key=repr) * (2 // len(rest[0])))]
    if head == "opt":
        return ["opt", spell_loss(rest[0])]
    if head in ("proj", "cone"):
        return [head, spell_vector(rest[0])]
    if head == "cut":
        return [head, figure(rest[0]), spell_vector(rest[1])]
    if head == "axis":
        return [head, figure(rest[0])]
    if head == "lin":
        return ["lin", spell_atom(rest[0])]
    if head == "max":
        return ["max", *(x for v, a in sorted(rest[0], key=place) for x in (spell_vector(v), figure(a), 0))]
    if head != "grad":
        return [head, *rest]
    f, x, tag = rest
    return ["grad", spell_atom(f), spell_vector(x), *([] if tag is None else [spell_loss(tag)])]


def spell_built(_kind: str, head: str, *parts: Any) -> Ast:
    """A term of the class by what it is built from."""
    spellers = {"loss": spell_loss, "vector": spell_vector, "number": figure, "time": figure}
    return [head, *(spellers[sort](part) for sort, part in parts)]


def figure(part: Any) -> Ast:
    """A number inside an atom."""
    return spell(Poly(dict(part)))


def freed(part: Any) -> Any:
    """A part with its bound names as letters again."""
    if isinstance(part, (tuple, frozenset)):
        return type(part)(map(freed, part))
    return FREE.get(part, part) if isinstance(part, str) else part


def spell_algorithm(part: Any) -> Ast:
    """An algorithm: a name, or a rule by what it releases."""
    return part if isinstance(part, str) else ["rule", spell_vector(freed(part[1]))]


def spell_problem(parts: Any) -> Ast:
    """A problem by its name, by its two losses, or as one of the hard family."""
    if parts[0] == "problem":
        return parts[1]
    if parts[0] in ("signs", "turns"):
        return [parts[0], *map(figure, parts[1:])]
    if parts[0] == "tosses":
        return ["tosses", *map(spell_vector, parts[1:])]
    if parts[0] == "rarely":
        _, a, f, before, h = parts
        return ["rarely", figure(a), spell_loss(f), spell_problem(before), spell_loss(h)]
    return ["problem", *map(spell_loss, parts)]


def spell_law(part: Any) -> Ast:
    """A law: of coins, or of a vector."""
    return ["coins", *map(figure, part[1:])] if isinstance(part, tuple) else spell_vector(part)


def spell_event(part: Any) -> Ast:
    """An event: a name, so many signs, or a half space."""
    if part[0] == "count":
        return ["count", figure(part[1])]
    return part if isinstance(part, str) else [part[0], spell_vector(part[1]), figure(part[2])]


def spell_run(parts: Any) -> Ast:
    """A run."""
    head, D, start, eta = parts
    return [head, spell_problem(D), spell_vector(start), figure(freed(eta))]


def argument(gen: Gen) -> Poly:
    """What a function is taken of."""
    return Poly({gen[1]: Q(1)}) if gen[0] == "exp" else Poly(sorted(gen[1], key=place))


def generators(p: Poly) -> list[Gen]:
    """The generators of a polynomial, in a fixed order."""
    return sorted({gen for mono in p for gen, _ in mono}, key=place)


def has_letters(p: Poly) -> bool:
    """Whether any letter occurs, inside functions too."""
    letters = ("name", "measure", *NUMBERS)
    return any(gen[0] in letters or (gen[0] != "pi" and has_letters(argument(gen))) for gen in generators(p))


def coefficients(p: Poly, gen: Gen) -> dict[int, Poly]:
    """p as a polynomial in one generator."""
    out: dict[int, Poly] = {}
    for mono, c in p.items():
        j = int(dict(mono).get(gen, Q(0)))
        rest = Poly({frozenset((g, k) for g, k in mono if g != gen): c})
        out[j] = out.get(j, Poly()) + rest
    return out


def divided(p: Poly, gen: Gen, value: Poly) -> tuple[Poly, Poly]:
    """(q, r) with p = q (gen - value) + r, r free of gen."""
    by_power = coefficients(p, gen)
    q, carry = Poly(), Poly()
    for j in range(max(by_power, default=0), 0, -1):
        carry = by_power.get(j, Poly()) + carry * value
        q = q + carry * Poly.of(*gen) ** (j - 1)
    return q, by_power.get(0, Poly()) + carry * value


def divided_power(p: Poly, gen: Gen, k: Exact, value: Poly) -> tuple[Poly, Poly]:
    """(q, r) with p = q (gen^k - value) + r, where r has no gen^k."""
    q = Poly({mono - {(gen, k)}: c for mono, c in p.items() if (gen, k) in mono})
    rest = Poly({mono: c for mono, c in p.items() if (gen, k) not in mono})
    return q, rest + q * value


def cancelled(p: Poly) -> Poly:
    """p with x/x = 1 for every letter x."""
    out = Poly()
    for mono, c in p.items():
        powers = dict(mono)
        for gen in list(powers):
            inverse = ("inv", frozenset(Poly.of(*gen).items()))
            both = min(powers.get(gen, Q(0)), powers.get(inverse, Q(0)))
            if both > 0:
                powers[gen], powers[inverse] = powers[gen] - both, powers[inverse] - both
        out = out + Poly({frozenset((g, k) for g, k in powers.items() if k): c})
    return out


def scale(p: Poly, factor: Exact) -> Poly:
    """A multiple."""
    return p * Poly({EMPTY: factor}) if factor else Poly()


def ratio(p: Poly, q: Poly) -> Q | None:
    """The number f with p = f q, or None."""
    if not p or p.keys() != q.keys():
        return None
    mono = next(iter(q))
    f = Q(p[mono]) / q[mono]
    return f if all(p[m] == f * c for m, c in q.items()) else None
