"""`oubli completion SHELL`: the script that completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from oubli.cli.output import out_option


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@out_option
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a SHELL.

    \b
    Examples:
      eval "$(oubli completion bash)"
      oubli completion zsh --out ~/.zfunc/_oubli
      oubli completion fish > ~/.config/fish/completions/oubli.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    # The class asks the installed shell for its version, which a script for another machine must not need.
    made = kind(context.find_root().command, {}, "oubli", "_OUBLI_COMPLETE")
    click.echo(made.source_template % made.source_vars())
