"""The cache of certificates: the kernel replays what is in it, and what is wrong with it is ignored."""

import copy
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oubli.cli.main import commands
from oubli.theory.judging import ledger as ledgers
from oubli.theory.judging import names, order, workers
from oubli.theory.judging.cache import Cache
from oubli.theory.judging.ledger import Ledger
from oubli.theory.paper.ledger import ledger

BOOK = ledger()
# A refutation, and a proof through a lemma.
KEYS = ["e0.step", "efficient.below"]
PROVED, REFUTED = "efficient.below", "e0.step"


def text(entries: Any) -> str:
    """All that verdicts say, but for the time they took."""
    return repr([[k, replace(e.verdict, seconds=0.0), e.effective, e.expected] for k, e in entries.items()])


@pytest.fixture(scope="module")
def plain() -> str:
    return text(BOOK.verify(KEYS))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    BOOK.verify(KEYS, cache=Cache(folder))
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    for path in filled.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def entry(folder: Path, key: str) -> Any:
    return Cache(folder).get(name_of(key))


def name_of(key: str) -> str:
    return BOOK.entry_names([key])[key]


def plant(folder: Path, key: str, value: Any) -> None:
    """Put something under the name of a claim's certificate, sealed as it should be."""
    Cache(folder).put([(name_of(key), value)])


def test_verdicts_from_the_cache_are_the_same_and_no_engine_runs(
    folder: Path, plain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    again = ledgers.judge
    monkeypatch.setattr(
        ledgers, "judge", lambda claim, *rest: judged.append(claim.key) or again(claim, *rest)
    )
    cache = Cache(folder)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert not cache.notice
    # That nothing was found is no certificate: what is open is judged again.
    assert {BOOK.verify([key])[key].verdict.status.value for key in judged} <= {"OPEN", "NONE"}


def test_the_kernel_replays_every_entry(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed: list[str] = []
    accept = order.accept_entry
    monkeypatch.setattr(
        order, "accept_entry", lambda claim, *rest: replayed.append(claim.key) or accept(claim, *rest)
    )
    found = BOOK.verify(KEYS, cache=Cache(folder))
    decided = {key for key, e in found.items() if e.verdict.certificate or e.verdict.witness}
    assert set(replayed) == decided


def cut(value: Any) -> Any:
    del value["lines"][-3:]
    return value


def other_line(value: Any) -> Any:
    for line in value["lines"]:
        line.get("says", [0, 0])[1] = ["+", 1, line.get("says", [0, 0])[1]]
    return value


def other_statement(value: Any) -> Any:
    value["statement"]["says"][1] = 1
    return value


def more_assumed(value: Any) -> Any:
    value["takes"]["facts"] = [[">=", -1, "convexity", []]]
    return value


WRONG: dict[str, Callable[[Any], Any]] = {
    "lines less": cut,
    "other lines": other_line,
    "another statement": other_statement,
    "a fact": more_assumed,
    "no certificate": lambda _: {"claim": PROVED},
    "an acceptance by name": lambda _: True,
    "a number": lambda _: 3,
}


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_certificate_is_detected(how: str, folder: Path, plain: str) -> None:
    plant(folder, PROVED, WRONG[how](copy.deepcopy(entry(folder, PROVED))))
    cache = Cache(folder)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert f"the entry of {PROVED} is rejected" in cache.notice
    assert "\n" not in cache.notice
    # The right one is there again.
    again = Cache(folder)
    assert text(BOOK.verify(KEYS, cache=again)) == plain
    assert not again.notice


def test_a_certificate_of_another_claim_is_detected(folder: Path, plain: str) -> None:
    plant(folder, PROVED, entry(folder, REFUTED))
    cache = Cache(folder)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert "rejected" in cache.notice


def test_files_under_each_others_names_are_detected(folder: Path, plain: str) -> None:
    one, other = (folder / f"{name_of(key)}.json" for key in (PROVED, REFUTED))
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    cache = Cache(folder)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert "damaged or renamed" in cache.notice


def test_what_another_kernel_accepted_is_not_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = BOOK.entry_names(KEYS)
    monkeypatch.setattr(names, "sources", lambda *_: "another kernel")
    after = Ledger(BOOK.claims.values()).entry_names(KEYS)
    assert not set(before.values()) & set(after.values())


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"{}", b"0" * 64 + b"\n{}", b"null\nnull"])
def test_a_damaged_file_is_ignored(data: bytes, folder: Path, plain: str) -> None:
    for path in folder.iterdir():
        path.write_bytes(data)
    cache = Cache(folder)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert "damaged" in cache.notice


