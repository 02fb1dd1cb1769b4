"""What can go wrong in a call: each error is one line that names what was given and what is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

# Which extra brings a module that a plain install does not have.
EXTRAS = {
    "matplotlib": "plot",
    "sklearn": "digits",
    "dask": "cluster",
    "distributed": "cluster",
    "pandas": "frames",
    "torch": "torch",
    "jax": "jax",
    "pyarrow": "parquet",
    "hypothesis": "test",
    "pytest": "test",
}


class OubliError(ValueError):
    """An error of this package; the command line prints its line and ends with its exit status.

    >>> OubliError("no page").exit_status
    1
    """

    exit_status = 1


class InputError(OubliError):
    """What the user gave cannot be used.

    >>> InputError("T = -1: T must be an integer, at least 0").exit_status
    2
    """

    exit_status = 2


class MissingExtraError(InputError):
    """A part of the package that is installed on request is not there.

    >>> print(MissingExtraError("a picture", "plot"))
    a picture needs the extra `plot`: pip install 'oubli-unlearning[plot]'
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra `{extra}`: pip install 'oubli-unlearning[{extra}]'")


def one_line(text: str, longest: int = 600) -> str:
    """A message as one line that a terminal can show: no control characters, its middle cut if it is long.

    Args:
        text: What is to be said; it may quote what a user typed.
        longest: How many characters are kept.

    >>> one_line("T = 1\\n2\\x00: T must be an integer")
    'T = 1 2 : T must be an integer'
    >>> len(one_line("9" * 10_000))
    600
    """
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    half = (longest - 3) // 2
    return plain if len(plain) <= longest else f"{plain[: longest - 3 - half]} … {plain[-half:]}"


@contextmanager
def optional(extra: str, what: str) -> Iterator[None]:
    """Imports inside the block belong to an extra: a missing module is one line, not a traceback.

    Args:
        extra: The name of the extra in pyproject.toml.
        what: What was asked for, in words, as the subject of "needs".

    >>> with optional("plot", "a picture"):
    ...     import no_such_module
    Traceback (most recent call last):
    oubli.errors.MissingExtraError: a picture needs the extra `plot`: pip install 'oubli-unlearning[plot]'
    """
    try:
        yield
    except ModuleNotFoundError:
        raise MissingExtraError(what, extra) from None
