"""The option --no-cache, the same for every command that judges claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from oubli.theory.judging.cache import NO_CACHE, Cache

Command = TypeVar("Command", bound=Callable[..., Any])


def _chosen(context: click.Context, _option: click.Parameter, off: bool) -> Cache:
    cache = NO_CACHE if off else Cache()
    context.call_on_close(lambda: notice(cache))
    return cache


def notice(cache: Cache) -> None:
    """One line on stderr if something of the cache was not used."""
    if cache.notice:
        click.echo(f"oubli: {cache.notice}", err=True)


def cache_option(command: Command) -> Command:
    """Give a command the argument `cache`: the user's, or none with --no-cache."""
    option = click.option(
        "--no-cache",
        "cache",
        is_flag=True,
        callback=_chosen,
        help="Judge everything anew; else the kernel replays certificates that it accepted before.",
    )
    return option(command)
