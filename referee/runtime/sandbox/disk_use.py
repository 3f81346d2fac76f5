"""The disk use of a folder, counted while others write there."""

import os
from pathlib import Path

_BLOCK_BYTES = 512  # stat(2): the unit of st_blocks, whatever the file system


def written(top: Path, most: int) -> tuple[int, int] | None:
    """How many files and folders lie below a folder, and their bytes on the disk; None if one cannot be looked into.

    Args:
        top: the folder. A bot may change the folder at the same time.
        most: of more files no more are counted.
    """
    files = total = 0
    folders = [str(top)]
    while folders and files <= most:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    files += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:  # the bot has removed it meanwhile
            continue
        except OSError:  # too deep, or closed
            return None
    return files, total
