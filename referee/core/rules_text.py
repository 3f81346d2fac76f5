"""The rules of a game in words, from the file `rules.md` in the game's package."""

import pkgutil
from collections.abc import Iterable
from functools import cache
from string import Template


def read_parts(package: str, parts: Iterable[str], **values: object) -> str:
    """The title of the file, and these of its parts in this order, with the values in place of `$name`.

    A part begins with a line `## NAME`.
    """
    title, known = _read(package)
    return Template("\n\n".join([title, *(known[part] for part in parts)])).substitute(values) + "\n"


@cache
def _read(package: str) -> tuple[str, dict[str, str]]:
    """The title, and the parts by name."""
    title, *parts = (pkgutil.get_data(package, "rules.md") or b"").decode().split("\n## ")
    return title.strip(), {part.partition("\n")[0]: f"## {part.strip()}" for part in parts}