def test_a_cut_file_is_ignored_wherever_it_is_cut(folder: Path) -> None:
    path = folder / f"{name_of(REFUTED)}.json"
    data = path.read_bytes()
    for end in range(0, len(data), 97):
        path.write_bytes(data[:end])
        assert Cache(folder).get(name_of(REFUTED)) is None


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, plain: str) -> None:
    place = tmp_path / "file"
    place.write_text("no folder", encoding="utf-8")
    cache = Cache(place)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert cache.notice.count("ignored") == 1
    assert place.read_text(encoding="utf-8") == "no folder"


def test_a_full_disk_is_one_line(tmp_path: Path, plain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "replace", full)
    cache = Cache(tmp_path)
    assert text(BOOK.verify(KEYS, cache=cache)) == plain
    assert "No space left" in cache.notice
    assert not list(tmp_path.iterdir())


def test_one_edited_record_is_judged_again_with_what_depends_on_it() -> None:
    lemma = next(key for key in BOOK.uses[PROVED] if BOOK.claims[key].instances or BOOK.claims[key].proof)
    edited = dict(BOOK.claims)
    edited[lemma] = replace(edited[lemma], depends=(*edited[lemma].depends, "e0.zero"))
    before, after = BOOK.entry_names(BOOK.claims), Ledger(edited.values()).entry_names(BOOK.claims)
    above = {key for key in BOOK.claims if lemma in closure(key)}
    assert {key for key in before if before[key] != after[key]} == above
    assert PROVED in above != set(BOOK.claims)


def closure(key: str) -> set[str]:
    return {key}.union(*(closure(below) for below in BOOK.uses[key]))


def test_two_writers_never_leave_a_torn_entry(tmp_path: Path) -> None:
    values = [{"n": i, "long": "x" * 50_000} for i in range(2)]

    def work(i: int) -> bool:
        cache = Cache(tmp_path)
        cache.put([("a" * 64, values[i % 2])])
        return cache.get("a" * 64) in values and not cache.notice

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(60)))
    assert [path.name for path in tmp_path.iterdir()] == ["a" * 64 + ".json"]


def test_old_entries_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oubli.theory.judging.cache.MOST", 3)
    for i in range(5):
        Cache(tmp_path).put([(f"{i:064}", i)])
        os.utime(tmp_path / f"{i:064}.json", (i, i))
    Cache(tmp_path).put([])
    assert sorted(int(path.stem) for path in tmp_path.iterdir()) == [2, 3, 4]


def test_the_command_uses_it_and_can_do_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUBLI_CACHE", str(folder))
    plant(folder, REFUTED, 3)
    (folder / "foreign").write_text("of somebody else", encoding="utf-8")
    without = CliRunner().invoke(commands, ["show", REFUTED, "--json", "--no-cache"])
    with_it = CliRunner().invoke(commands, ["show", REFUTED, "--json"])
    assert without.stdout == with_it.stdout
    assert json.loads(with_it.stdout)["status"] == "REFUTED"
    assert without.stderr == ""
    assert with_it.stderr.count("\n") == 1
    assert "rejected" in with_it.stderr


def test_verdicts_are_the_same_on_two_processors(tmp_path: Path) -> None:
    keys = [key for key, c in BOOK.claims.items() if not c.proof][:12]
    assert len(BOOK.closure([*keys, *KEYS])) >= workers.FEWEST
    keys += KEYS
    one = text(BOOK.verify(keys))
    assert text(BOOK.verify(keys, jobs=2)) == one
    assert text(BOOK.verify(keys, cache=Cache(tmp_path), jobs=2)) == one
    assert text(BOOK.verify(keys, cache=Cache(tmp_path), jobs=2)) == one


def squares(jobs: int, work: Callable[[int], int]) -> list[int]:
    asked, found = [(i,) for i in range(30)], list[int]()
    workers.answers(work, jobs, lambda n: [asked.pop() for _ in asked[:n]], lambda _, a: found.append(a))
    return sorted(found)


def test_lost_workers_cost_nothing() -> None:
    here = os.getpid()

    def work(i: int) -> int:
        if i % 7 == 3 and os.getpid() != here:
            os._exit(9)
        return i * i

    assert squares(3, work) == [i * i for i in range(30)]


def test_an_error_in_a_worker_is_raised_here() -> None:
    def work(i: int) -> int:
        if i == 5:
            raise LookupError("five")
        return i

    with pytest.raises(LookupError, match="five"):
        squares(2, work)
