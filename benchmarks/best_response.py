"""An approximate best response to a bot: `python -m benchmarks.best_response BOT [PAIRS]`.

It plays simple Agent Avenue for two against a sample bot written in Python, on equal deals from both seats, and prints
how often it wins. It knows the bot: it asks copies of the bot's player what they would do with other hands. The share
of its wins is a lower bound: the best opponent of all wins at least so often.

Before it plays, it asks how likely the bot takes each face-up card, over hands that the bot may hold. Before it
recruits, it asks with which hands the bot would have played this face-up card, and what would lie face down. What
follows the turn it judges by the network of the bot `solver`. It never discards.

A bot can be asked if it can be copied (`copy.deepcopy`), reads its hand from the view, and keeps nothing of a question.
If it chooses by chance, its player has a method `chances(decision)`: a chance for each legal action.
"""

import argparse
from collections.abc import Sequence
from copy import deepcopy
from math import sqrt
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from referee_bot.v1 import bot_pb2 as pb

import referee
from benchmarks.sample_players import modules_of, question
from referee.core.outcome import Seat
from referee.games.agent_avenue.moves import RECRUITS, Play
from referee.games.agent_avenue.pieces import DISCARDS_ALONE, Agent
from referee.games.agent_avenue.state import State, lead

OPTIONS = {"mode": "simple", "line_up": "1v1"}
PAIRS = 200
HANDS_ASKED = 16  # before a play: hands that the bot may hold
PLAYS_ASKED = 150  # before a recruit: hands from which the bot may have played
ONLOOKER: Seat = -1  # hears what everybody hears
GAME = referee.game("agent-avenue")


class Asked:
    """A bot, which can also be asked what it would do.

    Attributes:
        player: the bot's player for this match.
        before_play: the position in which it played last.
    """

    def __init__(self, player: Any, seat: Seat) -> None:
        self.player = player
        self.seat = seat
        self.before_play: State | None = None
        self._told = 0  # how many events of the match it knows

    def choose(self, match: referee.LocalMatch, decision: referee.Decision) -> int:
        """Its choice in the match."""
        if match.state.phase == "play":
            self.before_play = match.state
        heard = _heard(match.events[self._told :], self.seat)
        self._told = len(match.events)
        return int(self.player.choose(question(GAME.codec, decision.view, decision.legal, heard)))

    def taking(self, match: referee.LocalMatch, worlds: Sequence[State], ups: Sequence[Agent]) -> dict[Agent, float]:
        """How likely it takes each of these face-up cards, over positions that the other seat cannot tell apart."""
        copy = deepcopy(self.player)
        news = _heard(match.events[self._told :], ONLOOKER)
        taking = dict.fromkeys(ups, 0.0)
        for world in worlds:
            for up in ups:
                play = next(play for play in GAME.rules.legal(world, 1 - self.seat) if _is_play_of(play, up))
                then, events = GAME.rules.apply(world, {1 - self.seat: play})
                taking[up] += self._chances(copy, then, [*news, *_heard(events, ONLOOKER)])[RECRUITS[0]] / len(worlds)
                news = []
        return taking

    def downs(self, worlds: Sequence[State], up: Agent) -> dict[Agent, float]:
        """How likely each card lies face down beside `up`, relative to the others; `worlds` are before its play."""
        downs = dict.fromkeys(Agent, 0.0)
        for world in worlds:
            for action, chance in self._chances(self.player, world, []).items():
                if isinstance(action, Play) and action.face_up == up:
                    downs[action.face_down] += chance
        return downs

    def _chances(self, player: Any, world: State, heard: list[Any]) -> dict[Any, float]:
        """How likely the bot chooses each action in a position."""
        legal = GAME.rules.legal(world, self.seat)
        asked = question(GAME.codec, GAME.rules.view(world, self.seat), legal, heard)
        if hasattr(player, "chances"):
            return dict(zip(legal, player.chances(asked), strict=True))
        return dict.fromkeys(legal, 0.0) | {legal[player.choose(asked)]: 1.0}


