"""`bot.toml`: what a bot says about itself, and how it is started."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError

from referee.shell.problems import FileModel, FileProblems, problems_of, read_toml

MANIFEST = "bot.toml"
PLACEHOLDERS = ("{python}", "{address}")
"""What a run command may contain: the referee's own interpreter, and the address the bot must listen on."""

ANY_GAME = "*"


class ManifestError(FileProblems):
    """A folder that is no bot, or a `bot.toml` with mistakes."""


def plain_name(text: str) -> str:
    """The text itself, if it can be a name.

    Raises:
        ValueError: it has other characters than letters, digits, - and _, or none.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        raise ValueError(f"{text!r} is not allowed; allowed: letters, digits, - and _")
    return text


def _version(text: str) -> str:
    # No / and no +, which separate the parts of a fixture's id.
    if not re.fullmatch(r"[A-Za-z0-9._-]+", text):
        raise ValueError(f"{text!r} is not allowed; allowed: letters, digits, . - and _")
    return text


def _argument(text: str) -> str:
    unknown = [found for found in re.findall(r"\{[^{}]*\}", text) if found not in PLACEHOLDERS]
    if unknown:
        raise ValueError(f"{', '.join(unknown)} is not known; allowed: {', '.join(PLACEHOLDERS)}")
    return text


def _some(items: tuple[str, ...]) -> tuple[str, ...]:
    if not items:
        raise ValueError("is empty; at least one is needed")
    return items


# TOML has lists and strict pydantic takes no list for a tuple, so the outer type alone is not strict.
_LIST = Field(strict=False)
_Word = Annotated[str, Field(min_length=1)]


class Manifest(FileModel):
    """A `bot.toml`.

    Attributes:
        name: letters, digits, - and _.
        version: letters, digits, . - and _; a bot that changed needs a new one.
        author: free text.
        games: the names of the games it plays, or `*` for any.
        run: the command that starts it, one argument each, run in the bot's folder.
    """

    name: Annotated[str, AfterValidator(plain_name)]
    version: Annotated[str, AfterValidator(_version)]
    author: str
    games: Annotated[tuple[_Word, ...], _LIST, AfterValidator(_some)]
    run: Annotated[tuple[Annotated[_Word, AfterValidator(_argument)], ...], _LIST, AfterValidator(_some)]

    @property
    def entry(self) -> str:
        """What the bot is called in a league: `name@version`."""
        return f"{self.name}@{self.version}"

    def plays(self, game: str) -> bool:
        """Whether it says that it plays `game`."""
        return game in self.games or ANY_GAME in self.games


def read_manifest(folder: Path) -> Manifest:
    """The `bot.toml` of a bot's folder.

    Raises:
        ManifestError: with everything that is wrong, each with its place and what is allowed.
    """
    if not folder.is_dir():
        raise ManifestError([f"{folder}: there is no such folder; a bot is a folder with a bot.toml"])
    path = folder / MANIFEST
    try:
        return Manifest.model_validate(read_toml(path))
    except FileProblems as error:
        raise ManifestError(error.problems) from error
    except ValidationError as error:
        raise ManifestError(problems_of(error, Manifest, f"{path}: ")) from error
