"""The arguments of an entry: words for the bot's command, and variables for its process."""

import re
from collections.abc import Iterable, Mapping

from referee.files.manifest import run_argument
from referee.match.terms import EntryTerms

MOST_BYTES = 4096
"""Of all arguments of a bot, and of all its variables. Every transcript of its matches has them."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset({"HOME", "OLDPWD", "PATH", "PWD", "SHLVL", "TMPDIR", "_"})
_RESERVED_BEGINNINGS = ("LC_", "LD_", "PYTHON", "REFEREE_")
"""The variables that the referee, its boxes, the loader of programs or the sample bots set or read."""


def plain_arguments(words: list[str]) -> list[str]:
    """The words themselves, if they can stand after a bot's command.

    Raises:
        ValueError: one is empty, or could not stand in the `run` of a bot.toml; or they are too long.
    """
    if not all(words):
        raise ValueError("has an empty argument, which no command of a bot may have")
    for word in words:
        run_argument(word)
    _check_short(words)
    return words


def plain_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables themselves, in the order of their names, if a bot may have them.

    Raises:
        ValueError: one has a name that is reserved or that none can have, or a NUL in its value; or they are too long.
    """
    for name, value in variables.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a variable; allowed: letters, digits and _, no digit first")
        if name in _RESERVED or name.startswith(_RESERVED_BEGINNINGS):
            also = ", ".join(_RESERVED_BEGINNINGS)
            reserved = f"{', '.join(sorted(_RESERVED))}, and names that begin with {also}"
            raise ValueError(f"{name} is reserved; not allowed: {reserved}")
        if "\0" in value:
            raise ValueError(f"{name} has a NUL character, which no variable can have")
    _check_short([*variables.keys(), *variables.values()])
    return dict(sorted(variables.items()))


def check_plain(terms: EntryTerms) -> None:
    """Hold what a transcript says to what a league file may say.

    Raises:
        ValueError: no league file may say that.
    """
    plain_arguments([*terms.arguments])
    plain_environment(terms.environment)


def _check_short(words: Iterable[str]) -> None:
    size = sum(len(word.encode()) for word in words)
    if size > MOST_BYTES:
        raise ValueError(f"has {size:,} bytes in all; at most {MOST_BYTES:,} are allowed")
