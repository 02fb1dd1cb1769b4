"""The verdicts as JUnit XML: a claim fails when it does not come out as its errata say."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

from oubli.checks.report.document import Document
from oubli.checks.report.layout import family

# XML 1.0 has no way at all to write these characters.
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(document: Document, times: Mapping[str, float]) -> str:
    """One test case per claim; definitions and remarks are skipped."""
    claims = document["claims"]
    total = sum(times.get(c["key"], 0.0) for c in claims)
    suite = ElementTree.Element(
        "testsuite",
        name="oubli",
        tests=str(len(claims)),
        failures=str(sum(not c["expected"] for c in claims)),
        errors="0",
        skipped=str(sum(c["expected"] and c["status"] == "NONE" for c in claims)),
        time=f"{total:.4f}",
    )
    for claim in claims:
        suite.append(_case(claim, times.get(claim["key"], 0.0)))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(claim: Document, seconds: float) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase", classname=family(claim["key"]), name=claim["key"], time=f"{seconds:.4f}"
    )
    verdict = f"{claim['status']}, effective {claim['effective']}, printed proof {claim['proof']}"
    if not claim["expected"]:
        failure = ElementTree.SubElement(case, "failure", message=_clean(f"unexpected: {verdict}"))
        failure.text = _clean("\n".join([claim["title"], claim["reason"], *_witness(claim)]))
    elif claim["status"] == "NONE":
        ElementTree.SubElement(case, "skipped", message=_clean(f"a {claim['kind']}; nothing to judge"))
    ElementTree.SubElement(case, "system-out").text = _clean(f"{verdict}: {claim['title']}")
    return case


def _witness(claim: Document) -> list[str]:
    return [claim["witness"]["says"], *claim["witness"]["lines"]] if claim["witness"] else []


def _clean(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
