"""Files with a token, and files with certificates. What is wrong with one is a sentence that never quotes it."""

import re
import ssl
import stat
from pathlib import Path

from referee.core.errors import FileProblems
from referee.files.safe_read import read_ordinary

_MOST_BYTES = 1 << 20
"""Four times the list of authorities that a system trusts."""

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,512}")  # RFC 6750, section 2.1


def read_token(path: Path) -> str:
    """The token in a file, which has nothing else but a line break at its end.

    Raises:
        FileProblems: the file cannot be read, others can read it, or it has something other than a token.
    """
    return plain_token(require_private(path).decode(errors="replace"), str(path))


def require_private(path: Path) -> bytes:
    """The content of a file with tokens.

    Raises:
        FileProblems: the file cannot be read, or others can read it.
    """
    content = read_ordinary(path, _MOST_BYTES)
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise FileProblems([f"{path}: others may read this token; make the file yours alone: chmod 600 {path}"])
    return content


def plain_token(text: str, place: str) -> str:
    """The token in a text from a file or a variable, without the space around it.

    Raises:
        FileProblems: it is no token.
    """
    if _TOKEN.fullmatch(text.strip()) is None:
        raise FileProblems([f"{place}: there is no token; put there what you were given, in one line and nothing else"])
    return text.strip()


def read_certificates(path: Path) -> bytes:
    """The certificates of authorities in a file (PEM).

    Raises:
        FileProblems: the file cannot be read, or has no certificates.
    """
    content = read_ordinary(path, _MOST_BYTES)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=content.decode())
    except (ValueError, ssl.SSLError) as error:
        raise FileProblems([f"{path}: has no certificates of authorities; give a file in PEM"]) from error
    return content
