"""When is machine unlearning worth it? Machine-checked claims, exact laws, a simulator and an audit.

>>> import oubli
>>> oubli.show("e0.step").status
'REFUTED'
>>> oubli.regime(rf=0.001, eps=4, delta=1e-6, dim=10, target=0.02).certified
'trivial'
>>> round(oubli.gaussian_sigma(1.0, 1e-5), 6)
3.730632

Every name is loaded when it is first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oubli.answers.constants import ModelConstants, constants
    from oubli.api.audits import audit, audit_samples
    from oubli.api.phases import PhaseShares, phase
    from oubli.api.regimes import RegimeAnswer, RegimeSweep, regime, regime_by_target
    from oubli.api.verdicts import ClaimVerdict, Verdicts, check, show
    from oubli.checks.audit import Audit
    from oubli.errors import InputError, MissingExtraError, OubliError
    from oubli.papers import ledger
    from oubli.sim.laws import (
        binomial_tv,
        binomial_tv_ball,
        binomial_tv_gamma,
        gaussian_delta,
        gaussian_delta_ball,
        gaussian_epsilon,
        gaussian_epsilon_ball,
        gaussian_sigma,
        gaussian_sigma_ball,
    )
    from oubli.sim.problems.problem import Problem
    from oubli.theory.judging.ledger import Ledger
    from oubli.theory.regimes import classify

    __version__: str

_LAWS = "oubli.sim.laws"
_MODULES = {
    "Audit": "oubli.checks.audit",
    "ClaimVerdict": "oubli.api.verdicts",
    "InputError": "oubli.errors",
    "Ledger": "oubli.theory.judging.ledger",
    "MissingExtraError": "oubli.errors",
    "ModelConstants": "oubli.answers.constants",
    "OubliError": "oubli.errors",
    "PhaseShares": "oubli.api.phases",
    "Problem": "oubli.sim.problems.problem",
    "RegimeAnswer": "oubli.api.regimes",
    "RegimeSweep": "oubli.api.regimes",
    "Verdicts": "oubli.api.verdicts",
    "audit": "oubli.api.audits",
    "audit_samples": "oubli.api.audits",
    "binomial_tv": _LAWS,
    "binomial_tv_ball": _LAWS,
    "binomial_tv_gamma": _LAWS,
    "check": "oubli.api.verdicts",
    "classify": "oubli.theory.regimes",
    "constants": "oubli.answers.constants",
    "gaussian_delta": _LAWS,
    "gaussian_delta_ball": _LAWS,
    "gaussian_epsilon": _LAWS,
    "gaussian_epsilon_ball": _LAWS,
    "gaussian_sigma": _LAWS,
    "gaussian_sigma_ball": _LAWS,
    "ledger": "oubli.papers",
    "phase": "oubli.api.phases",
    "regime": "oubli.api.regimes",
    "regime_by_target": "oubli.api.regimes",
    "show": "oubli.api.verdicts",
}

__all__ = [
    "Audit",
    "ClaimVerdict",
    "InputError",
    "Ledger",
    "MissingExtraError",
    "ModelConstants",
    "OubliError",
    "PhaseShares",
    "Problem",
    "RegimeAnswer",
    "RegimeSweep",
    "Verdicts",
    "__version__",
    "audit",
    "audit_samples",
    "binomial_tv",
    "binomial_tv_ball",
    "binomial_tv_gamma",
    "check",
    "classify",
    "constants",
    "gaussian_delta",
    "gaussian_delta_ball",
    "gaussian_epsilon",
    "gaussian_epsilon_ball",
    "gaussian_sigma",
    "gaussian_sigma_ball",
    "ledger",
    "phase",
    "regime",
    "regime_by_target",
    "show",
]


def __getattr__(name: str) -> Any:
    """A public name, loaded now and kept."""
    if name == "__version__":
        value: Any = import_module("importlib.metadata").version("oubli-unlearning")
    elif name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
    else:
        raise AttributeError(
            f"module 'oubli' has no attribute {name!r}", name=name, obj=sys.modules[__name__]
        )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
