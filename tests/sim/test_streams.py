"""No two purposes share a stream of random numbers: the seeds that are asked for are all different."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from oubli.checks.audit import draws, generators, search
from oubli.checks.audit import privacy as counting
from oubli.checks.audit.draws import chain, outputs
from oubli.checks.audit.generators import stream
from oubli.checks.audit.guard import Guarded
from oubli.checks.audit.privacy import TEST, privacy
from oubli.checks.audit.search import FIRST, MOVES, SECOND
from oubli.checks.audit.settings import Settings
from oubli.checks.audit.subject import subject_of
from oubli.sim.algorithms import NoisyProjectedSGD, ProjectedNoise
from oubli.sim.experiments.digits.chains import DigitsProtocol
from oubli.sim.experiments.synthetic import tasks
from oubli.sim.experiments.synthetic.protocol import Synthetic
from oubli.sim.problems.problem import hard_problem
from oubli.sim.runs.run import BLOCK, run

Seeds = list[tuple[Any, tuple[int, ...]]]
PROBLEM = hard_problem(0.3, 0.1, 1, 1.0, 1.0)


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeds]:
    """Every seed sequence that is made, by its entropy and its key."""
    made: Seeds = []
    original = np.random.SeedSequence

    def recorded(entropy: Any = None, *, spawn_key: Any = (), **more: Any) -> Any:
        made.append((entropy, tuple(spawn_key)))
        return original(entropy, spawn_key=spawn_key, **more)

    monkeypatch.setattr(np.random, "SeedSequence", recorded)
    yield made
    assert made, "nothing was drawn"


@pytest.fixture
def audit_seeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeds]:
    """Every stream that an audit asks for, by seed and purpose: a rule is handed only a digest of the two."""
    made: Seeds = []
    digests: list[Any] = []
    original, bits = generators.stream, np.random.PCG64

    def recorded(seed: int, *purpose: int) -> Any:
        made.append((seed, purpose))
        return original(seed, *purpose)

    def drawn(seed: Any = None) -> Any:
        digests.append(seed)
        return bits(seed)

    for module in (draws, search, counting):
        monkeypatch.setattr(module, "stream", recorded)
    monkeypatch.setattr(np.random, "PCG64", drawn)
    yield made
    assert made, "nothing was drawn"
    # No generator was made in another way, and no two purposes have the same digest.
    assert len(digests) == len(made)
    assert len(set(digests)) == len(set(made)) == len(set(zip(made, digests, strict=True)))


def twice(made: Seeds) -> Seeds:
    """The seeds that were asked for more than once."""
    return [seed for seed, count in Counter(made).items() if count > 1]


@pytest.mark.parametrize("rule", [NoisyProjectedSGD(), ProjectedNoise()])
def test_a_run_has_a_stream_for_each_block_purpose_and_time(rule: Any, seeds: Seeds) -> None:
    run(rule, PROBLEM, PROBLEM.setup(1.0, 1e-2, 6), 2 * BLOCK + 1, seed=5, times=[2, 4, 6])
    assert twice(seeds) == []
    assert {key[0] for _, key in seeds} == {0, 1, 2}
    assert {entropy for entropy, _ in seeds} == {5}


def test_another_seed_gives_other_draws() -> None:
    setup = PROBLEM.setup(1.0, 1e-2, 3)
    one, other = (run(NoisyProjectedSGD(), PROBLEM, setup, 50, seed=seed).outputs for seed in (1, 2))
    assert not np.isclose(one, other).any()


def test_the_synthetic_experiment_separates_purposes_horizons_and_groups(seeds: Seeds) -> None:
    protocol = Synthetic(seed=3)
    for purpose in (tasks.WALK, tasks.START, tasks.MEASURE):
        for T in (1, 10):
            for group in (0, 1):
                protocol.stream(purpose, T, group)
    assert twice(seeds) == []
    assert {entropy for entropy, _ in seeds} == {3}


def test_a_walk_draws_its_starts_and_its_steps_apart(seeds: Seeds) -> None:
    protocol = Synthetic(seed=3, repetitions=2, points=tasks.GROUP + 2)
    for T in protocol.horizons[:3]:
        for group in (0, 1):
            tasks.Walk("printed", T, group, False).run(protocol, {})
    assert twice(seeds) == []


def test_the_digits_separate_the_split_the_starts_and_the_minibatches(seeds: Seeds) -> None:
    for key in ((0, 0), (0, 1), (0, 2), (1, 0)):
        DigitsProtocol.stream(SimpleNamespace(seed=0), *key)  # type: ignore[arg-type]
    np.random.SeedSequence(0, spawn_key=(0,))  # the rows to forget
    assert twice(seeds) == []
    keys = {key for _, key in seeds}
    assert not any(key != other and key == other[: len(key)] for key in keys for other in keys)


def test_an_audit_counts_on_draws_that_no_search_has_seen(audit_seeds: Seeds) -> None:
    settings = Settings(eps=1.0, delta=1e-2, runs=300, steps=2, seed=7)
    privacy(subject_of(ProjectedNoise()), settings)
    searched = [seed for seed in audit_seeds if seed[1][0] in (FIRST, SECOND, MOVES)]
    counted = [seed for seed in audit_seeds if seed[1][0] == TEST]
    assert len(searched) + len(counted) == len(audit_seeds)
    assert twice(searched) == []
    assert {key[0] for _, key in searched} == {FIRST, SECOND, MOVES}
    assert counted
    assert not set(counted) & set(searched)
    # The two sides of a pair are drawn apart, and so is the number of draws.
    assert {key[2] for _, key in counted if len(key) > 3} == {0, 1}
    assert any(key[2:] == (9,) for _, key in counted)
    assert {entropy for entropy, _ in audit_seeds} == {7}


def test_batches_of_an_audit_have_their_own_streams(audit_seeds: Seeds) -> None:
    seen: list[int] = []

    def measured(points: Any) -> Any:
        seen.append(len(points))
        return points

    setup = Settings(eps=1.0, delta=1e-2).setup(1)
    drawn = outputs(
        Guarded(ProjectedNoise()), PROBLEM.retain, PROBLEM.full_optimum.point, setup, 45_000, (1, 2), measured
    )
    assert drawn.shape == (45_000, 1)
    assert seen == [0, 20_000, 20_000, 5_000]
    assert twice(audit_seeds) == []
    assert len(np.unique(drawn[:, 0])) > 1000


@pytest.mark.parametrize("rule", [NoisyProjectedSGD(), ProjectedNoise()])
def test_releases_do_not_disturb_each_other(rule: Any) -> None:
    setup = PROBLEM.setup(1.0, 1e-2, 3)

    def last(times: list[int]) -> Any:
        return run(rule, PROBLEM, setup, 50, seed=1, times=times).outputs[-1]

    assert np.array_equal(last([3]), last([1, 2, 3]))


def test_a_chain_of_an_audit_releases_once_and_at_its_end() -> None:
    setup, star = Settings(eps=1.0, delta=1e-2).setup(3), PROBLEM.full_optimum.point[None, :]
    asked: list[Any] = []

    class Noted(NoisyProjectedSGD):
        def step(self, t: int, *rest: Any) -> Any:
            asked.append(t)
            return super().step(t, *rest)

        def release(self, theta: Any, memory: Any, setup: Any, rng: Any) -> Any:
            asked.append("release")
            return theta

    def last(T: int) -> Any:
        asked.clear()
        stopped = replace(setup, T=T)
        return chain(Guarded(Noted()), star, lambda t, theta: theta, stopped, stream(0, 1)).outputs

    assert np.array_equal(last(3), last(3))
    assert asked == [0, 1, 2, "release"]
    last(0)
    assert asked == ["release"]
