"""Bots as the command line names them: a folder, or the address of a remote bot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
import uvloop

from referee.shell.bot import read_bot
from referee.shell.remote import Credentials, is_address, meet
from referee.shell.seat import AnyBot

BOT_HELP = "A bot's folder, or grpcs://HOST:PORT"
CaFile = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="Who may have signed the certificates of remote bots (PEM)."),
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", metavar="FILE", help="Holds the token that remote bots ask for.")
]

_MEETING_MS = 10_000


def named_bots(words: Sequence[str], ca: Path | None, token_file: Path | None) -> list[AnyBot]:
    """The bots of that name, in order; remote ones are asked who they are.

    Raises:
        FileProblems: a folder is no bot, an address is none, a file cannot be read.
        Unreachable: a remote bot does not answer.
    """
    credentials = Credentials(ca, token_file)
    return [
        uvloop.run(meet(word, credentials, _MEETING_MS)) if is_address(word) else read_bot(Path(word)) for word in words
    ]
