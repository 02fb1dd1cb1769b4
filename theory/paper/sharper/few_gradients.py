"""Retraining, lower bound for few gradients: what a learner pays against a finite prior, exactly.

The signs of the hard family depend here on where the gradient is taken (theory/kernel/priors.py): a learner that asks far
out learns the slope there and nothing else. That costs 5 to 60 % more than the coin flips of sharp.scratch.lower. The
priors in priors.json come from a search that nobody trusts; the kernel computes what each of them forces. From eleven
gradients on they have one step: three regions would cost it too much.
"""

from __future__ import annotations

import json
from pathlib import Path

import sympy as sp

from oubli.theory.paper.letters import A_scratch, M_scratch, T, e0
from oubli.theory.records.build import by, ge, given, le, state, theorem
from oubli.theory.records.claim import Claim
from oubli.theory.records.objects import Object, numeric
from oubli.theory.records.proof import Schema

PRIORS = json.loads(Path(__file__).with_name("priors.json").read_text(encoding="utf-8"))
# By the number of gradients: its name, and what they leave of e0, in ten thousandths.
FEW = {
    1: ("one", 4071),
    2: ("two", 2444),
    3: ("three", 1755),
    4: ("four", 1330),
    5: ("five", 1119),
    6: ("six", 964),
    7: ("seven", 853),
    8: ("eight", 767),
    9: ("nine", 697),
    10: ("ten", 632),
    11: ("eleven", 569),
    12: ("twelve", 532),
    13: ("thirteen", 497),
    14: ("fourteen", 469),
}


def _within(most: int) -> Claim:
    name, left = FEW[most]
    share, prior = sp.Rational(left, 10_000), PRIORS[str(most)]
    says = state(ge(M_scratch, share * e0), given(le(T, most)))
    family = (Object(prior["steps"]), Object(prior["prior"]))
    forced = Schema("prior", (A_scratch, numeric(T), Object(most), numeric(share), *family))
    return theorem(
        f"sharp.scratch.{name}",
        "scratch.lower",
        f"from scratch at most {name} gradient{'s' * (most > 1)} leave a worst risk of at least {left / 10_000} e0, in every "
        "dimension",
        says,
        proof=by(says, (1, forced)),
    )


CLAIMS = tuple(map(_within, FEW))
