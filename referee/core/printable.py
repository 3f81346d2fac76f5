r"""Text of others, as people may be shown it: without what moves a cursor, colours a line or turns its direction.

Whatever Unicode does not call printable is written as in Python's strings: `\x1b`, `\u202e`.
"""

import json
from collections.abc import Callable

_HARMLESS = "\n\t"


def printable(text: str) -> str:
    """The text with its lines and tabs, and everything else that cannot be printed as an escape."""
    return _escaped(text, lambda char: char.encode("unicode_escape").decode())


def printable_json(document: str) -> str:
    """The same document, in which what cannot be printed is written as JSON's own escapes."""
    return _escaped(document, lambda char: json.dumps(char)[1:-1])


def one_line(text: str) -> str:
    """The same on one line: so nobody's words can look like a line of ours."""
    return printable(text.rstrip()).replace("\n", r"\n")


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in _HARMLESS else escape(char) for char in text)
