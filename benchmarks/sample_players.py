"""The players of the sample bots in Python, in this process."""

import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from referee_bot.v1 import bot_pb2 as pb

import referee
from referee.wire.codec import AnyCodec

BOTS = Path(__file__).parents[1] / "sample_bots" / "python"


@cache
def modules_of(bot: str) -> Mapping[str, ModuleType]:
    """The modules of a sample bot. Other bots have modules of the same names, so they are not kept under these."""
    folder = BOTS / bot
    names = sorted({file.stem for file in folder.glob("*.py")} - {"bot"})
    sys.path.insert(0, str(folder))
    try:
        return {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.pop(0)
        for name in names:
            sys.modules.pop(name, None)


def question(codec: AnyCodec, view: Any, legal: Sequence[Any], heard: Iterable[Any], number: int = 0) -> pb.Decision:
    """A decision as a bot gets it."""
    return pb.Decision(
        number=number,
        view=codec.view(view),
        legal=[codec.action(action) for action in legal],
        events=[codec.event(event) for event in heard],
    )


class SamplePlayer:
    """A sample bot at one seat of one match: a player for `referee.play`."""

    def __init__(self, bot: str) -> None:
        self._bot = bot
        self._player: Any = None

    def __call__(self, decision: referee.Decision) -> int:
        """The index that the bot chooses."""
        codec = referee.game(decision.game).codec
        if self._player is None:
            self._player = modules_of(self._bot)["player"].Player(
                pb.MatchStart(
                    game=decision.game,
                    options=codec.options(decision.options),
                    seat=decision.seat,
                    seats=decision.seats,
                    seed=decision.seed,
                )
            )
        asked = question(codec, decision.view, decision.legal, decision.heard, decision.number)
        return int(self._player.choose(asked))
