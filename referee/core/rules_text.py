"""The rules of a game in words, from the file `rules.md` in the game's package."""

import pkgutil
import re
from collections.abc import Collection
from string import Template

_CHOICE = re.compile(r"\{([^{}?]+)\?([^{}|]*)(?:\|([^{}]*))?\}")
_GAP = re.compile(r"\n{3,}")


def rules_in_words(package: str, facts: Collection[str], **values: object) -> str:
    """The text of the file, where `{fact? text}` is this text if the fact holds, and `$name` is a value.

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
