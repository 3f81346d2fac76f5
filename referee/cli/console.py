"""How commands print, and how they end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich import console as rich
from rich.text import Text

from referee.core.errors import Told
from referee.core.printable import one_line, printable, printable_json

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")]


class Console(rich.Console):
    """Prints text as it is: nothing in it is markup, and what cannot be printed is shown as an escape."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def render_str(self, text: str, **how: Any) -> Text:
        """Every text comes through here, be it a line, a title or a cell of a table."""
        return super().render_str(printable(text), **how)


out = Console(soft_wrap=True)
err = Console(stderr=True, soft_wrap=True)
wide = Console(width=1_000)
"""For tables: they are as wide as they need, not cut to the terminal."""


def say(text: str) -> None:
    """Print `text`, of any number of lines, as what the command was asked for."""
    out.print(text)


def remark(sentence: str) -> None:
    """Print a line beside what the command was asked for."""
    err.print(one_line(sentence))


def print_json(value: Any) -> None:
    """`value` as one JSON document."""
    _write(msgspec.json.format(msgspec.json.encode(value)))


def print_json_line(value: Any) -> None:
    """`value` as a JSON document on a line of its own."""
    _write(msgspec.json.encode(value))


def _write(document: bytes) -> None:
    sys.stdout.write(printable_json(document.decode()) + "\n")
    sys.stdout.flush()


def fail(code: int, *sentences: str) -> NoReturn:
    """Say what is wrong, a line each, and end with `code`."""
    for sentence in sentences:
        err.print(one_line(sentence))
    sys.exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn mistakes of the user, and failures around us, into sentences. A bug stays a traceback."""
    try:
        yield
    except Told as error:
        fail(error.exit_code, *str(error).split("\n"))
