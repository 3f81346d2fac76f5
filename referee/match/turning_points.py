"""Which moves of a match changed most how well the seats stood."""

from collections.abc import Iterable
from typing import NamedTuple

from referee.core.game import AnyGame, Outlook
from referee.core.outcome import Seat
from referee.match.replay import Move, blame_game, moves
from referee.match.transcript import Draw, Transcript


class Swing(NamedTuple):
    """A move, with the outlook of every seat before and after it.

    Attributes:
        number: the number of the move in the match, counted from 1. Draws of luck count, too.
        decision: the number of the decision in the match, counted from 1; None for a draw of luck.
        move: the move itself.
        before: by seat, the outlook before it.
        after: by seat, the outlook after it.
    """

    number: int
    decision: int | None
    move: Move
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def seat(self) -> Seat:
        """The seat whose outlook changed most; of several, a seat that chose, and then the first."""
        chose = () if isinstance(self.move.cause, Draw) else self.move.cause
        return max(range(len(self.after)), key=lambda seat: (round(abs(self.change(seat)), 9), seat in chose, -seat))

    def change(self, seat: Seat) -> float:
        """How much the outlook of a seat rose; below 0 if it fell."""
        return self.after[seat] - self.before[seat]


def swings(game: AnyGame, transcript: Transcript) -> list[Swing]:
    """All moves of a match; empty if the game has no outlook.

    Raises:
        Difference: the record departs from the rules.
        GameBug: the game raised an exception.
    """
    if not isinstance(game, Outlook):
        return []
    found: list[Swing] = []
    decisions = 0
    with blame_game(transcript.record):
        for move in moves(game, transcript):
            before = found[-1].after if found else game.outlook(move.before)
            decided = isinstance(move.cause, dict)
            decisions += decided
            found.append(Swing(len(found) + 1, decisions if decided else None, move, before, game.outlook(move.after)))
    return found


def turning_points(all_swings: Iterable[Swing], count: int) -> list[Swing]:
    """The `count` moves that changed a seat's outlook most, the largest change first; of equal ones the earlier."""
    return sorted(all_swings, key=lambda swing: -round(abs(swing.change(swing.seat)), 9))[:count]
