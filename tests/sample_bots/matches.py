"""Matches of sample bots in one process, without a referee. Players are called with what a referee would send."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from referee_bot.v1 import bot_pb2 as pb

from referee.core import seeds
from referee.core.game import Decide, Over
from referee.core.outcome import Outcome, Seat
from referee.match.match import draw
from referee.wire.codec import GameEntry


class Player(Protocol):
    """What plays a seat for one match."""

    def choose(self, decision: pb.Decision, /) -> int:
        """The index of its choice."""


class Played(NamedTuple):
    """A match that is over: its last position, what was chosen, and how it ended."""

    last: Any
    choices: list[int]
    outcome: Outcome


def bot_seed(deal: int, seat: Seat) -> bytes:
    """The seed of the bot at a seat. A match that is played again has the same seeds."""
    return seeds.from_text(f"{deal}/{seat}")[:16]


def play(entry: GameEntry, options: Any, players: Sequence[Player], deal: int) -> Played:
    """A match with these players, by seat. Fails on a choice that is not legal."""
    game, table = entry.game, _Table(entry, players)
    state = game.setup(options, len(players))
    while not isinstance(awaited := game.awaiting(state), Over):
        if isinstance(awaited, Decide):
            state, events = game.apply(state, {seat: table.ask(state, seat) for seat in awaited.seats})
        else:
            state, events = game.luck(state, draw(seeds.from_text(str(deal)), awaited))
        table.tell(events)
    return Played(state, table.choices, awaited.outcome)


class _Table:
    """The players, and the events that they have not heard yet."""

    def __init__(self, entry: GameEntry, players: Sequence[Player]) -> None:
        self._game, self._codec, self._players = entry.game, entry.codec, players
        self._news: Mapping[Seat, list[bytes]] = {seat: [] for seat in range(len(players))}
        self.choices: list[int] = []

    def ask(self, state: Any, seat: Seat) -> Any:
        """What a seat chooses."""
        legal, news = self._game.legal(state, seat), self._news[seat]
        view = self._codec.view(self._game.view(state, seat))
        asked = pb.Decision(view=view, legal=[self._codec.action(action) for action in legal], events=news)
        news.clear()
        index = self._players[seat].choose(asked)
        assert 0 <= index < len(legal)
        self.choices.append(index)
        return legal[index]

    def tell(self, events: Sequence[Any]) -> None:
        """Tell each seat what it hears of the events."""
        for seat, news in self._news.items():
            heard = (self._game.heard(event, seat) for event in events)
            news.extend(self._codec.event(event) for event in heard if event is not None)
