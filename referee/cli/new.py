"""`referee new`, `referee build` and `referee new-game`: from nothing to a bot or a game that can be checked."""

import keyword
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import referee_bot
import typer

from referee.cli.bot_arguments import confinement_for
from referee.cli.console import fail, remark, say, show
from referee.core.bot_limits import Sandbox
from referee.core.errors import Exit
from referee.files.manifest import MANIFEST, plain_name
from referee.files.starters import starters
from referee.runtime import run_build
from referee.runtime.confinement import Confinement
from referee.runtime.local_bot import LocalBot, read_sources
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.wire.registry import games, missing_games

_PROTOS = "proto"  # a starter in the repository has a link of this name; a starter in a package has none
_README = "README.md"
_OTHER_LANGUAGES = {"lines": "line-bots.md", "grpc": "bot-languages.md"}
_DOCS = Path(__file__).parents[2] / "docs"
_LIBRARY = "library"  # the package that the referee's own interpreter has, for bots in Python with another
_CHAT = "chat"  # the bot that asks a language model; it needs the package `referee` and speaks gRPC
_NOT_COPIED = ("__pycache__", "node_modules", "build", "dist", "target", "obj", "Cargo.lock")


def new_bot(
    language: Annotated[str, typer.Argument(help="Its language; or chat: it asks a language model.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make. The bot gets its name.")],
    protocol: Annotated[
        Literal["lines", "grpc"],
        typer.Option("--protocol", help="lines: it reads and writes lines. grpc: it answers calls; for six languages."),
    ] = "lines",
) -> None:
    """Write a small working bot to start from."""
    if language == _CHAT:
        with new_folder(folder):
            shutil.copytree(starters() / "python" / _CHAT, folder, ignore=shutil.ignore_patterns(*_NOT_COPIED))
        say(f"{folder}: a remote bot that asks a language model; see: python {folder}/bot.py --help")
        return
    found = _starters() if protocol == "grpc" else _line_starters()
    if language not in found:
        names = ", ".join([*found, _CHAT])
        there = f"there is no starter in {language!r} with --protocol {protocol}; there are: {names}"
        docs = _DOCS if _DOCS.is_dir() else "in the repository of Referee: docs"
        fail(Exit.WRONG_USE, f"{there}. For any other language see {docs}/{_OTHER_LANGUAGES[protocol]}")
    with new_folder(folder):
        name = _bot_name(folder)
        shutil.copytree(found[language], folder, ignore=shutil.ignore_patterns(*_NOT_COPIED, _PROTOS))
        if protocol == "lines":
            shutil.copy(found[language].parent / _README, folder)
        else:
            shutil.copytree(starters().parent / _PROTOS, folder / _PROTOS)  # where the starter looks for them
            if language == "python":
                _copy_library(folder / _LIBRARY)
        _rename(folder, f"starter-{language}", name)
    say(f"{folder}: a bot in {language}, called {name}@1. What to do next is in its README.md.")


def build(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A bot's folder.")],
    sandbox: Annotated[
        Sandbox | None,
        typer.Option("--sandbox", help="The sandbox of the build. Default: none. In bubblewrap there is no network."),
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Build in bubblewrap, but with the network of this machine.")
    ] = False,
    time_limit: Annotated[int, typer.Option(metavar="SECONDS", min=1, help="How long the build may take.")] = 600,
) -> None:
    """Run a bot's build command in its folder."""
    sources = read_sources(bot)
    command = sources.build_command
    if not command:
        say(f"{sources.entry}: there is nothing to build")
        return
    try:
        code = run_build.build(sources, _confinement(sources, sandbox, network=network), time_limit, show)
    except OSError as error:
        fail(Exit.DOES_NOT_HOLD, f"{bot / MANIFEST}: build[0]: {command[0]} cannot be run: {error.strerror}")
    if code is None:
        hint = "if it only needs more time, set --time-limit"
        fail(Exit.DOES_NOT_HOLD, f"{bot}: its build command was ended after {time_limit} s; {hint}")
    if code:
        fail(Exit.DOES_NOT_HOLD, f"{bot}: its build command failed with code {code}; its output is above")
    say(f"{sources.entry} is built")


