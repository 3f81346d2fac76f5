"""The programs that a submitted bot may name in its `bot.toml`."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from referee.files.manifest import MANIFEST, Manifest


def unknown_programs(manifest: Manifest) -> Iterator[str]:
    """One sentence for each program that the bot names by a path outside of its folder.

    The sandbox shows a bot the folder around the program that starts it. So a stranger who names a path could look
    into any folder of the organizer, such as that of another bot.
    """
    for key, words in (("run", manifest.run), ("build", manifest.build)):
        if words and _leads_out(words[0]):
            yield (
                f"{MANIFEST}: {key}[0]: {words[0]} is not in the bot's folder; name a program in the folder by its path"
                " there, or one that is installed by its name alone"
            )


def _leads_out(program: str) -> bool:
    path = PurePosixPath(program)
    return path.is_absolute() or ".." in path.parts
