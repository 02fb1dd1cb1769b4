"""Running mutants: tests are collected once, each mutant lives in a forked copy of the process.

Nothing on the disk is touched. First every test runs unchanged, and which trusted lines it runs is noted; a
mutant then meets only the tests that run its line, the quickest first, until one fails.
"""

import contextlib
import gc
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.apply import ROOT, function_of, module_of, plant
from tests.mutants.operators import Mutant

Reach = dict[str, Any]  # of each test: its seconds, and the lines that it runs of each file
OnResult = Callable[[Mutant, str], None]
# Tests that were written for conditions one by one: these first.
NEAREST = (
    "test_kernel_",
    "test_judging",
    "test_statistics",
    "test_streams",
    "_decisions",
    "_rounding",
)


@dataclass(eq=False)
class Runner:
    """A pytest plugin that runs the collected tests against mutants instead of once."""

    mutants: list[Mutant]
    every: list[Mutant]
    on_result: OnResult
    noted: Callable[[Reach], None]
    reach: Reach | None
    budget: float
    jobs: int
    killers: dict[str, str]
    failed: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what fails."""
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Every mutant, each in a child of its own."""
        items = {item.nodeid: item for item in session.items}
        if self.reach is None:
            self.reach = reached(items, self)
            self.noted(self.reach)
        gc.collect()
        gc.freeze()  # what children only read stays shared
        run_all(self, items)
        return True


def reached(items: dict[str, Any], runner: Runner) -> Reach:
    """Which lines of the area each test runs, and how long it takes; all tests must pass."""
    files = {str(Path(module_of(m.file).__file__)): m.file for m in runner.every}
    out = Reach()
    for number, (name, item) in enumerate(items.items(), 1):
        seen: dict[str, set[int]] = {file: set() for file in files.values()}

        def line(frame: Any, event: str, arg: Any, seen: Any = seen) -> Any:
            seen[files[frame.f_code.co_filename]].add(frame.f_lineno)
            return line

        def call(frame: Any, event: str, arg: Any, line: Any = line) -> Any:
            return line if frame.f_code.co_filename in files else None

        begin = time.process_time()
        sys.settrace(call)
        try:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        finally:
            sys.settrace(None)
        out[name] = [
            time.process_time() - begin,
            {file: sorted(lines) for file, lines in seen.items() if lines},
        ]
        progress(f"unchanged: {number} of {len(items)} tests")
    if runner.failed:
        raise pytest.UsageError(f"tests fail without any mutant: {runner.failed[:3]}")
    return out


def chosen(runner: Runner, mutant: Mutant, items: dict[str, Any]) -> list[Any]:
    """The tests that a mutant meets: the one that killed it before, then the quickest, within the budget."""
    assert runner.reach is not None
    constant = function_of(mutant.file, mutant.function) is None

    def meets(name: str) -> bool:
        lines = runner.reach[name][1].get(mutant.file, ())  # type: ignore[index]
        return bool(lines) if constant else any(line in mutant.lines for line in lines)

    times = {name: runner.reach[name][0] for name in items if name in runner.reach and meets(name)}
    # A test that takes longer than a child may would end it, and count as if it had failed.
    times = {name: seconds for name, seconds in times.items() if seconds <= 4 * runner.budget}
    kept, spent = [], 0.0
    for name in sorted(times, key=lambda n: (not any(part in n for part in NEAREST), times[n])):
        kept += [name] if spent <= runner.budget else []
        spent += times[name]
    first = [n for n in (runner.killers.get(mutant.key, ""),) if n in items]
    return [items[n] for n in dict.fromkeys([*first, *kept])]


def child(runner: Runner, mutant: Mutant, items: list[Any], answer: int) -> None:
    """Plant, run, answer with the name of the test that failed; never returns."""
    status = "survived"
    try:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        seconds = int(4 + 2 * runner.budget)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        runner.failed.clear()
        items[0].config.pluginmanager.unregister(name="terminalreporter")
        plant(mutant)
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            if runner.failed:
                status = runner.failed[0]
                break
    except BaseException as why:
        status = f"stopped: {type(why).__name__}"
    finally:
        os.write(answer, status.encode())
        os._exit(0)


@dataclass(frozen=True)
class Started:
    """A child at work."""

    mutant: Mutant
    pid: int
    answer: int
    until: float


def start(runner: Runner, mutant: Mutant, items: list[Any]) -> Started:
    """Fork a child for a mutant."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        child(runner, mutant, items, write)
    os.close(write)
    return Started(mutant, pid, read, time.monotonic() + 120 + 20 * runner.budget)


def ended(running: list[Started]) -> Iterator[tuple[Started, str]]:
    """The children that are done, with what they say; one that takes too long is ended."""
    ready, _, _ = select.select([s.answer for s in running], [], [], 1.0)
    for one in running:
        late = time.monotonic() > one.until
        if one.answer not in ready and not late:
            continue
        said = os.read(one.answer, 4096).decode() if one.answer in ready else ""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)
        os.close(one.answer)
        os.waitpid(one.pid, 0)
        yield one, said or "timeout"


def run_all(runner: Runner, items: dict[str, Any]) -> None:
    """All mutants, some at a time; progress with the time left."""
    waiting, running, begin, done = list(runner.mutants), list[Started](), time.monotonic(), 0
    survived = 0
    try:
        while waiting or running:
            while waiting and len(running) < runner.jobs:
                mutant = waiting.pop(0)
                tests = chosen(runner, mutant, items)
                if tests:
                    running.append(start(runner, mutant, tests))
                else:
                    done += 1
                    runner.on_result(mutant, "not reached")
            for one, said in list(ended(running)) if running else ():
                running.remove(one)
                done, survived = done + 1, survived + (said == "survived")
                runner.on_result(one.mutant, said)
            left = (time.monotonic() - begin) / max(done, 1) * (len(waiting) + len(running))
            progress(f"{done} of {len(runner.mutants)} mutants, {survived} survive, {left / 60:.0f} min left")
    finally:
        for one in running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            os.waitpid(one.pid, 0)


def progress(text: str) -> None:
    """One line on the terminal, over and over; nothing elsewhere."""
    if sys.__stderr__ is not None and sys.__stderr__.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.__stderr__, flush=True)


def run(
    mutants: list[Mutant],
    every: list[Mutant],
    tests: list[str],
    on_result: OnResult,
    noted: Callable[[Reach], None],
    reach: Reach | None,
    budget: float,
    jobs: int,
    killers: dict[str, str],
) -> None:
    """Run mutants (of every mutant of the area) against tests.

    Args:
        mutants: What is run.
        every: All mutants of the area: what the tests reach of these is noted.
        tests: The test files.
        on_result: Hears of each mutant, and of the test that failed or "survived".
        noted: Hears which lines the tests run, for the next time.
        reach: That, if it was noted before.
        budget: Seconds of tests for each mutant.
        jobs: How many at a time.
        killers: The test that each died of before.
    """
    runner = Runner(mutants, every, on_result, noted, reach, budget, jobs, killers)
    os.chdir(ROOT)
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--no-header",
        "--no-summary",
        "--tb=no",
        *tests,
    ]
    code = pytest.main(options, plugins=[runner])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"the tests cannot be run: pytest ends with {code}")
