"""Constant steps in one compiled loop, where the extra `fast` (numba) is installed; constant.py without it.

Both take the same steps from the same draws. Sums are rounded in another order, by a relative 1e-15 or so a
step: a time could differ only where an excess is that close to a level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oubli.sim.experiments.jit import compiled
from oubli.sim.experiments.synthetic.constant import ConstantPath
from oubli.sim.experiments.walk import Indices, Pending, Seen
from oubli.sim.require import Array


@dataclass(eq=False)
class CompiledWalker:
    """Chains of one constant path, as SignWalker has them; `values` are the signs in its units."""

    values: Array
    path: ConstantPath
    begin: Array

    def start(self) -> Array:
        return self.begin

    def advance(self, drawn: Indices, pending: Pending) -> Seen:
        path, turns = self.path, self.path.turns
        path.move(len(drawn))
        excess = np.empty(drawn.shape[:2])
        kinks = (turns.x, turns.n, turns.C, turns.D, turns.swing, turns.q[:, 0], turns.kink[:, 0])
        steps = (path.t, path.spread, path.a, path.group, path.across)
        _walk(
            drawn[:, :, 0], self.values, steps, kinks, turns.mu, pending.largest, path.s, path.total, excess
        )
        return Seen(np.arange(len(path.s)), excess)

    def keep(self, rows: NDArray[np.intp]) -> CompiledWalker:
        return CompiledWalker(self.values, self.path.keep(rows), self.begin[rows])  # type: ignore[arg-type]


@compiled
def _walk(
    drawn: Any, values: Any, steps: Any, kinks: Any, mu: float, top: Any, s: Any, total: Any, excess: Any
) -> None:
    """Advance s and its sum by the drawn signs; an excess above the pending level is left unfinished."""
    t, spread, a, group, across = steps
    x, n, C, D, swing, q, kink = kinks
    for j in range(drawn.shape[0]):
        k, per = t[j], 1 / t[j]
        for c in range(drawn.shape[1]):
            rate = a[group[c]]
            total[c] += s[c]
            s[c] += rate * (values[drawn[j, c]] - s[c])
            found = (total[c] * per) ** 2
            if found <= top[c]:
                G = spread[j, group[c]]
                found += across[c] * (G * per) ** 2
                for i in range(len(q)):
                    if x[i, c] == 0 or found > top[c]:
                        continue
                    if k <= n[i, c]:
                        y = abs((x[i, c] + q[i]) * G - q[i] * k) * per
                    else:
                        late = (int(k) - int(n[i, c])) & 1
                        y = abs(C[i, c] + D[i, c] * G - (swing[i, c] if late else 0.0)) * per
                    found += y * (mu / 2 * y + kink[i])
            excess[j, c] = found
