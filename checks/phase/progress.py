"""Work through what is missing: a bar with the time left, every finished piece kept at once."""

from __future__ import annotations

from contextlib import closing

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from checks.phase.pool import Work, results
from checks.phase.store import Store


def work_through(store: Store, work: Work, jobs: int, cluster: str | None) -> None:
    """Afterwards the store holds every piece."""
    missing = [piece for piece in work.pieces if piece.key not in store.done]
    costs = {piece.key: piece.cost(work.protocol) for piece in work.pieces}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("running", total=sum(costs.values()))
        progress.advance(bar, sum(costs.values()) - sum(costs[piece.key] for piece in missing))
        found = results(Work(work.protocol, work.own, missing), jobs, cluster)
        with closing(found):  # type: ignore[type-var]
            for key, piece in found:
                store.put(key, piece)
                progress.advance(bar, costs[key])
