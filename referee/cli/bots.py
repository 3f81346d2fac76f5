"""Bots as the command line names them: a folder, or the address of a remote bot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
import uvloop

from referee.files.manifest import MANIFEST, ManifestError
from referee.files.options import wrong_values
from referee.shell.confinement import Confinement, confinement
from referee.shell.host import Bot
from referee.shell.local import LocalBot, read_bot
from referee.shell.remote import Credentials, is_address, meet
from referee.wire.registry import games

BOT_HELP = "A bot's folder, or grpcs://HOST:PORT"
CaFile = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="The authority that signed the certificates of remote bots (PEM)."),
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", metavar="FILE", help="Contains the token that remote bots ask for.")
]

_MEETING_MS = 10_000


def default_confinement() -> Confinement:
    """The confinement of bots that no league file sets."""
    return confinement("none")


def named_bots(words: Sequence[str], ca: Path | None, token_file: Path | None) -> list[Bot]:
    """The bots that `words` name, in order. Remote bots are asked who they are.

    Raises:
        FileProblems: a folder holds no bot, an address is wrong, a file cannot be read, or a game lacks an option.
        Unreachable: a remote bot does not answer.
    """
    credentials = Credentials(ca, token_file)
    return [
        uvloop.run(meet(word, credentials, _MEETING_MS)) if is_address(word) else _in_folder(Path(word))
        for word in words
    ]


def _in_folder(folder: Path) -> LocalBot:
    """The bot in a folder. Its options of games that are not installed cannot be checked."""
    bot = read_bot(folder)
    problems = [
        problem
        for name, listed in bot.manifest.options.items()
        if name in games()
        for problem in wrong_values(games()[name].game, listed, f"{folder / MANIFEST}: options.{name}.")
    ]
    if problems:
        raise ManifestError(problems)
    return bot
