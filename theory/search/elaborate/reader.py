"""The checker's proof with a longer memory: a search spells the same expressions again and again.

The checker itself remembers expressions by what they are, not by their text, and for one certificate.
"""

from __future__ import annotations

from typing import Any

from oubli.theory.kernel.checker import Proof
from oubli.theory.kernel.poly import Poly


class Reader(Proof):
    """Remembers the polynomial of every expression it has read."""

    def __init__(self, takes: Any) -> None:
        self.memo: dict[str, Poly] = {}
        super().__init__(takes)

    def read(self, node: Any) -> Poly:
        """The polynomial that an expression spells."""
        if not isinstance(node, list | str):
            return self.spelled(node)
        key = self.text(node)
        if key not in self.memo:
            self.memo[key] = self.spelled(node)
        return self.memo[key]

    def hold(self, letter: str, x: str) -> None:
        """Take a letter to be constant from now on: what was read with it reads otherwise."""
        self.constant.add((letter, x))
        self.memo.clear()
        self.asked.clear()
