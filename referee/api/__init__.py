"""Matches in this process, for programs in Python. These are the public names that `import referee` gives."""

from referee.api.decisions import Decision
from referee.api.games import InstalledGame, game, installed_games
from referee.api.matches import LocalMatch, Player, play, start
from referee.api.replays import LocalReplay, Replayed, load, replay, save
from referee.core.errors import WrongUse
from referee.core.game import Decide, Information, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Side
from referee.files.options import KnownOption
from referee.match.replay import Difference
from referee.match.transcript import Transcript

__all__ = (
    "Decide",
    "Decision",
    "Difference",
    "Information",
    "InstalledGame",
    "KnownOption",
    "LocalMatch",
    "LocalReplay",
    "Outcome",
    "Over",
    "Player",
    "Replayed",
    "Roll",
    "Shuffle",
    "Side",
    "Transcript",
    "WrongUse",
    "game",
    "installed_games",
    "load",
    "play",
    "replay",
    "save",
    "start",
)
