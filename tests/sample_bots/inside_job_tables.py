"""The players of the bots of Inside Job."""

from typing import Any

from referee_bot.v1 import bot_pb2 as pb

from referee.games.inside_job.options import Options
from referee.wire.inside_job import entry
from tests.sample_bots.bots import load_player


def new_player(bot: str, seat: int, options: Options, seats: int, seed: bytes = bytes(16)) -> Any:
    start = pb.MatchStart(seat=seat, seats=seats, seed=seed, options=entry.codec.options(options))
    return load_player(bot).Player(start)
