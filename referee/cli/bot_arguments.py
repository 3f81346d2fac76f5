"""Bots as the command line names them: a folder, or the address of a remote bot."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
import uvloop

from referee.cli.console import remark
from referee.core.bot_limits import Sandbox
from referee.core.errors import WrongUse
from referee.core.text import is_utf8
from referee.files.addresses import is_address
from referee.files.manifest import MANIFEST, ManifestError
from referee.files.options import wrong_values
from referee.runtime.confinement import Confinement, confinement
from referee.runtime.host import Bot
from referee.runtime.local_bot import LocalBot, read_bot
from referee.runtime.remote_bot import Credentials, meet
from referee.runtime.sandbox.landlock import NOTE
from referee.runtime.sandbox.self_test import obstacle
from referee.wire.registry import games

BOT_HELP = "A bot's folder, or where it runs: grpcs://HOST:PORT or unix:PATH"
CaFile = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="The authority that signed the certificates of remote bots (PEM)."),
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", metavar="FILE", help="Contains the token that remote bots ask for.")
]

SandboxChoice = Annotated[
    Sandbox | None,
    typer.Option("--sandbox", help="The sandbox of bots in folders. Default: bubblewrap where it works, else none."),
]

_MEETING_MS = 10_000


def confinement_for(bots: Iterable[Bot], sandbox: Sandbox | None) -> Confinement:
    """The confinement of bots that no league file names.

    Args:
        bots: the bots; for remote ones nothing is needed.
        sandbox: what the user asks for; None: bubblewrap where it works, else none, with a message to the user.

    Raises:
        WrongUse: the user asks for bubblewrap or landlock, and it does not work here.
    """
    if sandbox == "none" or not any(bot.is_ours_to_end for bot in bots):
        return confinement("none")
    wanted = sandbox or "bubblewrap"
    hindrance = obstacle(wanted)
    if hindrance is None:
        if wanted == "landlock":
            remark(NOTE)
        return confinement(wanted)
    if sandbox is not None:
        raise WrongUse(f"{wanted} does not work here: {hindrance.what}; `referee doctor` says what to do")
    remark(
        f"bots run without a box, since bubblewrap does not work here: {hindrance.what}"
        " (`referee doctor` says what to do); each can change your files, and hear and answer for others through /proc"
    )
    return confinement("none")


def named_bots(words: Sequence[str], ca: Path | None = None, token_file: Path | None = None) -> list[Bot]:
    """The bots that `words` name, in order. The function asks remote bots for their names and versions.

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
    if "\0" in str(folder):  # a transcript may say so
        raise ManifestError([f"{folder}: no folder has such a name"])
    if not is_utf8(str(folder.resolve())):  # transcripts name the place of each bot, as text
        raise ManifestError([f"{folder}: its name is not UTF-8; rename the folder"])
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
