"""Polynomials of the checker written as expressions, and divisions that find multipliers of equations."""

from __future__ import annotations

from fractions import Fraction as Q
from functools import cache
from typing import Any

from theory.checker import EMPTY, Mono, Poly

Ast = Any
Gen = Any


@cache
def place(part: Any) -> str:
    """A fixed order of generators and monomials: sets have one that changes from run to run."""
    if isinstance(part, frozenset):
        return f"{{{', '.join(sorted(map(place, part)))}}}"
    return f"({', '.join(map(place, part))})" if isinstance(part, tuple) else repr(part)


def rational(value: Q) -> int | str:
    """An exact number: an integer, or "p/q"."""
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def spell(p: Poly) -> Ast:
    """A polynomial as an expression."""
    terms = [_term(mono, p[mono]) for mono in sorted(p, key=place)]
    return 0 if not terms else terms[0] if len(terms) == 1 else ["+", *terms]


def _term(mono: Mono, c: Q) -> Ast:
    factors = [spell_power(gen, k) for gen, k in sorted(mono, key=place)]
    if c != 1 or not factors:
        factors = [rational(c), *factors]
    return factors[0] if len(factors) == 1 else ["*", *factors]


def spell_power(gen: Gen, k: Q) -> Ast:
    """A generator to a power."""
    if gen[0] == "exp":
        return ["exp", spell(Poly({gen[1]: k}))]
    return spell_gen(gen) if k == 1 else ["^", spell_gen(gen), rational(k)]


def spell_gen(gen: Gen) -> Ast:
    """A generator."""
    if gen[0] == "pi":
        return ["pi"]
    if gen[0] == "name":
        at = {x: spell(Poly(dict(v))) for x, v in sorted(gen[2], key=place)}
        return ["@", gen[1], at] if at else gen[1]
    u = spell(argument(gen))
    return ["^", u, -1 if gen[0] == "inv" else "1/2"] if gen[0] in ("inv", "sqrt") else [gen[0], u]


def argument(gen: Gen) -> Poly:
    """What a function is taken of."""
    return Poly({gen[1]: Q(1)}) if gen[0] == "exp" else Poly(sorted(gen[1], key=place))


def generators(p: Poly) -> list[Gen]:
    """The generators of a polynomial, in a fixed order."""
    return sorted({gen for mono in p for gen, _ in mono}, key=place)


def has_letters(p: Poly) -> bool:
    """Whether any letter occurs, inside functions too."""
    return any(gen[0] == "name" or (gen[0] != "pi" and has_letters(argument(gen))) for gen in generators(p))


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


def divided_power(p: Poly, gen: Gen, k: Q, value: Poly) -> tuple[Poly, Poly]:
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


def scale(p: Poly, factor: Q | int) -> Poly:
    """A multiple."""
    return p * Poly({EMPTY: Q(factor)}) if factor else Poly()


def ratio(p: Poly, q: Poly) -> Q | None:
    """The number f with p = f q, or None."""
    if not p or p.keys() != q.keys():
        return None
    mono = next(iter(q))
    f = p[mono] / q[mono]
    return f if all(p[m] == f * c for m, c in q.items()) else None
