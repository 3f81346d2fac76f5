r"""Text that people read: numbers with words that agree with them, and foreign text made safe to show.

Foreign text cannot move the cursor, colour a line or change its direction. Characters that Unicode does not call
printable are written as in Python's strings: `\x1b`, `\u202e`.
"""

import json
import pkgutil
import re
from collections.abc import Callable, Collection
from datetime import timedelta
from string import Template


def several(number: int, one: str, more: str) -> str:
    """A number with the words for one, or those for any other number: `1 match is`, `2,000 matches are`."""
    return f"{number:,} {one if number == 1 else more}"


_SPAN = re.compile(r"(?:(?P<days>\d+)d)?(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m)?(?:(?P<seconds>\d+)s)?")


def seconds_of(span: str) -> int:
    """The seconds of a time span such as `20m`, `8h` or `1d12h`.

    Raises:
        ValueError: it is no time span, or it is empty.
    """
    match = _SPAN.fullmatch(span) if len(span) < 40 else None
    parts = {} if match is None else {unit: int(count) for unit, count in match.groupdict().items() if count}
    seconds = round(timedelta(**parts).total_seconds()) if len(str(sum(parts.values()))) < 8 else 0
    if not seconds:
        raise ValueError(f"{span}: not a time span; write for instance 90s, 20m, 8h or 1d12h")
    return seconds


_HARMLESS = "\n\t"


def printable(text: str) -> str:
    """The text with its line breaks and tabs. Other unprintable characters become escapes."""
    return _escaped(text, lambda char: char.encode("unicode_escape").decode())


def printable_json(document: str) -> str:
    """The same document, with unprintable characters as JSON's own escapes."""
    return _escaped(document, lambda char: json.dumps(char)[1:-1])


def one_line(text: str) -> str:
    """The text on one line, so that foreign text cannot look like a line of ours."""
    return printable(text.rstrip()).replace("\n", r"\n")


def is_utf8(text: str) -> bool:
    """Whether a text can be written as UTF-8. Names of files and words of a command line may have any bytes."""
    return text.encode(errors="replace").decode() == text


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in _HARMLESS else escape(char) for char in text)


_CHOICE = re.compile(r"\{([^{}?]+)\?([^{}|]*)(?:\|([^{}]*))?\}")
_GAP = re.compile(r"\n{3,}")


def rules_in_words(package: str, facts: Collection[str], **values: object) -> str:
    """The rules of a game, from the file `rules.md` in its package.

    There, `{fact? text}` is this text if the fact holds, and `$name` is a value.

    `{fact other? text|other text}` is the first text if one of the facts holds, and else the second. Both may have
    more of the kind inside.
    """
    text, rest = "", (pkgutil.get_data(package, "rules.md") or b"").decode()
    while rest != text:  # from the inside to the outside
        text, rest = rest, _CHOICE.sub(lambda found: _chosen(found, facts), rest)
    return Template(_GAP.sub("\n\n", text)).substitute(values).strip() + "\n"


def _chosen(match: re.Match[str], facts: Collection[str]) -> str:
    names, text, otherwise = match.groups("")
    return text if any(name in facts for name in names.split(",")) else otherwise
