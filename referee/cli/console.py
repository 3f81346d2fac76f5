"""How commands print, and how they end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console

from referee.core.errors import Told

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")]

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)
wide = Console(highlight=False, width=1_000)
"""The console for tables: they are as wide as they need to be, not cut to the terminal."""


def say(text: str) -> None:
    """Print `text` as it is."""
    out.print(text, markup=False)


def print_json(value: Any) -> None:
    """`value` as one JSON document."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")


def fail(code: int, *sentences: str) -> NoReturn:
    """Say what is wrong and end with `code`."""
    for sentence in sentences:
        err.print(sentence, markup=False)
    sys.exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn mistakes of the user, and failures around us, into sentences. A bug stays a traceback."""
    try:
        yield
    except Told as error:
        fail(error.exit_code, str(error))
