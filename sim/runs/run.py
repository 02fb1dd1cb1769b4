"""Many chains of one algorithm on one problem, reproducible whatever the number of workers.

Chains come in fixed blocks of 256. Each block has its own children of the seed: one stream of samples, one
for the algorithm, one for each release. Which process runs a block therefore never changes a number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from oubli.sim.geometry import outside
from oubli.sim.problems.draws import CHUNK
from oubli.sim.problems.mixture import Mixture
from oubli.sim.problems.problem import Problem
from oubli.sim.problems.setup import Setup
from oubli.sim.require import Array, is_count, require, require_batch
from oubli.sim.runs.algorithm import UpdateRule, check_rule, release, start
from oubli.sim.runs.kernels import Kernel, kernel_for

BLOCK = 256
Measure = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Run:
    """Outputs at the recorded times, shape (times, chains, …), and what happened on the way.

    `left_ball` marks the chains with an iterate outside B(0, R), where nothing is assumed of the losses;
    `samples` is the cost of the last recorded output, in retain samples per chain.
    """

    times: tuple[int, ...]
    outputs: Array
    left_ball: NDArray[np.bool_]
    samples: int

    @property
    def outside(self) -> int:
        """How many chains left the ball."""
        return int(self.left_ball.sum())


@dataclass(frozen=True, eq=False)
class Job:
    """Everything that a block of chains needs."""

    rule: UpdateRule
    retain: Mixture
    theta_star: Array
    setup: Setup
    seed: int
    times: tuple[int, ...]
    measure: Measure

    def stream(self, block: int, *purpose: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(block, *purpose)))

    def stopped(self, t: int) -> Setup:
        return replace(self.setup, T=t)


SAMPLES, ALGORITHM, RELEASE = 0, 1, 2


def job_for(
    rule: UpdateRule, problem: Problem, setup: Setup, seed: int, times: Sequence[int] | None, measure: Measure
) -> Job:
    """The checked job: of the forget data only theta* is left in it."""
    _check_match(problem, setup)
    wanted = _checked_times(times, setup)
    return Job(check_rule(rule), problem.retain, problem.full_optimum.point, setup, seed, wanted, measure)


def run(
    rule: UpdateRule,
    problem: Problem,
    setup: Setup,
    chains: int,
    seed: int,
    times: Sequence[int] | None = None,
    measure: Measure | None = None,
    workers: int = 1,
) -> Run:
    """Run the chains and record `measure` of the released output (default: the output) at the given times.

    At a time t < T the rule keeps its schedule for T and is asked to release as if it had been stopped at t.

    >>> from oubli.sim.algorithms import ScratchSGD
    >>> from oubli.sim.problems.problem import hard_problem
    >>> problem = hard_problem(gamma=1.0, r_f=0.1, d=1, L=1.0, mu=1.0)
    >>> run(ScratchSGD(), problem, problem.setup(1.0, 1e-5, T=2), chains=2, seed=0).outputs.round(4).tolist()
    [[[0.4167], [0.4167]]]
    """
    job = job_for(rule, problem, setup, seed, times, measure or _identity)
    require(is_count(chains, 1), "chains must be an integer >= 1", chains)
    sizes = [min(BLOCK, chains - first) for first in range(0, chains, BLOCK)]
    parts = _map(_block, [(job, block, size) for block, size in enumerate(sizes)], workers)
    outputs = np.concatenate([part[0] for part in parts], axis=1)
    return Run(job.times, outputs, np.concatenate([part[1] for part in parts]), job.times[-1] * setup.batch)


def step_through(job: Job, block: int, size: int) -> tuple[Array, NDArray[np.bool_]]:
    """The generic path: one call of `step` per time, for any rule and any losses."""
    samples, rng = job.stream(block, SAMPLES), job.stream(block, ALGORITHM)
    retain, setup = job.retain, job.setup
    theta, memory = start(job.rule, np.tile(job.theta_star, (size, 1)), setup, rng)
    left, wanted, records = outside(theta, setup.R), set(job.times), []
    for t in range(job.times[-1] + 1):
        if t in wanted:
            output = release(job.rule, theta, memory, job.stopped(t), job.stream(block, RELEASE, t))
            records.append(job.measure(output))
        if t == job.times[-1]:
            break
        if t % CHUNK == 0:
            drawn = retain.sampler.draw(samples, (CHUNK, size, setup.batch))
        grad = retain.sampled_gradient(theta, drawn[t % CHUNK])
        require_batch("grad", grad, theta)
        stepped, memory = job.rule.step(t, theta, grad, memory, setup, rng)
        require_batch("theta from step", stepped, theta)
        theta = stepped
        left |= outside(theta, setup.R)
    return np.stack(records), left


def sum_signs(job: Job, kernel: Kernel, block: int, size: int) -> tuple[Array, NDArray[np.bool_]]:
    """The kernel path: the same samples and start, summed in closed form."""
    rng = job.stream(block, ALGORITHM)
    theta_0, _ = start(job.rule, np.tile(job.theta_star, (size, 1)), job.setup, rng)
    outputs = kernel.outputs(theta_0, job.times, job.stream(block, SAMPLES))
    return np.stack([job.measure(output) for output in outputs]), outside(theta_0, job.setup.R)


def _block(job: Job, block: int, size: int) -> tuple[Array, NDArray[np.bool_]]:
    kernel = kernel_for(job.rule, job.retain, job.setup)
    return step_through(job, block, size) if kernel is None else sum_signs(job, kernel, block, size)


def _map(
    function: Callable[..., tuple[Array, NDArray[np.bool_]]], jobs: list[tuple[Job, int, int]], workers: int
) -> list[tuple[Array, NDArray[np.bool_]]]:
    require(is_count(workers, 1), "workers must be an integer >= 1", workers)
    if workers == 1 or len(jobs) == 1:
        return [function(*job) for job in jobs]
    from joblib import Parallel, delayed

    return list(Parallel(n_jobs=workers)(delayed(function)(*job) for job in jobs))


def _identity(theta: Array) -> Array:
    return theta


def _checked_times(times: Sequence[int] | None, setup: Setup) -> tuple[int, ...]:
    wanted = (setup.T,) if times is None else tuple(sorted({int(t) for t in times}))
    require(len(wanted) >= 1, "at least one time must be recorded", times)
    require(wanted[0] >= 0 and wanted[-1] <= setup.T, f"times must lie in 0 … T = {setup.T}", times)
    return wanted


def _check_match(problem: Problem, setup: Setup) -> None:
    given = (setup.L, setup.mu, setup.r_f, setup.d)
    holds = (problem.L, problem.mu, problem.r_f, problem.d)
    require(given == holds, f"setup must have the problem's (L, mu, r_f, d) = {holds}", given)
