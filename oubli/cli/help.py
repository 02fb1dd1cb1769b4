"""`oubli help TOPIC`: pages like those of man, and the help of every command."""

from __future__ import annotations

import json
from importlib.resources import files

import click

from oubli.cli.output import out_option
from oubli.errors import InputError
from oubli.words import nearest

_FOLDER = files("oubli.cli.topics")


def topics() -> dict[str, str]:
    """The text of each topic, by name.

    >>> topics()["units"].splitlines()[0]
    'units - L, mu, e0, kappa, gradients and epochs'
    """
    found = sorted((f for f in _FOLDER.iterdir() if f.name.endswith(".txt")), key=lambda f: f.name)
    return {f.name.removesuffix(".txt"): f.read_text(encoding="utf-8").rstrip() for f in found}


def _named(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The topics and commands that begin as the word that a shell completes."""
    root = context.find_root()
    assert isinstance(root.command, click.Group)
    return [name for name in sorted({*topics(), *root.command.list_commands(root)}) if name.startswith(begun)]


@click.command("help")
@click.argument("topic", required=False, nargs=-1, shell_complete=_named)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout: topic and text.")
@out_option
@click.pass_context
def help(context: click.Context, topic: tuple[str, ...], as_json: bool) -> None:
    """Show the page of a TOPIC or the help of a command; without one, the list.

    \b
    Examples:
      oubli help
      oubli help regime
      oubli help phase theory
      oubli help units --out units.txt
    """
    name, text = " ".join(topic), _text(context, topic)
    shown = json.dumps({"topic": name, "text": text}) if as_json else text
    click.echo(shown) if as_json else click.echo_via_pager(shown + "\n")


def _text(context: click.Context, topic: tuple[str, ...]) -> str:
    known, root = topics(), context.find_root()
    if not topic:
        lines = [text.splitlines()[0].partition(" - ") for text in known.values()]
        listed = "\n".join(f"  {name:<12}  {summary}" for name, _, summary in lines)
        return f"Topics of `oubli help TOPIC`:\n{listed}\nThe help of a command: `oubli COMMAND --help`."
    if topic[0] in known and len(topic) == 1:
        return known[topic[0]]
    return _of_command(root, topic, list(known))


def _of_command(context: click.Context, names: tuple[str, ...], known: list[str]) -> str:
    """The help of a command, found by its name inside its groups."""
    for name in names:
        group = context.command
        found = group.get_command(context, name) if isinstance(group, click.Group) else None
        if found is None:
            commands = group.list_commands(context) if isinstance(group, click.Group) else []
            raise InputError(
                f"{' '.join(names)}: no such topic; {nearest(name, sorted({*known, *commands}))}"
            )
        context = click.Context(found, parent=context, info_name=name)
    return context.get_help()
