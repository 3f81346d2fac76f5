"""The bots of Inside Job in positions of its rules."""

from typing import Any

from referee_bot.v1 import bot_pb2 as pb

from referee.games.inside_job.options import Options
from referee.wire.inside_job import entry
from tests.games.inside_job.table import Table
from tests.sample_bots.bots import load_player

GAME, CODEC = entry.game, entry.codec


def new_player(bot: str, seat: int, options: Options, seats: int, seed: bytes = bytes(16)) -> Any:
    start = pb.MatchStart(seat=seat, seats=seats, seed=seed, options=CODEC.options(options))
    return load_player(bot).Player(start)


def asked(table: Table, seat: int, heard: tuple[Any, ...] = ()) -> pb.Decision:
    return pb.Decision(
        view=CODEC.view(table.view(seat)),
        legal=[CODEC.action(action) for action in GAME.legal(table.state, seat)],
        events=[CODEC.event(event) for event in heard],
    )


def chosen(bot: str, table: Table, seat: int, heard: tuple[Any, ...] = ()) -> str:
    """Its choice in a position, if it has heard these events and nothing before."""
    player = new_player(bot, seat, table.state.options, len(table.state.hands))
    index: int = player.choose(asked(table, seat, heard))
    return GAME.describe_action(GAME.legal(table.state, seat)[index])


def last_to_play(
    *roles: str, hand: tuple[str, ...], completed: int = 0, tokens: tuple[int, ...] = (1, 1, 1, 0)
) -> Table:
    """Seat 3 plays the last card of the eighth trick, in which all cards must be below 7. Trump is red."""
    names = ("green 2", "green 3", "green 5")
    table = Table.arranged(*roles, trick=8, completed=completed, tokens=tokens).with_mission("M19")
    for seat, name in enumerate(names):
        table = table.with_hand(seat, name)
    table = table.with_hand(3, *hand).goes_on(led=(0,))
    table.plays(*names)
    return table
