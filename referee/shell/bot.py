"""A bot that can be started."""

import sys
from pathlib import Path

import msgspec

from referee.shell.manifest import Manifest, read_manifest


class Bot(msgspec.Struct, frozen=True):
    """A bot's folder and what its `bot.toml` says."""

    folder: Path
    manifest: Manifest

    @property
    def command(self) -> list[str]:
        """What starts it, with `{address}` still to be filled in."""
        return [word.replace("{python}", sys.executable) for word in self.manifest.run]


def read_bot(folder: Path) -> Bot:
    """The bot in `folder`.

    Raises:
        ManifestError: it has no usable `bot.toml`.
    """
    return Bot(folder.resolve(), read_manifest(folder))
