"""The page of LaTeXML with nothing in it that could run, load or imitate a part of ours.

Only listed elements and attributes stay; every identifier gets a prefix, so that no anchor of ours can be
taken; the lines of the TeX become the attribute `data-lines`.
"""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from oubli.checks.report.mathml import ATTRIBUTES as MATH_ATTRIBUTES
from oubli.checks.report.mathml import ELEMENTS as MATH_ELEMENTS

ELEMENTS = {
    *("div", "p", "span", "section", "article", "h1", "h2", "h3", "h4", "h5", "h6", "em", "b", "i", "strong"),
    *(
        "a",
        "ol",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "td",
        "th",
        "figure",
    ),
    *("figcaption", "sup", "sub", "br", "cite", "blockquote", "pre", "code", "hr", "small", "u"),
}
MATH = MATH_ELEMENTS | {"mmultiscripts", "mprescripts", "none", "menclose"}
PREFIX = "tex."
_CLASS = re.compile(r"ltx_[A-Za-z_]+")
_LINES = re.compile(r"oubli-(\d+)-(\d+)")
_SAFE = re.compile(r"https?://[^\s\"'<>]+", re.I)
_SPANS = ("colspan", "rowspan")


def cleaned(page: Element) -> Element:
    """The body of a page of LaTeXML as a plain element."""
    body = next((e for e in page.iter() if _tag(e) == "body"), page)
    out = Element("div", {"class": "tex"})
    out.text = body.text
    out.extend(_kept(list(body)))
    return out


def _kept(children: list[Element]) -> list[Element]:
    return [_element(child) for child in children]


def _element(element: Element) -> Element:
    tag = _tag(element)
    if tag == "img":
        out = Element("span", {"class": "figure-missing"})
        out.text = "[figure]"
    elif tag in ELEMENTS or tag in MATH:
        out = Element(tag, _attributes(element, tag))
        out.text = element.text
        out.extend(_kept(list(element)))
    else:
        # What is not known keeps its words and loses its meaning.
        out = Element("span")
        out.text = "".join(element.itertext()) if tag not in ("script", "style", "head") else ""
    out.tail = element.tail
    return out


def _attributes(element: Element, tag: str) -> dict[str, str]:
    given = element.attrib
    kept = {name: given[name] for name in MATH_ATTRIBUTES if tag in MATH and name in given}
    classes = _CLASS.findall(given.get("class", ""))
    lines = _LINES.search(given.get("class", ""))
    if tag == "math" and given.get("display") == "block":
        kept["display"] = "block"
    if classes and tag not in MATH:
        kept["class"] = " ".join(dict.fromkeys(classes))
    if lines:
        kept["data-lines"] = f"{lines[1]}-{lines[2]}"
    if "id" in given:
        kept["id"] = PREFIX + given["id"]
    kept |= {name: given[name] for name in _SPANS if given.get(name, "").isdigit()}
    return kept | (_link(given.get("href", "")) if tag == "a" else {})


def _link(href: str) -> dict[str, str]:
    if href.startswith("#"):
        return {"href": f"#{PREFIX}{href[1:]}"}
    return {"href": href, "rel": "noopener noreferrer"} if _SAFE.fullmatch(href) else {}


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def lines_of(element: Element) -> tuple[int, int] | None:
    """The lines of the TeX that an element came from.

    >>> lines_of(Element("p", {"data-lines": "3-5"}))
    (3, 5)
    """
    first, _, last = element.get("data-lines", "").partition("-")
    return (int(first), int(last)) if first else None


def html(element: Element) -> str:
    """The element as HTML."""
    return ElementTree.tostring(element, encoding="unicode", method="html")
