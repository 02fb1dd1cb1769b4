"""A PyTorch optimiser, and a module with its criterion, as a rule of the audit; needs the extra `torch`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oubli.checks.audit.guard import missing
from oubli.errors import optional
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array


@dataclass(frozen=True, eq=False)
class State:
    """The models of all chains as one parameter of shape (chains, d), and what steps them."""

    models: Any
    optimiser: Any


class TorchRule:
    """Subclass it and write `optimiser`; all chains are rows of one parameter, in double precision.

    The optimiser must treat every coordinate alone, as SGD, Adam and their kin do: then each row is stepped
    as its own model would be; for others there is `LoopedRule`. With `module` and `criterion` the loss on the
    user's data is the module's (`--data FILE.npz --loss own`), plus weight_decay/2·|theta|²; theta are its
    parameters in the order of `module.parameters()`. Nothing may be drawn but from the generators given.
    """

    weight_decay: float = 1.0

    def __init_subclass__(cls) -> None:
        """Load what PyTorch loads late, once: each rule of an audit lives in a fresh copy of this process."""
        torch = _torch()
        # Threads of this process would be missing in its copies.
        torch.set_num_threads(1)
        point = torch.nn.Parameter(torch.zeros(1))
        point.grad = torch.zeros(1)
        torch.optim.SGD([point], lr=0.1).step()

    def optimiser(self, parameters: list[Any], setup: Setup) -> Any:
        """The optimiser of these parameters, of shape (chains, d)."""
        raise missing(self, "optimiser(parameters, setup)")

    def after_start(self, models: Any, setup: Setup, generator: Any) -> Any:
        """theta_0 from theta*: noise from the generator, a projection, or nothing."""
        return models

    def after_step(self, models: Any, setup: Setup, generator: Any) -> Any:
        """What a step does after the optimiser's: noise, a projection, or nothing."""
        return models

    def module(self) -> Any:
        """The module whose parameters are theta."""
        raise missing(self, "module()")

    def criterion(self, output: Any, y: Any) -> Any:
        """The loss of one row of the data, given the module's output for it."""
        raise missing(self, "criterion(output, y)")

    def start(self, theta_star: Array, setup: Setup, rng: np.random.Generator) -> tuple[Array, State]:
        torch = _torch()
        moved = self.after_start(torch.tensor(theta_star), setup, _generator(rng)).detach().clone()
        models = torch.nn.Parameter(moved)
        return moved.numpy().copy(), State(models, self.optimiser([models], setup))

    def step(
        self, t: int, theta: Array, grad: Array, memory: State, setup: Setup, rng: np.random.Generator
    ) -> tuple[Array, State]:
        torch, models = _torch(), memory.models
        with torch.no_grad():
            models.copy_(torch.tensor(theta))
            models.grad = torch.tensor(grad)
            memory.optimiser.step()
            models.copy_(self.after_step(models.detach().clone(), setup, _generator(rng)))
        return models.detach().numpy().copy(), memory

    def loss_dimension(self, columns: int) -> int:
        """The number of the module's parameters."""
        return sum(p.numel() for p in self.module().parameters())

    def loss_value(self, theta: Array, x: Array, y: Array) -> Array:
        """The loss of each row, with the regulariser."""
        return _mapped(self._one(), theta, x, y)

    def loss_gradient(self, theta: Array, x: Array, y: Array) -> Array:
        """Its gradient, by automatic differentiation."""
        return _mapped(_torch().func.grad(self._one()), theta, x, y)

    def _one(self) -> Any:
        """The loss of one model on one row."""
        torch = _torch()
        module = self.module().to(torch.float64)
        shapes = {name: p.shape for name, p in module.named_parameters()}

        def loss(theta: Any, x: Any, y: Any) -> Any:
            parts = torch.split(theta, [shape.numel() for shape in shapes.values()])
            named = {name: a.reshape(shapes[name]) for name, a in zip(shapes, parts, strict=True)}
            output = torch.func.functional_call(module, named, (x,))
            return self.criterion(output, y) + self.weight_decay / 2 * theta @ theta

        return loss


def _mapped(function: Any, *rows: Array) -> Array:
    torch = _torch()
    return np.asarray(torch.func.vmap(function)(*(torch.tensor(row) for row in rows)).detach().numpy())


def _generator(rng: np.random.Generator) -> Any:
    """A generator of PyTorch that is seeded by the audit's."""
    return _torch().Generator().manual_seed(int(rng.integers(2**62)))


def _torch() -> Any:
    with optional("torch", "a rule in PyTorch"):
        import torch
    return torch
