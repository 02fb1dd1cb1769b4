"""Run all benchmarks and write benchmarks/results.md: what, ours, the peer with its version, the ratio.

A benchmark prints what it likes; its lines that begin with a bar are rows of the table. Run by `make bench`;
`python benchmarks/run.py laws scaling` runs some and leaves the rows of the others as they are. Exits with 1
when a benchmark misses what it promises.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TABLE = FOLDER / "results.md"
NAMES = ("judging", "laws", "regimes", "batches", "sim", "phase", "report", "scaling")
PEERS = ("numpy", "scipy", "numba", "sympy", "python-flint", "dp-accounting")
HEAD = "| what | ours | peer | ratio |\n|---|---|---|---|\n"


def run(name: str) -> tuple[list[str], int]:
    """The rows that a benchmark prints, and its exit status; everything is shown as it comes."""
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    call = [sys.executable, "-u", str(FOLDER / f"{name}.py")]
    rows = []
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            rows += [line.strip()] if line.startswith("| ") else []
    return rows, process.returncode


def sections() -> dict[str, str]:
    """The parts of the table that are there, by benchmark."""
    text = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    return {found[1]: found[2] for found in re.finditer(r"## (\w+)\n\n(.*?)(?=\n## |\Z)", text, re.S)}


def machine() -> str:
    """What the numbers depend on besides the code."""
    found = [f"Python {platform.python_version()}"]
    for name in PEERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} absent")
    load = f"load average {os.getloadavg()[0]:.1f} (above the number of cores, wall clocks say little)"
    return f"{os.cpu_count()} cores, {platform.machine()}, {load}; " + ", ".join(found)


def main(names: list[str]) -> int:
    """Run the benchmarks of these names, or all; 1 if one of them misses what it promises."""
    parts, worst = sections(), 0
    for name in names or NAMES:
        rows, status = run(name)
        missed = "" if status == 0 else "\nA promise is missed.\n"
        parts[name] = f"Measured with {machine()}.\n\n{HEAD}" + "\n".join(rows) + "\n" + missed
        worst = max(worst, status)
        write(parts)
    return min(worst, 1)


def write(parts: dict[str, str]) -> None:
    """The table, as far as it is measured."""
    text = "# Benchmarks\n\nWritten by `make bench`; ratios compare calls of one run.\n"
    for name in NAMES:
        text += f"\n## {name}\n\n{parts[name].strip()}\n" if name in parts else ""
    TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
