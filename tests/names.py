"""The figures of rooms and names, and whether each name has one meaning. `python -m tests.lints` prints them.

No two public classes of the program share a name, and no two modules do. A game's package is a namespace of its own,
and so is the drawer of a game: every game has its `State`, and is read for itself. A module of commands may have the
name of their subject.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from tests.project_files import ROOT, project_files

PACKAGES = ("referee/", "tournaments/", "sample_bots/python/library/")
OF_GAMES = (("referee", "games"), ("referee", "drawing"))
"""Folders that have a folder for each game."""

ALLOWED: Mapping[str, str] = {
    "Print": "what is printed on a component of Agonía; each kind of component has a module, and is named with it",
    "address.py": "of a store, and of a served league; each room calls its own so",
    "bots.py": "the bots of a league as they play, and the pages of a bot",
    "matches.py": "matches in a process, in a check and in a bot, and their pages",
    "registry.py": "of games, and of drawers; both read entry points of packages",
    "replays.py": "a match walked through in Python, and its drawing for a browser",
    "scrimmages.py": "one subject: its rules in `league`, its rows in `store`, its play in `web`",
    "self_test.py": "a machine tests its boxes, and a node its speed",
    "submissions.py": "one subject: its rules in `league`, its rows in `store`",
    "table.py": "of bots, and of persons, who also wait, leave and come back",
    "words.py": "of games for language models, and of pages",
    "worker_messages.py": "of the workers that play, and of the worker that checks submissions",
}
"""Classes that share their name, and modules outside one room that do, with the reason."""


def namespace(path: PurePath) -> tuple[str, ...]:
    """The namespace of a module: the package of its game, or the program."""
    folder = path.parts[:-1]
    return folder[:3] if folder[:2] in OF_GAMES and len(folder) > 2 else ()


def room(path: PurePath) -> tuple[str, ...]:
    """The room of a module: its namespace, or the first two folders."""
    return namespace(path) or path.parts[:-1][:2]


def classes(source: str) -> list[str]:
    """The public classes of a module."""
    found = (node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return [name for name in found if not name.startswith("_")]


def shared(program: Mapping[PurePath, str]) -> list[str]:
    """What has a name that something else has: a sentence each. `program` are paths from the root, with their text."""
    homes: dict[tuple[tuple[str, ...], str], list[PurePath]] = defaultdict(list)
    for path, source in program.items():
        if path.name not in ("__init__.py", "__main__.py"):
            in_room = path.name in ALLOWED or "cli" in path.parts
            homes[room(path) if in_room else namespace(path), path.name].append(path)
        for name in classes(source):
            if name not in ALLOWED:
                homes[namespace(path), f"class {name}"].append(path)
    return sorted(f"{name}: {_listed(paths)}" for (_, name), paths in homes.items() if len(paths) > 1)


def _listed(paths: Iterable[PurePath]) -> str:
    return ", ".join(sorted(map(str, paths)))


def modules() -> dict[PurePath, str]:
    """All modules of the program."""
    paths = (PurePath(name) for name in project_files(".py") if name.startswith(PACKAGES))
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def figures(program: Mapping[PurePath, str]) -> list[str]:
    """How many modules, rooms and lines there are."""
    league = [path for path in program if path.parts[0] == "tournaments"]
    rooms = {path.parts[1] for path in league if len(path.parts) > 2}
    own = [path for path in league if len(path.parts) == 2 and path.name != "__init__.py"]
    lines = sum(source.count("\n") for source in program.values())
    return [
        f"modules directly in tournaments/: {len(own)}; rooms: {len(rooms)}",
        f"modules: {len(program)}; lines: {lines}",
        f"exceptions from one meaning a name: {len(ALLOWED)}",
    ]
