"""Reads an author's token from the environment, or from a file that nobody else can read. Never from an argument."""

from collections.abc import Mapping
from pathlib import Path

from referee.files.secret_files import plain_token, read_token

VARIABLE = "REFEREE_TOKEN"


def token(file: Path | None, environment: Mapping[str, str]) -> str | None:
    """The token to send; None if there is none. Without a file, it is read from the environment.

    Raises:
        FileProblems: the file cannot be read, others can read it, or it contains something other than a token.
    """
    if file is not None:
        return read_token(file)
    given = environment.get(VARIABLE)
    return None if given is None else plain_token(given, VARIABLE)
