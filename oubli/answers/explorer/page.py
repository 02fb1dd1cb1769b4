"""`oubli phase theory --html`: the page, with every grid and constant of the calculator written into it."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from jinja2 import Environment

from oubli.answers.sweep import LEAST
from oubli.papers import ledger
from oubli.sim.laws import radial_fit
from oubli.theory.regimes import (
    bayes_kink,
    chain,
    cube,
    hops,
    kink,
    linear,
    printed_repaired,
    registry,
    sgd,
    two_point,
)
from oubli.theory.regimes.ball_of_starts import BALL
from oubli.theory.regimes.caps import Cones
from oubli.theory.regimes.classification import EFFICIENT, INEFFICIENT
from oubli.theory.regimes.enclosed import UncertifiedError
from oubli.theory.regimes.noise import GAUSSIAN, RADIAL, STAIRCASE, WIDTH
from oubli.theory.regimes.phase import KAPPAS, TARGETS
from oubli.theory.regimes.sharp import FEW_LEAVE, LEAST_SHARE, WARM
from oubli.theory.regimes.sphere import SPHERE

_FILES = ("kinks.js", "calculator.js", "view.js", "style.css")
# What the JavaScript calls each bound, with what it rests on and how its algorithm is called in Python.
_BOUNDS = {
    "positive": (registry.POSITIVE, ""),
    "two points scratch": (registry.TWO_POINTS_SCRATCH, ""),
    "coin flips": (registry.COIN_FLIPS, ""),
    "printed": (registry.PRINTED_SGD, "SGD with steps 2/(mu (t+2))"),
    "equal": (registry.EQUAL_WEIGHTS, "SGD with steps c/(mu (1 + kt))"),
    "growing": (registry.GROWING_WEIGHTS, "SGD with growing weights"),
    **{f"few {T}": (basis, "") for T, basis in enumerate(registry.FEW, 1)},
    "nothing": (registry.NOTHING_FORCED, ""),
    "printed step": (registry.PRINTED_STEP, ""),
    "printed closed": (registry.PRINTED_CLOSED, ""),
    "chain": (registry.CHAIN, ""),
    "cube": (registry.CUBE, ""),
    "two points": (registry.TWO_POINT, ""),
    "kink": (registry.KINK, ""),
    "bayes": (registry.BAYES, ""),
    "ball": (registry.BALL, ""),
    "sphere": (registry.SPHERE, ""),
    "alone": (registry.NOISE_ALONE, "noise only"),
    "alone line": (registry.NOISE_ALONE_LINE, "noise only"),
    "constant": (registry.CONSTANT_STEPS, "noise, then constant steps"),
    "shrunk old": (registry.SHRUNK_OLD, "noise, then shrink"),
    "shrunk new": (registry.SHRUNK_NEW, "noise, then shrink"),
    "tuned between": (registry.TUNED_BETWEEN, WARM),
    "tuned new": (registry.TUNED_NEW, WARM),
}


def tables() -> dict[str, Any]:
    """The grids, constants and claims that the JavaScript computes with; nothing is written there by hand.

    Returns:
        Values that JSON can hold.

    Raises:
        UncertifiedError: A record that the page would cite may not certify.
    """
    if registry.left_out():
        missing = ", ".join(registry.left_out())
        raise UncertifiedError(f"no page without {missing}: not proved, or changed since (`make accepted`)")
    return {
        "V": sgd.V,
        "lambda": sgd.LAMBDA,
        "weights": sgd.WEIGHTS.tolist(),
        "linear": [list(pair) for pair in zip(linear.SHIFTS.tolist(), linear.STARTS.tolist(), strict=True)],
        "takes": printed_repaired.TAKES,
        "needs": printed_repaired.NEEDS,
        "closed": list(registry.closed_form()),
        "chain": chain.HALF_WIDTHS.tolist(),
        "means": cube.MEANS.tolist(),
        "coins": list(cube.COINS),
        "kinks": [list(pair) for pair in zip(kink.MEANS.tolist(), kink.SLOPES.tolist(), strict=True)],
        "hops": _hops(),
        "sphere": _family(SPHERE),
        "ball": _family(BALL),
        "bayes": {
            "most": bayes_kink.MOST,
            "least": bayes_kink.LEAST,
            "means": [bayes_kink.NEAR_ONE, *bayes_kink.MEANS.tolist()],
        },
        "widths": two_point.HALF_WIDTHS.tolist(),
        "fewCoins": two_point.FEW_COINS,
        "few": two_point.FEW,
        "many": two_point.MANY,
        "dual": WIDTH,
        "leastShare": LEAST_SHARE,
        "fewLeave": FEW_LEAVE,
        "efficient": EFFICIENT,
        "inefficient": INEFFICIENT,
        "radial": radial_fit(),
        "laws": {
            "gaussian": {"name": GAUSSIAN, "claims": list(registry.GAUSSIAN.claims)},
            "radial": {"name": RADIAL, "claims": list(registry.RADIAL.claims)},
            "radialExact": {"name": RADIAL, "claims": list(registry.RADIAL_EXACT.claims)},
            "staircase": {"name": STAIRCASE, "claims": list(registry.STAIRCASE.claims)},
        },
        "claims": {
            "line": list(registry.LINE.claims),
            "dual": list(registry.WIDTH.claims),
            "chord": list(registry.CHORD.claims),
        },
        "bounds": _named_bounds(),
        "window": {"targets": [LEAST, TARGETS[1]], "kappas": list(KAPPAS)},
    }


def _hops() -> dict[str, Any]:
    """What the families of starts share."""
    return {
        "dimensions": list(hops.DIMENSIONS),
        "radii": hops.RADII.tolist(),
        "means": hops.MEANS.tolist(),
        "shares": list(hops.SHARES),
        "typical": hops.TYPICAL,
        "rare": hops.RARE,
        "most": hops.MOST,
        "widest": hops.WIDEST,
        "farthest": hops.FARTHEST,
        "nothing": chain.NOTHING,
        "down": hops.DOWN,
    }


def _family(family: hops.Family) -> dict[str, Any]:
    """The cones of a family for every dimension that it uses."""
    used = [n for n in hops.DIMENSIONS if n <= family.most]
    return {"most": family.most, "cones": {n: _packed(family.cones(n)) for n in used}}


def _packed(table: Cones) -> str:
    """Base64 of the columns X, N, C and P as little-endian doubles."""
    columns = np.stack([table.X, table.N, table.C, table.P]).astype("<f8")
    return b64encode(columns.tobytes()).decode()


def _named_bounds() -> dict[str, dict[str, Any]]:
    named = {name: {"claims": list(basis.claims), "how": how} for name, (basis, how) in _BOUNDS.items()}
    for name in ("printed", "equal", "growing"):
        claims = [*named[name]["claims"], registry.RETRAINING]
        named[f"retrain {name}"] = {"claims": claims, "how": f"retrain: {named[name]['how']}"}
    return named


def page(start: Mapping[str, float]) -> str:
    """The page.

    Args:
        start: Where the sliders stand at first: `rf`, `dim` and `delta`.

    Returns:
        One HTML document without any reference to another file.
    """
    folder = files(__package__)
    parts = {name.partition(".")[0]: folder.joinpath(name).read_text(encoding="utf-8") for name in _FILES}
    template = Environment(autoescape=True).from_string(
        folder.joinpath("page.html").read_text(encoding="utf-8")
    )
    made = tables()
    titles = {key: ledger().claims[key].title for key in registry.KEYS}
    return template.render(**parts, tables=_script(made), titles=_script(titles), start=_script(dict(start)))


def _script(value: Any) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(value, ensure_ascii=True).replace("<", "\\u003c")
