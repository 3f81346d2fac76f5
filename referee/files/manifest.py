"""A bot's description of itself, and the command that starts it: a `bot.toml` as a value.

Other processes read the bots that playing processes get. So this module reads nothing (`bot_toml` does).
"""

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from referee.core.errors import FileProblems

MANIFEST = "bot.toml"
MOST_BYTES = 64 << 10
"""The size of a `bot.toml`."""

PLACEHOLDERS = ("{python}", "{address}")
"""Words that a run command may contain: the referee's own interpreter, and the address the bot must listen on."""

Transport: TypeAlias = Literal["unix", "tcp", "tcp-any"]
"""Where a bot listens: on a unix socket, on a port of this machine that the referee chose, or on one that the bot chose
itself and printed."""

Reach: TypeAlias = Transport | Literal["stdio"]
"""How the referee reaches a bot: where it listens, or through its standard input and output."""

ProtocolName: TypeAlias = Literal["grpc", "lines", "flat"]
"""How a bot talks with the referee: by calls, or in lines of JSON, or in lines of one value each."""

LISTENS: ProtocolName = "grpc"
"""The protocol of bots that listen; all others read lines."""

MOST_LINES_AT_ONCE = 512
"""Matches that a bot may play at once in lines."""

ANY_GAME = "*"

LONGEST_NAME = 64
"""Characters of a name, and of a version: more would fit neither a table nor the name of a file."""

MOST_WORDS = 256
LONGEST_WORD = 4096
"""Of a command: the number of its arguments, and the bytes of each. The system takes much more, but placeholders are
still to be filled in, and a confinement puts words of its own in front."""

BUILD_OUTPUT = ("build", "dist", "target", "obj", "node_modules", ".venv")
"""Where building a bot writes to, unless its manifest says something else."""

_TOOLS = frozenset({"__pycache__", ".git", ".hg", ".svn"})


class ManifestError(FileProblems):
    """The folder is not a bot's, or its `bot.toml` has mistakes."""


def plain_name(text: str) -> str:
    """The text itself, if it can be a name.

    Raises:
        ValueError: it has other characters than letters, digits, - and _, or none, or too many.
    """
    return _plain(text, r"[A-Za-z0-9_-]+", "letters, digits, - and _")


def plain_version(text: str) -> str:
    """The text itself, if it can be a version.

    Raises:
        ValueError: it has other characters than letters, digits, . - and _, or none, or too many.
    """
    # No / and no + and no @, which separate the parts of a fixture's id.
    return _plain(text, r"[A-Za-z0-9._-]+", "letters, digits, . - and _")


def _plain(text: str, pattern: str, allowed: str) -> str:
    if not re.fullmatch(pattern, text):
        raise ValueError(f"{text!r} is not allowed; allowed: {allowed}")
    if len(text) > LONGEST_NAME:
        raise ValueError(f"{text!r} has {len(text)} characters; allowed: 1 to {LONGEST_NAME}, of {allowed}")
    return text


def labelled(bot: str, label: str | None) -> str:
    """The name under which a bot is entered: `name@version`, or with a label `name+label@version`."""
    name, _, version = bot.partition("@")
    return bot if label is None else f"{name}+{label}@{version}"


def unlabelled(entry: str) -> str:
    """The `name@version` that the bot of an entry gives, unless it was entered under another name altogether."""
    return re.sub(r"\+[^@]*@", "@", entry)


def label_of(entry: str) -> str | None:
    """The label in the name of an entry; None if it has none."""
    name, _, _ = entry.partition("@")
    return name.partition("+")[2] or None


def run_argument(text: str) -> str:
    """The text itself, if it can be a word of the command that starts a bot.

    Raises:
        ValueError: it has a placeholder that is not known, or one twice, or a NUL, or is too long.
    """
    return _argument(text, PLACEHOLDERS)


def build_argument(text: str) -> str:
    """The text itself, if it can be a word of the command that builds a bot. Nothing is listened on meanwhile.

    Raises:
        ValueError: as `run_argument`.
    """
    return _argument(text, PLACEHOLDERS[:1])


