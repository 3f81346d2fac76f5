"""What each action is worth, in the points of `threat.py`."""

from collections.abc import Callable
from typing import Any

import attacking
import sharing
import standing
from referee_bot.v1 import agonia_pb2 as ag
from situation import Situation


def worth(here: Situation, action: ag.Action) -> float:
    """What a legal action is worth."""
    kind = action.WhichOneof("body")
    return WORTHS[kind](here, getattr(action, str(kind)))


WORTHS: dict[str | None, Callable[[Situation, Any], float]] = {
    "go": standing.go,
    "equip": sharing.equip,
    "search_deck": sharing.search,
    "keep": lambda _here, _action: 0.0,
    "shoot_enemy": attacking.shoot_enemy,
    "shoot_barrel": attacking.shoot_barrel,
    "shoot_line": attacking.shoot_line,
    "throw": attacking.throw,
    "place": attacking.place,
    "exchange": sharing.exchange,
    "reply": sharing.reply,
    "discard": sharing.discard,
    "end_turn": lambda _here, _action: 0.0,
}
