"""A referee for bots that play board games with hidden information.

From Python, in one process and without bots:

    play(game, players)     a match between functions, played to its end
    start(game, seats)      a match to be driven decision by decision
    load, save, replay      transcripts in files, and matches walked through again
    game, installed_games   the games that can be played, their options, other worlds of a position
    space                   views as vectors and actions as ids, for programs that learn
    vector                  many matches in step
    words                   rules and decisions in words, and answers in words read again, for language models

`referee.gymnasium`, `referee.pettingzoo` and `referee.pyspiel` are environments for libraries that learn. Each is
imported by itself.

`docs/python.md` shows them at work.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.api import *  # noqa: F403 - its `__all__` is the one list of the public names
else:
    # Looked up when they are asked for: the command line must not wait for what it may not need.

    def __getattr__(name: str) -> object:
        if name == "__all__" or not name.startswith("__"):
            face = import_module("referee.api")
            if name in ("__all__", *face.__all__):
                return getattr(face, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return list(import_module("referee.api").__all__)
