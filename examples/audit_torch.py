"""A rule in PyTorch: noise at the start, then an optimiser of PyTorch; and a module's own loss on data.

Run with `oubli audit examples/audit_torch.py --eps 1 --delta 1e-5`; it needs the extra `torch`.
"""

import torch

from oubli.checks.audit.adapters.torch_rule import TorchRule
from oubli.sim.laws import gaussian_sigma


class MomentumAfterNoise(TorchRule):
    """The least noise for the budget, then SGD with momentum on the retain data, projected."""

    def optimiser(self, parameters, setup):
        return torch.optim.SGD(parameters, lr=0.1 / setup.mu, momentum=0.5)

    def after_start(self, models, setup, generator):
        scale = gaussian_sigma(setup.eps, setup.delta) * setup.sensitivity
        noise = torch.randn(models.shape, dtype=models.dtype, generator=generator)
        return self.after_step(models + scale * noise, setup, generator)

    def after_step(self, models, setup, generator):
        size = models.norm(dim=1, keepdim=True)
        return models * torch.clamp(setup.R / size.clamp(min=1e-300), max=1.0)

    def module(self):
        return torch.nn.Linear(3, 1)

    def criterion(self, output, y):
        return torch.nn.functional.softplus(-y * output[0])
