"""Matches in this process, for programs in Python. These are the public names that `import referee` gives."""

from importlib import import_module
from typing import TYPE_CHECKING

from referee.api import words
from referee.api.decisions import Decision
from referee.api.games import InstalledGame, game, installed_games
from referee.api.matches import LocalMatch, Player, play, random_player, start
from referee.api.received import ReceivedMatch
from referee.api.replays import LocalReplay, Replayed, load, replay, save
from referee.core.errors import WrongUse
from referee.core.game import Decide, Information, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Side
from referee.files.options import KnownOption
from referee.match.replay import Difference
from referee.match.transcript import Transcript

if TYPE_CHECKING:
    from referee.api.spaces import Space, space
    from referee.api.vectors import Finished, VectorMatches, vector

__all__ = (
    "Decide",
    "Decision",
    "Difference",
    "Finished",
    "Information",
    "InstalledGame",
    "KnownOption",
    "LocalMatch",
    "LocalReplay",
    "Outcome",
    "Over",
    "Player",
    "ReceivedMatch",
    "Replayed",
    "Roll",
    "Shuffle",
    "Side",
    "Space",
    "Transcript",
    "VectorMatches",
    "WrongUse",
    "game",
    "installed_games",
    "load",
    "play",
    "random_player",
    "replay",
    "save",
    "space",
    "start",
    "vector",
    "words",
)

# They need numpy, which most programs do not wait for.
_LATER = {
    "spaces": ("Space", "space"),
    "vectors": ("Finished", "VectorMatches", "vector"),
}


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"referee.api.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
