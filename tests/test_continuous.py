"""What runs by itself on a fresh machine is what a contributor runs by hand."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORKFLOW = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")


def test_the_paper_the_tests_and_the_documentation_are_made():
    targets = re.search(r"target: \[(.+)\]", WORKFLOW)[1].split(", ")
    assert targets == ["check", "test", "docs"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    assert re.findall(r"- run: (make .+)", WORKFLOW) == ["make ${{ matrix.target }}"]


def test_nothing_is_skipped_there_for_want_of_a_program():
    """Every program whose absence skips a test is installed."""
    asked = set()
    for path in [*ROOT.glob("tests/**/*.py"), *ROOT.glob("checks/**/*.py")]:
        asked |= {*re.findall(r'which\("(\w+)"\)', path.read_text(encoding="utf-8"))}
    package = {
        "chromedriver": "chromium-driver",
        "latexml": "latexml",
        "latexmlpost": "latexml",
        "coqc": "coq",
    }
    assert asked == package.keys()
    installed = re.search(r"apt-get install .*", WORKFLOW)[0].split()
    assert {package[name] for name in asked} <= {*installed}
