"""What a bot in a box may see of its own files."""

from pathlib import Path

import msgspec


class Visible(msgspec.Struct, frozen=True):
    """A bot's folder, as the bot may see it.

    Attributes:
        folder: the folder.
        hidden: folders in it that are shown empty: caches, and output of builds that is not declared.
        links: links in it that lead out, and may.
    """

    folder: Path
    hidden: tuple[Path, ...] = ()
    links: tuple[Path, ...] = ()
