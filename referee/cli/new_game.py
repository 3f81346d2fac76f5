"""`referee new-game`: from nothing to a game that can be checked and played."""

import keyword
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import fail, say
from referee.cli.new_bot import new_folder, starter_folder
from referee.core.errors import Exit
from referee.wire.registry import games, missing_games

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
        shutil.copytree(_game_home(), folder, ignore=shutil.ignore_patterns(*_NOT_COPIED_WITH_A_GAME))
        shutil.copy(starter_folder("python") / "bot.py", folder / _BOT)
        _rename_game(folder, name)
    say(f"{folder}: a package with the game {name}. What to do next is in its README.md.")


def _game_home() -> Path:
    return _PACKAGED_GAME if _PACKAGED_GAME.is_dir() else _GAME_IN_THE_REPOSITORY


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
