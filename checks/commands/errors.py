"""Bad input: one line on stderr that names what was given and what is accepted, exit code 2."""

from typing import IO, Any

import click


class BadInput(click.ClickException):
    """What the user gave cannot be used.

    >>> BadInput("T = -1: T must be an integer, at least 0").exit_code
    2
    """

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"oubli: {self.format_message()}", err=True)
