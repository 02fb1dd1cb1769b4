"""The paper "When to Forget? Complexity Trade-offs in Machine Unlearning", claim by claim."""

from collections.abc import Iterable
from pathlib import Path

from oubli.theory.paper.printed import EDITION
from oubli.theory.records.claim import Claim
from oubli.theory.records.coverage import inventory
from oubli.theory.records.paper import Paper


def _claims() -> Iterable[Claim]:
    from oubli.theory.paper.ledger import MODULES

    return (claim for module in MODULES for claim in module.CLAIMS)


PAPER = Paper(
    name="unlearning",
    edition=EDITION,
    describes="losses that are L-Lipschitz and mu-strongly convex on the ball B(0, L/(2 mu))",
    claims=_claims,
    displays=lambda: inventory(Path(__file__).with_name("coverage.json")),
)