def _argument(text: str, placeholders: tuple[str, ...]) -> str:
    unknown = [found for found in re.findall(r"\{[^{}]*\}", text) if found not in placeholders]
    if unknown:
        raise ValueError(f"{', '.join(unknown)} is not known; allowed: {', '.join(placeholders)}")
    if "\0" in text:
        raise ValueError("has a NUL character, which no command can have")
    if len(text.encode()) > LONGEST_WORD:
        raise ValueError(f"has {len(text.encode()):,} bytes; at most {LONGEST_WORD:,} are allowed")
    repeated = [name for name in placeholders if text.count(name) > 1]
    if repeated:
        raise ValueError(f"has {repeated[0]} more than once")
    return text


def is_for_tools(folder: str) -> bool:
    """Whether a folder of this name is no part of any bot: a cache, or what version control keeps."""
    return folder in _TOOLS or (folder.startswith(".") and folder.endswith("_cache"))


VALUE = "{value}"
"""Stands for the value in the argument of a parameter."""

_ROUNDING = 1e-9


class BotParameter(msgspec.Struct, frozen=True):
    """A number that a bot gets when it starts, and that `referee tune` may change.

    Attributes:
        type: the kind of number.
        range: its least value and its greatest.
        value: the one that the bot has now.
        step: values are whole multiples of this above the least; 0: of 1 if they are of type `int`, else any.
        argument: the word after the bot's command that carries it, with `VALUE` in it; empty if none does.
        environment: the name of the variable that carries it; empty if none does.
    """

    type: Literal["int", "float"]
    range: tuple[float, float]
    value: float
    step: float = 0.0
    argument: str = ""
    environment: str = ""

    @property
    def place(self) -> float:
        """The place of its value in its range, from 0 to 1."""
        return (self.value - self.range[0]) / (self.range[1] - self.range[0])

    @property
    def apart(self) -> float:
        """The distance of the places of two values; 0 if they may be as close as they like."""
        return (self.step or float(self.type == "int")) / (self.range[1] - self.range[0])

    def at(self, place: float) -> str:
        """The value at a place in its range, as the bot gets it."""
        low, span = self.range[0], self.range[1] - self.range[0]
        if not self.apart:
            return f"{low + place * span:.6g}"
        return f"{low + self.apart * span * min(round(place / self.apart), int(1 / self.apart + _ROUNDING)):.10g}"


class Manifest(msgspec.Struct, frozen=True):
    """A `bot.toml`.

    Attributes:
        name: up to 64 letters, digits, - and _.
        version: up to 64 letters, digits, . - and _; a bot that changed needs a new one.
        author: free text.
        games: the names of the games it plays, or `*` for any.
        run: the command that starts it, one string for each argument; it is run in the bot's folder.
        build: the command that people must run before `run` works, in the same form; empty if the bot needs no build.
        output: what building writes: paths of folders or files inside the bot's folder, with `/`. None of it is source.
        links: paths of the links that may lead out of the bot's folder.
        transport: where it listens.
        protocol: how it talks with the referee.
        max_batch: how many matches it can play at once, if it reads lines; other bots say so themselves.
        options: by game and option, the values it can play with; it plays options that are not named with any value.
        parameters: the numbers that it can be started with, by name.
    """

    name: str
    version: str
    author: str
    games: tuple[str, ...]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    output: tuple[str, ...] = BUILD_OUTPUT
    links: tuple[str, ...] = ()
    transport: Transport = "unix"
    protocol: ProtocolName = "grpc"
    max_batch: int = 1
    options: dict[str, dict[str, tuple[Any, ...]]] = {}
    parameters: dict[str, BotParameter] = {}

    @property
    def entry(self) -> str:
        """The bot's name in a league: `name@version`."""
        return f"{self.name}@{self.version}"

    @property
    def reach(self) -> Reach:
        """How the referee reaches the bot."""
        return self.transport if self.protocol == LISTENS else "stdio"

    def plays(self, game: str) -> bool:
        """Whether it says that it plays `game`."""
        return game in self.games or ANY_GAME in self.games

    def refusal(self, game: str, options: Mapping[str, Any]) -> str | None:
        """Why the bot cannot sit at a table of `game` with these options (plain values); None if it can."""
        if not self.plays(game):
            return f"{self.entry} does not play {game}; its {MANIFEST} says: {', '.join(self.games)}"
        for name, values in self.options.get(game, {}).items():
            if options.get(name) not in values:
                allowed = ", ".join(map(str, values))
                value = options.get(name)
                return f"{self.entry} does not play {game} with {name} = {value}; its {MANIFEST} says: {allowed}"
        return None
