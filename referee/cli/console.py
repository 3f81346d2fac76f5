"""How commands print, and how they end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENAMETOOLONG
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich import console as rich
from rich.text import Text

from referee.core.errors import Exit, GameBug, Stopped, UserError
from referee.core.text import one_line, printable, printable_json
from referee.files.transcripts import keep
from referee.runtime.shortages import describe_shortage, is_shortage
from referee.wire.registry import package_bug

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")]


class Console(rich.Console):
    """Prints text as it is. No text is read as markup, and unprintable characters appear as escapes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def render_str(self, text: str, **how: Any) -> Text:
        """Handle every text: all lines, titles and table cells pass through here."""
        return super().render_str(printable(text), **how)


out = Console(soft_wrap=True)
err = Console(stderr=True, soft_wrap=True)
wide = Console(width=1_000)
"""For tables. A table is as wide as it needs to be, and the terminal does not cut it."""


def say(text: str) -> None:
    """Print `text` as the command's result. It may have any number of lines."""
    out.print(text)


def show(text: str) -> None:
    """Print a piece of the output of another program at once."""
    out.print(text, end="")


def remark(sentence: str) -> None:
    """Print a line that is not part of the command's result."""
    err.print(one_line(sentence))


def print_json(value: Any) -> None:
    """Print `value` as one JSON document."""
    _write(msgspec.json.format(msgspec.json.encode(value)))


def print_json_line(value: Any) -> None:
    """Print `value` as a JSON document on a line of its own."""
    _write(msgspec.json.encode(value))


def _write(document: bytes) -> None:
    sys.stdout.write(printable_json(document.decode()) + "\n")
    sys.stdout.flush()


def fail(code: int, *sentences: str) -> NoReturn:
    """Print what is wrong, one sentence per line, and end with `code`."""
    for sentence in dict.fromkeys(sentences):  # a bot in two seats gives one reason twice
        err.print(one_line(sentence))
    sys.exit(code)


@contextmanager
def report_errors_plainly() -> Iterator[None]:
    """Turn the user's mistakes and outside failures into sentences. A bug still shows a traceback."""
    try:
        yield
    except UserError as error:
        fail(error.exit_code, *sentences(error))
    except UnicodeEncodeError as error:  # a path may have any bytes, and much that we write is UTF-8
        if error.reason != "surrogates not allowed":
            raise
        fail(Exit.WRONG_USE, f"{error.object} is not UTF-8; rename the file or folder, or give another word")
    except BaseException as error:
        if not isinstance(error, Stopped) and (bug := package_bug(error)):
            fail(bug.exit_code, str(bug))
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            fail(Exit.WRONG_USE, f"{error.filename}: no file has so long a name; shorten it")
        if not is_shortage(error):
            raise
        fail(Exit.OUR_FAILURE, f"this machine lacks something {describe_shortage(error)}")


def sentences(error: UserError) -> list[str]:
    """What an error says, one sentence each. The match in which a game failed is first put into a file."""
    if isinstance(error, GameBug):
        return [keep(error)]
    return str(error).split("\n")
