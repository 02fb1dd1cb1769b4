"""A report is left as it is only where it is, byte for byte, what would be written but for the times."""

from pathlib import Path

import pytest

from oubli.checks.report.extras import Extras
from oubli.checks.report.unchanged import origin, unchanged, written
from oubli.theory.judging.cache import NO_CACHE, Cache

HERE = origin("verdicts", Extras())


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Cache) -> Path:
    """A report of one page that was noted."""
    (tmp_path / "page").write_text("what is said")
    written(tmp_path, HERE, ["page"], cache)
    return tmp_path


def test_the_same_report_is_there(folder: Path, cache: Cache) -> None:
    assert unchanged(folder, HERE, cache)


@pytest.mark.parametrize(
    "beside", [Extras(notices=("new",)), Extras(paper="paper.html"), Extras(audits=({},))]
)
def test_what_lies_beside_the_verdicts_counts(beside: Extras, folder: Path, cache: Cache) -> None:
    assert not unchanged(folder, origin("verdicts", beside), cache)


def test_other_verdicts_are_another_report(folder: Path, cache: Cache) -> None:
    assert not unchanged(folder, origin("verdict", Extras()), cache)


def test_times_alone_are_no_other_report() -> None:
    assert origin("verdicts", Extras(times={"e0": 1.0})) == HERE


def test_a_page_that_was_edited_is_written_anew(folder: Path, cache: Cache) -> None:
    (folder / "page").write_text("what is sad!")
    assert not unchanged(folder, HERE, cache)


def test_a_page_that_is_gone_is_written_anew(folder: Path, cache: Cache) -> None:
    (folder / "page").unlink()
    assert not unchanged(folder, HERE, cache)


def test_another_folder_is_another_report(folder: Path, cache: Cache) -> None:
    other = folder / "other"
    other.mkdir()
    (other / "page").write_text("what is said")
    assert not unchanged(other, HERE, cache)


def test_without_a_cache_nothing_is_left(folder: Path) -> None:
    assert not unchanged(folder, HERE, NO_CACHE)


def test_a_note_that_is_no_note_is_not_believed(folder: Path, cache: Cache) -> None:
    for path in (folder / "cache").glob("*.json"):
        cache.put([(path.stem, ["not", "a", "note"])])
    assert not unchanged(folder, HERE, cache)
