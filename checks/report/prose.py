"""Plain words of the ledger for a page: escaped, in the paper's letters, with keys as links.

>>> str(Prose(["sgd.rate"])("E gap <= e0 by sgd.rate, eps^2 > theta_r"))
'E gap ≤ e<sub>0</sub> by <a href="#claim-sgd.rate">sgd.rate</a>, ε<sup>2</sup> &gt; θ<sub>r</sub>'
"""

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "eps": "ε",
    "epsilon": "ε",
    "eta": "η",
    "theta": "θ",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "Phi": "Φ",
    "Delta": "Δ",
}
SIGNS = {"&lt;=": "≤", "&gt;=": "≥", " -&gt; ": " → ", "sqrt(": "√(", "...": "…", " - ": " − "}
_LETTER = "|".join(sorted(GREEK, key=len, reverse=True))
_SUBSCRIPT = re.compile(rf"(?<![\w.])({_LETTER}|[A-Za-zα-ωΑ-Ω])_(\{{[^{{}}]*\}}|[A-Za-z0-9]+)(?!\w)")
_GREEK = re.compile(rf"(?<![\w.&])({_LETTER})(?![\w])")
_NAMED = re.compile(rf"(?<![\w.&])({_LETTER})(?![A-Za-z0-9])")  # theta_r is θ_r where nothing is lowered
_POWER = re.compile(r"\^(\([^()]*\)|\{[^{}]*\}|-?\w+)")
_E0 = re.compile(r"(?<![\w.])([eθ])0(?!\w|\.\w)")
_WORD = re.compile(r"(?<![\w.])\w(?:[\w.]*\w)?")
_PART = re.compile(r"\)_\+")
_ROOT = re.compile(r"sqrt\((\w)\)")
_INFINITY = re.compile(r"(?<!\w)oo(?!\w)")


def typeset(text: str) -> str:
    """Escaped text with signs, Greek letters, indices and powers."""
    out = str(escape(text))
    for plain, sign in SIGNS.items():
        out = out.replace(plain, sign)
    out = _E0.sub(r"\1<sub>0</sub>", out)
    out = _SUBSCRIPT.sub(lambda m: f"{GREEK.get(m[1], m[1])}<sub>{_inside(m[2])}</sub>", out)
    out = _PART.sub(")<sub>+</sub>", out)
    out = _GREEK.sub(lambda m: GREEK[m[1]], out)
    out = _POWER.sub(lambda m: f"<sup>{_inside(m[1])}</sup>", out)
    return _INFINITY.sub("∞", out)


def letters(text: str) -> str:
    """Plain text in the letters of the paper, as a terminal and a letter show it.

    >>> letters("rho (rho + sqrt(d) kappa) e0 by gauss.kappa, eps <= |theta_r*|")
    'ρ (ρ + √d κ) e0 by gauss.kappa, ε ≤ |θ_r*|'
    """
    for plain, sign in {"<=": "≤", ">=": "≥"}.items():
        text = text.replace(plain, sign)
    text = _ROOT.sub(r"√\1", text).replace("sqrt(", "√(")
    return _NAMED.sub(lambda m: GREEK[m[1]], text)


def _inside(index: str) -> str:
    bare = index[1:-1] if index[0] in "({" else index
    return GREEK.get(bare, bare)


class Prose:
    """Typesets text of one document; words that are keys of its claims become links."""

    def __init__(self, keys: Iterable[str]) -> None:
        # A plain word such as `trivial` is also a key; only a key with a dot or underscore is meant as one.
        self._keys = frozenset(k for k in keys if "." in k or "_" in k)
        self._known: dict[str, Markup] = {}

    def __call__(self, text: str) -> Markup:
        """The text as safe HTML."""
        if text not in self._known:  # many lines stand in many claims
            self._known[text] = self._linked(text)
        return self._known[text]

    def _linked(self, text: str) -> Markup:
        out, end = list[str](), 0
        for word in _WORD.finditer(text):
            if (key := word[0]) in self._keys:
                link = f'<a href="#claim-{escape(key)}">{escape(key)}</a>'
                out += [typeset(text[end : word.start()]), link]
                end = word.end()
        return Markup("".join([*out, typeset(text[end:])]))
