"""Plain text as TeX: nothing in it can be a command, and the paper's letters become mathematics.

>>> print(escaped("50 % of ρ_f ≤ e^ε & \\\\end"))
50 \\% of $\\rho$\\_f $\\leq$ e\\textasciicircum{}$\\epsilon$ \\& \\textbackslash{}end
"""

from unicodedata import normalize

_SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "“": "``",
    "”": "''",
    "…": r"\dots{}",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "√": r"$\surd$",
    "‖": r"$\|$",
}
_MATH = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "η": "eta",
    "θ": "theta",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ξ": "xi",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "ω": "omega",
    "Δ": "Delta",
    "Θ": "Theta",
    "Φ": "Phi",
    "Ω": "Omega",
    "ℓ": "ell",
    "≤": "leq",
    "≥": "geq",
    "≠": "neq",
    "≈": "approx",
    "∈": "in",
    "∞": "infty",
    "→": "to",
    "⟨": "langle",
    "⟩": "rangle",
    "⌈": "lceil",
    "⌉": "rceil",
    "∇": "nabla",
    "⇒": "Rightarrow",
}
_SIGNS = {**_SPECIAL, **{sign: rf"$\{name}$" for sign, name in _MATH.items()}}
_SIGNS |= {sign: f"$^{digit}$" for sign, digit in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)}
_SIGNS |= {sign: f"$_{digit}$" for sign, digit in zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)}


def escaped(text: str) -> str:
    """The text for TeX; a character that TeX may lack is left out as a question mark."""
    return "".join(_SIGNS.get(sign) or _ascii(sign) for sign in text)


def _ascii(sign: str) -> str:
    if sign.isascii():
        return sign if sign.isprintable() or sign == "\n" else " "
    plain = normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return "".join(_SIGNS.get(x, x) for x in plain) or "?"
