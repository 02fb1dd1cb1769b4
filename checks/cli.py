"""The command line: `oubli`.

One small file per command under `checks/commands`; this one gathers them and turns every
mistake in the call into one line and exit code 2.
"""

import sys
from importlib import import_module

import click

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

# Loaded when called: `oubli tv` should not wait for the symbolic side.
PLACES = {
    "check": "checks.commands.check",
    "claims": "checks.commands.show",
    "show": "checks.commands.show",
    "verify": "checks.commands.verify",
    "coverage": "checks.commands.coverage",
    "report": "checks.commands.report",
    "tv": "checks.commands.laws",
    "gauss": "checks.commands.laws",
    "regime": "checks.commands.regime",
    "phase": "checks.commands.phase",
    "audit": "checks.commands.audit",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the table."""
        return list(PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in PLACES:
            return None
        command: click.Command = getattr(import_module(PLACES[cmd_name]), cmd_name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="oubli")
def commands() -> None:
    """When is machine unlearning worth it? Claims, verdicts and exact numbers."""


def main(arguments: list[str] | None = None) -> None:
    """Run `oubli`; a usage error is one line (what was given, what is accepted), not a page."""
    try:
        sys.exit(commands.main(arguments, prog_name="oubli", standalone_mode=False) or 0)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "oubli"
        click.echo(f"oubli: {error.format_message()} (see `{where} --help`)", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("oubli: interrupted; what was written before is untouched", err=True)
        sys.exit(EXIT_INTERRUPTED)
