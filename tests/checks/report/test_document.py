"""A document that cannot be trusted is refused in one line that says where and what is accepted."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oubli.checks.report.document import checked
from oubli.checks.report.extras import Extras
from oubli.checks.report.html import page
from oubli.checks.report.junit import junit
from oubli.checks.report.markdown import report as markdown
from oubli.checks.report.shape import MalformedError
from oubli.cli.main import main

Make = Callable[..., dict[str, Any]]
Spoil = Callable[[dict[str, Any]], Any]


def without(name: str) -> Spoil:
    return lambda d: d["claims"][0].pop(name)


def with_field(name: str, value: Any) -> Spoil:
    return lambda d: d["claims"][0].update({name: value})


BROKEN: dict[str, tuple[Spoil, str]] = {
    "older schema": (lambda d: d.update(schema=0), "schema 0; schema 1 is accepted"),
    "newer schema": (lambda d: d.update(schema=2), "schema 2; schema 1 is accepted"),
    "no schema": (lambda d: d.pop("schema"), "no schema; schema 1 is accepted"),
    "no claims": (lambda d: d.pop("claims"), "it has no field claims"),
    "claims of another kind": (lambda d: d.update(claims=[3]), "it.claims[0] should be an object, not 3"),
    "a field is missing": (without("status"), "claim 'a' has no field status"),
    "an unknown word": (with_field("status", "MAYBE"), "status is 'MAYBE'; accepted: PROVED, REFUTED"),
    "an unknown proof": (with_field("proof", "FINE"), "proof is 'FINE'; accepted: SOUND, BROKEN"),
    "a field of another kind": (with_field("uses", "b"), "claim 'a'.uses should be a list, not 'b'"),
    "a key that is no anchor": (with_field("key", "a b<"), "a key is letters, digits"),
    "a source without line": (with_field("source", {}), "claim 'a'.source has no field line"),
    "a statement without parts": (with_field("tex", {"says": "x"}), "claim 'a'.tex has no field given"),
    "a witness without parts": (with_field("witness", {"says": ""}), "claim 'a'.witness has no field values"),
    "a short summary": (lambda d: d["summary"].pop("OPEN"), "it.summary has no field OPEN"),
    "the same key twice": (lambda d: d["claims"].append(d["claims"][0]), "the key a is used twice"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_spoilt_document_is_refused(case: str, claim: Make, documented: Make) -> None:
    spoil, message = BROKEN[case]
    found = copy.deepcopy(documented(claim("a"), claim("b")))
    assert checked(found) is found
    spoil(found)
    with pytest.raises(MalformedError) as refusal:
        checked(found)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "a JSON list; an object with schema 1 is accepted"),
        ('{"schema": 0}', "schema 0; schema 1 is accepted, `oubli check` writes it anew"),
        ("\ud800", "not UTF-8"),
        ("[" * 100_000, "not JSON"),
        (None, "no such file; `oubli check` writes it"),
    ],
)
@pytest.mark.parametrize("compared", [False, True])
def test_the_command_says_it_in_one_line(
    text: str | None, message: str, compared: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    claim: Make, documented: Make,
) -> None:  # fmt: skip
    spoilt = tmp_path / ("old.json" if compared else "verdicts.json")
    (tmp_path / "verdicts.json").write_text(json.dumps(documented(claim("a"))))
    spoilt.unlink(missing_ok=True)
    if text is not None:
        spoilt.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(SystemExit) as leave:
        main(["report", "--out", str(tmp_path), *(["--compare", str(spoilt)] if compared else [])])
    out, err = capsys.readouterr()
    assert leave.value.code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert str(spoilt) in err
    assert message in err
    assert not (tmp_path / "index.html").exists()


def test_the_paper_itself_is_accepted(paper: dict[str, Any]) -> None:
    assert checked(json.loads(json.dumps(paper)))["claims"]


def test_help_has_examples() -> None:
    from oubli.cli.report import report

    assert "oubli report --open" in CliRunner().invoke(report, ["--help"]).output


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield (*path, name)
        yield from places(part, (*path, name))


JUNK: tuple[Any, ...] = (None, 3, "x", True, [], {}, [None], {"a": 1}, ["x"])


def test_whatever_is_accepted_can_be_rendered(claim: Make, documented: Make) -> None:
    """Each place of a full document replaced by junk: refused in words, or rendered; never a traceback."""
    rows = [{"role": "claimed", "tex": "x", "there": "1"}]
    tex = {
        "given": [{"tex": "x", "why": "given"}],
        "says": "x",
        "where": [{"symbol": "x", "domain": "R", "meaning": "m"}],
    }
    witness = {"says": "s", "values": {"x": "1"}, "lines": ["because"], "shown": rows, "ratio": 2.0}
    empirical = {"cases": 1, "worst_ratio": 0.5, "violated": False, "confidence": 0.9, "points": [[1, 1]]}
    step = {"name": "n", "rule": "r", "size": "", "tex": "x"}
    full = documented(
        claim("a", status="REFUTED", tex=tex, witness=witness, repaired_by="b", uses=["b"], affects=["b"]),
        claim("b", empirical=empirical, derivation=[step], proof="BROKEN", printed_uses=["a"], steps=["a"]),
    )
    refused = rendered = 0
    for path in places(full):
        for junk in JUNK:
            spoilt = copy.deepcopy(full)
            inner = spoilt
            for name in path[:-1]:
                inner = inner[name]
            inner[path[-1]] = junk
            try:
                accepted = checked(spoilt)
            except MalformedError:
                refused += 1
                continue
            rendered += 1
            page(accepted, Extras())
            markdown(accepted)
            junit(accepted, {})
    assert refused > 400
    assert rendered > 100
