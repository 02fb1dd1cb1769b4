"""`oubli.audit`: an algorithm, or the file that holds one, against its claimed budget and the bounds."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from oubli.checks.audit import Audit, Settings
from oubli.checks.audit import audit as run
from oubli.errors import InputError

OPTIONS = tuple(field.name for field in fields(Settings))


def audit(algorithm: str | Path | Any, *, eps: float, delta: float, **options: Any) -> Audit:
    """Hold an unlearning algorithm against its claimed budget and against the bounds.

    Args:
        algorithm: A file as FILE[:NAME] (a string or a path), or a class or an instance with a `step`.
        eps: The claimed ε.
        delta: The claimed δ.
        **options: The other options of `oubli audit` with `_` for `-`, such as `rf`, `dim`, `steps`,
            `runs`, `alpha` and `seed`; `oubli.checks.audit.Settings` lists them with their defaults.

    Returns:
        All findings with the verdict; InputError for a file or an option that cannot be used.

    Examples:
        >>> import oubli
        >>> from oubli.sim.algorithms import FineTuneWithoutNoise
        >>> oubli.audit(FineTuneWithoutNoise(), eps=1.0, delta=1e-5, runs=2000).verdict
        <Judgement.VIOLATED: 'VIOLATED'>
        >>> oubli.audit("nowhere.py", eps=1.0, delta=1e-5)
        Traceback (most recent call last):
        oubli.checks.runs.rule_file.RuleFileError: nowhere.py: cannot be read (No such file or directory)
    """
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise InputError(f"{unknown[0]}: no such option; accepted are {', '.join(OPTIONS)}")
    try:
        settings = Settings(eps=eps, delta=delta, **options)
    except ValueError as why:
        raise InputError(str(why)) from None
    return run(algorithm, settings)
