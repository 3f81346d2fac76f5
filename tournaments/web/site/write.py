"""Writes a site into a folder. The folder gets all of it at once, or does not change."""

from collections.abc import Iterable
from pathlib import Path

from tournaments.web.site.atomic_folder import replace_folder
from tournaments.web.site.site_files import SiteFile


def write(files: Iterable[SiteFile], folder: Path) -> int:
    """Write all files. They replace the old content of the folder. Returns their number.

    Raises:
        CannotWrite: the folder holds something other than a site, or cannot be written.
    """
    written = 0
    with replace_folder(folder) as beside:
        for file in files:
            path = beside / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            written += 1
    return written
