"""Plays the game that `referee new-game` writes. It is an example of a game without a proto: its messages are JSON.

It stays with a card of the upper half, and is out with another. `referee games NAME --schema` says which fields the
messages of a game have.
"""

import json

from referee_bot.v1 import bot_pb2 as pb


def choose(decision: pb.Decision) -> int:
    """The index of the action that fits our card; 0 if the game knows neither cards nor such actions."""
    view = json.loads(decision.view)
    actions = [json.loads(action) for action in decision.legal]
    types = [action.get("type") if isinstance(action, dict) else None for action in actions]
    wanted = "Stay" if 2 * view.get("card", 0) > view.get("cards", 0) else "Out"
    return types.index(wanted) if wanted in types else 0
