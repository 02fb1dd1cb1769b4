"""The paper as printed: numbers of the PDF, notation, and each erratum in plain words, keyed by claim."""

from oubli.theory.paper.printed.notation import NOTATION, REMARKS
from oubli.theory.paper.printed.places import ENVIRONMENTS, EQUATIONS
from oubli.theory.paper.printed.proofs import PROOFS
from oubli.theory.paper.printed.statements import STATEMENTS
from oubli.theory.records.printed import Edition

EDITION = Edition(
    title="When to Forget? Complexity Trade-offs in Machine Unlearning",
    authors="Martin Van Waerebeke, Marco Lorenzi, Giovanni Neglia, Kevin Scaman",
    version="arXiv version of 2025, the TeX with this digest",
    digest="cdba705c9d36c6104de24c38de770cf9bd823c06ec29549f1d2fe363021bcb8c",
    environments=ENVIRONMENTS,
    equations=EQUATIONS,
    errata={**STATEMENTS, **PROOFS},
    notation=NOTATION,
    remarks=REMARKS,
)