def _confinement(bot: LocalBot, sandbox: Sandbox | None, *, network: bool) -> Confinement:
    if not network:
        return confinement_for([bot], sandbox or "none")
    if sandbox not in (None, "bubblewrap"):
        fail(Exit.WRONG_USE, "--network works only together with --sandbox bubblewrap")
    confinement_for([bot], "bubblewrap")  # it says so if this does not work here
    remark("this build may use the network; a league builds submitted bots without one")
    return Bubblewrap(network=True)


def _starters() -> dict[str, Path]:
    """Where the starter in each language is: in an installed package, or beside the code in the repository."""
    return {path.parent.name: path for path in sorted(starters().glob("*/starter"))}


def _line_starters() -> dict[str, Path]:
    """Where the starter that reads lines is, in each language."""
    return {path.parent.name: path.parent for path in sorted(starters().glob(f"lines/*/{MANIFEST}"))}


def _copy_library(folder: Path) -> None:
    """Copy the package `referee_bot` without the messages, which an author generates from the protos."""
    package = Path(referee_bot.__path__[0])
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns(*_NOT_COPIED, "v1"))


def _bot_name(folder: Path) -> str:
    try:
        return plain_name(folder.resolve().name)
    except ValueError as error:
        fail(Exit.WRONG_USE, f"{folder}: {error}; the folder's name becomes the bot's")


@contextmanager
def new_folder(folder: Path) -> Iterator[None]:
    """End the command if the folder is there already, or if it cannot be written; then nothing of it stays."""
    if folder.exists():
        fail(Exit.WRONG_USE, f"{folder}: is there already; name a folder that is not")
    try:
        yield
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)  # so that the same command can be given again
        where, why = _first_failure(error)
        fail(Exit.WRONG_USE, f"{where or folder}: cannot be written: {why}; mend that, then give the command again")


def _first_failure(error: OSError) -> tuple[str, str]:
    """The file that could not be written, and why. An error of `shutil.copytree` has a list of them."""
    if isinstance(error, shutil.Error):
        _, where, why = error.args[0][0]
        return where, why.rpartition("] ")[2].partition(": '")[0]
    return error.filename, error.strerror or str(error)


def _rename(folder: Path, old: str, new: str) -> None:
    """Replace the starter's name with the new bot's name, in every file that has it."""
    for path in folder.iterdir():
        if path.is_file():
            path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


_PACKAGED_GAME = Path(__file__).parents[1] / "game_starter"
_GAME_IN_THE_REPOSITORY = Path(__file__).parents[2] / "sample_games" / "starter"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_BOT = Path("bots") / "careful"
_NOT_COPIED_WITH_A_GAME = ("__pycache__", "*.sqlite*")


def new_game(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make. The game gets its name.")],
) -> None:
    """Write a package with a small game that works, to start from."""
    name = folder.resolve().name
    if not _NAME.fullmatch(name):
        fail(
            Exit.WRONG_USE,
            f"{folder}: a game's name is small letters and digits, with - between words; the folder's name becomes it",
        )
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or find_spec(module):
        fail(Exit.WRONG_USE, f"{folder}: Python has a word or a module of this name already; take another name")
    if name in games() or name in missing_games():
        fail(Exit.WRONG_USE, f"{folder}: there is an installed game of this name already; take another name")
    with new_folder(folder):
        home = _PACKAGED_GAME if _PACKAGED_GAME.is_dir() else _GAME_IN_THE_REPOSITORY
        shutil.copytree(home, folder, ignore=shutil.ignore_patterns(*_NOT_COPIED_WITH_A_GAME))
        shutil.copy(_starters()["python"] / "bot.py", folder / _BOT)
        _rename_game(folder, name)
    say(f"{folder}: a package with the game {name}. What to do next is in its README.md.")


def _rename_game(folder: Path, name: str) -> None:
    """Give the game its name: in the text of all files, as a module, as a class, and in names of files."""
    names = {
        "starter-game": name,
        "starter_game": name.replace("-", "_"),
        "StarterGame": "".join(map(str.capitalize, name.split("-"))),
    }
    for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before the folder
        if path.is_file():
            path.write_text(_replaced(path.read_text(encoding="utf-8"), names), encoding="utf-8")
        path.rename(path.with_name(_replaced(path.name, names)))


def _replaced(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text
