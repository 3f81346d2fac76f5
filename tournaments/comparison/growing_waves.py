"""The order in which a comparison plays its deals: in waves that become longer.

A verdict needs the deals in order. A match that was void is played again at the end of its wave, and until then its
deal is missing. So the first waves are short.
"""

from tournaments.schedule.formats.deal_chunks import FIRST
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.wave import LineUps, Wave


class GrowingWaves:
    """A `Format`: the same line-ups play 8 deals, then 16, 32 and so on, up to a last deal."""

    def __init__(self, game: str, line_ups: LineUps, deals: int) -> None:
        self._game = game
        self._line_ups = line_ups
        self._deals = deals

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - results change nothing here
        """The wave with this number; None after the last deal."""
        start = FIRST * ((1 << number) - 1)
        deals = range(start, min(start + (FIRST << number), self._deals))
        return Wave(self._game, self._line_ups, deals) if deals else None