def _heard(events: Sequence[Any], seat: Seat) -> list[Any]:
    return [GAME.rules.heard(event, seat) for event in events]


def _is_play_of(action: Any, up: Agent) -> bool:
    return isinstance(action, Play) and action.face_up == up


class Responder:
    """Plays against a bot that it may ask. It judges positions by `values`, a network of `solver`."""

    def __init__(self, bot: Asked, values: Any, rng: Random) -> None:
        self._bot, self._values, self._rng = bot, values, rng
        self._position = modules_of("solver")["position"]

    def choose(self, match: referee.LocalMatch, decision: referee.Decision) -> Any:
        """An action."""
        return self._play(match, decision) if match.state.phase == "play" else self._recruit(match.state)

    def _play(self, match: referee.LocalMatch, decision: referee.Decision) -> Any:
        """The play that wins most often against such a bot."""
        plays = [action for action in decision.legal if isinstance(action, Play)]
        worlds = [decision.sample(self._rng) for _ in range(HANDS_ASKED)]
        taking = self._bot.taking(match, worlds, sorted({play.face_up for play in plays}))
        wins = self._wins(match.state)

        def worth(play: Play) -> float:
            up, down = play.face_up - 1, play.face_down - 1
            return float(taking[play.face_up] * wins[down, up] + (1 - taking[play.face_up]) * wins[up, down])

        return max(plays, key=worth)

    def _recruit(self, state: State) -> Any:
        """The slot that loses less often, over what may lie face down."""
        before, up = self._bot.before_play, state.face_up
        if before is None or up is None:
            raise ValueError("there is nothing to recruit")
        seat = 1 - self._bot.seat
        worlds = [GAME.resample(before, seat, self._rng) for _ in range(PLAYS_ASKED)]
        downs = self._bot.downs(worlds, up)
        wins = self._wins(before)
        gain = sum(chance * (wins[up - 1, down - 1] - wins[down - 1, up - 1]) for down, chance in downs.items())
        return RECRUITS[0] if gain >= 0 else RECRUITS[1]

    def _wins(self, state: State) -> NDArray[np.float64]:
        """How likely the active side wins, by what it recruits and what the other does."""
        own, other = (self._side(state, side) for side in (state.active, 1 - state.active))
        ahead = lead(state.sides, state.active)
        found: NDArray[np.float64] = self._values.wins(
            self._position.Position(ahead, own, other, len(state.deck)).after_draws()
        )
        return found

    def _side(self, state: State, side: int) -> Any:
        recruited = tuple(state.sides[side].recruited.count(agent) for agent in Agent)
        seat = state.seats[side]
        return self._position.Side(recruited, len(seat.hand), DISCARDS_ALONE - len(seat.discards))


def won(bot: str, deal: int, seat: Seat, values: Any) -> bool:
    """Whether the response wins a match from a seat."""
    match = referee.start("agent-avenue", 2, seed=deal, options=OPTIONS, strict=True)
    start = pb.MatchStart(game="agent-avenue", seats=2, seat=1 - seat, seed=Random(2 * deal + seat).randbytes(16))
    asked = Asked(modules_of(bot)["player"].Player(start), 1 - seat)
    responder = Responder(asked, values, Random(deal))
    for decision in match:
        player: Any = responder if decision.seat == seat else asked
        match.choose(player.choose(match, decision))
    return match.places[seat] == 1


def main(bot: str, pairs: int) -> None:
    """Play, and print how often the response wins."""
    values = modules_of("solver")["values"].read()
    points = np.array([np.mean([won(bot, deal, seat, values) for seat in (0, 1)]) for deal in range(pairs)])
    error = points.std(ddof=1) / sqrt(pairs)
    print(f"a best response to {bot} wins {points.mean():.1%} (± {error:.1%}) of {2 * pairs} matches")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="an approximate best response to a sample bot")
    parser.add_argument("bot", help="the name of a folder in sample_bots/python")
    parser.add_argument("pairs", nargs="?", type=int, default=PAIRS, help="deals, each played from both seats")
    arguments = parser.parse_args()
    main(arguments.bot, arguments.pairs)
