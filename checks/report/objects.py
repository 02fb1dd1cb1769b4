"""Objects, terms and schemas in the notation of the paper: what `oubli show` and the report's pages print.

>>> star = ["opt", ["mix", "r", ["forget", "data"], ["retain", "data"]]]
>>> spelled(["^", ["in", ["v+", star, ["v*", -1, ["zero"]]], ["v+", star, ["v*", -1, ["zero"]]]], "1/2"])
'|θ*|'
>>> spelled(["tv", ["out", "A_any", ["signs", "m_1", 0], "T"], ["coins", 2, "u"]])
'TV(A_any(T; g = m_1 | 0), Bin(2, (1 + u)/2))'
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from oubli.checks.report.prose import letters
from oubli.theory.kernel.expressions import UnsupportedError, expression
from oubli.theory.kernel.objects import BINDERS, CLOCK, DATA, INDEX
from oubli.theory.kernel.schemas import SCHEMAS
from oubli.theory.kernel.statement import Statement
from oubli.theory.kernel.symbols import Quantity
from oubli.theory.kernel.terms import number

GIVEN_PROBLEMS = ("data", DATA)  # of these θ*, ℒ_r and ℒ_f are written without the problem
BARE = {INDEX: "k", CLOCK: "T"}  # what sums and rules bind, as it is written
SUM, PRODUCT, ATOM = range(3)
SORTS = {
    "point": "any point",
    "random": "any random vector",
    "loss": "any loss of the class",
    "problem": "any problem: a retain and a forget distribution of losses of the class",
    "event": "any set of outcomes",
    "algorithm": "any algorithm that starts at θ*",
    "unlearner": "any (ε, δ)-unlearning algorithm at forget fraction r",
    "learner": "any learning algorithm: it does not look at θ*",
    "direction": "any direction",
    "cube": "any point of the cube [0, 1]^d",
    "ball": "any vector",
}
SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "<": "<", ">": ">"}
CAPS = ("1", "cos ω", "sin ω")
FUNCTIONS = {"log": "ln", "atan": "arctan", "asin": "arcsin", "Phi": "Φ", "phi1": "φ1", "phi2": "φ2"}


def spelled(node: Any) -> str:
    """An expression over objects as text.

    Args:
        node: Nested lists, as the kernel reads them.

    Returns:
        One line in the letters of the paper.

    >>> spelled(["*", "1/2", ["^", "mu", -1], ["+", "L", ["*", -1, ["exp", "x"]]]])
    '(L − e^x)/(2 μ)'
    """
    return _spelled(node)[0]


def _spelled(node: Any) -> tuple[str, int]:
    """The text, and what it is: a sum, a product, or neither."""
    if not isinstance(node, list):
        text = _rational(str(node)) if number(node) is not None else letters(BARE.get(node, str(node)))
        return text, SUM if text[0] == "−" else PRODUCT if "/" in text else ATOM
    head, *args = node
    if not isinstance(head, str) or number(head) is not None:  # a list of numbers
        return f"({', '.join(map(spelled, node))})", ATOM
    if head in ("+", "v+", "l+"):
        return _sum(args), SUM
    if head in ("*", "v*", "l*"):
        return _product(args, head != "*")
    if head == "^":
        return _power(*args)
    if head == "grad":
        return f"∇{_inner(args[0], ATOM)}({spelled(args[1])})", ATOM
    if head == "in":
        u, v = map(spelled, args)
        return (f"|{u}|²" if args[0] == args[1] else f"⟨{u}, {v}⟩"), ATOM
    if head == "val":
        return f"{_inner(args[0], ATOM)}({spelled(args[1])})", ATOM
    if head in ("mix", "response", "box"):
        return WORDS[head](*args), SUM
    if head in WORDS:
        return WORDS[head](*args), ATOM
    return f"{FUNCTIONS.get(head, head)}({', '.join(map(spelled, args))})", ATOM


def _inner(node: Any, least: int) -> str:
    """The text of a part, in brackets where it would be read otherwise."""
    text, level = _spelled(node)
    return text if level >= least else f"({text})"


def _rational(text: str) -> str:
    return text.replace("-", "−")


def _sum(parts: Iterable[Any]) -> str:
    texts = [text for text in (_spelled(part)[0] for part in parts) if text != "0"]
    out = " + ".join(sorted(texts, key=lambda text: text[0] == "−")) or "0"
    return out.replace("+ −", "− ")


def _product(parts: list[Any], vector: bool = False) -> tuple[str, int]:
    """Factors side by side, those with a negative power below a bar; a fraction before its vector."""
    above, below, sign = list[str](), list[str](), ""
    flat = [x for part in parts for x in (part[1:] if isinstance(part, list) and part[0] == "*" else [part])]
    for part in flat:
        value = number(part)
        if value is not None:
            sign = "−" if (value < 0) != (sign == "−") else ""
            above += [str(abs(value.numerator))] if abs(value.numerator) != 1 else []
            below += [str(value.denominator)] if value.denominator != 1 else []
        elif isinstance(part, list) and part[0] == "^" and _negative(part[2]):
            below.append(_inner(["^", part[1], str(-number(part[2]))], PRODUCT))  # type: ignore[operator]
        else:
            above.append(_inner(part, PRODUCT))
    if "0" in above:
        return "0", ATOM
    last = above.pop() if vector and above and below else ""
    top, bottom = " ".join(above) or ("1" if below else last or "1"), " ".join(below)
    text = f"{top}/({bottom})" if len(below) > 1 else f"{top}/{bottom}" if below else top
    text = f"{text} {last}" if last and below else text
    level = SUM if sign else ATOM if not below and len(above) == 1 else PRODUCT
    return sign + text, level


def _negative(k: Any) -> bool:
    value = number(k)
    return value is not None and value < 0


def _power(base: Any, k: Any) -> tuple[str, int]:
    if isinstance(base, list) and base[0] == "in" and base[1] == base[2] and str(k) == "1/2":
        return f"|{spelled(base[1])}|", ATOM
    if _negative(k):
        return _product([["^", base, k]])
    text, level = _spelled(base)
    if str(k) == "1":
        return text, level
    held = text if level == ATOM and not set(text) & set("^²³√ ") else f"({text})"
    if str(k) in ("1/2", "2", "3"):
        return (f"√{held}" if str(k) == "1/2" else held + {"2": "²", "3": "³"}[str(k)]), ATOM
    return f"{held}^{k}" if "/" not in str(k) else f"{held}^({k})", ATOM


def _exponential(x: Any) -> str:
    text, level = _spelled(x)
    return f"e^{text}" if level == ATOM else f"e^({text})"


def _of(name: str, D: Any) -> str:
    return name if D in GIVEN_PROBLEMS else f"{name}[{_problem(D)}]"


def _problem(D: Any) -> str:
    """A problem: its name, its two losses, the means of the signs on retain and forget data, …"""
    if isinstance(D, str):
        return letters(D)
    head, *args = D
    if head in ("signs", "tosses"):
        return f"{'g' if head == 'signs' else 'coins'} = {spelled(args[0])} | {spelled(args[1])}"
    if head == "turns":
        m, n, place, f = map(spelled, args)
        return f"g = {m} where x_1 ≤ R {place}, {n} beyond | {f}"
    if head == "rarely":
        share, f, before, forgotten = args
        return f"{_problem(before)}, {spelled(f)} on a share {spelled(share)}, forget {spelled(forgotten)}"
    return f"ℒ_r = {spelled(args[0])}, ℒ_f = {spelled(args[1])}"


def _mix(r: Any, f: Any, g: Any) -> str:
    match f, g:
        case (["forget", D], ["retain", E]) if D == E and r == "r":
            return _of("ℒ", D)
    rest = ["+", 1, ["*", -1, r]]
    return f"{_inner(r, PRODUCT)} {_inner(f, PRODUCT)} + ({spelled(rest)}) {_inner(g, PRODUCT)}"


def _optimum(f: Any) -> str:
    match f:
        case ["mix", "r", ["forget", D], ["retain", E]] if D == E:
            return _of("θ*", D)
        case ["retain", D]:
            return _of("θ_r*", D)
    return f"argmin({spelled(f)})"


def _noise(law: str, scale: Any, _label: int) -> str:
    return f"N(0, {_inner(scale, ATOM)}² I)" if law == "gauss" else f"noise ∝ e^(−{_inner(scale, ATOM)} |z|)"


def _response(p: Any, w: Any, u: Any, v: Any) -> str:
    """A lottery, or a randomised response."""
    other = ["+", 1, ["*", -1, p]] if number(p) is None else str(1 - number(p))  # type: ignore[operator]
    if w == 1:
        return f"{spelled(u)} with probability {spelled(p)}, else {spelled(v)}"
    likely = f"with probability {spelled(p)} if {spelled(w)} > 0 and {spelled(other)} if not"
    return f"{spelled(u)} {likely}, else {spelled(v)}"


def _release(A: Any, D: Any, T: Any) -> str:
    where = "" if D in GIVEN_PROBLEMS else f"; {_problem(D)}"
    return f"{spelled(A)}({spelled(T)}{where})"


def _event(law: Any, S: Any) -> str:
    name = spelled(law)
    match S:
        case ["beyond", h, c]:
            return f"⟨{name}, {spelled(h)}⟩ > {spelled(c)}"
        case ["not", other]:
            return f"not {_event(law, other)}"
    return f"{name} ∈ {spelled(S)}"


def _who(sort: str, epsilon: Any, delta: Any) -> str:
    """The algorithms of a sort."""
    named = {"algorithm": "algorithms", "learner": "learning algorithms"}
    return named.get(sort, f"({spelled(epsilon)}, {spelled(delta)})-unlearning algorithms")


def _least(sort: str, _r: Any, epsilon: Any, delta: Any, T: Any) -> str:
    return f"inf over {_who(sort, epsilon, delta)} A of {_risk('A', T)}"


def _time(sort: str, _r: Any, epsilon: Any, delta: Any, e: Any) -> str:
    return f"least T with {_risk('A', 'T')} ≤ {spelled(e)} for one of the {_who(sort, epsilon, delta)} A"


def _risk(A: Any, T: Any) -> str:
    """The worst risk of an algorithm."""
    where = f" for A: {spelled(A)}" if isinstance(A, list) else ""
    name = "A" if isinstance(A, list) else letters(A)
    return f"sup E[ℒ_r({name}({spelled(T)})) − ℒ_r(θ_r*)]{where}"


WORDS: Mapping[str, Callable[..., str]] = {
    "exp": _exponential,
    "pi": lambda: "π",
    "ceil": lambda x: f"⌈{spelled(x)}⌉",
    "@": lambda x, at: f"{spelled(x)}[{', '.join(f'{letters(k)} = {spelled(v)}' for k, v in at.items())}]",
    "zero": lambda: "0",
    "e": lambda i: f"e_{i}",
    "opt": _optimum,
    "proj": lambda u: f"P({spelled(u)})",
    "cut": lambda c, u: f"P_{_inner(c, ATOM)}({spelled(u)})",
    "iter": lambda run, t: f"θ_{_inner(t, ATOM)}{_start(run)}",
    "average": lambda run, w, T: _average(run, w, T),
    "draw": lambda run, t: f"ℓ(ξ_{_inner(t, ATOM)})",
    "noise": _noise,
    "stair": lambda eps, s, q, _: f"staircase noise({spelled(eps)}, {spelled(s)}, {spelled(q)})",
    "common": lambda u, v: f"common({spelled(u)}, {spelled(v)})",
    "response": _response,
    "out": _release,
    "axis": lambda t: f"axis_{_inner(t, ATOM)}",
    "retain": lambda D: _of("ℒ_r", D),
    "forget": lambda D: _of("ℒ_f", D),
    "mix": _mix,
    "quad": lambda: "μ/2 |x|²",
    "lin": lambda v: f"⟨{spelled(v)}, x⟩",
    "cone": lambda y: f"|x − {_inner(y, PRODUCT)}|",
    "max": lambda *p: f"max({', '.join(_affine(*q) for q in zip(*[iter(p)] * 3, strict=True))})",
    "problem": lambda f, h: _problem(["problem", f, h]),
    "signs": lambda m, f: _problem(["signs", m, f]),
    "tosses": lambda u, f: _problem(["tosses", u, f]),
    "rarely": lambda *args: _problem(["rarely", *args]),
    "rule": lambda u: f"release {spelled(u)}",
    "sgd": lambda D, start, eta: f"SGD from {spelled(start)} with steps {spelled(eta)}",
    "E": lambda x: f"E[{spelled(x)}]",
    "dE": lambda x, t=None: f"d/dm{'' if t is None else f'_{_inner(t, ATOM)}'} E[{spelled(x)}]",
    "ones": lambda: "(1, …, 1)",
    "box": lambda a, b, w: f"{_inner(a, PRODUCT)} + ({spelled(b)} − {_inner(a, PRODUCT)}) {_inner(w, ATOM)}",
    "set": lambda w, t, c: f"{_inner(w, ATOM)}[{spelled(t)} ↦ {spelled(c)}]",
    "cubed": lambda x: f"mean over the cube of {_inner(x, PRODUCT)}",
    "inside": lambda A, x: f"mean over the ball of radius {spelled(A)} of {_inner(x, PRODUCT)}",
    "count": lambda k: f"{{{spelled(k)}}}",
    "info": lambda a, b, w, t: f"1/(1 − d u_{_inner(t, ATOM)}²) at u = {spelled(['box', a, b, w])}",
    "turns": lambda *args: _problem(["turns", *args]),
    "sum": lambda x, T: f"Σ_{{k ≤ {spelled(T)}}} {_inner(x, PRODUCT)}",
    "spun": lambda x: f"mean over directions of {_inner(x, PRODUCT)}",
    "cap": lambda n, k, i: f"E[{CAPS[i]}; cos ω ≥ {_inner(k, ATOM)} sin ω] in R^{_inner(n, ATOM)}",
    "shells": lambda a, q, n: f"Σ_k e^(−k {_inner(a, ATOM)}) ({spelled(q)} + k)^{_inner(n, ATOM)}",
    "worst": _risk,
    "least": _least,
    "time": _time,
    "spread": lambda r: f"sup |θ*(D_f) − θ*(D_f')| at forget fraction {spelled(r)}",
    "coins": lambda T, u: f"Bin({spelled(T)}, (1 + {_inner(u, PRODUCT)})/2)",
    "P": lambda law, S: f"P[{_event(law, S)}]",
    "dP": lambda law, S: f"d/du P[{_event(law, S)}]",
    "tv": lambda one, other: f"TV({spelled(one)}, {spelled(other)})",
    "beyond": lambda h, c: f"{{x: ⟨x, {spelled(h)}⟩ > {spelled(c)}}}",
    "not": lambda S: f"not {spelled(S)}",
}  # fmt: skip


def _start(run: Any) -> str:
    return f" of {spelled(run)}" if isinstance(run, list) else f" of {letters(run)}"


def _average(run: Any, w: Any, T: Any) -> str:
    return f"mean of θ_0, …, θ_{_inner(T, ATOM)} with weights {spelled(w)}{_start(run)}"


def _affine(v: Any, a: Any, _c: Any) -> str:
    return _sum([["lin", v], a])


def relation(found: Any) -> str:
    """A relation of a record as text; as sympy writes it where it is outside the grammar of certificates.

    >>> import sympy as sp
    >>> x, mu = sp.symbols("x mu", positive=True)
    >>> relation(sp.Le(x * sp.sqrt(mu) / 2, sp.pi + 1, evaluate=False))
    'x √μ/2 ≤ 1 + π'
    """
    try:
        left, right = (spelled(expression(side)) for side in (found.lhs, found.rhs))
    except UnsupportedError:
        left, right = (letters(str(side).replace("**", "^")) for side in (found.lhs, found.rhs))
    return f"{left} {SIGNS[found.rel_op]} {right}"


def ranges(q: Quantity) -> str:
    """Where a letter of a statement ranges, of which sort an object is, or how a term is built."""
    if q.kind is None:
        return str(q.domain).replace("oo", "∞")
    if q.kind[0] == "class":
        return f"the class {q.kind[1]}, file {q.kind[2][:16]}"
    return SORTS.get(q.kind[0], f"any {q.kind[0]}") if len(q.kind) == 1 else spelled(q.kind[1])


def quantity(q: Quantity) -> str:
    """What a letter of a statement is, in one line."""
    name, where, meaning = letters(q.symbol.name), ranges(q), letters(q.meaning)
    if q.kind is not None and len(q.kind) == 1:
        return f"{name}: {where}"
    says = f": {meaning}" if meaning and meaning.replace("-", "−") != where else ""
    return f"{name} {'in' if q.kind is None else '='} {where}{says}"


def free(statement: Statement) -> list[Quantity]:
    """The letters of a statement, without those that a rule or a sum binds."""
    own = {name for _, names in BINDERS.values() for name in names}
    return [q for q in statement.quantities if q.symbol.name not in own]


def statement_text(statement: Statement) -> dict[str, Any]:
    """A statement in the notation of the paper: what is given, what it says, and what its letters are."""
    return {
        "given": [f"{relation(item.relation)}  [given]" for item in statement.given],
        "says": ("for some values " if statement.exists else "") + relation(statement.says),
        "where": [quantity(q) for q in free(statement)],
    }


def explicit(objects: Mapping[str, Any]) -> list[str]:
    """The explicit objects of a witness, each spelled out.

    >>> explicit({"data": ["problem", ["quad"], ["l+", ["quad"], ["cone", ["e", 1]]]]})
    ['data: ℒ_r = μ/2 |x|², ℒ_f = μ/2 |x|² + |x − e_1|']
    """
    return [f"{letters(name)}: {spelled(node)}" for name, node in objects.items()]


def used(certificate: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each schema that a certificate uses, what it says, and the objects at which it is used.

    >>> used({"lines": [{"schema": ["Mills", "x"]}]})[0]["at"]
    ['x = x']
    """
    found: dict[str, list[str]] = {}
    for name, *args in (line["schema"] for line in certificate.get("lines", []) if "schema" in line):
        at = "; ".join(_arguments(name, args))
        places = found.setdefault(name, [])
        places += [at] if at not in places else []
    return [{"name": name, "says": _says(name), "at": places} for name, places in sorted(found.items())]


def _arguments(name: str, args: list[Any]) -> list[str]:
    """The objects of a schema by the names that its statement gives them."""
    asked = list(inspect.signature(SCHEMAS[name]).parameters)[1:] if name in SCHEMAS else []
    asked += [asked[-1]] * (len(args) - len(asked)) if asked else [""] * len(args)
    texts = (spelled(arg) if isinstance(arg, list) else letters(str(arg)) for arg in args)
    return [f"{letters(a)} = {text}" if a else text for a, text in zip(asked, texts, strict=False)]


def _says(name: str) -> str:
    """What a schema says: the first line of its statement in the kernel."""
    if name not in SCHEMAS:
        return "a schema of this paper's own class"
    first = " ".join((SCHEMAS[name].__doc__ or "").split("\n\n")[0].split())
    angled = re.sub(r"<([^<>=]+, [^<>=]+)>", r"⟨\1⟩", re.sub(r"\bgrad ", "∇", first))
    return letters(angled).rstrip(".")
