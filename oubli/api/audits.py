"""`oubli.audit` and `oubli.audit_samples`: an algorithm, or outputs, against the claimed budget."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from oubli.checks.audit import Audit, Settings
from oubli.checks.audit import audit as run
from oubli.checks.audit.samples import audit_samples as run_samples
from oubli.errors import InputError

OPTIONS = tuple(field.name for field in fields(Settings))


def audit(algorithm: str | Path | Any, *, eps: float, delta: float, **options: Any) -> Audit:
    """Hold an unlearning algorithm against its claimed budget and against the bounds.

    Args:
        algorithm: A file as FILE[:NAME] (a string or a path), or a class or an instance with a `step`.
        eps: The claimed ε.
        delta: The claimed δ.
        **options: The other options of `oubli audit` with `_` for `-`, such as `rf`, `dim`, `steps`,
            `runs`, `alpha`, `seed` and `against`; `oubli.checks.audit.Settings` lists them all.

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


def audit_samples(
    P: ArrayLike, Q: ArrayLike, *, eps: float, delta: float, alpha: float = 0.05, seed: int = 0,
    assume_gaussian: bool = False,
) -> Audit:  # fmt: skip
    """Whether two laws, of which these are independent draws, can be (ε, δ)-indistinguishable.

    Args:
        P: Outputs of shape (n, d) or scores of shape (n,) under the first law, n >= 100.
        Q: The same under the second law; n may differ.
        eps: The claimed ε.
        delta: The claimed δ.
        alpha: The probability with which laws that keep the claim are flagged, at most.
        seed: Of the shuffle; choose it before looking.
        assume_gaussian: Let the bound count that assumes Gaussian scores of one variance.

    Returns:
        The findings `privacy eps`, `privacy delta`, `privacy curve` and, at δ > 0, `privacy gaussian`;
        InputError for arrays or a budget that cannot be used.

    Examples:
        >>> import numpy as np, oubli
        >>> rng = np.random.default_rng(1)
        >>> found = oubli.audit_samples(rng.normal(3, 1, 2000), rng.normal(0, 1, 2000), eps=1.0, delta=1e-5)
        >>> str(found.verdict), found.findings[0].measured["lower_bound"] > 2
        ('VIOLATED', True)
        >>> oubli.audit_samples([1.0], [2.0], eps=1.0, delta=1e-5)
        Traceback (most recent call last):
        oubli.errors.InputError: P.npy must have at least 100 samples, got 1
    """
    try:
        return run_samples(P, Q, eps, delta, alpha, seed, assume_gaussian)
    except ValueError as why:
        raise InputError(str(why)) from None
