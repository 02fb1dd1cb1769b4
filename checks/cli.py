"""The command line: `oubli`.

One small file per command; this one only gathers them.
"""

import click


@click.group()
@click.version_option(package_name="oubli")
def main() -> None:
    """When is machine unlearning worth it? Claims, verdicts and exact numbers."""
