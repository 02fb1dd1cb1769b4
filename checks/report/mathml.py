"""TeX to MathML without a network, and without trust: only a fixed list of elements gets through.

>>> str(mathml("x^2"))
'<math><msup><mi>x</mi><mn>2</mn></msup></math>'
>>> str(mathml(r"\\text{<script>alert(1)</script>}"))
'<code class="tex">\\\\text{&lt;script&gt;alert(1)&lt;/script&gt;}</code>'
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from oubli.theory.judging.cache import Cache, digest, sources

ELEMENTS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup"),
    *("msubsup", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom"),
}
ATTRIBUTES = {
    *("stretchy", "fence", "form", "separator", "mathvariant", "lspace", "rspace"),
    *("width", "height", "depth", "linethickness"),
}
# Formulas do not wrap; from so many characters of TeX on they are set smaller on paper.
LONG = {"longest": 430, "longer": 330, "long": 170}
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_BRACKETS = {"⟨": "prefix", "⟩": "postfix"}
_ARROWS = ("⟹", "⇒")
_SCRIPTS = ("msub", "msup", "msubsup")


class ForeignError(ValueError):
    """An element that no formula needs."""


# Formulas that are converted already, by their TeX, as text.
_converted: dict[str, str] = {}


@contextmanager
def remembered(kept: Cache) -> Iterator[None]:
    """Formulas that are converted in the block are kept in a cache, and those in it are not converted."""
    name = digest(["mathml", sources("checks/report"), version("latex2mathml")])
    found = kept.get(name)
    _converted.update(found if isinstance(found, dict) else {})
    before = len(_converted)
    yield
    if len(_converted) > before:
        kept.put([(name, _converted)])


def mathml(tex: str, block: bool = False) -> Markup:
    """The formula as MathML; where it cannot be converted, its TeX as escaped code."""
    key = f"{tex} block" if block else tex
    if key not in _converted:
        _converted[key] = str(_mathml(tex, block))
    return Markup(_converted[key])


def _mathml(tex: str, block: bool) -> Markup:
    from latex2mathml.converter import convert  # with tables that nobody needs who has all formulas

    try:
        root = _clean(ElementTree.fromstring(convert(tex)))
    # The converter raises whatever its tables raise on TeX it does not know; the reader then sees the TeX.
    except Exception:
        return Markup('<code class="tex">%s</code>') % escape(tex)
    if len(root) == 1 and root[0].tag == "mrow" and len(root[0]) == 1:
        root[:] = list(root[0])
    width = next((name for name, least in LONG.items() if len(tex) > least), None)
    if width:
        root.set("class", width)
    if block:
        root.set("display", "block")
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _clean(element: Any) -> Any:
    """The same tree with known elements and attributes only, brackets as operators, no idle rows."""
    tag = element.tag.removeprefix(_NAMESPACE)
    if tag not in ELEMENTS:
        raise ForeignError(tag)
    kept = {k: v for k, v in element.attrib.items() if k in ATTRIBUTES}
    out = ElementTree.Element(tag, kept)
    # A browser drops the spaces at the ends of words inside a formula.
    words = tag == "mtext"
    out.text = (element.text or "").replace(" ", "\u00a0") if words else (element.text or "").strip() or None
    out.extend(_unwrapped(_clean(child)) for child in element)
    if out.text in _ARROWS:
        out.tag, out.attrib = "mo", {"lspace": "0.6em", "rspace": "0.6em", "stretchy": "false"}
    if out.text in _BRACKETS:
        out.tag, out.attrib = "mo", {"form": _BRACKETS[out.text], "stretchy": "false"}
    if tag in _SCRIPTS:
        out[1:] = [_word(script) for script in out[1:]]
    return out


def _unwrapped(element: Any) -> Any:
    return element[0] if element.tag == "mrow" and len(element) == 1 else element


def _word(script: Any) -> Any:
    """A subscript of several letters is a word (y_square, g_near), not a product of letters."""
    letters = [child.text or "" for child in script]
    if script.tag != "mrow" or not all(c.tag == "mi" and len(c) == 0 for c in script) or not letters:
        return script
    word = ElementTree.Element("mi")
    word.text = "".join(letters)
    return word
