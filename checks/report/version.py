"""Which version of this program made a report: the same bytes for the same version, so no clock is read."""

import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path


@cache
def made() -> dict[str, str]:
    """Version, commit and its date; the latter are empty where this is not our own repository."""
    commit, date = _commit(Path(__file__).resolve().parents[2])
    return {"version": version("oubli-unlearning"), "commit": commit, "date": date}


def _commit(root: Path) -> tuple[str, str]:
    # A virtual environment may lie inside somebody else's repository: only our own counts.
    if _git(root, "rev-parse", "--show-toplevel") != str(root):
        return "", ""
    date = _git(root, "log", "-1", "--format=%cs")
    return _git(root, "describe", "--always", "--dirty=+", "--exclude=*"), date


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
