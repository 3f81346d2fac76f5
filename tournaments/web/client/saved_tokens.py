"""The tokens that `referee login` keeps: one for each service, in a file that nobody else can read."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from referee.core.errors import WrongUse
from referee.files.safe_read import read_toml
from referee.files.secret_files import plain_token, require_private
from tournaments.web.client.address import VARIABLE, Address

_MOST_BYTES = 1 << 20


def tokens_file(environment: Mapping[str, str]) -> Path:
    """The file of the tokens."""
    given = environment.get("XDG_CONFIG_HOME")
    return (Path(given) if given else Path.home() / ".config") / "referee" / "tokens.toml"


def token_for(address: Address, environment: Mapping[str, str]) -> str | None:
    """The token to send to a service: that of the variable, or else the kept one; None if there is none.

    Raises:
        FileProblems: the file cannot be read, others can read it, or there is something other than a token.
    """
    given = environment.get(VARIABLE)
    if given is not None:
        return plain_token(given, VARIABLE)
    file = tokens_file(environment)
    tokens = _read(file).get(address.service)
    return None if tokens is None else plain_token(tokens, str(file))


def keep_token(address: Address, token: str, environment: Mapping[str, str]) -> Path:
    """Keep the token of a service, instead of the one before. Returns the file.

    Raises:
        FileProblems, WrongUse: the file cannot be read, or not be written.
    """
    file = tokens_file(environment)
    tokens = _read(file) | {address.service: token}
    text = "".join(f"{json.dumps(service)} = {json.dumps(each)}\n" for service, each in tokens.items())
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as new:  # of mode 600
            new.write(text)
        Path(new.name).replace(file)
    except OSError as error:
        raise WrongUse(f"{file}: cannot be written: {error.strerror}") from error
    return file


def _read(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    require_private(file)
    return {name: str(token) for name, token in read_toml(file, _MOST_BYTES).items()}
