"""The files of the project, found without git, which a machine need not have."""

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MADE = ("build", "dist", "__pycache__", "node_modules", "target", "obj")
"""Folders that commands make. Those whose names begin with a dot are left out, too."""
MESSAGES = str(ROOT / "sample_bots/python/library/referee_bot")
"""The folder in which `v1` is made from the protos."""


def project_files(ending: str = "") -> list[str]:
    """The paths of all files whose names end so, from the top of the project, sorted."""
    return sorted(name for name in _all() if name.endswith(ending))


def _all() -> Iterator[str]:
    for folder, below, names in os.walk(ROOT):
        below[:] = [
            name
            for name in below
            if name not in MADE and not name.startswith(".") and (folder, name) != (MESSAGES, "v1")
        ]
        yield from (str((Path(folder) / name).relative_to(ROOT)) for name in names)
