"""Replaying ahead: a child's word counts for the bytes that the kernel accepted, and for nothing else."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oubli.theory.judging import ahead, order
from oubli.theory.judging.cache import Cache
from oubli.theory.paper.ledger import ledger

KEY = "efficient.below"  # a proof through a lemma
BOOK = ledger()


def text(entries: Any) -> str:
    """All that verdicts say, but for the time they took."""
    return repr([[k, replace(e.verdict, seconds=0.0), e.effective, e.expected] for k, e in entries.items()])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    names = BOOK.entry_names([KEY])
    found = BOOK.verify([KEY], cache=Cache(tmp_path))
    kept = [key for key in names if key in found and Cache(tmp_path).get(names[key])]
    ahead.remember(Cache(tmp_path), [(key, names[key], found[key].verdict.seconds) for key in kept])
    return tmp_path


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The claims whose entries are replayed by the run itself."""
    found, accept = list[str](), order.accept_certificate
    monkeypatch.setattr(
        order, "accept_certificate", lambda made, *rest: found.append(made["claim"]) or accept(made, *rest)
    )
    return found


def begun(folder: Path) -> ahead.Ahead:
    found = ahead.begun(Cache(folder))
    assert found is not None
    return found


def done(folder: Path) -> ahead.Ahead:
    """Begun, and the child has accepted everything."""
    found = begun(folder)
    os.waitid(os.P_PID, found.child, os.WEXITED | os.WNOWAIT)
    return found


def plain() -> str:
    return text(BOOK.verify([KEY]))


def test_what_the_child_replayed_is_not_replayed_again(folder: Path, replays: list[str]) -> None:
    cache = Cache(folder)
    assert text(BOOK.verify([KEY], cache=cache, ahead=begun(folder))) == plain()
    assert not {KEY, *BOOK.uses[KEY]} & {*replays}
    assert not cache.notice


def test_without_a_last_run_nothing_is_begun(tmp_path: Path) -> None:
    assert ahead.begun(Cache(tmp_path)) is None
    assert ahead.begun(Cache(None)) is None


@pytest.mark.parametrize("run", [3, [3], [["a", "b"]], [["a", "b", "c"]], [[1, "b", 0.5]]])
def test_a_list_that_is_none_is_ignored(run: Any, tmp_path: Path) -> None:
    Cache(tmp_path).put([(ahead.LAST, run)])
    assert ahead.begun(Cache(tmp_path)) is None


def wrong(folder: Path) -> None:
    """Plant a certificate that shows nothing, sealed as it should be."""
    name = BOOK.entry_names([KEY])[KEY]
    Cache(folder).put([(name, {**Cache(folder).get(name), "lines": []})])


def test_a_wrong_certificate_is_rejected(folder: Path) -> None:
    wrong(folder)
    cache = Cache(folder)
    assert text(BOOK.verify([KEY], cache=cache, ahead=begun(folder))) == plain()
    assert f"the entry of {KEY} is rejected" in cache.notice


def test_a_file_changed_after_it_was_replayed_is_replayed_by_the_run(folder: Path) -> None:
    started = done(folder)
    wrong(folder)
    cache = Cache(folder)
    assert text(BOOK.verify([KEY], cache=cache, ahead=started)) == plain()
    assert f"the entry of {KEY} is rejected" in cache.notice


def test_a_lemma_with_another_entry_is_another_lemma(folder: Path, replays: list[str]) -> None:
    started = done(folder)
    lemma = next(key for key in BOOK.uses[KEY] if Cache(folder).get(BOOK.entry_names([key])[key]))
    name = BOOK.entry_names([lemma])[lemma]
    Cache(folder).put([(name, {**Cache(folder).get(name), "more": 1})])
    BOOK.verify([KEY], cache=Cache(folder), ahead=started)
    assert {KEY, lemma} <= {*replays}


def test_a_list_of_other_names_helps_nobody(folder: Path, replays: list[str]) -> None:
    run = [[key, "0" * 64, seconds] for key, _, seconds in Cache(folder).get(ahead.LAST)]
    Cache(folder).put([(ahead.LAST, run)])
    assert text(BOOK.verify([KEY], cache=Cache(folder), ahead=begun(folder))) == plain()
    assert KEY in replays


def test_a_swapped_list_vouches_for_no_other_claim(folder: Path, replays: list[str]) -> None:
    (one, first, _), (other, second, _), *_ = Cache(folder).get(ahead.LAST)
    Cache(folder).put([(ahead.LAST, [[one, second, 0.5], [other, first, 0.5]])])
    assert text(BOOK.verify([KEY], cache=Cache(folder), ahead=begun(folder))) == plain()
    assert {one, other} <= {*replays}


def test_a_killed_child_costs_time_alone(folder: Path) -> None:
    started = begun(folder)
    os.kill(started.child, signal.SIGKILL)
    assert text(BOOK.verify([KEY], cache=Cache(folder), ahead=started)) == plain()


def test_a_line_torn_by_a_kill_is_ignored(folder: Path, replays: list[str]) -> None:
    started = done(folder)
    lines = os.read(started.heard, 1 << 16)
    started.heard, told = os.pipe()
    os.write(told, lines[:-9])
    os.close(told)
    assert text(BOOK.verify([KEY], cache=Cache(folder), ahead=started)) == plain()
    assert len(replays) < lines.count(b"\n") + 1
    assert json.loads(lines.splitlines()[0])


def test_a_child_that_is_dropped_ends(folder: Path) -> None:
    started = begun(folder)
    started.dropped()
    assert os.waitpid(started.child, 0)[1] == 0
    assert text(BOOK.verify([KEY], cache=Cache(folder))) == plain()
