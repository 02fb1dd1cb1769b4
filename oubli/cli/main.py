"""The command line: `oubli`.

One small file per command beside this one; this one gathers them and turns every
mistake in the call into one line and exit status 2.
"""

import atexit
import errno
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from oubli.errors import EXTRAS, MissingExtraError, OubliError, one_line
from oubli.words import nearest

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130
# A disk or device that takes no more.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

# Module and line of help; loaded when called: `oubli tv` should not wait for the symbolic side.
MODULES = {
    "check": ("oubli.cli.check", "Verify the paper, or some claims, and write the report."),
    "claims": ("oubli.cli.show", "List every claim of the paper with its place."),
    "show": ("oubli.cli.show", "Show one claim: printed, verdict, witness or proof, repair."),
    "verify": ("oubli.cli.verify", "Replay certificates through the checker."),
    "coverage": ("oubli.cli.coverage", "Count the relations that are judged as printed."),
    "report": ("oubli.cli.report", "Make the report again from its verdicts; nothing is verified."),
    "errata": ("oubli.cli.errata", "Write the errors as a letter to the authors, worst first."),
    "paper": ("oubli.cli.paper", "Show the paper's TeX with each verdict beside its relation."),
    "tv": ("oubli.cli.laws", "Exact total variation of two binomial laws."),
    "gauss": ("oubli.cli.laws", "Exact privacy of Gaussian noise."),
    "regime": ("oubli.cli.regime", "Add noise, fine-tune, or retrain? What to do in numbers."),
    "constants": ("oubli.cli.constants", "Find L and μ of a regularised model, for `oubli regime`."),
    "phase": ("oubli.cli.phase", "Phase diagrams over the target e/e0 and the privacy κ."),
    "audit": ("oubli.cli.audit", "Hold an unlearning algorithm against its claims."),
    "help": ("oubli.cli.help", "Show the page of a topic, or the list of topics."),
    "completion": ("oubli.cli.completion", "Print the completion script of a shell."),
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the table."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in MODULES:
            return None
        command: click.Command = getattr(import_module(MODULES[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with a line each; none is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in MODULES.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is called; for a misspelt one the error names the nearest."""
        if args[0] not in MODULES and not ctx.resilient_parsing:
            ctx.fail(f"No such command {args[0]!r}: {nearest(args[0], MODULES)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of this package is one line and its exit status."""
        try:
            return super().invoke(ctx)
        except OubliError as error:
            self._end(ctx, error)
        except ModuleNotFoundError as error:
            extra = EXTRAS.get((error.name or "").split(".")[0])
            if extra is None:
                raise
            self._end(ctx, MissingExtraError("this command", extra))

    def _end(self, ctx: click.Context, error: OubliError) -> None:
        click.echo(f"oubli: {one_line(str(error))}", err=True)
        ctx.exit(error.exit_status)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="oubli-unlearning")
def commands() -> None:
    """When is machine unlearning worth it? Claims, verdicts and exact numbers.

    \b
    Examples:
      oubli check
      oubli show "Theorem 1"
      oubli regime --n 60000 --forget 100 --dim 7850 --eps 1 --delta 1e-5
      oubli audit --template
      oubli help regime
    """


def check_ahead(words: list[str]) -> None:
    """For `oubli check`, let the kernel replay certificates while the records are being built."""
    if words[:1] != ["check"] or {"--no-cache", "--help", "-h"} & {*words}:
        return
    from oubli.theory.judging import ahead
    from oubli.theory.judging.cache import Cache

    with suppress(OSError):  # no process to spare: then nothing is replayed ahead
        ahead.running = ahead.begun(Cache())


def main(arguments: list[str] | None = None) -> None:
    """Run `oubli`; a usage error is one line (what was given, what is accepted), not a page."""
    os.environ.setdefault("SYMPY_CACHE_SIZE", "100000")  # the records have more formulas than its 1000
    gc.set_threshold(50_000)  # formulas make many objects that all stay: to look for garbage often finds none
    atexit.register(gc.freeze)  # nor is there a point in looking at them all once more at the end
    try:
        check_ahead(sys.argv[1:] if arguments is None else arguments)
        status = commands.main(arguments, prog_name="oubli", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(status or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()  # the whole page: nothing was asked yet
        sys.exit(EXIT_BAD_INPUT)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "oubli"
        click.echo(f"oubli: {one_line(error.format_message())} (see `{where} --help`)", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("oubli: interrupted; what was written before is untouched", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _forget_output()
        click.echo(f"oubli: the output cannot be written: {error.strerror}", err=True)
        sys.exit(EXIT_BAD_INPUT)


def _forget_output() -> None:
    """Send what is left of the output nowhere, so that the end of the program does not try once more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
