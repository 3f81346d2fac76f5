"""Reads an author's token from the environment, or from a file that nobody else can read. Never from an argument."""

import re
import stat
from collections.abc import Mapping
from pathlib import Path

from referee.core.errors import WrongUse
from referee.files.problems import FileProblems
from referee.files.safe_read import read_ordinary

VARIABLE = "REFEREE_TOKEN"

_LONGEST = 1_000
_PLAIN = re.compile(r"[A-Za-z0-9._~+/=-]{1,512}")


class BadToken(WrongUse):
    """A token is missing or malformed. The text never quotes it."""


def token(file: Path | None, environment: Mapping[str, str]) -> str | None:
    """The token to send; None if there is none.

    The file contains only the token. Without a file, the token is read from the environment.

    Raises:
        BadToken: the file cannot be read, others can read it, or it contains something other than a token.
    """
    if file is None:
        given = environment.get(VARIABLE)
        return None if given is None else _plain(given, VARIABLE)
    try:
        others = stat.S_IMODE(file.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO)
        if others:
            raise BadToken(f"{file}: others may read this token; make the file yours alone: chmod 600 {file}")
        return _plain(read_ordinary(file, _LONGEST).decode(), str(file))
    except (OSError, FileProblems, UnicodeDecodeError) as error:
        raise BadToken(f"{file}: the token cannot be read from this file") from error


def _plain(text: str, place: str) -> str:
    if _PLAIN.fullmatch(text.strip()) is None:
        raise BadToken(f"{place}: there is no token; put there what the organizer gave you, and nothing else")
    return text.strip()
