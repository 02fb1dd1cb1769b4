"""The option --paper, the same for every command that judges claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from oubli.papers import DEFAULT, paper
from oubli.theory.records.paper import Paper

Command = TypeVar("Command", bound=Callable[..., Any])


def _found(_context: click.Context, _option: click.Parameter, name: str) -> Paper:
    return paper(name)


def paper_option(command: Command) -> Command:
    """Give a command the argument `paper`, the record of the paper that --paper names."""
    option = click.option(
        "--paper",
        metavar="NAME|PATH",
        default=DEFAULT,
        show_default=True,
        callback=_found,
        help="The paper: a shipped name, a package, or the folder of one.",
    )
    return option(command)
